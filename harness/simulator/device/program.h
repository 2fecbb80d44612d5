// The device process's side of the connection to its program. All data from the program may be forged; what
// it says about itself (its call sites) is only used in messages.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
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
  // The only instance; without a program until connect().
  static HostProgram& instance();

  // Creates the mailbox and the device memory and sends the program its descriptors over the socket. Returns
  // an error message, empty on success.
  std::string_view connect(UniqueFd socket);

  // Answers calls until the program exits. `answer` executes a call, writes its result to `room` and returns
  // the result's size. Returns false if the program sent a malformed message.
  using Answer = std::function<std::size_t(std::span<const std::byte> call, std::span<std::byte> room)>;
  bool serve(const Answer& answer);

  // For use by the serving thread while it answers a call. Return false or an empty value if the program has
  // exited.
  bool read(void* here, const void* there, std::size_t bytes);
  bool write(void* there, const void* here, std::size_t bytes);
  bool move(void* to, const void* from, std::size_t bytes);
  void print(Message to, std::string_view text);
  CallSite call_site();
  void call(const HostFunction& function);
  [[nodiscard]] const HostThread& thread() const { return thread_; }

  // Sets the watches that are sent with the result of the current call.
  void watch(std::span<const Watch> watches) { watches_.emplace(watches.begin(), watches.end()); }

  // Returns and clears the first error of the posted calls.
  cudaError_t take_posted_error() { return std::exchange(posted_error_, cudaSuccess); }

  [[nodiscard]] const HostPages& pages() const { return pages_; }

 private:
  HostProgram() = default;
  void put_watches(std::size_t offset);
  // Copies a call out of the mailbox; returns false if it is malformed.
  bool take_call();
  // Executes the calls that were posted before it. Returns false if their sizes are inconsistent.
  bool answer_posted(const Answer& answer);
  // Buffers a write to the program's memory, to be sent with the result of the call.
  void keep(void* there, const void* here, std::size_t bytes);
  bool send_kept();
  // Sends a question with `bytes` bytes of data and waits for the answer; returns false if there is none.
  bool ask(Message question, std::size_t bytes);

  UniqueFd socket_;
  UniqueFd mailbox_file_;
  UniqueFd host_file_;
  HostPages pages_;
  Mailbox* mailbox_ = nullptr;
  Patience patience_;
  // Private copy of the program's message; the spans below point into it.
  std::vector<std::byte> message_;
  std::span<const std::byte> posted_;
  std::span<const std::byte> call_;
  cudaError_t posted_error_ = cudaSuccess;
  std::optional<CallSite> site_;
  HostThread thread_;
  Exchange attached_;
  std::span<const std::byte> attached_bytes_;
  std::vector<std::byte> kept_;
  std::optional<std::vector<Watch>> watches_;
  bool gone_ = false;
};

}  // namespace warpmark::simulator
