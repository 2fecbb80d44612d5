// Experiments with a student's function that gave wrong outputs: at which sizes it does, what it leaves as it
// was before the call, and which inputs each wrong number depends on, compared with which it should.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "harness/assignments/assignment.h"
#include "harness/assignments/plain/specimen.h"

namespace warpmark::plain {

// A call of the student's function with the generated inputs of a test case that gave wrong outputs.
struct Trial {
  std::shared_ptr<const Specimen> specimen;
  Contents actual;
  std::vector<Cell> wrong;                // in order, never empty
  std::vector<std::string> kernels = {};  // those that were launched, in order, as far as that is known
};

// What is kept of every call with generated inputs of at least one value, a wrong or a right one.
struct Tried {
  std::vector<std::string> kernels;
  bool is_wrong = false;
};

// What changing one number of an input changes in a number of an output.
struct Effect {
  Cell input;
  long double expected = 0;
  long double actual = 0;
  [[nodiscard]] bool missing() const { return actual == 0 && expected != 0; }
  [[nodiscard]] bool extra() const { return actual != 0 && expected == 0; }
};

// The inputs on which a wrong number depends, or should. `differing`: those whose effect is not the expected
// one. `as_expected`: the others, as far as each was tried alone.
struct Dependence {
  Cell output;
  std::vector<Effect> differing;
  std::vector<Effect> as_expected;

  // Returns the differing inputs on which the number does not depend, and should; or the other way round.
  [[nodiscard]] std::vector<Cell> missing() const;
  [[nodiscard]] std::vector<Cell> extras() const;
};

// Adjacent numbers of an input, `last` included, that an output counts `times` times where it should once.
struct Run {
  Cell first;
  std::uint64_t last = 0;
  long double times = 0;
};

struct Dependences {
  const Trial* trial = nullptr;
  bool complete = true;              // false if calls ran out, so that some inputs were not tried
  bool each_alone = false;           // true if every number of every changeable input was changed alone
  std::vector<Dependence> of_wrong;  // of some of the wrong numbers, first and last included

  // Returns the wrong numbers with inputs whose effect is not the expected one.
  [[nodiscard]] std::vector<const Dependence*> telling() const;
};

// Returns how often an output takes an input, 0 or at least 2; nullopt if the effect is no such multiple of
// the expected one.
std::optional<long double> times_of(const Specimen& specimen, const Cell& output, const Effect& effect);

class Laboratory {
 public:
  // `assignment` is the one that spec and oracle describe.
  Laboratory(std::shared_ptr<const Spec> spec, std::shared_ptr<Oracle> oracle, const Assignment& assignment,
             const Case& which, Experiment& experiment);

  // Returns the trials with wrong outputs, smallest size first; empty if there is none.
  [[nodiscard]] const std::vector<Trial>& trials() const { return trials_; }
  // Returns the largest trial whose inputs are few enough to change each alone, or else the smallest trial.
  [[nodiscard]] const Trial& small() const;
  [[nodiscard]] const Trial& largest() const { return trials_.back(); }
  // Returns what is kept of the calls that find_trials() made.
  [[nodiscard]] const std::vector<Tried>& all_tried() const { return all_tried_; }
  // Returns the trial at the size of Experiment::full_tiles(), if its outputs are wrong, and then those of
  // trials().
  std::vector<const Trial*> with_full_tiles();

  // Calls the student's function for a trial's case with other inputs.
  std::optional<Contents> call(const Trial& trial, const Contents& inputs, std::byte before);
  // Returns the outputs of a trial's own call, repeated with other memory before it; null: the call failed.
  const Contents* with_other_memory(const Trial& trial);
  // Returns what the wrong numbers of small() depend on. Made at the first call.
  const Dependences& dependences();
  // Returns them if they have been made; null otherwise.
  [[nodiscard]] const Dependences* known_dependences() const {
    return dependences_ ? &*dependences_ : nullptr;
  }
  // Joins single numbers of one input, ascending, that an output of small() counts `times` times, to runs; of
  // inputs too large to change each number alone, further calls find where each run ends.
  std::vector<Run> runs(const Cell& output, const std::vector<Cell>& cells, long double times);
  // Returns true if a number changes alike in both pairs of outputs, within rounding.
  [[nodiscard]] static bool same_change(const Specimen& specimen, const Cell& cell, long double a,
                                        long double b, long double magnitude);

  static constexpr std::byte kBefore{0x11};
  static constexpr std::byte kOtherBefore{0x22};

 private:
  void find_trials(const Assignment& assignment, const Case& which);
  std::optional<Trial> tried(const Case& which);
  // Notes in all_tried() a call of a larger size than those of the trials: it may take more launches.
  void try_a_larger_one(const Assignment& assignment, const Case& which);
  void change_each(const Trial& trial);
  void change_groups(const Trial& trial, std::size_t buffer, std::uint64_t first, std::uint64_t last);
  // Replaces numbers first to last of an input and notes what changes in the watched outputs. Returns false
  // if all changes are those expected, or the call failed.
  bool change(const Trial& trial, std::size_t buffer, std::uint64_t first, std::uint64_t last);
  // Returns what replacing numbers first to last of an input changes in an output; nullopt: the call failed.
  std::optional<Effect> effect(const Cell& output, const Cell& first, std::uint64_t last);

  // Returns the last number of the run of equally often counted ones that begins at `first`.
  std::uint64_t end_of_run(const Cell& output, const Cell& first, long double times);
  // The same for the number whose effect was noted last; itself if several outputs depend on it.
  std::uint64_t end_of_run(const Cell& first);

  std::shared_ptr<const Spec> spec_;
  std::shared_ptr<Oracle> oracle_;
  const Assignment& assignment_;
  Experiment& experiment_;
  std::vector<Trial> trials_;
  std::vector<Tried> all_tried_;
  std::optional<std::optional<Trial>> full_tiles_;
  std::optional<std::pair<const Trial*, std::optional<Contents>>> other_memory_;
  std::optional<Dependences> dependences_;
  std::size_t leaves_ = 0;        // single numbers with an unexpected effect that change_groups() has found
  std::uint64_t behind_run_ = 0;  // numbers below this one belong to runs that are known
  std::size_t groups_ = 0;        // groups of numbers that change_groups() has changed
};

}  // namespace warpmark::plain
