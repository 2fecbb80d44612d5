// Splits an input into deliveries: which student handed in which files, and when. Knows the export layouts of
// the learning platforms.
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
  std::string source;     // "export.zip/anna"
  std::string attempt;    // orders the attempts of one student, latest last; empty: unknown
  std::string submitted;  // time as written in the export; may be empty
  Lateness lateness;
  Tree tree;
  std::vector<std::string> remarks;
  std::optional<StudentCause> fault;  // why nothing in it can be graded
};

struct Deliveries {
  std::vector<Delivery> all;
  std::vector<NotUnderstood> not_understood;

  void add(Deliveries more);
};

// Detects the export layout from the names in the tree. Pure function.
Layout layout_of(const Tree& tree);

// Returns the deliveries in a tree. name: the input's name, for messages and for a tree that is a single
// submission.
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
  std::string kind;  // "file" or "onlinetext"
  std::string rest;  // the remainder: a file name if the export has no folders
};
std::optional<MoodleName> moodle_name(const std::string& name);

// Canvas appends "-1", "-2" to the names of resubmitted files. Removes the counter and keeps the last version
// of each file.
void take_canvas_counters_off(Delivery& delivery);

// Parses submission_metadata.yml; the result is keyed by folder name. Fails if the text is not such a file.
struct GradescopeEntry {
  std::vector<Person> people;
  std::string created_at;
};
Result<std::vector<std::pair<std::string, GradescopeEntry>>> gradescope_entries(const std::string& text);

// Keeps the latest delivery of each student and names the others in its remarks. If the latest one cannot be
// determined, all of the student's deliveries stay, and their remarks say so.
std::vector<Delivery> latest_of_each(std::vector<Delivery> deliveries);

}  // namespace warpmark::classroom
