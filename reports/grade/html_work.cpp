#include "reports/grade/html_work.h"

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

#include "reports/drawing/pictures.h"
#include "reports/grade/html_values.h"
#include "reports/grade/passed.h"
#include "reports/wording/text.h"

namespace warpmark {
namespace {

// Maximum width of a line of source code on a grade's HTML page, in text columns.
constexpr std::size_t kLongestCodeLine = 160;
// Maximum width of the advice that a grade's HTML page gives for a limit that a kernel exceeds, in text
// columns.
constexpr std::size_t kLongestLesson = 400;

// Returns the table row of a source line with the instructions counted there. most: instruction count of the
// busiest line, to which the row's bar is relative.
mstch::map line_view(const CountedLine& line, std::uint64_t most) {
  const bool ran = line.instructions > 0;
  return mstch::map{{"gap", false},
                    {"number", fmt::format("{}", line.line)},
                    {"text", cut_to(source_line(line.text), kLongestCodeLine)},
                    {"ran", ran},
                    {"instructions", ran ? grouped(line.instructions) : std::string()},
                    {"share", share_svg(static_cast<double>(line.instructions) / static_cast<double>(most))},
                    {"requests", line.requests > 0 ? grouped(line.requests) : std::string()},
                    {"sectors", line.requests > 0 ? figure_text(line.sectors_per_request) : std::string()},
                    {"conflicts", line.shared_requests > 0 ? grouped(line.bank_conflicts) : std::string()},
                    {"has_conflicts", line.bank_conflicts > 0},
                    {"lanes", ran ? figure_text(line.active_lanes) : std::string()}};
}

// Returns one table row per source line with instruction counts; a gap row marks omitted lines and the start
// of another file.
mstch::array source_view(const std::vector<CountedLine>& lines) {
  mstch::array rows;
  std::uint64_t most = 1;
  for (const CountedLine& line : lines) most = std::max(most, line.instructions);
  const CountedLine* before = nullptr;
  for (const CountedLine& line : lines) {
    const bool another_file = before == nullptr || before->file != line.file;
    if (another_file || before->line + 1 != line.line) {
      const std::string file = another_file ? name(line.file) : std::string();
      if (another_file || before != nullptr) rows.push_back(mstch::map{{"gap", true}, {"gap_file", file}});
    }
    rows.push_back(line_view(line, most));
    before = &line;
  }
  return rows;
}

// Returns the table of a submission's performance counters: one row per counter, one column per kernel.
mstch::array counter_rows(const std::vector<CountedKernel>& kernels) {
  mstch::array rows;
  if (kernels.empty()) return rows;
  for (const auto& [counter, unused] : kernels.front().counters) {
    mstch::array values;
    for (const CountedKernel& kernel : kernels) {
      const auto found = std::find_if(kernel.counters.begin(), kernel.counters.end(),
                                      [&wanted = counter](const auto& each) { return each.first == wanted; });
      values.push_back(
          mstch::map{{"value", found == kernel.counters.end() ? std::string() : figure_text(found->second)}});
    }
    rows.push_back(mstch::map{{"counter", name(counter)}, {"values", values}});
  }
  return rows;
}

// Returns one row per limit of the `work` check (maximum number of atomics, sectors, ...).
mstch::array limit_rows(const Counted& counted) {
  mstch::array rows;
  for (const CountedLimit& limit : counted.limits) {
    rows.push_back(mstch::map{
        {"limit_version", name(counted.version)},
        {"limit_title", name(limit.title)},
        {"limit_value", figure_text(limit.value)},
        {"limit_asked",
         fmt::format("{} {}", limit.at_least ? "at least" : "at most", figure_text(limit.limit))},
        {"limit_missed", !limit.holds},
        {"limit_lesson", limit.holds ? std::string() : cut_to(visible_line(limit.lesson), kLongestLesson)}});
  }
  return rows;
}

// Appends "name 32 to 4" if the two numbers differ by more than a tenth of the larger one.
void add_change(std::string& text, std::string_view what, double before, double after) {
  if (!std::isfinite(before) || !std::isfinite(after)) return;
  if (std::abs(before - after) <= 0.1 * std::max(std::abs(before), std::abs(after))) return;
  text +=
      fmt::format("{}{} {} to {}", text.empty() ? "" : ", ", what, figure_text(before), figure_text(after));
}

// Returns how a version's counters differ from those of the version before it, at the same input: "sectors
// per request 32 to 4"; empty if they do not.
std::string changes_text(const Counted& before, const Counted& after) {
  std::string text;
  if (before.n != after.n || before.type != after.type) return text;
  add_change(text, "requests per value", before.requests_per_element, after.requests_per_element);
  add_change(text, "sectors per request", before.sectors_per_request, after.sectors_per_request);
  add_change(text, "bank conflicts", static_cast<double>(before.bank_conflicts),
             static_cast<double>(after.bank_conflicts));
  add_change(text, "barriers", static_cast<double>(before.barriers), static_cast<double>(after.barriers));
  add_change(text, "atomics", static_cast<double>(before.global_atomics),
             static_cast<double>(after.global_atomics));
  add_change(text, "active lanes", before.active_lanes, after.active_lanes);
  return text;
}

// Returns what a version's counters say could still be saved: "20.1 of 32 lanes are active"; empty if
// nothing.
std::string still_to_gain(const Counted& counted) {
  constexpr double kLanes = 32;
  constexpr double kNearlyAll = 0.9 * kLanes;
  std::string text;
  const auto add = [&](const std::string& what) { text += (text.empty() ? "" : ", ") + what; };
  if (counted.active_lanes > 0 && counted.active_lanes < kNearlyAll)
    add(fmt::format("only {} of 32 lanes are active on average", figure_text(counted.active_lanes)));
  if (counted.bank_conflicts > 0) add(fmt::format("{} bank conflicts", grouped(counted.bank_conflicts)));
  constexpr double kScattered = 8;  // two full lines of values of 4 bytes
  if (counted.sectors_per_request > kScattered)
    add(fmt::format("{} sectors per request", figure_text(counted.sectors_per_request)));
  return text;
}

// Returns true if the page's section on passed versions compares the version with the reference.
bool is_beside_reference(const Grade& grade, const std::string& version) {
  const auto passed = std::ranges::find(grade.passed, version, &PassedVersion::version);
  return passed != grade.passed.end() && passed->reference;
}

mstch::array change_rows(const Grade& grade) {
  const std::vector<Counted>& counters = grade.counters;
  mstch::array rows;
  for (std::size_t i = 0; i < counters.size(); ++i) {
    if (is_beside_reference(grade, counters[i].version)) continue;
    const std::string changes = i == 0 ? std::string() : changes_text(counters[i - 1], counters[i]);
    const std::string gain = still_to_gain(counters[i]);
    if (changes.empty() && gain.empty()) continue;
    rows.push_back(
        mstch::map{{"changed_version", name(counters[i].version)},
                   {"changed_from", changes.empty() ? std::string() : name(counters[i - 1].version)},
                   {"changes_text", changes},
                   {"to_gain", gain}});
  }
  return rows;
}

// Returns the number of multiprocessors of the GPU that the rubric's limits on instructions and memory
// requests are made for; empty if no limit depends on that number.
std::string device_of(const std::vector<Counted>& counters) {
  for (const Counted& counted : counters) {
    if (counted.multiprocessors > 0) return grouped(counted.multiprocessors);
  }
  return "";
}

}  // namespace

void add_work(const Grade& grade, mstch::map& view) {
  const std::vector<Counted>& counters = grade.counters;
  mstch::array rows;
  mstch::array limits;
  for (const Counted& counted : counters) {
    const mstch::array of_version = limit_rows(counted);
    limits.insert(limits.end(), of_version.begin(), of_version.end());
    mstch::array kernels;
    for (const CountedKernel& kernel : counted.kernels) {
      kernels.push_back(mstch::map{
          {"kernel", name(kernel.kernel)},
          {"launches",
           kernel.launches == 1 ? std::string() : fmt::format("{} launches", grouped(kernel.launches))}});
    }
    rows.push_back(mstch::map{{"work_version", name(counted.version)},
                              {"work_n", grouped(counted.n)},
                              {"work_requests", figure_text(counted.requests_per_element)},
                              {"work_sectors", figure_text(counted.sectors_per_request)},
                              {"work_conflicts", grouped(counted.bank_conflicts)},
                              {"work_atomics", grouped(counted.global_atomics)},
                              {"work_barriers", grouped(counted.barriers)},
                              {"work_lanes", figure_text(counted.active_lanes)},
                              {"has_source", !counted.lines.empty()},
                              {"source", source_view(counted.lines)},
                              {"kernels", kernels},
                              {"kernel_counters", counter_rows(counted.kernels)}});
  }
  view["has_work"] = !rows.empty();
  view["work"] = rows;
  const bool one_type = std::ranges::all_of(
      counters, [&](const Counted& counted) { return counted.type == counters.front().type; });
  view["work_type"] = counters.empty() || !one_type ? std::string() : name(counters.front().type);
  view["work_multiprocessors"] = device_of(counters);
  const mstch::array changes = change_rows(grade);
  view["has_changes"] = !changes.empty();
  view["changes"] = changes;
  view["has_limits"] = !limits.empty();
  view["limits"] = limits;
}

}  // namespace warpmark
