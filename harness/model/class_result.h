// What a class got: one entry a student, and what the instructor has to look at. `class.json` is this model
// written down; the class page, grades.csv and every export are projections of it and of the students'
// grades.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/cause_kind.h"
#include "harness/base/error.h"

namespace warpmark {

enum class StudentState {
  graded,
  waiting,   // not graded yet: the run was interrupted
  missing,   // handed in nothing: on the roster alone, or an empty folder
  unusable,  // handed in something that cannot be graded
  broken,    // not graded by a fault of Warpmark or of the machine
};
std::string_view name_of(StudentState state);

// Why there is no grade. Kinds: "no_versions", "several_folders", "damaged", "too_large", "missing",
// "interrupted", "refused" (the grader's own message), "internal".
struct StudentCause {
  std::string kind;
  std::string message;
};

// What the platform or the roster says of a student. Empty members are not known.
struct Person {
  std::string name;
  std::string key;  // the platform's number or login, as its export names it
  std::string email;
  std::string login;
  std::string sid;  // the school's own number
};

// A change that the instructor made by hand. It survives every regrade.
struct Correction {
  double points = 0;  // the score in place of the graded one or, if relative, what is added to it
  bool relative = false;
  std::string comment;
  std::string by;
  std::string when;  // UTC, ISO 8601
};

// When it was handed in, and what the late policy takes off.
struct Lateness {
  bool late = false;
  std::optional<double> days;  // after the date that it was due; none: the export does not say
  double deduction = 0;        // points
};

struct StudentResult {
  std::string id;  // unique in the class, also where case does not count; a file name in every system
  Person person;
  StudentState state = StudentState::waiting;
  double points = 0;        // as graded, of `possible`; nothing that the instructor or the calendar changed
  double possible = 0;      // the same for everybody
  double open = 0;          // of `possible`: what could not be asked
  double needs_gpu = 0;     // of `open`
  double final_points = 0;  // after the correction, then the late policy
  std::string grade;        // path of grade.json, relative to class.json; empty where there is none
  std::optional<StudentCause> cause;  // why there is no grade
  std::optional<Correction> correction;
  std::string submitted;  // as the export says it; may be empty
  Lateness lateness;
  std::string source;                // where it came from: "export.zip/anna"
  std::vector<std::string> remarks;  // what the intake has to say, to student and instructor
};

// One thing for the instructor to look at.
struct LookAt {
  std::string id;   // of the student; empty: the whole class
  std::string why;  // a sentence with the remedy
};

// What lay in an input and belongs to no submission.
struct NotUnderstood {
  std::string where;
  std::string why;
};

// Two submissions that share code of one version, beyond what the template and the reference hold.
struct Likeness {
  std::string version;
  std::string one;  // ids
  std::string other;
  double shared = 0;  // of the smaller one's fingerprints, 0 to 1
};

// How a check went over the class. What waits for an earlier check that failed has failed, too.
struct CheckTally {
  std::string version;  // empty for a check of the whole submission
  std::string check;
  std::uint64_t passed = 0;
  std::uint64_t failed = 0;
  std::uint64_t not_started = 0;
  std::uint64_t not_decided = 0;  // no GPU, noise, a fault of ours
  std::uint64_t unearned = 0;     // of those that passed: without points, because nothing was correct
};

// What a student's page tells first of a version that failed, and whose it is.
struct CauseTally {
  std::string version;  // or the name of a check of the whole submission
  CauseKind kind = CauseKind::internal;
  std::vector<std::string> students;  // ids
  std::string again;                  // the command that shows the first one's, typed in the class's folder
};

// One and the same cause in nearly every submission: the assignment or the machine may be at fault.
struct CommonCause {
  std::string what;                   // "not built: 'atomic_add.h' file not found"
  std::vector<std::string> students;  // ids
  std::uint64_t of = 0;               // students who handed in something
};
// "39 of 41: not built: 'atomic_add.h' file not found"
std::string text_of(const CommonCause& cause);

// The fastest version of a student.
struct Fastest {
  std::string id;
  std::string pseudonym;  // tells nothing of the id
  std::string version;
  double speedup = 0;
  double gb_per_s = 0;
};

struct ClassResult {
  std::string assignment;
  double possible = 0;
  std::vector<StudentResult> students;  // sorted by id
  std::vector<LookAt> look_at;
  std::vector<NotUnderstood> not_understood;
  std::vector<Likeness> alike;             // the most alike first
  std::vector<CheckTally> checks;          // in the order of the rubric
  std::vector<CauseTally> causes;          // the commonest first
  std::vector<CommonCause> common_causes;  // that nearly everybody has; mostly none
  std::vector<Fastest> fastest;            // the fastest first; students without a measurement are not there
  int exit_status = 0;
  std::string tool_version;
};

// class.json, schema "warpmark.class/1".
std::string to_json(const ClassResult& result);
Result<ClassResult> class_from_json(const std::string& text);

}  // namespace warpmark
