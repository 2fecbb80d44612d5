#include "harness/source_edits/host_threads.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "harness/source_edits/edits.h"
#include "harness/source_edits/source.h"

namespace warpmark::source_edits {
namespace {

template <std::size_t kCount>
bool is_among(std::string_view word, const std::array<std::string_view, kCount>& words) {
  return std::ranges::find(words, word) != words.end();
}

int line_of_offset(std::string_view text, std::size_t offset) {
  return 1 +
         static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
}

// Tokens from `begin` to `end`, both included.
struct Extent {
  std::size_t begin = 0;
  std::size_t end = 0;
  [[nodiscard]] bool holds(std::size_t token) const { return begin <= token && token <= end; }
};

bool has_token(const Source& source, const Extent& extent, std::string_view what) {
  for (std::size_t k = extent.begin; k <= extent.end; ++k)
    if (source.at(k) == what) return true;
  return false;
}

bool is_qualified(const Source& source, std::size_t token) {
  return source.at(token - 1) == "." || source.at(token - 1) == "->" || source.at(token - 1) == "::";
}

// Returns true if a statement of the extent uses the variable `name`.
bool uses_variable(const Source& source, const Extent& extent, std::string_view name) {
  for (std::size_t k = extent.begin; k <= extent.end; ++k)
    if (source.at(k) == name && !is_qualified(source, k)) return true;
  return false;
}

// Returns true if a local variable that is no reference is declared at `token`, behind its type.
bool declares_value(const Source& source, std::size_t token) {
  static constexpr std::array<std::string_view, 6> kNoTypes{"return", "else",  "new",
                                                            "delete", "throw", "co_return"};
  static constexpr std::array<std::string_view, 6> kBehind{"=", ";", "{", "(", "[", ":"};
  const std::string_view before = source.at(token - 1);
  const bool typed = (source.is_name(token - 1) && !is_among(before, kNoTypes)) || before == ">" ||
                     (before == "*" && source.is_name(token - 2) && !source.is_binary(token - 1));
  return source.is_name(token) && typed && is_among(source.at(token + 1), kBehind);
}

// A lambda that a statement hands to a new thread.
struct ThreadLambda {
  std::size_t captures = 0;  // its [
  Extent body;
};

// Returns true if the call whose bracket opens at `open` starts a thread.
bool starts_thread(const Source& source, std::size_t open) {
  static constexpr std::array<std::string_view, 4> kStarts{"thread", "jthread", "async", "Thread"};
  static constexpr std::array<std::string_view, 2> kAppends{"emplace_back", "push_back"};
  if (open == 0) return false;
  const std::string_view callee = source.at(open - 1);
  if (is_among(callee, kStarts)) return true;
  // std::thread upper(...)
  if (source.is_name(open - 1) && is_among(source.at(open - 2), kStarts)) return true;
  if (!is_among(callee, kAppends) || open < 3) return false;
  const std::string_view list = source.at(open - 3);
  for (std::size_t k = 2; k < open; ++k) {
    const bool declared = source.at(k) == list && source.at(k - 1) == ">";
    if (declared && (is_among(source.at(k - 2), kStarts) || source.at(k - 2) == ">")) return true;
  }
  return false;
}

// Returns the lambdas of an extent that threads run.
std::vector<ThreadLambda> thread_lambdas(const Source& source, const Extent& extent) {
  std::vector<ThreadLambda> found;
  for (std::size_t k = extent.begin + 1; k < extent.end; ++k) {
    const std::string_view before = source.at(k - 1);
    if (source.at(k) != "[" || source.partner(k) == Source::kNone || (before != "(" && before != ","))
      continue;
    std::size_t open = k - 1;
    for (; open > extent.begin && source.at(open) != "(" && source.at(open) != ";"; --open) {
      if ((source.at(open) == ")" || source.at(open) == "]") && source.partner(open) != Source::kNone)
        open = source.partner(open);
    }
    std::size_t body = source.partner(k) + 1;
    if (source.at(body) == "(" && source.partner(body) != Source::kNone) body = source.partner(body) + 1;
    while (body < extent.end && source.at(body) != "{" && source.at(body) != ";") ++body;
    if (source.at(body) != "{" || source.partner(body) == Source::kNone || !starts_thread(source, open))
      continue;
    found.push_back({k, {body, source.partner(body)}});
  }
  return found;
}

bool captures_by_reference(const Source& source, const ThreadLambda& lambda, std::string_view name) {
  const std::size_t close = source.partner(lambda.captures);
  bool all = false;
  for (std::size_t k = lambda.captures + 1; k < close; ++k) {
    const bool by_reference = source.at(k) == "&";
    if (source.at(k) == name) return source.at(k - 1) == "&";
    all = all || (by_reference && (source.at(k + 1) == "," || k + 1 == close));
  }
  return all;
}

// Returns the variables of a `for` loop: those of its head, unless they are references, and those that its
// body declares before `end`.
std::vector<std::string> variables_of_loop(const Source& source, std::size_t loop, std::size_t end) {
  std::vector<std::string> names;
  for (std::size_t k = loop + 2; k < end; ++k) {
    const bool is_static = source.at(k - 2) == "static" || source.at(k - 3) == "static";
    if (declares_value(source, k) && !is_static) names.emplace_back(source.at(k));
  }
  return names;
}

// Returns true if the loop's body waits for the thread that it starts, behind the lambda.
bool waits_for_it(const Source& source, const Extent& behind) {
  static constexpr std::array<std::string_view, 3> kWaits{"join", "get", "wait"};
  for (std::size_t k = behind.begin; k <= behind.end; ++k)
    if (is_qualified(source, k) && is_among(source.at(k), kWaits)) return true;
  return false;
}

std::optional<ThreadMistake> captured_by_reference(const Source& source, std::string_view text) {
  for (std::size_t loop = 0; loop + 1 < source.count(); ++loop) {
    if (source.at(loop) != "for" || source.partner(loop + 1) == Source::kNone) continue;
    const std::size_t end = source.statement_end(loop);
    if (end == Source::kNone) continue;
    for (const ThreadLambda& lambda : thread_lambdas(source, {loop, end})) {
      if (waits_for_it(source, {lambda.body.end, end})) continue;
      const std::size_t head = source.partner(loop + 1);
      for (const std::string& name : variables_of_loop(source, loop, lambda.captures)) {
        if (!uses_variable(source, lambda.body, name) || !captures_by_reference(source, lambda, name))
          continue;
        const bool of_head = has_token(source, {loop, head}, name);
        return ThreadMistake{
            line_of_offset(text, source.token(lambda.captures).begin), "captured_by_reference",
            fmt::format(
                "the lambda captures `{0}`, a variable of the loop, by reference: its thread may read it "
                "when {1}. Capture it by value: `[&, {0}]`",
                name, of_head ? "the loop has changed it" : "the loop's round is over")};
      }
    }
  }
  return std::nullopt;
}

std::optional<ThreadMistake> detached(const Source& source, std::string_view text, bool runs_on) {
  // With one of these the call may wait for its threads without join().
  static constexpr std::array<std::string_view, 7> kOtherWaits{
      "latch", "barrier", "condition_variable", "atomic", "future", "promise", "counting_semaphore"};
  for (std::size_t k = 1; k + 1 < source.count(); ++k) {
    if (source.at(k) != "detach" || !is_qualified(source, k) || source.at(k + 1) != "(") continue;
    const bool may_wait = std::ranges::any_of(kOtherWaits, [&](std::string_view word) {
      return has_token(source, {0, source.count() - 1}, word);
    });
    if (may_wait && !runs_on) return std::nullopt;
    return ThreadMistake{line_of_offset(text, source.token(k).begin), "detached_thread",
                         "nobody waits for the thread that is detached here: the function returns, and its "
                         "variables are gone, before the thread is done. join() it in place of detach()"};
  }
  return std::nullopt;
}

// A parallel region of OpenMP.
struct Region {
  int line = 0;  // of its directive
  std::string directive;
  Extent body;
  bool is_loop = false;
};

// Returns true if a clause of the directive gives each thread a variable of its own.
bool is_private(const std::string& directive, std::string_view name) {
  static constexpr std::array<std::string_view, 5> kClauses{"private", "firstprivate", "lastprivate",
                                                            "reduction", "linear"};
  const Source source(std::string_view(directive).substr(1));
  for (std::size_t k = 0; k + 1 < source.count(); ++k) {
    const std::size_t close = source.partner(k + 1);
    if (is_among(source.at(k), kClauses) && close != Source::kNone && has_token(source, {k + 1, close}, name))
      return true;
  }
  return false;
}

std::vector<Region> regions_of(const Source& source, std::string_view text) {
  constexpr std::string_view kPragma = "#pragma omp";
  std::vector<Region> regions;
  for (std::size_t at = text.find(kPragma); at != std::string_view::npos; at = text.find(kPragma, at + 1)) {
    std::size_t end = text.find('\n', at);
    while (end != std::string_view::npos && text[end - 1] == '\\') end = text.find('\n', end + 1);
    if (end == std::string_view::npos) break;
    const std::string directive(text.substr(at, end - at));
    if (directive.find("parallel") == std::string::npos) continue;
    std::size_t first = 0;
    while (first < source.count() && source.token(first).begin < end) ++first;
    const std::size_t last = first < source.count() ? source.statement_end(first) : Source::kNone;
    if (last == Source::kNone) continue;
    regions.push_back({line_of_offset(text, at), directive, {first, last}, source.at(first) == "for"});
  }
  return regions;
}

// Returns true if a region gives a variable a value of its own: such a variable is meant for one thread or
// round. What it only adds to may be meant to be shared.
bool sets_anew(const Source& source, const Extent& body, std::string_view name) {
  static constexpr std::array<std::string_view, 10> kChanging{
      "clear",  "push_back", "emplace_back", "insert",  "assign",
      "resize", "pop_back",  "erase",        "emplace", "swap"};
  for (std::size_t k = body.begin; k <= body.end; ++k) {
    if (source.at(k) != name || is_qualified(source, k)) continue;
    if (declares_value(source, k)) return false;  // another variable of that name
    const std::string_view next = source.at(k + 1);
    const bool filled = next == "." && source.at(k + 2) == "begin" && source.at(k - 2) == "fill";
    if (next == "=" || filled || (next == "." && is_among(source.at(k + 2), kChanging))) return true;
  }
  return false;
}

std::optional<ThreadMistake> shared_by_region(const Source& source, std::string_view text,
                                              const std::vector<int>& racing) {
  for (const Region& region : regions_of(source, text)) {
    const Extent lines{static_cast<std::size_t>(region.line),
                       static_cast<std::size_t>(line_of_offset(text, source.token(region.body.end).begin))};
    if (std::ranges::none_of(racing, [&](int line) { return lines.holds(static_cast<std::size_t>(line)); }))
      continue;
    const auto function = std::ranges::find_if(source.functions(), [&](const Function& each) {
      return each.open < region.body.begin && region.body.end <= each.close;
    });
    if (function == source.functions().end()) continue;
    std::vector<std::string> shared;
    int line = 0;
    for (std::size_t k = function->open + 2; k < region.body.begin; ++k) {
      const std::string name(source.at(k));
      if (!declares_value(source, k) || is_private(region.directive, name) ||
          !sets_anew(source, region.body, name))
        continue;
      const int declared = line_of_offset(text, source.token(k).begin);
      if (line == 0) line = declared;
      shared.push_back(fmt::format("`{}` (line {})", name, declared));
    }
    if (shared.empty()) continue;
    const bool one = shared.size() == 1;
    return ThreadMistake{
        line, "shared_by_threads",
        fmt::format(
            "{} {} declared in front of the parallel {} of line {}, so that all its threads share {}: "
            "declare {} inside",
            fmt::join(shared, " and "), one ? "is" : "are", region.is_loop ? "loop" : "region", region.line,
            one ? "it" : "them", one ? "it" : "each")};
  }
  return std::nullopt;
}

// Finds a thread that is given the same work as the function that starts it: `std::thread t(sort, a, b, 1);
// sort(a, b, 1);`. Arguments behind the second, such as a number of threads, may differ.
std::optional<ThreadMistake> same_work_twice(const Source& source) {
  const auto work_of = [&](const std::vector<Argument>& arguments, std::size_t first) {
    return source.text(arguments[first].begin, arguments[first].end) + ", " +
           source.text(arguments[first + 1].begin, arguments[first + 1].end);
  };
  for (std::size_t k = 0; k + 3 < source.count(); ++k) {
    if (source.at(k) != "thread" || !source.is_name(k + 1) || source.at(k + 2) != "(" ||
        source.partner(k + 2) == Source::kNone)
      continue;
    const auto given = arguments_of(source, k + 2);
    if (given.size() < 3 || given[0].begin != given[0].end) continue;
    const std::string_view thread = source.at(k + 1);
    const std::string_view function = source.at(given[0].begin);
    const std::string work = work_of(given, 1);
    for (std::size_t call = source.partner(k + 2); call + 1 < source.count(); ++call) {
      if (source.at(call) == thread && source.at(call + 2) == "join") break;
      if (source.at(call) != function || source.at(call + 1) != "(" ||
          source.partner(call + 1) == Source::kNone)
        continue;
      const auto own = arguments_of(source, call + 1);
      if (own.size() < 2 || work_of(own, 0) != work) continue;
      return ThreadMistake{
          source.line(call), "same_work_twice",
          fmt::format("the thread of line {} and the call of line {} work on the same, `{}({}, ...)`: one of "
                      "them has to take the other part",
                      source.line(k), source.line(call), function, work)};
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<ThreadMistake> find_thread_mistake(std::string_view text, const ThreadEvidence& evidence) {
  const Source source(text);
  if (auto found = captured_by_reference(source, text)) return found;
  if (auto found = same_work_twice(source)) return found;
  if (auto found = detached(source, text, evidence.runs_on)) return found;
  return shared_by_region(source, text, evidence.racing);
}

bool has_threads(std::string_view text) {
  static constexpr std::array<std::string_view, 5> kWords{"std::thread", "jthread", "std::async",
                                                          "std::execution::par", "#pragma omp"};
  return std::ranges::any_of(
      kWords, [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

}  // namespace warpmark::source_edits
