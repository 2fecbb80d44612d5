// Kinds of mistakes that students make, as a table of patterns over what experiments show of wrong outputs.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "harness/assignments/plain/laboratory.h"

namespace warpmark::plain {

// A pattern that was found in a trial.
struct Recognised {
  const Trial* trial = nullptr;
  Cell wrong;        // the wrong number that the message is about
  std::string what;  // a sentence without full stop: "out(0, 1) uses in(0, 1) and should use in(1, 0)"
  // A number of an input and one of an output, of whose load and store the message names the line.
  std::optional<Cell> read = {};
  std::optional<Cell> written = {};
  bool store_at_fault = false;
  std::vector<std::string> types = {};  // Explanation::types
  std::string what_if_stored = {};      // Explanation::what_if_stored, of the wrong number
  // Adjacent numbers of an input that the wrong number counts `times` times instead of once.
  std::vector<Run> counted = {};
  std::optional<Cell> rightly_read = {};     // a number of the input that has the expected effect
  std::vector<std::string> written_as = {};  // Explanation::written_as
  // Replaces the name of the table's row, where the pattern is one of a family.
  std::string_view mistake = {};
};

struct Recogniser {
  std::string_view mistake;  // Cause::mistake
  std::optional<Recognised> (*look)(Laboratory& laboratory);
  std::string_view remedy;  // what to look at, a clause
};

// Returns the recognisers in the order in which they are asked; the first that finds its pattern explains the
// wrong output.
std::span<const Recogniser> recognisers();

// Returns names of runs for a message: "y[3]", "y[3] to y[90] and y[95]".
std::string names_of(const Specimen& specimen, std::span<const Run> runs);

// Where some of many numbers lie, such as the last of each block.
struct Placement {
  std::string text;          // ", the last 3 of 33 numbers of y"; may be empty
  std::string_view mistake;  // "tail", "head", "block_edge", "warp_edge", "stride"; empty: none of these
};
// `chosen`: numbers of one buffer in ascending order, at least one.
Placement placement_of(const Specimen& specimen, std::span<const Cell> chosen);

// Returns names for a message: "y[3]", "y[3] and y[4]", "y[3], y[4] and 7 more".
std::string names_of(const Specimen& specimen, std::span<const Cell> cells);

// Returns the inputs of a trial with the other sign for all numbers, as far as the contract allows.
Contents with_other_signs(const Specimen& specimen);

// The recognisers, by what they look at.
namespace look {
// Two calls, or the memory before the call.
std::optional<Recognised> by_chance(Laboratory& laboratory);
std::optional<Recognised> initial_value(Laboratory& laboratory);
std::optional<Recognised> unwritten(Laboratory& laboratory);
// Wrong outputs beside the expected ones.
std::optional<Recognised> transposed(Laboratory& laboratory);
std::optional<Recognised> reversed(Laboratory& laboratory);
std::optional<Recognised> shifted(Laboratory& laboratory);
std::optional<Recognised> constant(Laboratory& laboratory);
std::optional<Recognised> truncated(Laboratory& laboratory);
std::optional<Recognised> narrow(Laboratory& laboratory);
std::optional<Recognised> negated(Laboratory& laboratory);
// One number over all trials.
std::optional<Recognised> not_neutral(Laboratory& laboratory);
std::optional<Recognised> of_nothing(Laboratory& laboratory);
std::optional<Recognised> begins_with(Laboratory& laboratory);
std::optional<Recognised> another_output(Laboratory& laboratory);
std::optional<Recognised> within_a_block(Laboratory& laboratory);
// Right values that stand, or were taken, elsewhere.
std::optional<Recognised> other_half(Laboratory& laboratory);
std::optional<Recognised> position_of_equal(Laboratory& laboratory);
std::optional<Recognised> mixed_members(Laboratory& laboratory);
std::optional<Recognised> unstable(Laboratory& laboratory);
std::optional<Recognised> permuted(Laboratory& laboratory);
// Right numbers in the wrong order.
std::optional<Recognised> another_order(Laboratory& laboratory);
std::optional<Recognised> no_order(Laboratory& laboratory);
// What the wrong outputs depend on.
std::optional<Recognised> ignores_inputs(Laboratory& laboratory);
std::optional<Recognised> swapped_inputs(Laboratory& laboratory);
std::optional<Recognised> shifted_inputs(Laboratory& laboratory);
std::optional<Recognised> one_input_for_all(Laboratory& laboratory);
std::optional<Recognised> other_inputs(Laboratory& laboratory);
std::optional<Recognised> lost(Laboratory& laboratory);
std::optional<Recognised> extra(Laboratory& laboratory);
std::optional<Recognised> counted_often(Laboratory& laboratory);
std::optional<Recognised> other_operation(Laboratory& laboratory);
std::optional<Recognised> something_added(Laboratory& laboratory);
// Inputs for which the outputs are right.
std::optional<Recognised> special_values(Laboratory& laboratory);
std::optional<Recognised> large_values(Laboratory& laboratory);
}  // namespace look

}  // namespace warpmark::plain
