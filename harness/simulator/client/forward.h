// A runtime function's way to the device and back.
#pragma once

#include "harness/simulator/client/connection.h"

namespace warpmark::simulator {

// Keeps the thread's last error, as CUDA does.
cudaError_t remember(cudaError_t error);

template <class T>
void put_argument(Packer& to, T value) {
  if constexpr (kFilledIn<T>) {
    to.put(value != nullptr);
    if (value != nullptr) to.put(*value);
  } else {
    to.put(value);
  }
}
template <class T>
void take_argument(Unpacker& from, T value) {
  if constexpr (kFilledIn<T>) {
    if (value == nullptr) return;
    auto taken = from.take<std::remove_pointer_t<T>>();
    if (!from.failed()) *value = taken;
  }
}

template <auto kFunction, class... Given, class... Arguments>
cudaError_t forward_as(cudaError_t (*/*function*/)(Arguments...), Given... given) {
  const auto error = Connection::instance().call(
      Functions::number_of<kFunction>(),
      [&](Packer& to) { (put_argument<Arguments>(to, static_cast<Arguments>(given)), ...); },
      [&](Unpacker& from) { (take_argument<Arguments>(from, static_cast<Arguments>(given)), ...); });
  return remember(error);
}

// What the function of that name does, on the device.
template <auto kFunction, class... Given>
cudaError_t forward(Given... given) {
  return forward_as<kFunction>(kFunction, given...);
}

}  // namespace warpmark::simulator
