// The device process's end of the connection to the CUDA program, which runs in another process. All data
// from that process may be forged; what it reports about itself (call stacks) is used only in messages.
#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <cuda_runtime_api.h>

#include "harness/base/file.h"
#include "harness/simulator/both/call_site.h"
#include "harness/simulator/both/host_function.h"
#include "harness/simulator/both/host_watch.h"
#include "harness/simulator/both/mailbox.h"
#include "harness/simulator/device/order/streams.h"
#include "harness/simulator/engine/memory/device_memory.h"

namespace warpmark::simulator {

class HostProgram {
 public:
  // Returns the device process's singleton connection to the CUDA program. connect() must be called before
  // any other member function.
  static HostProgram& instance();

  // Creates the shared memory that connects the device process and the CUDA program (a mailbox for calls, and
  // the pages that both map), and sends the descriptors over the socket. Returns an error message, empty on
  // success.
  std::string_view connect(UniqueFd socket);

  // Serves the program's runtime calls until the program exits. `answer` executes one call, writes its result
  // to `room` and returns the result's size. Returns false if the program sent a malformed message.
  using Answer = std::function<std::size_t(std::span<const std::byte> call, std::span<std::byte> room)>;
  bool serve(const Answer& answer);

  // Read, write and copy memory of the CUDA program's process, and print there, from the device process's
  // serving thread while it executes a call. They return false or an empty value if the program has exited.
  bool read(void* here, const void* there, std::size_t bytes);
  bool write(void* there, const void* here, std::size_t bytes);
  bool move(void* to, const void* from, std::size_t bytes);
  void print(Message to, std::string_view text);
  // From now on print() writes to this process's own stdout, which the judge reads, and never waits: the
  // program, which may be a student's, does not get what kernels print, but while print_to_program(true).
  void print_itself();
  // As CUDA does. For calls that are compared: what their program learns by reading it shows in what it gives
  // to kernels. May be called by another thread than print().
  void print_to_program(bool to_program) { prints_to_program_ = to_program; }
  // From the first list on, expects() is true for the modules of all lists alone (harness/wire/device.h). The
  // caller holds the Runtime's lock, in both.
  void expect(const std::vector<std::string>& modules) { modules_.insert(modules.begin(), modules.end()); }
  [[nodiscard]] bool expects(const std::string& module) const {
    return modules_.empty() || modules_.contains(module);
  }
  CallSite call_site();
  void call(const HostFunction& function);
  [[nodiscard]] const HostThread& thread() const { return thread_; }

  // Sets the watchpoints on host memory, which are sent to the CUDA program's process with the current call's
  // result.
  void watch(std::span<const Watch> watches) { watches_.emplace(watches.begin(), watches.end()); }

  // Returns and clears the first CUDA error of the asynchronous calls, which the client sent without waiting
  // for their results.
  cudaError_t take_posted_error() { return std::exchange(posted_error_, cudaSuccess); }

  [[nodiscard]] const HostPages& pages() const { return pages_; }

 private:
  HostProgram() = default;
  void put_watches(std::size_t offset);
  // Copies the client's next runtime call out of the shared-memory mailbox. Returns false if the message is
  // malformed.
  bool take_call();
  // Executes the asynchronous calls (sent without waiting for results) that came in the same message before
  // the current call. Returns false if their sizes are inconsistent.
  bool answer_posted(const Answer& answer);
  // Buffers a write to the program's memory. The buffer is sent with the result of the current call.
  void keep(void* there, const void* here, std::size_t bytes);
  bool send_kept();
  // Sends a request with `bytes` bytes of data from the device process to the CUDA program and waits for
  // its reply. Returns false if the program has exited or replied with another kind of message.
  bool ask(Message question, std::size_t bytes);

  UniqueFd socket_;
  UniqueFd mailbox_file_;
  UniqueFd host_file_;
  HostPages pages_;
  Mailbox* mailbox_ = nullptr;
  Patience patience_;
  // Private copy of the client's message, because the client may change the shared-memory mailbox at any
  // time. The parsed views of the message point into this copy.
  std::vector<std::byte> message_;
  std::span<const std::byte> posted_;
  std::span<const std::byte> call_;
  cudaError_t posted_error_ = cudaSuccess;
  std::optional<CallSite> site_;
  HostThread thread_;
  std::set<std::string> modules_;  // digests of the modules that the judge expects; empty: all
  bool prints_itself_ = false;
  std::atomic<bool> prints_to_program_ = false;
  Exchange attached_;
  std::span<const std::byte> attached_bytes_;
  std::vector<std::byte> kept_;
  std::optional<std::vector<Watch>> watches_;
  bool gone_ = false;
};

}  // namespace warpmark::simulator
