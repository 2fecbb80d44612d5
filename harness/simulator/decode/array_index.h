// What clang's -fsanitize=array-bounds knows of the indices of arrays in -O0 code:
//
//     setp.lt.u64 %p1, %index, 8;  @%p1 bra access;  bra.uni failed;
//   failed:
//     ... call.uni __ubsan_handle_out_of_bounds, (where and which array, index);  bra.uni access;
//   access:
//
// For arrays in shared and global memory the access itself shows more. So only the tests of those in a
// thread's local memory are used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "harness/simulator/ptx/ptx.h"

namespace warpmark::simulator {

// What is called where a test fails, if the compiler goes on after it.
constexpr bool is_failed_index(std::string_view function) {
  return function.starts_with("__ubsan_handle_out_of_bounds");
}

// Where elements are classes the test lets the index just past the last one through, because clang takes the
// access for the address of an element: makes it strict where an access follows. Then nothing refers to the
// descriptions of arrays any more, and they are removed.
void settle_index_tests(ptx::Module& module);

struct FailedIndex {
  std::optional<int> index_register;  // none where the code has another form than known
};

// What the call at `position` of the body means; empty unless an access to a local array follows.
std::optional<FailedIndex> failed_local_index(const ptx::Function& function, std::size_t position);

}  // namespace warpmark::simulator
