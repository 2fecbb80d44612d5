#include "harness/program_analysis/library_kernels.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

namespace warpmark::program_analysis {
namespace {

// Namespaces of library kernels, with the name of the library.
constexpr std::array<std::pair<std::string_view, std::string_view>, 8> kNamespaces{
    {{"warpmark_lib::", "library"},
     {"warpmark_blas::", "cuBLAS"},
     {"warpmark_random::", "cuRAND"},
     {"warpmark_fft::", "cuFFT"},
     {"warpmark_sparse::", "cuSPARSE"},
     {"warpmark_solver::", "cuSOLVER"},
     {"thrust::system::cuda::detail::", "thrust"},
     {"cub::", "CUB"}}};
constexpr std::array<std::string_view, 3> kRunners{"warpmark_lib::run<", "warpmark_lib::run_blocks<",
                                                   "warpmark_blas::blas<"};

constexpr auto kFolders = std::to_array<std::string_view>(
    {"/simulator-headers/", "/include/thrust/", "/include/cuda/std/", "/include/cccl/"});

// Returns the position after the first qualified name in the text, including its template arguments.
std::size_t end_of_name(std::string_view text) {
  std::size_t depth = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '<') ++depth;
    if (text[at] == '>' && depth > 0 && --depth == 0) return at + 1;
    if (depth == 0 && std::string_view(" ,;.()").find(text[at]) != std::string_view::npos) return at;
  }
  return text.size();
}

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

std::string shown_message(std::string message) {
  for (const std::string_view runner : kRunners) {
    for (auto at = message.find(runner); at != std::string::npos; at = message.find(runner, at + 1)) {
      const std::size_t length = end_of_name(std::string_view(message).substr(at));
      message.replace(at, length, shown_kernel(message.substr(at, length)));
    }
  }
  for (const std::string_view folder : kFolders) {
    const auto inside = message.find(folder);
    if (inside == std::string::npos) continue;
    const auto begin = message.find_last_of(" ()", inside);  // removes the source location in parentheses
    const auto end = message.find(')', inside);
    if (begin == std::string::npos || begin == 0 || message[begin] != '(' || end == std::string::npos)
      continue;
    message.erase(begin - 1, end + 2 - begin);
  }
  return message;
}

bool is_library_file(std::string_view file) {
  return std::ranges::any_of(
      kFolders, [&](std::string_view folder) { return file.find(folder) != std::string_view::npos; });
}

}  // namespace warpmark::program_analysis
