#include "harness/worker/observer_host.h"

#include <omp.h>

namespace warpmark {

void start_openmp_team() {
#pragma omp parallel
  {
#pragma omp barrier
  }
}

void HostObserver::prepare_call(bool timed) {
  if (timed) start_openmp_team();
}

void HostObserver::settle() {
  omp_pause_resource_all(omp_pause_hard);
}

}  // namespace warpmark
