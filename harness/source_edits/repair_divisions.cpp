// Repairs of quotients: rounded up, rounded down, and with their fractions.
#include <fmt/format.h>

#include "harness/source_edits/edits.h"
#include "harness/source_edits/repairs.h"

namespace warpmark::source_edits {
namespace {

// A quotient of a function's body: its first and last token, and the texts of its operands.
struct Quotient {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string dividend;
  std::string divisor;
};

std::vector<Quotient> quotients_in(const Source& source, const Function& function) {
  std::vector<Quotient> all;
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    if (source.at(k) != "/" || !source.is_binary(k)) continue;
    const std::size_t end = source.factor_end(k);
    std::size_t begin = k - 1;
    if (source.at(begin) == ")" && source.partner(begin) != Source::kNone) begin = source.partner(begin);
    if (source.at(begin) != "(") begin = begin_of_member(source, begin);
    all.push_back({begin, end, source.text(begin, k - 1), source.text(k + 1, end)});
  }
  return all;
}

// Replaces a quotient by the text, in brackets where others stand around it.
Edit with(const Source& source, const Quotient& quotient, const std::string& text) {
  const std::string_view before = source.at(quotient.begin - 1);
  const std::string_view behind = source.at(quotient.end + 1);
  const bool alone = (before == "=" || before == "(" || before == "," || before == "return") &&
                     (behind == ";" || behind == ")" || behind == ",");
  return replace(source, quotient.begin, quotient.end, alone ? text : fmt::format("({})", text));
}

// Returns the sum's first part, "(n", of a dividend that rounds up, "(n + kThreads - 1)"; else nothing.
std::string rounded_up(const Quotient& quotient) {
  const auto plus = quotient.dividend.find(" + ");
  const bool rounds = quotient.dividend.starts_with("(") && plus != std::string::npos;
  return rounds ? quotient.dividend.substr(0, plus) : "";
}

}  // namespace

void round_up(const Source& source, const Function& function, std::vector<Edit>& edits) {
  for (const Quotient& each : quotients_in(source, function)) {
    if (!rounded_up(each).empty()) continue;
    edits.push_back(
        with(source, each, fmt::format("({} + {} - 1) / {}", each.dividend, each.divisor, each.divisor)));
  }
}

// Rounds a share up, `share = n / threads`, and lets the next loop behind it end with n: for (; i < (t + 1) *
// share && i < n;).
void round_shares_up(const Source& source, const Function& function, std::vector<Edit>& edits) {
  for (const Quotient& each : quotients_in(source, function)) {
    if (!rounded_up(each).empty() || source.at(each.begin - 1) != "=") continue;
    std::size_t loop = each.end;
    while (loop < function.close && source.at(loop) != "for") ++loop;
    if (loop == function.close || source.partner(loop + 1) == Source::kNone) continue;
    std::size_t test = loop + 2;
    while (test < source.partner(loop + 1) && source.at(test) != ";") ++test;
    std::size_t end = test + 1;
    while (end < source.partner(loop + 1) && source.at(end) != ";") ++end;
    if (end == source.partner(loop + 1) || end == test + 1) continue;
    edits.push_back(replace(
        source, each.begin, end - 1,
        fmt::format(
            "({} + {} - 1) / {}{} && {} < {}", each.dividend, each.divisor, each.divisor,
            source.text(each.end, end - 1).substr(source.token(each.end).end - source.token(each.end).begin),
            source.at(test + 1), each.dividend)));
  }
}

void round_down(const Source& source, const Function& function, std::vector<Edit>& edits) {
  for (const Quotient& each : quotients_in(source, function)) {
    const std::string sum = rounded_up(each);
    if (sum.empty()) continue;
    edits.push_back(with(source, each, fmt::format("{} / {}", sum.substr(1), each.divisor)));
  }
}

// Divides as real numbers what was divided as whole ones.
void keep_fractions(const Source& source, const Function& function, std::vector<Edit>& edits) {
  for (const Quotient& each : quotients_in(source, function))
    edits.push_back(with(source, each, fmt::format("1.0 * {} / {}", each.dividend, each.divisor)));
}

}  // namespace warpmark::source_edits
