// Times whole programs for the check `fast`: a student's program and the course's in turn, each run a process
// of its own in the same kind of sandbox, from its start to its end.
#pragma once

#include <functional>

#include "harness/base/processor_time.h"
#include "harness/judge/programs/program_case.h"
#include "harness/judge/rules/plan.h"
#include "harness/judge/speed/verdict.h"

namespace warpmark::judge {

// Returns the wall time of a run in milliseconds, from the start of its process to its end.
double wall_ms(const program_analysis::ProgramRun& run);

struct TimedPrograms {
  const CaseSettings& settings;  // engine: Engine::gpu or Engine::host
  const Course& course;
  const VersionRule& rule;
  const program::Case& one;
  const BuiltProgram& baseline;  // the course's program
  const BuiltProgram& student;
  const CompareOutput& compare;  // called for each output of each run
  std::function<double(const program_analysis::ProgramRun&)> milliseconds = wall_ms;
  std::function<double()> seconds_of_others = seconds_taken_by_others;
  // Limit on the rounds (of four runs) of one measurement, a multiple of measure::kLookEvery: a run takes
  // about a thousand times as long as a call of a kernel.
  std::size_t most_rounds = 48;
  std::uint64_t seed = seed_from_the_system();  // draws the order of each round
};

// Runs the two programs in rounds of four, in an order that is drawn for each round, until the statistics of
// measure/decision.h decide or the machine proves too noisy (cause `noise`). Each run gets a fresh working
// folder, and its outputs are compared. Throws AssignmentFault if a file of the test case is missing.
FastOutcome time_programs(const TimedPrograms& programs);

}  // namespace warpmark::judge
