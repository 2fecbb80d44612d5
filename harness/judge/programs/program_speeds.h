// The check `fast` of a whole program: whether it can be timed here, against which of the course's programs,
// and its outcome.
#pragma once

#include <functional>
#include <string>

#include "harness/judge/intake/submission.h"
#include "harness/judge/programs/expected_outputs.h"
#include "harness/judge/programs/program_timing.h"
#include "harness/judge/workers/engines.h"

namespace warpmark::judge {

struct ProgramSpeed {
  const CaseSettings& settings;
  const Course& course;
  const VersionRule& rule;
  const Submission& submission;
  const Engines& engines;
  Engine main;  // engine of `builds` and `correct`
  ProgramBuilders& builders;
  ExpectedOutputs& expected;
  std::function<void(const std::string&)> say = {};  // receives lines of progress; may be empty
};

// Returns the engine on which a program is timed: Engine::host if it needs no GPU.
Engine engine_of_speed(const ProgramSpeed& speed);

// Times a program that passed `correct`, while no other grading measures on this machine. `built`: as
// `correct` ran it.
FastOutcome check_speed(const ProgramSpeed& speed, const BuiltProgram& built);

}  // namespace warpmark::judge
