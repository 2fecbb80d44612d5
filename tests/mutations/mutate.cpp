#include "tests/mutations/mutate.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <optional>
#include <regex>

#include <fmt/format.h>

namespace warpmark::mutations {
namespace {

constexpr auto kNone = std::string_view::npos;

// A replacement of part of the text.
struct Change {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string by;
};

// The text with comments, strings and preprocessor lines blanked: what is found in it stands at the same
// place in the program.
std::string code_of(std::string_view program) {
  std::string code(program);
  const auto blank = [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < std::min(end, code.size()); ++i) code[i] = code[i] == '\n' ? '\n' : ' ';
  };
  bool line_begins = true;
  for (std::size_t i = 0; i < program.size(); ++i) {
    const auto until = [&](std::string_view mark) {
      return std::min(program.find(mark, i + 1), program.size());
    };
    std::size_t end = i;
    if (program.substr(i, 2) == "//" || (program[i] == '#' && line_begins)) end = until("\n");
    if (program.substr(i, 2) == "/*") end = until("*/") + 2;
    if (program[i] == '"') end = until("\"") + 1;
    blank(i, end);
    if (end > i) i = end - 1;
    line_begins = program[i] == '\n' || (line_begins && program[i] == ' ');
  }
  return code;
}

class Source {
 public:
  explicit Source(std::string_view program) : code_(code_of(program)) { find_device_code(); }

  [[nodiscard]] const std::string& code() const { return code_; }
  [[nodiscard]] bool on_device(std::size_t at) const {
    return std::any_of(device_.begin(), device_.end(),
                       [=](const auto& range) { return range.first <= at && at < range.second; });
  }
  // Behind the bracket that closes the one at `open`.
  [[nodiscard]] std::size_t behind(std::size_t open) const {
    int depth = 0;
    for (std::size_t i = open; i < code_.size(); ++i) {
      if (std::string_view("([{").find(code_[i]) != kNone) ++depth;
      if (std::string_view(")]}").find(code_[i]) != kNone && --depth == 0) return i + 1;
    }
    return code_.size();
  }
  [[nodiscard]] std::string part(std::size_t begin, std::size_t end) const {
    return code_.substr(begin, end - begin);
  }

 private:
  // Bodies of functions that are declared __global__ or __device__; a variable has a ';' before its '{'.
  void find_device_code() {
    for (const std::string_view mark : {"__global__", "__device__"}) {
      for (std::size_t at = code_.find(mark); at != kNone; at = code_.find(mark, at + 1)) {
        const std::size_t open = code_.find_first_of(";{", at);
        if (open != kNone && code_[open] == '{') device_.emplace_back(open, behind(open));
      }
    }
  }

  std::string code_;
  std::vector<std::pair<std::size_t, std::size_t>> device_;
};

using Changes = std::vector<Change>;

// Every match of the pattern is replaced by a text in which $1 and so on stand for its groups.
Changes replaced(const Source& source, const std::string& pattern, const std::string& by, bool device_only) {
  Changes changes;
  const std::regex regex(pattern, std::regex::ECMAScript | std::regex::multiline);
  for (std::sregex_iterator match(source.code().begin(), source.code().end(), regex), end; match != end;
       ++match) {
    const auto begin = static_cast<std::size_t>(match->position());
    if (device_only && !source.on_device(begin)) continue;
    changes.push_back({begin, begin + static_cast<std::size_t>(match->length()), match->format(by)});
  }
  return changes;
}

bool begins_with(std::string_view text, std::string_view with) {
  const std::size_t at = text.find_first_not_of(" \n");
  return at != kNone && text.substr(at, with.size()) == with;
}

// `if (test) return` goes on, any other `if (test)` is always taken.
Changes guards(const Source& source) {
  Changes changes;
  const std::regex head(R"(\bif \()");
  for (std::sregex_iterator match(source.code().begin(), source.code().end(), head), end; match != end;
       ++match) {
    const std::size_t open = static_cast<std::size_t>(match->position() + match->length()) - 1;
    if (!source.on_device(open)) continue;
    const std::size_t behind = source.behind(open);
    const bool leaves = begins_with(std::string_view(source.code()).substr(behind), "return");
    changes.push_back({open + 1, behind - 1, leaves ? "false" : "true"});
  }
  return changes;
}

// A `test ? then : otherwise` and the place where its value goes.
struct Choice {
  std::size_t test = 0;      // begins here
  std::size_t question = 0;  // the '?'
  std::size_t colon = 0;
  std::size_t end = 0;  // behind `otherwise`
};

// From `at` to the first of `marks` outside of brackets that open behind it.
std::size_t next_outside(const std::string& code, std::size_t at, std::string_view marks) {
  int depth = 0;
  for (std::size_t i = at; i < code.size(); ++i) {
    if (depth == 0 && marks.find(code[i]) != kNone) return i;
    if (std::string_view("([{").find(code[i]) != kNone) ++depth;
    if (std::string_view(")]}").find(code[i]) != kNone) --depth;
  }
  return code.size();
}

// Back from `at` to behind what an expression cannot contain: an assignment, a comma, an opening bracket, a
// statement's begin.
std::size_t begin_of_expression(const std::string& code, std::size_t at) {
  int depth = 0;
  for (std::size_t i = at; i-- > 0;) {
    const char c = code[i];
    if (std::string_view(")]}").find(c) != kNone) ++depth;
    if (std::string_view("([{").find(c) != kNone && depth-- == 0) return i + 1;
    const bool compares =
        c == '=' && (code[i + 1] == '=' || std::string_view("=<>!").find(code[i - 1]) != kNone);
    if (depth == 0 && ((c == '=' && !compares) || c == ',' || c == ';')) return i + 1;
  }
  return 0;
}

std::vector<Choice> choices(const Source& source) {
  std::vector<Choice> found;
  const std::string& code = source.code();
  for (std::size_t at = code.find('?'); at != kNone; at = code.find('?', at + 1)) {
    const std::size_t colon = next_outside(code, at + 1, ":");
    const std::size_t test = code.find_first_not_of(" \n", begin_of_expression(code, at));
    found.push_back({test, at, colon, next_outside(code, colon + 1, ";,)")});
  }
  return found;
}

// Tests for equality lead to a special case, which is left out; the others lead to what is usually done.
Changes choices_made(const Source& source) {
  Changes changes;
  for (const Choice& choice : choices(source)) {
    const std::size_t end = choice.question - 1;
    const bool special = source.part(choice.test, end).find("==") != std::string::npos;
    changes.push_back({choice.test, end, special ? "false" : "true"});
  }
  return changes;
}

Changes tests(const Source& source) {
  Changes changes = guards(source);
  const Changes made = choices_made(source);
  changes.insert(changes.end(), made.begin(), made.end());
  std::sort(changes.begin(), changes.end(),
            [](const Change& a, const Change& b) { return a.begin < b.begin; });
  return changes;
}

// `T x = test ? value : 0;` becomes `T x; if (test) x = value;`, the same without the T.
Changes left_out_of_range(const Source& source) {
  Changes changes;
  const std::string& code = source.code();
  for (const Choice& choice : choices(source)) {
    if (!source.on_device(choice.question) || code[choice.end] != ';') continue;
    static const std::regex zero(R"(\s*(0|0\.0f|\w+\{0?\}))");
    if (!std::regex_match(source.part(choice.colon + 1, choice.end), zero)) continue;
    const std::size_t line = code.rfind('\n', choice.test) + 1;
    const std::string target = source.part(line, choice.test);
    std::smatch parts;
    if (!std::regex_match(target, parts, std::regex(R"((\s*)([\w:]+ )?([^ ].*) = )"))) continue;
    const std::string declared =
        parts[2].matched ? fmt::format("{}{}; ", parts[2].str(), parts[3].str()) : "";
    const std::string value = source.part(choice.question + 2, choice.colon - 1);
    changes.push_back({line, choice.end + 1,
                       fmt::format("{}{}if ({}) {} = {};", parts[1].str(), declared,
                                   source.part(choice.test, choice.question - 1), parts[3].str(), value)});
  }
  return changes;
}

Changes unset(const Source& source) {
  Changes changes = replaced(source, R"(^( *)([\w:]+) (\w+) = 0;)", "$1$2 $3;", true);
  for (const auto& [pattern, device_only] :
       {std::pair{R"(^ *\w+ = 0;)", true}, std::pair{R"(\bcudaMemset(Async)?\([^;]*;)", false}}) {
    const Changes more = replaced(source, pattern, ";", device_only);
    changes.insert(changes.end(), more.begin(), more.end());
  }
  return changes;
}

struct Rule {
  std::string_view name;
  std::function<Changes(const Source&)> apply;
};

std::function<Changes(const Source&)> replacing(const std::string& pattern, const std::string& by,
                                                bool device_only) {
  return [=](const Source& source) { return replaced(source, pattern, by, device_only); };
}

const std::vector<Rule>& rules() {
  static const std::vector<Rule> all = {
      {"barrier", replacing(R"(\b__syncthreads\(\);)", ";", true)},
      {"syncwarp", replacing(R"(\b__syncwarp\([^)]*\);)", ";", true)},
      {"fence", replacing(R"(\b__threadfence(_block|_system)?\(\);)", ";", true)},
      {"volatile", replacing(R"(\bvolatile )", "", false)},
      {"test", tests},
      {"outside", left_out_of_range},
      {"zero", unset},
      {"bound", replacing(R"(\bfor \(([^;]*); ([^;<]*) < ([^;]*);)", "for ($1; $2 <= $3;", true)},
      {"ticket", replacing(R"(\batomicInc\(&(\w+), [^)]*\))", "atomicAdd(&$1, 1U)", true)},
      {"atomic", replacing(R"(\batomic_add\((\w+), (.*)\);)", "*$1 += $2;", true)},
  };
  return all;
}

std::string line_around(std::string_view text, std::size_t at) {
  const std::size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
  const std::string_view line = text.substr(begin, text.find('\n', at) - begin);
  const std::size_t first = line.find_first_not_of(' ');
  return std::string(first == kNone ? line : line.substr(first));
}

}  // namespace

std::vector<Mutant> mutants_of(std::string_view program) {
  const Source source(program);
  std::vector<Mutant> mutants;
  for (const Rule& rule : rules()) {
    int count = 0;
    for (const Change& change : rule.apply(source)) {
      Mutant mutant;
      mutant.name = fmt::format("{}.{}", rule.name, ++count);
      mutant.line =
          1 + static_cast<int>(std::count(program.begin(),
                                          program.begin() + static_cast<std::ptrdiff_t>(change.begin), '\n'));
      mutant.text =
          fmt::format("{}{}{}", program.substr(0, change.begin), change.by, program.substr(change.end));
      mutant.was = line_around(program, change.begin);
      mutant.is = line_around(mutant.text, change.begin);
      mutants.push_back(std::move(mutant));
    }
  }
  return mutants;
}

}  // namespace warpmark::mutations
