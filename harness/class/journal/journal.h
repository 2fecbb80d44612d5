// What a class has got so far, in a database beside the output (SQLite, write-ahead log): a grade is
// committed before it is shown anywhere, so that a crash at any moment loses nothing that anybody has seen.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "harness/base/error.h"
#include "harness/class/journal/taken.h"
#include "harness/model/grade.h"

namespace warpmark::classroom {

// What one attempt to grade came to.
struct Outcome {
  std::string content;                        // digest of the submission's files
  std::string rules;                          // digest of rubric, harness and machine
  std::string grade;                          // grade.json; empty where there is none
  StudentState state = StudentState::graded;  // graded, unusable or broken
  std::optional<StudentCause> cause;          // why there is no grade
  Score score;                                // of the grade
  int exit_status = 0;                        // of the grade
  std::string doubt;   // for the instructor: points that are open for another reason than a missing GPU
  bool again = false;  // inconclusive or broken, and not tried a second time as yet
};

// Where grades stand: those that count, and those of a regrade that nobody has applied yet.
enum class Shelf { current, shadow };

// Every member throws std::exception when the database cannot be read or written (a full disk). Safe to call
// from several threads.
class Journal {
 public:
  // Opens or makes `<folder>/journal.sqlite`. Fails for the database of another program or version.
  static Result<Journal> open(const std::filesystem::path& folder);
  static bool exists(const std::filesystem::path& folder);
  Journal(Journal&&) noexcept;
  Journal& operator=(Journal&&) noexcept;
  ~Journal();

  // Small facts of the run: "seed", "options", "unfinished". Empty when never set.
  [[nodiscard]] std::string fact(const std::string& name) const;
  void set_fact(const std::string& name, const std::string& value);
  void set_facts(const std::map<std::string, std::string>& facts);  // in one step

  // The students of the class, with the ids that were given, in one step.
  void set_taken(const TakenClass& taken, const std::map<std::string, std::string>& ids);
  [[nodiscard]] std::optional<TakenClass> taken() const;
  [[nodiscard]] std::map<std::string, std::string> ids() const;

  void set_outcome(Shelf shelf, const std::string& id, const Outcome& outcome);
  [[nodiscard]] std::optional<Outcome> outcome(Shelf shelf, const std::string& id) const;
  // All without the grades' texts, by id.
  [[nodiscard]] std::map<std::string, Outcome> outcomes(Shelf shelf) const;

  // Makes the shadow's grades those that count, with its rubric (fact "shadow_rubric"), or throws them away.
  void apply_shadow();
  void discard_shadow();

  void correct(const std::string& id, const Correction& correction);
  // Whether there was one.
  bool withdraw_correction(const std::string& id);
  [[nodiscard]] std::map<std::string, Correction> corrections() const;

 private:
  struct State;
  explicit Journal(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace warpmark::classroom
