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
constexpr std::size_t kMostNames = 8;

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

// Collects texts, each once.
class Texts {
 public:
  void add(std::string text) {
    const bool fits = !text.empty() && text.size() <= kLongest && texts_.size() < kMostNames;
    if (fits && std::ranges::find(texts_, text) == texts_.end()) texts_.push_back(std::move(text));
  }
  [[nodiscard]] const std::vector<std::string>& all() const { return texts_; }

 private:
  static constexpr std::size_t kLongest = 40;
  std::vector<std::string> texts_;
};

// Adds the names that may be a factor or a step: constants that the function can see (kThreads), its own
// first, then whole numbers among its parameters, and the sizes of block and grid.
void add_sizes(const Source& source, const Function& function, Texts& names) {
  Texts outside;
  for (std::size_t k = 0; k + 2 < source.count() && k < function.close; ++k) {
    if (source.at(k) != "constexpr" && source.at(k) != "const") continue;
    std::size_t equals = k;
    while (source.at(equals) != "=" && source.at(equals) != ";" && source.at(equals) != ")" &&
           equals + 1 < source.count())
      ++equals;
    if (source.at(equals) != "=" || !source.is_name(equals - 1) || source.at(equals - 2) == "*") continue;
    const bool of_another = std::ranges::any_of(source.functions(), [&](const Function& other) {
      return other.open < equals && equals < other.close && other.open != function.open;
    });
    if (of_another) continue;
    const bool own = function.open < equals;
    (own ? names : outside).add(std::string(source.at(equals - 1)));
  }
  for (const std::string& name : outside.all()) names.add(name);
  for (const Parameter& parameter : function.parameters) {
    const bool whole =
        parameter.type.find_first_of("*&") == std::string::npos &&
        std::ranges::any_of(std::array<std::string_view, 4>{"int", "unsigned", "size_t", "long"},
                            [&](std::string_view type) { return parameter.type.ends_with(type); });
    if (whole) names.add(parameter.name);
  }
  if (function.on_device) {
    names.add("blockDim.x");
    names.add("gridDim.x");
    names.add("(blockDim.x * gridDim.x)");
  }
}

// Returns what a product may lack: the factors of the function's other products, and names of sizes.
std::vector<std::string> factors_in(const Source& source, const Function& function) {
  Texts factors;
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    if (source.at(k) == "*" && source.is_binary(k)) factors.add(source.text(k + 1, source.factor_end(k)));
  }
  add_sizes(source, function, factors);
  return factors.all();
}

// Returns the first token of a loop's step, `i += 2` of for (...; ...; i += 2); Source::kNone if it has none.
std::size_t step_of(const Source& source, std::size_t loop) {
  if (source.at(loop) != "for" || source.at(loop + 1) != "(" || source.partner(loop + 1) == Source::kNone)
    return Source::kNone;
  const std::size_t close = source.partner(loop + 1);
  std::size_t step = close;
  while (step > loop && source.at(step - 1) != ";") --step;
  return step + 2 > close ? Source::kNone : step;
}

// Returns by how much a loop may step: as other loops of the file do, or by a size.
std::vector<std::string> steps_in(const Source& source, const Function& function) {
  Texts steps;
  for (std::size_t k = 0; k < source.count(); ++k) {
    const std::size_t step = step_of(source, k);
    if (step != Source::kNone && source.at(step + 1) == "+=")
      steps.add(source.text(step + 2, source.partner(k + 1) - 1));
  }
  add_sizes(source, function, steps);
  return steps.all();
}

}  // namespace

void negate_tests(const Source& source, const Function& function, std::vector<Edit>& edits) {
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    if ((source.at(k) != "if" && source.at(k) != "while") || source.at(k + 1) != "(" ||
        source.partner(k + 1) == Source::kNone)
      continue;
    const std::size_t close = source.partner(k + 1);
    // The opposite of == is another comparison.
    const std::string condition = source.text(k + 1, close);
    const bool equates =
        condition.find("==") != std::string::npos || condition.find("!=") != std::string::npos;
    if (equates && condition.find("&&") == std::string::npos && condition.find("||") == std::string::npos)
      continue;
    edits.push_back(replace(source, k + 1, close, fmt::format("(!{})", condition)));
  }
}

void drop_conditions(const Source& source, const Function& function, std::vector<Edit>& edits) {
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    if ((source.at(k) != "&&" && source.at(k) != "||") || !source.is_binary(k)) continue;
    edits.push_back(drop(source, k, source.operand_end(k)));
    edits.push_back(drop(source, source.operand_begin(k), k));
  }
}

// Adds a condition that stands elsewhere in the file to a test that may lack it.
void add_conditions(const Source& source, const Function& function, std::vector<Edit>& edits) {
  Texts conditions;
  const auto each_test = [&](std::size_t begin, std::size_t end, auto visit) {
    for (std::size_t k = begin; k < end; ++k) {
      if ((source.at(k) == "if" || source.at(k) == "while") && source.at(k + 1) == "(" &&
          source.partner(k + 1) != Source::kNone)
        visit(k + 1, source.partner(k + 1));
    }
  };
  const auto add_parts = [&](std::size_t open, std::size_t close) {
    std::size_t begin = open + 1;
    for (std::size_t k = begin; k < close; ++k) {
      if (source.at(k) == "||") return;
      if (source.at(k) != "&&" || !source.is_binary(k) || source.operand_begin(k) != begin) continue;
      conditions.add(source.text(begin, k - 1));
      begin = k + 1;
    }
    if (begin < close) conditions.add(source.text(begin, close - 1));
  };
  each_test(function.open, function.close, add_parts);
  each_test(0, source.count(), add_parts);
  each_test(function.open, function.close, [&](std::size_t open, std::size_t close) {
    for (const std::string& condition : conditions.all())
      edits.push_back(
          replace(source, open, close, fmt::format("({} && ({}))", source.text(open, close), condition)));
  });
}

// Adds a barrier in front of a statement of a kernel that uses shared memory: of the kernel itself, or of a
// loop in it, where all threads come by.
void add_barriers(const Source& source, const Function& function, std::vector<Edit>& edits) {
  bool shares = false;
  for (std::size_t k = 0; k < source.count() && !shares; ++k) shares = source.at(k) == "__shared__";
  if (!shares || !function.on_device) return;
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    const std::string_view before = source.at(k - 1);
    const bool begins = before == ";" || before == "{" || before == "}";
    if (!begins || source.at(k) == "}" || source.at(k) == "__shared__" || source.at(k) == "else") continue;
    if (source.at(k) == "(" || source.at(k).starts_with("__sync")) continue;
    edits.push_back(insert_before(source, k, "__syncthreads(); ", "a barrier"));
  }
}

// Lets a function that launches kernels return where there is nothing to do: in front of the first number of
// blocks that it rounds up.
void guard_launches(const Source& source, const Function& function, std::vector<Edit>& edits) {
  Texts counts;
  std::size_t first = Source::kNone;
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    if (source.at(k) != "(" || source.partner(k) == Source::kNone || source.at(source.partner(k) + 1) != "/")
      continue;
    std::size_t plus = k + 1;
    while (plus < source.partner(k) && source.at(plus) != "+") ++plus;
    if (plus == source.partner(k)) continue;
    counts.add(source.text(k + 1, plus - 1));
    if (first == Source::kNone) first = k;
  }
  if (first == Source::kNone || function.on_device || !function.returns_nothing) return;
  while (first > function.open + 1 && source.at(first - 1) != ";" && source.at(first - 1) != "}") --first;
  std::string any;
  for (const std::string& count : counts.all())
    any += fmt::format("{}({}) == 0", any.empty() ? "" : " || ", count);
  edits.push_back(insert_before(source, first, fmt::format("if ({}) return; ", any), "return for nothing"));
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
  const auto factors = factors_in(source, function);
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    const std::string_view what = source.at(k);
    if (what == "*" && source.is_binary(k)) {
      std::size_t begin = k - 1;
      while (begin > function.open && (source.at(begin - 1) == "." || source.at(begin - 1) == "->"))
        begin -= 2;
      if (source.at(begin) == ")" && source.partner(begin) != Source::kNone) continue;
      edits.push_back(drop(source, begin, k));
    }
    if (what == "/" && source.is_binary(k)) edits.push_back(drop(source, k, source.factor_end(k)));
    // The second operand of a sum may lack its square, 1 + x for 1 + x * x.
    const std::string_view behind = source.at(k + 2);
    if (what == "+" && source.is_binary(k) && source.is_name(k + 1) &&
        (behind == ")" || behind == ";" || behind == "+"))
      edits.push_back(insert_before(source, k + 2, fmt::format(" * {}", source.at(k + 1)), "square"));
    // The first operand of a sum, or the index of a block or thread, may lack its factor.
    const bool sum = what == "+" && source.is_binary(k) && source.is_name(k - 1);
    const bool index = source.at(k + 1) == "." &&
                       (what == "blockIdx" || what == "threadIdx" || what == "gridDim" || what == "blockDim");
    if (!sum && !index) continue;
    const std::size_t at = sum ? k : k + 3;
    for (const std::string& name : factors) {
      if (source.at(at - 1) != name && source.at(at) != "*")
        edits.push_back(insert_before(source, at, fmt::format(" * {} ", name), "factor " + name));
    }
  }
}

void undo_strides(const Source& source, const Function& function, std::vector<Edit>& edits) {
  const auto steps = steps_in(source, function);
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    const std::size_t step = step_of(source, k);
    if (step == Source::kNone) continue;
    const std::size_t close = source.partner(k + 1);
    if (step + 2 == close) {
      const bool behind = source.at(step + 1) == "++";
      for (const std::string& by : steps)
        edits.push_back(replace(source, step, close - 1,
                                fmt::format("{} += {}", source.at(behind ? step : step + 1), by)));
      continue;
    }
    const std::string_view by = source.at(step + 1);
    if (by != "+=" && by != "-=") continue;
    edits.push_back(replace(source, step + 2, close - 1, "1"));
    for (const std::string& other : steps) edits.push_back(replace(source, step + 2, close - 1, other));
    edits.push_back(
        replace(source, step + 2, close - 1, fmt::format("({}) / 2", source.text(step + 2, close - 1))));
  }
}

void drop_jumps(const Source& source, const Function& function, std::vector<Edit>& edits) {
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    if (is_jump(source.at(k)) && source.at(k + 1) == ";") edits.push_back(drop(source, k, k));
  }
}

// Gives a number more than 8 or 16 bits, which overflow where it adds up: `unsigned char sum = 0`.
void widen_small_types(const Source& source, const Function& function, std::vector<Edit>& edits) {
  static constexpr std::array<std::string_view, 6> kSmall{"char",    "short",   "int8_t",
                                                          "int16_t", "uint8_t", "uint16_t"};
  for (std::size_t k = function.open + 1; k + 2 < function.close; ++k) {
    const bool is_small = std::ranges::find(kSmall, source.at(k)) != kSmall.end() && source.is_name(k + 1);
    const std::string_view behind = source.at(k + 2);
    if (is_small && (behind == "=" || behind == ";" || behind == "{"))
      edits.push_back(replace(source, k, k, source.at(k).starts_with("uint") ? "unsigned" : "int"));
  }
}

// Gives a variable or a parameter another type.
void widen_types(const Source& source, const Function& function, std::vector<Edit>& edits) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kPairs{
      {{"float", "double"},
       {"int", "double"},
       {"int", "unsigned"},
       {"int", "unsigned long long"},
       {"unsigned", "int"}}};
  std::size_t begin = function.open;
  if (begin > 0 && source.at(begin - 1) == ")" && source.partner(begin - 1) != Source::kNone)
    begin = source.partner(begin - 1);
  for (std::size_t k = begin + 1; k < function.close; ++k) {
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
