// Reads the fields of assignment.toml that [[buffer]], [[scalar]] and [[struct]] have in common, and whole
// [[buffer]] tables. Every function throws Broken at the first violated rule.
#pragma once

#include <optional>
#include <string>

#include "harness/assignments/plain/spec.h"

namespace warpmark::plain {

// Reads an expression of sizes: text, or a whole number.
Expression read_expression(const Spec& spec, TomlTable& table, const std::string& name);
// Reads a bound of values, if it is there: a number, or an expression of sizes.
std::optional<Bound> read_bound(const Spec& spec, TomlTable& table, const std::string& name);
// Reads the member `type`: a type that can be generated, or a struct of the spec.
std::string read_type(const Spec& spec, TomlTable& table);
// Reads one [[struct]] and adds it to the spec, once for each value type.
void read_struct(Spec& spec, TomlTable& table);
// Reads one [[buffer]]. The sizes, types and structs of the spec must have been read.
BufferRule read_buffer(const Spec& spec, TomlTable& table);

}  // namespace warpmark::plain
