#include "harness/simulator/ptx/debug_info.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "harness/simulator/ptx/dwarf.h"

namespace warpmark::simulator::ptx {
namespace {

using namespace dwarf;

constexpr std::string_view kLocalVariables = "__local_depot";
constexpr unsigned kDeepestStruct = 3;

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
  [[nodiscard]] std::size_t index_of(const Entry& entry) const {
    return static_cast<std::size_t>(&entry - entries_.data());
  }

  void add_pointers(const Entry& variable, const std::string& name, std::size_t offset, unsigned depth,
                    PointerParameter place, std::vector<PointerParameter>& into) const {
    const Entry* type = type_of(entries_, variable);
    if (type == nullptr || depth > kDeepestStruct) return;
    const Entry& of = *type;
    place.name = name;
    place.offset = offset;
    if (of.tag == kPointerType || of.tag == kReferenceType) {
      if (const Entry* element = type_of(entries_, of)) {
        place.element = element->number(kByteSize);
        const auto padding = padding_of(entries_, *element);
        place.laid_out = padding.has_value();
        place.padding = padding.value_or(std::vector<bool>{});
      }
      into.push_back(std::move(place));
    } else if (of.tag == kStructureType || of.tag == kClassType) {
      for (std::size_t i = index_of(of) + 1; i < entries_.size() && entries_[i].depth > of.depth; ++i) {
        const Entry& member = entries_[i];
        if (member.depth != of.depth + 1 || (member.tag != kMember && member.tag != kInheritance)) continue;
        const std::string inner = member.tag == kMember ? name + "." + member.text(kName) : name;
        add_pointers(member, inner, offset + member.number(kMemberLocation), depth + 1, place, into);
      }
    }
  }

  void add_array(const Entry& variable, std::vector<LocalArray>& into) const {
    const Value* location = variable.find(kLocation);
    const Entry* type = type_of(entries_, variable);
    if (location == nullptr || !location->text.starts_with(kLocalVariables) || type == nullptr) return;
    const Entry* element = type_of(entries_, *type);
    if (type->tag != kArrayType || element == nullptr || element->tag != kBaseType) return;
    const std::size_t size = element->number(kByteSize);
    std::size_t bytes = size;
    for (std::size_t i = index_of(*type) + 1; i < entries_.size() && entries_[i].tag == kSubrange; ++i)
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

  // Guards against code that the optimiser moved: true if a source location lies in the inlined function's
  // file, between that function's declaration and the next function's.
  [[nodiscard]] bool is_in(const Entry& inlined, const Location& at) const {
    const Entry* origin = referred(entries_, inlined, dwarf::kAbstractOrigin);
    if (origin == nullptr || origin->find(kDeclaredLine) == nullptr) return true;
    const std::pair begin(origin->number(kDeclaredFile), origin->number(kDeclaredLine));
    const auto next = declared_.upper_bound(begin);
    const std::pair<std::uint64_t, std::uint64_t> place(at.file, at.line);
    return at.file == begin.first && place >= begin && (next == declared_.end() || place < *next);
  }

  // Records an inlined call in the locations of the instructions that were inlined. The code range that DWARF
  // gives may also contain code that the optimiser moved there, so each instruction's location is checked.
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
      // Inlined call sites inserted so far while the chain of call sites is extended by one inlined call.
      // Maps the index of an instruction's present caller to the index of the new call site inserted below
      // it, so that each is inserted once.
      std::map<std::uint32_t, std::uint32_t> inner;
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
  // (file, line) of each function declaration in the DWARF data
  std::set<std::pair<std::uint64_t, std::uint64_t>> declared_;
};

}  // namespace

void apply_debug_info(const DebugSection& abbreviations, const DebugSection& entries, Module& module) {
  const std::vector<Entry> all = dwarf::read_entries(abbreviations, entries);
  Source(all, module).apply();
}

}  // namespace warpmark::simulator::ptx
