#include "harness/simulator/ptx/dwarf.h"

#include <algorithm>
#include <utility>

namespace warpmark::simulator::ptx::dwarf {
namespace {

constexpr std::uint8_t kAddress = 0x03;  // DWARF location operation DW_OP_addr: address of a variable
// DWARF location operation DW_OP_plus_uconst: byte offset in a variable or of a member
constexpr std::uint8_t kPlusConstant = 0x23;

struct Abbreviation {
  std::uint64_t tag = 0;
  bool children = false;
  // attributes of a DWARF abbreviation: pairs (DW_AT code, DW_FORM code)
  std::vector<std::pair<std::uint64_t, std::uint64_t>> attributes;
};

struct UnknownForm {};

class ByteReader {
 public:
  explicit ByteReader(const DebugSection& section) : section_(section) {}

  [[nodiscard]] bool at_end() const { return at_ >= section_.bytes.size(); }
  [[nodiscard]] std::size_t offset() const { return at_; }
  std::uint64_t fixed(unsigned bytes) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < bytes; ++i) value |= std::uint64_t{byte()} << (8 * i);
    return value;
  }
  std::uint64_t leb() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint8_t next = byte();
      value |= std::uint64_t{next & 0x7FU} << shift;
      if ((next & 0x80) == 0) return value;
    }
    return value;
  }
  Value value(std::uint64_t form) {
    Value result;
    switch (form) {
      case 0x01:  // DW_FORM_addr
        if (const auto label = section_.labels.find(at_); label != section_.labels.end())
          result.text = label->second;
        result.number = fixed(8);
        return result;
      case 0x08:  // DW_FORM_string
        while (const std::uint8_t next = byte()) result.text += static_cast<char>(next);
        return result;
      case 0x0b:  // DW_FORM_data1
      case 0x0c:  // DW_FORM_flag
      case 0x11:  // DW_FORM_ref1
        result.number = fixed(1);
        return result;
      case 0x05:  // DW_FORM_data2
      case 0x12:  // DW_FORM_ref2
        result.number = fixed(2);
        return result;
      case 0x06:  // DW_FORM_data4
      case 0x0e:  // DW_FORM_strp
      case 0x10:  // DW_FORM_ref_addr
      case 0x13:  // DW_FORM_ref4
      case 0x17:  // DW_FORM_sec_offset
        result.number = fixed(4);
        return result;
      case 0x07:  // DW_FORM_data8
      case 0x14:  // DW_FORM_ref8
        result.number = fixed(8);
        return result;
      case 0x0d:  // DW_FORM_sdata
      case 0x0f:  // DW_FORM_udata
        result.number = leb();
        return result;
      case 0x19:  // DW_FORM_flag_present
        result.number = 1;
        return result;
      case 0x0a:  // DW_FORM_block1
        return block(fixed(1));
      case 0x03:  // DW_FORM_block2
        return block(fixed(2));
      case 0x18:  // DW_FORM_exprloc
        return block(leb());
      default:
        throw UnknownForm{};
    }
  }

 private:
  std::uint8_t byte() {
    if (at_end()) throw UnknownForm{};
    return section_.bytes[at_++];
  }
  Value block(std::uint64_t bytes) {
    const std::size_t end = at_ + bytes;
    Value result;
    std::uint8_t operation = bytes > 1 ? byte() : 0;
    if (operation == kAddress) {
      if (const auto label = section_.labels.find(at_); label != section_.labels.end())
        result.text = label->second;
      fixed(8);
      operation = at_ < end ? byte() : 0;
    }
    if (operation == kPlusConstant) result.number = leb();
    while (at_ < end) byte();
    return result;
  }

  const DebugSection& section_;
  std::size_t at_ = 0;
};

std::map<std::uint64_t, Abbreviation> read_abbreviations(const DebugSection& section) {
  std::map<std::uint64_t, Abbreviation> result;
  ByteReader reader(section);
  while (!reader.at_end()) {
    const std::uint64_t code = reader.leb();
    if (code == 0) return result;
    Abbreviation& abbreviation = result[code];
    abbreviation.tag = reader.leb();
    abbreviation.children = reader.fixed(1) != 0;
    while (true) {
      const std::uint64_t attribute = reader.leb();
      const std::uint64_t form = reader.leb();
      if (attribute == 0 && form == 0) break;
      abbreviation.attributes.emplace_back(attribute, form);
    }
  }
  return result;
}

std::vector<Entry> entries_of(const DebugSection& section,
                              const std::map<std::uint64_t, Abbreviation>& abbreviations) {
  std::vector<Entry> entries;
  ByteReader reader(section);
  const std::uint64_t end = reader.fixed(4) + 4;
  const std::uint64_t version = reader.fixed(2);
  if (version < 2 || version > 4) return entries;
  // skips two fields of DWARF's unit header: abbreviations' offset (4 bytes), address size (1 byte)
  reader.fixed(4 + 1);
  std::size_t depth = 0;
  while (reader.offset() < end) {
    Entry entry{.offset = reader.offset(), .tag = 0, .depth = depth, .attributes = {}};
    const std::uint64_t code = reader.leb();
    if (code == 0) {
      if (depth == 0) break;
      --depth;
      continue;
    }
    const auto known = abbreviations.find(code);
    if (known == abbreviations.end()) break;
    entry.tag = known->second.tag;
    for (const auto& [attribute, form] : known->second.attributes)
      entry.attributes[attribute] = reader.value(form);
    if (known->second.children) ++depth;
    entries.push_back(std::move(entry));
  }
  return entries;
}

// Marks in `covered`, per byte of an object of the DWARF type, which bytes hold values; the rest is padding.
// Returns false if the layout is unknown.
bool cover(const std::vector<Entry>& entries, const Entry& type, std::size_t offset,
           std::vector<bool>& covered) {
  const auto index = static_cast<std::size_t>(&type - entries.data());
  const auto each_child = [&](auto fn) {
    for (std::size_t i = index + 1; i < entries.size() && entries[i].depth > type.depth; ++i) {
      if (entries[i].depth == type.depth + 1 && !fn(entries[i])) return false;
    }
    return true;
  };
  if (type.tag == kStructureType || type.tag == kClassType || type.tag == kUnionType) {
    return each_child([&](const Entry& member) {
      if (member.tag != kMember && member.tag != kInheritance) return true;
      if (member.find(kMemberLocation) == nullptr && member.find(kExternal) != nullptr)
        return true;  // a static data member occupies no bytes of the object
      const Entry* of = type_of(entries, member);
      return of != nullptr && cover(entries, *of, offset + member.number(kMemberLocation), covered);
    });
  }
  if (type.tag == kArrayType) {
    const Entry* element = type_of(entries, type);
    std::size_t count = 1;
    each_child([&](const Entry& range) {
      if (range.tag == kSubrange) count *= range.number(kCount);
      return true;
    });
    const std::size_t bytes = element == nullptr ? 0 : element->number(kByteSize);
    if (bytes == 0 || offset + count * bytes > covered.size()) return false;
    for (std::size_t i = 0; i < count; ++i) {
      if (!cover(entries, *element, offset + i * bytes, covered)) return false;
    }
    return true;
  }
  const bool scalar = type.tag == kBaseType || type.tag == kEnumerationType || type.tag == kPointerType;
  const std::size_t bytes =
      type.tag == kPointerType || type.tag == kReferenceType ? sizeof(std::uint64_t) : type.number(kByteSize);
  if ((!scalar && type.tag != kReferenceType) || bytes == 0 || offset + bytes > covered.size()) return false;
  std::fill_n(covered.begin() + static_cast<std::ptrdiff_t>(offset), bytes, true);
  return true;
}

}  // namespace

std::vector<Entry> read_entries(const DebugSection& abbreviations, const DebugSection& entries) {
  if (abbreviations.bytes.empty() || entries.bytes.empty()) return {};
  try {
    return entries_of(entries, read_abbreviations(abbreviations));
  } catch (const UnknownForm&) {
    return {};
  }
}

const Entry* referred(const std::vector<Entry>& entries, const Entry& from, Attribute attribute) {
  const Value* value = from.find(attribute);
  if (value == nullptr) return nullptr;
  const auto found = std::lower_bound(entries.begin(), entries.end(), value->number,
                                      [](const Entry& entry, std::uint64_t at) { return entry.offset < at; });
  return found == entries.end() || found->offset != value->number ? nullptr : &*found;
}

const Entry* type_of(const std::vector<Entry>& entries, const Entry& entry) {
  const Entry* type = referred(entries, entry, kType);
  for (unsigned steps = 0; type != nullptr && steps < 32; ++steps) {
    if (type->tag != kTypedef && type->tag != kConstType && type->tag != kVolatileType &&
        type->tag != kRestrictType)
      break;
    type = referred(entries, *type, kType);
  }
  return type;
}

std::optional<std::vector<bool>> padding_of(const std::vector<Entry>& entries, const Entry& type) {
  // types larger than this many bytes are not searched for padding
  constexpr std::size_t kLargest = std::size_t{1} << 16;
  const std::size_t bytes = type.number(kByteSize);
  if (bytes == 0 || bytes > kLargest) return std::nullopt;
  std::vector<bool> covered(bytes);
  if (!cover(entries, type, 0, covered) || std::ranges::count(covered, true) == 0) return std::nullopt;
  covered.flip();
  return covered;
}

}  // namespace warpmark::simulator::ptx::dwarf
