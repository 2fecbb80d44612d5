#include "harness/build/not_simulated.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "harness/build/source_text.h"

namespace warpmark::build {
namespace {

constexpr std::string_view kUnavailable = "is unavailable: not simulated";

constexpr auto kNames = std::to_array<std::string_view>({
#include "harness/build/toolkit_names.inc"
});
static_assert(std::ranges::is_sorted(kNames));
constexpr auto kLibraryFunctions = std::to_array<std::string_view>({
#include "harness/build/library_names.inc"
});
static_assert(std::ranges::is_sorted(kLibraryFunctions));
constexpr auto kSolverNames = std::to_array<std::string_view>({
#include "harness/build/solver_names.inc"
});
static_assert(std::ranges::is_sorted(kSolverNames));
constexpr auto kTypes = std::to_array<std::string_view>({
#include "harness/build/type_names.inc"
});
static_assert(std::ranges::is_sorted(kTypes));

// Names or name prefixes of the CUDA toolkit's headers, without Thrust's, which nvcc and the simulator both
// have.
constexpr auto kToolkitHeaders = std::to_array<std::string_view>({"cub/",
                                                                  "cuda/",
                                                                  "cuda.h",
                                                                  "cudaGL",
                                                                  "cuda_fp16.h",
                                                                  "cuda_fp8.h",
                                                                  "cuda_bf16.h",
                                                                  "cuda_egl_interop.h",
                                                                  "cuda_gl_interop.h",
                                                                  "cuda_pipeline",
                                                                  "cuda_profiler_api.h",
                                                                  "cublas",
                                                                  "cudnn",
                                                                  "cufft",
                                                                  "cupti",
                                                                  "curand",
                                                                  "cusolver",
                                                                  "cusparse",
                                                                  "cutensor",
                                                                  "cooperative_groups",
                                                                  "cutlass/",
                                                                  "nccl.h",
                                                                  "npp",
                                                                  "nvgraph",
                                                                  "nvjpeg",
                                                                  "nvml.h",
                                                                  "nvrtc.h",
                                                                  "nvtx3/",
                                                                  "mma.h",
                                                                  "nvToolsExt.h"});

// Texts in clang's error messages by which a use of an unsupported CUDA feature is recognised: the
// simulator's headers attach them to declarations that they mark as unavailable. kNamed precedes the name of
// a feature that has no C++ name.
constexpr std::string_view kLargeBarrier = "a barrier of more than a block";
constexpr std::string_view kNamed = "not simulated by Warpmark (";

// Returns the C++ name that a clang error message quotes first in single quotes, without its template
// arguments.
std::string_view quoted_in(std::string_view message) {
  const std::size_t open = message.find('\'');
  const std::size_t close = open == kNone ? kNone : message.find('\'', open + 1);
  const std::string_view quoted = close == kNone ? "" : message.substr(open + 1, close - open - 1);
  return quoted.substr(0, quoted.find('<'));
}

bool is_header(std::string_view name) {
  return std::ranges::any_of(kToolkitHeaders,
                             [&](std::string_view header) { return name.starts_with(header); });
}

bool is_name(std::string_view name) {
  return std::ranges::binary_search(kNames, name);
}

// Returns "cub::DeviceSpmv" for "no member named 'DeviceSpmv' in namespace 'cub'".
std::optional<std::string> missing_member(std::string_view message) {
  constexpr std::string_view kBegin = "no member named '";
  constexpr std::string_view kEnd = "' in namespace 'cub'";
  if (!message.starts_with(kBegin)) return std::nullopt;
  const std::size_t end = message.find(kEnd);
  if (end == kNone) return std::nullopt;
  return "cub::" + std::string(message.substr(kBegin.size(), end - kBegin.size()));
}

// Returns true for a function or type of an NVIDIA library, with or without the suffix _v2. Every name that
// starts with nvml belongs to NVML.
bool is_of_library(std::string_view name) {
  if (name.starts_with("nvml")) return true;
  if (name.ends_with("_v2")) name.remove_suffix(3);
  return std::ranges::binary_search(kLibraryFunctions, name) ||
         std::ranges::binary_search(kSolverNames, name) || std::ranges::binary_search(kTypes, name);
}

void add_once(std::vector<std::string>& names, std::string name) {
  if (std::ranges::find(names, name) == names.end()) names.push_back(std::move(name));
}

// Returns the name in `#include <name>` or `#include "name"`; empty for any other line.
std::string_view included_by(std::string_view line) {
  const auto skip_blanks = [&] { line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size())); };
  constexpr std::string_view kInclude = "include";
  skip_blanks();
  if (!line.starts_with('#')) return {};
  line.remove_prefix(1);
  skip_blanks();
  if (!line.starts_with(kInclude)) return {};
  line.remove_prefix(kInclude.size());
  skip_blanks();
  if (line.empty() || (line.front() != '<' && line.front() != '"')) return {};
  const std::size_t end = line.find(line.front() == '<' ? '>' : '"', 1);
  return end == kNone ? std::string_view() : line.substr(1, end - 1);
}

template <typename Function>
void for_each_line(std::string_view text, const Function& function) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    function(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace

std::optional<std::string> not_simulated(const Diagnostic& diagnostic) {
  const std::string_view message = diagnostic.message;
  const std::string_view quoted = quoted_in(message);
  if (message.find(kUnavailable) != kNone) {
    if (is_name(quoted) || is_header(quoted)) return std::string(quoted);
    if (message.find(kLargeBarrier) != kNone) return std::string(kLargeBarrier);
    if (const std::size_t named = message.find(kNamed); named != kNone) {
      const std::string_view name = message.substr(named + kNamed.size());
      return std::string(name.substr(0, name.find(')')));
    }
  }
  if (message.ends_with("file not found") && is_header(quoted)) return std::string(quoted);
  if (message.starts_with("use of undeclared identifier") && (is_of_library(quoted) || is_name(quoted)))
    return std::string(quoted);
  if (message.starts_with("unknown type name") && (is_of_library(quoted) || is_name(quoted)))
    return std::string(quoted);
  if (auto member = missing_member(message)) return member;
  if (is_name(diagnostic.undefined_symbol)) return diagnostic.undefined_symbol;
  return std::nullopt;
}

std::vector<std::string> all_not_simulated(std::string_view output) {
  std::vector<std::string> names;
  for_each_line(output, [&](std::string_view line) {
    const std::optional<Diagnostic> error = first_error(line);
    std::optional<std::string> name = error ? not_simulated(*error) : std::nullopt;
    if (name) add_once(names, std::move(*name));
  });
  return names;
}

std::vector<std::string> toolkit_headers_in(std::string_view source) {
  std::vector<std::string> names;
  for_each_line(source, [&](std::string_view line) {
    const std::string_view name = included_by(line);
    if (is_header(name)) add_once(names, std::string(name));
  });
  return names;
}

bool needs_cuda_compiler(std::string_view source) {
  return std::ranges::any_of(toolkit_headers_in(source), [](const std::string& header) {
    return header == "nvml.h" || std::ranges::any_of(kSimulatedLibraries, [&](std::string_view name) {
             return header.starts_with(name);
           });
  });
}

}  // namespace warpmark::build
