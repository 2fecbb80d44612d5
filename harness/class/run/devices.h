// Distributes this machine's GPUs among the students who are graded concurrently. (Timing additionally
// requires exclusive use: harness/judge/speed/device_lock.h.)
#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

namespace warpmark::classroom {

// Returns one CUDA_VISIBLE_DEVICES value per device. count: number of devices that CUDA reports. wanted: the
// variable's current value, empty if unset.
std::vector<std::string> device_names(std::size_t count, const std::string& wanted);

// Hands out the device with the fewest users. Thread-safe.
class DevicePool {
 public:
  explicit DevicePool(std::vector<std::string> names) : names_(std::move(names)), users_(names_.size()) {}

  // A share of a device, released on destruction.
  class Lease {
   public:
    Lease(DevicePool& pool, std::size_t index) : pool_(pool), index_(index) {}
    ~Lease();
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    // Returns "" if the pool has no devices.
    [[nodiscard]] std::string name() const;

   private:
    DevicePool& pool_;
    std::size_t index_;
  };
  Lease take();

 private:
  std::vector<std::string> names_;
  std::vector<std::size_t> users_;
  std::mutex mutex_;
};

}  // namespace warpmark::classroom
