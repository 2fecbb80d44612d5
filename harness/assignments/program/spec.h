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

// Something that a program puts out.
struct Output {
  std::string name;                // file in the program's working folder; empty: standard output
  std::filesystem::path expected;  // file in the assignment's folder; empty: the reference's output counts
};

// One run of a program. All paths are relative to the assignment's folder, all texts without placeholders.
struct Case {
  std::string name;
  std::vector<std::string> arguments;
  std::filesystem::path input;               // standard input; empty: none
  std::vector<std::filesystem::path> files;  // copied to the working folder, under their names without folder
  std::vector<Output> outputs;               // at least one
  int status = 0;                            // exit status that the program must have
  std::uint64_t kernels = 1;                 // least number of launches that the simulator must see
  bool secret = false;                       // left out of handouts
  int line = 0;                              // of the case in the file
};

struct Spec {
  std::string file;  // path of the assignment.toml, for messages
  std::vector<Case> cases;
  Comparison comparison;
  std::filesystem::path checker;  // C++ program in the assignment's folder that compares; empty: `comparison`
  std::chrono::milliseconds run_limit{20'000};      // of one run
  std::size_t output_bytes = std::size_t{4} << 20;  // of one run: output and files, each

  // Returns the case with this name, or nullptr.
  [[nodiscard]] const Case* find(std::string_view name) const;
  // Returns the files of the course that grading reads, each once.
  [[nodiscard]] std::set<std::filesystem::path> files() const;
  // Returns the names of all cases, separated by commas.
  [[nodiscard]] std::string names() const;
};

// Returns true if the table describes an assignment whose submissions are programs. Throws Broken if `kind`
// is unknown.
bool is_program(TomlTable& top);

// Reads [run], [[case]], [compare], [require] and its own part of [limits]. Throws Broken at the first
// violated rule.
Spec read_spec(TomlTable& top);

// Returns the rules without the cases that are secret. file: the name in errors.
Result<std::string> without_secret_cases(const std::string& text, const std::string& file);

}  // namespace warpmark::program
