// From an input to the submissions in it: which student handed in what, and when. Knows the layouts of the
// platforms' exports.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/class/intake/tree.h"
#include "harness/model/class_result.h"

namespace warpmark::classroom {

enum class Layout { folders, canvas, moodle, gradescope, github };
std::string_view name_of(Layout layout);

// What one student handed in at one time.
struct Delivery {
  Layout layout = Layout::folders;
  Person person;
  std::string source;     // "export.zip/anna"
  std::string attempt;    // sorts the attempts of one student, the latest last; empty: cannot be told
  std::string submitted;  // as the export says it; may be empty
  Lateness lateness;
  Tree tree;
  std::vector<std::string> remarks;
  std::optional<StudentCause> fault;  // why nothing of it can be graded
};

struct Deliveries {
  std::vector<Delivery> all;
  std::vector<NotUnderstood> not_understood;

  void add(Deliveries more);
};

// The layout that an export's names show. A pure function of the tree.
Layout layout_of(const Tree& tree);

// The deliveries of a tree. name: of the input, for messages and for a tree that is one submission itself.
Deliveries split(const Tree& tree, const std::string& name);

// The parts of a platform's name, "doejohn_LATE_101_2002_v01.cu" or "Ada Doe_101_assignsubmission_file_".
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
  std::string rest;  // behind it: a file's name where the export has no folders
};
std::optional<MoodleName> moodle_name(const std::string& name);

// Canvas adds "-1", "-2" to the names of files that are handed in again: takes that off and keeps the last.
void take_canvas_counters_off(Delivery& delivery);

// What submission_metadata.yml says, by the folder's name. Fails when the file is none.
struct GradescopeEntry {
  std::vector<Person> people;
  std::string created_at;
};
Result<std::vector<std::pair<std::string, GradescopeEntry>>> gradescope_entries(const std::string& text);

// The latest delivery of each student; the others are named in its remarks. Deliveries of which the latest
// cannot be told all stay, and their remarks say so.
std::vector<Delivery> latest_of_each(std::vector<Delivery> deliveries);

}  // namespace warpmark::classroom
