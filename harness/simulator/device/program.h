// The program that this process is the device of: its calls, and what the device asks it. Everything that
// comes from it may be forged; what it says of itself (where in its code it is) is used for words alone.
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
#include "harness/simulator/memory/device_memory.h"
#include "harness/simulator/messages/mailbox.h"
#include "harness/simulator/order/host_function.h"
#include "harness/simulator/order/streams.h"
#include "harness/simulator/order/watch.h"
#include "harness/simulator/runtime/call_site.h"

namespace warpmark::simulator {

class HostProgram {
 public:
  // The one; it is nobody until it is connected.
  static HostProgram& instance();

  // Makes the mailbox and the memory of the device, and sends the program its part over the socket. Returns
  // why it cannot, or nothing.
  std::string_view connect(UniqueFd socket);

  // Answers calls until the program is gone. `answer` takes a call and writes its result to `room`; it
  // returns the result's size. False when the program sent what no program sends.
  using Answer = std::function<std::size_t(std::span<const std::byte> call, std::span<std::byte> room)>;
  bool serve(const Answer& answer);

  // While a call is answered, by the same thread. False or empty when the program is gone.
  bool read(void* here, const void* there, std::size_t bytes);
  bool write(void* there, const void* here, std::size_t bytes);
  bool move(void* to, const void* from, std::size_t bytes);
  void print(Message to, std::string_view text);
  CallSite call_site();
  void call(const HostFunction& function);
  [[nodiscard]] const HostThread& thread() const { return thread_; }

  // What the program is to watch from the end of the call on.
  void watch(std::span<const Watch> watches) { watches_.emplace(watches.begin(), watches.end()); }

  // The first error of the calls that were posted since it was last taken.
  cudaError_t take_posted_error() { return std::exchange(posted_error_, cudaSuccess); }

  [[nodiscard]] const HostPages& pages() const { return pages_; }

 private:
  HostProgram() = default;
  void put_watches(std::size_t offset);
  // Takes a call out of the mailbox; false when it is none.
  bool take_call();
  // The calls that were posted before it. False when they cannot be told apart.
  bool answer_posted(const Answer& answer);
  // What the program is to write at the end of the call, sent there with it.
  void keep(void* there, const void* here, std::size_t bytes);
  bool send_kept();
  // Sends a question of which `bytes` bytes are in the room; false when there is no answer.
  bool ask(Message question, std::size_t bytes);

  UniqueFd socket_;
  UniqueFd mailbox_file_;
  UniqueFd host_file_;
  HostPages pages_;
  Mailbox* mailbox_ = nullptr;
  Patience patience_;
  // Of the program, as it sent it: the calls, and what came with the last of them.
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
