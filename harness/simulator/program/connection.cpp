#include "harness/simulator/program/connection.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

#include <dlfcn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/simulator/both/address_plan.h"
#include "harness/simulator/both/call_site.h"
#include "harness/simulator/both/host_function.h"
#include "harness/simulator/program/call_site.h"
#include "harness/simulator/program/fat_binary_wrapper.h"
#include "harness/simulator/program/own_device.h"
#include "harness/simulator/program/watched_memory.h"
#include "harness/wire/channel.h"

namespace warpmark::simulator {
namespace {

thread_local int device_of_thread = 0;

void* pointer_to(std::uint64_t address) {
  return reinterpret_cast<void*>(address);  // NOLINT(performance-no-int-to-ptr)
}

bool in_host_window(const void* pointer) {
  return reinterpret_cast<std::uint64_t>(pointer) - kHostWindow < kHostWindowBytes;
}

std::size_t size_of(int file) {
  struct stat status {};
  return fstat(file, &status) == 0 ? static_cast<std::size_t>(status.st_size) : 0;
}

void put_site(Packer& to) {
  const CallSite site = call_site();
  to.put_text(site.function);
  to.put(static_cast<std::uint32_t>(site.frames.size()));
  for (const std::uint64_t frame : site.frames) to.put(frame);
}

// Reserves the simulated device's address ranges in the CUDA program's process, without access rights. Pinned
// and managed memory becomes accessible when it is allocated.
bool reserve(int host_file) {
  constexpr int fixed = MAP_FIXED_NOREPLACE | MAP_NORESERVE;
  // Device memory's address range is mapped MAP_SHARED in the program: a write through /proc/self/mem ignores
  // the page protection of a private mapping, but fails on a protected shared one.
  return mmap(pointer_to(kDeviceRange), kDeviceRangeBytes, PROT_NONE, MAP_SHARED | MAP_ANONYMOUS | fixed, -1,
              0) == pointer_to(kDeviceRange) &&
         mmap(pointer_to(kHostWindow), size_of(host_file), PROT_NONE, MAP_SHARED | fixed, host_file, 0) ==
             pointer_to(kHostWindow);
}

// Prints a kernel's output with write(), bypassing stdio, whose buffers are in the program's memory: the
// program could read there the values that a kernel prints.
void print(int file, std::span<const std::byte> text) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    text = text.subspan(static_cast<std::size_t>(written));
  }
}

}  // namespace

Connection& Connection::instance() {
  static auto* connection = new Connection;
  return *connection;
}

std::vector<UniqueFd> Connection::receive_files() {
  wire::Channel channel{UniqueFd(dup(socket_))};
  auto frame = channel.receive(wire::Channel::kNoDeadline);
  return frame ? std::move(frame->descriptors) : std::vector<UniqueFd>();
}

void Connection::connect(int socket) {
  const std::lock_guard lock(mutex_);
  socket_ = socket;
  const std::vector<UniqueFd> files = receive_files();
  if (files.size() != 2 || !reserve(files[1].get())) return;
  void* mapped = mmap(nullptr, sizeof(Mailbox), PROT_READ | PROT_WRITE, MAP_SHARED, files[0].get(), 0);
  if (mapped != MAP_FAILED) mailbox_ = static_cast<Mailbox*>(mapped);
}

bool Connection::is_ours() const {
  return mailbox_ != nullptr && mailbox_->owner.load() == getpid();
}

cudaError_t Connection::claim() {
  if (mailbox_ == nullptr && std::exchange(on_demand_, false)) {
    const int socket = start_own_device();
    if (socket >= 0) connect(socket);
  }
  if (mailbox_ == nullptr) return cudaErrorNoDevice;
  std::int32_t nobody = 0;
  if (is_ours() || mailbox_->owner.compare_exchange_strong(nobody, getpid())) return cudaSuccess;
  return cudaErrorInitializationError;
}

std::span<const std::byte> Connection::exchange(std::size_t posted, std::size_t bytes, const Along& along) {
  static std::atomic<std::uint32_t> threads{0};
  thread_local const std::uint32_t thread = ++threads;
  mailbox_->thread = thread;
  mailbox_->own_default_stream = own_default_stream_ ? 1 : 0;
  mailbox_->kind = Message::call;
  mailbox_->posted = static_cast<std::uint32_t>(posted);
  mailbox_->bytes = static_cast<std::uint32_t>(bytes);
  const auto free = std::span(mailbox_->room).subspan(posted + bytes);
  Packer site(free.first(std::min(free.size(), kMostSite)));
  if (along.site) put_site(site);
  mailbox_->site = static_cast<std::uint32_t>(site.overflown() ? 0 : site.size());
  Packer attached(free.subspan(mailbox_->site));
  if (!along.sent.empty()) {
    attached.put(Exchange{reinterpret_cast<std::uint64_t>(along.sent.data()), along.sent.size(), 0});
    attached.put_bytes(along.sent.data(), along.sent.size());
  }
  mailbox_->attached = static_cast<std::uint32_t>(attached.overflown() ? 0 : attached.size());
  for (;;) {
    hand_over(*mailbox_, Turn::device);
    // Exits if the device process has ended: the judge process knows the reason, and no later CUDA call could
    // succeed.
    if (!await(*mailbox_, Turn::program, socket_, patience_)) ::_exit(1);
    if (mailbox_->kind == Message::done) {
      write_attached();
      take_watches();
      return std::span(mailbox_->room).first(mailbox_->bytes);
    }
    answer(mailbox_->kind);
    mailbox_->kind = Message::answer;
  }
}

cudaError_t Connection::flush() {
  const std::lock_guard lock(mutex_);
  const auto nothing = [](const auto&) {};
  if (!std::exchange(has_posted_, false) || !is_ours()) return cudaSuccess;
  return call_connected(static_cast<std::uint32_t>(Special::posted_error), nothing, nothing);
}

void Connection::chose(int device) {
  const std::lock_guard lock(mutex_);
  device_of_thread = chosen_ = device;
  several_devices_ = several_devices_ || device != 0;
}

void Connection::choose_own_device() {
  if (chosen_ == device_of_thread) return;
  chosen_ = device_of_thread;
  // after a switch of devices, assumes a sticky CUDA error until the new device's first reply shows otherwise
  failed_ = true;
  const auto put = [](Packer& to) { to.put(device_of_thread); };
  call_connected(Functions::number_of<&cudaSetDevice>(), put, [](Unpacker&) {});
}

// Sends the buffered calls without a result to the device process now, which remembers their first error
// until flush() fetches it.
void Connection::send_posted() {
  const auto nothing = [](const auto&) {};
  call_connected(static_cast<std::uint32_t>(Special::nothing), nothing, nothing);
}

cudaError_t Connection::synchronize() {
  const std::lock_guard lock(mutex_);
  if (in_host_function_) return cudaErrorNotPermitted;
  // With several devices, cudaDeviceSynchronize waits for the current device only, so it must be sent at once
  // instead of buffered: the reply carries the watches on host memory that pending work of the other devices
  // still needs.
  if (may_have_failed() || several_devices_) {
    const auto nothing = [](const auto&) {};
    return call(Functions::number_of<&cudaDeviceSynchronize>(), nothing, nothing, {});
  }
  tell_early();
  const cudaError_t error = post(Functions::number_of<&cudaDeviceSynchronize>(), [](Packer&) {});
  watched_.stop();
  return error;
}

void Connection::tell_early() {
  for (const EarlyAccess& early : watched_.take()) {
    const auto put = [&](Packer& to) {
      to.put(early.access);
      to.put(early.begin);
      to.put(early.end);
      to.put_text(early.function.data());
      to.put(static_cast<std::uint32_t>(early.frame_count));
      for (int i = 0; i < early.frame_count; ++i) to.put(early.frames[static_cast<std::size_t>(i)]);
    };
    call_connected(static_cast<std::uint32_t>(Special::early_access), put, [](Unpacker&) {});
  }
}

void Connection::take_watches() {
  const std::size_t offset = std::size_t{mailbox_->bytes} + mailbox_->attached;
  const std::size_t bytes = mailbox_->watches;
  if (bytes == Mailbox::kAsBefore || offset > Mailbox::kRoom || bytes > Mailbox::kRoom - offset) return;
  std::vector<Watch> watches(bytes / sizeof(Watch));
  if (!watches.empty()) std::memcpy(watches.data(), mailbox_->room.data() + offset, bytes);
  watched_.watch(watches);
}

void Connection::write_attached() const {
  const std::byte* at = mailbox_->room.data() + mailbox_->bytes;
  const std::byte* end = at + mailbox_->attached;
  while (at < end) {
    Exchange exchange;
    std::memcpy(&exchange, at, sizeof exchange);
    std::memcpy(pointer_to(exchange.address), at + sizeof exchange, exchange.bytes);
    at += sizeof exchange + exchange.bytes;
  }
}

void Connection::answer(Message question) {
  std::byte* room = mailbox_->room.data();
  std::byte* data = room + Mailbox::kDataOffset;
  Exchange exchange;
  std::memcpy(&exchange, room, sizeof exchange);
  switch (question) {
    case Message::read:
      std::memcpy(data, pointer_to(exchange.address), exchange.bytes);
      break;
    case Message::write:
      std::memcpy(pointer_to(exchange.address), data, exchange.bytes);
      break;
    case Message::move:
      std::memmove(pointer_to(exchange.to), pointer_to(exchange.address), exchange.bytes);
      break;
    case Message::function:
      call_host_function();
      break;
    case Message::print_out:
      std::fflush(stdout);
      print(STDOUT_FILENO, {room, mailbox_->bytes});
      break;
    case Message::print_error:
      print(STDERR_FILENO, {room, mailbox_->bytes});
      break;
    case Message::call_site: {
      Packer packer(mailbox_->room);
      put_site(packer);
      mailbox_->bytes = static_cast<std::uint32_t>(packer.size());
      break;
    }
    case Message::call:
    case Message::answer:
    case Message::done:
      break;
  }
}

void Connection::call_host_function() {
  HostFunction called;
  std::memcpy(&called, mailbox_->room.data(), sizeof called);
  in_host_function_ = true;
  if (called.callback) {
    reinterpret_cast<cudaStreamCallback_t>(called.function)(  // NOLINT(performance-no-int-to-ptr)
        static_cast<cudaStream_t>(pointer_to(called.stream)), cudaSuccess, pointer_to(called.argument));
  } else {
    reinterpret_cast<cudaHostFn_t>(called.function)(  // NOLINT(performance-no-int-to-ptr)
        pointer_to(called.argument));
  }
  in_host_function_ = false;
}

void** Connection::add_module(const void* wrapper) {
  const std::lock_guard lock(mutex_);
  add_library(wrapper);
  // The address of a module's fat-binary wrapper is unique among modules, so it serves as the module handle.
  auto** handle = static_cast<void**>(const_cast<void*>(wrapper));
  modules_[handle].wrapper = wrapper;
  all_sent_ = false;
  return handle;
}

void** Connection::add_module(FatBinary images) {
  const std::lock_guard lock(mutex_);
  auto owned = std::make_unique<FatBinary>(std::move(images));
  auto** handle = reinterpret_cast<void**>(owned.get());
  modules_[handle].images = std::move(owned);
  all_sent_ = false;
  return handle;
}

void Connection::add_kernel(void** module, const void* stub, const char* name) {
  const std::lock_guard lock(mutex_);
  modules_[module].kernels.emplace_back(stub, name);
}

void Connection::add_variable(void** module, const void* variable, const char* name, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  modules_[module].variables.emplace_back(variable, name, bytes);
}

void Connection::add_managed_range(const void* begin, const void* end) {
  const std::lock_guard lock(mutex_);
  managed_.emplace_back(begin, end);
}

bool Connection::is_managed(const void* variable) const {
  return std::ranges::any_of(managed_, [=](const auto& range) {
    return !std::less<>{}(variable, range.first) && std::less<>{}(variable, range.second);
  });
}

void Connection::module_is_whole(void** handle) {
  const std::lock_guard lock(mutex_);
  const auto managed = [&](const auto& variable) { return is_managed(std::get<0>(variable)); };
  // Forces the module's registration now, by a call to the device process that has no other effect: every
  // call first sends the registered modules, and managed variables must be initialised at registration.
  if (std::ranges::any_of(modules_[handle].variables, managed)) call(Special::sticky_error, [](Packer&) {});
}

void Connection::remove_module(void** handle) {
  const std::lock_guard lock(mutex_);
  const auto known = modules_.extract(handle);
  if (!known) return;
  const ModuleRegistration& module = known.mapped();
  if (!module.images) remove_library(module.wrapper);
  for (const auto& kernel : module.kernels) parameters_.erase(std::get<0>(kernel));
  if (module.handle == nullptr || !is_ours()) return;
  call(Special::remove_module, [&](Packer& to) { to.put(module.handle); });
}

void Connection::send_modules() {
  all_sent_ = true;
  for (auto& [handle, module] : modules_) {
    if (module.handle == nullptr) send(module);
  }
}

void Connection::send(ModuleRegistration& module) {
  const FatBinary images = module.images ? *module.images : images_in(module.wrapper);
  Dl_info where{};
  // Modules of one library are linked with each other.
  const void* library = module.images                           ? module.images.get()
                        : ::dladdr(module.wrapper, &where) != 0 ? where.dli_fbase
                                                                : nullptr;
  const auto put_images = [&](Packer& to) {
    to.put(library);
    for (const std::string* image : {&images.checking, &images.counting}) {
      to.put(static_cast<const void*>(image->data()));
      to.put(image->size());
    }
  };
  call_connected(static_cast<std::uint32_t>(Special::add_module), put_images,
                 [&](Unpacker& from) { module.handle = from.take<void*>(); });
  const auto nothing = [](Unpacker&) {};
  for (const auto& [stub, name] : module.kernels) {
    const auto put_kernel = [&, stub = stub, &name = name](Packer& to) {
      to.put(module.handle);
      to.put(stub);
      to.put_text(name);
    };
    call_connected(static_cast<std::uint32_t>(Special::add_kernel), put_kernel, nothing);
  }
  for (const auto& [variable, name, bytes] : module.variables) {
    const auto put_variable = [&, variable = variable, &name = name, bytes = bytes](Packer& to) {
      to.put(module.handle);
      to.put(variable);
      to.put(bytes);
      to.put_text(name);
    };
    call_connected(static_cast<std::uint32_t>(Special::add_variable), put_variable, nothing);
    if (is_managed(variable)) {
      call_connected(
          static_cast<std::uint32_t>(Special::manage),
          [variable = variable](Packer& to) { to.put(variable); }, nothing);
    }
  }
}

std::optional<std::vector<std::size_t>> Connection::parameter_sizes(const void* stub, cudaError_t& error) {
  const std::lock_guard lock(mutex_);
  if (const auto known = parameters_.find(stub); known != parameters_.end()) return known->second;
  std::vector<std::size_t> sizes;
  error = call(
      static_cast<std::uint32_t>(Special::parameter_sizes), [&](Packer& to) { to.put(stub); },
      [&](Unpacker& from) {
        sizes.resize(from.take<std::uint32_t>());
        for (std::size_t& size : sizes) size = from.take<std::size_t>();
      },
      {});
  if (error != cudaSuccess) return std::nullopt;
  return parameters_[stub] = std::move(sizes);
}

void Connection::allocated(void* pointer, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  if (!in_host_window(pointer)) return;
  mprotect(pointer, bytes, PROT_READ | PROT_WRITE);
  host_memory_[pointer] = bytes;
}

// Revokes the program's access to the pages of a freed pinned or managed allocation. The pages stay reserved,
// because an address is never reused.
void Connection::released(void* pointer) {
  const std::lock_guard lock(mutex_);
  const auto known = host_memory_.extract(pointer);
  if (known) mprotect(pointer, known.mapped(), PROT_NONE);
}

void Connection::forget_memory() {
  const std::lock_guard lock(mutex_);
  while (!host_memory_.empty()) released(host_memory_.begin()->first);
}

}  // namespace warpmark::simulator
