// Connection from the CUDA program's process to the device process.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "harness/base/file.h"
#include "harness/simulator/both/fat_binary.h"
#include "harness/simulator/both/functions.h"
#include "harness/simulator/both/mailbox.h"
#include "harness/simulator/both/packing.h"
#include "harness/simulator/program/watched_memory.h"

namespace warpmark::simulator {

// Data sent along with a runtime call, to save the round trip with which the device process would request it.
struct Along {
  std::span<const std::byte> sent;  // contents of host memory that the runtime call will probably read
  bool site = false;                // true: the program's call stack is sent along with the runtime call
};

class Connection {
 public:
  // Returns the process's only Connection, which is never destroyed: libraries unregister their modules
  // during exit, after static destructors would have run.
  static Connection& instance();

  void connect(int socket);
  [[nodiscard]] bool is_connected() const { return mailbox_ != nullptr; }
  // Makes the first CUDA call of this process start a device process, if connect() was not called.
  void connect_on_demand() { on_demand_ = true; }

  // Makes one call to the device process and waits for the result: write(packer) serialises the arguments,
  // read(unpacker) takes the results. Returns an error if there is no device. Thread-safe; calls are
  // serialised.
  template <class Write, class Read>
  cudaError_t call(std::uint32_t number, Write write, Read read, const Along& along);
  template <class Write>
  cudaError_t call(Special what, Write write) {
    return call(static_cast<std::uint32_t>(what), write, [](Unpacker&) {}, {});
  }
  // Posts a call that has no result: the call is buffered and sent with the next call() or flush(). Fails
  // only if there is no device.
  template <class Write>
  cudaError_t post(std::uint32_t number, Write write);
  template <class Write>
  void post(Special what, Write write) {
    post(static_cast<std::uint32_t>(what), write);
  }
  // Sends the buffered calls without a result to the device process and waits. Returns the first error of all
  // such calls since the last flush().
  cudaError_t flush();
  // Implements cudaDeviceSynchronize. Usually sent later, with the next call that needs a reply: launches run
  // synchronously, so there is nothing to wait for.
  cudaError_t synchronize();
  // True if buffered calls without a result may have failed, so that their errors must be fetched. They
  // cannot have failed if the device process's last reply showed neither a sticky error nor deferred work.
  [[nodiscard]] bool may_have_failed() const { return failed_.load() || !is_ours(); }

  // Makes the CUDA default stream the per-thread one for all host threads from now on.
  void own_default_streams() { own_default_stream_ = true; }
  // Records that cudaSetDevice succeeded: later calls of this host thread are for `device`.
  void chose(int device);

  // Register device code (modules, kernels, variables). Registrations are sent before the next call, so that
  // a program that makes no CUDA call needs no device. Module handles are created in this process, not by the
  // device process.
  void** add_module(const void* wrapper);
  // The module's images are not in a library of the program: the program loaded them itself.
  void** add_module(FatBinary images);
  void add_kernel(void** module, const void* stub, const char* name);
  void add_variable(void** module, const void* variable, const char* name, std::size_t bytes);
  // Declares the variables in [begin, end) to be __managed__: host and device both use the program's memory.
  void add_managed_range(const void* begin, const void* end);
  // Ends the registration of a module: initialises its managed variables.
  void module_is_whole(void** module);
  void remove_module(void** module);

  // Returns the sizes in bytes of a kernel's parameters, or nullopt and the error if there is no such kernel.
  std::optional<std::vector<std::size_t>> parameter_sizes(const void* stub, cudaError_t& error);

  // For cudaDeviceReset: makes the program's process forget all its pinned and managed allocations.
  void forget_memory();
  void allocated(void* pointer, std::size_t bytes);
  void released(void* pointer);

  // True in the process that owns the device, false in a forked child of that process.
  [[nodiscard]] bool is_ours() const;

 private:
  struct ModuleRegistration {
    const void* wrapper = nullptr;
    std::unique_ptr<FatBinary> images;  // null: the wrapper names them
    // handle of a module of device code in the device process; null until the module is sent there
    void* handle = nullptr;
    std::vector<std::tuple<const void*, std::string>> kernels;
    std::vector<std::tuple<const void*, std::string, std::size_t>> variables;
  };

  static constexpr std::size_t kMostPosted = 16 << 10;

  Connection() = default;
  // Claims the simulated device for this process at the first call. Returns cudaSuccess, or the error if
  // there is no device or another process owns it.
  cudaError_t claim();
  void send_modules();
  void send(ModuleRegistration& module);
  [[nodiscard]] bool is_managed(const void* variable) const;
  void send_posted();
  // Sends a call and replies to the device process's questions until the call is complete. Returns the
  // result's bytes.
  std::span<const std::byte> exchange(std::size_t posted, std::size_t bytes, const Along& along);
  void write_attached() const;
  void answer(Message question);
  void call_host_function();
  std::vector<UniqueFd> receive_files();
  // Sends the device process the host accesses that came too early (before synchronisation with the work that
  // uses the memory), before it executes the next call.
  void tell_early();
  // Starts watching the host memory that pending device work uses, as given by the result of the last runtime
  // call.
  void take_watches();
  // If the device process's current device is another than this host thread's (cudaSetDevice is per thread),
  // sends cudaSetDevice.
  void choose_own_device();
  template <class Write, class Read>
  cudaError_t call_connected(std::uint32_t number, Write write, Read read, const Along& along = {});

  // The page-aligned WatchedMemory is the first member, because a member in front of it would take a whole
  // page.
  WatchedMemory watched_;
  std::recursive_mutex mutex_;
  bool on_demand_ = false;
  int socket_ = -1;
  Patience patience_;
  Mailbox* mailbox_ = nullptr;
  // true while a host function enqueued on a stream (cudaLaunchHostFunc) runs: CUDA calls then fail
  bool in_host_function_ = false;
  std::atomic<bool> own_default_stream_ = false;
  std::atomic<bool> failed_ = false;
  std::vector<std::byte> posted_;
  int chosen_ = 0;                // current CUDA device in the device process, as last set by this process
  bool several_devices_ = false;  // true once the program has used another CUDA device than device 0
  bool has_posted_ = false;       // true if calls without a result were buffered since the last flush()
  std::map<void**, ModuleRegistration> modules_;
  // address ranges [begin, end) in the program's memory that contain its __managed__ variables
  std::vector<std::pair<const void*, const void*>> managed_;
  bool all_sent_ = true;
  // Sizes in bytes of the kernel's parameters, keyed by the kernel's host stub.
  std::map<const void*, std::vector<std::size_t>> parameters_;
  // size in bytes of each pinned or managed allocation, keyed by its begin address
  std::map<void*, std::size_t> host_memory_;
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
