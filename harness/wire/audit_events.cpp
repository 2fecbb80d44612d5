#include "harness/wire/audit_events.h"

#include <algorithm>

namespace warpmark {
namespace {

using wire::AuditEvent;

AuditEvent event_of(const wire::Launch& launch) {
  AuditEvent event;
  event.launch = {launch.kernel};
  event.when = launch.when;
  return event;
}

AuditEvent event_of(const wire::Transfer& transfer) {
  AuditEvent event;
  event.transfer = {transfer.direction, transfer.kind, transfer.bytes, transfer.frames};
  event.when = transfer.when;
  return event;
}

bool same_sort(const AuditEvent& a, const AuditEvent& b) {
  if (a.launch != b.launch || a.transfer.has_value() != b.transfer.has_value()) return false;
  return !a.transfer ||
         (a.transfer->direction == b.transfer->direction && a.transfer->kind == b.transfer->kind);
}

bool same_place(const AuditEvent& a, const AuditEvent& b) {
  return !a.transfer || a.transfer->frames == b.transfer->frames;
}

void merge(AuditEvent& into, const AuditEvent& event) {
  into.count += event.count;
  if (into.transfer) into.transfer->bytes += event.transfer->bytes;
  if (into.when && event.when) into.when->end_ns = event.when->end_ns;
}

class List {
 public:
  explicit List(std::size_t most) : most_(most) {}
  std::vector<AuditEvent> events;

  void add(const AuditEvent& event) {
    if (!events.empty() && same_sort(events.back(), event) && same_place(events.back(), event))
      return merge(events.back(), event);
    if (events.size() >= most_) {
      const auto last = std::find_if(events.rbegin(), events.rend(),
                                     [&](const AuditEvent& earlier) { return same_sort(earlier, event); });
      if (last != events.rend()) return merge(*last, event);
    }
    events.push_back(event);
  }

 private:
  std::size_t most_;
};

}  // namespace

wire::Observation in_order(const wire::Observation& seen, std::size_t most) {
  List list(most);
  std::size_t launched = 0;
  for (const wire::Transfer& transfer : seen.transfers) {
    for (; launched < seen.launches.size() && launched < transfer.launches_before; ++launched)
      list.add(event_of(seen.launches[launched]));
    list.add(event_of(transfer));
  }
  for (; launched < seen.launches.size(); ++launched) list.add(event_of(seen.launches[launched]));
  wire::Observation ordered;
  ordered.findings = seen.findings;
  ordered.notes = seen.notes;
  ordered.events = std::move(list.events);
  return ordered;
}

}  // namespace warpmark
