// What students see of a failure, and when: the rubric's table [feedback]. The only place that cuts a grade
// for students; every report of the cut grade is then free of what it leaves out.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "harness/base/names.h"
#include "harness/model/grade.h"

namespace warpmark {

// How much of a failure is shown; each stage includes the ones before it.
enum class Shown : std::uint8_t {
  verdict,  // the check's verdict and points
  cause,    // what kind of mistake, the rule that it breaks, the values and the input
  line,     // where it is: file, lines, source, racing accesses
  remedy,   // everything: the explanation and what to do
};
constexpr std::array<std::string_view, 4> names_of(Shown /*type*/) {
  return {"verdict", "cause", "line", "remedy"};
}

struct HelpRule {
  Shown shows = Shown::remedy;        // stage that is shown at first
  std::optional<std::int64_t> until;  // from this moment, in seconds since the epoch, everything is shown
  std::string until_text;             // the same moment as the instructor wrote it
  std::uint64_t attempts = 0;         // from this attempt on everything is shown; 0: not by attempts
  bool operator==(const HelpRule&) const = default;
};

struct HelpRules {
  bool given = false;                        // the rubric has a table [feedback]
  HelpRule all;                              // rule for checks without one of their own
  std::map<std::string, HelpRule> by_check;  // rules of single checks, by the check's name
  [[nodiscard]] const HelpRule& rule_for(const std::string& check) const;
};

// The moment at which a student sees a grade.
struct Sight {
  std::int64_t seconds = 0;    // since the epoch
  std::uint64_t attempts = 1;  // number of different submissions that the student has handed in
};

// Returns the stage that a student sees of a failure of the check.
Shown shown_of(const HelpRule& rule, const Sight& sight);

// Returns the grade as the student sees it. Only causes in the student's code are cut, and no compiler
// messages, missing functions or broken rules of the course, without which a student cannot go on. Verdicts
// and points stay. A remark says what is left out, and until when. Without [feedback] returns the grade.
Grade copy_for_student(Grade grade, const HelpRules& rules, const Sight& sight);

// A question that leads to the mistake, and the rule that it breaks, in the terms of CUDA. They follow from
// the kind of cause alone and reveal nothing more about the submission.
struct Hint {
  std::string_view question;
  std::string_view rule;
};
Hint hint_for(CauseKind kind);

}  // namespace warpmark
