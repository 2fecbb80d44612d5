// Processor time as /proc tells it (proc(5)).
#pragma once

#include <map>
#include <string_view>

#include <sys/types.h>

namespace warpmark {

// Of a line of /proc/stat, in ticks: all of the time and what became of it.
struct CpuTime {
  double all = 0;
  double idle = 0;
  double stolen = 0;  // taken by other machines of the same host
};
// label: "cpu" for all processors, "cpu3" for one. All zero where there is no such line.
CpuTime parse_cpu_time(std::string_view stat, std::string_view label = "cpu");

// Of /proc/PID/stat, in ticks.
struct ProcessTime {
  pid_t parent = 0;
  double used = 0;  // by it and by the children that it has waited for
};
ProcessTime parse_process_time(std::string_view stat);

// What a process and all that descend from it have used, in ticks.
double used_by_tree(const std::map<pid_t, ProcessTime>& processes, pid_t root);

// Seconds for which the processors that this process may use worked for others than it and its descendants.
// Since some moment in the past: the difference of two calls counts. 0 where /proc does not tell.
double seconds_taken_by_others();

// As many cores' work as `threads` threads of our own get done at once, by what one of them gets done alone:
// at most about `threads`, less where others use the cores, where the system hands out less time than cores
// (whether or not it says so) or where two processors are the halves of one core; 0 where it starts no more
// threads. A look of some milliseconds at this moment. threads: at least 1.
double cores_at_once(unsigned threads);

}  // namespace warpmark
