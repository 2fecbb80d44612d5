#include "harness/class/run/progress.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/wording/text.h"

namespace warpmark::classroom {
namespace {

std::string duration_text(double seconds) {
  if (seconds < 90) return fmt::format("{:.0f} s", std::ceil(seconds));
  if (seconds < 5400) return fmt::format("{:.0f} min", std::ceil(seconds / 60));
  return fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace

std::string pace_text(const ProgressFigures& figures) {
  std::string text;
  if (figures.done > 0 && figures.seconds > 0) {
    const double rate = static_cast<double>(figures.done) / figures.seconds;
    text = fmt::format("{:.1f} a minute, {} left", 60 * rate,
                       duration_text(static_cast<double>(figures.total - figures.done) / rate));
  }
  if (figures.without_grade > 0)
    text += fmt::format("{}{} without a grade", text.empty() ? "" : ", ", figures.without_grade);
  return text;
}

std::string limits_text(const ProgressFigures& figures, std::size_t gpus, unsigned cores) {
  const double on_cores = figures.processor_seconds / std::max(1U, cores);
  const double on_gpu = figures.gpu_seconds / static_cast<double>(std::max<std::size_t>(1, gpus));
  const double longest = std::max(on_cores, on_gpu);
  if (figures.done == 0 || longest <= 0) return {};
  const std::string gpu =
      gpus == 0 ? ""
                : fmt::format("{:.1f} s to measure on {}, ", on_gpu,
                              gpus == 1 ? std::string("the GPU") : fmt::format("{} GPUs", gpus));
  return fmt::format(
      "at least {}{:.1f} s on {} cores ({:.0f} s of processor time): took {:.2f} times as long", gpu,
      on_cores, cores, figures.processor_seconds, figures.seconds / longest);
}

std::string bar_text(const ProgressFigures& figures) {
  constexpr std::size_t kCells = 20;
  const std::size_t full = figures.total == 0 ? kCells : kCells * figures.done / figures.total;
  return fmt::format("[{}{}]", std::string(full, '#'), std::string(kCells - full, '-'));
}

std::vector<std::string> intake_lines(const TakenClass& taken) {
  constexpr std::size_t kMostNamed = 10;
  std::vector<std::string> missing;
  std::vector<std::string> unusable;
  for (const Taken& student : taken.students) {
    if (student.fault)
      (student.fault->kind == "missing" ? missing : unusable).push_back(visible_line(student.id));
  }
  std::vector<std::string> lines{
      fmt::format("{}: {} taken in", taken.assignment,
                  counted(static_cast<double>(taken.students.size()), "student", "students"))};
  const auto add = [&](const char* what, const std::vector<std::string>& ids) {
    if (ids.empty()) return;
    const auto shown = std::min(ids.size(), kMostNamed);
    lines.push_back(
        fmt::format("{} ({}): {}{}", what, ids.size(),
                    fmt::join(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                    shown < ids.size() ? fmt::format(" and {} more", ids.size() - shown) : ""));
  };
  add("nothing handed in", missing);
  add("cannot be graded", unusable);
  return lines;
}

Progress::Progress(std::size_t total, bool terminal) : terminal_(terminal) {
  figures_.total = total;
}

Progress::~Progress() {
  if (terminal_) fmt::print(stderr, "\r\033[2K");
}

void Progress::finished(const std::string& id, const std::string& what, bool graded, double gpu_seconds) {
  const std::scoped_lock lock(mutex_);
  ++figures_.done;
  figures_.gpu_seconds += gpu_seconds;
  if (!graded) ++figures_.without_grade;
  figures_.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  if (figures_.done == 1) figures_.first_seconds = figures_.seconds;
  const std::string name = visible_line(id);
  if (terminal_) {
    fmt::print(stderr, "\r\033[2K{} {} of {}, {}; last: {}", bar_text(figures_), figures_.done,
               figures_.total, pace_text(figures_), cut_to(name, 24));
  } else {
    fmt::print(stderr, "[{}/{}] {}: {} ({})\n", figures_.done, figures_.total, name,
               cut_to(visible_line(what), 160), pace_text(figures_));
  }
  std::fflush(stderr);
}

ProgressFigures Progress::figures() const {
  const std::scoped_lock lock(mutex_);
  return figures_;
}

}  // namespace warpmark::classroom
