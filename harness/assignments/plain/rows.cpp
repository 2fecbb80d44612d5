#include "harness/assignments/plain/rows.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>

namespace warpmark::plain {
namespace {

std::size_t value_of(const Spec& spec, const BufferRule& rule, const Size& size, const Expression& expression,
                     std::string_view what) {
  const auto value = expression.value(spec.values_of(size));
  if (value && *value >= 0) return static_cast<std::size_t>(*value);
  throw AssignmentFault(
      fmt::format("{}:{}: {} of {} at size {}: {}", spec.file, rule.line, what, rule.name, to_text(size),
                  value ? fmt::format("{}, and it must be 0 or more", *value) : value.error().message));
}

// Calls visit(begin, count), in bytes, for the padding behind each row of a two-dimensional buffer.
template <class Visit>
void for_padding(const Row& row, std::size_t number_bytes, std::size_t bytes, const Visit& visit) {
  if (!row.padded()) return;
  for (std::size_t begin = row.used * number_bytes; begin < bytes; begin += row.numbers * number_bytes)
    visit(begin, std::min((row.numbers - row.used) * number_bytes, bytes - begin));
}

}  // namespace

Row row_of(const Spec& spec, const BufferRule& rule, const Size& size, const Element& element) {
  if (!rule.row) return {};
  const std::size_t row = value_of(spec, rule, size, *rule.row, "row");
  const std::size_t used = rule.columns ? value_of(spec, rule, size, *rule.columns, "columns") : row;
  if (used > row)
    throw AssignmentFault(
        fmt::format("{}:{}: {} has {} columns in rows of {} at size {}; a row must hold them", spec.file,
                    rule.line, rule.name, used, row, to_text(size)));
  return {row * element.components, used * element.components};
}

void fill_padding(const Row& row, std::size_t number_bytes, std::span<std::byte> contents) {
  for_padding(row, number_bytes, contents.size(), [&](std::size_t begin, std::size_t count) {
    std::ranges::fill(contents.subspan(begin, count), std::byte{0});
  });
}

bool same_padding(const Row& row, std::size_t number_bytes, std::span<const std::byte> a,
                  std::span<const std::byte> b) {
  bool same = true;
  for_padding(row, number_bytes, a.size(), [&](std::size_t begin, std::size_t count) {
    same = same && std::memcmp(a.data() + begin, b.data() + begin, count) == 0;
  });
  return same;
}

double amount_of(const Spec& spec, const Expression& expression, const Size& size) {
  const auto value = expression.value(spec.values_of(size));
  if (!value)
    throw AssignmentFault(
        fmt::format("{}: ladder at size {}: {}", spec.file, to_text(size), value.error().message));
  return static_cast<double>(*value);
}

}  // namespace warpmark::plain
