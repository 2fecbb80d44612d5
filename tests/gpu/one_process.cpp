// The references in one process without a sandbox, for tools that look at a whole program:
//
//     compute-sanitizer --target-processes application-only --error-exitcode 3 --tool memcheck
//         build/tests/one_process pi sort        (all assignments without names)
//     ... --tool racecheck | initcheck | synccheck
//
// Builds what is missing, so that a run without a tool comes first. Calls every version for GPUs at a few
// sizes of every type; buffers end where their data does, and what a version must set is not set before. Exit
// status 1: an answer is wrong, or could not be had.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include <cuda_runtime.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include "harness/judge/cases/buffers.h"
#include "harness/judge/workers/libraries.h"
#include "harness/worker/adapter.h"
#include "tests/reference/bench.h"

namespace warpmark::judge {
namespace {

constexpr std::uint64_t kSizes[] = {0, 1, 31, 33, 257, 1000, 4099, 20011};

void require(cudaError_t error, const char* what) {
  if (error != cudaSuccess) throw std::runtime_error(fmt::format("{}: {}", what, cudaGetErrorString(error)));
}

struct Free {
  void operator()(void* memory) const { cudaFree(memory); }
};
using DeviceMemory = std::unique_ptr<void, Free>;

void* symbol(const std::filesystem::path& library, const std::string& name) {
  void* loaded = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* found = loaded == nullptr ? nullptr : ::dlsym(loaded, name.c_str());
  if (found == nullptr) throw std::runtime_error(::dlerror());
  return found;
}

struct Version {
  void* function;
  decltype(&warpmark_call) adapter;
};

// What is wrong with the answer, or nothing.
std::string call(const Version& version, const Assignment& assignment, const Case& which,
                 cudaStream_t stream) {
  // As for the simulator: without guards.
  const CaseData data(assignment, which, Engine::simulator);
  std::map<std::string, DeviceMemory> memory;
  for (const Buffers::Region& region : data.buffers.regions()) {
    void* made = nullptr;
    const auto bytes = region.image.bytes();
    require(cudaMalloc(&made, bytes.size()), "cudaMalloc");
    memory[region.spec.name].reset(made);
    const bool given = region.spec.role == Role::input || region.spec.role == Role::in_out;
    if (given && !bytes.empty())
      require(cudaMemcpy(made, bytes.data(), bytes.size(), cudaMemcpyHostToDevice), "cudaMemcpy");
  }
  std::vector<WarpmarkView> views;
  for (const wire::View& view : data.buffers.views())
    views.push_back({static_cast<std::byte*>(memory.at(view.buffer).get()) + view.offset, view.bytes});
  const auto scalars = data.problem->scalars();
  version.adapter(version.function, views.data(), scalars.data(), stream);
  require(cudaGetLastError(), "the call");
  require(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
  std::vector<std::byte> answer(data.buffers.read_bytes());
  std::size_t at = 0;
  for (const wire::View& view : data.buffers.reads()) {
    const auto* from = static_cast<const std::byte*>(memory.at(view.buffer).get()) + view.offset;
    if (view.bytes != 0)
      require(cudaMemcpy(answer.data() + at, from, view.bytes, cudaMemcpyDeviceToHost), "cudaMemcpy");
    at += view.bytes;
  }
  const auto compared = data.buffers.compare(*data.problem, CauseKind::wrong_output, answer);
  return compared.causes.empty() ? std::string() : compared.causes.front().message;
}

// How many answers are wrong.
int call_all(const std::string& name, const Installation& at, const Engines& engines, cudaStream_t stream) {
  const auto assignment = assignment_called(name);
  Rubric rubric = rubric_of(name);
  rubric.naive.clear();  // nothing is timed
  auto submission = take_in(at.root / "reference" / name, rubric, at.root);
  if (!submission) throw std::runtime_error(submission.error().message);
  const auto for_one_gpu = [](const VersionRule& rule) { return !rule.host && rule.ranks.empty(); };
  Libraries libraries({at, rubric, *submission, engines, Engine::gpu, WARPMARK_CACHE, 4, for_one_gpu, false,
                       [](const std::string&) {}});
  libraries.build();
  int calls = 0;
  int wrong = 0;
  for (const VersionRule& rule : rubric.versions) {
    if (!for_one_gpu(rule)) continue;
    const BuiltTypes built = libraries.version(Engine::gpu, rule.name);
    if (!built.causes().empty()) throw std::runtime_error(built.causes().front().message);
    for (const std::string& type : rubric.types) {
      const Version version{
          symbol(built.versions.at(type).library, rule.name),
          reinterpret_cast<decltype(&warpmark_call)>(symbol(built.adapters.at(type), "warpmark_call"))};
      for (const std::uint64_t n : kSizes) {
        const Case which{type, assignment->data_classes(type).front(), n, 0, n + 1};
        const std::string complaint = call(version, *assignment, which, stream);
        ++calls;
        if (complaint.empty()) continue;
        ++wrong;
        fmt::print("{}, {}, n = {}: {}\n", rule.name, type, n, complaint);
      }
    }
  }
  fmt::print("{}: {} calls, {} wrong\n", name, calls, wrong);
  return wrong;
}

int run(const std::vector<std::string>& wanted) {
  const Installation at = installation();
  Engines engines = find_engines(at, kEngineLimit);
  if (!engines.has(Engine::gpu)) throw std::runtime_error(engines.missing.at(Engine::gpu).message);
  engines.toolchains.erase(Engine::simulator);
  cudaStream_t stream = nullptr;
  require(cudaStreamCreate(&stream), "cudaStreamCreate");
  int wrong = 0;
  for (const std::string& name : names_of_assignments()) {
    if (wanted.empty() || std::ranges::find(wanted, name) != wanted.end())
      wrong += call_all(name, at, engines, stream);
  }
  require(cudaStreamDestroy(stream), "cudaStreamDestroy");
  return wrong;
}

}  // namespace
}  // namespace warpmark::judge

int main(int argc, char** argv) {
  try {
    return warpmark::judge::run({argv + 1, argv + argc}) == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return EXIT_FAILURE;
  }
}
