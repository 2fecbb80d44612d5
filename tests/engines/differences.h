// Compares what several runs said of the same submissions, and which differences have a documented reason.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "harness/base/error.h"
#include "tests/engines/record.h"

namespace warpmark::engines {

// An entry of reasons.toml: why the engines may differ. Each member but `why` is a glob.
struct Reason {
  std::string fixture;                      // "mistakes/bounds_*"
  std::string check = "*";                  // "*.correct"
  std::map<std::string, std::string> told;  // by engine, of Told::text(): "gpu" -> "failed cuda_error *"
  std::string why;
  bool chance = false;  // true: chance decides whether a run shows the difference
};

// Fails with the entry that lacks a member or has one of an unknown name.
Result<std::vector<Reason>> read_reasons(const std::filesystem::path& table);

// A check that two runs decide differently.
struct Difference {
  std::string fixture;
  std::string check;
  std::string in;          // "verdict", "cause" or "line": the first of these that differs
  std::vector<Told> told;  // one per run
  std::string why;         // the documented reason; empty: there is none
};

struct Comparison {
  std::vector<std::string> runs;
  std::size_t fixtures = 0;  // that all runs graded
  std::size_t checks = 0;    // of these fixtures
  std::vector<Difference> differences;
  std::vector<std::string> lacking;  // fixtures that not all runs graded
  std::vector<Reason> unneeded;      // reasons that no difference of their fixtures needs

  // True if all was graded, every difference has a reason, and every reason is needed.
  [[nodiscard]] bool is_settled() const;
};

// Compares the records of `fixtures` in these runs. `known`: all fixtures that there are; a reason counts as
// unneeded once all runs graded all fixtures that it is about, or if it is about none; one of chance does
// not. A check that one run did not make, because an earlier check of the same version failed, is left out if
// the runs already differ in that one.
Comparison compare(const std::vector<Record>& records, const std::vector<std::string>& runs,
                   const std::vector<std::string>& fixtures, const std::vector<std::string>& known,
                   const std::vector<Reason>& reasons);

// The table of differences, and how many there are.
std::string to_text(const Comparison& comparison);

// True if a shell's pattern matches the text.
bool matches(const std::string& glob, const std::string& text);

}  // namespace warpmark::engines
