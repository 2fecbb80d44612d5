// Serialises the model types to JSON and back. One function per type, describe(), names each member once and
// serves the two archives Writer and Reader. A describe() uses the macros of harness/base/members.h,
// WARPMARK_SAMPLED, WARPMARK_ROUNDED, and
//
//   archive.member("line", x)     a member that is always present
//   archive.has("line", present)  true if the following members are present; the Writer returns `present`
//   archive.make(optional)        gives an optional its value before its members are read
//   archive.one_or_list("cause", "causes", list)
//   archive.inside("score", [&](auto& inner) { ... })
#pragma once

#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "harness/base/error.h"
#include "harness/base/members.h"
#include "harness/model/grade.h"

namespace warpmark::model {

using Json = nlohmann::json;                 // JSON value whose objects sort their members by name
using OrderedJson = nlohmann::ordered_json;  // JSON value whose objects keep their members in insertion order

using NamedNumbers = std::vector<std::pair<std::string, double>>;

// Describes members that are measured numbers. JSON cannot represent non-finite numbers; they are written as
// null and read as NaN.
#define WARPMARK_SAMPLED(...) WARPMARK_FOR_EACH(WARPMARK_CALL, sampled, __VA_ARGS__)
// Describes numeric members of a JSON file that are written with six significant digits, more than any
// measurement is precise to.
#define WARPMARK_ROUNDED(...) WARPMARK_FOR_EACH(WARPMARK_CALL, rounded, __VA_ARGS__)
double six_digits(double value);  // rounds to six significant digits; returns 0 if `value` is not finite

// Number of leading values of an enumeration that a JSON file may name; the values after them are internal.
template <Named T>
inline constexpr std::size_t kReadable = names_of(T{}).size();
template <>
// JSON files name only the first three engines: GPU, simulator and CPU. The sanitizers, which follow in the
// enumeration, never appear in a file.
inline constexpr std::size_t kReadable<Engine> = 3;

template <class T>
struct IsVector : std::false_type {};
template <class T>
struct IsVector<std::vector<T>> : std::true_type {};
template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};

// Returns a JSON number without a fraction if the value is whole ("3", not "3.0"): people and spreadsheets
// read these files.
OrderedJson number(double value);

// Serialises a JSON value as the text of a file; bytes that are not valid UTF-8 are replaced.
std::string text_of(const OrderedJson& file);

class Writer {
 public:
  template <class T>
  void member(const char* name, const T& value) {
    object_[name] = json_of(value);
  }
  template <class T>
  void optional(const char* name, const T& value) {
    if (!is_empty(value)) member(name, value);
  }
  template <class T>
  void sampled(const char* name, const T& value) {
    member(name, value);
  }
  void rounded(const char* name, double value) { member(name, six_digits(value)); }
  [[nodiscard]] bool has(const char* /*name*/, bool present) const { return present; }
  template <class T>
  void make(const std::optional<T>& /*value*/) const {}
  template <class T>
  void one_or_list(const char* one, const char* list, const std::vector<T>& values) {
    if (!values.empty()) member(one, values.front());
    if (values.size() > 1) member(list, values);
  }
  void inside(const char* name, const auto& describe_inner) {
    Writer inner;
    describe_inner(inner);
    object_[name] = std::move(inner.object_);
  }
  void schema(std::string_view name) { object_["schema"] = name; }

  template <class T>
  static OrderedJson json_of(const T& value) {
    if constexpr (std::is_same_v<T, double>) {
      return number(value);
    } else if constexpr (std::is_arithmetic_v<T> || std::is_same_v<T, std::string>) {
      return value;
    } else if constexpr (std::is_enum_v<T>) {
      return name_of(value);
    } else if constexpr (std::is_same_v<T, Span>) {
      return OrderedJson{number(value.low), number(value.high)};
    } else if constexpr (std::is_same_v<T, NamedNumbers>) {
      OrderedJson object = OrderedJson::object();
      for (const auto& [name, each] : value) object[name] = number(each);
      return object;
    } else if constexpr (IsVector<T>::value) {
      OrderedJson list = OrderedJson::array();
      for (const auto& each : value) list.push_back(json_of(each));
      return list;
    } else if constexpr (IsOptional<T>::value) {
      return value ? json_of(*value) : OrderedJson();
    } else {
      Writer inner;
      describe(inner, value);
      return std::move(inner.object_);
    }
  }

 private:
  template <class T>
  static bool is_empty(const T& value) {
    if constexpr (IsOptional<T>::value) {
      return !value;
    } else if constexpr (std::is_arithmetic_v<T>) {
      return value == T{};
    } else {
      return value.empty();
    }
  }

  OrderedJson object_ = OrderedJson::object();
};

// Thrown by Reader for an invalid member and caught in read_file_of(), so that describe() functions need no
// error handling.
struct BadMember {
  std::string message;
};

// Reads a value within a JSON file. The value's path ("checks[3].verdict") is composed only for an error
// message.
class Reader {
 public:
  explicit Reader(const Json& file) : value_(&file) {}

  template <class T>
  void member(const char* name, T& value) const {
    Reader(*this, name, at(name)).read(value);
  }
  template <class T>
  void optional(const char* name, T& value) const {
    if (const Json* member = find(name)) Reader(*this, name, *member).read(value);
  }
  template <class T>
  void sampled(const char* name, T& value) const {
    Reader(*this, name, at(name)).read_sampled(value);
  }
  void rounded(const char* name, double& value) const { member(name, value); }
  [[nodiscard]] bool has(const char* name, bool /*present*/) const { return find(name) != nullptr; }
  template <class T>
  void make(std::optional<T>& value) const {
    value.emplace();
  }
  template <class T>
  void one_or_list(const char* one, const char* list, std::vector<T>& values) const {
    if (has(list, true)) return member(list, values);
    if (has(one, true)) member(one, values.emplace_back());
  }
  void inside(const char* name, const auto& describe_inner) const {
    const Reader inner(*this, name, at(name));
    describe_inner(inner);
  }
  void schema(std::string_view wanted) const;

 private:
  static constexpr std::size_t kNoIndex = std::numeric_limits<std::size_t>::max();

  Reader(const Reader& parent, std::string_view name, const Json& value)
      : value_(&value), parent_(&parent), name_(name) {}
  Reader(const Reader& parent, std::size_t index, const Json& value)
      : value_(&value), parent_(&parent), index_(index) {}

  // Returns the JSON object's member with the given name, or nullptr if there is none.
  [[nodiscard]] const Json* find(const char* name) const;
  [[nodiscard]] const Json& at(const char* name) const;
  [[nodiscard]] std::string path() const;
  [[noreturn]] void complain(std::string_view expected) const;
  [[noreturn]] void complain_of_name(std::span<const std::string_view> expected) const;

  void read(std::string& value) const;
  void read(double& value) const;
  void read(bool& value) const;
  void read(Span& value) const;  // reads an interval from a JSON list of its two ends
  // Reads a JSON object with numeric members (such as performance counters) as pairs of name and number: the
  // counters that Warpmark knows come first, in their fixed order, then all others.
  void read(NamedNumbers& value) const;
  [[nodiscard]] std::uint64_t whole(std::uint64_t largest) const;

  template <std::integral T>
  void read(T& value) const {
    value = static_cast<T>(whole(static_cast<std::uint64_t>(std::numeric_limits<T>::max())));
  }
  void read(CauseKind& value) const;
  template <Named T>
  void read(T& value) const {
    std::string name;
    read(name);
    constexpr auto names = names_of(T{});
    const auto found = value_named<T>(name, kReadable<T>);
    if (!found) complain_of_name(std::span(names).first(kReadable<T>));
    value = *found;
  }
  template <class T>
  void read(std::vector<T>& values) const {
    elements(values, [](const Reader& element, T& value) { element.read(value); });
  }
  template <class T>
  void read(std::optional<T>& value) const {
    if (value_->is_null()) {
      value.reset();
    } else {
      read(value.emplace());
    }
  }
  void read_sampled(double& value) const {
    value = std::numeric_limits<double>::quiet_NaN();
    if (!value_->is_null()) read(value);
  }
  void read_sampled(std::vector<double>& values) const {
    elements(values, [](const Reader& element, double& value) { element.read_sampled(value); });
  }
  template <class T>
  requires std::is_class_v<T>
  void read(T& value) const {
    if (!value_->is_object()) complain("an object");
    describe(*this, value);
  }

  template <class T>
  void elements(std::vector<T>& values, const auto& read_one) const {
    if (!value_->is_array()) complain("a list");
    values.clear();
    values.resize(value_->size());
    for (std::size_t i = 0; i < values.size(); ++i) read_one(Reader(*this, i, (*value_)[i]), values[i]);
  }

  const Json* value_;
  const Reader* parent_ = nullptr;
  std::string_view name_;
  std::size_t index_ = kNoIndex;
};

// Parses a JSON file into a Model. The error names the bad member and the reason, and ends with `remedy`.
template <class Model>
Result<Model> read_file_of(const std::string& text, const char* what, const char* remedy) {
  const Json file = Json::parse(text, nullptr, false);
  if (file.is_discarded()) return fail(fmt::format("This is not {}, and not JSON. {}", what, remedy));
  try {
    Model model;
    describe(Reader(file), model);
    return model;
  } catch (const BadMember& bad) {
    return fail(fmt::format("This is not {} that this Warpmark can read: {}. {}", what, bad.message, remedy));
  }
}

}  // namespace warpmark::model
