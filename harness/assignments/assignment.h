// The judge's half of an assignment: inputs, expected answers, tolerance. Runs in the trusted process only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "harness/base/error.h"

namespace warpmark {

// One input, named: the same Case makes the same bytes on every machine.
struct Case {
  std::string type;         // value type, as the rubric writes it: "int", "float"
  std::string data;         // one of Assignment::data_classes(type)
  std::uint64_t n = 0;      // size in values
  std::uint64_t shift = 0;  // the input begins this many values past a 256-byte boundary
  std::uint64_t seed = 0;
};

enum class Role {
  input,    // filled; must be the same afterwards
  output,   // poisoned; compared afterwards
  in_out,   // filled; compared afterwards
  scratch,  // poisoned; not compared
};

struct BufferSpec {
  std::string name;  // in messages and requests; no two buffers of a problem share one
  Role role = Role::input;
  std::size_t bytes = 0;
  std::size_t offset = 0;  // bytes past a 256-byte boundary
  bool uploaded = false;   // `upload_once` audits it: the submission's upload function makes it; at most one
  bool patched = false;    // Problem::patch() changes it before every timed call; at most one
};

// The parts that buffers play, as indices into Problem::buffers(). Both need a buffer with contents: input or
// in_out.
[[nodiscard]] std::optional<std::size_t> uploaded_buffer(std::span<const BufferSpec> buffers);
[[nodiscard]] std::optional<std::size_t> patched_buffer(std::span<const BufferSpec> buffers);
// Those that hold the answer after a call: output and in_out, in their order.
[[nodiscard]] std::vector<std::size_t> answer_buffers(std::span<const BufferSpec> buffers);

struct Mismatch {
  std::string what;  // one sentence: "the sum is wrong"
  std::string expected;
  std::string actual;
};

// A value written over the patched buffer between two timed calls: `bytes` (at most 8) low bytes of `value`
// at a byte offset.
struct Patch {
  std::uint64_t offset = 0;
  std::size_t bytes = 0;
  std::uint64_t value = 0;
};

// What a call has to do at least, whichever way it is solved: its time is held against it.
struct Work {
  double bytes = 0;       // of the GPU's memory that are read or written, each once
  double operations = 0;  // of floating point, a fused multiply-add counted as two; 0: the memory decides
  bool doubles = false;   // they are in double precision
};

// A case made concrete. The order of buffers and scalars is the one that the assignment's adapter.cu expects.
class Problem {
 public:
  virtual ~Problem() = default;
  [[nodiscard]] virtual std::vector<BufferSpec> buffers() const = 0;
  [[nodiscard]] virtual std::vector<std::uint64_t> scalars() const = 0;
  // Writes the first contents of an input or in_out buffer; target has the buffer's size. Called once a
  // buffer, and before check(): the expected answer is computed on the way.
  virtual void fill(std::size_t buffer, std::span<std::byte> target) = 0;
  // Compares what an output or in_out buffer holds after the call; nothing when it is right.
  [[nodiscard]] virtual std::optional<Mismatch> check(std::size_t buffer,
                                                      std::span<const std::byte> actual) const = 0;
  // Whether pieces of an answer can be checked without the others: after most timed calls of a large one.
  [[nodiscard]] virtual bool checks_parts(std::size_t /*buffer*/) const { return false; }
  // Compares what such a buffer holds from a byte offset on, a multiple of 8.
  [[nodiscard]] virtual std::optional<Mismatch> check_part(std::size_t buffer, std::size_t offset,
                                                           std::span<const std::byte> part) const;
  // Changes `count` places of the patched buffer, drawn from the seed, and the expected answer with them.
  // `contents` is what the buffer holds now and is updated too. Not called where no buffer is patched.
  virtual std::vector<Patch> patch(std::uint64_t seed, std::size_t count, std::span<std::byte> contents) = 0;
  // Unless an assignment knows better: all inputs and outputs once, without arithmetic.
  [[nodiscard]] virtual Work work() const;
  // The same problem with the same expected answer, to be patched on its own.
  [[nodiscard]] virtual std::unique_ptr<Problem> clone() const = 0;
};

// A way to compute the answer on this machine's CPU, to compare times with. `run` gets what the adapter's
// warpmark_call gets: the contents of every buffer and the scalars, in the problem's order. Scratch, which
// the contract sizes for a GPU, is empty.
struct HostVersion {
  std::string_view name;
  void (*run)(std::string_view type, std::span<const std::span<std::byte>> buffers,
              std::span<const std::uint64_t> scalars);
  bool threaded = false;  // uses all cores; else one
};

// The sizes at which a ladder times an assignment: 2^from to 2^to.
struct LadderPowers {
  unsigned from = 10;
  unsigned to = 30;
};

// Calls of a version that gave a wrong answer, with values of the assignment's choice in its one input or
// in_out buffer.
class Experiment {
 public:
  virtual ~Experiment() = default;
  // What the first answer buffer holds after a call for a case of this size, when every byte of an output
  // held `before` at its start. Nothing when the call failed, or when no more calls may be made.
  virtual std::optional<std::vector<std::byte>> answer(const Case& which, std::span<const std::byte> input,
                                                       std::byte before) = 0;
  // The same call with the contents that the case makes, and its problem to hold the answer against.
  struct Regular {
    std::unique_ptr<Problem> problem;
    std::vector<std::byte> input;
    std::vector<std::byte> answer;
  };
  virtual std::optional<Regular> regular(const Case& which) = 0;
};

// What experiments showed of a wrong answer.
struct Explanation {
  std::string what;  // "values[256] was counted twice"; no full stop
  Case which;        // the smallest case found that shows it
  std::string expected;
  std::string actual;
  // Elements of the input, so that whether and where they are read can be said. The last is included.
  struct Elements {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    bool lost = false;  // they have no influence on the answer
    // One that counts as it should: a line that reads these and not that one is at fault.
    std::optional<std::uint64_t> right = {};
  };
  std::optional<Elements> elements = {};
  // Of the case's input: elements that count another number of times than once, in order. The last is
  // included.
  struct Count {
    std::uint64_t first = 0;
    std::uint64_t last = 0;
    double times = 0;
  };
  std::vector<Count> counts = {};
  // Every byte of what the answer holds too much: such as cudaMemset leaves.
  std::optional<std::uint8_t> filled_with = {};
};

// The user's own data in place of inputs that are made.
struct DataFiles {
  std::vector<std::filesystem::path> files;  // in the order that the assignment asks for
  std::optional<std::uint64_t> k;            // a number that goes with them, where the assignment has one
};
struct OwnData;

// How large files of made data are to be, and from which seed.
struct DataShape {
  std::uint64_t rows = 0;
  std::uint64_t dims = 0;
  std::uint64_t queries = 0;
  std::uint64_t labels = 0;
  std::uint64_t seed = 0;
};

class Assignment {
 public:
  virtual ~Assignment() = default;
  // Empty for a type that the assignment does not know.
  [[nodiscard]] virtual std::vector<std::string> data_classes(std::string_view type) const = 0;
  // Those that `clean` asks for: more than the first where others take another way through memory. Their
  // answers are the same in whichever order they are computed.
  [[nodiscard]] virtual std::vector<std::string> clean_classes(std::string_view type) const;
  // The type and data class are known ones. Throws std::bad_alloc when memory is short.
  [[nodiscard]] virtual std::unique_ptr<Problem> make(const Case& which) const = 0;
  // Bytes of one value; 0 for an unknown type. The upload function is given a buffer's bytes as so many
  // values.
  [[nodiscard]] virtual std::size_t value_bytes(std::string_view type) const = 0;
  // The kind of cause for a wrong answer, as grade.json names it: "wrong_sum", "wrong_output".
  [[nodiscard]] virtual std::string_view wrong_answer() const = 0;
  // Why a version answered the case wrongly; nothing when that cannot be said.
  [[nodiscard]] virtual std::optional<Explanation> explain(const Case& /*which*/,
                                                           Experiment& /*experiment*/) const {
    return std::nullopt;
  }
  [[nodiscard]] virtual std::span<const HostVersion> host_versions() const { return {}; }
  [[nodiscard]] virtual LadderPowers ladder_powers() const { return {}; }
  // The same assignment, over the user's files alone. The error names file, line, rule and remedy.
  [[nodiscard]] virtual Result<OwnData> with_files(const DataFiles& files) const;
  // Writes files that with_files takes to a folder that exists, and names them.
  [[nodiscard]] virtual Result<std::vector<std::filesystem::path>> write_files(
      const DataShape& shape, const std::filesystem::path& folder) const;
};

// An assignment that makes one case of the user's files, of every size that it is asked for.
struct OwnData {
  std::unique_ptr<Assignment> assignment;
  std::uint64_t size = 0;  // of the case, in values
};

// The table of assignments, made by CMake from the folders beside this file.
struct AssignmentEntry {
  std::string_view name;
  std::unique_ptr<Assignment> (*make)();
};
std::span<const AssignmentEntry> assignments();

}  // namespace warpmark
