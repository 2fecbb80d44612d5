// Result of `warpmark assignment check`: the mistakes found in a course's assignment before students see it.
// The command's reports are generated from this model alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace warpmark {

// Severity of a finding about an assignment. open: must be fixed before students get the assignment;
// elsewhere: can only be decided on another machine, because the check needs a GPU or a compiler that this
// machine lacks.
enum class Standing : std::uint8_t { fine, remark, elsewhere, open };

struct AssignmentFinding {
  Standing standing = Standing::fine;
  std::string message;  // text of the finding: the wrong value, the rule that it breaks, and how to fix it
  std::string file;     // path of the file that the finding is about; empty: no particular file
  int line = 0;         // source line that the finding is about; 0: unknown
  // Long output that supports the finding, such as compiler messages or a generated source file.
  std::string details;
};

// The points that one version (kernel) of a trial submission (the course's solution, the untouched template,
// ...) earns in the check of an assignment. Points that cannot be decided on this machine are counted as
// open, not as lost.
struct WorthRow {
  std::string submission;  // "reference", "template", "naive version", "file of v01"
  std::string engine;
  std::string version;
  double points = 0;
  double possible = 0;
  double open = 0;
  // Upper limit on the points that a trial submission may earn with one kernel; equal to `possible` if the
  // points are not limited.
  double at_most = 0;
  Standing standing = Standing::fine;
  // Sentence for the report: the limit on the points of a trial submission's kernel, or the first cause of
  // lost points.
  std::string why;
};

enum class Fate : std::uint8_t {
  failed,    // a check rejected the mutant (a solution with one deliberate mistake), as it should
  survived,  // the mutant passed every check, so the checks miss its mistake
  // The mutant passed every check, but the assignment's rubric lists it as equivalent to the solution.
  equivalent,
  same_code,     // the mutant compiles to the same machine code as the solution
  not_compiled,  // the mutant does not compile
  // The mutant passed every check, but its mistake shows only at input sizes too large for the simulator.
  out_of_reach,
  undecided,  // undecided mutant: a check could not be run on this machine
};

struct MutantResult {
  std::string version;
  std::string file;
  std::string kind;  // kind of change that made the mutant: "barrier"
  int line = 0;
  std::string line_text;
  std::string edit;
  std::uint64_t nth = 1;
  Fate fate = Fate::failed;
  std::string check;  // name of the check that the mutant failed
  // Kind of the mistake that a check found in the mutant, or the reason why the mutant was not decided.
  std::string reason;
  // For a mutant that passed every check: the input size, limit or check that would catch it.
  std::string remedy;
};

struct MutantKind {
  std::string name;
  std::string what;
};

// Time in seconds that one check of one kernel of the course's own solution takes, with an empty compiler
// cache.
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
  // Section 1 of the report on an assignment: findings in its files, its adapter and the course's functions.
  std::vector<AssignmentFinding> reading;
  // Section 2 of the report on an assignment: findings about the answers of the course's function `expected`.
  std::vector<AssignmentFinding> expected;
  // Sections 2 and 3 of the report on an assignment: the points of the trial submissions.
  std::vector<WorthRow> worth;
  std::vector<MutantResult> mutants;  // section 4 of the report on an assignment: results of mutation testing
  std::vector<MutantKind> kinds;
  // Number of mutants that exist; the report may test only a random sample of them.
  std::size_t all_mutants = 0;
  std::uint64_t seed = 0;
  double mutant_seconds = 0;
  std::vector<CheckCost> costs;  // section 5 of the report on an assignment: duration of each check
  std::size_t class_size = 0;
  unsigned jobs = 1;
  // Section 6 of the report on an assignment: mistakes that the rubric's sizes and checks would not catch.
  std::vector<AssignmentFinding> gaps;
  // True: the check of the assignment ended early, because a mistake in its files left nothing to grade.
  bool stopped = false;

  // Returns how many findings, rows of points and mutants of an assignment's report have the given severity
  // or fate.
  [[nodiscard]] std::size_t count(Standing standing) const;
  [[nodiscard]] std::size_t count(Fate fate) const;
  // Returns the seconds that one grading of all kernels of an assignment takes on one core.
  [[nodiscard]] double seconds_of_a_grading() const;
  // Exit status of `warpmark assignment check`: 0 if the assignment can be handed out, 1 if a finding must be
  // fixed first.
  [[nodiscard]] int exit_status() const { return count(Standing::open) == 0 ? 0 : 1; }
};

}  // namespace warpmark
