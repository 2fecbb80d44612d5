#include "harness/assignments/plain/plain.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <iterator>

#include <fmt/format.h>

#include "harness/assignments/bytes.h"
#include "harness/assignments/plain/classes.h"
#include "harness/assignments/plain/comparison.h"
#include "harness/assignments/plain/shape.h"
#include "harness/assignments/random.h"
#include "harness/assignments/reduction/explain.h"

namespace warpmark::plain {
namespace {

using Bytes = std::vector<std::byte>;

// Number of other inputs, with their answers, that timed calls choose from.
constexpr std::size_t kAlternates = 6;

std::uint64_t next_inputs() {
  static std::atomic<std::uint64_t> next{1};
  return next++;
}

// The expected contents of all outputs, and the tolerance of each number where the course computes it.
struct Answer {
  std::vector<Bytes> contents;  // by buffer; empty for inputs and scratch
  std::vector<Bytes> bounds;    // by buffer; empty if the tolerance is fixed
};

// Changed places of the patched buffer, and the answer to the changed input.
struct Alternate {
  std::vector<Patch> changes;
  std::vector<Patch> undo;
  Answer answer;
};

class PlainProblem final : public Problem {
 public:
  PlainProblem(std::shared_ptr<const Spec> spec, std::shared_ptr<Oracle> oracle, const Case& which)
      : spec_(std::move(spec)),
        oracle_(std::move(oracle)),
        case_(which),
        scalars_(draw_scalars(*spec_, which)) {
    const Size size = which.sizes();
    for (std::size_t i = 0; i < spec_->buffers.size(); ++i) {
      const BufferRule& rule = spec_->buffers[i];
      const Element& element = spec_->element_of(rule.type, which.type);
      counts_.push_back(elements_of(*spec_, rule, size, element));
      elements_.push_back(&element);
      if (filled(i)) ++to_fill_;
    }
    auto inputs = std::make_shared<std::vector<Bytes>>(spec_->buffers.size());
    for (std::size_t i = 0; i < inputs->size(); ++i) {
      if (filled(i)) (*inputs)[i].resize(bytes(i));
    }
    inputs_ = std::move(inputs);
    inputs_number_ = next_inputs();
    if (to_fill_ == 0) answer_ = std::make_shared<Answer>(computed({}));
  }

  [[nodiscard]] std::vector<BufferSpec> buffers() const override {
    std::vector<BufferSpec> specs;
    for (std::size_t i = 0; i < spec_->buffers.size(); ++i) {
      const BufferRule& rule = spec_->buffers[i];
      const bool shifted = (case_.shift >> i & 1) != 0;
      specs.push_back({.name = rule.name,
                       .role = rule.role,
                       .bytes = bytes(i),
                       .offset = shifted ? elements_[i]->bytes : 0,
                       .uploaded = rule.uploaded,
                       .patched = rule.patched,
                       .on_host = rule.on_host});
    }
    return specs;
  }

  [[nodiscard]] std::vector<std::uint64_t> scalars() const override {
    std::vector<std::uint64_t> all = case_.sizes().parts;
    all.insert(all.end(), scalars_.begin(), scalars_.end());
    return all;
  }

  void fill(std::size_t buffer, std::span<std::byte> target) override {
    const BufferRule& rule = spec_->buffers[buffer];
    if (const auto drawing = drawing_of(buffer); drawing) {
      if (const auto filled_in = plain::fill(*drawing, target); !filled_in)
        throw AssignmentFault(fmt::format("{}:{}: {} at size {}: {}", spec_->file, rule.line, rule.name,
                                          to_text(case_.sizes()), filled_in.error().message));
    } else {
      oracle_->make(rule.name, target, counts_[buffer], case_.sizes().parts,
                    class_in(*spec_, rule, case_.type, case_.data), case_.seed);
    }
    auto& kept = const_cast<std::vector<Bytes>&>(*inputs_)[buffer];  // not shared before all are filled
    std::ranges::copy(target, kept.begin());
    if (--to_fill_ == 0) answer_ = std::make_shared<Answer>(computed({}));
  }

  [[nodiscard]] std::optional<Mismatch> check(std::size_t buffer,
                                              std::span<const std::byte> actual) const override {
    return check_part(buffer, 0, actual);
  }
  [[nodiscard]] bool checks_parts(std::size_t /*buffer*/) const override { return true; }
  [[nodiscard]] std::optional<Mismatch> check_part(std::size_t buffer, std::size_t offset,
                                                   std::span<const std::byte> part) const override {
    const BufferRule& rule = spec_->buffers[buffer];
    const Element& element = *elements_[buffer];
    const std::size_t number_bytes = element.bytes / element.components;
    const Answer& answer = current();
    const auto& before = (*inputs_)[buffer];
    const auto difference =
        first_difference({&element, &rule.tolerance, answer.contents[buffer], answer.bounds[buffer], before},
                         offset / number_bytes, part);
    if (!difference) return std::nullopt;
    return Mismatch{what(buffer, difference->number) + difference->before, difference->expected,
                    difference->actual};
  }

  std::vector<Patch> patch(std::uint64_t seed, std::size_t count, std::span<std::byte> contents) override {
    if (!alternates_)
      alternates_ = std::make_shared<const std::vector<Alternate>>(make_alternates(seed, count));
    if (alternates_->empty()) return {};
    // Any state but the current one; without a choice, back to the original input.
    std::size_t next = random_below(seed, 0, alternates_->size());
    if (state_ && next == *state_) next = (next + 1) % alternates_->size();
    std::vector<Patch> patches;
    if (state_) patches = (*alternates_)[*state_].undo;
    const auto& changes = (*alternates_)[next].changes;
    if (!state_ || next != *state_) patches.insert(patches.end(), changes.begin(), changes.end());
    state_ = state_ && next == *state_ ? std::nullopt : std::optional(next);
    for (const Patch& patch : patches) std::memcpy(contents.data() + patch.offset, &patch.value, patch.bytes);
    return patches;
  }

  [[nodiscard]] std::unique_ptr<Problem> clone() const override {
    return std::make_unique<PlainProblem>(*this);
  }

 private:
  [[nodiscard]] std::size_t patched() const {
    return static_cast<std::size_t>(std::ranges::find(spec_->buffers, true, &BufferRule::patched) -
                                    spec_->buffers.begin());
  }
  [[nodiscard]] bool filled(std::size_t buffer) const {
    const Role role = spec_->buffers[buffer].role;
    return role == Role::input || role == Role::in_out;
  }
  [[nodiscard]] bool is_answer(std::size_t buffer) const {
    const Role role = spec_->buffers[buffer].role;
    return role == Role::output || role == Role::in_out;
  }
  [[nodiscard]] std::size_t bytes(std::size_t buffer) const {
    return counts_[buffer] * elements_[buffer]->bytes;
  }
  [[nodiscard]] const Answer& current() const { return state_ ? (*alternates_)[*state_].answer : *answer_; }

  // Returns how a buffer is drawn; nullopt if data.cpp makes it.
  [[nodiscard]] std::optional<Drawing> drawing_of(std::size_t buffer) const {
    const BufferRule& rule = spec_->buffers[buffer];
    const Element& element = *elements_[buffer];
    const std::string& data_class = class_in(*spec_, rule, case_.type, case_.data);
    if (!is_built_in(data_class)) return std::nullopt;
    const Range range = range_of(*spec_, rule.name, rule.line, rule.low, rule.high, element, data_class,
                                 rule.sum_below, case_.sizes(), counts_[buffer] == 0);
    return Drawing{data_class, element.number, counts_[buffer] * element.components,
                   range,      rule.sum_below, random_bits(case_.seed, buffer)};
  }

  // Returns "the sum", "bins[7]", "c(2, 1)" or "p[3].y".
  [[nodiscard]] std::string what(std::size_t buffer, std::size_t number) const {
    const BufferRule& rule = spec_->buffers[buffer];
    const std::size_t components = elements_[buffer]->components;
    const std::size_t element = number / components;
    std::string name = counts_[buffer] == 1 ? "the " + rule.name : fmt::format("{}[{}]", rule.name, element);
    if (rule.row && counts_[buffer] != 1) {
      const auto row = rule.row->value(spec_->values_of(case_.sizes()));
      if (row && *row > 0)
        name = fmt::format("{}({}, {})", rule.name, element / static_cast<std::uint64_t>(*row),
                           element % static_cast<std::uint64_t>(*row));
    }
    if (components > 1) name += fmt::format(".{}", "xyzw"[number % components]);
    std::string text = name + " is wrong";
    if (spec_->sizes.size() > 1) {
      std::string sizes;
      const auto parts = case_.sizes().parts;
      for (std::size_t i = 0; i < parts.size(); ++i)
        sizes += fmt::format("{}{} = {}", i == 0 ? "" : ", ", spec_->sizes[i], parts[i]);
      text += fmt::format(" ({})", sizes);
    }
    return text;
  }

  // Returns the buffers of a call of the course's functions: inputs as they are, outputs with `outputs`.
  OracleCall oracle_call(std::string_view function, std::vector<Bytes>& outputs,
                         const std::vector<Patch>& patches) const {
    OracleCall call{function, case_.type, inputs_number_, {}, scalars(), patched(), patches};
    for (std::size_t i = 0; i < spec_->buffers.size(); ++i) {
      const bool written = spec_->buffers[i].role != Role::input;
      auto& contents = written ? outputs[i] : const_cast<Bytes&>((*inputs_)[i]);  // an input is only read
      call.buffers.push_back({spec_->buffers[i].name, contents, written});
    }
    return call;
  }

  // Returns what the outputs and scratch hold before a call of the course's functions.
  [[nodiscard]] std::vector<Bytes> fresh_outputs() const {
    std::vector<Bytes> outputs(spec_->buffers.size());
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (spec_->buffers[i].role == Role::in_out) outputs[i] = (*inputs_)[i];
      if (spec_->buffers[i].role == Role::output || spec_->buffers[i].role == Role::scratch)
        outputs[i].resize(bytes(i));
    }
    return outputs;
  }

  [[nodiscard]] std::vector<Bytes> bounds_for(const std::vector<Patch>& patches) const {
    std::vector<Bytes> bounds(spec_->buffers.size());
    if (!std::ranges::any_of(spec_->buffers, [](const BufferRule& rule) { return rule.tolerance.expected; }))
      return bounds;
    bounds = fresh_outputs();
    oracle_->call(oracle_call("tolerance", bounds, patches));
    for (std::size_t i = 0; i < bounds.size(); ++i) {
      const BufferRule& rule = spec_->buffers[i];
      if (!rule.tolerance.expected || !elements_[i]->real()) {
        bounds[i].clear();
      } else if (const auto bad = bad_bound(*elements_[i], bounds[i])) {
        throw AssignmentFault(
            fmt::format("{}:{}: `tolerance` gave no bound of 0 or more for {}[{}] at size {}", spec_->file,
                        rule.line, rule.name, *bad / elements_[i]->components, to_text(case_.sizes())));
      }
    }
    return bounds;
  }

  [[nodiscard]] Answer computed(const std::vector<Patch>& patches) const {
    std::vector<Bytes> outputs = fresh_outputs();
    oracle_->call(oracle_call("expected", outputs, patches));
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (!is_answer(i)) outputs[i] = {};
    }
    return {std::move(outputs), bounds_for(patches)};
  }

  // Returns the answer to a changed input, by the course's `update` if there is one.
  [[nodiscard]] Answer answer_after(const Alternate& alternate) const {
    const Element& element = *elements_[patched()];
    if (!oracle_->defines("update") || element.components != 1) return computed(alternate.changes);
    std::vector<Bytes> outputs = answer_->contents;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (spec_->buffers[i].role == Role::scratch) outputs[i].resize(bytes(i));
    }
    for (std::size_t k = 0; k < alternate.changes.size(); ++k) {
      const std::vector<Patch> so_far(alternate.changes.begin(),
                                      alternate.changes.begin() + static_cast<std::ptrdiff_t>(k) + 1);
      OracleCall call = oracle_call("update", outputs, so_far);
      call.scalars.push_back(alternate.changes[k].offset / element.bytes);
      call.scalars.push_back(alternate.undo[alternate.changes.size() - 1 - k].value);
      oracle_->call(call);
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (!is_answer(i)) outputs[i] = {};
    }
    return {std::move(outputs), bounds_for(alternate.changes)};
  }

  [[nodiscard]] std::vector<Alternate> make_alternates(std::uint64_t seed, std::size_t count) const {
    std::vector<Alternate> alternates;
    const auto buffer = patched();
    const auto drawing = drawing_of(buffer);
    if (!drawing || bytes(buffer) == 0) return alternates;
    const std::size_t number_bytes = elements_[buffer]->bytes / elements_[buffer]->components;
    Bytes contents = (*inputs_)[buffer];
    for (std::size_t a = 0; a < kAlternates; ++a) {
      Alternate alternate;
      for (std::size_t k = 0; k < count; ++k) {
        for (const Change& change : redraw(*drawing, random_bits(mix(seed) + a, k), contents)) {
          alternate.changes.push_back({change.index * number_bytes, number_bytes, change.after});
          alternate.undo.push_back({change.index * number_bytes, number_bytes, change.before});
        }
      }
      std::ranges::reverse(alternate.undo);
      for (const Patch& patch : alternate.undo)
        std::memcpy(contents.data() + patch.offset, &patch.value, patch.bytes);
      alternate.answer = answer_after(alternate);
      alternates.push_back(std::move(alternate));
    }
    return alternates;
  }

  std::shared_ptr<const Spec> spec_;
  std::shared_ptr<Oracle> oracle_;
  Case case_;
  std::vector<std::uint64_t> scalars_;  // bits of the spec's scalars
  std::vector<std::uint64_t> counts_;   // elements, by buffer
  std::vector<const Element*> elements_;
  std::size_t to_fill_ = 0;                           // inputs that fill() has not seen yet
  std::shared_ptr<const std::vector<Bytes>> inputs_;  // by buffer; shared by all copies of this problem
  std::uint64_t inputs_number_ = 0;
  std::shared_ptr<const Answer> answer_;                      // to the original input
  std::shared_ptr<const std::vector<Alternate>> alternates_;  // made by the first patch()
  std::optional<std::size_t> state_ = {};                     // the alternate that the input currently is
};

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
    return std::make_unique<PlainProblem>(spec_, oracle_, which);
  }
  [[nodiscard]] std::optional<std::uint64_t> bytes_to_host() const override { return spec_->bytes_to_host; }
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
  // Each buffer with `shift` alone, then all of them.
  [[nodiscard]] std::vector<std::uint64_t> shifts() const override {
    std::vector<std::uint64_t> masks;
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < spec_->buffers.size(); ++i) {
      if (!spec_->buffers[i].shift) continue;
      masks.push_back(std::uint64_t{1} << i);
      all |= masks.back();
    }
    if (masks.size() > 1) masks.push_back(all);
    return masks;
  }
  [[nodiscard]] std::size_t value_bytes(std::string_view type) const override {
    if (!knows(type)) return 0;
    const auto uploaded = std::ranges::find(spec_->buffers, true, &BufferRule::uploaded);
    const BufferRule& rule = uploaded == spec_->buffers.end() ? spec_->buffers.front() : *uploaded;
    return spec_->element_of(rule.type, type).bytes;
  }
  [[nodiscard]] std::string_view wrong_answer() const override {
    return spec_->explain == "sum" ? "wrong_sum" : "wrong_output";
  }
  [[nodiscard]] LadderPowers ladder_powers() const override { return spec_->ladder; }
  [[nodiscard]] std::optional<Explanation> explain(const Case& which, Experiment& experiment) const override {
    if (spec_->explain != "sum") return std::nullopt;
    Case by_n = which;  // the experiments choose sizes of their own
    by_n.size.parts.clear();
    return reduction::explain_sum(by_n, experiment);
  }

 private:
  [[nodiscard]] bool knows(std::string_view type) const {
    return std::ranges::find(spec_->types, type) != spec_->types.end();
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
