#include "harness/model/json.h"

#include <algorithm>

#include <fmt/ranges.h>

#include "harness/base/counters.h"

namespace warpmark::model {
namespace {

// Longest value that an error message quotes, in characters.
constexpr std::size_t kShownAtMost = 60;
// Largest integer up to which a double represents every integer; above, numbers are written as doubles.
constexpr double kLargestWhole = 9007199254740992.0;
constexpr int kDigits = 6;

}  // namespace

double six_digits(double value) {
  if (!(std::abs(value) > 0) || !std::isfinite(value)) return 0;
  const double scale = std::pow(10, kDigits - std::ceil(std::log10(std::abs(value))));
  return std::round(value * scale) / scale;
}

OrderedJson number(double value) {
  if (std::isfinite(value) && std::trunc(value) == value && std::abs(value) < kLargestWhole) {
    return static_cast<std::int64_t>(value);
  }
  return value;
}

std::string text_of(const OrderedJson& file) {
  return file.dump(2, ' ', false, OrderedJson::error_handler_t::replace) + "\n";
}

void Reader::schema(std::string_view wanted) const {
  const Reader reader(*this, "schema", at("schema"));
  std::string found;
  reader.read(found);
  if (found != wanted) reader.complain(fmt::format("\"{}\"", wanted));
}

const Json* Reader::find(const char* name) const {
  if (!value_->is_object()) complain("an object");
  const auto found = value_->find(name);
  return found == value_->end() ? nullptr : &*found;
}

const Json& Reader::at(const char* name) const {
  if (const Json* member = find(name)) return *member;
  throw BadMember{fmt::format("{} is missing", Reader(*this, name, *value_).path())};
}

std::string Reader::path() const {
  if (parent_ == nullptr) return {};
  const std::string before = parent_->path();
  if (index_ != kNoIndex) return fmt::format("{}[{}]", before, index_);
  return before.empty() ? std::string(name_) : fmt::format("{}.{}", before, name_);
}

void Reader::complain(std::string_view expected) const {
  // Error message about a JSON value of the wrong type. It quotes a scalar, but only names the type of a
  // non-empty list or object, whose text may be large and nested deeper than the stack allows.
  const bool shows = !value_->is_structured() || value_->empty();
  std::string shown =
      shows ? value_->dump(-1, ' ', false, Json::error_handler_t::replace) : value_->type_name();
  if (shown.size() > kShownAtMost) shown = value_->type_name();
  const std::string where = path();
  throw BadMember{fmt::format("{} is {}, must be {}", where.empty() ? "the file" : where, shown, expected)};
}

// Reports that a string in a JSON file is none of the permitted names, and lists those: "load", "call" or
// "between".
void Reader::complain_of_name(std::span<const std::string_view> expected) const {
  const auto others = expected.first(expected.size() - 1);
  complain(fmt::format("\"{}\" or \"{}\"", fmt::join(others, "\", \""), expected.back()));
}

void Reader::read(std::string& value) const {
  if (!value_->is_string()) complain("a string");
  value = value_->get_ref<const std::string&>();
}

void Reader::read(double& value) const {
  if (!value_->is_number()) complain("a number");
  value = value_->get<double>();
}

void Reader::read(bool& value) const {
  if (!value_->is_boolean()) complain("true or false");
  value = value_->get<bool>();
}

void Reader::read(Span& value) const {
  std::vector<double> ends;
  read_sampled(ends);
  if (ends.size() != 2) complain("two numbers or null");
  value = {ends[0], ends[1]};
}

void Reader::read(CauseKind& value) const {
  std::string name;
  read(name);
  const auto kind = cause_kind_from(name);
  if (!kind) complain("a kind of cause that this tool knows");
  value = *kind;
}

std::uint64_t Reader::whole(std::uint64_t largest) const {
  if (!value_->is_number_unsigned()) complain("a whole number from 0");
  const auto value = value_->get<std::uint64_t>();
  if (value > largest) complain(fmt::format("a whole number up to {}", largest));
  return value;
}

void Reader::read(NamedNumbers& value) const {
  if (!value_->is_object()) complain("an object");
  value.clear();
  const auto add = [&](std::string_view name, const Json& number) {
    Reader(*this, name, number).read(value.emplace_back(name, 0).second);
  };
  for (const std::string_view name : kCounterNames) {
    const auto found = value_->find(name);
    if (found != value_->end()) add(name, *found);
  }
  for (const auto& [name, number] : value_->items()) {
    if (std::ranges::find(kCounterNames, name) == kCounterNames.end()) add(name, number);
  }
}

}  // namespace warpmark::model
