#include "harness/build/not_simulated.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace warpmark::build {
namespace {

constexpr std::string_view kUnavailable = "is unavailable: not simulated";
constexpr auto kNone = std::string_view::npos;

constexpr auto kNames = std::to_array<std::string_view>({
#include "harness/build/toolkit_names.inc"
});
static_assert(std::ranges::is_sorted(kNames));

// Of the CUDA toolkit; thrust's are there on both engines.
constexpr std::array<std::string_view, 17> kToolkitHeaders{"cub/",
                                                           "cuda/",
                                                           "cuda.h",
                                                           "cuda_fp16.h",
                                                           "cuda_bf16.h",
                                                           "cuda_pipeline",
                                                           "cuda_profiler_api.h",
                                                           "cublas",
                                                           "cufft",
                                                           "curand",
                                                           "cusolver",
                                                           "cusparse",
                                                           "cooperative_groups",
                                                           "cutlass/",
                                                           "nvtx3/",
                                                           "mma.h",
                                                           "nvToolsExt.h"};

// Said of a variable of the program, and of a template's argument.
constexpr std::string_view kManaged = "(__managed__)";
constexpr std::string_view kLargeTile = "a tile of more than 32 threads";

// The first text between single quotes, without arguments of a template.
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

}  // namespace

std::optional<std::string> not_simulated(const Diagnostic& diagnostic) {
  const std::string_view message = diagnostic.message;
  const std::string_view quoted = quoted_in(message);
  if (message.find(kUnavailable) != kNone) {
    if (is_name(quoted) || is_header(quoted)) return std::string(quoted);
    if (message.find(kLargeTile) != kNone) return std::string(kLargeTile);
    if (message.find(kManaged) != kNone) return "__managed__";
  }
  if (message.ends_with("file not found") && is_header(quoted)) return std::string(quoted);
  if (is_name(diagnostic.undefined_symbol)) return diagnostic.undefined_symbol;
  return std::nullopt;
}

}  // namespace warpmark::build
