// A worker process in which the functions of an assignment's author run, and what it holds between calls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/assignments/plain/oracle.h"
#include "harness/judge/cases/case_runner.h"
#include "harness/judge/workers/installation.h"
#include "harness/judge/workers/worker_client.h"

namespace warpmark::judge {

// One process; not thread-safe. It starts at the first call, and again after its death. Every failure to
// start it, to load a library or to change a buffer is an AssignmentFault that names the source file.
class CourseProcess {
 public:
  // A function of the course, with the libraries that define it and its adapter.
  struct Function {
    std::filesystem::path source;  // the course's source file, for messages
    std::string_view type;
    std::string_view name;
    std::filesystem::path library;
    std::filesystem::path adapter;
  };

  explicit CourseProcess(const Installation& installation) : installation_(installation) {}

  // Number of the input contents (OracleCall::inputs) that the process's buffers hold; 0: unknown.
  [[nodiscard]] std::uint64_t held_inputs() const { return held_; }

  // Loads the function's libraries unless they are loaded.
  Loaded load(const Function& function);
  // Creates a buffer with these contents.
  void fill(std::string_view file, const std::string& buffer, std::span<const std::byte> contents);
  // Sends the buffers of a call, without those that the process still holds.
  void send(std::string_view file, const plain::OracleCall& call);
  // Returns the writes to be sent with a call: those that undo the last call's changes, and its own.
  std::vector<wire::Patch> patches_of(const plain::OracleCall& call);

  // Calls a loaded function; its results are in answers().
  tl::expected<wire::CallReply, Cause> run(const wire::Call& request, std::size_t result_bytes);
  [[nodiscard]] std::span<const std::byte> answers() const { return results_->bytes(); }

  // Adds to a failed call's cause where the process died.
  void point_to_death(Cause& cause, const Blame& blame) const;

 private:
  WorkerClient& worker(std::string_view file);
  template <class Request>
  void ask(std::string_view file, const Request& request, const std::vector<int>& descriptors);

  const Installation& installation_;
  std::optional<WorkerClient> worker_;
  std::map<std::string, Loaded> loaded_;  // libraries loaded in the current worker process
  std::uint64_t held_ = 0;
  // size in bytes of each scratch buffer that the worker process holds; it is not cleared between calls
  std::map<std::string, std::size_t> scratch_;
  // writes that undo the last call's changes to a buffer; sent with the next call
  std::vector<wire::Patch> undo_;
  SharedMemory* results_ = nullptr;
};

}  // namespace warpmark::judge
