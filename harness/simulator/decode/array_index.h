// Recognises the bounds checks of clang's -fsanitize=array-bounds in -O0 PTX:
//
//     setp.lt.u64 %p1, %index, 8;  @%p1 bra access;  bra.uni failed;
//   failed:
//     ... call.uni __ubsan_handle_out_of_bounds, (where and which array, index);  bra.uni access;
//   access:
//
// Only the checks of arrays in local memory are used. For shared and global memory the access itself is
// checked, which gives a better diagnosis.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "harness/simulator/ptx/ptx.h"

namespace warpmark::simulator {

// True for the function that a failed check calls (in the mode that continues afterwards).
constexpr bool is_failed_index(std::string_view function) {
  return function.starts_with("__ubsan_handle_out_of_bounds");
}

// For arrays of class type, clang's check admits the index one past the end, because it treats the access as
// taking an element's address. Makes the check strict if an access follows. Afterwards nothing refers to the
// array descriptors, and they are removed.
void settle_index_tests(ptx::Module& module);

struct FailedIndex {
  std::optional<int> index_register;  // nullopt if the check does not have the known form
};

// Interprets the call at `position` of the body; nullopt unless an access to a local array follows.
std::optional<FailedIndex> failed_local_index(const ptx::Function& function, std::size_t position);

}  // namespace warpmark::simulator
