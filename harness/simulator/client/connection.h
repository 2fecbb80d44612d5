// A program's connection to its device.
#pragma once

#include <cstddef>
#include <cstdint>
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

namespace warpmark::simulator {

class Connection {
 public:
  // Never destroyed: libraries unregister their modules after our own statics would be gone.
  static Connection& instance();

  void connect(int socket);

  // Makes one call: write(packer) puts its arguments, read(unpacker) takes its results. Without a device the
  // error says so. One call at a time, from any thread. `sent`: bytes that it is likely to read, which save
  // the device a question.
  template <class Write, class Read>
  cudaError_t call(std::uint32_t number, Write write, Read read, std::span<const std::byte> sent = {});
  template <class Write>
  cudaError_t call(Special what, Write write) {
    return call(static_cast<std::uint32_t>(what), write, [](Unpacker&) {});
  }

  // Device code, which is sent before the next call: a program that uses no device needs none. The handles
  // are ours.
  void** add_module(const void* wrapper);
  void add_kernel(void** module, const void* stub, const char* name);
  void add_variable(void** module, const void* variable, const char* name, std::size_t bytes);
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

  Connection() = default;
  // Why there is no device for this process; cudaSuccess when there is.
  cudaError_t claim();
  void send_modules();
  void send(Module& module);
  // Hands the call over and answers the device's questions until it is done. The result's bytes.
  std::span<const std::byte> exchange(std::size_t bytes, std::span<const std::byte> sent);
  void write_attached() const;
  void answer(Message question);
  void map_memory();
  std::vector<UniqueFd> receive_files();
  // Before and after a call: the targets of copies are open while it is made.
  void open_targets();
  void close_targets();
  template <class Write, class Read>
  cudaError_t call_connected(std::uint32_t number, Write write, Read read,
                             std::span<const std::byte> sent = {});

  std::recursive_mutex mutex_;
  int socket_ = -1;
  Patience patience_;
  Mailbox* mailbox_ = nullptr;
  bool memory_mapped_ = false;
  std::map<void**, Module> modules_;
  bool all_sent_ = true;
  std::map<const void*, std::vector<std::size_t>> parameters_;  // by stub
  std::map<void*, std::size_t> host_memory_;                    // pinned and managed
};

template <class Write, class Read>
cudaError_t Connection::call(std::uint32_t number, Write write, Read read, std::span<const std::byte> sent) {
  const std::lock_guard lock(mutex_);
  if (const cudaError_t error = claim(); error != cudaSuccess) return error;
  open_targets();
  if (!all_sent_) send_modules();
  const cudaError_t error = call_connected(number, write, read, sent);
  close_targets();
  return error;
}

template <class Write, class Read>
cudaError_t Connection::call_connected(std::uint32_t number, Write write, Read read,
                                       std::span<const std::byte> sent) {
  Packer packer(mailbox_->room);
  packer.put(number);
  write(packer);
  if (packer.overflown()) return cudaErrorInvalidValue;
  Unpacker result(exchange(packer.size(), sent));
  const auto error = result.take<cudaError_t>();
  const auto open = result.take<bool>();
  read(result);
  if (open && !memory_mapped_) map_memory();
  return error;
}

}  // namespace warpmark::simulator
