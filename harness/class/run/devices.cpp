#include "harness/class/run/devices.h"

#include <algorithm>

namespace warpmark::classroom {

std::vector<std::string> device_names(std::size_t count, const std::string& wanted) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin < wanted.size() && names.size() < count;) {
    const std::size_t end = std::min(wanted.find(',', begin), wanted.size());
    if (end > begin) names.push_back(wanted.substr(begin, end - begin));
    begin = end + 1;
  }
  for (std::size_t i = 0; wanted.empty() && i < count; ++i) names.push_back(std::to_string(i));
  return names;
}

DevicePool::Lease DevicePool::take() {
  const std::scoped_lock lock(mutex_);
  const auto least = std::ranges::min_element(users_);
  if (least != users_.end()) ++*least;
  return {*this, static_cast<std::size_t>(least - users_.begin())};
}

DevicePool::Lease::~Lease() {
  const std::scoped_lock lock(pool_.mutex_);
  if (index_ < pool_.users_.size()) --pool_.users_[index_];
}

std::string DevicePool::Lease::name() const {
  return index_ < pool_.names_.size() ? pool_.names_[index_] : "";
}

}  // namespace warpmark::classroom
