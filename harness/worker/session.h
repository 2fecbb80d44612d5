// The worker's state between two requests: libraries, device buffers, one stream. It knows no assignment, no
// seed and no expected answer; it returns raw bytes and raw times.
#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

#include "harness/base/file.h"
#include "harness/worker/adapter.h"
#include "harness/worker/observer.h"

namespace warpmark {

// Device memory, given back at the end.
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  DeviceBuffer(void* data, std::size_t bytes) : data_(data), bytes_(bytes) {}
  DeviceBuffer(DeviceBuffer&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept;
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;
  ~DeviceBuffer();

  [[nodiscard]] void* data() const { return data_; }
  [[nodiscard]] std::size_t bytes() const { return bytes_; }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

// Answers one request after the other. What a request holds stands above its handler in session.cpp.
class Session {
 public:
  explicit Session(std::unique_ptr<Observer> observer) : observer_(std::move(observer)) {}
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  // The answer's body. What the harness itself could not do is {"failed": why}.
  nlohmann::json answer(const nlohmann::json& request, const std::vector<UniqueFd>& descriptors);

 private:
  using Descriptors = std::span<const UniqueFd>;
  using Handler = nlohmann::json (Session::*)(const nlohmann::json&, Descriptors);

  nlohmann::json hello(const nlohmann::json& request, Descriptors descriptors);
  nlohmann::json load(const nlohmann::json& request, Descriptors descriptors);
  nlohmann::json fill(const nlohmann::json& request, Descriptors descriptors);
  nlohmann::json zeros(const nlohmann::json& request, Descriptors descriptors);
  nlohmann::json copy(const nlohmann::json& request, Descriptors descriptors);
  nlohmann::json call(const nlohmann::json& request, Descriptors descriptors);
  nlohmann::json upload(const nlohmann::json& request, Descriptors descriptors);
  nlohmann::json canary(const nlohmann::json& request, Descriptors descriptors);
  nlohmann::json read(const nlohmann::json& request, Descriptors descriptors);
  nlohmann::json conditions(const nlohmann::json& request, Descriptors descriptors);

  void* symbol(const std::string& library, const std::string& name) const;
  WarpmarkView view(const nlohmann::json& where) const;
  void patch(const nlohmann::json& patches);
  void sweep();
  void copy_out(const nlohmann::json& reads, std::span<std::byte> target, std::size_t& position) const;

  void forget();
  nlohmann::json everything_so_far();

  std::unique_ptr<Observer> observer_;
  bool auditing_ = false;                   // nothing that was observed is dropped
  std::map<std::string, void*> libraries_;  // never closed: destructors of student libraries have no say
  std::map<std::string, DeviceBuffer> buffers_;
  cudaStream_t stream_ = nullptr;
};

}  // namespace warpmark
