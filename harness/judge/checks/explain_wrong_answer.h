// Explains a wrong result by experiments: further calls of the student's function with chosen inputs.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/judge/cases/case_runner.h"
#include "harness/source_edits/flat.h"
#include "harness/source_edits/repairs.h"

namespace warpmark::judge {

// Limits on the experiments that explain a wrong result. Each experiment calls the student's function once,
// with an input of equal or smaller size.
struct ExperimentLimits {
  std::chrono::milliseconds call;  // time limit per call of the student's function
  // Time limit of the first call in a worker process, which reads the device code; 0: as of other calls.
  std::chrono::milliseconds first_call{0};
  // Limit on all experimental calls of the student's function together: of processor time on the simulator,
  // else of time.
  std::chrono::duration<double> all{2.5};
  std::size_t most_calls = 320;
  std::size_t calls_for_a_process = 1;  // calls that the start of a fresh worker process counts as
  // Input sizes that the assignment allows and that experiments may try, smallest first.
  std::vector<Size> sizes = {};
  std::optional<Size> full_tiles = {};  // Experiment::full_tiles()
};

// What a change of the source must cure besides wrong outputs.
struct Demands {
  // Returns true for findings of the engine that are failures, too; empty: they do not matter.
  std::function<bool(CauseKind)> fails = {};
  // Returns false for kinds of changes (Repair::mistake) that only avoid the failure. Empty: all may cure it.
  std::function<bool(std::string_view)> is_cure = {};
  // Returns true if the counted launches of the case keep to the limits, where that is all that fails; else
  // empty.
  std::function<bool(const DeviceWork&)> holds = {};
  // Returns true if the counted launches of `counted` keep all limits of the version: of changes that cure,
  // those come first. Empty: not asked.
  std::function<bool(const DeviceWork&)> keeps = {};
  std::optional<Case> counted = {};
  [[nodiscard]] bool any() const { return fails || holds; }
};

class TriedVariants;

// A small change of a student's source after which the outputs are right; see right_change.h.
struct RightChange {
  std::vector<source_edits::Origin> lines;  // the changed lines, the likeliest first; at most two
  std::string_view mistake;                 // Cause::mistake of the first
  // "with another comparison at v.cu:12, `if (i <= n)` -> `if (i < n)`, the outputs of all 9 ..."
  std::string text;
};
// What is known of such a change for one version, whichever of its failures is explained.
struct KnownChange {
  bool sought = false;
  std::optional<RightChange> found = {};
};

// A student's function, loaded in a worker process, that can be called repeatedly.
class TriedVersion {
 public:
  virtual ~TriedVersion() = default;
  // Returns true if variants of the source can be built and called soon.
  [[nodiscard]] virtual bool can_be_changed() const { return false; }
  // Builds and loads the variants of the student's source in parts of some dozens, those first that may have
  // to do with the lines `seen`. Null if there is no such part, or none on this engine.
  virtual std::unique_ptr<TriedVariants> variants(std::size_t /*part*/,
                                                  const std::vector<source_edits::Origin>& /*seen*/) {
    return nullptr;
  }
  // Returns where the change that was found is kept for the version's other failures. Null: it is not kept.
  virtual KnownChange* known_change() { return nullptr; }
  virtual WorkerClient& worker() = 0;
  virtual const Loaded& loaded() = 0;
  // Starts a fresh worker process after a call that left the device context unusable. If it returns false,
  // the function must not be called again.
  virtual bool renew() = 0;
};

// Variants of a student's function, each with one change of the source, in the worker process of the
// original.
class TriedVariants : public TriedVersion {
 public:
  // The changes of the variants that compile, in the order of harness/source_edits/repairs.h.
  [[nodiscard]] virtual const std::vector<source_edits::Repair>& repairs() const = 0;
  // Makes loaded() the variant with repairs()[number].
  virtual void choose(std::size_t number) = 0;
};

// Returns a more precise failure reason for a wrong or missing result: which input elements are lost or
// counted twice, which lines and launches read them, at the smallest input size that shows the defect.
// Returns nullopt if the experiments add nothing.
std::optional<Cause> explain_wrong_answer(TriedVersion& version, const Assignment& assignment,
                                          const Case& which, const Cause& cause, const Blame& blame,
                                          const ExperimentLimits& limits, const Demands& demands = {});

// Cause::mistake where the message begins with what the source shows and is right in no program.
constexpr std::string_view kSureInSource = "sure_in_source";

// Returns the failure reason with the place where the source shows that a statement was left out; nullopt if
// it shows none. only_sure: of signs that are right in no program.
std::optional<Cause> with_leftover(const Cause& cause, const Blame& blame, bool only_sure);

// Returns the failure reason with the line and kind of the mistake, found by trial of small changes of the
// source (right_change.h); nullopt if no change helps. `demands`: what it must cure, too.
std::optional<Cause> explain_by_changes(TriedVersion& version, const Assignment& assignment,
                                        const Case& which, const Cause& cause, const Blame& blame,
                                        const ExperimentLimits& limits, const Demands& demands = {});

}  // namespace warpmark::judge
