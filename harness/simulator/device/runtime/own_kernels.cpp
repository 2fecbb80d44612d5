#include "harness/simulator/device/runtime/own_kernels.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "harness/simulator/decode/names.h"

namespace warpmark::simulator {
namespace {

constexpr std::array<std::string_view, 6> kNamespaces{
    "warpmark_lib::", "warpmark_blas::", "cub::", "thrust::", "cuda::", "std::"};
// Type names that a library kernel's template arguments may contain without referring to the program's code:
// fundamental types, and CUDA types in the global namespace. Sorted for binary search.
constexpr auto kWords = std::to_array<std::string_view>(
    {"__half", "__half2", "bool",   "char",   "const", "double", "double2", "double4",  "false",
     "float",  "float2",  "float3", "float4", "int",   "int2",   "int3",    "int4",     "long",
     "short",  "signed",  "true",   "uint",   "uint2", "uint3",  "uint4",   "unsigned", "void"});
static_assert(std::ranges::is_sorted(kWords));

bool is_of_a_name(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' || letter == ':';
}

// True if a word of a demangled name is a number (possibly with a type suffix) or a name of a known namespace
// or type.
bool is_known(std::string_view word) {
  return std::isdigit(static_cast<unsigned char>(word.front())) != 0 || word.starts_with("::") ||
         std::ranges::binary_search(kWords, word) ||
         std::ranges::any_of(kNamespaces, [&](std::string_view prefix) { return word.starts_with(prefix); });
}

}  // namespace

bool is_library_code_alone(const std::string& kernel) {
  if (!kernel.starts_with("_ZN13warpmark_blas") && !kernel.starts_with("_ZN12warpmark_lib")) return false;
  const std::string name = function_name(kernel);
  std::string_view rest = name;
  // A kernel name with a lambda or another unnamed type contains the program's code.
  if (rest.find_first_of("{'") != std::string_view::npos) return false;
  while (true) {
    rest.remove_prefix(static_cast<std::size_t>(std::ranges::find_if(rest, is_of_a_name) - rest.begin()));
    if (rest.empty()) return true;
    const auto end = std::ranges::find_if_not(rest, is_of_a_name);
    const auto length = static_cast<std::size_t>(end - rest.begin());
    if (!is_known(rest.substr(0, length))) return false;
    rest.remove_prefix(length);
  }
}

}  // namespace warpmark::simulator
