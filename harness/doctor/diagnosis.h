// Derives findings from a machine's facts: what this machine can grade, and how to repair what it cannot.
// Pure functions.
#pragma once

#include <string>
#include <vector>

#include "harness/base/engine.h"
#include "harness/doctor/facts.h"

namespace warpmark::doctor {

enum class Status {
  pass,
  caution,  // student code can be graded, but not all of it or less reliably
  fail,     // student code cannot be graded on the engine (GPU or simulator) that would be used
};
constexpr std::array<std::string_view, 3> names_of(Status /*type*/) {
  return {"pass", "caution", "fail"};
}

struct Assessment {
  std::string name;  // what was examined, such as "clocks"
  Status status = Status::pass;
  std::string found;   // what `warpmark doctor` found out about the machine, and the consequence for grading
  std::string repair;  // command or instruction that repairs the machine; empty if there is nothing to repair
};

struct Diagnosis {
  std::string engine;  // engine that grading would use: "gpu", "simulator"; empty: none
  std::vector<Assessment> findings;

  // Exit status of `warpmark doctor`: 1 if a finding has the status fail, else 0.
  [[nodiscard]] int exit_status() const;
};

Diagnosis diagnose(const Facts& facts);

std::string to_console(const Diagnosis& diagnosis, bool colour);
// Serialises the diagnosis of `warpmark doctor` as JSON of schema "warpmark.doctor/1".
std::string to_json(const Diagnosis& diagnosis);

}  // namespace warpmark::doctor
