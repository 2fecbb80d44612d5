#include "harness/cli/timeline.h"

#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include "harness/base/file.h"

namespace warpmark::cli {

Result<void> write_timeline(const Trace& trace, const std::filesystem::path& file) {
  constexpr double kMicroseconds = 1e6;
  nlohmann::json events = nlohmann::json::array();
  for (const Trace::Event& event : trace.events()) {
    events.push_back({{"name", event.name},
                      {"cat", event.kind},
                      {"ph", "X"},
                      {"ts", event.begin_seconds * kMicroseconds},
                      {"dur", event.seconds * kMicroseconds},
                      {"pid", 1},
                      {"tid", event.lane}});
  }
  const nlohmann::json all{{"displayTimeUnit", "ms"}, {"traceEvents", std::move(events)}};
  return write_file(file, all.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n");
}

void print_sums(const Trace& trace) {
  fmt::print("{:<14} {:>6} {:>9} {:>9}\n", "time line", "spans", "seconds", "in all");
  for (const Trace::Sum& sum : trace.sums())
    fmt::print("{:<14} {:>6} {:>9.1f} {:>9.1f}\n", sum.kind, sum.count, sum.seconds, sum.in_all);
}

}  // namespace warpmark::cli
