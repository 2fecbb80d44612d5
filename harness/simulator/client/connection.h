// A program's connection to its device.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "harness/base/file.h"
#include "harness/simulator/messages/functions.h"
#include "harness/simulator/messages/mailbox.h"
#include "harness/simulator/messages/packing.h"
#include "harness/simulator/order/watched_memory.h"

namespace warpmark::simulator {

// What a call takes along, which saves the device a question.
struct Along {
  std::span<const std::byte> sent;  // bytes of the program that it is likely to read
  bool site = false;                // where it is made
};

class Connection {
 public:
  // Never destroyed: libraries unregister their modules after our own statics would be gone.
  static Connection& instance();

  void connect(int socket);

  // Makes one call: write(packer) puts its arguments, read(unpacker) takes its results. Without a device the
  // error says so. One call at a time, from any thread.
  template <class Write, class Read>
  cudaError_t call(std::uint32_t number, Write write, Read read, const Along& along);
  template <class Write>
  cudaError_t call(Special what, Write write) {
    return call(static_cast<std::uint32_t>(what), write, [](Unpacker&) {}, {});
  }
  // The same of a call whose result is known: it is made before the next one that has to be answered. Errors
  // are those of there being no device.
  template <class Write>
  cudaError_t post(std::uint32_t number, Write write);
  template <class Write>
  void post(Special what, Write write) {
    post(static_cast<std::uint32_t>(what), write);
  }
  // Makes the calls that were posted. Returns the first error of all that were since the last time.
  cudaError_t flush();
  // Nothing is left to wait for: posted, as work ends at the call.
  cudaError_t synchronize();
  // False: the device has answered without a sticky error, and so it will until it is called again.
  [[nodiscard]] bool may_have_failed() const { return failed_.load() || !is_ours(); }

  // From now on the default stream is each thread's own.
  void own_default_streams() { own_default_stream_ = true; }
  // This thread's calls are about that device from now on; it was told so.
  void chose(int device);

  // Device code, which is sent before the next call: a program that uses no device needs none. The handles
  // are ours.
  void** add_module(const void* wrapper);
  void add_kernel(void** module, const void* stub, const char* name);
  void add_variable(void** module, const void* variable, const char* name, std::size_t bytes);
  // Variables there are managed: both sides use the program's own.
  void add_managed_range(const void* begin, const void* end);
  // All of the module is known. Gives its managed variables the values that they begin with.
  void module_is_whole(void** module);
  void remove_module(void** module);

  // Of a kernel's arguments; empty, with the error, when there is no such kernel.
  std::optional<std::vector<std::size_t>> parameter_sizes(const void* stub, cudaError_t& error);

  // The device has no more than what it began with.
  void forget_memory();
  void allocated(void* pointer, std::size_t bytes);
  void released(void* pointer);

  // A process that was forked from the one that has the device has none.
  [[nodiscard]] bool is_ours() const;

 private:
  struct Module {
    const void* wrapper = nullptr;
    void* handle = nullptr;  // the device's; null: not sent yet
    std::vector<std::tuple<const void*, std::string>> kernels;
    std::vector<std::tuple<const void*, std::string, std::size_t>> variables;
  };

  static constexpr std::size_t kMostPosted = 16 << 10;

  Connection() = default;
  // Why there is no device for this process; cudaSuccess when there is.
  cudaError_t claim();
  void send_modules();
  void send(Module& module);
  [[nodiscard]] bool is_managed(const void* variable) const;
  void send_posted();
  // Hands the call over and answers the device's questions until it is done. The result's bytes.
  std::span<const std::byte> exchange(std::size_t posted, std::size_t bytes, const Along& along);
  void write_attached() const;
  void answer(Message question);
  void call_host_function();
  std::vector<UniqueFd> receive_files();
  // What the host did too early since the last call: before the device goes on.
  void tell_early();
  // What is to be watched from here on.
  void take_watches() const;
  // The device was last told by another thread which one its calls are about.
  void choose_own_device();
  template <class Write, class Read>
  cudaError_t call_connected(std::uint32_t number, Write write, Read read, const Along& along = {});

  std::recursive_mutex mutex_;
  int socket_ = -1;
  Patience patience_;
  Mailbox* mailbox_ = nullptr;
  bool in_host_function_ = false;  // of the program, which may make no call
  std::atomic<bool> own_default_stream_ = false;
  std::atomic<bool> failed_ = false;
  std::vector<std::byte> posted_;
  int chosen_ = 0;                // which device the calls that are sent are about
  bool several_devices_ = false;  // another than the first was chosen
  bool has_posted_ = false;       // since the last flush
  std::map<void**, Module> modules_;
  std::vector<std::pair<const void*, const void*>> managed_;  // begin and end
  bool all_sent_ = true;
  std::map<const void*, std::vector<std::size_t>> parameters_;  // by stub
  std::map<void*, std::size_t> host_memory_;                    // pinned and managed
};

template <class Write, class Read>
cudaError_t Connection::call(std::uint32_t number, Write write, Read read, const Along& along) {
  const std::lock_guard lock(mutex_);
  if (const cudaError_t error = claim(); error != cudaSuccess) return error;
  if (in_host_function_) return cudaErrorNotPermitted;
  const WatchedMemory::InLibrary inside;
  tell_early();
  choose_own_device();
  if (!all_sent_) send_modules();
  return call_connected(number, write, read, along);
}

template <class Write>
cudaError_t Connection::post(std::uint32_t number, Write write) {
  const std::lock_guard lock(mutex_);
  if (const cudaError_t error = claim(); error != cudaSuccess) return error;
  choose_own_device();
  if (posted_.size() > kMostPosted) send_posted();
  std::array<std::byte, 256>
      room;  // NOLINT(cppcoreguidelines-pro-type-member-init): written before it is read
  Packer packer(room);
  packer.put(std::uint32_t{0});
  packer.put(number);
  write(packer);
  const auto bytes = static_cast<std::uint32_t>(packer.size() - sizeof(std::uint32_t));
  std::memcpy(room.data(), &bytes, sizeof bytes);
  has_posted_ = true;
  posted_.insert(posted_.end(), room.begin(), room.begin() + static_cast<std::ptrdiff_t>(packer.size()));
  return cudaSuccess;
}

template <class Write, class Read>
cudaError_t Connection::call_connected(std::uint32_t number, Write write, Read read, const Along& along) {
  Packer packer(mailbox_->room);
  packer.put_bytes(posted_.data(), posted_.size());
  const std::size_t posted = packer.size();
  posted_.clear();
  packer.put(number);
  write(packer);
  if (packer.overflown()) return cudaErrorInvalidValue;
  Unpacker result(exchange(posted, packer.size() - posted, along));
  const auto error = result.take<cudaError_t>();
  failed_ = result.take<bool>();
  read(result);
  return error;
}

}  // namespace warpmark::simulator
