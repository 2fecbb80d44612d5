// What the simulated device saw since somebody last asked: launches, findings, transfers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/simulator/launch/launch.h"
#include "harness/simulator/runtime/call_site.h"

namespace warpmark::simulator {

class Journal {
 public:
  void launched(std::string_view kernel, Dim3 grid, Dim3 block);
  void counted(LaunchWork work);  // by the last launch
  // A finding of the same kind at the same lines as an earlier one since the last drain is left out; without
  // a line, one with the same message.
  void found(const Finding& finding);
  // A finding about a call of host code, the runtime function at hand. The kernel is the one launched, if
  // any.
  void found(std::string_view kind, std::string_view kernel, std::string_view message);
  void found(std::string_view kind, std::string_view kernel, std::string_view message, const CallSite& site);
  // What is no fault, but good to know.
  void noted(std::string_view kernel, std::string_view message);
  // direction: host_to_device, ...; kind: "copy", or "mapped" and "managed" for memory that kernels reach in
  // the host. It is told with the number of launches before it, which puts both lists in order.
  void transferred(std::string_view direction, std::size_t bytes, std::string_view kind);

  // As JSON in the shape that control.h describes; empties the journal.
  std::string drain();

  // From now on flush() drains into this descriptor, a line at a time, and findings of host code say where.
  void write_to(int descriptor) { descriptor_ = descriptor; }
  void flush();
  // Whether something was found since the last drain.
  [[nodiscard]] bool has_findings() const { return !findings_.empty(); }
  // Before a launch that may never come back.
  void running(std::string_view kernel, Dim3 grid, Dim3 block);

 private:
  struct Launched {
    std::string kernel;
    Dim3 grid, block;
    std::optional<LaunchWork> work;
  };
  struct Found {
    std::string kind, kernel, file;
    int line = 0, other_line = 0;
    std::string message;
    std::vector<std::uint64_t> frames;
  };
  struct Transferred {
    std::string_view direction;  // literals
    std::size_t bytes = 0;
    std::string_view kind;
    std::size_t launches_before = 0;
  };
  struct Noted {
    std::string kernel, message;
  };
  void add(Found found);
  void write(const std::string& line);

  std::vector<Launched> launches_;
  std::vector<Found> findings_;
  std::vector<Transferred> transfers_;
  std::vector<Noted> notes_;
  int descriptor_ = -1;
  std::size_t written_ = 0;
};

}  // namespace warpmark::simulator
