#include "harness/model/feedback_report.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <map>
#include <string_view>
#include <tuple>

#include "harness/base/cause_kind.h"
#include "harness/model/grade.h"
#include "harness/model/json.h"

namespace warpmark {

void describe(auto& archive, Of<FeedbackMutant> auto& value) {
  WARPMARK_MEMBERS(version, file, kind, line, line_text, edit);
  WARPMARK_OPTIONAL(check, cause, mistake, message, named_lines);
}

void describe(auto&& archive, Of<FeedbackReport> auto& value) {
  archive.schema("warpmark.feedback/1");
  WARPMARK_MEMBERS(assignment, tool_version, made_at, machine, seed, all_mutants, graded, no_program, passed,
                   mutants);
}

namespace {

constexpr int kNearLines = 2;

// What names a kind of mistake: kinds of cause, and words of the cause's text or of the mistake that it
// recognised, at the begin of a word and in lower case. They name what was done, not what came out: "wrong
// output" names no mistake.
struct Naming {
  std::string_view operator_name;
  std::vector<CauseKind> kinds;
  std::vector<std::string_view> words;
};

const std::vector<Naming>& namings() {
  using enum CauseKind;
  static const std::vector<std::string_view> by_one{
      "off by one", "one too many",          "one too few", "one past",  "one place",      "next element",
      "by one",     "one larger or smaller", "wrong_index", "just past", "element before", "block_edge",
      "warp_edge"};
  static const auto by_one_or = [](std::vector<std::string_view> words) {
    words.insert(words.end(), by_one.begin(), by_one.end());
    return words;
  };
  static const std::vector<Naming> all{
      {"test",
       {out_of_bounds, out_of_bounds_write},
       {"bounds test", "test the index", "let one thread store", "do not launch", "wrong_condition",
        "missing_test"}},
      {"comparison",
       {out_of_bounds, out_of_bounds_write},
       by_one_or({"comparison", "bounds test", "let one thread store", "do not launch"})},
      {"logic", {}, {"&&", "||", "both conditions", "wrong_condition"}},
      {"barrier",
       {race, warp_synchronous, missing_fence, missing_synchronize},
       {"barrier", "__syncthreads", "__syncwarp", "fence", "synchronis", "missing_barrier"}},
      {"statement",
       {not_written, uninitialised_read},
       {"never written", "not written", "left out", "no kernel was launched", "still hold", "one_for_all"}},
      {"atomic", {race}, {"atomic"}},
      {"early",
       {not_written},
       {"never written", "never read", "left out", "only the first", "no kernel was launched", "still hold",
        "early_exit"}},
      {"buffer", {input_changed}, {"wrong_buffer", "wrong buffer", "another buffer", "ignores_inputs"}},
      {"axis",
       {},
       {"threadidx", "blockidx", "blockdim", "griddim", "transposed", "swapped", "x and y", "one_for_all",
        "wrong_axis"}},
      {"function", {}, {"minimum", "maximum", "smallest", "largest", "shuffle", "__shfl", "wrong_function"}},
      {"constant",
       {},
       by_one_or(
           {"initial value", "initial_value", "begins with", "constant", "wrong_constant", "names lanes"})},
      {"index", {out_of_bounds, out_of_bounds_write}, by_one_or({"shifted", "another index"})},
      {"stride", {}, {"wrong_stride", "step of the loop", "every second", "counted twice", "skipped"}},
      {"arithmetic",
       {},
       {"wrong_sign", "wrong_operator", "wrong_factor", "opposite sign", "subtract", "factor", "multiplied",
        "arithmetic operator", "instead of adding", "below 0", "same value in each round",
        "operator is the opposite"}},
      {"order", {too_much_work}, {"coalesc", "neighbouring threads"}},
      {"shift", {}, {"shift", "power of two", "doubled", "halved"}},
      {"precision", {}, {"precision", "rounding", "integer_width"}},
      {"width", {}, {"overflow", "64 bits", "wraps around", "integer_width"}},
  };
  return all;
}

// Returns true if the text has the word, at the begin of a word: "stride" is not in "grid_stride".
bool has_word(std::string_view text, std::string_view word) {
  const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + 1)) {
    if (at == 0 || !is_letter(text[at - 1])) return true;
  }
  return false;
}

// Returns the text without what it quotes of the source: the names in `if (tid < stride)` name no mistake.
std::string without_quotes(std::string_view text) {
  std::string rest;
  bool quoted = false;
  for (const char c : text) {
    if (c == '`') quoted = !quoted;
    if (!quoted) rest += c;
  }
  return rest;
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return std::tolower(c); });
  return result;
}

void add(FeedbackCount& count, const FeedbackMutant& mutant) {
  ++count.failed;
  if (names_line(mutant)) ++count.line;
  if (names_kind(mutant)) ++count.kind_too;
  if (names_line(mutant) && names_kind(mutant)) ++count.both;
}

}  // namespace

bool names_line(const FeedbackMutant& mutant) {
  const auto near = [&](int line) { return std::abs(line - mutant.line) <= kNearLines; };
  // Tables made before 2026-11-27 lack the lines that only the message names, as "v01.cu:25".
  Cause told = make_cause({}, mutant.message);
  return std::ranges::any_of(mutant.named_lines, near) ||
         std::ranges::any_of(lines_named_by(told, mutant.file), near);
}

bool names_kind(const FeedbackMutant& mutant) {
  const auto found = std::ranges::find(namings(), mutant.kind, &Naming::operator_name);
  if (found == namings().end()) return false;
  const auto kind = cause_kind_from(mutant.cause);
  if (kind && std::ranges::find(found->kinds, *kind) != found->kinds.end()) return true;
  const std::string text = lower(mutant.mistake + " " + without_quotes(mutant.message));
  return std::ranges::any_of(found->words, [&](std::string_view word) { return has_word(text, word); });
}

bool has_naming(std::string_view operator_name) {
  return std::ranges::find(namings(), operator_name, &Naming::operator_name) != namings().end();
}

FeedbackCount count_of(const std::vector<FeedbackMutant>& mutants) {
  FeedbackCount count;
  for (const FeedbackMutant& mutant : mutants) add(count, mutant);
  return count;
}

std::vector<FeedbackCount> counts_by_kind(const std::vector<FeedbackMutant>& mutants) {
  std::map<std::string, FeedbackCount> by_kind;
  for (const FeedbackMutant& mutant : mutants) add(by_kind[mutant.kind], mutant);
  std::vector<FeedbackCount> counts;
  for (auto& [kind, count] : by_kind) {
    count.kind = kind;
    counts.push_back(std::move(count));
  }
  std::ranges::stable_sort(counts, {}, [](const FeedbackCount& each) {
    const auto share = static_cast<double>(each.line + each.kind_too) / static_cast<double>(each.failed);
    return std::tuple(share, -static_cast<double>(each.failed));
  });
  return counts;
}

std::string to_json(const FeedbackReport& report) {
  return model::text_of(model::Writer::json_of(report));
}

Result<FeedbackReport> feedback_from_json(const std::string& text) {
  return model::read_file_of<FeedbackReport>(
      text, "a table of feedback",
      "Make it again with `warpmark assignment check NAME --feedback --into DIR`.");
}

}  // namespace warpmark
