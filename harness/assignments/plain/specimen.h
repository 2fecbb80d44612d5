// A test case of an assignment in the plain form as the object of experiments: its inputs, other values that
// the contract allows, and the expected outputs for any of them. Everything is counted in numbers: an element
// has several if its type is a vector or a struct.
#pragma once

#include <cmath>
#include <compare>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "harness/assignments/assignment.h"
#include "harness/assignments/plain/classes.h"
#include "harness/assignments/plain/element.h"
#include "harness/assignments/plain/oracle.h"
#include "harness/assignments/plain/rows.h"
#include "harness/assignments/plain/spec.h"

namespace warpmark::plain {

using Contents = Experiment::Contents;

// A number of a buffer, by the buffer's index in Spec::buffers and the number's index in the buffer.
struct Cell {
  std::size_t buffer = 0;
  std::uint64_t number = 0;
  auto operator<=>(const Cell&) const = default;
};

// True if two values are equal, or both NaN.
inline bool same_value(long double a, long double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

class Specimen {
 public:
  // Generates the inputs and computes the expected outputs. Throws AssignmentFault if the size is not
  // possible.
  Specimen(std::shared_ptr<const Spec> spec, std::shared_ptr<Oracle> oracle, const Case& which);

  [[nodiscard]] const Case& which() const { return which_; }
  [[nodiscard]] const Spec& spec() const { return *spec_; }
  [[nodiscard]] const Problem& problem() const { return *problem_; }
  [[nodiscard]] const Contents& inputs() const { return inputs_; }
  [[nodiscard]] const Contents& expected() const { return expected_; }
  // Returns the expected outputs for other inputs of the same sizes.
  [[nodiscard]] Contents expected_for(const Contents& inputs) const;
  // Returns the numbers of the outputs that the comparison with the expected answer refuses, in order,
  // without the padding of rows.
  [[nodiscard]] std::vector<Cell> wrong(const Contents& outputs) const;
  // Returns all numbers of the outputs, in order, without the padding of rows.
  [[nodiscard]] const std::vector<Cell>& outputs() const { return outputs_; }
  // Returns the indices of the buffers whose numbers may be replaced one by one by those of others().
  [[nodiscard]] const std::vector<std::size_t>& changeable() const { return changeable_; }
  // Returns another allowed value for each number of a changeable buffer, in the form of its contents.
  [[nodiscard]] const std::vector<std::byte>& others(std::size_t buffer) const { return others_[buffer]; }
  // Returns the range within which a changeable buffer's numbers have to stay.
  [[nodiscard]] const Range& range(std::size_t buffer) const { return ranges_[buffer]; }

  // Returns the inputs with each number of the changeable buffers replaced by what `other` returns for it, as
  // far as the contract's range allows; nullopt: the number stays.
  [[nodiscard]] Contents with_values(
      const std::function<std::optional<long double>(const Cell& cell, long double value)>& other) const;

  [[nodiscard]] std::uint64_t numbers(std::size_t buffer) const { return numbers_[buffer]; }
  [[nodiscard]] bool is_input(std::size_t buffer) const;
  // Returns the numbers per row of a two-dimensional buffer, 0 for others. A buffer without `row` in
  // assignment.toml has rows if its count is the product of two sizes.
  [[nodiscard]] std::uint64_t row(std::size_t buffer) const { return rows_[buffer].numbers; }
  [[nodiscard]] Number type(const Cell& cell) const;
  [[nodiscard]] bool is_real(const Cell& cell) const {
    return type(cell) == Number::f32 || type(cell) == Number::f64;
  }
  // Returns the byte offset and the size in bytes of a number in its buffer.
  [[nodiscard]] std::pair<std::size_t, std::size_t> place(const Cell& cell) const;
  [[nodiscard]] long double value(const Contents& contents, const Cell& cell) const;
  // Returns the change from one value of a number to another; whole numbers wrap around as their type does.
  [[nodiscard]] long double change(const Cell& cell, const Contents& from, const Contents& to) const;
  // Returns what the number's type holds of a sum or product: whole numbers wrap around.
  [[nodiscard]] long double wrapped(const Cell& cell, long double value) const;
  [[nodiscard]] std::string text(const Contents& contents, const Cell& cell) const;
  // Returns the number's name in messages: "in(1, 2)", "bins[7]", "extremes.least".
  [[nodiscard]] std::string name(const Cell& cell) const;
  // Returns what the contract adds about a member of a struct; empty: nothing.
  [[nodiscard]] std::string_view note(const Cell& cell) const;
  // Returns the member of the same struct whose position a member is: `least` of `least_at`, by the names.
  [[nodiscard]] std::optional<Cell> value_beside(const Cell& cell) const;

 private:
  [[nodiscard]] std::size_t numbers_per_element(std::size_t buffer) const;
  void find_others(std::size_t buffer);

  std::shared_ptr<const Spec> spec_;
  std::shared_ptr<Oracle> oracle_;
  Case which_;
  std::unique_ptr<Problem> problem_;
  std::vector<const Element*> elements_;
  std::vector<std::uint64_t> numbers_;
  std::vector<Row> rows_;
  Contents inputs_;
  Contents expected_;
  Contents others_;
  std::vector<Range> ranges_;
  std::vector<std::size_t> changeable_;
  std::vector<Cell> outputs_;
};

}  // namespace warpmark::plain
