// What facts mean for grading: pure functions.
#pragma once

#include <string>
#include <vector>

#include "harness/base/engine.h"
#include "harness/doctor/facts.h"

namespace warpmark::doctor {

enum class Status {
  pass,
  caution,  // grading works, but less of it, or less surely
  fail,     // stops grading on the engine that would be used
};

struct Assessment {
  std::string name;  // "clocks"
  Status status = Status::pass;
  std::string found;   // what there is and what follows from it
  std::string repair;  // a command, or an instruction; empty when there is nothing to do
};

struct Diagnosis {
  std::string engine;  // that grading would use: "gpu", "simulator"; empty: none
  std::vector<Assessment> findings;

  [[nodiscard]] int exit_status() const;  // 0 unless something fails, then 1
};

Diagnosis diagnose(const Facts& facts);

std::string to_console(const Diagnosis& diagnosis, bool colour);
// Schema "warpmark.doctor/1".
std::string to_json(const Diagnosis& diagnosis);

}  // namespace warpmark::doctor
