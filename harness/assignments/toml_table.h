// Reads TOML files. Every error contains file, line and violated rule.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include "harness/base/file.h"

namespace warpmark {

// Thrown at the first violated rule; parse_toml() converts the exception to an Error.
struct Broken {
  std::string message;
};

// Reads a TOML table key by key and records each key that was looked up. finish() rejects keys that were
// never looked up, so that a misspelt key does not silently fall back to its default.
class TomlTable {
 public:
  TomlTable(const toml::table& table, std::string path, const std::string& file)
      : table_(table), path_(std::move(path)), file_(file) {}

  [[noreturn]] void refuse(const toml::node& node, const std::string& rule) const {
    throw Broken{fmt::format("{}:{}: {}", file_, node.source().begin.line, rule)};
  }
  [[noreturn]] void refuse(const std::string& rule) const { refuse(table_, rule); }

  const toml::node* find(const std::string& name) {
    asked_.insert(name);
    return table_.get(name);
  }
  const toml::node& need(const std::string& name) {
    const toml::node* node = find(name);
    if (node == nullptr) refuse(fmt::format("{} is missing", full(name)));
    return *node;
  }

  // Returns the line of a key in the TOML file; 0 if the key is missing.
  int line_of(const std::string& name) {
    const toml::node* node = find(name);
    return node == nullptr ? 0 : static_cast<int>(node->source().begin.line);
  }
  std::string text(const std::string& name) { return text_of(need(name), name); }
  std::string text_or(const std::string& name, std::string fallback) {
    const toml::node* node = find(name);
    return node == nullptr ? std::move(fallback) : text_of(*node, name);
  }
  std::uint64_t count(const std::string& name) { return count_of(need(name), full(name)); }
  std::uint64_t count_or(const std::string& name, std::uint64_t fallback) {
    const toml::node* node = find(name);
    return node == nullptr ? fallback : count_of(*node, full(name));
  }
  double number(const std::string& name) { return number_of(need(name), full(name)); }
  bool flag_or(const std::string& name, bool fallback) {
    const toml::node* node = find(name);
    if (node == nullptr) return fallback;
    if (!node->is_boolean()) refuse(*node, fmt::format("{} must be true or false", full(name)));
    return **node->as_boolean();
  }
  std::vector<std::string> texts(const std::string& name) {
    std::vector<std::string> values;
    for (const toml::node& entry : list(name)) values.push_back(text_of(entry, name));
    return values;
  }
  std::vector<std::uint64_t> counts(const std::string& name) {
    std::vector<std::uint64_t> values;
    for (const toml::node& entry : list(name)) values.push_back(count_of(entry, full(name)));
    return values;
  }
  // Reads a number or a list of numbers from a TOML table; a single number is returned as a list of one.
  std::vector<double> numbers(const std::string& name) {
    const toml::node& node = need(name);
    if (!node.is_array()) return {number_of(node, full(name))};
    std::vector<double> values;
    for (const toml::node& entry : *node.as_array()) values.push_back(number_of(entry, full(name)));
    return values;
  }
  const toml::array& list(const std::string& name) {
    const toml::node& node = need(name);
    if (!node.is_array()) refuse(node, fmt::format("{} must be a list", full(name)));
    return *node.as_array();
  }
  // Returns the subtable with this name, or nullopt if missing.
  std::optional<TomlTable> table(const std::string& name) {
    const toml::node* node = find(name);
    if (node == nullptr) return std::nullopt;
    if (!node->is_table()) refuse(*node, fmt::format("{} must be a table", full(name)));
    return TomlTable(*node->as_table(), full(name), file_);
  }
  // Reads a TOML table that assigns points to checks: its keys must be in `checks`.
  std::map<std::string, double> points(std::span<const std::string_view> checks) {
    std::map<std::string, double> values;
    for (const std::string_view each : checks) {
      const std::string check(each);
      if (const toml::node* node = find(check)) values[check] = number_of(*node, full(check));
    }
    finish();
    return values;
  }

  [[nodiscard]] const std::string& file() const { return file_; }
  [[nodiscard]] int line() const { return static_cast<int>(table_.source().begin.line); }
  // Returns a TOML key's full dotted path for messages, such as "correct.sizes".
  [[nodiscard]] std::string full(const std::string& name) const {
    return path_.empty() ? name : path_ + "." + name;
  }
  // Marks a key as known, so that finish() does not reject it: another reader of the same TOML table handles
  // it.
  void leave(const std::string& name) { asked_.insert(name); }

  void finish() const {
    for (const auto& [key, node] : table_) {
      if (!asked_.contains(std::string(key.str()))) {
        refuse(node, fmt::format("{} is not known here; known: {}", full(std::string(key.str())),
                                 fmt::join(asked_, ", ")));
      }
    }
  }

 private:
  [[nodiscard]] std::string text_of(const toml::node& node, const std::string& name) const {
    if (!node.is_string() || (**node.as_string()).empty()) {
      refuse(node, fmt::format("{} must be a non-empty text", full(name)));
    }
    return **node.as_string();
  }
  [[nodiscard]] std::uint64_t count_of(const toml::node& node, const std::string& path) const {
    if (!node.is_integer() || **node.as_integer() < 0)
      refuse(node, fmt::format("{} must be a whole number, 0 or more", path));
    return static_cast<std::uint64_t>(**node.as_integer());
  }
  [[nodiscard]] double number_of(const toml::node& node, const std::string& path) const {
    const auto value = node.value<double>();
    if (!node.is_number() || !value || !(*value >= 0) || *value > 1e9) {
      refuse(node, fmt::format("{} must be a number from 0 to 1e9", path));
    }
    return *value;
  }

  const toml::table& table_;
  std::string path_;
  const std::string& file_;
  std::set<std::string> asked_;
};

// Collects the mistakes of independent parts of a file, so that one reading reports all of them.
class Mistakes {
 public:
  // Calls read(), which reads one part of a file and may throw Broken, and keeps its error instead of
  // stopping.
  template <class Read>
  void collect(const Read& read) {
    try {
      read();
    } catch (const Broken& broken) {
      messages_.push_back(broken.message);
    }
  }
  // Throws the collected mistakes, one per line, if there are any.
  void report() const {
    if (!messages_.empty()) throw Broken{fmt::format("{}", fmt::join(messages_, "\n"))};
  }

 private:
  std::vector<std::string> messages_;
};

// Parses TOML and returns read(top-level table); `read` may throw Broken. `name` is the file name in errors.
template <class Value, class Read>
Result<Value> parse_toml(std::string_view text, const std::string& name, const Read& read) {
  try {
    const toml::table top = toml::parse(text, name);
    return read(TomlTable(top, "", name));
  } catch (const toml::parse_error& error) {
    return fail(
        fmt::format("{}:{}: not valid TOML: {}", name, error.source().begin.line, error.description()));
  } catch (const Broken& broken) {
    return fail(broken.message);
  }
}

// Reads a TOML file as parse_toml() reads text.
template <class Value, class Read>
Result<Value> read_toml(const std::filesystem::path& file, const Read& read) {
  const auto text = read_file(file);
  if (!text) return tl::unexpected(text.error());
  return parse_toml<Value>(*text, file.string(), read);
}

}  // namespace warpmark
