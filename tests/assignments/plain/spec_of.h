// Specs of assignments in the plain form that exist only as text.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "harness/assignments/plain/spec.h"

namespace warpmark::plain {

inline constexpr const char* kSpecFile = "/course/sums/assignment.toml";

// Reads the plain form's part of an assignment.toml of the assignment `sums`; other members are left alone.
inline Result<Spec> read_spec_of(std::string_view text) {
  return parse_toml<Spec>(text, kSpecFile, [](TomlTable top) { return read_spec(top, "sums"); });
}

inline Spec spec_of(std::string_view text) {
  auto spec = read_spec_of(text);
  if (!spec) throw std::runtime_error(spec.error().message);
  return std::move(*spec);
}

}  // namespace warpmark::plain
