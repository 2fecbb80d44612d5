// Builds the arguments of Slurm's commands and parses their output.
#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "harness/class/slurm/slurm.h"

namespace warpmark::classroom {
namespace {

void for_each_line(std::string_view text, const auto& line) {
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

// Returns the value of " name=value " in a line of scontrol's output; empty if it is missing.
std::string_view value_in(std::string_view line, std::string_view name) {
  const std::string mark = fmt::format(" {}=", name);
  const std::size_t at = line.find(mark);
  if (at == std::string_view::npos) return {};
  line.remove_prefix(at + mark.size());
  return line.substr(0, line.find(' '));
}

bool all_digits(std::string_view text) {
  return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

std::size_t number_in(std::string_view text) {
  std::size_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

std::vector<std::string> sbatch_arguments(const Batch& batch) {
  std::vector<std::string> arguments = batch.options;
  // Warpmark's own options come last, to take precedence over the instructor's.
  arguments.insert(arguments.end(), {"--parsable", "--job-name=" + batch.name,
                                     "--chdir=" + batch.folder.string(), "--output=" + batch.log});
  if (batch.tasks > 0) {
    const std::string most = batch.at_a_time > 0 ? fmt::format("%{}", batch.at_a_time) : "";
    arguments.push_back(fmt::format("--array=1-{}{}", batch.tasks, most));
  }
  if (!batch.after.empty()) arguments.push_back("--dependency=afterany:" + batch.after);
  arguments.push_back((batch.folder / batch.script).string());
  return arguments;
}

std::string job_id_in(const std::string& printed) {
  std::string id;
  // Finds the job ID, printed as "12" or "12;cluster", among warnings.
  for_each_line(printed, [&](std::string_view line) {
    const std::string_view first = line.substr(0, line.find(';'));
    if (all_digits(first)) id = first;
  });
  return id;
}

std::vector<QueuedTask> queue_in(const std::string& printed) {
  std::vector<QueuedTask> queue;
  for_each_line(printed, [&](std::string_view line) {
    const std::size_t bar = line.find('|');
    if (bar == std::string_view::npos || !all_digits(line.substr(0, bar))) return;
    queue.push_back({std::string(line.substr(0, bar)), std::string(line.substr(bar + 1))});
  });
  return queue;
}

std::vector<std::size_t> numbers_in(std::string_view list) {
  std::vector<std::size_t> numbers;
  list = list.substr(0, list.find('%'));
  while (!list.empty()) {
    const std::string_view part = list.substr(0, list.find(','));
    list.remove_prefix(std::min(part.size() + 1, list.size()));
    const std::size_t dash = part.find('-');
    const std::size_t first = number_in(part);
    const std::size_t last = dash == std::string_view::npos ? first : number_in(part.substr(dash + 1));
    for (std::size_t number = first; number <= last; ++number) numbers.push_back(number);
  }
  return numbers;
}

std::map<std::size_t, EndedTask> ended_in(const std::string& printed) {
  std::map<std::size_t, EndedTask> tasks;
  for_each_line(printed, [&](std::string_view line) {
    EndedTask task;
    task.state = value_in(line, "JobState");
    task.node = value_in(line, "BatchHost");
    const std::string_view ending = value_in(line, "ExitCode");  // format of the value: "status:signal"
    if (const std::size_t colon = ending.find(':'); colon != std::string_view::npos)
      task.signal = static_cast<int>(number_in(ending.substr(colon + 1)));
    for (const std::size_t number : numbers_in(value_in(line, "ArrayTaskId"))) tasks[number] = task;
  });
  return tasks;
}

std::size_t largest_array_in(const std::string& printed) {
  std::size_t largest = 1000;  // default of Slurm's MaxArraySize, minus 1
  for_each_line(printed, [&](std::string_view line) {
    if (!line.starts_with("MaxArraySize")) return;
    const std::size_t at = line.find_first_of("0123456789");
    const std::size_t bound = at == std::string_view::npos ? 0 : number_in(line.substr(at));
    if (bound > 1) largest = bound - 1;  // the largest task number is MaxArraySize - 1
  });
  return largest;
}

std::string reason_of(const EndedTask& task) {
  if (task.state == "CANCELLED") return "was cancelled (scancel)";
  if (task.state == "NODE_FAIL") return "its node failed";
  if (task.state == "PREEMPTED") return "was preempted";
  if (task.state == "TIMEOUT")
    return "ran out of the time that Slurm gives it (--slurm-options \"--time=MINUTES\")";
  if (task.state == "OUT_OF_MEMORY")
    return "ran out of the memory that Slurm gives it (--slurm-options \"--mem=8G\")";
  if (task.signal != 0) return fmt::format("was killed by signal {}", task.signal);
  return "ended as " + task.state;
}

}  // namespace warpmark::classroom
