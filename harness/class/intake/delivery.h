// Splits an input (archive or folder) into deliveries: the files that one student handed in at one time.
// Knows the export layouts of the learning platforms.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "harness/class/intake/tree.h"
#include "harness/model/class_result.h"

namespace warpmark::classroom {

enum class Layout { folders, canvas, moodle, gradescope, github };
constexpr std::array<std::string_view, 5> names_of(Layout /*type*/) {
  return {"a folder a student", "Canvas", "Moodle", "Gradescope", "GitHub Classroom"};
}

// The files that one student handed in at one time.
struct Delivery {
  Layout layout = Layout::folders;
  Person person;
  std::string source;     // origin for messages: "export.zip/anna"
  std::string attempt;    // sort key of one student's attempts, ascending in time; empty: order unknown
  std::string submitted;  // submission time as in the platform's export; may be empty
  Lateness lateness;
  Tree tree;
  std::vector<std::string> remarks;
  std::optional<StudentCause> fault;  // why none of the student's files can be graded
};

struct Deliveries {
  std::vector<Delivery> all;
  std::vector<NotUnderstood> not_understood;

  void add(Deliveries more);
};

// Detects from the names in the tree which platform's export it is, or Layout::folders if none. Pure
// function.
Layout layout_of(const Tree& tree);

// Splits a tree into deliveries (the files that one student handed in at one time). name: the input's name,
// for messages and for a tree that is a single submission.
Deliveries split(const Tree& tree, const std::string& name);

// Parts of a file name in a platform's export, such as "doejohn_LATE_101_2002_v01.cu" or "Ada
// Doe_101_assignsubmission_file_".
struct CanvasName {
  std::string student;
  bool late = false;
  std::string key;
  std::string submission;
  std::string file;
};
std::optional<CanvasName> canvas_name(const std::string& name);
struct MoodleName {
  std::string student;
  std::string key;
  std::string kind;  // kind of submission: "file" or "onlinetext"
  std::string rest;  // rest of a Moodle file name: the student's own file name if the export has no folders
};
std::optional<MoodleName> moodle_name(const std::string& name);

// Removes the counters "-1", "-2" that Canvas appends to the names of resubmitted files, and keeps the latest
// version of each file.
void take_canvas_counters_off(Delivery& delivery);

// Parses Gradescope's submission_metadata.yml; the result is keyed by folder name. Fails if the text has
// another format.
struct GradescopeEntry {
  std::vector<Person> people;
  std::string created_at;
};
Result<std::vector<std::pair<std::string, GradescopeEntry>>> gradescope_entries(const std::string& text);

// Keeps only each student's latest delivery (files handed in at one time) and adds a remark that names the
// others. If the latest one cannot be determined, all of the student's deliveries stay, with a remark that
// says so.
std::vector<Delivery> latest_of_each(std::vector<Delivery> deliveries);

}  // namespace warpmark::classroom
