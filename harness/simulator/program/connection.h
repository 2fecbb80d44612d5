// The program's connection to its device process.
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
#include "harness/simulator/both/functions.h"
#include "harness/simulator/both/mailbox.h"
#include "harness/simulator/both/packing.h"
#include "harness/simulator/program/watched_memory.h"

namespace warpmark::simulator {

// Data attached to a call, so that the device need not ask for it.
struct Along {
  std::span<const std::byte> sent;  // bytes of the program's memory that the call is likely to read
  bool site = false;                // attach the call site
};

class Connection {
 public:
  // Never destroyed: libraries unregister their modules during exit, after static destructors would have run.
  static Connection& instance();

  void connect(int socket);

  // Makes one call: write(packer) serialises the arguments, read(unpacker) takes the results. Returns an
  // error if there is no device. Thread-safe; calls are serialised.
  template <class Write, class Read>
  cudaError_t call(std::uint32_t number, Write write, Read read, const Along& along);
  template <class Write>
  cudaError_t call(Special what, Write write) {
    return call(static_cast<std::uint32_t>(what), write, [](Unpacker&) {}, {});
  }
  // Posts a call without a result: it is sent with the next call() or flush(). Fails only if there is no
  // device.
  template <class Write>
  cudaError_t post(std::uint32_t number, Write write);
  template <class Write>
  void post(Special what, Write write) {
    post(static_cast<std::uint32_t>(what), write);
  }
  // Sends the posted calls. Returns the first error of all calls posted since the last flush.
  cudaError_t flush();
  // cudaDeviceSynchronize. Usually posted, because a launch runs synchronously and nothing is left to wait
  // for.
  cudaError_t synchronize();
  // False if the device's last answer showed no sticky error, so that posted calls cannot have failed either.
  [[nodiscard]] bool may_have_failed() const { return failed_.load() || !is_ours(); }

  // Makes the default stream per-thread from now on.
  void own_default_streams() { own_default_stream_ = true; }
  // Records that cudaSetDevice succeeded: this thread's calls are for that device from now on.
  void chose(int device);

  // Registers device code. It is sent before the next call, so that a program that makes no CUDA call needs
  // no device. Handles are created here, not by the device.
  void** add_module(const void* wrapper);
  void add_kernel(void** module, const void* stub, const char* name);
  void add_variable(void** module, const void* variable, const char* name, std::size_t bytes);
  // Variables in this range are __managed__: host and device both use the program's memory.
  void add_managed_range(const void* begin, const void* end);
  // The module's registration is complete: initialises its managed variables.
  void module_is_whole(void** module);
  void remove_module(void** module);

  // Returns the sizes in bytes of a kernel's parameters, or nullopt and the error if there is no such kernel.
  std::optional<std::vector<std::size_t>> parameter_sizes(const void* stub, cudaError_t& error);

  // cudaDeviceReset: drops all records of pinned and managed memory.
  void forget_memory();
  void allocated(void* pointer, std::size_t bytes);
  void released(void* pointer);

  // False in a forked child of the process that owns the device.
  [[nodiscard]] bool is_ours() const;

 private:
  struct ModuleRegistration {
    const void* wrapper = nullptr;
    void* handle = nullptr;  // the device's handle; null until the module is sent
    std::vector<std::tuple<const void*, std::string>> kernels;
    std::vector<std::tuple<const void*, std::string, std::size_t>> variables;
  };

  static constexpr std::size_t kMostPosted = 16 << 10;

  Connection() = default;
  // Claims the device for this process. Returns cudaSuccess, or the reason why there is no device.
  cudaError_t claim();
  void send_modules();
  void send(ModuleRegistration& module);
  [[nodiscard]] bool is_managed(const void* variable) const;
  void send_posted();
  // Hands the call over and answers the device's questions until it is complete. Returns the result's bytes.
  std::span<const std::byte> exchange(std::size_t posted, std::size_t bytes, const Along& along);
  void write_attached() const;
  void answer(Message question);
  void call_host_function();
  std::vector<UniqueFd> receive_files();
  // Reports premature host accesses since the last call, before the device continues.
  void tell_early();
  // Applies the watches that came with the result.
  void take_watches();
  // Sends cudaSetDevice if another thread's device is the current one in the device process.
  void choose_own_device();
  template <class Write, class Read>
  cudaError_t call_connected(std::uint32_t number, Write write, Read read, const Along& along = {});

  WatchedMemory watched_;  // aligned to pages, so any member in front of it would take one
  std::recursive_mutex mutex_;
  int socket_ = -1;
  Patience patience_;
  Mailbox* mailbox_ = nullptr;
  // a host function enqueued on a stream is running; it may make no CUDA call
  bool in_host_function_ = false;
  std::atomic<bool> own_default_stream_ = false;
  std::atomic<bool> failed_ = false;
  std::vector<std::byte> posted_;
  int chosen_ = 0;                // the current device in the device process
  bool several_devices_ = false;  // a device other than the first was chosen
  bool has_posted_ = false;       // since the last flush
  std::map<void**, ModuleRegistration> modules_;
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
