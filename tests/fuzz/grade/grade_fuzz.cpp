// Grade files that others may have written. Whatever is read can be written and read again.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "harness/model/grade.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto grade = warpmark::grade_from_json(std::string(reinterpret_cast<const char*>(data), size));
  if (grade && !warpmark::grade_from_json(warpmark::to_json(*grade))) std::abort();
  return 0;
}
