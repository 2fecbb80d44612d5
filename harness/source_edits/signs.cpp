#include "harness/source_edits/signs.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/source_edits/comparisons.h"
#include "harness/source_edits/edits.h"
#include "harness/source_edits/source.h"

namespace warpmark::source_edits {
namespace {

// Returns the token behind the statement that contains `token`, its semicolon included.
std::size_t behind_statement(const Source& source, std::size_t token, std::size_t close) {
  while (token < close && source.at(token) != ";") ++token;
  return token + 1;
}

// --- A result in the other one of two buffers that take turns ---

// Two pointers that change places at the end of each round of a loop.
struct Exchange {
  std::size_t token = 0;
  std::string_view one, other;
};

// Finds `kept = a; a = b; b = kept;` and `swap(a, b)` in a function of the host.
std::optional<Exchange> exchange_in(const Source& source, const Function& function) {
  for (std::size_t k = function.open + 1; k + 8 < function.close; ++k) {
    const bool by_swap = source.at(k) == "swap" && source.at(k + 1) == "(" && source.at(k + 3) == "," &&
                         source.at(k + 5) == ")";
    if (by_swap) return Exchange{k, source.at(k + 2), source.at(k + 4)};
    const bool by_assignments = source.at(k + 1) == "=" && source.at(k + 3) == ";" &&
                                source.at(k + 5) == "=" && source.at(k + 7) == ";" &&
                                source.at(k + 2) == source.at(k + 4) && source.at(k + 6) != source.at(k) &&
                                k > 3 && source.at(k - 1) == ";" && source.at(k - 2) == source.at(k) &&
                                source.at(k - 3) == "=" && source.at(k - 4) == source.at(k + 6);
    if (by_assignments) return Exchange{k, source.at(k), source.at(k + 2)};
  }
  return std::nullopt;
}

// Returns the innermost loop around a token, as its first and last token; kNone: there is none.
std::pair<std::size_t, std::size_t> loop_around(const Source& source, const Function& function,
                                                std::size_t token) {
  std::pair<std::size_t, std::size_t> loop{Source::kNone, Source::kNone};
  for (std::size_t k = function.open + 1; k < token; ++k) {
    if (source.at(k) != "for" && source.at(k) != "while" && source.at(k) != "do") continue;
    const std::size_t end = source.statement_end(k);
    if (end != Source::kNone && end > token) loop = {k, end};
  }
  return loop;
}

// Returns the code of a pointer's first value, `work.data` of `Packed* from = work.data;`; empty if it is not
// that of an object.
std::string first_value(const Source& source, const Function& function, std::string_view name,
                        std::size_t until) {
  for (std::size_t k = function.open + 1; k + 2 < until; ++k) {
    if (source.at(k) != name || source.at(k + 1) != "=" || !source.is_name(k + 2)) continue;
    const std::size_t end = behind_statement(source, k, until) - 2;
    return source.text(k + 2, end);
  }
  return {};
}

std::optional<Sign> other_half(const Source& source, std::string_view, const WrongOutput&) {
  for (const Function& function : source.functions()) {
    if (function.on_device) continue;
    const auto swap = exchange_in(source, function);
    if (!swap) continue;
    const auto loop = loop_around(source, function, swap->token);
    if (loop.first == Source::kNone) continue;
    for (const std::string_view name : {swap->one, swap->other}) {
      const std::string value = first_value(source, function, name, loop.first);
      if (value.empty()) continue;
      for (std::size_t k = loop.second + 1; k < function.close; ++k) {
        const std::size_t last = behind_statement(source, k, function.close) - 1;
        std::size_t end = k;
        while (end < last && source.text(k, end).size() < value.size()) ++end;
        if (source.text(k, end) != value || source.at(k - 1) == "." || source.at(k - 1) == "->") continue;
        return Sign{source.line(k),
                    fmt::format("line {} exchanges `{}` and `{}` after each round, and line {} takes the "
                                "result from `{}`, where it is only after every second round: take it from "
                                "the one of the two that was written last",
                                source.line(swap->token), swap->one, swap->other, source.line(k), value),
                    true};
      }
    }
  }
  return std::nullopt;
}

// --- Members that are mixed up ---

// A copy from a member to a member: `to.low = f(from.low)`.
struct MemberCopy {
  std::size_t begin = 0, end = 0;  // tokens of the statement, its semicolon not included
  std::size_t to = 0, from = 0;    // tokens of the members' names
};

std::optional<MemberCopy> member_copy(const Source& source, const Statement& statement) {
  MemberCopy copy{statement.begin, statement.end, Source::kNone, Source::kNone};
  std::size_t members = 0;
  for (std::size_t k = statement.begin; k < statement.end; ++k) {
    if (source.is_assignment(k) && source.is_name(k - 1) && is_member(source, k - 1)) copy.to = k - 1;
    const bool member = source.is_name(k) && is_member(source, k) && source.at(k + 1) != "(" &&
                        source.at(k + 1) != "." && source.at(k - 2) != "threadIdx" &&
                        source.at(k - 2) != "blockIdx" && source.at(k - 2) != "blockDim";
    if (copy.to == Source::kNone || k <= copy.to || !member) continue;
    copy.from = k;
    ++members;
  }
  return members == 1 ? std::optional(copy) : std::nullopt;
}

// Returns the statement's code with `*` for the names of both members.
std::string shape_of(const Source& source, const MemberCopy& copy) {
  return source.text(copy.begin, copy.to - 1) + "*" + source.text(copy.to + 1, copy.from - 1) + "*" +
         source.text(copy.from + 1, copy.end);
}

std::optional<Sign> mixed_members(const Source& source, std::string_view, const WrongOutput&) {
  for (const Function& function : source.functions()) {
    std::vector<MemberCopy> copies;
    for (const Statement& statement : source.statements(function)) {
      if (const auto copy = member_copy(source, statement)) copies.push_back(*copy);
    }
    for (const MemberCopy& copy : copies) {
      const std::string_view to = source.at(copy.to);
      const std::string_view from = source.at(copy.from);
      if (to == from) continue;
      // A statement of the same form copies the member to the one of its own name.
      const bool copied_twice = std::ranges::any_of(copies, [&](const MemberCopy& other) {
        return source.at(other.to) == from && source.at(other.from) == from &&
               shape_of(source, other) == shape_of(source, copy);
      });
      if (!copied_twice) continue;
      return Sign{source.line(copy.to),
                  fmt::format("line {} takes `{}` for `{}`, as the line for `{}` does: `{}`",
                              source.line(copy.to), from, to, from, source.text(copy.begin, copy.end))};
    }
  }
  return std::nullopt;
}

// --- Two index expressions that number the same things differently ---

// `left + x + j * kSide`: a variable that is multiplied, and one that is not.
struct Numbering {
  std::string scaled, plain;
  std::size_t begin = 0, end = 0;  // tokens of the sum
};

// A term of a sum.
struct Term {
  std::string variable;
  bool is_scaled = false;
};

// Returns the end of the term that begins at `k`, and notes the term: a name, or a product of two operands of
// which the first is a name.
std::size_t read_term(const Source& source, std::size_t k, std::vector<Term>& terms) {
  if (!source.is_name(k)) return k;
  std::size_t end = k + 1;
  while ((source.at(end) == "." || source.at(end) == "::") && source.is_name(end + 1)) end += 2;
  if (source.at(end) != "*") {
    terms.push_back({source.text(k, end - 1), false});
    return end;
  }
  std::size_t behind = end + 1;
  if (!source.is_name(behind) && !source.is_number(behind)) return k;
  ++behind;
  while (source.at(behind) == "." && source.is_name(behind + 1)) behind += 2;
  terms.push_back({source.text(k, end - 1), true});
  return behind;
}

std::vector<Numbering> numberings_in(const Source& source, const Function& function) {
  std::vector<Numbering> all;
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    const std::string_view before = source.at(k - 1);
    if (before != "[" && before != "=" && before != "(" && before != ",") continue;
    std::vector<Term> terms;
    std::size_t end = read_term(source, k, terms);
    while (end > k && source.at(end) == "+") {
      const std::size_t next = read_term(source, end + 1, terms);
      if (next == end + 1) break;
      end = next;
    }
    for (const Term& scaled : terms) {
      for (const Term& plain : terms) {
        if (scaled.is_scaled && !plain.is_scaled)
          all.push_back({scaled.variable, plain.variable, k, end - 1});
      }
    }
  }
  return all;
}

std::optional<Sign> permuted(const Source& source, std::string_view, const WrongOutput&) {
  for (const Function& function : source.functions()) {
    const auto all = numberings_in(source, function);
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (std::size_t j = i + 1; j < all.size(); ++j) {
        if (all[i].scaled != all[j].plain || all[i].plain != all[j].scaled) continue;
        const int line = source.line(all[i].begin);
        const int other = source.line(all[j].begin);
        return Sign{other, fmt::format("line {} numbers by `{}`, line {} by `{}`: use the same one in both",
                                       line, source.text(all[i].begin, all[i].end), other,
                                       source.text(all[j].begin, all[j].end))};
      }
    }
  }
  return std::nullopt;
}

// --- Equal values ---

// Returns the lines that put a position into the low bits of a number: `key << 32 | position`, also with a
// name for the shifted key.
std::vector<int> packing_lines(const Source& source) {
  std::set<std::string_view> shifted;
  std::set<int> lines;
  for (const Function& function : source.functions()) {
    for (std::size_t k = function.open + 1; k < function.close; ++k) {
      const std::size_t begin = source.statement_begin(k);
      if (source.at(k) == "<<") {
        for (std::size_t to = begin; to < k; ++to) {
          if (source.at(to + 1) == "=" && source.is_name(to)) shifted.insert(source.at(to));
        }
      }
      if (source.at(k) != "|") continue;
      bool packs = shifted.contains(source.at(k - 1)) || shifted.contains(source.at(k + 1));
      for (std::size_t at = begin; at < behind_statement(source, k, function.close); ++at)
        packs = packs || source.at(at) == "<<";
      if (packs) lines.insert(source.line(k));
    }
  }
  return {lines.begin(), lines.end()};
}

// Returns the text of a line.
std::string_view line_text(std::string_view text, int line) {
  for (; line > 1; --line) text.remove_prefix(std::min(text.find('\n'), text.size() - 1) + 1);
  return text.substr(0, text.find('\n'));
}

// Returns the line that names the output, or its name up to the last underscore; else the first.
int line_about(std::string_view text, const std::vector<int>& lines, std::string_view name) {
  for (std::string_view part = name; !part.empty();
       part = part.substr(0, part.find('_') == std::string_view::npos ? 0 : part.rfind('_'))) {
    for (const int line : lines) {
      if (line_text(text, line).find(part) != std::string_view::npos) return line;
    }
  }
  return lines.front();
}

std::optional<Sign> ties(const Source& source, std::string_view text, const WrongOutput& output) {
  const auto packed = packing_lines(source);
  const auto compared = lines_that_compare_alike(text);
  if (packed.empty() && compared.empty()) return std::nullopt;
  const bool packs = compared.empty();
  const auto& lines = packs ? packed : compared;
  return Sign{line_about(text, lines, output.name),
              fmt::format("{} at line{} {}{}",
                          packs ? "a position is packed behind its value" : "values are compared",
                          lines.size() == 1 ? "" : "s", fmt::join(lines, ", "),
                          packs ? ": where the greatest packed number is looked for, the greatest position "
                                  "wins unless it is inverted (~position)"
                                : "")};
}

// --- The value with which a computation begins ---

std::optional<Sign> beginning(const Source& source, std::string_view text, const WrongOutput& output) {
  for (const std::string& written : output.written_as) {
    for (std::size_t k = 1; k < source.count(); ++k) {
      if (source.at(k) != written) continue;
      // A member of numeric_limits<>, or else a macro: no function of that name.
      const bool is_limit = source.at(k - 1) == "::" && source.at(k - 2) == ">";
      if (source.at(k + 1) == "(" && !is_limit) continue;
      const int line = source.line(k);
      std::string_view code = line_text(text, line);
      code.remove_prefix(std::min(code.find_first_not_of(' '), code.size()));
      return Sign{line, fmt::format("line {} writes it: `{}`", line, code)};
    }
  }
  return std::nullopt;
}

std::optional<Sign> unstable(const Source& /*source*/, std::string_view text, const WrongOutput&) {
  return place_by_atomic(text);
}

// Right numbers in the wrong order may have other reasons, too.
std::optional<Sign> any_order(const Source& /*source*/, std::string_view text, const WrongOutput&) {
  auto sign = place_by_atomic(text);
  if (sign) sign->is_sure = false;
  return sign;
}

struct SignRow {
  std::string_view mistake;
  std::optional<Sign> (*find)(const Source& source, std::string_view text, const WrongOutput& output);
};
constexpr std::array kSignRows{
    SignRow{"other_half", other_half},      SignRow{"mixed_members", mixed_members},
    SignRow{"wrong_buffer", mixed_members}, SignRow{"wrong_index", mixed_members},
    SignRow{"permuted", permuted},          SignRow{"ties", ties},
    SignRow{"unstable", unstable},          SignRow{"initial_value", beginning},
    SignRow{"wrong_order", any_order},
};

}  // namespace

std::optional<Sign> find_sign(std::string_view text, const WrongOutput& output) {
  const Source source(text);
  for (const SignRow& row : kSignRows) {
    if (row.mistake != output.mistake) continue;
    return row.find(source, text, output);
  }
  return std::nullopt;
}

}  // namespace warpmark::source_edits
