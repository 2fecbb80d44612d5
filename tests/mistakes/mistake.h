// A mistake that a student makes: one edit of a right submission, and what its grade has to say.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/error.h"
#include "harness/model/grade.h"

namespace warpmark::mistakes {

// What a good teacher would say. Kinds are names as in grade.json. A line is given by a part of its text,
// which stands once in all files of the edited submission.
struct Expectation {
  std::string cause;  // kind of the cause that explains the mistake, or "a|b"; empty: nothing is wrong
  std::vector<std::string> lines;  // any of them is right; empty: no line is asked
  std::string other_line;          // of a conflict's second line, which may change places with the first
  // Lines of inlined functions: as good as `lines` where the message names one of those, the caller's.
  std::vector<std::string> helpers;
  std::vector<std::string> words;  // regular expressions that the cause's texts match, in any case
  std::vector<std::string> never;  // likewise, that no cause's texts match: advice that does not help
  std::vector<std::string> also;   // kinds that may stand beside it
  bool known_gap = false;          // a grade does not say this as yet
};

struct Mistake {
  std::string name;           // "bounds_less_or_equal": kind of mistake, then the mistake
  std::string file;           // below reference/: "reduction/v07_tree_sequential.cu"
  std::string old_text;       // stands in the file once
  std::string new_text;       // takes its place
  std::string before;         // lines that come before all of the file, such as an #include
  std::string version;        // that the grade is of; of the file's own name unless the table gives one
  std::string check;          // the only check to ask; empty: all of the version
  std::string type;           // value type
  unsigned call_seconds = 0;  // what a call may take; 0: what the course's rubric says
  Expectation simulator;
  Expectation gpu;  // where it says nothing of its own, what the simulator has to say

  [[nodiscard]] bool right() const { return simulator.cause.empty(); }  // the edit is none
  [[nodiscard]] std::string assignment() const;                         // "reduction"
  [[nodiscard]] std::string file_name() const;                          // "v07_tree_sequential.cu"
};

// All entries of a table, [[mistake]] by [[mistake]] and [[right]] by [[right]]; README.md says what each
// member means. Their names begin with that of the file. Fails with the entry that lacks a member or has one
// of an unknown name.
Result<std::vector<Mistake>> read_mistakes(const std::filesystem::path& table);

// The text with the edit made. Fails unless the old text stands there exactly once.
Result<std::string> edited(std::string_view text, const Mistake& mistake);

struct Place {
  std::string file;
  int line = 0;
  bool operator==(const Place&) const = default;
};

// The only place in the files, by name, that contains `part`. Fails when there is none, or more than one.
Result<Place> place_of(const std::map<std::string, std::string>& files, std::string_view part);

// An expectation with the places of its lines.
struct Wanted {
  Expectation expectation;
  std::vector<Place> lines;
  std::vector<Place> other_lines;  // one at most
  std::vector<Place> helpers;
};

Result<Wanted> wanted_in(const std::map<std::string, std::string>& files, const Expectation& expectation);

// What is wrong with a grade's explanation, a sentence each: the cause is missing, at another line, not told
// first, lacks a word, or stands beside one that is not true. `work` and `fast` are left out: they ask for
// speed.
std::vector<std::string> complaints(const Wanted& wanted, const Grade& grade);

// All causes and notes of a grade, a line each, for a person.
std::string told(const Grade& grade);

}  // namespace warpmark::mistakes
