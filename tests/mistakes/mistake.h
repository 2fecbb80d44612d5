// A mistake that a student makes: one edit of a right submission, and what its grade has to say.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/model/grade.h"
#include "tests/edits/edits.h"

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
  std::string name;  // "bounds_less_or_equal": kind of mistake, then the mistake
  edits::Edits edits;
  std::string check;          // the only check to ask; empty: all of the version
  std::string type;           // value type
  unsigned call_seconds = 0;  // what a call may take; 0: what the course's rubric says
  bool right = false;         // the edit looks like a mistake and is none
  Expectation simulator;
  Expectation gpu;  // where it says nothing of its own, what the simulator has to say
};

// The mistakes of a table, of all tables of a folder; README.md says what each member means. Their names
// begin with that of the table. Fails with the entry that lacks a member or has one of an unknown name.
Result<std::vector<Mistake>> read_mistakes(const std::filesystem::path& table_or_folder);

// An expectation with the places of its lines.
struct Wanted {
  Expectation expectation;
  std::vector<edits::Place> lines;
  std::vector<edits::Place> other_lines;  // one at most
  std::vector<edits::Place> helpers;
};

Result<Wanted> wanted_in(const std::map<std::string, std::string>& files, const Expectation& expectation);

// What is wrong with a grade's explanation, a sentence each: the cause is missing, at another line, not told
// first, lacks a word, or stands beside one that is not true. `work` and `fast` are left out: they ask for
// speed.
std::vector<std::string> complaints(const Wanted& wanted, const Grade& grade);

// All causes and notes of a grade, a line each, for a person.
std::string told(const Grade& grade);

}  // namespace warpmark::mistakes
