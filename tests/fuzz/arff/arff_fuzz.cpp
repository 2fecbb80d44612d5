// Data sets: a text becomes a table that is whole, or an error that names the file; never a crash.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "harness/arff/arff.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto table = warpmark::arff::parse({reinterpret_cast<const char*>(data), size}, "data.arff");
  if (!table) {
    if (!table.error().message.starts_with("data.arff:")) std::abort();
    return 0;
  }
  if (table->labels.empty() || table->columns == 0) std::abort();
  if (table->values.size() != table->labels.size() * table->columns) std::abort();
  for (const float value : table->values) {
    if (!std::isfinite(value)) std::abort();
  }
  for (const std::int32_t label : table->labels) {
    if (label < 0 || static_cast<std::size_t>(label) >= table->label.values.size()) std::abort();
  }
  if (!warpmark::arff::difference(*table, *table).empty()) std::abort();
  return 0;
}
