#include "harness/source_edits/mutants.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "harness/assignments/random.h"
#include "harness/base/text.h"
#include "harness/source_edits/edits.h"
#include "harness/source_edits/harmless.h"

namespace warpmark::source_edits {
namespace {

std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : text) {
    const bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r';
    if (!blank)
      line += c;
    else if (!line.empty() && line.back() != ' ')
      line += ' ';
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

struct Line {
  std::size_t begin = 0;
  std::string_view text;  // text of a source line without indentation and line end
  bool solution = false;  // true: the source line lies between <solution> and </solution>
  bool marker = false;    // true: the source line is itself a <solution> or <stub> comment
};

std::vector<Line> lines_in(std::string_view text) {
  std::vector<Line> lines;
  bool inside = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    Line line{at, trimmed(text.substr(at, end - at))};
    const bool opens = line.text.starts_with("// <solution>");
    const bool closes = line.text.starts_with("// </solution>");
    if (opens) inside = true;
    line.marker = opens || closes || line.text.starts_with("// <stub>");
    line.solution = inside && !line.marker;
    if (closes) inside = false;
    lines.push_back(line);
    at = end + 1;
  }
  return lines;
}

}  // namespace

Edit replace(const Source& source, std::size_t first, std::size_t last, const std::string& by, bool is_drop) {
  const std::string was = one_line(source.text(first, last));
  return {source.token(first).begin, source.token(last).end, by,
          is_drop ? "drop " + was : fmt::format("{} to {}", was, one_line(by))};
}

Edit drop(const Source& source, std::size_t first, std::size_t last) {
  return replace(source, first, last, "", true);
}

Edit insert_before(const Source& source, std::size_t token, const std::string& what,
                   const std::string& name) {
  return {source.token(token).begin, source.token(token).begin, what, name};
}

std::string changed_by(std::string_view text, const Edit& edit) {
  std::string changed = fmt::format("{}{}{}", text.substr(0, edit.begin), edit.by, text.substr(edit.end));
  const auto dropped = std::count(text.begin() + static_cast<std::ptrdiff_t>(edit.begin),
                                  text.begin() + static_cast<std::ptrdiff_t>(edit.end), '\n') -
                       std::count(edit.by.begin(), edit.by.end(), '\n');
  if (dropped > 0)
    changed.insert(edit.begin + edit.by.size(), std::string(static_cast<std::size_t>(dropped), '\n'));
  return changed;
}

bool is_member(const Source& source, std::size_t token) {
  return source.at(token - 1) == "." || source.at(token - 1) == "->";
}

bool is_built_in(std::string_view name) {
  return name == "threadIdx" || name == "blockIdx" || name == "blockDim" || name == "gridDim";
}

std::vector<Statement> parts_of(const Source& source, const Function& function) {
  std::vector<Statement> parts;
  std::size_t begin = function.open + 1;
  for (std::size_t k = begin; k <= function.close; ++k) {
    const std::string_view what = source.at(k);
    const bool head =
        what == ")" && source.partner(k) != Source::kNone &&
        (source.at(source.partner(k) - 1) == "if" || source.at(source.partner(k) - 1) == "while" ||
         source.at(source.partner(k) - 1) == "for");
    if (what != ";" && what != "{" && what != "}" && !head) continue;
    if (begin < k) parts.push_back({begin, k});
    begin = k + 1;
  }
  return parts;
}

std::vector<Constant> file_constants(const Source& source) {
  std::vector<Constant> all;
  for (std::size_t k = 2; k + 1 < source.count(); ++k) {
    const bool inside = std::ranges::any_of(source.functions(), [&](const Function& function) {
      return function.open < k && k < function.close;
    });
    if (inside || source.at(k) != "=" || !source.is_name(k - 1) || !source.is_name(k - 2)) continue;
    std::size_t begin = k;
    while (begin > 0 && source.at(begin - 1) != ";" && source.at(begin - 1) != "}") --begin;
    if (source.at(begin) != "using") all.push_back({k - 1, source.statement_end(k)});
  }
  return all;
}

std::size_t end_of_scope(const Source& source, const Function& function, std::size_t token) {
  for (std::size_t k = token; k > function.open; --k) {
    const std::size_t partner = source.partner(k - 1);
    if (partner == Source::kNone || partner < token) continue;
    if (source.at(k - 1) == "{") return partner;
    // for (int i = 0; ...) and if (int i = f(); ...)
    if (source.at(k - 1) == "(") return source.statement_end(partner + 1);
  }
  return function.close;
}

void swap_tokens(const Source& source, const Function& function, std::vector<Edit>& edits, Pairs pairs,
                 bool binary) {
  for (std::size_t k = function.open + 1; k < function.close; ++k) {
    for (const auto& [from, to] : pairs) {
      if (source.at(k) == from && (!binary || source.is_binary(k)) && !chooses_operand(source, k))
        edits.push_back(replace(source, k, k, std::string(to)));
    }
  }
}

std::size_t begin_of_member(const Source& source, std::size_t token) {
  std::size_t begin = token;
  while (is_member(source, begin)) {
    begin -= 2;
    while (source.at(begin) == "]" && source.partner(begin) != Source::kNone)
      begin = source.partner(begin) - 1;
  }
  return begin;
}

std::vector<Argument> arguments_of(const Source& source, std::size_t open) {
  std::vector<Argument> arguments;
  const std::size_t close = source.partner(open);
  std::size_t begin = open + 1;
  for (std::size_t k = begin; k <= close; ++k) {
    const std::string_view what = source.at(k);
    if (k == close || what == ",") {
      if (k == begin) return {};
      arguments.push_back({begin, k - 1});
      begin = k + 1;
    } else if ((what == "(" || what == "[" || what == "{") && source.partner(k) != Source::kNone) {
      k = source.partner(k);
    }
  }
  return arguments;
}

std::vector<Mutant> mutants_of(const std::string& version, const std::string& file, std::string_view text) {
  const Source source(text);
  const std::vector<Line> lines = lines_in(text);
  const bool has_marks = std::ranges::any_of(lines, &Line::solution);
  struct Placed {
    Edit edit;
    std::string_view kind;
  };
  std::vector<Placed> placed;
  for (const Function& function : source.functions()) {
    for (const Operator& each : operators()) {
      std::vector<Edit> edits;
      each.apply(source, function, edits);
      for (Edit& edit : edits) placed.push_back({std::move(edit), each.name});
    }
  }
  std::ranges::stable_sort(placed, {}, [](const Placed& one) { return one.edit.begin; });
  std::vector<Mutant> mutants;
  std::set<std::string> seen{std::string(text)};
  std::map<std::pair<std::string, std::string>, std::uint64_t> equal;
  for (const Placed& each : placed) {
    const Edit& edit = each.edit;
    const auto behind = std::ranges::upper_bound(lines, edit.begin, {}, &Line::begin);
    if (behind == lines.begin()) continue;
    const Line& line = *(behind - 1);
    if (line.marker || (has_marks && !line.solution)) continue;
    std::string changed = changed_by(text, edit);
    if (!seen.insert(changed).second) continue;
    Mutant mutant{version,
                  file,
                  std::string(each.kind),
                  static_cast<int>(behind - lines.begin()),
                  std::string(line.text),
                  edit.name,
                  1,
                  std::move(changed)};
    mutant.nth = ++equal[{mutant.line_text, mutant.edit}];
    mutants.push_back(std::move(mutant));
  }
  return mutants;
}

std::vector<Mutant> sample_of(std::vector<Mutant> all, std::size_t count, std::uint64_t seed) {
  if (count == 0 || all.size() <= count) return all;
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), 0);
  for (std::size_t i = 0; i < count; ++i)
    std::swap(order[i], order[i + random_below(seed, i, order.size() - i)]);
  order.resize(count);
  std::ranges::sort(order);
  std::vector<Mutant> chosen;
  for (const std::size_t index : order) chosen.push_back(std::move(all[index]));
  return chosen;
}

}  // namespace warpmark::source_edits
