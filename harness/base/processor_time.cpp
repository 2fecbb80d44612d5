#include "harness/base/processor_time.h"

#include <algorithm>
#include <array>
#include <barrier>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <limits>
#include <numeric>
#include <set>
#include <sstream>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <fmt/format.h>
#include <sched.h>
#include <unistd.h>

#include "harness/base/file.h"
#include "harness/base/text.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;

std::map<pid_t, ProcessTime> all_processes() {
  std::map<pid_t, ProcessTime> found;
  std::error_code error;
  for (fs::directory_iterator entry("/proc", error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    pid_t pid = 0;
    const auto [stop, failed] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (failed != std::errc() || stop != name.data() + name.size()) continue;
    if (const auto stat = read_file(entry->path() / "stat")) found[pid] = parse_process_time(*stat);
  }
  return found;
}

// Computes sums of products within the L1 cache for some milliseconds, so that only the core limits it. The
// result depends on `seed`, so that the compiler cannot fold it.
double compute(double seed) {
  constexpr int kTurns = 10000;
  std::array<double, 512> values;
  std::ranges::fill(values, seed);
  std::array<double, 8> sums{};
  for (int turn = 0; turn < kTurns; ++turn) {
    for (std::size_t i = 0; i < values.size(); i += sums.size()) {
      for (std::size_t k = 0; k < sums.size(); ++k) sums[k] = sums[k] * 0.5 + values[i + k];
    }
  }
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

// Starts `threads` threads that all do the same computation, and returns the wall time in seconds until the
// last one is done.
double seconds_of(unsigned threads) {
  using Clock = std::chrono::steady_clock;
  std::vector<double> results(threads);
  std::vector<Clock::time_point> ends(threads);
  Clock::time_point start;
  std::barrier together(threads, [&]() noexcept { start = Clock::now(); });
  const auto run = [&](unsigned which) {
    together.arrive_and_wait();
    results[which] = compute(static_cast<double>(which) + 1);
    ends[which] = Clock::now();
  };
  {
    std::vector<std::jthread> others;
    try {
      for (unsigned which = 1; which < threads; ++which) others.emplace_back(run, which);
      // If a thread cannot be created, lowers the barrier's expected count, so that the threads that wait
      // there go on.
    } catch (const std::system_error&) {
      for (std::size_t missing = others.size(); missing < threads; ++missing) together.arrive_and_drop();
      return std::numeric_limits<double>::infinity();
    }
    run(0);
  }
  // The term 0 * sum makes the time depend on all results, so that the compiler cannot drop the computation.
  return std::chrono::duration<double>(*std::ranges::max_element(ends) - start).count() +
         0 * std::accumulate(results.begin(), results.end(), 0.0);
}

}  // namespace

// Parses /proc/stat, with lines such as "cpu  user nice system idle iowait irq softirq steal ..."; guest time
// is already part of user.
CpuTime parse_cpu_time(std::string_view stat, std::string_view label) {
  CpuTime time;
  for (const std::string_view line : lines_of(stat)) {
    std::istringstream words{std::string(line)};
    std::string first;
    if (!(words >> first) || first != label) continue;
    double ticks = 0;
    for (int column = 0; column < 8 && words >> ticks; ++column) {
      time.all += ticks;
      if (column == 3 || column == 4) time.idle += ticks;
      if (column == 7) time.stolen += ticks;
    }
    break;
  }
  return time;
}

// Parses /proc/PID/stat: "pid (name) state parent ..."; the name may contain anything, parentheses included.
// Fields 14 to 17 are the processor times.
ProcessTime parse_process_time(std::string_view stat) {
  // Field 14 of /proc/PID/stat (user time) is the 11th word after the process state, which is field 3.
  constexpr int kFirstTime = 11;
  constexpr int kLastTime = 14;
  ProcessTime time;
  const std::size_t name_end = stat.rfind(')');
  if (name_end == std::string_view::npos) return time;
  std::istringstream words{std::string(stat.substr(name_end + 1))};
  std::string state;
  double number = 0;
  words >> state;
  for (int word = 1; word <= kLastTime && words >> number; ++word) {
    if (word == 1) time.parent = static_cast<pid_t>(number);
    if (word >= kFirstTime) time.used += number;
  }
  return time;
}

double used_by_tree(const std::map<pid_t, ProcessTime>& processes, pid_t root) {
  double used = 0;
  for (const auto& [pid, time] : processes) {
    pid_t above = pid;
    // Process IDs visited, to stop at a cycle: the kernel may reuse an ID while /proc is being read.
    std::set<pid_t> seen;
    while (above != root && above != 0 && seen.insert(above).second) {
      const auto found = processes.find(above);
      above = found == processes.end() ? 0 : found->second.parent;
    }
    if (above == root) used += time.used;
  }
  return used;
}

double seconds_taken_by_others() {
  cpu_set_t ours;
  CPU_ZERO(&ours);
  const auto stat = read_file("/proc/stat");
  if (!stat || ::sched_getaffinity(0, sizeof ours, &ours) != 0) return 0;
  double busy = 0;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (!CPU_ISSET(cpu, &ours)) continue;
    const CpuTime time = parse_cpu_time(*stat, fmt::format("cpu{}", cpu));
    busy += time.all - time.idle;
  }
  const double ticks_per_second = static_cast<double>(::sysconf(_SC_CLK_TCK));
  return (busy - used_by_tree(all_processes(), ::getpid())) / ticks_per_second;
}

double cores_at_once(unsigned threads) {
  const double alone = std::min(seconds_of(1), seconds_of(1));
  return threads * alone / seconds_of(threads);
}

std::vector<int> spread_over_cores(const std::vector<int>& processors, std::size_t count,
                                   const std::function<std::string(int)>& siblings_of) {
  std::vector<int> chosen;
  std::vector<int> others;
  std::set<std::string> cores;
  for (const int cpu : processors) {
    const std::string core = siblings_of(cpu);
    (core.empty() || cores.insert(core).second ? chosen : others).push_back(cpu);
  }
  chosen.insert(chosen.end(), others.begin(), others.end());
  if (chosen.size() < count) return {};
  chosen.resize(count);
  return chosen;
}

std::vector<int> processors_for(std::size_t count) {
  cpu_set_t ours;
  if (::sched_getaffinity(0, sizeof ours, &ours) != 0) return {};
  std::vector<int> processors;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &ours)) processors.push_back(cpu);
  }
  return spread_over_cores(processors, count, [](int cpu) {
    return read_file(fmt::format("/sys/devices/system/cpu/cpu{}/topology/thread_siblings_list", cpu))
        .value_or("");
  });
}

}  // namespace warpmark
