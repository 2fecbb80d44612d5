// Builds the arguments of Slurm's commands and parses their output.
#include <algorithm>
#include <charconv>
#include <sstream>
#include <stdexcept>

#include <fmt/format.h>

#include "harness/base/file.h"
#include "harness/base/text.h"
#include "harness/remote/slurm.h"

namespace warpmark::remote {
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
    std::string_view state = line.substr(bar + 1);
    const std::size_t second = std::min(state.find('|'), state.size());
    const std::string_view reason = state.substr(std::min(second + 1, state.size()));
    queue.push_back({std::string(line.substr(0, bar)), std::string(state.substr(0, second)),
                     reason == "None" ? std::string() : std::string(reason)});
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
    const std::string_view numbers = value_in(line, "ArrayTaskId");
    if (numbers.empty() && !task.state.empty()) tasks[0] = task;
    for (const std::size_t number : numbers_in(numbers)) tasks[number] = task;
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

std::vector<std::string> options_with_gpu(std::vector<std::string> options, bool needs_gpu) {
  const bool has_gpu = std::ranges::any_of(options, [](const std::string& each) {
    return each.starts_with("--gres") || each.starts_with("--gpus");
  });
  if (needs_gpu && !has_gpu) options.insert(options.begin(), "--gres=gpu:1");
  return options;
}

Result<std::vector<std::string>> slurm_options_from(const std::string& text) {
  std::vector<std::string> options;
  std::istringstream words(text);
  for (std::string word; words >> word; options.push_back(word)) {
    if (!word.starts_with("--"))
      return fail(fmt::format("--slurm-options: {}: write each as --name=value, as sbatch has them", word));
  }
  return options;
}

void write_job_script(const std::filesystem::path& file, const std::string& command) {
  if (auto written = write_file(file, fmt::format("#!/bin/sh\nexec {}\n", command)); !written)
    throw std::runtime_error(written.error().message);
}

std::string why_without_result(const std::string& name, const EndedTask* ended,
                               const std::filesystem::path& log) {
  std::string text = name;
  if (ended != nullptr) {
    if (!ended->node.empty()) text += fmt::format(" on {}", ended->node);
    text += fmt::format(" {}", reason_of(*ended));
  }
  text += " and left no grade";
  // The log's last line is where slurmstepd reports why it ended the task.
  const auto printed = read_file(log);
  if (!printed || printed->empty()) return text;
  const auto lines = lines_of(*printed);
  return lines.empty() ? text : fmt::format("{}; its last output: {}", text, lines.back());
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

}  // namespace warpmark::remote
