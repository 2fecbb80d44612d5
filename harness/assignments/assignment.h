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

// Identifies one test input of an assignment: value type, data class, size and seed. Deterministic: the same
// Case produces the same bytes on every machine.
struct Case {
  std::string type;     // value type, as the rubric writes it: "int", "float"
  std::string data;     // name of the class of input data, one of Assignment::data_classes(type)
  std::uint64_t n = 0;  // number of input values; reports divide hardware counters by it
  std::uint64_t shift =
      0;  // buffers' misalignment, one of Assignment::shifts(); 0: all at 256-byte boundaries
  std::uint64_t seed = 0;
  // The input's size in parts, such as rows and columns; if it has no parts, `n` is the size.
  Size size = Size(std::vector<std::uint64_t>{});
  std::vector<std::string> names = {};  // names of the parts of `size`, for reports; empty: "n" alone

  // Returns the input's size, one part per name in the assignment's `sizes`, in that order.
  [[nodiscard]] Size sizes() const { return size.parts.empty() ? Size(n) : size; }
};

// Thrown if the assignment's own code or data are at fault, never a submission: for instance, expected.cpp
// crashed or a bound does not fit its type. The message names file, line, rule and remedy. No check of a
// submission may catch it: grading must end without points.
class AssignmentFault : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class Role {
  input,    // buffer role: filled with the input before the call, which must leave it unchanged
  output,   // buffer role: filled with poison before the call; the answer is compared afterwards
  in_out,   // buffer role: filled with input before the call; the answer is compared afterwards
  scratch,  // buffer role, workspace: filled with poison before the call, never compared
};

struct BufferSpec {
  std::string name;  // the buffer's name in messages and requests; unique within a problem
  Role role = Role::input;
  std::size_t bytes = 0;
  std::size_t offset = 0;  // distance of the buffer's first byte from a 256-byte boundary
  // True if the submission's upload function allocates and fills the buffer, audited by the check
  // `upload_once`; at most one buffer per problem.
  bool uploaded = false;
  bool patched = false;  // true if Problem::patch() changes the buffer before timed calls; one per problem
  bool on_host = false;  // true if the buffer is in host memory owned by the harness; outputs only
  // True if the buffer holds numbers of one or two bytes. Its poison is then random in every byte: in the
  // usual one each fourth byte is 127.
  bool small_numbers = false;
};

// Return the index in Problem::buffers() of the buffer that the submission uploads, or that is changed before
// timed calls; nullopt if there is none. The buffer's role must be input or in_out.
[[nodiscard]] std::optional<std::size_t> uploaded_buffer(std::span<const BufferSpec> buffers);
[[nodiscard]] std::optional<std::size_t> patched_buffer(std::span<const BufferSpec> buffers);
// Returns the indices in Problem::buffers() of the output and in_out buffers, in order.
[[nodiscard]] std::vector<std::size_t> answer_buffers(std::span<const BufferSpec> buffers);

struct Mismatch {
  std::string what;  // one sentence: "the sum is wrong"
  std::string expected;
  std::string actual;
  // Place of the wrong element in the buffer and its name, such as "the label of query 2", if every element
  // of the buffer is part of the answer: an element that the call left as it was is then reported as
  // unwritten.
  struct Place {
    std::size_t offset = 0;  // bytes
    std::size_t bytes = 0;
    std::string name;
  };
  std::optional<Place> place = {};
};

// A change to an input buffer between two timed calls: writes the `bytes` (at most 8) low bytes of `value` at
// a byte offset.
struct Patch {
  std::uint64_t offset = 0;
  std::size_t bytes = 0;
  std::uint64_t value = 0;
};

// Lower bounds on a call's work, independent of the algorithm. Measured times are compared with them.
struct Work {
  double bytes = 0;       // bytes of GPU memory that a call must read or write, each counted once
  double operations = 0;  // floating-point operations of a call, an FMA counted as two; 0 if memory-bound
  bool doubles = false;   // true if the call's floating-point operations are in double precision
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
  // Compares the contents of an output or in_out buffer after the kernel call with the expected answer;
  // returns nullopt if they are right.
  [[nodiscard]] virtual std::optional<Mismatch> check(std::size_t buffer,
                                                      std::span<const std::byte> actual) const = 0;
  // Returns true if parts of an output buffer can be checked individually; used for large answers after most
  // timed calls.
  [[nodiscard]] virtual bool checks_parts(std::size_t /*buffer*/) const { return false; }
  // Compares part of an output buffer, starting at a byte offset that is a multiple of 8, with the expected
  // answer.
  [[nodiscard]] virtual std::optional<Mismatch> check_part(std::size_t buffer, std::size_t /*offset*/,
                                                           std::span<const std::byte> /*part*/) const {
    throw std::logic_error("buffer " + std::to_string(buffer) + " is not checked in parts");
  }
  // Changes `count` values, chosen by the seed, of the problem's patched buffer (the one whose values change
  // between timed calls), and updates the expected answer. `contents` holds the buffer's current contents and
  // is updated, too. Not called if the problem has no patched buffer.
  virtual std::vector<Patch> patch(std::uint64_t seed, std::size_t count, std::span<std::byte> contents) = 0;
  // Returns the least work of one call, for comparison with measured times. The default counts each input
  // read once and each output written once, without arithmetic.
  [[nodiscard]] virtual Work work() const {
    Work work;
    for (const BufferSpec& spec : buffers()) {
      if (spec.role != Role::scratch) work.bytes += static_cast<double>(spec.bytes);
      // An in_out buffer is read and written, so its bytes count twice.
      if (spec.role == Role::in_out) work.bytes += static_cast<double>(spec.bytes);
    }
    return work;
  }
  // Returns a copy of the problem with the same expected answer; patching one does not affect the other.
  [[nodiscard]] virtual std::unique_ptr<Problem> clone() const = 0;
};

// Problem sizes for an assignment's benchmark over growing sizes (`ladder`): all powers of two from 2^from to
// 2^to.
struct LadderPowers {
  unsigned from = 10;
  unsigned to = 30;
};

// Calls a student's kernel that gave a wrong answer again, with chosen contents of its inputs, to find the
// cause.
class Experiment {
 public:
  virtual ~Experiment() = default;
  // Contents of a problem's buffers, in the order of Problem::buffers().
  using Contents = std::vector<std::vector<std::byte>>;
  // Calls the student's function for `problem`, which was made for test case `which`, with the given contents
  // of inputs and in_out buffers, after every byte of outputs and scratch memory was set to `before`. Returns
  // the contents of outputs and in_out buffers after the call, and nothing for the others; nullopt if the
  // call failed or no more calls may be made.
  virtual std::optional<Contents> call(const Case& which, const Problem& problem, const Contents& inputs,
                                       std::byte before) = 0;
  // Returns the names of the kernels that the last call launched, in order; empty if they are not known.
  [[nodiscard]] virtual std::vector<std::string> kernels_launched() const { return {}; }
  // Returns the input sizes that the assignment allows and that are worth a try, smallest first, up to that
  // of the wrong answer.
  [[nodiscard]] virtual std::vector<Size> sizes() const { return {}; }
  // Returns a size that the assignment names and that has full tiles alone; nullopt if it names none.
  [[nodiscard]] virtual std::optional<Size> full_tiles() const { return std::nullopt; }
};

// The cause of a wrong answer, as found by experiments.
struct Explanation {
  std::string what;  // "values[256] was counted twice"; no full stop
  // What to look at, a clause: "does a thread reach it?"; empty: nothing beyond `what`.
  std::string remedy = {};
  // Takes the place of `what` and `remedy` if a line turns out to store the bytes `left`.
  std::string what_if_stored = {};
  // Name of the recognised kind of mistake, such as "swapped_indices"; empty: none recognised.
  std::string mistake = {};
  // What is wrong at `which`, in place of the message about the original case; empty: that message holds.
  std::string headline = {};
  Case which;  // the smallest test case found that shows the wrong answer
  std::string expected;
  std::string actual;
  // A range of input elements that an output of one number counts `times` times instead of once. `last` is
  // included.
  struct Count {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    double times = 0;
  };
  std::vector<Count> counts = {};
  // If the wrong answer is too large by a value whose bytes are all equal, as a mistaken cudaMemset leaves,
  // this is that byte.
  std::optional<std::uint8_t> filled_with = {};
  // Bytes of a buffer, by its index in Problem::buffers().
  struct Bytes {
    std::size_t buffer = 0;
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
  };
  // Bytes of an input and of an output whose source lines a message names: of the load at fault, and of the
  // store at fault.
  std::optional<Bytes> read = {};
  std::optional<Bytes> written = {};
  std::optional<Bytes> left = {};
  // Bytes of an input that is used as it should be: a line that loads `read` and not these is at fault.
  std::optional<Bytes> rightly_read = {};
  // Types of which a variable on the way may be, and should not: "float".
  std::vector<std::string> types = {};
  // True if the store is at fault, rather than the load.
  bool store_at_fault = false;
  // How a source may write the value at fault, of which a message names the line: "FLT_MIN", "min ( )".
  std::vector<std::string> written_as = {};
  // What some wrong numbers of the outputs are made of, if each input number was changed alone.
  struct Uses {
    std::string output;
    // A letter per input: '=' used as it should be, '-' not used, '+' used and should not be, '~' used in
    // another way, '.' rightly not used.
    std::string of_inputs;
  };
  std::vector<std::string> inputs = {};  // names of the inputs, "a(0, 1)"
  std::vector<Uses> uses = {};
};

// The user's own data files, which replace an assignment's generated inputs.
struct DataFiles {
  std::vector<std::filesystem::path> files;  // data files in the order that the assignment asks for
  std::optional<std::uint64_t> k;            // k of a k-nearest-neighbours assignment; nullopt: its default
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

// Case::shift in assignments described by assignment.toml: the bits below this one are a mask of misaligned
// buffers; the bits from this one on hold by how many elements more than one those buffers are offset from a
// 256-byte boundary.
inline constexpr unsigned kFurtherShift = 32;

class Assignment {
 public:
  virtual ~Assignment() = default;
  // Returns the names of the data classes for a value type; empty if the assignment does not support the
  // type.
  [[nodiscard]] virtual std::vector<std::string> data_classes(std::string_view type) const = 0;
  // Returns the data classes with which the check `clean` (memory and race errors) runs; several if they take
  // different paths through memory. Their answers must not depend on the order of operations.
  [[nodiscard]] virtual std::vector<std::string> clean_classes(std::string_view type) const {
    auto classes = data_classes(type);
    classes.resize(std::min<std::size_t>(classes.size(), 1));
    return classes;
  }
  // Generates the problem (buffers, expected answer) of a test case, whose type and data class must be known.
  // Throws std::bad_alloc if memory is short.
  [[nodiscard]] virtual std::unique_ptr<Problem> make(const Case& which) const = 0;
  // Returns the names of the parts of an input size, in order: {"n"}, or {"rows", "columns"}.
  [[nodiscard]] virtual std::vector<std::string> size_names() const { return {"n"}; }
  // Returns the input size with about n values at which the benchmark over growing sizes (`ladder`) times the
  // assignment.
  [[nodiscard]] virtual Size ladder_size(std::uint64_t n) const { return n; }
  // Returns the number of values in an input of the given size, which must have one part per name in
  // size_names().
  [[nodiscard]] virtual std::uint64_t values_at(const Size& size) const { return size.parts.front(); }
  // Returns how many bytes a call at this size may copy from device to host, apart from outputs in host
  // memory; nullopt: a fixed share of its inputs' bytes.
  [[nodiscard]] virtual std::optional<std::uint64_t> bytes_to_host(const Size& /*size*/) const {
    return std::nullopt;
  }
  // Returns the nonzero values of Case::shift, buffer misalignments, that are worth a test.
  [[nodiscard]] virtual std::vector<std::uint64_t> shifts() const { return {1}; }
  // Returns the test case with the given value type, data class, size and seed, all buffers aligned (shift
  // 0).
  [[nodiscard]] Case case_of(std::string type, std::string data, const Size& size, std::uint64_t seed) const {
    auto names = size_names();
    if (names == std::vector<std::string>{"n"}) names.clear();
    return {std::move(type), std::move(data), values_at(size), 0, seed, size, std::move(names)};
  }
  // Returns sizeof a value of the named type, 0 for an unknown type. Buffer sizes are passed to a
  // submission's upload function in values, not bytes.
  [[nodiscard]] virtual std::size_t value_bytes(std::string_view type) const = 0;
  // The kind of finding for a wrong answer in grade.json: "wrong_sum", "wrong_output".
  [[nodiscard]] virtual std::string_view wrong_answer() const = 0;
  // Explains why a student's kernel answered a test case wrongly; nullopt if the cause is not found.
  [[nodiscard]] virtual std::optional<Explanation> explain(const Case& /*which*/,
                                                           Experiment& /*experiment*/) const {
    return std::nullopt;
  }
  [[nodiscard]] virtual LadderPowers ladder_powers() const { return {}; }
  // Returns the same assignment with the user's files as its only data. Errors name file, line, rule and
  // remedy.
  // The default fails: the assignment takes no data files.
  [[nodiscard]] virtual Result<OwnData> with_files(const DataFiles& files) const;
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
  std::uint64_t size = 0;  // size, in values, of the only test case made from the user's files
};

inline Result<OwnData> Assignment::with_files(const DataFiles& /*files*/) const {
  return fail("this assignment takes no data files: it makes its own inputs; leave --data out");
}

}  // namespace warpmark
