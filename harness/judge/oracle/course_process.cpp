#include "harness/judge/oracle/course_process.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "harness/judge/oracle/course_functions.h"

namespace warpmark::judge {

WorkerClient& CourseProcess::worker(std::string_view file) {
  if (worker_ && worker_->alive()) return *worker_;
  loaded_.clear();
  scratch_.clear();
  held_ = 0;
  undo_.clear();
  auto started = WorkerClient::start(installation_, Engine::host, false, kOracleLimit);
  if (!started)
    throw AssignmentFault(
        fmt::format("the process for {} does not start: {}", file, started.error().message));
  worker_.emplace(std::move(*started));
  return *worker_;
}

template <class Request>
void CourseProcess::ask(std::string_view file, const Request& request, const std::vector<int>& descriptors) {
  if (const auto reply = worker(file).ask(request, descriptors, kOracleLimit); !reply)
    throw AssignmentFault(fmt::format("the process for {} failed: {}", file, reply.error().message));
}

Loaded CourseProcess::load(const Function& function) {
  const std::string file = function.source.filename().string();
  WorkerClient& client = worker(file);
  const std::string name = fmt::format("{}.{}.{}", file, function.type, function.name);
  if (const auto found = loaded_.find(name); found != loaded_.end()) return found->second;
  auto loaded =
      load_course(client, function.library, function.adapter, name, std::string(function.name), kOracleLimit);
  if (!loaded) throw AssignmentFault(fmt::format("{}: {}", function.source.string(), loaded.error().message));
  return loaded_[name] = *loaded;
}

void CourseProcess::fill(std::string_view file, const std::string& buffer,
                         std::span<const std::byte> contents) {
  SharedMemory memory(contents.size());
  std::ranges::copy(contents, memory.bytes().begin());
  memory.seal_contents();
  ask(file, wire::Fill{.buffer = buffer}, {memory.fd()});
}

void CourseProcess::send(std::string_view file, const plain::OracleCall& call) {
  worker(file);  // a new process holds nothing
  const bool held = call.inputs != 0 && call.inputs == held_;
  if (!held) undo_.clear();
  held_ = 0;
  for (const plain::OracleBuffer& buffer : call.buffers) {
    if (buffer.scratch_bytes > 0) {
      auto& bytes = scratch_[buffer.name];
      if (bytes == buffer.scratch_bytes) continue;
      ask(file, wire::Zeros{buffer.name, buffer.scratch_bytes}, {});
      bytes = buffer.scratch_bytes;
    } else if (buffer.written || !held) {
      scratch_.erase(buffer.name);
      fill(file, buffer.name, buffer.contents);
    }
  }
  held_ = call.inputs;
}

std::vector<wire::Patch> CourseProcess::patches_of(const plain::OracleCall& call) {
  std::vector<wire::Patch> patches = std::exchange(undo_, {});
  if (call.patched >= call.buffers.size()) return patches;
  const plain::OracleBuffer& patched = call.buffers[call.patched];
  for (const Patch& patch : call.patches) {
    patches.push_back({{patched.name, patch.offset, patch.bytes}, patch.value});
    wire::Patch back = patches.back();
    back.value = 0;
    std::memcpy(&back.value, patched.contents.data() + patch.offset, patch.bytes);
    undo_.insert(undo_.begin(), back);
  }
  return patches;
}

tl::expected<wire::CallReply, Cause> CourseProcess::run(const wire::Call& request, std::size_t result_bytes) {
  results_ = &worker_->answer_memory(result_bytes);
  return worker_->ask(request, {results_->fd()}, kOracleLimit);
}

void CourseProcess::point_to_death(Cause& cause, const Blame& blame) const {
  if (worker_ && !worker_->alive()) point_to_last_place(cause, *worker_, blame);
}

}  // namespace warpmark::judge
