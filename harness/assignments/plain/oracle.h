// Interface to the C++ functions that a course supplies with an assignment.toml (expected answers, data);
// they run in a process of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/assignments/assignment.h"

namespace warpmark::plain {

struct OracleBuffer {
  std::string name;
  std::span<std::byte> contents;
  bool written = false;  // true if the course's function may change the buffer
  // True if the buffer is sent back after the call: copied to `contents` if written, else checked for
  // changes.
  bool read = true;
  // Size of scratch memory whose contents nobody reads; they are undefined, and `contents` is empty.
  std::size_t scratch_bytes = 0;

  [[nodiscard]] std::size_t bytes() const { return contents.size() + scratch_bytes; }
};

struct OracleCall {
  std::string_view function;  // "expected", "tolerance", "update" or "update_tolerance"
  std::string_view type;      // the contract's value type, such as "float"; empty if it has none
  // Identifies the contents of the call's read-only buffers: if a later call has the same number, their bytes
  // are equal and need not be sent again. 0: send all buffers.
  std::uint64_t inputs = 0;
  std::vector<OracleBuffer> buffers;   // the assignment's buffers, in the order of assignment.toml
  std::vector<std::uint64_t> scalars;  // scalar arguments of the call, as Problem::scalars() returns them
  // Changes to the buffer with index `patched` that apply to this call of the course's function alone.
  std::size_t patched = 0;
  std::vector<Patch> patches = {};
};

// Calls functions that the course wrote in C++ (expected answers, data) in a separate process. Thread-safe.
class Oracle {
 public:
  virtual ~Oracle() = default;
  // Returns true if the course's C++ files define a function of this name.
  [[nodiscard]] virtual bool defines(std::string_view function) = 0;
  // Calls one of the course's functions in its process. Throws AssignmentFault if the function crashes,
  // exceeds its time limit or changes an input.
  virtual void call(const OracleCall& call) = 0;
  // Calls make_NAME of the course's data.cpp to generate the contents of buffer NAME. Throws AssignmentFault
  // if it crashes or exceeds its time limit.
  virtual void make(const std::string& buffer, const std::string& type, std::span<std::byte> target,
                    std::uint64_t count, const std::vector<std::uint64_t>& sizes, std::string_view data_class,
                    std::uint64_t seed) = 0;
};

}  // namespace warpmark::plain
