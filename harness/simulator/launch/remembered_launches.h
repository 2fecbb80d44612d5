// Launches that need not run because an equal one began with the same memory: programs that measure restore
// their data and launch the same kernels again, many times. What such a launch left in memory is put there.
// Memory is the same where as many allocations of the same sizes hold the same, wherever they lie, unless
// what they hold may be addresses.
//
// Theory of operation. Memory is compared by hashes (memory_contents.h), which takes time: of what launches
// take, a share is spent on that, and less where nothing comes back. What is kept of a launch is what it
// changed, piece by piece, up to a limit. Kernels whose answer is left to chance (races, the order of atomic
// operations) keep the one that they gave.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "harness/simulator/launch/launch.h"
#include "harness/simulator/launch/memory_contents.h"

namespace warpmark::simulator {

struct Footprint;

class RememberedLaunches {
 public:
  // The outcome of the launch: of an equal one, which memory is then as if it had been, or else that of
  // `run`. options.footprint, if any, is told which memory it uses.
  Outcome outcome_of(const Launch& launch, const LaunchOptions& options, DeviceMemory& memory,
                     const std::function<Outcome()>& run);
  // A launch ran without having been asked for here.
  void another_ran() { contents_.kernel_ran(); }

 private:
  struct Change {
    std::size_t allocation;  // among the live ones
    std::size_t offset;
    std::vector<std::byte> bytes;
  };
  struct Result {
    std::vector<Change> changes;
    std::vector<std::size_t> set;              // allocations, of which it set bytes that nobody had
    std::vector<AllocationContents> contents;  // afterwards
    Outcome outcome;
    std::shared_ptr<const Footprint> footprint;  // null: none was asked for
    double seconds = 0;
    [[nodiscard]] std::size_t bytes() const;  // that it takes, about
  };
  struct Known {
    double seconds = 0;                     // that it took last; 0: never
    bool never = false;                     // it does not depend on memory alone
    std::map<ContentHash, Result> results;  // by what memory held
  };
  Outcome timed(Known& known, const Launch& launch, const std::function<Outcome()>& run);
  [[nodiscard]] bool is_affordable(const Known& known, const DeviceMemory& memory) const;
  // At memory now. Its time is spent.
  std::vector<AllocationContents> look(const DeviceMemory& memory);
  // Does what the launch did with what memory held then, at its addresses of now.
  Outcome again(const Result& result, const std::vector<AllocationContents>& before,
                const LaunchOptions& options, DeviceMemory& memory);
  void keep(Known& known, const ContentHash& before, Result result);
  void forget();

  MemoryContents contents_;
  std::map<std::string, Known> known_;                 // by what a launch is, but for memory
  std::unordered_map<const Kernel*, double> seconds_;  // that a kernel's last launch took
  double ran_ = 0;                                     // seconds that launches took or would have taken
  double spent_ = 0;                                   // seconds of looking at memory
  std::size_t kept_bytes_ = 0;
  std::size_t looks_ = 0;
  std::size_t hits_ = 0;
};

}  // namespace warpmark::simulator
