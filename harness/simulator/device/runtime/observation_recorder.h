// What the simulated device observed since the journal was last drained: launches, findings, transfers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/simulator/both/call_site.h"
#include "harness/simulator/engine/machine/finding.h"
#include "harness/simulator/engine/machine/grid.h"
#include "harness/simulator/watch/work.h"
#include "harness/wire/device.h"
#include "harness/wire/finding_key.h"
#include "harness/wire/journal.h"
#include "harness/wire/observation.h"

namespace warpmark::simulator {

class ObservationRecorder {
 public:
  // Sets the device to which the following launches and copies are attributed.
  void on_device(int device) { device_ = device; }
  void launched(std::string_view kernel, Dim3 grid, Dim3 block, std::uint64_t shared_bytes);
  void counted(LaunchWork work);  // adds the counters of the last launch
  // Adds a finding, unless it equals an earlier one since the last drain (see finding_key.h).
  void found(Finding finding);
  // Adds a finding about host code, located at the current runtime function. kernel: the kernel being
  // launched, or empty.
  void found(CauseKind kind, std::string_view kernel, std::string_view message);
  void found(CauseKind kind, std::string_view kernel, std::string_view message, const CallSite& site);
  // Adds a note: useful to know, but not an error.
  void noted(std::string_view kernel, std::string_view message);
  // Adds a transfer by the current runtime function. The number of launches before it is recorded as well, so
  // that the two lists can be merged in order.
  void transferred(wire::Direction direction, std::size_t bytes, wire::TransferKind kind);
  void transferred(wire::Direction direction, std::size_t bytes, wire::TransferKind kind,
                   const CallSite& site);
  // The device of a copy, and the source's device if that is another one.
  struct Route {
    int device = 0;
    std::optional<int> from;
  };
  void copied(wire::Direction direction, std::size_t bytes, Route route);

  // Everything seen before the first mark since the last drain is reported separately from what follows.
  void mark();
  // Called before a version's function is called.
  void call_begins() {
    ++calls_;
    in_call_ = 0;
  }

  // Returns everything as one journal line (harness/wire/journal.h) and clears the recorder.
  std::string drain();
  // Returns everything as a message to the judge and clears the recorder.
  wire::DeviceReply take();

  // From now on flush() drains into this descriptor, one line at a time.
  void write_to(int descriptor) { descriptor_ = descriptor; }
  void flush();
  // Writes wire::kOneOrderLine, which must be the last line.
  void say_one_order();
  // Writes wire::kUncomparedLine.
  void say_uncompared();
  // Reports once, by a note and wire::kRestUncheckedLine, that the budget of `checked` warp instructions was
  // used up, so that nothing is checked from a launch of this kernel on.
  void say_rest_unchecked(std::string_view kernel, std::uint64_t checked);
  // True if there are findings since the last drain.
  [[nodiscard]] bool has_findings() const { return !seen_.findings.empty(); }
  // True if more launches or copies would exceed the size of a message to the judge.
  [[nodiscard]] bool is_full() const;
  // Writes the launch at once, so that it is known if it never returns.
  void running(std::string_view kernel, Dim3 grid, Dim3 block);

 private:
  // Caches the line of the last value written: programs with thousands of launches mostly repeat the same
  // line.
  template <class T>
  struct Written {
    T value;
    std::string line;
  };
  void write(const std::string& line);

  wire::Observation before_;  // what was seen before the first mark
  std::uint64_t marks_ = 0;
  std::uint64_t calls_ = 0;
  wire::Observation seen_;
  Written<wire::Observation> written_seen_;
  Written<wire::Running> written_running_;
  std::set<wire::FindingKey> known_;  // keys of the findings since the last drain
  std::set<std::string> late_notes_;  // notes written after the size limit was reached
  int device_ = 0;
  int descriptor_ = -1;
  std::size_t written_ = 0;
  bool rest_unchecked_ = false;
  std::size_t in_call_ = 0;  // launches and transfers since a call began
  // approximate size in bytes of the launches and transfers in `seen_` and `before_`
  std::size_t to_send_ = 0;
};

}  // namespace warpmark::simulator
