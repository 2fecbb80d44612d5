// Parses the names that Canvas, Moodle and Gradescope give to submitted files.
#include <map>
#include <regex>

#include <fmt/format.h>
#include <yaml-cpp/yaml.h>

#include "harness/class/intake/delivery.h"

namespace warpmark::classroom {

std::optional<CanvasName> canvas_name(const std::string& name) {
  static const std::regex pattern(R"(([^_/]+(?:_[^_/]+)*?)_(LATE_)?(\d+)_(\d+)_([^/]+))");
  std::smatch found;
  if (!std::regex_match(name, found, pattern)) return std::nullopt;
  return CanvasName{found[1], found[2].matched, found[3], found[4], found[5]};
}

std::optional<MoodleName> moodle_name(const std::string& name) {
  static const std::regex pattern(R"(([^/]+?)_(\d+)_assignsubmission_(file|onlinetext)_?([^/]*))");
  std::smatch found;
  if (!std::regex_match(name, found, pattern)) return std::nullopt;
  return MoodleName{found[1], found[2], found[3], found[4]};
}

void take_canvas_counters_off(Delivery& delivery) {
  static const std::regex pattern(R"((.+)-(\d{1,3})(\.[^.]+))");
  // Maps each file name without counter to the file with the highest counter: "sum.cu" to that of
  // "sum-2.cu".
  std::map<std::string, std::pair<int, TreeFile>> latest;
  for (const TreeFile& file : delivery.tree.files) {
    std::smatch found;
    const bool counted = std::regex_match(file.path, found, pattern);
    const std::string name = counted ? found[1].str() + found[3].str() : file.path;
    const int count = counted ? std::stoi(found[2]) : 0;
    const auto [at, fresh] = latest.try_emplace(name, count, TreeFile{name, file.file});
    if (!fresh && count > at->second.first) at->second = {count, {name, file.file}};
    if (counted) {
      delivery.remarks.push_back(
          fmt::format("{} was taken as {}: Canvas counts files that are handed in again", file.path, name));
    }
  }
  delivery.tree.files.clear();
  for (auto& [name, file] : latest) delivery.tree.files.push_back(std::move(file.second));
}

namespace {

// Returns the YAML map entry with that key, with or without a leading colon: Gradescope's export is written
// by Ruby, whose symbol keys start with a colon.
YAML::Node member(const YAML::Node& node, const std::string& name) {
  for (const std::string& key : {":" + name, name}) {
    if (node.IsMap() && node[key]) return node[key];
  }
  return YAML::Node(YAML::NodeType::Undefined);
}

std::string text_of(const YAML::Node& node) {
  return node && node.IsScalar() ? node.Scalar() : std::string();
}

}  // namespace

Result<std::vector<std::pair<std::string, GradescopeEntry>>> gradescope_entries(const std::string& text) {
  std::vector<std::pair<std::string, GradescopeEntry>> entries;
  try {
    const YAML::Node file = YAML::Load(text);
    if (!file.IsMap()) return fail("submission_metadata.yml holds no list of submissions");
    for (const auto& each : file) {
      GradescopeEntry entry;
      entry.created_at = text_of(member(each.second, "created_at"));
      const YAML::Node submitters = member(each.second, "submitters");
      if (submitters && submitters.IsSequence()) {
        for (const YAML::Node& one : submitters) {
          const std::string email = text_of(member(one, "email"));
          const std::string sid = text_of(member(one, "sid"));
          entry.people.push_back({text_of(member(one, "name")), email.empty() ? sid : email, email, "", sid});
        }
      }
      entries.emplace_back(each.first.Scalar(), std::move(entry));
    }
  } catch (const YAML::Exception& error) {
    return fail(fmt::format("submission_metadata.yml cannot be read: {}", error.what()));
  }
  return entries;
}

}  // namespace warpmark::classroom
