// Repairs that exchange names: what a student mixed up or forgot to write out.
#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "harness/source_edits/edits.h"
#include "harness/source_edits/repairs.h"

namespace warpmark::source_edits {
namespace {

// Most other names that are tried in one place.
constexpr std::size_t kMostOthers = 3;

// A declaration: the type's last name, "size_t", the name, and the tokens between which it is known.
struct Declared {
  std::string type;
  std::string name;
  std::size_t from = 0;
  std::size_t to = Source::kNone;
};

// Returns true if the name at `token` is a type at the begin of a declaration, `float` of `const float* a`.
bool begins_declaration(const Source& source, std::size_t token) {
  if (!source.is_name(token)) return false;
  std::size_t first = token;
  while (first > 1 && (source.is_name(first - 1) || source.at(first - 1) == "::")) --first;
  const std::string_view before = source.at(first - 1);
  return source.at(first) != "return" && (before == ";" || before == "{" || before == "}" || before == "(");
}

// Returns the variables that a function declares, parameters first, with their types.
std::vector<Declared> variables_of(const Source& source, const Function& function) {
  std::vector<Declared> all;
  for (const Parameter& parameter : function.parameters)
    all.push_back({parameter.type, parameter.name, 0, Source::kNone});
  for (std::size_t k = function.open + 2; k < function.close; ++k) {
    const std::string_view next = source.at(k + 1);
    const bool is_array = next == "[";
    if (!source.is_name(k) || is_member(source, k)) continue;
    if (next != "=" && next != ";" && next != "{" && next != ":" && !is_array) continue;
    std::size_t type = k - 1;
    const bool is_pointer = source.at(type) == "*" && begins_declaration(source, type - 1);
    if (is_pointer) --type;
    if (!source.is_name(type) || source.at(type) == "return" || source.at(type) == "else") continue;
    // const auto x = a, y = b: the names behind the first are left out.
    all.push_back({fmt::format("{}{}", source.at(type), is_pointer ? "*" : (is_array ? "[]" : "")),
                   std::string(source.at(k)), k, end_of_scope(source, function, k)});
  }
  return all;
}

// Returns the constants of the file with their types: kThreads, kTile.
std::vector<Declared> constants_with_types(const Source& source) {
  std::vector<Declared> all;
  for (const Constant& constant : file_constants(source))
    all.push_back({std::string(source.at(constant.name - 1)), std::string(source.at(constant.name)),
                   constant.name, Source::kNone});
  return all;
}

// Returns types in the form in which they are compared: "const std::size_t" and "unsigned long" are whole.
std::string kind_of(std::string_view type) {
  const bool pointer = type.find_first_of("*&") != std::string_view::npos;
  static constexpr std::array<std::string_view, 9> kWhole{"int",  "unsigned", "size_t",   "long",   "int32_t",
                                                          "auto", "uint32_t", "uint64_t", "int64_t"};
  const std::size_t last = type.find_last_of(" :");
  const std::string_view word = last == std::string_view::npos ? type : type.substr(last + 1);
  if (!pointer && std::ranges::find(kWhole, word) != kWhole.end()) return "whole";
  std::string kind;
  for (std::size_t at = 0; at < type.size(); ++at) {
    if (type.substr(at).starts_with("const ")) at += 6;
    if (at < type.size() && type[at] != ' ') kind += type[at];
  }
  return kind;
}

// Returns the texts of members, "p.rows", that stand in the file for each text before their dot, "p".
std::map<std::string, std::vector<std::string>> members_in(const Source& source) {
  std::map<std::string, std::vector<std::string>> members;
  for (std::size_t k = 2; k < source.count(); ++k) {
    if (!source.is_name(k) || !is_member(source, k) || source.at(k + 1) == "(" || source.at(k - 2) == "std")
      continue;
    auto& known = members[source.text(begin_of_member(source, k), k - 2)];
    std::string name(source.at(k));
    if (std::ranges::find(known, name) == known.end()) known.push_back(std::move(name));
  }
  return members;
}

// Returns true if two names differ in one letter: nx and ny.
bool is_like(std::string_view one, std::string_view other) {
  if (one.size() != other.size()) return false;
  std::size_t differences = 0;
  for (std::size_t i = 0; i < one.size(); ++i) differences += one[i] == other[i] ? 0 : 1;
  return differences == 1 && one.size() > 1;
}

}  // namespace

// Replaces a variable by another one of its type, a member by another one of its object, and a built-in
// variable by another one.
void exchange_names(const Source& source, const Function& function, std::vector<Edit>& edits) {
  const auto variables = variables_of(source, function);
  const auto constants = constants_with_types(source);
  const auto members = members_in(source);
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kBuiltIn{
      {{"gridDim", "blockDim"},
       {"blockDim", "gridDim"},
       {"threadIdx", "blockIdx"},
       {"blockIdx", "threadIdx"}}};
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    const std::string_view name = source.at(k);
    if (!source.is_name(k) || source.at(k + 1) == "(") continue;
    for (const auto& [from, to] : kBuiltIn) {
      if (name == from) edits.push_back(replace(source, k, k, std::string(to)));
    }
    if (is_member(source, k)) {
      const std::string object = source.text(begin_of_member(source, k), k - 2);
      const auto known = members.find(object);
      if (is_built_in(object) || known == members.end()) continue;
      std::size_t tried = 0;
      for (const std::string& other : known->second) {
        if (other != name && tried++ < kMostOthers) edits.push_back(replace(source, k, k, other));
      }
      continue;
    }
    const bool declared_here = (source.is_name(k - 1) && source.at(k - 1) != "return") ||
                               (source.at(k - 1) == "*" && begins_declaration(source, k - 2));
    if (declared_here || source.at(k + 1) == "<") continue;
    for (const auto* known : std::array{&variables, &constants}) {
      const auto own = std::ranges::find(*known, name, &Declared::name);
      if (own == known->end()) continue;
      std::vector<const Declared*> others;
      for (const Declared& other : *known) {
        const bool is_known = other.from < k && k < other.to;
        if (other.name != name && is_known && kind_of(other.type) == kind_of(own->type))
          others.push_back(&other);
      }
      // Likeliest are names that differ in one letter, then parameters in place of parameters, then the name
      // that was declared last before this place.
      std::ranges::reverse(others);
      std::ranges::stable_partition(
          others, [&](const Declared* other) { return (other->from == 0) == (own->from == 0); });
      std::ranges::stable_partition(others,
                                    [&](const Declared* other) { return is_like(other->name, name); });
      if (others.size() > kMostOthers) others.resize(kMostOthers);
      for (const Declared* other : others) edits.push_back(replace(source, k, k, other->name));
      break;
    }
  }
}

namespace {

// Appends those edits of exchange_names() for which `keep` returns true.
void exchange_some(const Source& source, const Function& function, std::vector<Edit>& edits,
                   const auto& keep) {
  std::vector<Edit> all;
  exchange_names(source, function, all);
  std::ranges::copy_if(all, std::back_inserter(edits), keep);
}

}  // namespace

// Takes a name that differs in one letter.
void exchange_like_names(const Source& source, const Function& function, std::vector<Edit>& edits) {
  exchange_some(source, function, edits,
                [&](const Edit& edit) { return is_like(source.substring(edit.begin, edit.end), edit.by); });
}

// Takes the component of a vector that is used nowhere in place of one that is used twice: of_a.w for of_a.z.
void exchange_components(const Source& source, const Function& function, std::vector<Edit>& edits) {
  static constexpr std::array<std::string_view, 4> kComponents{"x", "y", "z", "w"};
  std::map<std::string, std::map<std::string_view, std::vector<std::size_t>>> used;  // tokens, by object
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    if (is_member(source, k) && source.at(k + 1) != "(" && !is_built_in(source.at(k - 2)) &&
        std::ranges::find(kComponents, source.at(k)) != kComponents.end())
      used[source.text(begin_of_member(source, k), k - 2)][source.at(k)].push_back(k);
  }
  for (const auto& [object, components] : used) {
    for (const auto& [component, tokens] : components) {
      for (const std::string_view other : kComponents) {
        if (tokens.size() < 2 || components.size() < 2 || components.contains(other)) continue;
        for (const std::size_t token : tokens)
          edits.push_back(replace(source, token, token, std::string(other)));
      }
    }
  }
}

// Takes another constant of the file.
void exchange_constants(const Source& source, const Function& function, std::vector<Edit>& edits) {
  const auto constants = constants_with_types(source);
  const auto is_constant = [&](std::string_view name) {
    return std::ranges::find(constants, name, &Declared::name) != constants.end();
  };
  exchange_some(source, function, edits, [&](const Edit& edit) {
    return is_constant(source.substring(edit.begin, edit.end)) && is_constant(edit.by);
  });
}

// Passes another variable to a kernel, or from host code to another function of the file.
void exchange_arguments(const Source& source, const Function& function, std::vector<Edit>& edits) {
  std::vector<Edit> all;
  exchange_names(source, function, all);
  const auto is_own = [&](std::string_view name) {
    return std::ranges::any_of(source.functions(), [&](const Function& own) { return own.name == name; });
  };
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    const bool called = source.at(k - 1) == ">>>" || (!function.on_device && is_own(source.at(k - 1)));
    if (!called || source.at(k) != "(" || source.partner(k) == Source::kNone) continue;
    for (const Edit& edit : all) {
      if (source.token(k).begin < edit.begin && edit.end <= source.token(source.partner(k)).begin)
        edits.push_back(edit);
    }
  }
}

// Replaces a variable or a member by another one wherever it stands in a statement: a mistake is often made
// on both sides of an assignment.
void exchange_in_statement(const Source& source, const Function& function, std::vector<Edit>& edits) {
  std::vector<Edit> single;
  exchange_names(source, function, single);
  for (const Statement& statement : parts_of(source, function)) {
    const std::size_t begin = source.token(statement.begin).begin;
    const std::size_t end = source.token(statement.end).end;
    // The edits of a statement by what they replace and by what.
    std::map<std::string, std::vector<const Edit*>> same;
    for (const Edit& edit : single) {
      if (begin <= edit.begin && edit.end <= end) same[edit.name].push_back(&edit);
    }
    for (const auto& [name, places] : same) {
      if (places.size() < 2) continue;
      const std::size_t first = places.front()->begin;
      std::string text;
      std::size_t at = first;
      for (const Edit* place : places) {
        text += source.substring(at, place->begin);
        text += place->by;
        at = place->end;
      }
      edits.push_back({first, at, text, name});
    }
  }
}

namespace {

// A use of a variable or member in a statement.
struct Use {
  std::size_t token = 0;
  std::string of;  // the member's object, or the variable's kind: uses with equal ones may be exchanged
};

std::vector<Use> uses_in(const Source& source, const Statement& statement,
                         const std::vector<Declared>& variables) {
  std::vector<Use> uses;
  for (std::size_t k = statement.begin; k < statement.end; ++k) {
    const std::string_view next = source.at(k + 1);
    if (!source.is_name(k) || next == "(" || next == "." || next == "->") continue;
    const std::string indexed = next == "[" ? "[]" : "";
    if (is_member(source, k)) {
      const std::string object = source.text(begin_of_member(source, k), k - 2);
      if (!is_built_in(object)) uses.push_back({k, object + "." + indexed});
      continue;
    }
    const auto own = std::ranges::find(variables, source.at(k), &Declared::name);
    if (own != variables.end()) uses.push_back({k, kind_of(own->type) + indexed});
  }
  return uses;
}

}  // namespace

// Exchanges two variables of one type, or two members of one object, wherever they stand in a statement.
void swap_names(const Source& source, const Function& function, std::vector<Edit>& edits) {
  const auto variables = variables_of(source, function);
  for (const Statement& statement : parts_of(source, function)) {
    const auto uses = uses_in(source, statement, variables);
    std::set<std::pair<std::string_view, std::string_view>> tried;
    for (const Use& one : uses) {
      for (const Use& other : uses) {
        const std::string_view a = source.at(one.token), b = source.at(other.token);
        if (a >= b || one.of != other.of || !tried.insert({a, b}).second) continue;
        std::string text;
        std::size_t first = Source::kNone;
        std::size_t last = 0;
        for (const Use& use : uses) {
          const std::string_view name = source.at(use.token);
          if (use.of != one.of || (name != a && name != b)) continue;
          if (first == Source::kNone)
            first = use.token;
          else
            text += source.substring(source.token(last).end, source.token(use.token).begin);
          text += name == a ? b : a;
          last = use.token;
        }
        edits.push_back(replace(source, first, last, text));
      }
    }
  }
}

// Takes the member of the name on the left in place of another one: `to.low_at = from.low`, a line that was
// copied.
void match_members(const Source& source, const Function& function, std::vector<Edit>& edits) {
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    if (source.at(k) != "=" || !is_member(source, k - 1)) continue;
    for (std::size_t of = k + 1; of < function.close && source.at(of) != ";"; ++of) {
      const bool member = source.is_name(of) && is_member(source, of) && source.at(of + 1) != "(";
      if (member && source.at(of) != source.at(k - 1))
        edits.push_back(replace(source, of, of, std::string(source.at(k - 1))));
    }
  }
}

}  // namespace warpmark::source_edits
