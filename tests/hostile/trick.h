// A trick that a submission may try: one right submission with a change, and what its grade has to say.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "harness/base/error.h"
#include "tests/edits/edits.h"

namespace warpmark::hostile {

// One of several right solutions in a submission: it becomes a function of the header forms.h.
struct Form {
  std::string name;
  std::string does;
  std::string before;  // declarations in front of the function
  std::string body;
};

// README.md says what each member means.
struct Trick {
  std::string group;    // the name of its table: "answers"
  std::string name;     // within the group
  std::string does;     // what it tries, for the table of all tricks
  std::string defence;  // what holds it
  edits::Edits edits;
  std::string check;    // that is asked
  std::string verdict;  // of that check
  std::string cause;    // kind of its first cause; empty when it passed
  std::string file;     // of the first cause; empty: not asked
  std::string type;     // of the values
  std::string engine;   // "gpu", "simulator"; empty: on either
  // Regular expression of the kind of the first cause on a GPU, or "passed"; empty: as elsewhere.
  std::string on_gpu;
  std::vector<std::string> words;  // regular expressions that the check's texts match, in any case
  std::vector<std::string> never;  // regular expressions that no report matches
  std::vector<std::string> in;     // of the reports that `never` is about; empty: of all
  bool needs_box = false;          // where there is no box it is not held
  bool known_gap = false;          // it goes through as yet
  std::string submission_seconds;  // of the rubric's limits; empty: the default
  // Which defences were switched off to see it go through, as in without.sh ("words", "symbols+box"), and
  // what became of the check then; empty: not tried.
  std::string off;
  std::string then;
  std::vector<Form> forms;
  // Parts of forms.h: its top, the parameters of each form, the arguments that call it, and statements around
  // calls.
  std::string prologue, takes, gives, before_each, after_each, after_all;

  [[nodiscard]] bool honest() const { return group.starts_with("honest"); }
  [[nodiscard]] std::string full_name() const { return group + "." + name; }
};

// The trick with this form alone.
Trick with_form(const Trick& trick, const Form& form);

// The entries of all tables of a folder. Fails with the entry that lacks a member or has one of an unknown
// name.
Result<std::vector<Trick>> read_tricks(const std::filesystem::path& folder);

// The part of README.md that lists them.
std::string table_of(const std::vector<Trick>& tricks);

}  // namespace warpmark::hostile
