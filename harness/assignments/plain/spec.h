// The plain form of an assignment: what assignment.toml says about the call, its buffers, scalars and sizes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "harness/assignments/assignment.h"
#include "harness/assignments/plain/element.h"
#include "harness/assignments/plain/expression.h"
#include "harness/assignments/plain/note.h"
#include "harness/assignments/size.h"
#include "harness/assignments/toml_table.h"

namespace warpmark::plain {

// Name in assignment.toml of the value type that a kernel is compiled for (macro WARPMARK_VALUE).
inline constexpr std::string_view kValueType = "value_t";

// A bound of generated values: a number, or an expression of sizes.
struct Bound {
  double number = 0;
  std::optional<Expression> expression = {};
};

// Tolerance of an output buffer: a number is right if one of the given tolerances holds; without any it must
// be equal.
struct Tolerance {
  std::optional<double> relative = {};  // allowed error as a multiple of the expected value's magnitude
  std::optional<double> absolute = {};
  std::optional<std::uint64_t> ulps = {};  // allowed distance in units in the last place
  bool expected = false;  // true if the course's function `tolerance` computes each element's error bound
  bool bits = false;      // true if the bits must be equal: -0 differs from +0, equal NaNs pass
};

// Alignment tests of a buffer: in some test cases it begins one element past a 256-byte boundary. `alone`: in
// one test case only this buffer does, in another one all such buffers; `together`: the latter only.
enum class Shift : std::uint8_t { none, alone, together };

struct BufferRule {
  std::string name;
  Role role = Role::input;
  std::string type;                    // element type: a name known to find_element(), or value_t
  Expression count;                    // number of elements in the buffer
  std::vector<std::string> data = {};  // data classes that generate the input; empty for output and scratch
  // Data classes that replace `data` if the elements are floating-point.
  std::vector<std::string> data_of_reals = {};
  std::vector<std::string> without = {};  // data classes of a test case in which the buffer is empty
  std::optional<Bound> low = {};          // least generated value; default: the type's least, reals: -1
  std::optional<Bound> high = {};
  std::map<std::string, Bound> low_by_type = {};  // least generated value by value type; replaces `low`
  std::map<std::string, Bound> high_by_type = {};
  // Outer bounds of values that are written to the buffer between timed calls, outside the generated range
  // [low, high]: alternately from patch_low to below `low`, and from above `high` to patch_high.
  std::optional<Bound> patch_low = {};
  std::optional<Bound> patch_high = {};
  double sum_below = 0x1p24;  // data class `exact`: limit on the sum of magnitudes
  // Data class `exact`: limits for individual value types, in place of sum_below.
  std::map<std::string, double> sums_below = {};
  bool sum_by_row = false;  // true if sum_below limits each row's sum, not that of all
  bool on_host = false;     // true for an output in host memory
  bool uploaded = false;
  Shift shift = Shift::none;
  bool patched = false;  // true if the buffer is changed before every timed call
  Tolerance tolerance = {};
  std::optional<Expression> row = {};  // elements per row, so that messages say c(2, 1) instead of c[9]
  // Elements in use per row of the buffer; the rest of a row is padding, which a kernel must not change if
  // the buffer is in_out.
  std::optional<Expression> columns = {};
  std::optional<Note> note = {};  // explanation that a message about a wrong element adds
  int line = 0;                   // line of the [[buffer]] table in assignment.toml

  // Return the least and the greatest value to generate if the kernel is built for this value type.
  [[nodiscard]] std::optional<Bound> low_for(const std::string& value_type) const;
  [[nodiscard]] std::optional<Bound> high_for(const std::string& value_type) const;
};

// A scalar argument of the student's kernel that is not a size.
struct ScalarRule {
  std::string name;
  std::string type;
  std::optional<Bound> low = {};
  std::optional<Bound> high = {};
};

// A CPU implementation that benchmarks compare the GPU with: a function of the contract's type, in a C++ file
// of the assignment.
struct CpuBaseline {
  std::string name;
  std::string file;
  std::string function;
  bool threads = false;  // true if the CPU baseline uses all cores; else it is single-threaded
};

struct Spec {
  std::string name;      // the assignment's name
  std::string file;      // path of the assignment.toml, for messages
  std::string contract;  // file name of the contract header, which declares the versions
  std::string call;      // C++ expression that calls a kernel version
  int call_line = 0;
  std::string host_call;      // C++ expression that calls a CPU version; empty: the one for GPU versions
  std::string function_type;  // type of a version in the contract header: "histogram_fn"
  std::string host_function_type;
  std::vector<std::string> types;          // graded value types; {""} if the contract has none
  std::vector<std::string> further_types;  // value types supported on request but not graded
  // Struct types of outputs and scratch, by struct name and value type.
  std::map<std::pair<std::string, std::string>, Element> structs;
  std::vector<std::string> sizes;  // names of the parts of an input size, in the order of Size::parts
  std::vector<BufferRule> buffers;
  std::vector<ScalarRule> scalars;
  std::optional<Expression> values;     // number of input values, by which reports divide counters
  std::vector<std::string> clean_data;  // data classes for the check `clean`; empty: the first class
  // Bytes that a call may copy from device to host, apart from outputs in host memory.
  Expression bytes_to_host = Expression::number(4096);
  std::string wrong_answer;  // the kind of cause of a wrong answer: "wrong_sum" or "wrong_output"
  LadderPowers ladder;
  // Expressions in n for the parts of a benchmark's input size; empty: n is the size.
  std::vector<Expression> ladder_sizes;
  // Least bytes that a call must move and operations that it must execute, as expressions of the sizes, for
  // comparison with times. Default: each input read once, each output written once, no arithmetic.
  std::optional<Expression> ladder_bytes;
  std::optional<Expression> ladder_operations;  // minimum number of floating-point operations of a call
  bool ladder_doubles = false;                  // true if the counted operations are in double precision
  std::vector<CpuBaseline> cpu;

  [[nodiscard]] bool is_struct(std::string_view type) const;
  // Returns the element type that a buffer or scalar has if the kernel is compiled for this value type.
  [[nodiscard]] const Element& element_of(const std::string& type, std::string_view value_type) const;
  // Returns the parts of an input size as named values for expressions. Their number must match `sizes`.
  [[nodiscard]] Values values_of(const Size& size) const;
  // Returns the number of elements of a buffer at an input size. Fails if it is negative or not computable.
  [[nodiscard]] Result<std::uint64_t> count_of(const BufferRule& buffer, const Size& size) const;
};

// Reads the keys of an assignment.toml that describe the kernel call, buffers and sizes; grading keys are
// left for the rubric's reader. Throws Broken at the first violated rule. name: the assignment's name.
Spec read_spec(TomlTable& top, const std::string& name);

// Returns true if the table describes an assignment in the plain form.
bool is_plain(TomlTable& top);

// Reads one input size or a list of them from TOML: numbers, or lists of `parts` numbers.
Size read_size(const TomlTable& table, const toml::node& node, const std::string& path, std::size_t parts);
std::vector<Size> read_sizes(TomlTable& table, const std::string& name, std::size_t parts);

}  // namespace warpmark::plain
