#include "harness/simulate/library_kernels.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace warpmark::simulate {
namespace {

// How kernels of theirs begin, and whose they are.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kNamespaces{
    {{"warpmark_lib::", "library"},
     {"warpmark_blas::", "cuBLAS"},
     {"warpmark_random::", "cuRAND"},
     {"thrust::system::cuda::detail::", "thrust"},
     {"cub::", "CUB"}}};
constexpr std::array<std::string_view, 2> kRunners{"warpmark_lib::run<", "warpmark_blas::blas<"};

}  // namespace

bool is_library_kernel(std::string_view kernel) {
  return kernel.starts_with("warpmark_lib::") || kernel.starts_with("warpmark_blas::");
}

std::string shown_kernel(std::string_view kernel) {
  if (!is_library_kernel(kernel)) return std::string(kernel);
  for (const std::string_view runner : kRunners) {
    if (kernel.starts_with(runner)) kernel.remove_prefix(runner.size());
  }
  kernel = kernel.substr(0, kernel.find_first_of("<,>"));
  for (const auto& [prefix, library] : kNamespaces) {
    if (kernel.starts_with(prefix)) return fmt::format("{} ({})", kernel.substr(prefix.size()), library);
  }
  return std::string(kernel);
}

bool is_library_file(std::string_view file) {
  constexpr std::array<std::string_view, 2> kFolders{"harness/simulator/include/", "/usr/include/thrust/"};
  return std::ranges::any_of(
      kFolders, [&](std::string_view folder) { return file.find(folder) != std::string_view::npos; });
}

}  // namespace warpmark::simulate
