// Reads the fields of assignment.toml that [[buffer]], [[scalar]] and [[struct]] have in common, and whole
// [[buffer]] tables. Every function throws Broken at the first violated rule.
#pragma once

#include <optional>
#include <string>

#include "harness/assignments/plain/spec.h"

namespace warpmark::plain {

// Reads an expression of sizes: text, or a whole number.
Expression read_expression(const Spec& spec, TomlTable& table, const std::string& name);
// Reads an optional lower or upper bound of generated values: a number, or an expression of sizes.
std::optional<Bound> read_bound(const Spec& spec, TomlTable& table, const std::string& name);
// Reads the key `type` of a [[buffer]] or [[scalar]]: an arithmetic or vector type, or a [[struct]] defined
// before.
std::string read_type(const Spec& spec, TomlTable& table);
// Reads one [[struct]] table and adds it to the spec once for each value type, because value_t members change
// its layout.
void read_struct(Spec& spec, TomlTable& table);
// Reads one [[buffer]] table of an assignment.toml into a rule. The sizes, types and structs must have been
// read before.
BufferRule read_buffer(const Spec& spec, TomlTable& table);

// Reads those keys of a rubric's tables that belong to the plain form into `spec`, where they replace its
// values: host.call, host.function, limits.bytes_to_host and clean.data. The tables' other keys are left for
// the rubric's reader.
void read_rubric_keys(TomlTable& top, Spec& spec);

}  // namespace warpmark::plain
