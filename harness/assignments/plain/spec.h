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

// The type that stands for the graded value type (WARPMARK_VALUE).
inline constexpr std::string_view kValueType = "value_t";

// A bound of generated values: a number, or an expression of sizes.
struct Bound {
  double number = 0;
  std::optional<Expression> expression = {};
};

// An actual value is right if one of the given tolerances holds; without any it must be equal.
struct Tolerance {
  std::optional<double> relative = {};  // times the magnitude of the expected value
  std::optional<double> absolute = {};
  std::optional<std::uint64_t> ulps = {};  // representable values between the two
  bool expected = false;                   // computed per element by the course's function `tolerance`
  bool bits = false;  // equal bits are required: -0 differs from +0, and NaN can be equal
};

// Whether a buffer also begins off a boundary: in a case of its own and with all others, or only with them.
enum class Shift : std::uint8_t { none, alone, together };

struct BufferRule {
  std::string name;
  Role role = Role::input;
  std::string type;                             // a name of find_element(), or value_t
  Expression count;                             // of elements
  std::vector<std::string> data = {};           // data classes; empty for output and scratch
  std::vector<std::string> data_of_reals = {};  // in place of `data` for floating-point types
  std::vector<std::string> without = {};        // leading classes in which the buffer is empty
  std::optional<Bound> low = {};                // default: the type's full range; 0 for reals and -1 to 1
  std::optional<Bound> high = {};
  std::map<std::string, Bound> low_by_type = {};  // in place of low, by value type
  std::map<std::string, Bound> high_by_type = {};
  // Values that timed calls write: below `low` from the first on, above `high` up to the second, in turn.
  std::optional<Bound> patch_low = {};
  std::optional<Bound> patch_high = {};
  double sum_below = 0x1p24;                      // class `exact`: the sum of magnitudes stays below
  std::map<std::string, double> sums_below = {};  // in place of sum_below, by value type
  bool sum_by_row = false;                        // the sum of each row stays below, not that of all
  bool on_host = false;                           // an output in host memory
  bool uploaded = false;
  Shift shift = Shift::none;
  bool patched = false;  // changed before every timed call
  Tolerance tolerance = {};
  std::optional<Expression> row = {};  // elements per row, for messages: c(2, 1) in the place of c[9]
  // Elements of a row that count; the rest of an in_out buffer's row is padding, which must be unchanged.
  std::optional<Expression> columns = {};
  std::optional<Note> note = {};  // what a message adds about a wrong element
  int line = 0;                   // in assignment.toml

  // Return the bounds for a value type.
  [[nodiscard]] std::optional<Bound> low_for(const std::string& value_type) const;
  [[nodiscard]] std::optional<Bound> high_for(const std::string& value_type) const;
};

// A number that the call takes and that is no size.
struct ScalarRule {
  std::string name;
  std::string type;
  std::optional<Bound> low = {};
  std::optional<Bound> high = {};
};

// A version on the CPU that ladders compare the GPU with: a function of the contract's type, in a C++ file of
// the assignment.
struct CpuBaseline {
  std::string name;
  std::string file;
  std::string function;
  bool threads = false;  // uses all cores; otherwise one
};

struct Spec {
  std::string name;      // of the assignment
  std::string file;      // path of assignment.toml, for messages
  std::string contract;  // header
  std::string call;      // C++ expression
  int call_line = 0;
  std::string host_call;      // of host versions; empty: `call`
  std::string function_type;  // "histogram_fn"
  std::string host_function_type;
  std::vector<std::string> types;          // graded value types; {""} if the contract has none
  std::vector<std::string> further_types;  // value types that can be asked for, but are not graded
  // [[struct]]: a type of outputs and scratch, by its name and the value type
  std::map<std::pair<std::string, std::string>, Element> structs;
  std::vector<std::string> sizes;  // names, in the order of a Size
  std::vector<BufferRule> buffers;
  std::vector<ScalarRule> scalars;
  std::optional<Expression> values;     // number of values that counters are divided by
  std::vector<std::string> clean_data;  // data classes of `clean`; empty: the first
  // bytes that a call may copy to the host beside outputs in host memory
  Expression bytes_to_host = Expression::number(4096);
  std::string explain;       // how wrong answers are explained: "sum", "elements" or not at all
  std::string wrong_answer;  // the kind of cause of a wrong answer: "wrong_sum" or "wrong_output"
  LadderPowers ladder;
  std::vector<Expression> ladder_sizes;  // of `n`, by part of a size; empty: n itself
  // Least work of a call, of the sizes; default: inputs are read and outputs written once, no arithmetic.
  std::optional<Expression> ladder_bytes;
  std::optional<Expression> ladder_operations;  // floating-point operations
  bool ladder_doubles = false;                  // they are in double precision
  std::vector<CpuBaseline> cpu;

  [[nodiscard]] bool is_struct(std::string_view type) const;
  // Returns the buffer's or scalar's element type for a value type.
  [[nodiscard]] const Element& element_of(const std::string& type, std::string_view value_type) const;
  // Returns the sizes as named values. The number of parts must be right.
  [[nodiscard]] Values values_of(const Size& size) const;
  // Returns the elements of a buffer at a size. Fails if the count is negative or not computable.
  [[nodiscard]] Result<std::uint64_t> count_of(const BufferRule& buffer, const Size& size) const;
};

// Reads the members of the plain form and marks them as read; others are left for the rubric. Throws Broken
// at the first violated rule. name: of the assignment. types: of the rubric.
Spec read_spec(TomlTable& top, const std::string& name);

// Returns true if the table describes an assignment in the plain form.
bool is_plain(TomlTable& top);

// Reads one or a list of sizes: numbers, or lists of `parts` numbers.
Size read_size(const TomlTable& table, const toml::node& node, const std::string& path, std::size_t parts);
std::vector<Size> read_sizes(TomlTable& table, const std::string& name, std::size_t parts);

}  // namespace warpmark::plain
