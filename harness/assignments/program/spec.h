// An assignment whose submissions are whole programs, as its assignment.toml describes it (kind = "program"):
// how a program is run, on which cases, and what must come out.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "harness/assignments/program/comparison.h"
#include "harness/assignments/toml_table.h"

namespace warpmark::program {

// An output of a student's program that is compared: standard output or a file.
struct Output {
  std::string name;  // file in the program's working folder; empty: standard output
  // File with the expected output, in the assignment's folder; empty: the output of the reference program.
  std::filesystem::path expected;
};

// One run of a program. All paths are relative to the assignment's folder, all texts without placeholders.
struct Case {
  std::string name;
  std::vector<std::string> arguments;
  std::filesystem::path input;               // file for the program's standard input; empty: no input
  std::vector<std::filesystem::path> files;  // input files copied flat into the program's working folder
  std::vector<Output> outputs;               // outputs that are compared; at least one
  int status = 0;                            // exit status that the program must return
  std::uint64_t kernels = 1;                 // least number of kernel launches, counted in the simulator
  bool secret = false;                       // true if the test case is not given to students
  bool gpu_only = false;                     // true: too large for the simulator, so only run on a GPU
  int line = 0;                              // line of the test case in assignment.toml
};

struct Spec {
  std::string file;  // path of the assignment.toml, for messages
  std::vector<Case> cases;
  Comparison comparison;
  // C++ source in the assignment's folder of a program that compares outputs; empty: `comparison` is used.
  std::filesystem::path checker;
  std::chrono::milliseconds run_limit{20'000};  // time limit for one run of the student's program
  // Maximum bytes that a program may print, and that its files may have.
  std::size_t output_bytes = std::size_t{4} << 20;

  // Returns the test case with this name, or nullptr.
  [[nodiscard]] const Case* find(std::string_view name) const;
  // Returns the files of the course that grading reads, each once.
  [[nodiscard]] std::set<std::filesystem::path> files() const;
  // Returns the names of all test cases of the assignment, separated by commas.
  [[nodiscard]] std::string names() const;
};

// Returns true if the table describes an assignment whose submissions are programs. Throws Broken if `kind`
// is unknown.
bool is_program(TomlTable& top);

// Reads how a student's program is run and compared: the tables [run], [[case]], [compare] and [require] of
// assignment.toml, and the keys of [limits] that concern programs. Throws Broken at the first violated rule.
Spec read_spec(TomlTable& top);

// Returns the text of an assignment.toml without its secret test cases. file: path shown in error messages.
Result<std::string> without_secret_cases(const std::string& text, const std::string& file);

}  // namespace warpmark::program
