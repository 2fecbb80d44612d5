// JSON archive of the protocol between the judge process and the processes that run student code: Writer and
// Reader convert its messages to and from JSON. Both follow the descriptions in describe.h, which name each
// struct member once. Only codec.h and the result file of the `simulate` command use it.
#pragma once

#include <array>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/members.h"
#include "harness/wire/codec.h"
#include "harness/wire/patch_runs.h"

namespace warpmark::wire {

// As the upper limit of a number: it may be as large as its type allows.
inline constexpr std::uint64_t kNoBound = std::numeric_limits<std::uint64_t>::max();

template <class T>
inline constexpr std::uint64_t kMostOf = static_cast<std::uint64_t>(std::numeric_limits<T>::max());
template <>
inline constexpr std::uint64_t kMostOf<int> = kMostLine;

class Writer {
 public:
  explicit Writer(nlohmann::json& object) : object_(object) { object_ = nlohmann::json::object(); }

  template <class T>
  void member(const char* name, const T& value, std::uint64_t /*most*/ = 0) {
    object_[name] = value_of(value);
  }
  // Writes a member of the JSON object, or omits the member if its value equals a default-constructed one.
  template <class T>
  void optional(const char* name, const T& value, std::uint64_t /*most*/ = 0) {
    if (!(value == T{})) object_[name] = value_of(value);
  }
  template <class T>
  void optional(const char* name, const std::optional<T>& value, std::uint64_t /*most*/ = 0) {
    if (value) object_[name] = value_of(*value);
  }
  template <class T>
  void member(const char* name, const std::vector<T>& values, std::size_t most) {
    object_[name] = list_of(values, most);
  }
  template <class T>
  void optional(const char* name, const std::vector<T>& values, std::size_t most) {
    if (!values.empty()) member(name, values, most);
  }
  template <class T>
  void optional(const char* name, const std::optional<std::vector<T>>& values, std::size_t most) {
    if (values) member(name, *values, most);
  }
  void count(const char* name, std::uint64_t value) { member(name, value); }
  template <class T>
  void optional_count(const char* name, const T& value) {
    optional(name, value);
  }
  void patches(const char* name, const std::vector<Patch>& patches, std::size_t most) {
    member(name, runs_of(patches), most);
  }
  template <class Test>
  void require(const char* /*why*/, const Test& /*test*/) {}

 private:
  static nlohmann::json value_of(bool value) { return value; }
  static nlohmann::json value_of(std::integral auto value) { return static_cast<std::uint64_t>(value); }
  static nlohmann::json value_of(double value) { return value; }
  static nlohmann::json value_of(const std::string& text) {
    constexpr std::string_view kMark = " ... (cut)";
    if (text.size() <= kLongestText) return text;
    return text.substr(0, kLongestText - kMark.size()).append(kMark);
  }
  template <class T>
  requires std::is_enum_v<T>
  static nlohmann::json value_of(T value) { return name_of(value); }
  static nlohmann::json value_of(const Counters& counters) {
    nlohmann::json object = nlohmann::json::object();
    for (std::size_t i = 0; i < kCounterNames.size(); ++i) {
      const double value = counters.values()[i];
      if (value == std::floor(value) && value <= static_cast<double>(kMostCount)) {
        object[std::string(kCounterNames[i])] = static_cast<std::uint64_t>(value);
      } else {
        object[std::string(kCounterNames[i])] = value;
      }
    }
    return object;
  }
  template <class T, std::size_t kCount>
  static nlohmann::json value_of(const std::array<T, kCount>& values) {
    auto list = nlohmann::json::array();
    for (const T& value : values) list.push_back(value_of(value));
    return list;
  }
  template <class T>
  requires std::is_class_v<T>
  static nlohmann::json value_of(const T& value) {
    nlohmann::json object;
    Writer writer(object);
    describe(writer, value);
    return object;
  }
  template <class T>
  static nlohmann::json list_of(const std::vector<T>& values, std::size_t most) {
    auto list = nlohmann::json::array();
    for (const T& value : values) {
      if (list.size() == most) break;
      list.push_back(value_of(value));
    }
    return list;
  }

  nlohmann::json& object_;
};

// Reads a message's members from a JSON object and stops at the first one that is missing or invalid: `why`
// then holds the error message, and later members are not read.
class Reader {
 public:
  Reader(const nlohmann::json& object, std::string& why) : object_(object), why_(why) {
    if (!object.is_object()) refuse("an object is expected");
  }
  // Ends the reading of a JSON object: reports an error if the object has members that the message type
  // lacks. Must be called after all members were read.
  void finish() {
    if (ok() && taken_ != object_.size()) refuse("a member that is not known");
  }

  // Reads a member that the JSON object must have. most: upper limit of a number, or of a list's length; 0:
  // the largest value of the number's type.
  template <class T>
  void member(const char* name, T& value, std::uint64_t most = 0) {
    if (const auto* found = find(name, true)) read(*found, value, name, most);
  }
  template <class T>
  void optional(const char* name, T& value, std::uint64_t most = 0) {
    if (const auto* found = find(name, false)) read(*found, value, name, most);
  }
  template <class T>
  void optional(const char* name, std::optional<T>& value, std::uint64_t most = 0) {
    if (const auto* found = find(name, false)) read(*found, value.emplace(), name, most);
  }
  void count(const char* name, std::uint64_t& value) { member(name, value, kMostCount); }
  template <class T>
  void optional_count(const char* name, T& value) {
    optional(name, value, kMostCount);
  }
  void patches(const char* name, std::vector<Patch>& patches, std::size_t most) {
    std::vector<PatchRun> runs;
    member(name, runs, most);
    patches.clear();
    for (const PatchRun& run : runs) {
      if (ok() && !append_patches(run, patches, most)) refuse(name, "has a run of another size");
    }
  }
  // Rejects the whole JSON message, with the reason `why`, if `test` returns false: for rules that relate
  // several members to each other, which must have been read before.
  template <class Test>
  void require(const char* why, const Test& test) {
    if (ok() && !test()) refuse(why);
  }

 private:
  [[nodiscard]] bool ok() const { return why_.empty(); }
  void refuse(std::string why) {
    if (ok()) why_ = std::move(why);
  }
  void refuse(const char* name, const char* why) {
    refuse(std::string("`").append(name).append("` ").append(why));
  }

  const nlohmann::json* find(const char* name, bool needed) {
    if (!ok()) return nullptr;
    const auto found = object_.find(name);
    if (found != object_.end()) {
      ++taken_;
      return &*found;
    }
    if (needed) refuse(name, "is missing");
    return nullptr;
  }

  void read(const nlohmann::json& from, bool& value, const char* name, std::uint64_t /*most*/) {
    if (!from.is_boolean()) return refuse(name, "is not true or false");
    value = from.get<bool>();
  }
  template <std::integral T>
  void read(const nlohmann::json& from, T& value, const char* name, std::uint64_t most) {
    if (!from.is_number_unsigned()) return refuse(name, "is not a whole number of 0 or more");
    const auto number = from.get<std::uint64_t>();
    if (number > (most == 0 ? kMostOf<T> : most)) return refuse(name, "is out of bounds");
    value = static_cast<T>(number);
  }
  void read(const nlohmann::json& from, double& value, const char* name, std::uint64_t most) {
    if (!from.is_number()) return refuse(name, "is not a number");
    value = from.get<double>();
    const double bound =
        most == kNoBound ? std::numeric_limits<double>::max() : static_cast<double>(kMostCount);
    if (!(value >= 0 && value <= bound)) refuse(name, "is out of bounds");
  }
  void read(const nlohmann::json& from, std::string& text, const char* name, std::uint64_t /*most*/) {
    if (!from.is_string()) return refuse(name, "is not a text");
    const auto& string = from.get_ref<const std::string&>();
    if (string.size() > 3 * kLongestText) return refuse(name, "is too long");
    text = string;
  }
  void read(const nlohmann::json& from, CauseKind& kind, const char* name, std::uint64_t /*most*/) {
    if (!from.is_string()) return refuse(name, "is not a text");
    const auto found = cause_kind_from(from.get_ref<const std::string&>());
    if (!found) return refuse(name, "is not a kind of finding");
    // A worker process may report only defects that an engine (GPU or simulator) can detect: any other report
    // is a forgery by student code. One exception: no_kernel (the output was not computed by a kernel) is
    // listed as a finding of the judge process, but the simulated device detects it as well.
    if (rule_of(*found).source != Source::engine && *found != CauseKind::no_kernel)
      return refuse(name, "is a kind that no engine reports");
    kind = *found;
  }
  template <Named T>
  void read(const nlohmann::json& from, T& value, const char* name, std::uint64_t /*most*/) {
    if (!from.is_string()) return refuse(name, "is not a text");
    const auto found = value_named<T>(from.get_ref<const std::string&>());
    if (!found) return refuse(name, "is not one of its names");
    value = *found;
  }
  void read(const nlohmann::json& from, Counters& counters, const char* name, std::uint64_t /*most*/) {
    if (!from.is_object() || from.size() != kCounterNames.size()) return refuse(name, "are not all counters");
    for (const std::string_view counter : kCounterNames) {
      const auto found = from.find(counter);
      if (found == from.end()) return refuse(name, "are not all counters");
      double value = 0;
      read(*found, value, name, 0);
      counters.set(counter, value);
    }
  }
  template <class T, std::size_t kCount>
  void read(const nlohmann::json& from, std::array<T, kCount>& values, const char* name, std::uint64_t most) {
    if (!from.is_array() || from.size() != kCount) return refuse(name, "has another number of values");
    for (std::size_t i = 0; i < kCount; ++i) read(from[i], values[i], name, most);
  }
  template <class T>
  requires std::is_class_v<T>
  void read(const nlohmann::json& from, T& value, const char* /*name*/, std::uint64_t /*most*/) {
    Reader reader(from, why_);
    describe(reader, value);
    reader.finish();
  }
  template <class T>
  void read(const nlohmann::json& from, std::vector<T>& values, const char* name, std::size_t most) {
    if (!from.is_array()) return refuse(name, "is not a list");
    if (from.size() > most) return refuse(name, "has too many entries");
    values.resize(from.size());
    for (std::size_t i = 0; i < values.size() && ok(); ++i) read(from[i], values[i], name, 0);
  }

  const nlohmann::json& object_;
  std::string& why_;
  std::size_t taken_ = 0;
};

}  // namespace warpmark::wire
