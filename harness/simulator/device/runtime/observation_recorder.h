// Records observations of the simulated device: launches, findings, memory transfers. Draining returns and
// clears them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
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
  // Sets the device to which subsequently recorded launches and copies are attributed.
  void on_device(int device) { device_ = device; }
  void launched(std::string_view kernel, Dim3 grid, Dim3 block, std::uint64_t shared_bytes,
                bool of_library = false);
  void counted(const LaunchWork& work);  // adds performance counters to the record of the last launch
  // Adds a finding, unless it equals an earlier one since the last drain (see finding_key.h).
  void found(Finding finding);
  // Adds a finding about host code. It is located at `site` or, without one, at the call site of the current
  // CUDA runtime function. `kernel` is the kernel being launched, or empty.
  void found(CauseKind kind, std::string_view kernel, std::string_view message);
  void found(CauseKind kind, std::string_view kernel, std::string_view message, const CallSite& site);
  // Adds a note to the report: information for the user that is not an error.
  void noted(std::string_view kernel, std::string_view message);
  // Adds a memory transfer, located at `site` or at the call site of the current runtime function. The number
  // of launches so far is stored as well, so that launches and transfers can be merged in order.
  void transferred(wire::Direction direction, std::size_t bytes, wire::TransferKind kind);
  void transferred(wire::Direction direction, std::size_t bytes, wire::TransferKind kind,
                   const CallSite& site);
  // Adds the harness's own copy of an input to the device, but for those before the mark that begins a call:
  // all else that is recorded there is the program's.
  void taken(std::size_t bytes) {
    if (marks_ != 0) transferred(wire::Direction::host_to_device, bytes, wire::TransferKind::copy, {});
  }
  // Devices of a recorded memory copy: `device` owns the target or, if the target is host memory, the source.
  // `from` is the source's device if it differs from the target's, else empty.
  struct Route {
    int device = 0;
    std::optional<int> from;
  };
  void copied(wire::Direction direction, std::size_t bytes, Route route);

  // Counts bytes that reach the device beside copies: small arguments of a launch, the value of a memset.
  // Beyond 256 KiB of them since the last drain they are recorded as transfers, because so many may carry
  // data.
  void passed_beside(std::size_t bytes);

  void handed_over(wire::Handover handover);

  // Splits the recorded launches, findings and transfers: those before the first mark() since the last drain
  // are reported separately from later ones.
  void mark();
  // Must be called before a graded function is called: starts the count of its launches and transfers.
  void call_begins() {
    ++calls_;
    in_a_call_ = true;
    in_call_ = 0;
  }
  // An end without a begin counts as a further call, which the judge did not ask for: the program's code may
  // find the function that ends a call.
  void call_ends() {
    if (!std::exchange(in_a_call_, false)) ++calls_;
  }

  // Returns all recorded observations (launches, findings, transfers) as one journal line
  // (harness/wire/journal.h) and clears them.
  std::string drain();
  // Returns all recorded observations (launches, findings, transfers) as a message to the judge process and
  // clears them.
  wire::DeviceReply take();

  // Sets the file descriptor to which recorded launches, findings and transfers are written as journal lines.
  void write_to(int descriptor) { descriptor_ = descriptor; }
  void flush();
  // Writes the journal line wire::kOneOrderLine, which states that no other schedule can change what the
  // program observes. Must be the last line of the journal.
  void say_one_order();
  // Writes the journal line wire::kUncomparedLine, which states that some work on streams was not checked for
  // races.
  void say_uncompared();
  // Reports once, by a note and wire::kRestUncheckedLine, that the budget of `checked` warp instructions is
  // used up and that nothing is checked from this launch of `kernel` on.
  void say_rest_unchecked(std::string_view kernel, std::uint64_t checked);
  // True if findings have been recorded that are not yet reported (drained).
  [[nodiscard]] bool has_findings() const { return !seen_.findings.empty(); }
  // True if further launches or copies might exceed the size limit of a message to the judge process.
  [[nodiscard]] bool is_full() const;
  // Writes a journal line before the launch runs, so that a launch that never returns is known.
  void running(std::string_view kernel, Dim3 grid, Dim3 block);

 private:
  // Cache of the last value written to the journal and its serialised line, which is reused while the value
  // stays the same: programs with thousands of launches mostly repeat one value.
  template <class T>
  struct Written {
    T value;
    std::string line;
  };
  void write(const std::string& line);

  // launches, findings and transfers recorded since the last drain and before the first mark()
  wire::Observation before_;
  std::uint64_t marks_ = 0;
  std::uint64_t calls_ = 0;
  bool in_a_call_ = false;
  wire::Observation seen_;
  Written<wire::Observation> written_seen_;
  Written<wire::Running> written_running_;
  // keys of the findings recorded since the last drain; a finding with the same key is not recorded again
  std::set<wire::FindingKey> known_;
  // texts of the notes written after the journal reached its size limit, to write each only once
  std::set<std::string> late_notes_;
  int device_ = 0;
  int descriptor_ = -1;
  std::size_t written_ = 0;
  bool rest_unchecked_ = false;
  // number of launches and transfers since the current call of a graded function began
  std::size_t in_call_ = 0;
  std::size_t beside_ = 0;             // bytes that passed_beside() counted since the last drain
  std::size_t beside_unrecorded_ = 0;  // those beyond the limit that are in no transfer yet
  // approximate bytes of the launches and transfers not yet sent to the judge process
  std::size_t to_send_ = 0;
};

}  // namespace warpmark::simulator
