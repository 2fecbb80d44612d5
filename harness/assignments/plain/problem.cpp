#include "harness/assignments/plain/problem.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include <fmt/format.h>

#include "harness/assignments/bytes.h"
#include "harness/assignments/plain/alternates.h"
#include "harness/assignments/plain/answers.h"
#include "harness/assignments/plain/changes.h"
#include "harness/assignments/plain/classes.h"
#include "harness/assignments/plain/comparison.h"
#include "harness/assignments/plain/rows.h"
#include "harness/assignments/plain/shape.h"
#include "harness/assignments/plain/wording.h"
#include "harness/assignments/random.h"

namespace warpmark::plain {
namespace {

std::uint64_t next_inputs() {
  static std::atomic<std::uint64_t> next{1};
  return next++;
}

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
      counts_.push_back(elements_of(*spec_, rule, size, element, which.data));
      elements_.push_back(&element);
      rows_.push_back(row_of(*spec_, rule, size, element));
      if (filled(i)) ++to_fill_;
    }
    auto inputs = std::make_shared<std::vector<Bytes>>(spec_->buffers.size());
    for (std::size_t i = 0; i < inputs->size(); ++i) {
      if (filled(i)) (*inputs)[i].resize(bytes(i));
    }
    inputs_ = std::move(inputs);
    if (patched() < spec_->buffers.size()) alternates_ = std::make_shared<Alternates>(inputs_, patched());
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
                       .offset = shifted ? ((case_.shift >> kFurtherShift) + 1) * elements_[i]->bytes : 0,
                       .uploaded = rule.uploaded,
                       .patched = rule.patched,
                       .on_host = rule.on_host,
                       .small_numbers = has_small_numbers(*elements_[i])});
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
      make_by_course(buffer, target, case_.seed);
    }
    // Safe const_cast: a problem shares its inputs with its copies only after all inputs are filled.
    auto& kept = const_cast<std::vector<Bytes>&>(*inputs_)[buffer];
    std::ranges::copy(target, kept.begin());
    if (--to_fill_ == 0) answer_ = std::make_shared<Answer>(computed({}));
  }

  [[nodiscard]] std::optional<Mismatch> check(std::size_t buffer,
                                              std::span<const std::byte> actual) const override {
    return check_part(buffer, 0, actual);
  }
  [[nodiscard]] bool checks_parts(std::size_t buffer) const override {
    return elements_[buffer]->members.empty();
  }
  [[nodiscard]] std::optional<Mismatch> check_part(std::size_t buffer, std::size_t offset,
                                                   std::span<const std::byte> part) const override {
    const BufferRule& rule = spec_->buffers[buffer];
    const Element& element = *elements_[buffer];
    const Answer& answer = current();
    const auto& before = (*inputs_)[buffer];
    const auto difference = first_difference(
        {&element, &rule.tolerance, answer.contents[buffer], answer.bounds[buffer], before, rows_[buffer]},
        offset / number_bytes(buffer), part);
    if (!difference) return std::nullopt;
    const WrongPlace place{*spec_, rule, element, counts_[buffer], rows_[buffer], case_.sizes()};
    const auto element_of = [&](const std::string& name, std::uint64_t index) {
      return element_text(name, index);
    };
    return Mismatch{wording_of(place, *difference, element_of), difference->expected, difference->actual};
  }

  std::vector<Patch> patch(std::uint64_t seed, std::size_t count, std::span<std::byte> contents) override {
    const auto make = [&](std::uint64_t drawn, Bytes& original) {
      return make_alternate(drawn, count, original);
    };
    auto next = alternates_->next(seed, in_use_.get(), make);
    if (!changed_) changed_ = *answer_;
    std::vector<Patch> patches;
    if (in_use_) {
      patches = in_use_->undo;
      in_use_->answer->revert(*answer_, *changed_);
    }
    if (next) {
      patches.insert(patches.end(), next->changes.begin(), next->changes.end());
      next->answer->apply(*changed_);
    }
    in_use_ = std::move(next);
    for (const Patch& patch : patches) std::memcpy(contents.data() + patch.offset, &patch.value, patch.bytes);
    return patches;
  }

  [[nodiscard]] Work work() const override {
    Work work = Problem::work();
    if (spec_->ladder_bytes) work.bytes = amount_of(*spec_, *spec_->ladder_bytes, case_.sizes());
    if (spec_->ladder_operations)
      work.operations = amount_of(*spec_, *spec_->ladder_operations, case_.sizes());
    work.doubles = spec_->ladder_doubles;
    return work;
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
  [[nodiscard]] std::size_t number_bytes(std::size_t buffer) const {
    return elements_[buffer]->bytes / elements_[buffer]->components;
  }
  [[nodiscard]] const Answer& current() const { return changed_ ? *changed_ : *answer_; }

  // Returns the parameters from which a buffer is generated; nullopt if the course's data.cpp generates it.
  [[nodiscard]] std::optional<Drawing> drawing_of(std::size_t buffer) const {
    const BufferRule& rule = spec_->buffers[buffer];
    const Element& element = *elements_[buffer];
    auto data_class = built_in_class(class_in(*spec_, rule, case_.type, case_.data));
    if (!data_class) return std::nullopt;
    if (element.boolean && data_class == "random_bits") data_class = "uniform";  // other bits make no bool
    const auto by_type = rule.sums_below.find(case_.type);
    const double sum_below = by_type == rule.sums_below.end() ? rule.sum_below : by_type->second;
    return Drawing{
        *data_class,
        element.number,
        counts_[buffer] * element.components,
        range_in(buffer, rule.low_for(case_.type), rule.high_for(case_.type), *data_class, sum_below),
        sum_below,
        random_bits(case_.seed, buffer),
        rule.sum_by_row ? rows_[buffer].numbers : 0};
  }
  [[nodiscard]] Range range_in(std::size_t buffer, const std::optional<Bound>& low,
                               const std::optional<Bound>& high, std::string_view data_class,
                               double sum_below) const {
    const BufferRule& rule = spec_->buffers[buffer];
    return range_of(*spec_, rule.name, rule.line, low, high, *elements_[buffer], data_class, sum_below,
                    case_.sizes(), counts_[buffer] == 0);
  }

  void make_by_course(std::size_t buffer, std::span<std::byte> target, std::uint64_t seed) const {
    const BufferRule& rule = spec_->buffers[buffer];
    const std::string data_class = class_in(*spec_, rule, case_.type, case_.data);
    oracle_->make(rule.name, case_.type, target, counts_[buffer], case_.sizes().parts, data_class, seed);
    const auto low = rule.low_for(case_.type);
    const auto high = rule.high_for(case_.type);
    if ((low && high) || elements_[buffer]->boolean)
      check_made(*spec_, rule, *elements_[buffer], target, range_in(buffer, low, high, data_class, 0),
                 {data_class, case_.sizes()});
  }

  // Returns an element of an input, or of a buffer that the course's function `expected` wrote, as text for a
  // message about a wrong element.
  [[nodiscard]] std::string element_text(const std::string& name, std::uint64_t index) const {
    const auto buffer = static_cast<std::size_t>(std::ranges::find(spec_->buffers, name, &BufferRule::name) -
                                                 spec_->buffers.begin());
    const auto& written = current().contents[buffer];
    const auto& contents = written.empty() ? (*inputs_)[buffer] : written;
    if (index >= counts_[buffer] || contents.empty()) return "?";
    return number_text(elements_[buffer]->number, contents, index);
  }
  // Returns true if messages about wrong elements show values that the course's function `expected` wrote to
  // this buffer.
  [[nodiscard]] bool is_noted(std::size_t buffer) const {
    return std::ranges::any_of(spec_->buffers, [&](const BufferRule& rule) {
      return rule.note && rule.note->buffers().contains(spec_->buffers[buffer].name);
    });
  }

  // Returns true for scratch memory that no message shows: its contents are not sent to the course's
  // functions and back.
  [[nodiscard]] bool is_unread(std::size_t buffer) const {
    return spec_->buffers[buffer].role == Role::scratch && !is_noted(buffer);
  }

  // Returns the arguments for a call of one of the course's functions: the problem's inputs, and `outputs`
  // for all buffers that it writes.
  OracleCall oracle_call(std::string_view function, std::vector<Bytes>& outputs,
                         const std::vector<Patch>& patches) const {
    OracleCall call{function, case_.type, inputs_number_, {}, scalars(), patched(), patches};
    for (std::size_t i = 0; i < spec_->buffers.size(); ++i) {
      const bool written = spec_->buffers[i].role != Role::input;
      // Safe const_cast: the call only reads an input.
      auto& contents = written ? outputs[i] : const_cast<Bytes&>((*inputs_)[i]);
      const bool read = written ? is_answer(i) || is_noted(i) : patches.empty();
      call.buffers.push_back({spec_->buffers[i].name, contents, written, read, is_unread(i) ? bytes(i) : 0});
    }
    return call;
  }

  // Returns new output and scratch buffers with the contents that a call of the course's functions starts
  // from.
  [[nodiscard]] std::vector<Bytes> fresh_outputs() const {
    std::vector<Bytes> outputs(spec_->buffers.size());
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (spec_->buffers[i].role == Role::in_out) outputs[i] = (*inputs_)[i];
      if (spec_->buffers[i].role != Role::input && !is_unread(i)) outputs[i].resize(bytes(i));
    }
    return outputs;
  }

  [[nodiscard]] std::vector<Bytes> bounds_for(const std::vector<Patch>& patches) const {
    std::vector<Bytes> bounds(spec_->buffers.size());
    const auto has_bounds = [&](const BufferRule& rule) {
      return rule.tolerance.expected && spec_->element_of(rule.type, case_.type).real();
    };
    if (!std::ranges::any_of(spec_->buffers, has_bounds)) return bounds;
    bounds = fresh_outputs();
    // A bound that `tolerance` does not write stays NaN, and so is found to be missing.
    for (std::size_t i = 0; i < bounds.size(); ++i) {
      if (spec_->buffers[i].role == Role::output) std::ranges::fill(bounds[i], std::byte{0xFF});
    }
    oracle_->call(oracle_call("tolerance", bounds, patches));
    for (std::size_t i = 0; i < bounds.size(); ++i) {
      const BufferRule& rule = spec_->buffers[i];
      fill_padding(rows_[i], number_bytes(i), bounds[i]);
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
      if (!same_padding(rows_[i], number_bytes(i), outputs[i], (*inputs_)[i]))
        throw AssignmentFault(
            fmt::format("{}:{}: `expected` changes the padding of {} at size {}, which must be unchanged",
                        spec_->file, spec_->buffers[i].line, spec_->buffers[i].name, to_text(case_.sizes())));
      if (is_answer(i)) refuse_nan(i, outputs[i]);
      if (!is_answer(i) && !is_noted(i)) outputs[i] = {};
    }
    return {std::move(outputs), bounds_for(patches)};
  }

  // Refuses an expected NaN where values are compared: no answer would be right.
  void refuse_nan(std::size_t buffer, std::span<const std::byte> expected) const {
    const BufferRule& rule = spec_->buffers[buffer];
    if (rule.tolerance.bits) return;
    const auto nan = first_nan(*elements_[buffer], rows_[buffer], expected);
    if (!nan) return;
    throw AssignmentFault(
        fmt::format("{}:{}: `expected` gives NaN in {}[{}] at size {}, data {}, and no NaN is right unless "
                    "the buffer has "
                    "bits = true: add that, or choose data, sizes and scalars that have an answer",
                    spec_->file, rule.line, rule.name, *nan, to_text(case_.sizes()), case_.data));
  }

  // Computes the expected answer to a changed input, with the course's incremental function `update` if it
  // has one.
  [[nodiscard]] Answer answer_after(const Alternate& alternate) const {
    if (!oracle_->defines("update") || elements_[patched()]->components != 1)
      return computed(alternate.changes);
    Answer answer = *answer_;
    carry_on("update", alternate, answer.contents);
    for (std::size_t i = 0; i < answer.contents.size(); ++i) {
      if (is_answer(i)) refuse_nan(i, answer.contents[i]);
    }
    if (std::ranges::all_of(answer.bounds, &Bytes::empty)) return answer;
    if (oracle_->defines("update_tolerance")) {
      carry_on("update_tolerance", alternate, answer.bounds);
    } else {
      answer.bounds = bounds_for(alternate.changes);
    }
    return answer;
  }

  // Calls one of the course's incremental functions once per change of the input; it turns the outputs for
  // the original input into those for the changed one.
  void carry_on(std::string_view function, const Alternate& alternate, std::vector<Bytes>& outputs) const {
    std::vector<Bytes> unused = fresh_outputs();
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (outputs[i].empty()) outputs[i].swap(unused[i]);
    }
    const std::size_t changes = alternate.changes.size();
    for (std::size_t k = 0; k < changes; ++k) {
      const std::vector<Patch> so_far(alternate.changes.begin(),
                                      alternate.changes.begin() + static_cast<std::ptrdiff_t>(k) + 1);
      OracleCall call = oracle_call(function, outputs, so_far);
      call.scalars.push_back(alternate.changes[k].offset / elements_[patched()]->bytes);
      call.scalars.push_back(alternate.undo[changes - 1 - k].value);
      oracle_->call(call);
    }
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      if (unused[i].empty()) outputs[i] = {};
    }
  }

  // Changes about `count` numbers of the original input, or four if the course's function `update` is called
  // for each; returns nullopt if none can change.
  [[nodiscard]] std::optional<Alternate> make_alternate(std::uint64_t seed, std::size_t count,
                                                        Bytes& contents) const {
    if (contents.empty()) return std::nullopt;
    const std::size_t buffer = patched();
    const std::size_t bytes_each = number_bytes(buffer);
    Alternate alternate;
    if (oracle_->defines("update")) count = std::min<std::size_t>(count, 4);
    for (const Change& change : changed(buffer, seed, count, contents)) {
      alternate.changes.push_back({change.index * bytes_each, bytes_each, change.after});
      alternate.undo.push_back({change.index * bytes_each, bytes_each, change.before});
    }
    if (alternate.changes.empty()) return std::nullopt;
    std::ranges::reverse(alternate.undo);
    for (const Patch& patch : alternate.undo)
      std::memcpy(contents.data() + patch.offset, &patch.value, patch.bytes);
    alternate.answer.emplace(*answer_, answer_after(alternate));
    return alternate;
  }

  // Changes about `count` numbers of the buffer whose values change between timed calls, and returns the
  // changes in order.
  std::vector<Change> changed(std::size_t buffer, std::uint64_t seed, std::size_t count,
                              Bytes& contents) const {
    const BufferRule& rule = spec_->buffers[buffer];
    const Element& element = *elements_[buffer];
    if (rule.patch_low || rule.patch_high) {
      const auto inner = range_in(buffer, rule.low_for(case_.type), rule.high_for(case_.type), "uniform", 0);
      const Drawing drawing{"uniform", element.number, counts_[buffer] * element.components, inner, 0, seed};
      const auto low = rule.patch_low ? rule.patch_low : rule.low_for(case_.type);
      const auto high = rule.patch_high ? rule.patch_high : rule.high_for(case_.type);
      return change_beyond(drawing, range_in(buffer, low, high, "uniform", 0),
                           {rule.patch_low.has_value(), rule.patch_high.has_value()}, count, contents);
    }
    if (const auto drawing = drawing_of(buffer)) return change_some(*drawing, seed, count, contents);
    Bytes other(contents.size());
    make_by_course(buffer, other, seed);
    return change_to(other, number_bytes(buffer), seed, count, contents);
  }

  std::shared_ptr<const Spec> spec_;
  std::shared_ptr<Oracle> oracle_;
  Case case_;
  std::vector<std::uint64_t> scalars_;  // values of the assignment's scalars, as raw bits
  std::vector<std::uint64_t> counts_;   // elements in each buffer
  std::vector<const Element*> elements_;
  std::vector<Row> rows_;
  std::size_t to_fill_ = 0;  // number of inputs that fill() has not generated yet
  // Contents of each input; shared by all copies of the problem.
  std::shared_ptr<const std::vector<Bytes>> inputs_;
  std::uint64_t inputs_number_ = 0;
  std::shared_ptr<const Answer> answer_;  // expected answer to the original input
  std::shared_ptr<Alternates> alternates_;
  std::shared_ptr<const Alternate> in_use_;  // alternative input in use; null: the original one
  std::optional<Answer> changed_ = {};  // expected answer to the alternative input; none before one is used
};

}  // namespace

std::unique_ptr<Problem> make_problem(std::shared_ptr<const Spec> spec, std::shared_ptr<Oracle> oracle,
                                      const Case& which) {
  return std::make_unique<PlainProblem>(std::move(spec), std::move(oracle), which);
}

}  // namespace warpmark::plain
