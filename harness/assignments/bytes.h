// Loads and stores values in raw bytes, without alignment requirements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "harness/assignments/assignment.h"

namespace warpmark {

template <class T>
T load_value(std::span<const std::byte> bytes, std::uint64_t index) {
  T value;
  std::memcpy(&value, bytes.data() + index * sizeof value, sizeof value);
  return value;
}

template <class T>
void store_value(std::span<std::byte> bytes, std::uint64_t index, T value) {
  std::memcpy(bytes.data() + index * sizeof value, &value, sizeof value);
}

// Stores the value in host memory and returns the Patch that makes the same change to the device copy.
template <class T>
Patch patch_value(std::span<std::byte> bytes, std::uint64_t index, T value) {
  static_assert(sizeof(T) <= sizeof Patch::value);
  store_value(bytes, index, value);
  Patch patch{index * sizeof(T), sizeof(T), 0};
  std::memcpy(&patch.value, &value, sizeof value);
  return patch;
}

}  // namespace warpmark
