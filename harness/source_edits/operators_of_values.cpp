// Mutation operators that change numbers, indices, steps, arithmetic and types.
#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "harness/source_edits/edits.h"
#include "harness/source_edits/harmless.h"

namespace warpmark::source_edits {
namespace {

struct WholeNumber {
  std::uint64_t value = 0;
  bool hexadecimal = false;
  std::string suffix;  // "u", "ULL"
};

std::optional<WholeNumber> whole_number(std::string_view text) {
  WholeNumber number;
  const std::size_t end = text.find_last_not_of("uUlL");
  if (end == std::string_view::npos) return std::nullopt;
  number.suffix = text.substr(end + 1);
  text = text.substr(0, end + 1);
  number.hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  if (number.hexadecimal) text.remove_prefix(2);
  std::string digits;
  for (const char c : text) {
    if (c != '\'') digits += c;
  }
  const auto [last, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number.value,
                                             number.hexadecimal ? 16 : 10);
  if (error != std::errc{} || last != digits.data() + digits.size()) return std::nullopt;
  return number;
}

std::string text_of(const WholeNumber& number, std::uint64_t value) {
  return (number.hexadecimal ? fmt::format("{:#x}", value) : std::to_string(value)) + number.suffix;
}

// Returns true if a number is a whole argument of a kernel launch's <<< >>>. Such numbers are not mutated,
// because a solution is free to choose its numbers of blocks and threads.
bool is_launch_shape(const Source& source, std::size_t token) {
  const std::string_view before = source.at(token - 1);
  const std::string_view after = source.at(token + 1);
  if ((before != "<<<" && before != ",") || (after != "," && after != ">>>")) return false;
  std::size_t k = token;
  while (k > 0 && source.at(k) != "<<<" && source.at(k) != ";" && source.at(k) != "{") --k;
  return source.at(k) == "<<<" && source.partner(k) != Source::kNone && source.partner(k) > token;
}

// Returns true if the brackets at `open` give the extent of a declared array.
bool is_extent(const Source& source, std::size_t open) {
  std::size_t k = open;
  while (k > 0 && source.at(k - 1) == "]" && source.partner(k - 1) != Source::kNone)
    k = source.partner(k - 1);
  if (k < 2 || !source.is_name(k - 1)) return false;
  const std::string_view before = source.at(k - 2);
  return (source.is_name(k - 2) && before != "return" && before != "else" && before != "case") ||
         before == ">";
}

bool is_subscript(const Source& source, std::size_t token) {
  if (source.at(token) != "[" || source.partner(token) == Source::kNone || token == 0) return false;
  const std::string_view before = source.at(token - 1);
  return (source.is_name(token - 1) || before == "]" || before == ")") && !is_extent(source, token);
}

// Returns true if a name holds threadIdx.x: const unsigned tid = threadIdx.x.
bool is_thread_index(const Source& source, const Function& function, std::string_view name) {
  for (std::size_t k = function.open + 1; k + 5 < function.close; ++k) {
    if (source.at(k) == name && source.at(k + 1) == "=" && source.at(k + 2) == "threadIdx" &&
        source.at(k + 4) == "x" && source.at(k + 5) == ";")
      return true;
  }
  return false;
}

}  // namespace

void change_constants(const Source& source, const Function& function, std::vector<Edit>& edits) {
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    if (!source.is_number(k) || is_launch_shape(source, k) || is_overwritten_by_cuda(source, function, k))
      continue;
    const auto number = whole_number(source.at(k));
    if (!number) {
      edits.push_back(replace(source, k, k, fmt::format("({} + 1)", source.at(k))));
      continue;
    }
    const bool extent = source.at(k - 1) == "[" && is_extent(source, k - 1);
    if (!extent && number->value != ~std::uint64_t{0})
      edits.push_back(replace(source, k, k, text_of(*number, number->value + 1)));
    if (number->value > 0 && !is_of_rounding_up(source, k))
      edits.push_back(replace(source, k, k, text_of(*number, number->value - 1)));
  }
}

void change_indices(const Source& source, const Function& function, std::vector<Edit>& edits) {
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    if (!is_subscript(source, k)) continue;
    const std::size_t close = source.partner(k);
    const bool number = close == k + 2 && source.is_number(k + 1);
    // Array index that is empty or one literal number: left to change_constants(), which mutates literals.
    if (number || close == k + 1) continue;
    for (const std::string_view by : {" + 1", " - 1"})
      edits.push_back(
          insert_before(source, close, std::string(by), fmt::format("{}[...{}]", source.at(k - 1), by)));
  }
}

void change_strides(const Source& source, const Function& function, std::vector<Edit>& edits) {
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    if (source.at(k) != "for" || source.at(k + 1) != "(" || source.partner(k + 1) == Source::kNone) continue;
    const std::size_t close = source.partner(k + 1);
    std::size_t step = close;
    while (step > k && source.at(step - 1) != ";") --step;
    if (step == close) continue;
    const bool counts = close - step == 2 && (source.at(step) == "++" || source.at(step + 1) == "++");
    if (counts) {
      const std::string name(source.at(source.at(step) == "++" ? step + 1 : step));
      edits.push_back(replace(source, step, close - 1, name + " += 2"));
    } else if (source.at(step + 1) == "+=") {
      const std::string by = source.text(step + 2, close - 1);
      edits.push_back(replace(source, step + 2, close - 1, fmt::format("2 * ({})", by)));
      if (by != "1") edits.push_back(replace(source, step + 2, close - 1, "1"));
    }
  }
}

void change_arithmetic(const Source& source, const Function& function, std::vector<Edit>& edits) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 9> kPairs{{{"+", "-"},
                                                                                        {"-", "+"},
                                                                                        {"/", "*"},
                                                                                        {"%", "/"},
                                                                                        {"+=", "-="},
                                                                                        {"-=", "+="},
                                                                                        {"*=", "/="},
                                                                                        {"/=", "*="},
                                                                                        {"+=", "="}}};
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    if (!source.is_binary(k)) continue;
    for (const auto& [from, to] : kPairs) {
      if (source.at(k) == from && !is_of_rounding_up(source, k))
        edits.push_back(replace(source, k, k, std::string(to)));
    }
    if (source.at(k) == "*") {
      edits.push_back(drop(source, k, source.factor_end(k)));
    }
  }
}

void scatter_threads(const Source& source, const Function& function, std::vector<Edit>& edits) {
  for (std::size_t k = function.open + 1; k + 8 < function.close; ++k) {
    if (source.at(k) != "blockIdx" || source.at(k + 2) != "x") continue;
    const bool braces = source.at(k + 3) == "}";
    const std::size_t times = k + (braces ? 4 : 3);
    if (source.at(times) != "*" || source.at(times + 1) != "blockDim" || source.at(times + 3) != "x" ||
        source.at(times + 4) != "+")
      continue;
    std::size_t last = times + 5;
    if (source.at(last) == "threadIdx" && source.at(last + 2) == "x")
      last += 2;
    else if (!is_thread_index(source, function, source.at(last)))
      continue;
    Edit edit =
        replace(source, k, last, fmt::format("threadIdx.x{} * gridDim.x + blockIdx.x", braces ? "}" : ""));
    edit.name = "threadIdx.x * gridDim.x + blockIdx.x";
    edits.push_back(std::move(edit));
  }
}

void change_shifts(const Source& source, const Function& function, std::vector<Edit>& edits) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kPairs{
      {{"<<", ">>"}, {">>", "<<"}, {"<<=", ">>="}, {">>=", "<<="}}};
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    for (const auto& [from, to] : kPairs) {
      if (source.at(k) == from && source.is_binary(k))
        edits.push_back(replace(source, k, k, std::string(to)));
    }
  }
}

void lose_precision(const Source& source, const Function& function, std::vector<Edit>& edits) {
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    if (source.at(k) == "double") edits.push_back(replace(source, k, k, "float"));
  }
}

void narrow_types(const Source& source, const Function& function, std::vector<Edit>& edits) {
  static constexpr std::array<std::string_view, 6> kWide{"size_t",    "int64_t",  "uint64_t",
                                                         "ptrdiff_t", "unsigned", "uint32_t"};
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    if (std::ranges::find(kWide, source.at(k)) == kWide.end()) continue;
    const bool qualified = source.at(k - 1) == "::" && k >= 2 && source.at(k - 2) == "std";
    std::size_t last = k;
    while (source.at(last + 1) == "long" || source.at(last + 1) == "int") ++last;
    if (source.at(last + 1) == "char" || source.at(last + 1) == "short") continue;
    edits.push_back(replace(source, qualified ? k - 2 : k, last, "int"));
  }
}

}  // namespace warpmark::source_edits
