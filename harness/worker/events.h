// What an observer saw as one list in order, for an audit: short whatever a submission does, and with every
// byte in it.
#pragma once

#include <nlohmann/json.hpp>

namespace warpmark {

// From an observer's "launches" and "transfers" (see observer.h):
//   [{"event": "transfer", "direction", "kind", "bytes", "count"} or {"event": "launch", "kernel", "count"}],
// both with {"start_ns", "end_ns"} where the observer tells times. Neighbours that differ in bytes and times
// only are one event, and of more than `most` events the later ones of each sort are one.
nlohmann::json events_of(const nlohmann::json& launches, const nlohmann::json& transfers,
                         std::size_t most = 2000);

}  // namespace warpmark
