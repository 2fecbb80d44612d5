// Generates mutants: copies of a solution with one small change each that makes a typical mistake of
// students.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/source_edits/source.h"

namespace warpmark::source_edits {

// A replacement of a range of bytes in a source text.
struct Edit {
  std::size_t begin = 0;  // byte offsets
  std::size_t end = 0;
  std::string by;
  std::string name;  // "<= to <", "drop i < n"
};

// A mutation operator: one kind of mistake, and the function that finds all places in a source function where
// it can be made.
struct Operator {
  std::string_view name;
  std::string_view what;  // description of a mutation operator for users
  void (*apply)(const Source& source, const Function& function, std::vector<Edit>& edits);
  // True if an operator's mutants misbehave only at sizes that no simulator reaches, so that a surviving
  // mutant says nothing about the assignment's tests.
  bool needs_huge_sizes = false;
  // True if an operator's mutants give the same results at a higher cost: only a limit of `work` can fail
  // them.
  bool costs_only = false;
};

std::span<const Operator> operators();
const Operator* find_operator(std::string_view name);

struct Mutant {
  std::string version;
  std::string file;
  std::string kind;       // name of the mutation operator that made the change
  int line = 0;           // number of the changed line
  std::string line_text;  // the changed line as in the solution, without indentation
  std::string edit;
  // Number of the mutant, from 1, among those of the same file with equal line_text and edit.
  std::uint64_t nth = 1;
  std::string text;  // text of the whole mutated file
};

// Returns all mutants of a version's source file in the order of the changed places, without duplicates. Only
// function bodies are mutated, and only between <solution> marks if the file has any.
std::vector<Mutant> mutants_of(const std::string& version, const std::string& file, std::string_view text);

// Returns a random sample of `count` mutants in their original order; all of them if count is 0 or exceeds
// their number.
std::vector<Mutant> sample_of(std::vector<Mutant> all, std::size_t count, std::uint64_t seed);

}  // namespace warpmark::source_edits
