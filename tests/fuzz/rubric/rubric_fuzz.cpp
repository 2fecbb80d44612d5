// Rubrics: a TOML text becomes a rubric or an error, never a crash.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "harness/judge/rules/rubric.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto rubric =
      warpmark::judge::parse_rubric({reinterpret_cast<const char*>(data), size}, "rubric.toml", "sums");
  if (rubric ? rubric->versions.empty() : rubric.error().message.empty()) std::abort();
  return 0;
}
