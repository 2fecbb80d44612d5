// The course's own functions of an assignment in the plain form, which run in a process of their own.
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
  bool written = false;  // the function may change it
  bool read = true;      // results are copied back to `contents`, or, unless written, compared with them
};

struct OracleCall {
  std::string_view function;  // "expected", "tolerance" or "update"
  std::string_view type;      // value type; empty if the contract has none
  // Identifies the contents of the buffers that are not written: equal numbers promise equal bytes, so that
  // they need not be sent again. 0: send everything.
  std::uint64_t inputs = 0;
  std::vector<OracleBuffer> buffers;   // in the order of the spec
  std::vector<std::uint64_t> scalars;  // as Problem::scalars()
  // Changes to one buffer for this call alone.
  std::size_t patched = 0;
  std::vector<Patch> patches = {};
};

// Thread-safe.
class Oracle {
 public:
  virtual ~Oracle() = default;
  // Returns true if the course's files define the function.
  [[nodiscard]] virtual bool defines(std::string_view function) = 0;
  // Throws AssignmentFault if the function crashes, does not return in time or changes an input.
  virtual void call(const OracleCall& call) = 0;
  // Calls make_NAME of data.cpp to fill a buffer. Throws likewise.
  virtual void make(const std::string& buffer, const std::string& type, std::span<std::byte> target,
                    std::uint64_t count, const std::vector<std::uint64_t>& sizes, std::string_view data_class,
                    std::uint64_t seed) = 0;
};

}  // namespace warpmark::plain
