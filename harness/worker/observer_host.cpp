#include "harness/worker/observer_host.h"

#include <filesystem>
#include <iterator>

#include <omp.h>

namespace warpmark {
namespace {

std::size_t threads_of_this_process() {
  std::error_code error;
  const std::filesystem::directory_iterator tasks("/proc/self/task", error);
  return error ? 0 : static_cast<std::size_t>(std::distance(begin(tasks), end(tasks)));
}

// Returns the number of threads of this process once OpenMP's default team exists. OpenMP keeps a team's
// threads for the next parallel region; creating them before the judge process counts threads keeps a call
// from appearing to leave threads behind.
std::size_t threads_with_a_team() {
#pragma omp parallel
  {
#pragma omp barrier
  }
  return threads_of_this_process();
}

}  // namespace

HostObserver::HostObserver(const char* engine) : engine_(engine), usual_threads_(threads_with_a_team()) {}

// Ends OpenMP's surplus threads, which remain after a parallel region with a larger team; all other
// additional threads are then the student code's.
void HostObserver::end_call(const void* /*kept*/) {
  if (threads_of_this_process() > usual_threads_) omp_pause_resource_all(omp_pause_hard);
}

}  // namespace warpmark
