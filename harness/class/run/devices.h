// The GPUs of this machine, shared among the students who are graded at a time. (Who measures on one holds it
// alone: harness/judge/speed/device_lock.h.)
#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

namespace warpmark::classroom {

// The devices as CUDA_VISIBLE_DEVICES names them one by one. count: that CUDA reports. wanted: the variable's
// value, empty where it is not set.
std::vector<std::string> device_names(std::size_t count, const std::string& wanted);

// Hands out the device that the fewest students are on. Safe to call from several threads.
class DevicePool {
 public:
  explicit DevicePool(std::vector<std::string> names) : names_(std::move(names)), users_(names_.size()) {}

  // A place on a device, given back when it is destroyed.
  class Place {
   public:
    Place(DevicePool& pool, std::size_t index) : pool_(pool), index_(index) {}
    ~Place();
    Place(const Place&) = delete;
    Place& operator=(const Place&) = delete;
    // Empty where the pool has no devices.
    [[nodiscard]] std::string name() const;

   private:
    DevicePool& pool_;
    std::size_t index_;
  };
  Place take();

 private:
  std::vector<std::string> names_;
  std::vector<std::size_t> users_;
  std::mutex mutex_;
};

}  // namespace warpmark::classroom
