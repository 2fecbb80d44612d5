// Parallel loops: call a function for each index of a range, on several threads.
#pragma once

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace warpmark {

// Parallel loop: calls work(0) ... work(count - 1), at most `jobs` concurrently, and returns after all calls
// have finished. Rethrows the first exception; calls that had not begun by then are skipped.
template <class Work>
void in_parallel(std::size_t count, unsigned jobs, const Work& work) {
  std::atomic<std::size_t> next{0};
  std::once_flag first;
  std::exception_ptr failure;
  const auto run = [&] {
    try {
      for (std::size_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      std::call_once(first, [&] { failure = std::current_exception(); });
      next = count;
    }
  };
  {
    std::vector<std::jthread> threads;
    for (unsigned k = 1; k < jobs && k < count; ++k) threads.emplace_back(run);
    run();
  }
  if (failure) std::rethrow_exception(failure);
}

// As in_parallel(), but a call work(i) begins only when is_ready(i) is true, and of those that are ready the
// one with the lowest index begins first. is_ready() is asked after every call that ends, one thread at a
// time; it must become true by what the calls do.
template <class IsReady, class Work>
void in_parallel_when_ready(std::size_t count, unsigned jobs, const IsReady& is_ready, const Work& work) {
  std::mutex mutex;
  std::condition_variable ended;
  std::vector<std::size_t> left(count);
  for (std::size_t i = 0; i < count; ++i) left[i] = i;
  in_parallel(count, jobs, [&](std::size_t) {
    const auto take = [&] {
      std::unique_lock lock(mutex);
      auto next = left.end();
      ended.wait(lock, [&] {
        next = std::find_if(left.begin(), left.end(), is_ready);
        return next != left.end() || left.empty();
      });
      const std::size_t i = next == left.end() ? count : *next;
      if (next != left.end()) left.erase(next);
      return i;
    };
    const std::size_t i = take();
    if (i == count) return;  // another call has failed
    try {
      work(i);
    } catch (...) {
      {
        const std::scoped_lock lock(mutex);
        left.clear();
      }
      ended.notify_all();
      throw;
    }
    { const std::scoped_lock lock(mutex); }  // a thread that has just found nothing ready is waiting now
    ended.notify_all();
  });
}

}  // namespace warpmark
