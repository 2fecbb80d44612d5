// The persistent state of a class: an SQLite database (write-ahead log) beside the output. A grade is
// committed before it is shown anywhere, so that a crash loses nothing that anybody has seen.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "harness/base/error.h"
#include "harness/class/journal/taken.h"
#include "harness/model/grade.h"

namespace warpmark::classroom {

// Result of one attempt to grade a submission.
struct Outcome {
  std::string content;                        // digest of the submission's files
  std::string rules;                          // digest of the rubric, Warpmark and the machine
  std::string grade;                          // text of grade.json; empty if ungraded
  StudentState state = StudentState::graded;  // kind of result: graded, unusable or broken
  std::optional<StudentCause> cause;          // why the submission has no grade
  Score score;
  // Exit status of grading: 0 all checks passed, 1 a check failed, 3 inconclusive or broken.
  int exit_status = 0;
  // Note to the instructor on points that stay undecided for another reason than a missing GPU.
  std::string doubt;
  bool again = false;      // true: the result is inconclusive or broken, and grading is to be retried once
  double gpu_seconds = 0;  // for which the grading had a GPU for itself; not kept in the journal
};

// The two sets of a class's grades: those in force, and those of a regrade that has not been applied.
enum class Shelf { current, shadow };
constexpr std::array<std::string_view, 2> names_of(Shelf /*type*/) {
  return {"current", "shadow"};
}

// A class's journal, stored in an SQLite database. Thread-safe. Every member throws std::exception if the
// database cannot be read or written (for example, disk full).
class Journal {
 public:
  // Opens or creates `<folder>/journal.sqlite`. Fails if the database belongs to another program or to an
  // incompatible version of Warpmark.
  static Result<Journal> open(const std::filesystem::path& folder);
  static bool exists(const std::filesystem::path& folder);
  Journal(Journal&&) noexcept;
  Journal& operator=(Journal&&) noexcept;
  ~Journal();

  // Returns a named value that a grading run stored in the journal ("seed", "options", "unfinished"); empty
  // if never set.
  [[nodiscard]] std::string fact(const std::string& name) const;
  void set_fact(const std::string& name, const std::string& value);
  void set_facts(const std::map<std::string, std::string>& facts);

  // Stores the students of the class and their assigned IDs in one transaction.
  void set_taken(const TakenClass& taken, const std::map<std::string, std::string>& ids);
  [[nodiscard]] std::optional<TakenClass> taken() const;
  [[nodiscard]] std::map<std::string, std::string> ids() const;

  void set_outcome(Shelf shelf, const std::string& id, const Outcome& outcome);
  [[nodiscard]] std::optional<Outcome> outcome(Shelf shelf, const std::string& id) const;
  // Returns how many different submissions of a student the journal has had a current result for.
  [[nodiscard]] std::uint64_t attempts(const std::string& id) const;
  // Returns all grading results by student ID, without the text of grade.json.
  [[nodiscard]] std::map<std::string, Outcome> outcomes(Shelf shelf) const;

  // apply_shadow() makes the grades and the rubric of a regrade the current ones; discard_shadow() deletes
  // the regrade.
  void apply_shadow();
  void discard_shadow();

  void correct(const std::string& id, const Correction& correction);
  // Deletes a student's manual correction; returns false if there was none.
  bool withdraw_correction(const std::string& id);
  [[nodiscard]] std::map<std::string, Correction> corrections() const;

 private:
  struct State;
  explicit Journal(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace warpmark::classroom
