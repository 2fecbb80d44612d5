// Chronological list of transfers and kernel launches during an upload audit. Converts the events that a
// worker process reports (harness/wire/audit_events.h) to entries of the grade.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/model/grade.h"
#include "harness/wire/observation.h"

namespace warpmark::judge {

// A copy between host and device that the harness itself requested.
struct OwnCopy {
  wire::Direction direction = wire::Direction::other;
  std::uint64_t bytes = 0;
};

class TimeLine {
 public:
  std::vector<AuditedTransfer> transfers;
  std::vector<AuditedLaunch> launches;

  // Sets the file and line of a host-to-device transfer from its call stack.
  using Locate = std::function<void(AuditedTransfer&, const std::vector<std::uint64_t>& frames)>;

  // Appends the transfers and launches in one reply of the worker process (its `before` or `observed` part).
  // Returns true if the harness's `own` copy is among them; that entry is marked as a canary.
  bool add(const wire::Observation& seen, const std::string& during, Phase phase,
           std::optional<OwnCopy> own = std::nullopt, const Locate& locate = {});

  // Appends those entries of another worker process's upload audit that belong to the kernel file `during`,
  // except the harness's own copies.
  void append(const TimeLine& other, const std::string& during);

 private:
  std::optional<Period> period_of(const wire::AuditEvent& event);
  bool add_transfer(const wire::AuditEvent& event, AuditedTransfer transfer, std::optional<OwnCopy> own);

  std::uint64_t order_ = 0;
  std::optional<double> origin_ns_;
};

// Returns true for a host-to-device transfer that the kernel file or upload function named `during` made, not
// the harness.
bool is_sent_by(const AuditedTransfer& transfer, const std::string& during);

// Bytes transferred to the device by one kernel file or by the upload function.
struct Sent {
  struct Part {
    Phase phase = Phase::call;
    std::string kind;  // how the data was sent: "copy", "mapped", "managed", "argument"
    std::uint64_t bytes = 0;
    std::uint64_t count = 0;
    std::optional<Period> when;  // period from the start of the first transfer to the end of the last
  };
  std::string during;
  std::uint64_t bytes = 0;
  std::vector<Part> parts;  // host-to-device transfers in chronological order, merged per phase and kind
};
std::vector<Sent> sent_to_device(const std::vector<AuditedTransfer>& transfers);

// Formats the transfers of a student's function to the device, such as "4000012 bytes in 62 copies during its
// call (3.2 to 5.7 ms into the audit)".
std::string text_of(const Sent& sent);

}  // namespace warpmark::judge
