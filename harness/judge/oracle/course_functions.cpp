#include "harness/judge/oracle/course_functions.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "harness/assignments/plain/adapter.h"
#include "harness/assignments/plain/classes.h"
#include "harness/base/file.h"
#include "harness/build/exports.h"
#include "harness/judge/cases/case_runner.h"
#include "harness/judge/workers/causes.h"
#include "harness/judge/workers/worker_client.h"

namespace warpmark::judge {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kAnswers = "expected.cpp";
constexpr std::string_view kData = "data.cpp";
// Guard bytes behind the target of a function of data.cpp, which must not change them.
constexpr std::size_t kGuardBytes = 4096;
constexpr std::byte kGuard{0xA5};

// Library built from the assignment's own functions for one element type.
struct Part {
  fs::path library;
  std::set<std::string> functions;  // names of the functions that a shared library exports
};

class CourseFunctions final : public plain::Oracle {
 public:
  CourseFunctions(std::shared_ptr<const plain::Spec> spec, CourseFolder settings)
      : spec_(std::move(spec)), settings_(std::move(settings)), builder_(settings_) {}

  bool defines(std::string_view function) override {
    const std::scoped_lock lock(mutex_);
    return part(kAnswers, spec_->types.front()).functions.contains(std::string(function));
  }

  void call(const plain::OracleCall& call) override {
    const std::scoped_lock lock(mutex_);
    if (fault_) throw AssignmentFault(*fault_);
    const std::string type(call.type);
    const std::string function(call.function);
    if (!part(kAnswers, type).functions.contains(function))
      throw AssignmentFault(fmt::format("{}: it must define extern \"C\" {}",
                                        (settings_.folder / kAnswers).string(), function));
    const std::string adapter = function.starts_with("update") ? plain::update_adapter_of(*spec_)
                                                               : plain::adapter_of(*spec_, false, "");
    const Loaded loaded = load(kAnswers, type, function, adapter);
    send(call);
    wire::Call request{.library = loaded.library,
                       .function = function,
                       .adapter = loaded.adapter,
                       .scalars = call.scalars,
                       .look_after_ms = look_after_ms(kOracleLimit)};
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < call.buffers.size(); ++i) {
      const plain::OracleBuffer& buffer = call.buffers[i];
      request.buffers.push_back({buffer.name, 0, buffer.bytes()});
      if (!buffer.read) continue;
      request.reads.push_back({buffer.name, 0, buffer.contents.size()});
      bytes += buffer.contents.size();
    }
    const std::string patched =
        call.buffers.empty() || call.patched >= call.buffers.size() ? "" : call.buffers[call.patched].name;
    std::vector<wire::Patch> patches = std::move(undo_);
    undo_.clear();
    for (const Patch& patch : call.patches) {
      patches.push_back({{patched, patch.offset, patch.bytes}, patch.value});
      wire::Patch back = patches.back();
      back.value = 0;
      std::memcpy(&back.value, call.buffers[call.patched].contents.data() + patch.offset, patch.bytes);
      undo_.insert(undo_.begin(), back);
    }
    request.patches = std::move(patches);
    const SharedMemory& results = run(request, bytes, kAnswers, call);
    take(call, results.bytes());
  }

  void make(const std::string& buffer, const std::string& type, std::span<std::byte> target,
            std::uint64_t count, const std::vector<std::uint64_t>& sizes, std::string_view data_class,
            std::uint64_t seed) override {
    const std::scoped_lock lock(mutex_);
    const std::string function = "make_" + buffer;
    if (!fs::exists(settings_.folder / kData) || !part(kData, type).functions.contains(function)) {
      throw AssignmentFault(
          fmt::format("{}: the class of data \"{}\" of {} is not built in, and {} does not define extern "
                      "\"C\" {}; built in: {}",
                      spec_->file, data_class, buffer, (settings_.folder / kData).string(), function,
                      plain::known_classes()));
    }
    const Loaded loaded = load(kData, type, function, plain::data_adapter());
    std::string name(data_class);
    name += '\0';
    fill("warpmark.class", std::as_bytes(std::span(name)));
    std::vector<std::byte> guarded(target.size() + kGuardBytes, kGuard);
    std::fill_n(guarded.begin(), target.size(), std::byte{0});
    fill("warpmark.target", guarded);
    std::vector<std::uint64_t> scalars{count, seed};
    scalars.insert(scalars.end(), sizes.begin(), sizes.end());
    const wire::Call request{
        .library = loaded.library,
        .function = function,
        .adapter = loaded.adapter,
        .buffers = {{"warpmark.target", 0, guarded.size()}, {"warpmark.class", 0, name.size()}},
        .scalars = std::move(scalars),
        .reads = {{"warpmark.target", 0, guarded.size()}},
        .look_after_ms = look_after_ms(kOracleLimit)};
    const SharedMemory& results =
        run(request, guarded.size(), kData, {.function = function, .scalars = sizes});
    const auto made = results.bytes().first(guarded.size());
    if (!std::ranges::all_of(made.subspan(target.size()), [](std::byte byte) { return byte == kGuard; }))
      throw AssignmentFault(fmt::format(
          "{}: {} writes behind the end of its target at size {}, class \"{}\": the target has {} elements",
          (settings_.folder / kData).string(), function, size_text(sizes), data_class, count));
    std::ranges::copy(made.first(target.size()), target.begin());
  }

 private:
  const Part& part(std::string_view file, const std::string& type) {
    const auto key = std::pair(std::string(file), type);
    if (const auto found = parts_.find(key); found != parts_.end()) return found->second;
    Part made;
    const fs::path source = settings_.folder / file;
    if (!fs::exists(source))
      throw AssignmentFault(
          fmt::format("{} is missing; it holds the right answer on the CPU", source.string()));
    made.library = builder_.library(source, std::string(file), type, {});
    const auto symbols = build::symbols_of(made.library);
    if (!symbols) throw AssignmentFault(fmt::format("{}: {}", source.string(), symbols.error().message));
    made.functions = {symbols->exported.begin(), symbols->exported.end()};
    return parts_[key] = std::move(made);
  }

  WorkerClient& worker() {
    if (worker_ && worker_->alive()) return *worker_;
    loaded_.clear();
    scratch_.clear();
    held_ = 0;
    undo_.clear();
    auto started = WorkerClient::start(settings_.installation, Engine::host, false, kOracleLimit);
    if (!started)
      throw AssignmentFault(
          fmt::format("the process for {} does not start: {}", kAnswers, started.error().message));
    worker_.emplace(std::move(*started));
    return *worker_;
  }

  Loaded load(std::string_view file, const std::string& type, const std::string& function,
              const std::string& adapter_text) {
    const Part& made = part(file, type);
    const fs::path adapter = builder_.adapter(adapter_text, type);
    WorkerClient& client = worker();
    const std::string name = fmt::format("{}.{}.{}", file, type, function);
    if (const auto found = loaded_.find(name); found != loaded_.end()) return found->second;
    auto loaded = load_course(client, made.library, adapter, name, function, kOracleLimit);
    if (!loaded)
      throw AssignmentFault(
          fmt::format("{}: {}", (settings_.folder / file).string(), loaded.error().message));
    return loaded_[name] = *loaded;
  }

  void fill(const std::string& buffer, std::span<const std::byte> contents) {
    SharedMemory memory(contents.size());
    std::ranges::copy(contents, memory.bytes().begin());
    memory.seal_contents();
    ask(wire::Fill{.buffer = buffer}, {memory.fd()});
  }

  // Asks the process to change one of its buffers.
  template <class Request>
  void ask(const Request& request, const std::vector<int>& descriptors) {
    if (const auto reply = worker().ask(request, descriptors, kOracleLimit); !reply)
      throw AssignmentFault(fmt::format("the process for {} failed: {}", kAnswers, reply.error().message));
  }

  void send(const plain::OracleCall& call) {
    const bool held = call.inputs != 0 && call.inputs == held_;
    if (!held) undo_.clear();
    for (const plain::OracleBuffer& buffer : call.buffers) {
      if (buffer.scratch_bytes > 0) {
        auto& bytes = scratch_[buffer.name];
        if (bytes == buffer.scratch_bytes) continue;
        ask(wire::Zeros{buffer.name, buffer.scratch_bytes}, {});
        bytes = buffer.scratch_bytes;
      } else if (buffer.written || !held) {
        scratch_.erase(buffer.name);
        fill(buffer.name, buffer.contents);
      }
    }
    held_ = call.inputs;
  }

  [[nodiscard]] std::string size_text(const std::vector<std::uint64_t>& scalars) const {
    return to_text(Size(std::vector(
        scalars.begin(),
        scalars.begin() + static_cast<std::ptrdiff_t>(std::min(scalars.size(), spec_->sizes.size())))));
  }

  // Throws an AssignmentFault and stores its message, so that later calls fail at once instead of waiting for
  // the same failure.
  [[noreturn]] void fault(const std::string& message) {
    fault_ = message;
    throw AssignmentFault(message);
  }

  // Throws an AssignmentFault for a failed call of one of the assignment's own functions; the message
  // contains the source line and the input size.
  [[noreturn]] void fail_of(Cause cause, std::string_view file, const plain::OracleCall& call) {
    const fs::path source = settings_.folder / file;
    const Submission course{settings_.folder, spec_->name, "", {}, {}};
    const Part& made = part(file, call.type.empty() ? spec_->types.front() : std::string(call.type));
    if (worker_ && !worker_->alive())
      point_to_last_place(cause, *worker_, Blame{nullptr, &course, made.library});
    const std::string place = cause.line > 0
                                  ? fmt::format("{}:{}", (settings_.folder / cause.file).string(), cause.line)
                                  : source.string();
    fault(
        fmt::format("{}: `{}` of the assignment failed at size {} ({}); this is a fault of the assignment, "
                    "not of a submission",
                    place, call.function, size_text(call.scalars), cause.message));
  }

  const SharedMemory& run(const wire::Call& request, std::size_t bytes, std::string_view file,
                          const plain::OracleCall& call) {
    const SharedMemory& results = worker().answer_memory(bytes);
    const auto reply = worker().ask(request, {results.fd()}, kOracleLimit);
    if (!reply) fail_of(reply.error(), file, call);
    const auto causes = causes_of(reply->observed, reply->failure, {});
    if (!causes.empty()) fail_of(causes.front(), file, call);
    return results;
  }

  // Copies the contents of the buffers that the course's function wrote. Throws if the function changed
  // another buffer.
  void take(const plain::OracleCall& call, std::span<const std::byte> results) {
    for (std::size_t i = 0; i < call.buffers.size(); ++i) {
      const plain::OracleBuffer& buffer = call.buffers[i];
      if (!buffer.read) continue;
      const auto part = results.first(buffer.contents.size());
      results = results.subspan(buffer.contents.size());
      if (buffer.written) {
        std::ranges::copy(part, buffer.contents.begin());
        continue;
      }
      std::vector<std::byte> sent(buffer.contents.begin(), buffer.contents.end());
      if (i == call.patched) {
        for (const Patch& patch : call.patches)
          std::memcpy(sent.data() + patch.offset, &patch.value, patch.bytes);
      }
      if (!std::ranges::equal(part, sent))
        throw AssignmentFault(fmt::format(
            "{}: `{}` changes its input `{}` at size {}; copy what must be changed",
            (settings_.folder / kAnswers).string(), call.function, buffer.name, size_text(call.scalars)));
    }
  }

  std::shared_ptr<const plain::Spec> spec_;
  CourseFolder settings_;
  std::mutex mutex_;
  CourseBuilder builder_;
  // built libraries, by source file and element type
  std::map<std::pair<std::string, std::string>, Part> parts_;
  std::optional<WorkerClient> worker_;
  std::map<std::string, Loaded> loaded_;  // libraries loaded in the current worker process
  // number of the input contents that the worker process's buffers hold (OracleCall::inputs); 0: unknown
  std::uint64_t held_ = 0;
  // size in bytes of each scratch buffer that the worker process holds; it is not cleared between calls
  std::map<std::string, std::size_t> scratch_;
  // message of an earlier failed call of the assignment's functions; every later call throws it again
  std::optional<std::string> fault_;
  // writes that undo the last call's changes to a buffer; sent with the next call
  std::vector<wire::Patch> undo_;
};

}  // namespace

std::shared_ptr<plain::Oracle> make_oracle(std::shared_ptr<const plain::Spec> spec, CourseFolder settings) {
  return std::make_shared<CourseFunctions>(std::move(spec), std::move(settings));
}

}  // namespace warpmark::judge
