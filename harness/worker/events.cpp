#include "harness/worker/events.h"

#include <algorithm>
#include <array>

namespace warpmark {
namespace {

using nlohmann::json;

// An event by itself, of an entry of one of the observer's lists.
json event_of(const char* what, const json& entry) {
  json event{{"event", what}, {"count", 1}};
  for (const char* member : {"direction", "kind", "bytes", "kernel", "start_ns", "end_ns"}) {
    if (entry.contains(member)) event[member] = entry[member];
  }
  return event;
}

bool same_sort(const json& a, const json& b) {
  static constexpr std::array members{"event", "direction", "kind", "kernel"};
  return std::all_of(members.begin(), members.end(), [&](const char* member) {
    return a.value(member, std::string()) == b.value(member, std::string());
  });
}

void merge(json& into, const json& event) {
  into["count"] = into["count"].get<std::uint64_t>() + event["count"].get<std::uint64_t>();
  if (event.contains("bytes"))
    into["bytes"] = into["bytes"].get<std::uint64_t>() + event["bytes"].get<std::uint64_t>();
  if (event.contains("end_ns")) into["end_ns"] = event["end_ns"];
}

class List {
 public:
  explicit List(std::size_t most) : most_(most) {}
  json events = json::array();

  void add(const json& event) {
    if (!events.empty() && same_sort(events.back(), event)) return merge(events.back(), event);
    if (events.size() >= most_) {
      const auto last = std::find_if(events.rbegin(), events.rend(),
                                     [&](const json& earlier) { return same_sort(earlier, event); });
      if (last != events.rend()) return merge(*last, event);
    }
    events.push_back(event);
  }

 private:
  std::size_t most_;
};

}  // namespace

json events_of(const json& launches, const json& transfers, std::size_t most) {
  List list(most);
  std::size_t launched = 0;
  for (const json& transfer : transfers) {
    for (; launched < launches.size() && launched < transfer.value("launches_before", std::size_t{0});
         ++launched)
      list.add(event_of("launch", launches[launched]));
    list.add(event_of("transfer", transfer));
  }
  for (; launched < launches.size(); ++launched) list.add(event_of("launch", launches[launched]));
  return std::move(list.events);
}

}  // namespace warpmark
