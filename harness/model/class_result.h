// Result of grading a class: one entry per student, and matters that need the instructor's attention.
// `class.json` is this model as JSON; the class page, grades.csv and every export are projections of this
// model and of the students' grades.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/cause_kind.h"
#include "harness/base/error.h"
#include "harness/base/names.h"
#include "harness/model/grade.h"

namespace warpmark {

enum class StudentState {
  graded,
  waiting,   // not graded yet: the run was interrupted
  missing,   // no submission: only on the roster, or an empty folder
  unusable,  // the submitted files cannot be graded
  broken,    // not graded because of a fault of Warpmark or of the machine
};
constexpr std::array<std::string_view, 5> names_of(StudentState /*type*/) {
  return {"graded", "waiting", "missing", "unusable", "broken"};
}

// Reason why a student has no grade. `kind` is "no_versions", "several_folders", "damaged", "too_large",
// "missing", "interrupted", "refused" (the grading process's own message) or "internal".
struct StudentCause {
  std::string kind;
  std::string message;
};

// A student's identity according to the platform or the roster. Empty members are unknown.
struct Person {
  std::string name;
  std::string key;  // the student's number or login on the learning platform
  std::string email;
  std::string login;
  std::string sid;  // student number issued by the school
};

// A manual correction of a student's points by the instructor; regrading keeps it.
struct Correction {
  double points = 0;  // corrected points: replace the graded points or, if relative, are added to them
  bool relative = false;
  std::string comment;
  std::string by;
  std::string when;  // time of the correction, UTC, ISO 8601
};

// Time of submission relative to the due date, and the points that the late policy deducts.
struct Lateness {
  bool late = false;
  std::optional<double> days;  // days past the due date; nullopt: date of submission unknown
  double deduction = 0;
};

// Bonus points that a student won in a contest: who has the class's fastest kernel for one exercise.
struct ContestShare {
  std::string version;
  // condition for the bonus points: the class's fastest correct kernel is at most this many times as fast as
  // the student's
  double within = 1;
  double points = 0;
};

struct StudentResult {
  std::string id;  // student's ID: unique in the class, ignoring case; a valid file name on every system
  Person person;
  StudentState state = StudentState::waiting;
  double points = 0;     // graded points, before manual correction and late policy
  double possible = 0;   // assignment's maximum points, the same for every student
  double open = 0;       // points of checks that could not be decided
  double needs_gpu = 0;  // points of undecided checks that need a GPU
  double bonus = 0;      // graded bonus points, without those won in contests
  std::vector<ContestShare> contests;
  // Points with all bonus points, after the correction, then the late policy.
  double final_points = 0;
  std::string grade;                  // path of grade.json, relative to class.json; empty: there is none
  std::optional<StudentCause> cause;  // why the student has no grade
  std::optional<Correction> correction;
  std::string submitted;  // time of submission, as in the learning platform's export; may be empty
  Lateness lateness;
  std::string source;                // input that contained the submission: "export.zip/anna"
  std::vector<std::string> remarks;  // remarks on the submitted files, for student and instructor
};

// A matter that needs the instructor's attention.
struct LookAt {
  std::string id;   // student's ID; empty: concerns the whole class
  std::string why;  // what needs attention and what to do, in a sentence
};

// A file or folder of the input that belongs to no submission.
struct NotUnderstood {
  std::string where;
  std::string why;
};

// Two submissions with similar code in the same kernel file, beyond what the course's template and model
// solution contain.
struct Likeness {
  std::string version;
  std::string one;  // ID of one student of the similar pair
  std::string other;
  double shared = 0;  // fraction of the smaller file's code that both files share, 0 to 1
};

// Counts of the verdicts that one check got over the class. A check that was not run because an earlier one
// failed counts as failed.
struct CheckTally {
  std::string version;  // name of the kernel file that the check tests; empty: it tests the whole submission
  std::string check;
  std::uint64_t passed = 0;
  std::uint64_t failed = 0;
  std::uint64_t not_started = 0;
  std::uint64_t not_decided = 0;  // number of undecided checks: no GPU, noise, or a fault of Warpmark
  // Number of the passed checks that earn no points, because the check `correct` did not pass.
  std::uint64_t unearned = 0;
};

// A cause of failure and the students who have it. Only the first cause of each failed kernel file counts, as
// shown on a student's page.
struct CauseTally {
  std::string version;  // what failed: name of a kernel file, or of a check of the whole submission
  CauseKind kind = CauseKind::internal;
  std::vector<std::string> students;
  std::string again;  // command that reproduces the failure of the first student
};

// A cause for which nearly every submission fails, which suggests a fault of the assignment or the machine.
struct CommonCause {
  std::string what;  // description of the failure: "not built: 'atomic_add.h' file not found"
  std::vector<std::string> students;
  std::uint64_t of = 0;  // number of students who handed in something
};
// Returns a sentence on a failure that many students share, such as "39 of 41: not built: 'atomic_add.h' file
// not found".
std::string text_of(const CommonCause& cause);

// A student's fastest kernel file, for the class's leader board.
struct Fastest {
  std::string id;
  std::string pseudonym;  // made-up name for the student, which reveals nothing about the ID
  std::string version;
  double speedup = 0;
  double gb_per_s = 0;
};

// One student's result in a contest for the class's fastest kernel.
struct ContestEntry {
  std::string id;
  double speedup = 0;
  Span span;  // 99.9 % confidence interval of the speedup
  double points = 0;
  std::string device;  // model of the GPU or processor; only submissions measured on the same are compared
};

// Contest for the class's fastest kernel for one exercise, among kernels with correct results.
struct ContestResult {
  std::string version;
  std::vector<ContestEntry> entries;  // contestants with correct results and a measured speed, fastest first
};

struct ClassResult {
  std::string assignment;
  double possible = 0;
  std::vector<StudentResult> students;  // students in the order of their IDs
  std::vector<LookAt> look_at;
  std::vector<NotUnderstood> not_understood;
  std::vector<Likeness> alike;             // pairs of similar files, most similar first
  std::vector<CheckTally> checks;          // class-wide results of each check, in the rubric's order
  std::vector<CauseTally> causes;          // causes of failure, most frequent first
  std::vector<CommonCause> common_causes;  // failures shared by nearly all students; usually empty
  // contests for the class's fastest kernel, one per exercise that offers one
  std::vector<ContestResult> contests;
  // True if the rubric stages help: `students` holds cut copies, and `instructor` the whole grades.
  bool staged = false;
  // students' fastest kernel files, fastest first; omits students without a measurement
  std::vector<Fastest> fastest;
  int exit_status = 0;
  std::string tool_version;
};

// Writes and reads class.json, schema "warpmark.class/1".
std::string to_json(const ClassResult& result);
Result<ClassResult> class_from_json(const std::string& text);

}  // namespace warpmark
