// Result of `warpmark assignment check`: what was found about an assignment before students see it. Its
// reports are projections of this model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace warpmark {

// Meaning of a finding. open: must be settled before the assignment is handed out; elsewhere: cannot be
// decided on this machine, because it needs a GPU or another engine.
enum class Standing : std::uint8_t { fine, remark, elsewhere, open };

struct AssignmentFinding {
  Standing standing = Standing::fine;
  std::string message;  // value, rule and remedy
  std::string file;     // as the user can open it; may be empty
  int line = 0;         // 0: not known
  std::string details;  // longer text, such as a compiler's output or a generated source
};

// The points that a submission earns with one version. Points that cannot be decided here count as open.
struct WorthRow {
  std::string submission;  // "reference", "template", "naive version", "file of v01"
  std::string engine;
  std::string version;
  double points = 0;
  double possible = 0;
  double open = 0;
  double at_most = 0;  // points that it may earn; equal to `possible` if there is no such bound
  Standing standing = Standing::fine;
  std::string why;  // the bound, or the first cause of lost points
};

enum class Fate : std::uint8_t {
  failed,        // a check failed, as it should
  survived,      // every check passed
  equivalent,    // survived, and the assignment lists it as equivalent
  same_code,     // compiles to the code of the solution
  not_compiled,  // is no program
  out_of_reach,  // survived, and would show only at sizes that the simulator does not reach
  undecided,     // a check could not be decided
};

struct MutantResult {
  std::string version;
  std::string file;
  std::string kind;  // of change: "barrier"
  int line = 0;
  std::string line_text;
  std::string edit;
  std::uint64_t nth = 1;
  Fate fate = Fate::failed;
  std::string check;   // the check that failed
  std::string reason;  // its cause's kind, or why the mutant was not decided
  std::string remedy;  // of a survivor: the size, limit or check that would catch it
};

struct MutantKind {
  std::string name;
  std::string what;
};

// Seconds of one check of one version of the reference, with nothing in the cache.
struct CheckCost {
  std::string version;
  std::string check;
  double seconds = 0;
};

struct AssignmentReport {
  std::string assignment;
  std::string title;
  std::string folder;
  std::string tool_version;
  std::string checked_at;  // UTC
  std::vector<std::string> engines;
  std::vector<AssignmentFinding> reading;   // 1: files, adapter, the course's functions
  std::vector<AssignmentFinding> expected;  // 2: answers of `expected`
  std::vector<WorthRow> worth;              // 2 and 3
  std::vector<MutantResult> mutants;        // 4
  std::vector<MutantKind> kinds;
  std::size_t all_mutants = 0;  // that there are; `mutants` may be a sample
  std::uint64_t seed = 0;
  double mutant_seconds = 0;
  std::vector<CheckCost> costs;  // 5
  std::size_t class_size = 0;
  unsigned jobs = 1;
  std::vector<AssignmentFinding> gaps;  // 6: what the rubric leaves open
  bool stopped = false;                 // a mistake in the files left nothing to grade

  // Returns how many findings, rows and survivors have a standing.
  [[nodiscard]] std::size_t count(Standing standing) const;
  [[nodiscard]] std::size_t count(Fate fate) const;
  // Returns the seconds that one grading of all versions takes on one core.
  [[nodiscard]] double seconds_of_a_grading() const;
  // Returns 0 if nothing is open, else 1.
  [[nodiscard]] int exit_status() const { return count(Standing::open) == 0 ? 0 : 1; }
};

}  // namespace warpmark
