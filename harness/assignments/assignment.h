// The judge's part of an assignment: inputs, expected answers, tolerances. Runs in the trusted process only.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "harness/assignments/size.h"
#include "harness/base/error.h"

namespace warpmark {

// One input. Deterministic: the same Case produces the same bytes on every machine.
struct Case {
  std::string type;     // value type, as the rubric writes it: "int", "float"
  std::string data;     // one of Assignment::data_classes(type)
  std::uint64_t n = 0;  // number of values: what counters are divided by
  std::uint64_t shift =
      0;  // which buffers begin one element past a 256-byte boundary: see Assignment::shifts()
  std::uint64_t seed = 0;
  Size size = Size(std::vector<std::uint64_t>{});  // without parts: the size is n
  std::vector<std::string> names = {};             // of the parts of `size`, for reports; empty: "n" alone

  // Returns the size in the order of the assignment's `sizes`.
  [[nodiscard]] Size sizes() const { return size.parts.empty() ? Size(n) : size; }
};

// The assignment's own code or data are at fault, never a submission: a crash of expected.cpp, a bound that a
// type cannot hold. The message names file, line, rule and remedy. No check may catch it: the grading ends
// without points.
class AssignmentFault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class Role {
  input,    // filled; must be unchanged after the call
  output,   // filled with poison; compared afterwards
  in_out,   // filled; compared afterwards
  scratch,  // filled with poison; not compared
};

struct BufferSpec {
  std::string name;  // used in messages and requests; unique within a problem
  Role role = Role::input;
  std::size_t bytes = 0;
  std::size_t offset = 0;  // bytes past a 256-byte boundary
  // made by the submission's upload function and audited by `upload_once`; at most one per problem
  bool uploaded = false;
  bool patched = false;  // changed by Problem::patch() before every timed call; at most one per problem
  bool on_host = false;  // in host memory that the harness owns; an output only
};

// Return the index in Problem::buffers() of the uploaded or patched buffer, or nullopt. Such a buffer must
// have contents: input or in_out.
[[nodiscard]] std::optional<std::size_t> uploaded_buffer(std::span<const BufferSpec> buffers);
[[nodiscard]] std::optional<std::size_t> patched_buffer(std::span<const BufferSpec> buffers);
// Returns the indices of the output and in_out buffers, in order.
[[nodiscard]] std::vector<std::size_t> answer_buffers(std::span<const BufferSpec> buffers);

struct Mismatch {
  std::string what;  // one sentence: "the sum is wrong"
  std::string expected;
  std::string actual;
};

// A value written to the patched buffer between two timed calls: the `bytes` (at most 8) low bytes of
// `value`, at a byte offset.
struct Patch {
  std::uint64_t offset = 0;
  std::size_t bytes = 0;
  std::uint64_t value = 0;
};

// Lower bounds on a call's work, independent of the algorithm. Measured times are compared with them.
struct Work {
  double bytes = 0;       // GPU memory read or written, each byte once
  double operations = 0;  // floating-point operations, a fused multiply-add counted as two; 0 if memory-bound
  bool doubles = false;   // the operations are in double precision
};

// A Case instantiated as buffers and scalars, in the order that the assignment's adapter.cu expects.
class Problem {
 public:
  virtual ~Problem() = default;
  [[nodiscard]] virtual std::vector<BufferSpec> buffers() const = 0;
  [[nodiscard]] virtual std::vector<std::uint64_t> scalars() const = 0;
  // Writes the initial contents of an input or in_out buffer to target, which has the buffer's size. Must be
  // called once per buffer before check(), because it also computes the expected answer.
  virtual void fill(std::size_t buffer, std::span<std::byte> target) = 0;
  // Compares the contents of an output or in_out buffer after the call; returns nullopt if they are right.
  [[nodiscard]] virtual std::optional<Mismatch> check(std::size_t buffer,
                                                      std::span<const std::byte> actual) const = 0;
  // True if part of the buffer can be checked without the rest; used for large answers after most timed
  // calls.
  [[nodiscard]] virtual bool checks_parts(std::size_t /*buffer*/) const { return false; }
  // Compares part of the buffer's contents, starting at a byte offset that is a multiple of 8.
  [[nodiscard]] virtual std::optional<Mismatch> check_part(std::size_t buffer, std::size_t /*offset*/,
                                                           std::span<const std::byte> /*part*/) const {
    throw std::logic_error("buffer " + std::to_string(buffer) + " is not checked in parts");
  }
  // Changes `count` places of the patched buffer, drawn from the seed, and updates the expected answer.
  // `contents` holds the buffer's current contents and is updated, too. Not called if no buffer is patched.
  virtual std::vector<Patch> patch(std::uint64_t seed, std::size_t count, std::span<std::byte> contents) = 0;
  // Default: reads all inputs and writes all outputs once, without arithmetic.
  [[nodiscard]] virtual Work work() const {
    Work work;
    for (const BufferSpec& spec : buffers()) {
      if (spec.role != Role::scratch) work.bytes += static_cast<double>(spec.bytes);
      if (spec.role == Role::in_out) work.bytes += static_cast<double>(spec.bytes);  // read and written
    }
    return work;
  }
  // Returns a copy with the same expected answer, which can be patched independently.
  [[nodiscard]] virtual std::unique_ptr<Problem> clone() const = 0;
};

// The sizes at which a ladder times an assignment: all powers of two from 2^from to 2^to.
struct LadderPowers {
  unsigned from = 10;
  unsigned to = 30;
};

// Runs further calls of a version that gave a wrong answer, with chosen contents of its only input or in_out
// buffer, to find the cause.
class Experiment {
 public:
  virtual ~Experiment() = default;
  // Calls the student's function for test case `which` and returns the contents of its first output, with
  // every byte of an output set to `before` first. Returns nullopt if the call failed or no more calls may be
  // made.
  virtual std::optional<std::vector<std::byte>> answer(const Case& which, std::span<const std::byte> input,
                                                       std::byte before) = 0;
  // The same call with the case's own contents, and its problem, to check the answer with.
  struct Regular {
    std::unique_ptr<Problem> problem;
    std::vector<std::byte> input;
    std::vector<std::byte> answer;
  };
  virtual std::optional<Regular> regular(const Case& which) = 0;
};

// The cause of a wrong answer, as found by experiments.
struct Explanation {
  std::string what;  // "values[256] was counted twice"; no full stop
  Case which;        // the smallest case found that shows it
  std::string expected;
  std::string actual;
  // A range of input elements, for a message on whether and where they are read. `last` is included.
  struct Elements {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    bool lost = false;  // the elements have no influence on the answer
    // An element that is counted correctly: code that reads the range but not this element is at fault.
    std::optional<std::uint64_t> right = {};
  };
  std::optional<Elements> elements = {};
  // A range of the case's input elements that are counted `times` times instead of once. `last` is included.
  struct Count {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    double times = 0;
  };
  std::vector<Count> counts = {};
  // Set if the answer is too large by a value all of whose bytes are this one, as cudaMemset leaves.
  std::optional<std::uint8_t> filled_with = {};
};

// The user's own data, in place of generated inputs.
struct DataFiles {
  std::vector<std::filesystem::path> files;  // in the order that the assignment asks for
  std::optional<std::uint64_t> k;            // the assignment's parameter k, if it has one
};
struct OwnData;

// Sizes and seed of generated data files.
struct DataShape {
  std::uint64_t rows = 0;
  std::uint64_t dims = 0;
  std::uint64_t queries = 0;
  std::uint64_t labels = 0;
  std::uint64_t seed = 0;
};

// In the plain form Case::shift is a mask of buffers in its low bits; from this bit on it says by how many
// elements beyond the first one each of them begins past the boundary.
inline constexpr unsigned kFurtherShift = 32;

class Assignment {
 public:
  virtual ~Assignment() = default;
  // Returns no class for a type that the assignment does not support.
  [[nodiscard]] virtual std::vector<std::string> data_classes(std::string_view type) const = 0;
  // Data classes for the check `clean`; more than one if they take different paths through memory. Their
  // answers do not depend on the order of operations.
  [[nodiscard]] virtual std::vector<std::string> clean_classes(std::string_view type) const {
    auto classes = data_classes(type);
    classes.resize(std::min<std::size_t>(classes.size(), 1));
    return classes;
  }
  // The case's type and data class must be known. Throws std::bad_alloc if memory is short.
  [[nodiscard]] virtual std::unique_ptr<Problem> make(const Case& which) const = 0;
  // Returns the names of a size's parts, in order.
  [[nodiscard]] virtual std::vector<std::string> size_names() const { return {"n"}; }
  // Returns the size at which a ladder times about n values.
  [[nodiscard]] virtual Size ladder_size(std::uint64_t n) const { return n; }
  // Returns the number of values at a size, which must have as many parts as there are names.
  [[nodiscard]] virtual std::uint64_t values_at(const Size& size) const { return size.parts.front(); }
  // Returns the bytes that a call of that size may copy to the host beside outputs in host memory; nullopt: a
  // share of its inputs.
  [[nodiscard]] virtual std::optional<std::uint64_t> bytes_to_host(const Size& /*size*/) const {
    return std::nullopt;
  }
  // Returns the values of Case::shift that are worth a test, other than 0.
  [[nodiscard]] virtual std::vector<std::uint64_t> shifts() const { return {1}; }
  // Returns the case of that size; shift is 0.
  [[nodiscard]] Case case_of(std::string type, std::string data, const Size& size, std::uint64_t seed) const {
    auto names = size_names();
    if (names == std::vector<std::string>{"n"}) names.clear();
    return {std::move(type), std::move(data), values_at(size), 0, seed, size, std::move(names)};
  }
  // Returns the bytes per value, 0 for an unknown type. The upload function gets the size of a buffer in
  // values.
  [[nodiscard]] virtual std::size_t value_bytes(std::string_view type) const = 0;
  // The kind of finding for a wrong answer in grade.json: "wrong_sum", "wrong_output".
  [[nodiscard]] virtual std::string_view wrong_answer() const = 0;
  // Explains why a version answered the case wrongly; nullopt if the cause is not found.
  [[nodiscard]] virtual std::optional<Explanation> explain(const Case& /*which*/,
                                                           Experiment& /*experiment*/) const {
    return std::nullopt;
  }
  [[nodiscard]] virtual LadderPowers ladder_powers() const { return {}; }
  // Returns the same assignment with the user's files as its only data. Errors name file, line, rule and
  // remedy.
  [[nodiscard]] virtual Result<OwnData> with_files(const DataFiles& files) const;  // by default: fails
  // Writes generated files in the format that with_files() takes to an existing folder, and returns their
  // paths.
  [[nodiscard]] virtual Result<std::vector<std::filesystem::path>> write_files(
      const DataShape& /*shape*/, const std::filesystem::path& /*folder*/) const {
    return fail("this assignment takes no data files, so none are made for it");
  }
};

// An assignment whose only case is made from the user's files, whatever size is requested.
struct OwnData {
  std::unique_ptr<Assignment> assignment;
  std::uint64_t size = 0;  // size of that case, in values
};

inline Result<OwnData> Assignment::with_files(const DataFiles& /*files*/) const {
  return fail("this assignment takes no data files: it makes its own inputs; leave --data out");
}

}  // namespace warpmark
