// Repairs that exchange the value with which a search, a sum or the rest of a block begins, or begin anew,
// and the number of bytes that are set.
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "harness/source_edits/edits.h"
#include "harness/source_edits/repairs.h"

namespace warpmark::source_edits {
namespace {

// Most constants of the file that are tried in one place.
constexpr std::size_t kMostConstants = 4;

bool is_zero_or_one(std::string_view value) {
  return value == "0" || value == "0.0f" || value == "0.0F" || value == "0.0" || value == "0.f" ||
         value == "1" || value == "0u" || value == "0U";
}

// Returns the opening bracket around a token; kNone if there is none in its function.
std::size_t bracket_around(const Source& source, const Function& function, std::size_t token) {
  for (std::size_t k = token; k > function.open; --k) {
    const std::string_view what = source.at(k - 1);
    if ((what == ")" || what == "]" || what == "}") && source.partner(k - 1) != Source::kNone)
      k = source.partner(k - 1) + 1;
    else if (what == "(" || what == "[" || what == "{" || what == "<<<")
      return k - 1;
  }
  return Source::kNone;
}

// Returns true if a whole value stands at `token`: behind = or return, as a part of { } or of ? :, or as an
// argument of a library's algorithm, thrust::reduce(a, b, 0).
bool is_a_value(const Source& source, const Function& function, std::size_t token) {
  const std::string_view before = source.at(token - 1);
  const std::string_view behind = source.at(token + 1);
  if (before == "=" || before == "return" || before == "?") return behind == ";" || behind == ":";
  if (before == ":") return behind == ";" || behind == ")" || behind == "," || behind == "}";
  if ((before != "{" && before != "," && before != "(") || (behind != "}" && behind != "," && behind != ")"))
    return false;
  const std::size_t open = bracket_around(source, function, token);
  if (open == Source::kNone || open == function.open) return false;
  return source.at(open) == "{" || (source.at(open) == "(" && source.at(open - 2) == "::");
}

// Returns true if a constant's value is no plain number: ~0, a limit of a type, an infinity.
bool is_extreme(std::string_view value) {
  static constexpr std::array<std::string_view, 6> kSigns{"~", "limits", "MAX", "MIN", "INF", "infinity"};
  return std::ranges::any_of(kSigns, [&](auto sign) { return value.find(sign) != std::string_view::npos; });
}

// Returns the names of constants outside of functions, constexpr int kMost = ..., those of extreme values
// first, then the last ones.
std::vector<std::string> constants_of(const Source& source) {
  std::vector<std::string> extremes;
  std::vector<std::string> others;
  for (const auto& [name, end] : file_constants(source)) {
    auto& names = end != Source::kNone && is_extreme(source.text(name, end)) ? extremes : others;
    names.insert(names.begin(), std::string(source.at(name)));
  }
  extremes.insert(extremes.end(), others.begin(), others.end());
  return extremes;
}

// Returns the token of a function's name; kNone if the function has none.
std::size_t name_of(const Source& source, const Function& function) {
  std::size_t end = function.open;
  while (end > 0 && source.at(end) != ")") --end;
  const std::size_t list = source.partner(end);
  return list == Source::kNone || list < 2 ? Source::kNone : list - 1;
}

// Returns the call of a function without parameters, or with one that the caller has by the same name.
std::optional<std::string> call_of(const Function& called, const Function& caller) {
  if (called.parameters.empty()) return called.name + "()";
  if (called.parameters.size() > 1) return std::nullopt;
  const std::string& name = called.parameters.front().name;
  if (std::ranges::find(caller.parameters, name, &Parameter::name) == caller.parameters.end())
    return std::nullopt;
  return fmt::format("{}({})", called.name, name);
}

}  // namespace

// Takes a constant of the file or of a header, kBehindAll, where a search or the rest of a block begins with
// 0, 1 or another of them.
void begin_with_names(const Source& source, const Function& function, std::vector<Edit>& edits) {
  const auto names = constants_of(source);
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    const bool constant = std::ranges::find(names, source.at(k)) != names.end();
    if ((!constant && !is_zero_or_one(source.at(k))) || !is_a_value(source, function, k)) continue;
    std::size_t tried = 0;
    for (const std::string& name : names) {
      if (name != source.at(k) && tried++ < kMostConstants) edits.push_back(replace(source, k, k, name));
    }
  }
}

// Begins a variable with what a function of the file returns for its type: `T x = nothing(n);` for `T x{};`.
void begin_with_a_call(const Source& source, const Function& function, std::vector<Edit>& edits) {
  for (const Function& other : source.functions()) {
    const std::size_t name = name_of(source, other);
    const auto call = call_of(other, function);
    if (name == Source::kNone || !call || other.open == function.open || !source.is_name(name - 1) ||
        other.returns_nothing)
      continue;
    const std::string_view type = source.at(name - 1);
    for (std::size_t k = function.open + 1; k + 2 < function.close; ++k) {
      // x = lane < n ? of_warp[lane] : T{};
      const bool is_nothing = source.at(k) == type && source.at(k + 1) == "{" && source.at(k + 2) == "}";
      if (is_nothing && source.at(k - 1) != "=" && source.at(k - 1) != "return")
        edits.push_back(replace(source, k, k + 2, *call));
      if (source.at(k) != type || !source.is_name(k + 1)) continue;
      std::size_t behind = k + 2;
      if (source.at(behind) == "=") ++behind;
      if (source.at(behind) == type) ++behind;
      if (source.at(behind) == "{" && source.partner(behind) != Source::kNone)
        behind = source.partner(behind) + 1;
      if (source.at(behind) == ";")
        edits.push_back(replace(source, k + 2, behind, fmt::format(" = {};", *call)));
    }
  }
}

namespace {

// A variable that a function begins with a number or an empty value: the tokens of its name and of the
// semicolon behind its first value.
struct Begun {
  std::size_t name = 0;
  std::size_t end = 0;
};

std::vector<Begun> begun_with_nothing(const Source& source, const Function& function) {
  std::vector<Begun> all;
  for (std::size_t k = function.open + 2; k + 2 < function.close; ++k) {
    if (!source.is_name(k) || !source.is_name(k - 1) || source.at(k - 1) == "return") continue;
    const std::size_t end = source.statement_end(k);
    if (end == Source::kNone || end > k + 6 || source.at(end) != ";") continue;
    const bool number = source.at(k + 1) == "=" && (source.is_number(k + 2) || source.at(end - 1) == "}");
    const bool braces = source.at(k + 1) == "{" && source.at(end - 1) == "}";
    if (number || braces) all.push_back({k, end});
  }
  return all;
}

}  // namespace

// Begins a variable anew in each round of a loop, and after a statement that passes it on.
void begin_anew(const Source& source, const Function& function, std::vector<Edit>& edits) {
  for (const Begun& begun : begun_with_nothing(source, function)) {
    const std::string name(source.at(begun.name));
    const std::string value = source.at(begun.name + 1) == "=" ? source.text(begun.name + 2, begun.end - 1)
                                                               : source.text(begun.name + 1, begun.end - 1);
    const std::string anew = fmt::format("{} = {}; ", name, value);
    const std::size_t scope = end_of_scope(source, function, begun.name);
    for (std::size_t k = begun.end + 1; k < scope; ++k) {
      const bool loops = (source.at(k) == "for" || source.at(k) == "while") && source.at(k + 1) == "(" &&
                         source.partner(k + 1) != Source::kNone;
      if (loops && source.at(source.partner(k + 1) + 1) == "{")
        edits.push_back(insert_before(source, source.partner(k + 1) + 2, anew, name + " begun anew"));
      // f(sum, ...);
      if (source.at(k) != name || (source.at(k - 1) != "(" && source.at(k - 1) != ",")) continue;
      const std::size_t end = source.statement_end(k);
      if (end != Source::kNone && end < scope && source.at(end) == ";" && source.at(end + 1) != ")")
        edits.push_back(insert_before(source, end + 1, anew, name + " begun anew"));
    }
  }
}

// Adds a number that is known to one that is computed, where a position lacks a part: tail = head + count
// * 4.
void add_summands(const Source& source, const Function& function, std::vector<Edit>& edits) {
  constexpr std::size_t kMost = 4;
  if (!function.on_device) return;
  std::vector<std::size_t> known;  // names, the latest last
  for (std::size_t k = function.open + 2; k + 3 < function.close; ++k) {
    const bool declares = source.is_name(k) && source.is_name(k - 1) && source.at(k + 1) == "=" &&
                          source.at(k - 1) != "return" && source.at(k - 2) != "." && !is_member(source, k);
    if (!declares) continue;
    const std::size_t end = source.statement_end(k);
    if (end == Source::kNone || source.at(end) != ";") continue;
    for (std::size_t tried = 0; tried < std::min(kMost, known.size()); ++tried) {
      const std::string_view name = source.at(known[known.size() - 1 - tried]);
      edits.push_back(
          insert_before(source, k + 2, fmt::format("{} + ", name), fmt::format("{} added", name)));
    }
    if (source.at(k - 1) != "auto") known.push_back(k);
  }
}

// Begins with a number above or below all others in place of 0 or of 1, or with the other limit of a type.
void change_beginnings(const Source& source, const Function& function, std::vector<Edit>& edits) {
  static constexpr std::array<std::string_view, 5> kValues{"2147483647", "(-2147483647 - 1)", "3.4e38f",
                                                           "-3.4e38f", "~0ULL"};
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 6> kLimits{
      {{"FLT_MIN", "-FLT_MAX"},
       {"DBL_MIN", "-DBL_MAX"},
       {"FLT_MAX", "-FLT_MAX"},
       {"INT_MIN", "INT_MAX"},
       {"INT_MAX", "INT_MIN"},
       {"INFINITY", "-INFINITY"}}};
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    const std::string_view value = source.at(k);
    for (const auto& [from, to] : kLimits) {
      if (value == from) edits.push_back(replace(source, k, k, fmt::format("({})", to)));
    }
    // std::numeric_limits<float>::min() is the least value above 0.
    if ((value == "min" || value == "max") && source.at(k - 1) == "::" && source.at(k - 2) == ">")
      edits.push_back(replace(source, k, k, value == "min" ? "max" : "lowest"));
    if (value == "min" && source.at(k - 1) == "::" && source.at(k - 2) == ">")
      edits.push_back(replace(source, k, k, "lowest"));
    if (!is_zero_or_one(value) || !is_a_value(source, function, k)) continue;
    for (const std::string_view other : kValues) edits.push_back(replace(source, k, k, std::string(other)));
  }
}

// Sets memory to other bytes: 0xff makes the greatest number without a sign and -1 with one, 0x7f a great and
// 0x80 a small one.
void fill_with_other_bytes(const Source& source, const Function& function, std::vector<Edit>& edits) {
  for (std::size_t k = function.open + 1; k + 1 < function.close; ++k) {
    if (!source.at(k).starts_with("cudaMemset") || source.at(k + 1) != "(" ||
        source.partner(k + 1) == Source::kNone)
      continue;
    const auto arguments = arguments_of(source, k + 1);
    if (arguments.size() < 3) continue;
    const std::string value = source.text(arguments[1].begin, arguments[1].end);
    for (const std::string_view other : {"0xff", "0x7f", "0x80", "0"}) {
      if (other != value)
        edits.push_back(replace(source, arguments[1].begin, arguments[1].end, std::string(other)));
    }
  }
}

// Writes an argument 0 as 0.0: the type of the number with which a library begins is the one in which it
// computes.
void begin_with_a_fraction(const Source& source, const Function& function, std::vector<Edit>& edits) {
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    const bool argument = (source.at(k - 1) == "," || source.at(k - 1) == "(") &&
                          (source.at(k + 1) == "," || source.at(k + 1) == ")");
    if (source.at(k) == "0" && argument) edits.push_back(replace(source, k, k, "0.0"));
  }
}

// Counts in bytes what was counted in elements, where memory is set or copied.
void count_bytes(const Source& source, const Function& function, std::vector<Edit>& edits) {
  for (std::size_t k = function.open + 1; k + 1 < function.close; ++k) {
    const std::string_view call = source.at(k);
    const bool sets = call.starts_with("cudaMemset") || call.starts_with("cudaMemcpy") || call == "memset" ||
                      call == "memcpy";
    if (!sets || source.at(k + 1) != "(" || source.partner(k + 1) == Source::kNone) continue;
    const auto arguments = arguments_of(source, k + 1);
    if (arguments.size() < 3) continue;
    const std::string to = source.text(arguments[0].begin, arguments[0].end);
    const std::string count = source.text(arguments[2].begin, arguments[2].end);
    if (count.find("sizeof") != std::string::npos && count.find('*') != std::string::npos) continue;
    edits.push_back(replace(source, arguments[2].begin, arguments[2].end,
                            fmt::format("({}) * sizeof(*({}))", count, to)));
  }
}

// Takes the size of what a pointer points to: sizeof(*sum) for sizeof(sum).
void size_of_target(const Source& source, const Function& function, std::vector<Edit>& edits) {
  for (std::size_t k = function.open + 1; k + 3 < function.close; ++k) {
    if (source.at(k) == "sizeof" && source.at(k + 1) == "(" && source.is_name(k + 2) &&
        source.at(k + 3) == ")")
      edits.push_back(insert_before(source, k + 2, "*", "size of the target"));
  }
}

}  // namespace warpmark::source_edits
