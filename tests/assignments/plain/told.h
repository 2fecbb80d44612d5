// Functions with one mistake each, called in this process, and what experiments say of their outputs.
#pragma once

#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "harness/assignments/plain/explain.h"
#include "harness/assignments/plain/plain.h"
#include "tests/assignments/plain/spec_of.h"

namespace warpmark::plain {

using Sizes = std::vector<std::size_t>;
using Names = std::vector<std::string>;
// Computes the output of ints from the input of ints; `out` holds what memory held before the call.
using Function = std::function<void(const std::vector<int>& in, std::vector<int>& out, const Sizes& sizes)>;

inline std::vector<int> ints(std::span<const std::byte> bytes) {
  std::vector<int> all(bytes.size() / sizeof(int));
  if (!bytes.empty()) std::memcpy(all.data(), bytes.data(), bytes.size());
  return all;
}

inline void call(const Function& function, std::span<const std::byte> in, std::span<std::byte> out,
                 const std::vector<std::uint64_t>& sizes) {
  auto contents = ints(out);
  function(ints(in), contents, Sizes(sizes.begin(), sizes.end()));
  if (!out.empty()) std::memcpy(out.data(), contents.data(), out.size());
}

class Expected final : public Oracle {
 public:
  explicit Expected(Function function) : function_(std::move(function)) {}
  bool defines(std::string_view /*function*/) override { return false; }
  void call(const OracleCall& call) override {
    plain::call(function_, call.buffers[0].contents, call.buffers[1].contents, call.scalars);
  }
  void make(const std::string& /*buffer*/, const std::string& /*type*/, std::span<std::byte> /*target*/,
            std::uint64_t /*count*/, const std::vector<std::uint64_t>& /*sizes*/,
            std::string_view /*data_class*/, std::uint64_t /*seed*/) override {}

 private:
  Function function_;
};

// What is seen of a call besides its output.
struct Beside {
  std::function<std::vector<std::string>(const Sizes& sizes)> kernels = {};
  std::function<std::vector<int>(const std::vector<int>& in)> scratch = {};  // of the third buffer
};

class Calls final : public Experiment {
 public:
  Calls(Function function, std::vector<Size> sizes, Beside beside = {})
      : function_(std::move(function)), sizes_(std::move(sizes)), beside_(std::move(beside)) {}
  std::optional<Contents> call(const Case& /*which*/, const Problem& problem, const Contents& inputs,
                               std::byte before) override {
    // An output, or one that is an input, too.
    Contents contents{{}, inputs[1].empty() ? std::vector(problem.buffers()[1].bytes, before) : inputs[1]};
    plain::call(function_, inputs[0], contents[1], problem.scalars());
    const auto scalars = problem.scalars();
    kernels_ = beside_.kernels ? beside_.kernels(Sizes(scalars.begin(), scalars.end())) : Names();
    contents.resize(problem.buffers().size());
    if (beside_.scratch) {
      const auto words = beside_.scratch(ints(inputs[0]));
      const auto bytes = std::as_bytes(std::span(words));
      contents[2].assign(bytes.begin(), bytes.end());
    }
    return contents;
  }
  [[nodiscard]] std::vector<std::string> kernels_launched() const override { return kernels_; }
  [[nodiscard]] std::vector<Size> sizes() const override { return sizes_; }

 private:
  Function function_;
  std::vector<Size> sizes_;
  Beside beside_;
  Names kernels_;
};

// An assignment with the input `in` and the output `out`, whose count is an expression.
inline std::string toml_of(std::string_view sizes, std::string_view in, std::string_view out) {
  return fmt::format(R"toml(
contract = "sums.h"
call = "version(in, out, stream)"
sizes = {}
[[buffer]]
name = "in"
role = "input"
type = "int"
count = "{}"
data = ["uniform"]
low = -1000
high = 1000
[[buffer]]
name = "out"
role = "output"
type = "int"
count = "{}"
)toml",
                     sizes, in, out);
}

struct Told {
  std::string mistake, what;
};

inline std::optional<Explanation> explained(const std::string& toml, const Function& right,
                                            const Function& wrong, const std::vector<Size>& sizes,
                                            Beside beside = {}) {
  const auto spec = std::make_shared<const Spec>(spec_of(toml));
  const auto oracle = std::make_shared<Expected>(right);
  const auto assignment = make_assignment(spec, oracle);
  Calls calls(wrong, sizes, std::move(beside));
  return explain_outputs(spec, oracle, *assignment, assignment->case_of("", "uniform", sizes.back(), 7),
                         calls);
}

inline Told told(const std::string& toml, const Function& right, const Function& wrong,
                 std::vector<Size> sizes, Beside beside = {}) {
  const auto found = explained(toml, right, wrong, sizes, std::move(beside));
  return found ? Told{found->mistake, found->what} : Told{};
}

}  // namespace warpmark::plain
