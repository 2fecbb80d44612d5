// Repairs that choose otherwise: one branch for a condition, another order of statements, another step of a
// loop, another function.
#include <array>
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

// Always takes one of the two values of `c ? a : b`.
void take_one_branch(const Source& source, const Function& function, std::vector<Edit>& edits) {
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
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    if (source.at(k + 1) != "(") continue;
    for (const auto& [from, to] : kPairs) {
      if (source.at(k) == from) edits.push_back(replace(source, k, k, std::string(to)));
    }
  }
}

}  // namespace warpmark::source_edits
