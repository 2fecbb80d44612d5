// Processor time of the machine and of processes, read from /proc/stat and /proc/PID/stat (proc(5)).
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace warpmark {

// A processor's line of /proc/stat, in clock ticks.
struct CpuTime {
  double all = 0;
  double idle = 0;
  double stolen = 0;  // time that the hypervisor gave to other virtual machines
};
// Parses the line of /proc/stat that begins with `label`: "cpu" for all processors, "cpu3" for one. Returns
// zeros if there is no such line.
CpuTime parse_cpu_time(std::string_view stat, std::string_view label = "cpu");

// Parent and processor time of /proc/PID/stat, in clock ticks.
struct ProcessTime {
  pid_t parent = 0;
  double used = 0;  // processor time of the process and of the children that it has waited for
};
ProcessTime parse_process_time(std::string_view stat);

// Returns the clock ticks used by a process and all its descendants.
double used_by_tree(const std::map<pid_t, ProcessTime>& processes, pid_t root);

// Returns the seconds that the processors of this process's affinity mask spent on other processes than this
// one and its descendants, counted from an arbitrary start: only the difference of two calls is meaningful. 0
// if /proc cannot be read.
double seconds_taken_by_others();

// Measures, in some milliseconds, how many cores' worth of work `threads` concurrent threads of this process
// get done now, relative to one thread alone. At most about `threads`; less if other processes use the cores,
// if the system grants less processor time than cores (a quota or an overcommitted host), or if two
// processors are hyperthreads of one core. 0 if not that many threads can be started. threads: at least 1.
double cores_at_once(unsigned threads);

// Returns the first `count` of the processors, those of cores of their own before hyperthreads of the same
// cores; empty if there are fewer. siblings_of(cpu): text of
// /sys/devices/system/cpu/cpuN/topology/thread_siblings_list ("0,8" or "0-1"), empty if unknown.
std::vector<int> spread_over_cores(const std::vector<int>& processors, std::size_t count,
                                   const std::function<std::string(int)>& siblings_of);
// As spread_over_cores(), of the processors of this process's affinity mask.
std::vector<int> processors_for(std::size_t count);

}  // namespace warpmark
