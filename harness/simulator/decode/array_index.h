// Where -O0 code tests the index of an array (-fsanitize=array-bounds): a test that fails is a call of a
// function with no arguments, after which the code goes on to the access. For arrays in shared and global
// memory the access itself tells more, so that only those in a thread's local memory are judged by the test.
// Where elements are classes clang lets the index just past the last one through, because it takes the access
// for the address of an element.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "harness/simulator/ptx/ptx.h"

namespace warpmark::simulator {

// What is called where an index is none of its array's.
constexpr bool is_failed_index(std::string_view function) {
  return function.starts_with("__ubsan_handle_out_of_bounds");
}

struct FailedIndex {
  std::optional<int> index_register;  // 8 bytes; none where the code has another form than known
};

// What the call at `position` of the body means; empty unless the array is a local one.
std::optional<FailedIndex> failed_local_index(const ptx::Function& function, std::size_t position);

}  // namespace warpmark::simulator
