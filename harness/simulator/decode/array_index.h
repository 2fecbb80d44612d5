// Recognises the bounds checks of clang's -fsanitize=array-bounds in -O0 PTX:
//
//     setp.lt.u64 %p1, %index, 8;  @%p1 bra access;  bra.uni failed;
//   failed:
//     ... call.uni __ubsan_handle_out_of_bounds, (where and which array, index);  bra.uni access;
//   access:
//
// Only checks of local arrays are used. Accesses to shared and global memory are checked when they are
// executed, which gives a better diagnosis.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "harness/simulator/ptx/ptx.h"

namespace warpmark::simulator {

// True for the name of the UBSan handler that a failed bounds check calls (the variant that continues
// afterwards).
constexpr bool is_failed_index(std::string_view function) {
  return function.starts_with("__ubsan_handle_out_of_bounds");
}

// Corrects bounds checks of arrays of class type, for which clang admits the index one past the end, as if
// only the address were taken: excludes that index if an access follows the check. Also removes the UBSan
// descriptors of all checks, which are no longer needed.
void settle_index_tests(ptx::Module& module);

struct FailedIndex {
  // register that holds the array index; nullopt if the bounds check has an unknown form
  std::optional<int> index_register;
};

// Analyses a call of UBSan's array-bounds failure handler: returns the register that holds the failed index
// if the check guards an access to a local array, else nullopt. `position` is the call's index in the
// function.
std::optional<FailedIndex> failed_local_index(const ptx::Function& function, std::size_t position);

}  // namespace warpmark::simulator
