// Distributes this machine's GPUs among the students who are graded concurrently. (Timing additionally
// requires exclusive use: harness/judge/speed/device_lock.h.)
#pragma once

#include <cstddef>
#include <mutex>
#include <string>
#include <vector>

namespace warpmark::classroom {

// Returns one CUDA_VISIBLE_DEVICES value per GPU: the entries of `wanted`, the variable's current value, or
// the numbers from 0 if that is empty. count: number of GPUs that CUDA reports.
std::vector<std::string> device_names(std::size_t count, const std::string& wanted);

// Lends the GPU that the fewest students use; several students may share one. Thread-safe.
class DevicePool {
 public:
  explicit DevicePool(std::vector<std::string> names) : names_(std::move(names)), users_(names_.size()) {}

  // Shared use of one GPU, ended by the destructor.
  class Lease {
   public:
    Lease(DevicePool& pool, std::size_t index) : pool_(pool), index_(index) {}
    ~Lease();
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    // Returns the GPU's CUDA_VISIBLE_DEVICES value; "" if the pool has no GPUs.
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
