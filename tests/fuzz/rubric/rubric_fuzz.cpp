// Rubrics and whole files of assignments: a TOML text becomes a rubric or an error that names its place,
// never a crash.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "harness/judge/rules/rubric.h"

namespace {

// True if a message begins with the file and a line.
bool has_place(std::string_view message) {
  static constexpr std::string_view kFile = "rubric.toml:";
  return message.starts_with(kFile) && message.size() > kFile.size() && message[kFile.size()] >= '1' &&
         message[kFile.size()] <= '9';
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto rubric =
      warpmark::judge::parse_rubric({reinterpret_cast<const char*>(data), size}, "rubric.toml", "sums");
  if (rubric ? !rubric->versions.empty() : has_place(rubric.error().message)) return 0;
  std::fputs(rubric ? "no version" : rubric.error().message.c_str(), stderr);
  std::abort();
}
