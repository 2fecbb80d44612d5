// What a class got: one entry a student, and what the instructor has to look at. `class.json` is this model
// written down; the class page, grades.csv and every export are projections of it and of the students'
// grades.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/error.h"

namespace warpmark {

enum class StudentState {
  graded,
  waiting,   // not graded yet: the run was interrupted
  missing,   // on the roster, and handed in nothing
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

struct ClassResult {
  std::string assignment;
  double possible = 0;
  std::vector<StudentResult> students;  // sorted by id
  std::vector<LookAt> look_at;
  std::vector<NotUnderstood> not_understood;
  std::vector<Likeness> alike;  // the most alike first
  int exit_status = 0;
  std::string tool_version;
};

// class.json, schema "warpmark.class/1".
std::string to_json(const ClassResult& result);
Result<ClassResult> class_from_json(const std::string& text);

}  // namespace warpmark
