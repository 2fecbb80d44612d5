// What the simulated device saw since somebody last asked: launches, findings, transfers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "harness/simulator/launch/launch.h"
#include "harness/simulator/runtime/call_site.h"
#include "harness/wire/device.h"
#include "harness/wire/finding_key.h"
#include "harness/wire/journal.h"
#include "harness/wire/observation.h"

namespace warpmark::simulator {

class Journal {
 public:
  // Launches and copies that follow are that device's.
  void on_device(int device) { device_ = device; }
  void launched(std::string_view kernel, Dim3 grid, Dim3 block, std::uint64_t shared_bytes);
  void counted(LaunchWork work);  // by the last launch
  // One that is the same as an earlier one since the last drain (see finding_key.h) is left out.
  void found(Finding finding);
  // A finding about a call of host code, the runtime function at hand. The kernel is the one launched, if
  // any.
  void found(CauseKind kind, std::string_view kernel, std::string_view message);
  void found(CauseKind kind, std::string_view kernel, std::string_view message, const CallSite& site);
  // What is no fault, but good to know.
  void noted(std::string_view kernel, std::string_view message);
  // By the runtime function at hand. It is recorded with the number of launches before it, which puts both
  // lists in order.
  void transferred(wire::Direction direction, std::size_t bytes, wire::TransferKind kind);
  void transferred(wire::Direction direction, std::size_t bytes, wire::TransferKind kind,
                   const CallSite& site);
  // Which devices' memory a copy was about: `from` only where it is another one's.
  struct Route {
    int device = 0;
    std::optional<int> from;
  };
  void copied(wire::Direction direction, std::size_t bytes, Route route);

  // What follows is told apart from what was seen before the first mark since the last drain.
  void mark();
  // A version's function is about to be called.
  void call_begins() {
    ++calls_;
    in_call_ = 0;
  }

  // Everything, as a line of a journal (harness/wire/journal.h); empties the journal.
  std::string drain();
  // The same for the judge.
  wire::DeviceReply take();

  // From now on flush() drains into this descriptor, a line at a time, and findings of host code say where.
  void write_to(int descriptor) { descriptor_ = descriptor; }
  void flush();
  // The last line: wire::kOneOrderLine.
  void say_one_order();
  // A line: wire::kUncomparedLine.
  void say_uncompared();
  // From a launch of the kernel on nothing is checked, because so many warp instructions were: a note, and
  // wire::kRestUncheckedLine. Once.
  void say_rest_unchecked(std::string_view kernel, std::uint64_t checked);
  // Whether something was found since the last drain.
  [[nodiscard]] bool has_findings() const { return !seen_.findings.empty(); }
  // Whether more launches and copies than these would be more than a message to the judge holds.
  [[nodiscard]] bool is_full() const;
  // Before a launch that may never come back.
  void running(std::string_view kernel, Dim3 grid, Dim3 block);

 private:
  // The line of the last value that was written: launches by the thousand are mostly the same.
  template <class T>
  struct Written {
    T value;
    std::string line;
  };
  void write(const std::string& line);

  wire::Observation before_;  // the first mark
  std::uint64_t marks_ = 0;
  std::uint64_t calls_ = 0;
  wire::Observation seen_;
  Written<wire::Observation> written_seen_;
  Written<wire::Running> written_running_;
  std::set<wire::FindingKey> known_;  // of the findings
  std::set<std::string> late_notes_;  // written since there was much
  int device_ = 0;
  int descriptor_ = -1;
  std::size_t written_ = 0;
  bool rest_unchecked_ = false;
  std::size_t in_call_ = 0;  // launches and transfers since a call began
  std::size_t to_send_ = 0;  // bytes, about: of the launches and transfers in `seen_` and `before_`
};

}  // namespace warpmark::simulator
