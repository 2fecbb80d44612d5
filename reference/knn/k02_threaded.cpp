// What changes: the queries are divided among as many threads as there are cores.
// What that cures: idle cores: queries are independent of each other.
// What still hurts: each core reads all rows from memory again for every query.
// What to expect: the speed of k01 times nearly the number of cores.
#include <algorithm>
#include <functional>
#include <thread>
#include <vector>

#include "classify.h"

extern "C" void k02_threaded(Classification task) {
  // <solution> TODO: how many threads, and which queries for each, so that every query is classified exactly once?
  // <solution> TODO: all answers must be written when this function returns.
  // <stub> (void)task;  // delete this line, too
  const std::size_t cores = std::max(1U, std::thread::hardware_concurrency());
  const std::size_t count = std::min(cores, task.query_count);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < count; ++i)
    threads.emplace_back(classify, std::cref(task), task.query_count * i / count,
                         task.query_count * (i + 1) / count);
  for (std::thread& thread : threads) thread.join();
  // </solution>
}
