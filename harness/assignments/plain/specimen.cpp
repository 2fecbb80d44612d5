#include "harness/assignments/plain/specimen.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "harness/assignments/bytes.h"
#include "harness/assignments/plain/comparison.h"
#include "harness/assignments/plain/problem.h"
#include "harness/assignments/plain/shape.h"
#include "harness/assignments/plain/wording.h"
#include "harness/assignments/random.h"

namespace warpmark::plain {
namespace {

// Returns the elements per row of a buffer: what assignment.toml says, or the second factor of a count that
// is the product of two sizes; 0: the buffer has one dimension.
std::uint64_t elements_per_row(const Spec& spec, const BufferRule& rule, const Size& size,
                               const Row& declared, std::size_t components) {
  if (declared.numbers != 0 || rule.row) return declared.numbers / components;
  if (rule.count.names().size() != 2) return 0;
  for (const std::string& last : spec.sizes) {
    for (const std::string& first : spec.sizes) {
      if (first != last && rule.count.text() == fmt::format("{} * {}", first, last))
        return static_cast<std::uint64_t>(spec.values_of(size).at(last));
    }
  }
  return 0;
}

// Draws a buffer's numbers once more with another seed, until each differs from its old value, if it can.
void draw_others(Drawing drawing, std::span<const std::byte> old, std::span<std::byte> others) {
  constexpr int kTries = 8;
  const std::size_t bytes = bytes_of(drawing.number);
  std::vector<std::byte> drawn(old.size());
  for (int attempt = 0; attempt < kTries; ++attempt) {
    drawing.seed = mix(drawing.seed);
    if (!fill(drawing, drawn)) return;
    bool all = true;
    for (std::size_t at = 0; at < old.size(); at += bytes) {
      const auto same = [&](std::span<const std::byte> a) {
        return std::memcmp(a.data() + at, old.data() + at, bytes) == 0;
      };
      if (same(others)) std::memcpy(others.data() + at, drawn.data() + at, bytes);
      all = all && !same(others);
    }
    if (all) return;
  }
}

// Negates each number, or makes it 1 if it is 0, so that the magnitudes whose sum is limited hardly grow.
template <class T>
void negate(std::span<std::byte> others) {
  for (std::uint64_t i = 0; i < others.size() / sizeof(T); ++i) {
    const T value = load_value<T>(others, i);
    store_value<T>(others, i, value == T{0} ? T{1} : static_cast<T>(-value));
  }
}

}  // namespace

Specimen::Specimen(std::shared_ptr<const Spec> spec, std::shared_ptr<Oracle> oracle, const Case& which)
    : spec_(std::move(spec)),
      oracle_(std::move(oracle)),
      which_(which),
      problem_(make_problem(spec_, oracle_, which)) {
  const auto specs = problem_->buffers();
  const Size size = which.sizes();
  inputs_.resize(specs.size());
  others_.resize(specs.size());
  ranges_.resize(specs.size());
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const BufferRule& rule = spec_->buffers[i];
    const Element& element = spec_->element_of(rule.type, which.type);
    elements_.push_back(&element);
    numbers_.push_back(specs[i].bytes / element.bytes * numbers_per_element(i));
    Row row = row_of(*spec_, rule, size, element);
    if (row.numbers == 0) {
      row.numbers = row.used =
          elements_per_row(*spec_, rule, size, row, element.components) * element.components;
    }
    rows_.push_back(row);
    if (!is_input(i)) continue;
    inputs_[i].resize(specs[i].bytes);
    problem_->fill(i, inputs_[i]);
  }
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (is_input(i) && numbers_[i] != 0) find_others(i);
    if (spec_->buffers[i].role != Role::output && spec_->buffers[i].role != Role::in_out) continue;
    for (std::uint64_t k = 0; k < numbers_[i]; ++k) {
      if (!rows_[i].is_padding(static_cast<std::size_t>(k))) outputs_.push_back({i, k});
    }
  }
  expected_ = expected_for(inputs_);
}

bool Specimen::is_input(std::size_t buffer) const {
  const Role role = spec_->buffers[buffer].role;
  return role == Role::input || role == Role::in_out;
}

std::size_t Specimen::numbers_per_element(std::size_t buffer) const {
  const Element& element = *elements_[buffer];
  return element.members.empty() ? element.components : element.members.size();
}

// Single numbers of ordered data and of data that the course makes may not be changed, unless timed calls
// change them, too.
void Specimen::find_others(std::size_t buffer) {
  const BufferRule& rule = spec_->buffers[buffer];
  const Element& element = *elements_[buffer];
  const std::string made_of = class_in(*spec_, rule, which_.type, which_.data);
  const auto data_class = built_in_class(made_of);
  if (data_class ? is_ordered(*data_class) : !rule.patched) return;
  ranges_[buffer] = range_of(*spec_, rule.name, rule.line, rule.low_for(which_.type),
                             rule.high_for(which_.type), element, "uniform", 0, which_.sizes(), false);
  auto& others = others_[buffer] = inputs_[buffer];
  if (!data_class) {
    oracle_->make(rule.name, which_.type, others, others.size() / element.bytes, which_.sizes().parts,
                  made_of, mix(which_.seed));
  } else if (*data_class == "exact" && element.real()) {
    with_number(element.number, [&]<class T>() { negate<T>(others); });
  } else {
    const bool bits = *data_class == "random_bits" || *data_class == "whole";
    draw_others({bits ? *data_class : "uniform", element.number, numbers_[buffer], ranges_[buffer], 0,
                 random_bits(~which_.seed, buffer)},
                inputs_[buffer], others);
  }
  changeable_.push_back(buffer);
}

Contents Specimen::with_values(
    const std::function<std::optional<long double>(const Cell& cell, long double value)>& other) const {
  Contents inputs = inputs_;
  for (const std::size_t buffer : changeable_) {
    const Range& range = ranges_[buffer];
    for (std::uint64_t k = 0; k < numbers_[buffer]; ++k) {
      const Cell cell{buffer, k};
      auto replaced = other(cell, value(inputs, cell));
      if (!replaced) continue;
      const bool real = is_real(cell);
      const long double low = real ? range.real_low : static_cast<long double>(range.low);
      const long double high = real ? range.real_high : low + static_cast<long double>(range.span);
      if (std::isfinite(low) && *replaced < low) replaced = low;
      if (std::isfinite(high) && *replaced > high) replaced = high;
      const std::size_t offset = place(cell).first;
      with_number(type(cell), [&]<class T>() {
        const T number = static_cast<T>(*replaced);
        std::memcpy(inputs[buffer].data() + offset, &number, sizeof number);
      });
    }
  }
  return inputs;
}

Contents Specimen::expected_for(const Contents& inputs) const {
  Contents contents = inputs;
  OracleCall call{"expected", which_.type, 0, {}, problem_->scalars(), spec_->buffers.size()};
  const auto specs = problem_->buffers();
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const bool scratch = specs[i].role == Role::scratch;
    if (specs[i].role == Role::output) contents[i].resize(specs[i].bytes);
    call.buffers.push_back(
        {specs[i].name, contents[i], specs[i].role != Role::input, !scratch, scratch ? specs[i].bytes : 0});
  }
  oracle_->call(call);
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (specs[i].role == Role::input) contents[i].clear();
  }
  return contents;
}

std::vector<Cell> Specimen::wrong(const Contents& outputs) const {
  std::vector<Cell> all;
  for (const Cell& cell : outputs_) {
    const std::size_t each = numbers_per_element(cell.buffer);
    const bool is_struct = !elements_[cell.buffer]->members.empty();
    const std::size_t bytes = elements_[cell.buffer]->bytes / (is_struct ? 1 : each);
    const std::size_t offset = static_cast<std::size_t>(is_struct ? cell.number / each : cell.number) * bytes;
    const auto part = std::span(outputs[cell.buffer]).subspan(offset, bytes);
    if (!problem_->check_part(cell.buffer, offset, part)) continue;
    // A struct is refused as a whole; its wrong members are those that differ.
    if (!is_struct || value(outputs, cell) != value(expected_, cell)) all.push_back(cell);
  }
  return all;
}

Number Specimen::type(const Cell& cell) const {
  const Element& element = *elements_[cell.buffer];
  return element.members.empty()
             ? element.number
             : element.members[static_cast<std::size_t>(cell.number) % element.members.size()].number;
}

std::pair<std::size_t, std::size_t> Specimen::place(const Cell& cell) const {
  const Element& element = *elements_[cell.buffer];
  const auto number = static_cast<std::size_t>(cell.number);
  const std::size_t bytes = bytes_of(type(cell));
  if (element.members.empty()) return {number * bytes, bytes};
  return {number / element.members.size() * element.bytes +
              element.members[number % element.members.size()].offset,
          bytes};
}

long double Specimen::value(const Contents& contents, const Cell& cell) const {
  const auto [offset, bytes] = place(cell);
  const auto there = std::span(contents[cell.buffer]).subspan(offset, bytes);
  return with_number(type(cell),
                     [&]<class T>() { return static_cast<long double>(load_value<T>(there, 0)); });
}

long double Specimen::change(const Cell& cell, const Contents& from, const Contents& to) const {
  const long double a = value(from, cell);
  const long double b = value(to, cell);
  if (std::isnan(a) && std::isnan(b)) return 0;
  return is_real(cell) && a == b ? 0 : wrapped(cell, b - a);
}

long double Specimen::wrapped(const Cell& cell, long double value) const {
  if (is_real(cell)) return value;
  const long double period = std::ldexp(1.0L, static_cast<int>(8 * bytes_of(type(cell))));
  const long double rest = std::fmod(value, period);
  if (rest >= period / 2) return rest - period;
  return rest < -period / 2 ? rest + period : rest;
}

std::string Specimen::text(const Contents& contents, const Cell& cell) const {
  const auto [offset, bytes] = place(cell);
  return number_text(type(cell), std::span(contents[cell.buffer]).subspan(offset, bytes), 0);
}

std::string Specimen::name(const Cell& cell) const {
  const Element& element = *elements_[cell.buffer];
  const std::size_t each = numbers_per_element(cell.buffer);
  Difference at;
  at.number = static_cast<std::size_t>(cell.number);
  if (!element.members.empty()) {
    at.member = &element.members[at.number % each];
    at.number /= each;
  }
  return name_of({*spec_, spec_->buffers[cell.buffer], element, numbers_[cell.buffer] / each,
                  rows_[cell.buffer], which_.sizes()},
                 at);
}

std::string_view Specimen::note(const Cell& cell) const {
  const auto& members = elements_[cell.buffer]->members;
  return members.empty() ? std::string_view() : members[cell.number % members.size()].note;
}

std::optional<Cell> Specimen::value_beside(const Cell& cell) const {
  const auto& members = elements_[cell.buffer]->members;
  if (members.empty()) return std::nullopt;
  const std::uint64_t first = cell.number / members.size() * members.size();
  const std::string& name = members[cell.number - first].name;
  for (std::uint64_t k = 0; k < members.size(); ++k) {
    if (name.size() > members[k].name.size() && name.starts_with(members[k].name))
      return Cell{cell.buffer, first + k};
  }
  return std::nullopt;
}

}  // namespace warpmark::plain
