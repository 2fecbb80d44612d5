#include "harness/simulator/ptx/debug_info.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace warpmark::simulator::ptx {
namespace {

// DWARF 2 to 4 with 4-byte offsets, as far as it is used here.
enum Tag : std::uint64_t {
  kArrayType = 0x01,
  kFormalParameter = 0x05,
  kMember = 0x0d,
  kPointerType = 0x0f,
  kReferenceType = 0x10,
  kClassType = 0x02,
  kStructureType = 0x13,
  kTypedef = 0x16,
  kInheritance = 0x1c,
  kInlinedSubroutine = 0x1d,
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
  kType = 0x49,
  kDeclaredFile = 0x3a,
  kDeclaredLine = 0x3b,
  kCallFile = 0x58,
  kCallLine = 0x59,
  kLinkageName = 0x6e,
  kMipsLinkageName = 0x2007,
};

constexpr std::uint8_t kAddress = 0x03;       // DW_OP_addr: what a variable lies in
constexpr std::uint8_t kPlusConstant = 0x23;  // DW_OP_plus_uconst: where in it, or where a member lies
constexpr std::string_view kLocalVariables = "__local_depot";
constexpr unsigned kDeepestStruct = 3;

struct Value {
  std::uint64_t number = 0;
  std::string text;  // or a label
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

struct Abbreviation {
  std::uint64_t tag = 0;
  bool children = false;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> attributes;  // and their forms
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
      case 0x01:  // addr
        if (const auto label = section_.labels.find(at_); label != section_.labels.end())
          result.text = label->second;
        result.number = fixed(8);
        return result;
      case 0x08:  // string
        while (const std::uint8_t next = byte()) result.text += static_cast<char>(next);
        return result;
      case 0x0b:  // data1
      case 0x0c:  // flag
      case 0x11:  // ref1
        result.number = fixed(1);
        return result;
      case 0x05:  // data2
      case 0x12:  // ref2
        result.number = fixed(2);
        return result;
      case 0x06:  // data4
      case 0x0e:  // strp
      case 0x10:  // ref_addr
      case 0x13:  // ref4
      case 0x17:  // sec_offset
        result.number = fixed(4);
        return result;
      case 0x07:  // data8
      case 0x14:  // ref8
        result.number = fixed(8);
        return result;
      case 0x0d:  // sdata
      case 0x0f:  // udata
        result.number = leb();
        return result;
      case 0x19:  // flag_present
        result.number = 1;
        return result;
      case 0x0a:  // block1
        return block(fixed(1));
      case 0x03:  // block2
        return block(fixed(2));
      case 0x18:  // exprloc
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

// The entries of the compilation unit, outer before inner.
std::vector<Entry> read_entries(const DebugSection& section,
                                const std::map<std::uint64_t, Abbreviation>& abbreviations) {
  std::vector<Entry> entries;
  ByteReader reader(section);
  const std::uint64_t end = reader.fixed(4) + 4;
  const std::uint64_t version = reader.fixed(2);
  if (version < 2 || version > 4) return entries;
  reader.fixed(4 + 1);  // of the abbreviations; bytes of an address
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

class Source {
 public:
  Source(const std::vector<Entry>& entries, Module& module) : entries_(entries), module_(module) {}

  void apply() {
    for (const Entry& entry : entries_) {
      if (entry.tag == kSubprogram && entry.find(kDeclaredLine) != nullptr)
        declared_.emplace(entry.number(kDeclaredFile), entry.number(kDeclaredLine));
    }
    for (std::size_t i = 0; i < entries_.size(); ++i) {
      if (entries_[i].tag == kSubprogram) name_variables(i);
      if (entries_[i].tag == kInlinedSubroutine) note_inlined(i);
    }
  }

 private:
  [[nodiscard]] std::optional<std::size_t> referred(const Entry& from, Attribute attribute) const {
    const Value* value = from.find(attribute);
    if (value == nullptr) return std::nullopt;
    const auto found =
        std::lower_bound(entries_.begin(), entries_.end(), value->number,
                         [](const Entry& entry, std::uint64_t at) { return entry.offset < at; });
    if (found == entries_.end() || found->offset != value->number) return std::nullopt;
    return static_cast<std::size_t>(found - entries_.begin());
  }

  // The type behind typedefs and qualifiers; empty for void.
  [[nodiscard]] std::optional<std::size_t> type_of(const Entry& entry) const {
    auto type = referred(entry, kType);
    for (unsigned steps = 0; type && steps < 32; ++steps) {
      const std::uint64_t tag = entries_[*type].tag;
      if (tag != kTypedef && tag != kConstType && tag != kVolatileType && tag != kRestrictType) break;
      type = referred(entries_[*type], kType);
    }
    return type;
  }

  void add_pointers(const Entry& variable, const std::string& name, std::size_t offset, unsigned depth,
                    PointerParameter place, std::vector<PointerParameter>& into) const {
    const auto type = type_of(variable);
    if (!type || depth > kDeepestStruct) return;
    const Entry& of = entries_[*type];
    place.name = name;
    place.offset = offset;
    if (of.tag == kPointerType || of.tag == kReferenceType) {
      const auto element = type_of(of);
      place.element = element ? entries_[*element].number(kByteSize) : 0;
      into.push_back(std::move(place));
    } else if (of.tag == kStructureType || of.tag == kClassType) {
      for (std::size_t i = *type + 1; i < entries_.size() && entries_[i].depth > of.depth; ++i) {
        const Entry& member = entries_[i];
        if (member.depth != of.depth + 1 || (member.tag != kMember && member.tag != kInheritance)) continue;
        const std::string inner = member.tag == kMember ? name + "." + member.text(kName) : name;
        add_pointers(member, inner, offset + member.number(kMemberLocation), depth + 1, place, into);
      }
    }
  }

  void add_array(const Entry& variable, std::vector<LocalArray>& into) const {
    const Value* location = variable.find(kLocation);
    const auto type = type_of(variable);
    if (location == nullptr || !location->text.starts_with(kLocalVariables) || !type) return;
    const auto element = type_of(entries_[*type]);
    if (entries_[*type].tag != kArrayType || !element || entries_[*element].tag != kBaseType) return;
    const std::size_t size = entries_[*element].number(kByteSize);
    std::size_t bytes = size;
    for (std::size_t i = *type + 1; i < entries_.size() && entries_[i].tag == kSubrange; ++i)
      bytes *= entries_[i].number(kCount);
    into.push_back({variable.text(kName), location->number, bytes, size});
  }

  void name_variables(std::size_t at) {
    const Entry& subprogram = entries_[at];
    if (subprogram.find(kLowPc) == nullptr) return;
    std::string name = subprogram.text(kMipsLinkageName);
    if (name.empty()) name = subprogram.text(kLinkageName);
    if (name.empty()) name = subprogram.text(kName);
    const auto function = std::find_if(module_.functions.begin(), module_.functions.end(),
                                       [&](const Function& each) { return each.name == name; });
    if (function == module_.functions.end()) return;
    std::size_t parameter = 0;
    for (std::size_t i = at + 1; i < entries_.size() && entries_[i].depth > subprogram.depth; ++i) {
      const Entry& entry = entries_[i];
      if (entry.tag == kVariable) add_array(entry, function->arrays);
      if (entry.tag != kFormalParameter || entry.depth != subprogram.depth + 1 || !function->entry) continue;
      PointerParameter place;
      place.parameter = parameter++;
      add_pointers(entry, entry.text(kName), 0, 0, place, function->pointers);
    }
  }

  // Whether a place in the source can be one of the inlined function.
  [[nodiscard]] bool is_in(const Entry& inlined, const Location& at) const {
    const auto origin = referred(inlined, kAbstractOrigin);
    if (!origin || entries_[*origin].find(kDeclaredLine) == nullptr) return true;
    const std::pair begin(entries_[*origin].number(kDeclaredFile), entries_[*origin].number(kDeclaredLine));
    const auto next = declared_.upper_bound(begin);
    const std::pair<std::uint64_t, std::uint64_t> place(at.file, at.line);
    return at.file == begin.first && place >= begin && (next == declared_.end() || place < *next);
  }

  // The range of code that the entry names holds what the optimiser has moved in between, too.
  void note_inlined(std::size_t at) {
    const Entry& entry = entries_[at];
    std::vector<const Entry*> inside{&entry};
    for (std::size_t i = at + 1; i < entries_.size() && entries_[i].depth > entry.depth; ++i) {
      if (entries_[i].tag == kInlinedSubroutine) inside.push_back(&entries_[i]);
    }
    const std::string begin = entry.text(kLowPc);
    const std::string end = entry.text(kHighPc);
    if (begin.empty() || end.empty()) return;
    for (Function& function : module_.functions) {
      const auto first = function.labels.find(begin);
      const auto last = function.labels.find(end);
      if (first == function.labels.end() || last == function.labels.end()) continue;
      std::map<std::uint32_t, std::uint32_t> inner;  // by the caller that is known
      for (std::size_t i = first->second; i < std::min(last->second, function.body.size()); ++i) {
        Location& location = function.body[i].location;
        if (std::none_of(inside.begin(), inside.end(),
                         [&](const Entry* each) { return is_in(*each, location); }))
          continue;
        const auto [known, is_new] =
            inner.try_emplace(location.caller, static_cast<std::uint32_t>(module_.callers.size()));
        if (is_new) {
          module_.callers.push_back({.file = static_cast<std::uint32_t>(entry.number(kCallFile)),
                                     .line = static_cast<std::uint32_t>(entry.number(kCallLine)),
                                     .column = 0,
                                     .caller = location.caller});
        }
        location.caller = known->second;
      }
    }
  }

  const std::vector<Entry>& entries_;
  Module& module_;
  std::set<std::pair<std::uint64_t, std::uint64_t>> declared_;  // functions, by file and line
};

}  // namespace

void apply_debug_info(const DebugSection& abbreviations, const DebugSection& entries, Module& module) {
  if (abbreviations.bytes.empty() || entries.bytes.empty()) return;
  try {
    const std::vector<Entry> all = read_entries(entries, read_abbreviations(abbreviations));
    Source(all, module).apply();
  } catch (const UnknownForm&) {
    return;  // nothing was applied
  }
}

}  // namespace warpmark::simulator::ptx
