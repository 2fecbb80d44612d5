#include "harness/judge/rubric.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include "harness/base/file.h"

namespace warpmark::judge {
namespace {

constexpr std::array kVersionChecks{"builds", "correct", "clean", "fast"};

// Thrown inside this file only: the first rule that the rubric breaks.
struct Broken {
  std::string message;
};

// One table of the rubric, read member by member; what nobody asked for is an error at the end, so that a
// misspelt name does not silently mean the default.
class Table {
 public:
  Table(const toml::table& table, std::string path, const std::string& file)
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
  const toml::array& list(const std::string& name) {
    const toml::node& node = need(name);
    if (!node.is_array()) refuse(node, fmt::format("{} must be a list", full(name)));
    return *node.as_array();
  }
  // None when it is missing.
  std::optional<Table> table(const std::string& name) {
    const toml::node* node = find(name);
    if (node == nullptr) return std::nullopt;
    if (!node->is_table()) refuse(*node, fmt::format("{} must be a table", full(name)));
    return Table(*node->as_table(), full(name), file_);
  }
  // Points, by check.
  std::map<std::string, double> points() {
    std::map<std::string, double> values;
    for (const char* check : {"builds", "correct", "clean", "fast", "upload_once"}) {
      if (const toml::node* node = find(check)) values[check] = number_of(*node, full(check));
    }
    finish();
    return values;
  }

  [[nodiscard]] const std::string& file() const { return file_; }

  void finish() const {
    for (const auto& [key, node] : table_) {
      if (!asked_.contains(std::string(key.str()))) {
        refuse(node, fmt::format("{} is not known here; known: {}", full(std::string(key.str())),
                                 fmt::join(asked_, ", ")));
      }
    }
  }

 private:
  [[nodiscard]] std::string full(const std::string& name) const {
    return path_.empty() ? name : path_ + "." + name;
  }
  [[nodiscard]] std::string text_of(const toml::node& node, const std::string& name) const {
    if (!node.is_string() || (**node.as_string()).empty()) {
      refuse(node, fmt::format("{} must be a text that is not empty", full(name)));
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

bool asks(const VersionRule& version, const char* check) {
  return std::find(version.checks.begin(), version.checks.end(), check) != version.checks.end();
}

VersionRule read_version(Table table, const std::map<std::string, double>& default_points, bool has_fast,
                         bool has_clean) {
  VersionRule version;
  version.name = table.text("name");
  version.given = table.flag_or("given", false);
  version.reference_only = table.flag_or("reference_only", false);
  version.gpu_only = table.flag_or("gpu_only", false);
  version.points = default_points;
  // Nobody is asked to write it, so it is worth nothing unless its own table says otherwise.
  if (version.reference_only) {
    for (auto& [check, points] : version.points) points = 0;
  }
  for (const std::string& check : version.checks = table.texts("checks")) {
    if (std::find(kVersionChecks.begin(), kVersionChecks.end(), check) == kVersionChecks.end()) {
      table.refuse(fmt::format("{}: no check is called \"{}\"; known: {}", version.name, check,
                               fmt::join(kVersionChecks, ", ")));
    }
    if (std::count(version.checks.begin(), version.checks.end(), check) != 1) {
      table.refuse(fmt::format("{}: the check \"{}\" stands there twice", version.name, check));
    }
  }
  if (version.checks.empty() || version.checks.front() != "builds") {
    table.refuse(
        fmt::format("{}: checks must begin with \"builds\": every other check depends on it", version.name));
  }
  if (auto own = table.table("points")) {
    for (const auto& [check, points] : own->points()) version.points[check] = points;
  }
  for (const std::string& check : version.checks) {
    if (!version.points.contains(check))
      table.refuse(fmt::format("{}: no points for the check \"{}\"", version.name, check));
  }
  if (asks(version, "clean") && !has_clean) {
    table.refuse(fmt::format("{}: the check \"clean\" needs a [clean] table", version.name));
  }
  if (asks(version, "clean") && version.gpu_only) {
    table.refuse(
        fmt::format("{}: the check \"clean\" runs on the simulator; remove it, or gpu_only", version.name));
  }
  if (asks(version, "fast")) {
    if (!has_fast)
      table.refuse(
          fmt::format("{}: the check \"fast\" needs a [fast] table and a naive version", version.name));
    version.speedup = table.number("speedup");
    if (version.speedup <= 0) table.refuse(fmt::format("{}: speedup must be above 0", version.name));
  }
  table.finish();
  return version;
}

Rubric read_tables(Table top, const std::string& assignment) {
  Rubric rubric;
  rubric.assignment = assignment;
  rubric.title = top.text("title");
  rubric.contract = top.text("contract");
  rubric.types = top.texts("types");
  if (rubric.types.empty()) top.refuse("types must name at least one value type");
  rubric.naive = top.text_or("naive", "");
  rubric.upload = top.text_or("upload", "");

  std::map<std::string, double> points;
  if (auto table = top.table("points")) points = table->points();
  if (auto table = top.table("correct")) {
    rubric.correct.sizes = table->counts("sizes");
    if (rubric.correct.sizes.empty()) table->refuse("correct.sizes must name at least one size");
    if (table->find("gpu_sizes") != nullptr) rubric.correct.gpu_sizes = table->counts("gpu_sizes");
    rubric.correct.secret_sizes = table->count_or("secret_sizes", 0);
    rubric.correct.secret_max = table->count_or("secret_max", 100'000);
    rubric.correct.shifted_size = table->count_or("shifted_size", 0);
    if (rubric.correct.secret_max == 0) table->refuse("correct.secret_max must be above 0");
    table->finish();
  } else {
    top.refuse("the table [correct] is missing");
  }
  if (auto table = top.table("clean")) {
    rubric.clean.sizes = table->counts("sizes");
    if (rubric.clean.sizes.empty()) table->refuse("clean.sizes must name at least one size");
    rubric.clean.schedules = table->count("schedules");
    if (rubric.clean.schedules == 0) table->refuse("clean.schedules must be above 0");
    table->finish();
  }
  if (auto table = top.table("upload_once")) {
    rubric.upload_once.size = table->count("size");
    rubric.upload_once.allowance_bytes = table->count("allowance_bytes");
    if (rubric.upload_once.size == 0) table->refuse("upload_once.size must be above 0");
    table->finish();
  }
  if (!rubric.upload.empty()) {
    if (rubric.upload_once.size == 0) top.refuse("upload is given, so the table [upload_once] is needed");
    if (!points.contains("upload_once")) top.refuse("upload is given, so points.upload_once is needed");
    rubric.upload_once.points = points["upload_once"];
  }
  bool has_fast = false;
  if (auto table = top.table("fast")) {
    rubric.fast.type = table->text("type");
    rubric.fast.size = table->count("size");
    rubric.fast.rounds = table->count("rounds");
    if (rubric.fast.rounds == 0 || rubric.fast.size == 0)
      table->refuse("fast.rounds and fast.size must be above 0");
    if (std::find(rubric.types.begin(), rubric.types.end(), rubric.fast.type) == rubric.types.end()) {
      table->refuse(fmt::format("fast.type is \"{}\", which is not one of types", rubric.fast.type));
    }
    has_fast = !rubric.naive.empty();
    table->finish();
  }
  if (auto table = top.table("limits")) {
    for (auto [name, limit] :
         {std::pair{"build_seconds", &rubric.limits.build}, std::pair{"call_seconds", &rubric.limits.call}}) {
      const auto fallback = std::chrono::duration_cast<std::chrono::seconds>(*limit).count();
      const std::uint64_t seconds = table->count_or(name, static_cast<std::uint64_t>(fallback));
      if (seconds == 0 || seconds > 3600)
        table->refuse(fmt::format("limits.{} must be from 1 to 3600", name));
      *limit = std::chrono::seconds(seconds);
    }
    table->finish();
  }

  for (const toml::node& entry : top.list("version")) {
    if (!entry.is_table()) top.refuse(entry, "each [[version]] must be a table");
    Table table(*entry.as_table(), "version", top.file());
    VersionRule version = read_version(table, points, has_fast, !rubric.clean.sizes.empty());
    if (rubric.find(version.name) != nullptr)
      top.refuse(entry, fmt::format("the version {} stands there twice", version.name));
    rubric.versions.push_back(std::move(version));
  }
  if (rubric.versions.empty()) top.refuse("there must be at least one [[version]]");
  top.finish();
  return rubric;
}

}  // namespace

const VersionRule* Rubric::find(const std::string& version) const {
  const auto found =
      std::find_if(versions.begin(), versions.end(), [&](const VersionRule& v) { return v.name == version; });
  return found == versions.end() ? nullptr : &*found;
}

Result<Rubric> read_rubric(const std::filesystem::path& file, const std::string& assignment) {
  const auto text = read_file(file);
  if (!text) return tl::unexpected(text.error());
  const std::string name = file.string();
  try {
    const toml::table top = toml::parse(*text, name);
    return read_tables(Table(top, "", name), assignment);
  } catch (const toml::parse_error& error) {
    return fail(
        fmt::format("{}:{}: not valid TOML: {}", name, error.source().begin.line, error.description()));
  } catch (const Broken& broken) {
    return fail(broken.message);
  }
}

}  // namespace warpmark::judge
