#include "harness/assignments/plain/plain.h"

#include <algorithm>

#include <fmt/format.h>

#include "harness/assignments/plain/explain.h"
#include "harness/assignments/plain/problem.h"
#include "harness/assignments/plain/shape.h"

namespace warpmark::plain {
namespace {

class PlainAssignment final : public Assignment {
 public:
  PlainAssignment(std::shared_ptr<const Spec> spec, std::shared_ptr<Oracle> oracle)
      : spec_(std::move(spec)), oracle_(std::move(oracle)) {}

  [[nodiscard]] std::vector<std::string> data_classes(std::string_view type) const override {
    return knows(type) ? classes_of(*spec_, type) : std::vector<std::string>{};
  }
  [[nodiscard]] std::vector<std::string> clean_classes(std::string_view type) const override {
    auto classes = data_classes(type);
    if (spec_->clean_data.empty()) {
      classes.resize(std::min<std::size_t>(classes.size(), 1));
    } else {
      std::erase_if(classes, [&](const std::string& name) {
        return std::ranges::find(spec_->clean_data, name) == spec_->clean_data.end();
      });
    }
    return classes;
  }
  [[nodiscard]] std::unique_ptr<Problem> make(const Case& which) const override {
    return make_problem(spec_, oracle_, which);
  }
  [[nodiscard]] std::optional<std::uint64_t> bytes_to_host(const Size& size) const override {
    const auto bytes = spec_->bytes_to_host.value(spec_->values_of(size));
    if (!bytes || *bytes < 0)
      throw AssignmentFault(
          fmt::format("{}: limits.bytes_to_host gives no number at size {}", spec_->file, to_text(size)));
    return static_cast<std::uint64_t>(*bytes);
  }
  [[nodiscard]] std::vector<std::string> size_names() const override { return spec_->sizes; }
  [[nodiscard]] std::uint64_t values_at(const Size& size) const override {
    if (spec_->values) {
      const auto values = spec_->values->value(spec_->values_of(size));
      if (!values)
        throw AssignmentFault(
            fmt::format("{}: values at size {}: {}", spec_->file, to_text(size), values.error().message));
      return static_cast<std::uint64_t>(std::max<std::int64_t>(*values, 0));
    }
    std::uint64_t most = 0;
    for (const BufferRule& rule : spec_->buffers) {
      if (rule.role == Role::scratch) continue;
      const auto count = spec_->count_of(rule, size);
      if (!count) throw AssignmentFault(count.error().message);
      most = std::max(most, *count);
    }
    return most;
  }
  [[nodiscard]] Size ladder_size(std::uint64_t n) const override {
    if (spec_->ladder_sizes.empty()) return n;
    std::vector<std::uint64_t> parts;
    for (const Expression& expression : spec_->ladder_sizes) {
      const auto part = expression.value({{"n", static_cast<std::int64_t>(n)}});
      if (!part || *part < 0)
        throw AssignmentFault(
            fmt::format("{}: ladder: \"{}\" gives no size for n = {}", spec_->file, expression.text(), n));
      parts.push_back(static_cast<std::uint64_t>(*part));
    }
    return Size(std::move(parts));
  }
  // Misalignments worth a test: each buffer with `shift = true` in assignment.toml alone, then all of them
  // together, those with `shift = "together"` included.
  [[nodiscard]] std::vector<std::uint64_t> shifts() const override {
    std::vector<std::uint64_t> masks;
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < spec_->buffers.size(); ++i) {
      const Shift shift = spec_->buffers[i].shift;
      if (shift == Shift::alone) masks.push_back(std::uint64_t{1} << i);
      if (shift != Shift::none) all |= std::uint64_t{1} << i;
    }
    if (all != 0 && masks != std::vector{all}) masks.push_back(all);
    return masks;
  }
  [[nodiscard]] std::size_t value_bytes(std::string_view type) const override {
    if (!knows(type)) return 0;
    const auto uploaded = std::ranges::find(spec_->buffers, true, &BufferRule::uploaded);
    const BufferRule& rule = uploaded == spec_->buffers.end() ? spec_->buffers.front() : *uploaded;
    return spec_->element_of(rule.type, type).bytes;
  }
  [[nodiscard]] std::string_view wrong_answer() const override { return spec_->wrong_answer; }
  [[nodiscard]] LadderPowers ladder_powers() const override { return spec_->ladder; }
  [[nodiscard]] std::optional<Explanation> explain(const Case& which, Experiment& experiment) const override {
    return explain_outputs(spec_, oracle_, *this, which, experiment);
  }

 private:
  [[nodiscard]] bool knows(std::string_view type) const {
    return std::ranges::find(spec_->types, type) != spec_->types.end() ||
           std::ranges::find(spec_->further_types, type) != spec_->further_types.end();
  }

  std::shared_ptr<const Spec> spec_;
  std::shared_ptr<Oracle> oracle_;
};

}  // namespace

std::unique_ptr<Assignment> make_assignment(std::shared_ptr<const Spec> spec,
                                            std::shared_ptr<Oracle> oracle) {
  return std::make_unique<PlainAssignment>(std::move(spec), std::move(oracle));
}

}  // namespace warpmark::plain
