// Calls a student's function again and again to explain a wrong result, and finds the source lines that
// access chosen bytes of its buffers.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "harness/judge/checks/explain_wrong_answer.h"

namespace warpmark::judge {

// A source line that accessed chosen bytes of a buffer.
struct Access {
  std::string file;
  int line = 0;
  std::string callers;                     // call chain of inlined helpers that leads to the source line
  std::optional<WarpAccess> by_warp = {};  // what the warp accesses there
  [[nodiscard]] bool is_at(const Access& other) const { return file == other.file && line == other.line; }
  // Returns true if a student would see two accesses as the same source line: inlined helper functions are
  // shown by their call chain, other lines by file and number.
  [[nodiscard]] bool is_of_the_same_place(const Access& other) const {
    return callers.empty() ? is_at(other) : callers == other.callers;
  }
};
using Accesses = std::vector<Access>;

// "line 7, called from v.cu:20"
std::string text_of(const Access& access);
// "line 7 and line 9", each place once.
std::string text_of(const Accesses& accesses);
bool has_the_place_of(const Accesses& accesses, const Access& access);

class Prober final : public Experiment {
 public:
  // `mode`: how call() runs the function.
  Prober(TriedVersion& version, const Assignment& assignment, const ExperimentLimits& limits,
         const wire::RunMode& mode = {})
      : version_(version), assignment_(assignment), limits_(limits), mode_(mode) {}

  std::optional<Contents> call(const Case& which, const Problem& problem, const Contents& inputs,
                               std::byte before) override;
  [[nodiscard]] std::vector<Size> sizes() const override { return limits_.sizes; }
  [[nodiscard]] std::optional<Size> full_tiles() const override { return limits_.full_tiles; }
  [[nodiscard]] std::vector<std::string> kernels_launched() const override;

  // Lets call() return the contents of small scratch buffers, too.
  void read_scratch() { reads_scratch_ = true; }

  // Calls the student's function with a test case's generated inputs. Returns false if the call failed.
  bool call_regularly(const Case& which);
  // Returns the source lines that read the given bytes of an input of a test case with its
  // generated inputs; empty if the engine does not check accesses.
  Accesses readings(const Case& which, const Explanation::Bytes& of);
  // Returns the source lines that wrote the given bytes of an output with a test case's generated inputs.
  Accesses writings(const Case& which, const Explanation::Bytes& of);

  // Returns the size in bytes of a buffer of a test case.
  [[nodiscard]] std::uint64_t bytes_of(const Case& which, std::size_t buffer) const {
    return assignment_.make(which)->buffers()[buffer].bytes;
  }
  // The engine's findings in the last call.
  [[nodiscard]] const std::vector<wire::Finding>& findings() const { return seen_.findings; }
  [[nodiscard]] std::size_t calls_left() const { return calls_left_; }
  // What is left of ExperimentLimits::all.
  [[nodiscard]] std::chrono::duration<double> time_left() const { return time_left_; }
  // The kernel launches of the last call.
  [[nodiscard]] const std::vector<wire::Launch>& launches() const { return seen_.launches; }
  [[nodiscard]] DeviceWork work() const { return device_work_of(seen_); }
  [[nodiscard]] std::uint64_t kernels() const { return seen_.kernels(); }
  [[nodiscard]] bool records_launches() { return usable_ && version_.worker().records_launches(); }
  [[nodiscard]] bool looks_at_accesses() {
    return usable_ && version_.worker().hello().engine == "simulator";
  }
  // Allows some calls more, for source lines, once the experiments are over.
  void allow_more();

 private:
  // Bytes of a buffer whose reads, or else writes, are observed; no bytes: none.
  struct Observed {
    Explanation::Bytes of;
    bool writes = false;
  };
  [[nodiscard]] Accesses accesses(bool writes) const;
  [[nodiscard]] std::vector<std::size_t> buffers_to_read(std::span<const BufferSpec> specs) const;
  bool fill(const BufferSpec& spec, std::span<const std::byte> contents, std::byte otherwise,
            const Observed& observed);
  std::optional<Contents> asked(const Problem& problem, const Contents& inputs, std::byte before,
                                const Observed& observed, const wire::RunMode& mode);
  std::optional<Contents> timed(const Problem& problem, const Contents& inputs, std::byte before,
                                const Observed& observed, const wire::RunMode& mode);

  TriedVersion& version_;
  const Assignment& assignment_;
  const ExperimentLimits& limits_;
  wire::RunMode mode_;
  std::chrono::duration<double> time_left_ = limits_.all;
  std::size_t calls_left_ = limits_.most_calls;
  bool reads_scratch_ = false;
  bool fresh_ = true;            // no call has been made in the current worker process
  bool usable_ = true;           // false: no worker process can be started for further experiments
  bool checked_before_ = false;  // true: the simulator checked accesses in the previous call
  wire::Observation seen_;       // the engine's findings and kernel launches in the last student call
};

}  // namespace warpmark::judge
