#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "harness/source_edits/edits.h"
#include "harness/source_edits/repairs.h"

namespace warpmark::source_edits {
namespace {

// Most names that are tried in one place.
constexpr std::size_t kMostNames = 5;

bool is_jump(std::string_view word) {
  return word == "return" || word == "break" || word == "continue";
}

// Returns true if the name at `token` is declared there: it follows a type.
bool declares_name(const Source& source, std::size_t token) {
  const std::string_view before = source.at(token - 1);
  return source.is_name(token) && (source.is_name(token - 1) || before == "*" || before == "&" ||
                                   before == ">" || before == "," || before == "]");
}

// Returns true if a function declares the name as a pointer: `float* to`.
bool is_pointer(const Source& source, const Function& function, std::string_view name) {
  const auto parameter = std::ranges::find(function.parameters, name, &Parameter::name);
  if (parameter != function.parameters.end()) return parameter->type.find('*') != std::string::npos;
  for (std::size_t k = function.open + 2; k < function.close; ++k) {
    if (source.at(k) == name && source.at(k - 1) == "*" && !source.is_binary(k - 1)) return true;
  }
  return false;
}

// Returns the names that may be a factor or a step: whole numbers among the function's parameters, constants
// of the file (kThreads), and the sizes of block and grid.
std::vector<std::string> sizes_in(const Source& source, const Function& function) {
  std::vector<std::string> names;
  const auto add = [&](std::string name) {
    if (names.size() < kMostNames && std::ranges::find(names, name) == names.end())
      names.push_back(std::move(name));
  };
  for (const Parameter& parameter : function.parameters) {
    const bool whole =
        parameter.type.find_first_of("*&") == std::string::npos &&
        std::ranges::any_of(std::array<std::string_view, 4>{"int", "unsigned", "size_t", "long"},
                            [&](std::string_view type) { return parameter.type.ends_with(type); });
    if (whole) add(parameter.name);
  }
  for (std::size_t k = 0; k + 2 < source.count(); ++k) {
    if (source.at(k) != "constexpr" && source.at(k) != "const") continue;
    std::size_t equals = k;
    while (source.at(equals) != "=" && source.at(equals) != ";" && source.at(equals) != ")" &&
           equals + 1 < source.count())
      ++equals;
    const bool outside = std::ranges::none_of(source.functions(), [&](const Function& other) {
      return other.open < equals && equals < other.close && other.open != function.open;
    });
    if (source.at(equals) == "=" && outside && equals < function.close && source.is_name(equals - 1))
      add(std::string(source.at(equals - 1)));
  }
  if (function.on_device) {
    add("blockDim.x");
    add("(blockDim.x * gridDim.x)");
  }
  return names;
}

}  // namespace

void negate_tests(const Source& source, const Function& function, std::vector<Edit>& edits) {
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    if ((source.at(k) != "if" && source.at(k) != "while") || source.at(k + 1) != "(" ||
        source.partner(k + 1) == Source::kNone)
      continue;
    const std::size_t close = source.partner(k + 1);
    edits.push_back(replace(source, k + 1, close, fmt::format("(!{})", source.text(k + 1, close))));
  }
}

void drop_conditions(const Source& source, const Function& function, std::vector<Edit>& edits) {
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    if ((source.at(k) != "&&" && source.at(k) != "||") || !source.is_binary(k)) continue;
    edits.push_back(drop(source, k, source.operand_end(k)));
    edits.push_back(drop(source, source.operand_begin(k), k));
  }
}

void undo_arithmetic(const Source& source, const Function& function, std::vector<Edit>& edits) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kPairs{
      {{"=", "+="}, {"/", "%"}, {"*", "/"}}};
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    const bool declares = source.at(k) == "=" &&
                          (declares_name(source, k - 1) || is_pointer(source, function, source.at(k - 1)));
    if (!source.is_binary(k) || declares) continue;
    for (const auto& [from, to] : kPairs) {
      if (source.at(k) == from) edits.push_back(replace(source, k, k, std::string(to)));
    }
  }
}

void change_operands(const Source& source, const Function& function, std::vector<Edit>& edits) {
  const auto names = sizes_in(source, function);
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    const std::string_view what = source.at(k);
    if (what == "*" && source.is_binary(k)) {
      std::size_t begin = k - 1;
      while (begin > function.open && (source.at(begin - 1) == "." || source.at(begin - 1) == "->"))
        begin -= 2;
      if (source.at(begin) == ")" && source.partner(begin) != Source::kNone) continue;
      edits.push_back(drop(source, begin, k));
    }
    // The first operand of a sum, or the index of a block or thread, may lack its factor.
    const bool sum = what == "+" && source.is_binary(k) && source.is_name(k - 1);
    const bool index = (what == "blockIdx" || what == "threadIdx") && source.at(k + 1) == ".";
    if (!sum && !index) continue;
    const std::size_t at = sum ? k : k + 3;
    for (const std::string& name : names) {
      if (source.at(at - 1) != name && source.at(at) != "*")
        edits.push_back(insert_before(source, at, fmt::format(" * {} ", name), "factor " + name));
    }
  }
}

void undo_strides(const Source& source, const Function& function, std::vector<Edit>& edits) {
  const auto names = sizes_in(source, function);
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    if (source.at(k) != "for" || source.at(k + 1) != "(" || source.partner(k + 1) == Source::kNone) continue;
    const std::size_t close = source.partner(k + 1);
    std::size_t step = close;
    while (step > k && source.at(step - 1) != ";") --step;
    if (step + 2 >= close) {
      if (step + 2 != close) continue;
      const bool behind = source.at(step + 1) == "++";
      for (const std::string& name : names)
        edits.push_back(replace(source, step, close - 1,
                                fmt::format("{} += {}", source.at(behind ? step : step + 1), name)));
      continue;
    }
    const std::string_view by = source.at(step + 1);
    if (by != "+=" && by != "-=") continue;
    for (const std::string& name : names) edits.push_back(replace(source, step + 2, close - 1, name));
    edits.push_back(
        replace(source, step + 2, close - 1, fmt::format("({}) / 2", source.text(step + 2, close - 1))));
    edits.push_back(replace(source, step + 2, close - 1, "1"));
  }
}

void drop_jumps(const Source& source, const Function& function, std::vector<Edit>& edits) {
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    if (is_jump(source.at(k)) && source.at(k + 1) == ";") edits.push_back(drop(source, k, k));
  }
}

void widen_types(const Source& source, const Function& function, std::vector<Edit>& edits) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kPairs{
      {{"float", "double"}, {"int", "unsigned"}, {"int", "unsigned long long"}, {"unsigned", "int"}}};
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    const bool of_several =
        source.is_name(k - 1) && (source.at(k - 1) == "unsigned" || source.at(k - 1) == "long");
    const bool more = source.at(k + 1) == "long" || source.at(k + 1) == "int" || source.at(k + 1) == "char" ||
                      source.at(k + 1) == "short";
    for (const auto& [from, to] : kPairs) {
      if (source.at(k) == from && !of_several && !more)
        edits.push_back(replace(source, k, k, std::string(to)));
    }
  }
}

}  // namespace warpmark::source_edits
