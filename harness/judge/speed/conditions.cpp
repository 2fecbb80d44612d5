#include "harness/judge/speed/conditions.h"

namespace warpmark::judge {

Conditions conditions_of(WorkerClient& worker) {
  Conditions seen;
  const auto reply = worker.ask(wire::ReadConditions{}, {}, std::chrono::seconds(20));
  if (!reply) return seen;
  seen.driver = reply->driver;
  seen.sm_mhz = reply->sm_mhz;
  seen.memory_mhz = reply->memory_mhz;
  seen.celsius = reply->celsius;
  if (reply->processes) seen.other_processes = *reply->processes > 0 ? *reply->processes - 1 : 0;
  seen.throttled_by = reply->throttled_by;
  return seen;
}

}  // namespace warpmark::judge
