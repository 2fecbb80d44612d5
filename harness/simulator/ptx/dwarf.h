// Parses debugging information entries (DIEs) of DWARF versions 2 to 4 with 4-byte offsets, as far as the
// simulator uses them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/simulator/ptx/debug_info.h"

namespace warpmark::simulator::ptx::dwarf {

enum Tag : std::uint64_t {
  kArrayType = 0x01,
  kFormalParameter = 0x05,
  kMember = 0x0d,
  kEnumerationType = 0x04,
  kPointerType = 0x0f,
  kReferenceType = 0x10,
  kClassType = 0x02,
  kStructureType = 0x13,
  kTypedef = 0x16,
  kInheritance = 0x1c,
  kInlinedSubroutine = 0x1d,
  kUnionType = 0x17,
  kSubrange = 0x21,
  kBaseType = 0x24,
  kConstType = 0x26,
  kSubprogram = 0x2e,
  kVariable = 0x34,
  kVolatileType = 0x35,
  kRestrictType = 0x37,
};
enum Attribute : std::uint64_t {
  kLocation = 0x02,
  kName = 0x03,
  kByteSize = 0x0b,
  kLowPc = 0x11,
  kHighPc = 0x12,
  kAbstractOrigin = 0x31,
  kCount = 0x37,
  kMemberLocation = 0x38,
  kExternal = 0x3f,
  kType = 0x49,
  kDeclaredFile = 0x3a,
  kDeclaredLine = 0x3b,
  kCallFile = 0x58,
  kCallLine = 0x59,
  kLinkageName = 0x6e,
  kMipsLinkageName = 0x2007,
};

struct Value {
  std::uint64_t number = 0;
  std::string text;  // a DWARF attribute's string value, or the label that stands for an address
};

struct Entry {
  std::size_t offset = 0;
  std::uint64_t tag = 0;
  std::size_t depth = 0;
  std::map<std::uint64_t, Value> attributes;

  [[nodiscard]] const Value* find(std::uint64_t attribute) const {
    const auto found = attributes.find(attribute);
    return found == attributes.end() ? nullptr : &found->second;
  }
  [[nodiscard]] std::uint64_t number(std::uint64_t attribute) const {
    const Value* value = find(attribute);
    return value == nullptr ? 0 : value->number;
  }
  [[nodiscard]] std::string text(std::uint64_t attribute) const {
    const Value* value = find(attribute);
    return value == nullptr ? std::string() : value->text;
  }
};

// Returns the DWARF entries of the compilation unit in preorder (parents before children), or none if the
// DWARF sections have an unknown form.
std::vector<Entry> read_entries(const DebugSection& abbreviations, const DebugSection& entries);

// Returns the DWARF entry to which the given attribute of `from` refers, or null.
const Entry* referred(const std::vector<Entry>& entries, const Entry& from, Attribute attribute);
// Returns the type of a variable or member, or a pointer's pointee type, with typedefs and qualifiers
// stripped; null for void.
const Entry* type_of(const std::vector<Entry>& entries, const Entry& entry);
// Returns a flag per byte of an object of the type: true for padding. nullopt if the layout is unknown.
std::optional<std::vector<bool>> padding_of(const std::vector<Entry>& entries, const Entry& type);

}  // namespace warpmark::simulator::ptx::dwarf
