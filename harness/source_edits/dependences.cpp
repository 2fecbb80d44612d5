#include "harness/source_edits/dependences.h"

#include <algorithm>
#include <deque>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "harness/source_edits/source.h"

namespace warpmark::source_edits {
namespace {

// Index of a name's function; names outside of functions belong to none.
constexpr std::size_t kOutside = Source::kNone;
using Name = std::pair<std::size_t, std::string>;

// What one line does: the names whose values it may change and those that it uses, and the lines of the
// heads around it.
struct Effects {
  std::set<Name> sets, uses;
  std::set<int> heads;
};

class Lines {
 public:
  explicit Lines(std::string_view text) : source_(text) {
    std::size_t at = 0;
    int line = 1;
    for (std::size_t k = 0; k < source_.count(); ++k) {
      for (; at < source_.token(k).begin; ++at) line += text[at] == '\n' ? 1 : 0;
      line_of_.push_back(line);
    }
    lines_.resize(static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + 2);
    const auto& functions = source_.functions();
    for (std::size_t f = 0; f < functions.size(); ++f) {
      for (std::size_t k = functions[f].open + 1; k < functions[f].close; ++k) read(f, k);
      // What a loop does depends on the jumps out of it.
      for (const std::size_t jump : jumps_) {
        Effects& of_jump = lines_[static_cast<std::size_t>(line_of_[jump])];
        for (const int head : of_jump.heads) {
          const Name name{f, fmt::format("jump out of {}", head)};
          lines_[static_cast<std::size_t>(head)].uses.insert(name);
          of_jump.sets.insert(name);
        }
      }
      jumps_.clear();
    }
  }

  [[nodiscard]] const std::vector<Effects>& all() const { return lines_; }

 private:
  Effects& at(std::size_t token) { return lines_[static_cast<std::size_t>(line_of_[token])]; }
  [[nodiscard]] Name name(std::size_t function, std::size_t token) const {
    return {function, std::string(source_.at(token))};
  }

  void read(std::size_t function, std::size_t k) {
    const std::string_view what = source_.at(k);
    if (source_.is_name(k)) at(k).uses.insert(name(function, k));
    // A declaration with its first value in brackets: `dim3 grid(across, down);`
    const std::string_view before = k > 0 ? source_.at(k - 1) : std::string_view();
    const bool of_type =
        k > 0 && before != "return" && before != "else" && (source_.is_name(k - 1) || before == ">");
    if (source_.is_name(k) && of_type && (source_.at(k + 1) == "(" || source_.at(k + 1) == "{"))
      at(k).sets.insert(name(function, k));
    if (source_.is_assignment(k) || what == "++" || what == "--") sets_around(function, k);
    if ((what == "(" || what == ">>>") && k > 0) call(function, k);
    if (what == "return") at(k).sets.emplace(kOutside, source_.functions()[function].name);
    if (what == "if" || what == "for" || what == "while") head(k);
    if (what == "break" || what == "continue" || what == "return") jumps_.push_back(k);
  }

  // The variable in front of an assignment, `a[i].b =`, or behind ++.
  void sets_around(std::size_t function, std::size_t k) {
    std::size_t before = k;
    while (before > 0) {
      const std::string_view what = source_.at(before - 1);
      if (what == "]" && source_.partner(before - 1) != Source::kNone)
        before = source_.partner(before - 1);
      else if (source_.is_name(before - 1))
        at(k).sets.insert(name(function, --before));
      else if (what == "." || what == "->")
        --before;
      else
        break;
      if (source_.is_name(before) && source_.at(before - 1) != "." && source_.at(before - 1) != "->") break;
    }
    if (source_.is_name(k + 1) && before == k) at(k).sets.insert(name(function, k + 1));
  }

  // A call or launch may change what its arguments name, sets the parameters of a function of the file, and
  // uses what that function returns or stores.
  void call(std::size_t function, std::size_t k) {
    std::size_t open = k;
    std::size_t callee = k - 1;
    if (source_.at(k) == ">>>") {
      if (source_.partner(k) == Source::kNone) return;
      callee = source_.partner(k) - 1;
      ++open;
    }
    if (source_.at(callee) == ">") {
      while (callee > 0 && source_.at(callee) != "<") --callee;
      if (callee > 0) --callee;
    }
    const std::size_t close = source_.partner(open);
    const std::string_view called = source_.at(callee);
    if (!source_.is_name(callee) || close == Source::kNone || called == "if" || called == "for" ||
        called == "while" || called == "return")
      return;
    Effects& line = at(callee);
    line.uses.emplace(kOutside, std::string(called));
    for (std::size_t a = open + 1; a < close; ++a) {
      const std::string_view before = source_.at(a - 1);
      if (source_.is_name(a) && (before == "(" || before == "," || before == "&"))
        line.sets.insert(name(function, a));
    }
    const auto& functions = source_.functions();
    for (std::size_t f = 0; f < functions.size(); ++f) {
      if (functions[f].name != called || f == function) continue;
      for (const Parameter& parameter : functions[f].parameters) {
        line.sets.emplace(f, parameter.name);
        if (parameter.type.find_first_of("*&") != std::string::npos) line.uses.emplace(f, parameter.name);
      }
    }
  }

  void head(std::size_t k) {
    const std::size_t end = source_.statement_end(k);
    if (end == Source::kNone) return;
    for (std::size_t i = k + 1; i <= end && i < line_of_.size(); ++i) {
      if (line_of_[i] != line_of_[k]) at(i).heads.insert(line_of_[k]);
    }
  }

  Source source_;
  std::vector<int> line_of_;        // line of each token
  std::vector<std::size_t> jumps_;  // tokens of the function that is being read
  std::vector<Effects> lines_;
};

}  // namespace

std::vector<int> distances_to(std::string_view text, const std::vector<int>& seeds) {
  const Lines lines(text);
  const auto& all = lines.all();
  std::vector<int> distance(all.size(), kUnrelated);
  std::deque<std::size_t> next;
  const auto reach = [&](std::size_t line, int steps) {
    if (line >= all.size() || distance[line] <= steps) return;
    distance[line] = steps;
    next.push_back(line);
  };
  for (const int seed : seeds) reach(static_cast<std::size_t>(std::max(seed, 0)), 0);
  while (!next.empty()) {
    const std::size_t here = next.front();
    next.pop_front();
    for (const int head : all[here].heads) reach(static_cast<std::size_t>(head), distance[here] + 1);
    for (std::size_t line = 1; line < all.size(); ++line) {
      const bool sets = std::ranges::any_of(all[line].sets,
                                            [&](const Name& name) { return all[here].uses.contains(name); });
      if (sets) reach(line, distance[here] + 1);
    }
  }
  return distance;
}

}  // namespace warpmark::source_edits
