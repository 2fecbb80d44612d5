// Lookup functions of the operation table (operations.h), compiled once per x86 instruction set. Each group
// of instructions has its own source file.
#pragma once

#include "harness/simulator/engine/operations/operations.h"

namespace warpmark::simulator::WARPMARK_VARIANT {

Operation integer_operation(const Mnemonic& mnemonic);
Operation parts_operation(const Mnemonic& mnemonic);
Operation bit_operation(const Mnemonic& mnemonic);
Operation move_operation(const Mnemonic& mnemonic);
Operation real_operation(const Mnemonic& mnemonic);
Operation compare_operation(const Mnemonic& mnemonic);
Operation convert_operation(const Mnemonic& mnemonic, std::size_t destination_bytes,
                            std::size_t source_bytes);
Handler load_handler(const Move& move);
Handler store_handler(const Move& move);
Handler load_frame_handler(const Move& move);
Handler store_frame_handler(const Move& move);
Handler load_parameter_handler(const Move& move);
Handler atomic_handler(std::string_view operation, ptx::Type type);
Handler pack_handler(const Move& move);
Handler unpack_handler(const Move& move);
Handler frame_address_handler();

}  // namespace warpmark::simulator::WARPMARK_VARIANT
