#include <memory>

#include "harness/worker/observer_host.h"

namespace warpmark {

std::unique_ptr<Observer> make_observer(int /*last_words*/) {
  return std::make_unique<HostObserver>("host");
}

}  // namespace warpmark
