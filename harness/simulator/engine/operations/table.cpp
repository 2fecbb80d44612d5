#include "harness/simulator/engine/operations/variant.h"

namespace warpmark::simulator::WARPMARK_VARIANT {

const Operations& table() {
  static const Operations all{
      .integer = integer_operation,
      .bits = bit_operation,
      .moves = move_operation,
      .real = real_operation,
      .compare = compare_operation,
      .convert = convert_operation,
      .load = load_handler,
      .store = store_handler,
      .load_frame = load_frame_handler,
      .store_frame = store_frame_handler,
      .load_parameter = load_parameter_handler,
      .atomic = atomic_handler,
      .pack = pack_handler,
      .unpack = unpack_handler,
      .frame_address = frame_address_handler(),
  };
  return all;
}

}  // namespace warpmark::simulator::WARPMARK_VARIANT
