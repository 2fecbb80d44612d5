#include "harness/judge/cases/case_store.h"

#include <algorithm>
#include <tuple>

#include "harness/base/trace.h"
#include "harness/sandbox/process.h"

namespace warpmark::judge {

CaseStore::CaseStore() : CaseStore(std::max(std::size_t{1} << 30, sandbox::memory_of_the_machine() / 8)) {}

bool CaseStore::Order::operator()(const Case& a, const Case& b) const {
  return std::tie(a.type, a.data, a.n, a.shift, a.seed, a.size.parts) <
         std::tie(b.type, b.data, b.n, b.shift, b.seed, b.size.parts);
}

template <class Make>
std::shared_ptr<const CaseData> CaseStore::take(Slots& slots, const Case& which, Engine engine, Make make) {
  std::shared_ptr<Slot> slot;
  {
    const std::scoped_lock lock(mutex_);
    auto& found = slots[engine][which];
    if (!found) found = std::make_shared<Slot>();
    slot = found;
  }
  std::unique_lock making(slot->mutex, std::try_to_lock);
  if (!making) {
    const TraceSpan span("waiting", "for inputs");
    making.lock();
  }
  if (slot->data) return slot->data;
  const TraceSpan span("inputs", to_text(which.sizes()));
  auto made = std::make_shared<const CaseData>(make());
  const std::scoped_lock lock(mutex_);
  if (made->buffers.bytes() <= most_bytes_ - kept_bytes_) {
    kept_bytes_ += made->buffers.bytes();
    slot->data = made;
  }
  return made;
}

std::shared_ptr<const CaseData> CaseStore::get(const Assignment& assignment, const Case& which,
                                               Engine engine) {
  return take(slots_, which, engine, [&] { return CaseData(assignment, which, engine); });
}

std::shared_ptr<const CaseData> CaseStore::with_other_values(const Assignment& assignment, const Case& which,
                                                             Engine engine) {
  return take(with_other_values_, which, engine,
              [&] { return get(assignment, which, engine)->with_other_values(assignment, engine); });
}

void CaseStore::clear() {
  const std::scoped_lock lock(mutex_);
  slots_.clear();
  with_other_values_.clear();
  kept_bytes_ = 0;
}

}  // namespace warpmark::judge
