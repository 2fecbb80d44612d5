// Repairs that choose otherwise: one branch for a condition, another order of statements, another step of a
// loop, another function.
#include <array>
#include <bit>
#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "harness/source_edits/edits.h"
#include "harness/source_edits/repairs.h"

namespace warpmark::source_edits {
namespace {

// Returns the first token of the condition of a ? at `token`.
std::size_t begin_of_condition(const Source& source, std::size_t token, std::size_t least) {
  std::size_t k = token;
  while (k > least) {
    const std::string_view before = source.at(k - 1);
    if ((before == ")" || before == "]" || before == "}") && source.partner(k - 1) != Source::kNone) {
      k = source.partner(k - 1);
      continue;
    }
    if (before == "(" || before == "[" || before == "{" || before == ";" || before == "," ||
        before == "return" || before == ":" || before == "?" || source.is_assignment(k - 1))
      break;
    --k;
  }
  return k;
}

// Returns the last token of the operand behind a ? or : at `token`, which ends in front of `:` or a bracket,
// comma or semicolon.
std::size_t end_of_branch(const Source& source, std::size_t token, std::size_t most) {
  std::size_t k = token;
  while (k + 1 < most) {
    const std::string_view next = source.at(k + 1);
    if (next == ":" || next == ";" || next == "," || next == ")" || next == "]" || next == "}" || next == "?")
      break;
    const bool opens = next == "(" || next == "[" || next == "{";
    k = opens && source.partner(k + 1) != Source::kNone ? source.partner(k + 1) : k + 1;
  }
  return k;
}

}  // namespace

// Always takes one of the two values of `c ? a : b` in a kernel. In host code that would choose the number of
// blocks, or the kernel.
void take_one_branch(const Source& source, const Function& function, std::vector<Edit>& edits) {
  if (!function.on_device) return;
  for (std::size_t k = function.open + 1; k + 3 < function.close; ++k) {
    if (source.at(k) != "?") continue;
    const std::size_t begin = begin_of_condition(source, k, function.open + 1);
    const std::size_t colon = end_of_branch(source, k, function.close) + 1;
    if (source.at(colon) != ":" || begin == k) continue;
    const std::size_t end = end_of_branch(source, colon, function.close);
    if (source.at(end + 1) == "?") continue;
    edits.push_back(replace(source, begin, end, source.text(k + 1, colon - 1)));
    edits.push_back(replace(source, begin, end, source.text(colon + 1, end)));
  }
}

// Exchanges two statements that follow each other.
void swap_statements(const Source& source, const Function& function, std::vector<Edit>& edits) {
  const std::vector<Statement> statements = source.statements(function);
  for (std::size_t k = 0; k + 1 < statements.size(); ++k) {
    const Statement& first = statements[k];
    const Statement& second = statements[k + 1];
    if (first.end + 1 != second.begin) continue;
    // A statement that an if or a loop controls ends that; the one behind it does not belong to it.
    const std::string_view before = source.at(first.begin - 1);
    if (before != ";" && before != "{" && before != "}") continue;
    const std::string between =
        std::string(source.substring(source.token(first.end).end, source.token(second.begin).begin));
    edits.push_back(replace(source, first.begin, second.end,
                            fmt::format("{}{}{}", source.text(second.begin, second.end), between,
                                        source.text(first.begin, first.end))));
  }
}

// Lets one thread of the block do what all do: store or add a result of the block.
void let_one_thread(const Source& source, const Function& function, std::vector<Edit>& edits) {
  if (!function.on_device) return;
  for (const Statement& statement : source.statements(function)) {
    bool stores = source.at(statement.begin).starts_with("atomic");
    for (std::size_t k = statement.begin; k < statement.end; ++k)
      stores = stores || (source.is_assignment(k) && source.at(k - 1) == "]") ||
               (source.is_assignment(k) && source.at(statement.begin) == "*");
    if (stores)
      edits.push_back(insert_before(source, statement.begin, "if (threadIdx.x == 0) ", "only thread 0"));
  }
}

// Lets a loop go on to its last rounds: 0 or 1 in place of another number in its condition.
void go_to_the_end(const Source& source, const Function& function, std::vector<Edit>& edits) {
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    if (source.at(k) != "for" || source.at(k + 1) != "(" || source.partner(k + 1) == Source::kNone) continue;
    for (std::size_t test = k + 2; test < source.partner(k + 1); ++test) {
      const bool shrinks = source.at(test) == ">" || source.at(test) == ">=" || source.at(test) == "!=";
      if (!shrinks || !source.is_binary(test) || source.at(test + 2) != ";") continue;
      for (const std::string_view last : {"0", "1"}) {
        if (source.at(test + 1) != last)
          edits.push_back(replace(source, test + 1, test + 1, std::string(last)));
      }
    }
  }
}

// Doubles and halves numbers that are powers of two.
void scale_constants(const Source& source, const Function& function, std::vector<Edit>& edits) {
  constexpr unsigned kMost = 4096;
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    const std::string_view text = source.at(k);
    unsigned number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) continue;
    if (number < 2 || number > kMost || !std::has_single_bit(number)) continue;
    edits.push_back(replace(source, k, k, std::to_string(2 * number)));
    edits.push_back(replace(source, k, k, std::to_string(number / 2)));
  }
}

// Multiplies where a loop's step adds, and the other way round.
void change_growth(const Source& source, const Function& function, std::vector<Edit>& edits) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kPairs{
      {{"+=", "*="}, {"*=", "+="}, {"-=", "/="}, {"/=", "-="}}};
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    if (source.at(k) != "for" || source.at(k + 1) != "(" || source.partner(k + 1) == Source::kNone) continue;
    for (std::size_t step = source.partner(k + 1); source.at(step) != ";" && step > k; --step) {
      for (const auto& [from, to] : kPairs) {
        if (source.at(step) == from) edits.push_back(replace(source, step, step, std::string(to)));
      }
    }
  }
}

// Calls a function that is easily taken for another one.
void change_functions(const Source& source, const Function& function, std::vector<Edit>& edits) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kPairs{
      {{"atomicExch", "atomicAdd"},
       {"atomicMax", "atomicAdd"},
       {"atomicMin", "atomicAdd"},
       {"atomicSub", "atomicAdd"},
       {"atomicAdd", "atomicMax"},
       {"atomicAdd", "atomicMin"},
       {"atomicOr", "atomicAdd"},
       {"__shfl_xor_sync", "__shfl_down_sync"},
       {"__shfl_down_sync", "__shfl_xor_sync"},
       {"upper_bound", "lower_bound"},
       {"lower_bound", "upper_bound"},
       {"abs", "fabs"}}};
  swap_tokens(source, function, edits, kPairs, false);
}

}  // namespace warpmark::source_edits
