// Draws numbers and compares each with twice its value.
#include <fmt/format.h>
#include <warpmark/assignment.h>

#include "answers.h"

namespace {

class Numbers final : public warpmark::Problem {
 public:
  explicit Numbers(const warpmark::Case& which) : seed_(which.seed), values_(which.n) {}

  std::vector<warpmark::BufferSpec> buffers() const override {
    const std::size_t bytes = values_.size() * sizeof(int);
    return {{.name = "in", .role = warpmark::Role::input, .bytes = bytes, .patched = true},
            {.name = "out", .role = warpmark::Role::output, .bytes = bytes}};
  }
  std::vector<std::uint64_t> scalars() const override { return {values_.size()}; }
  void fill(std::size_t, std::span<std::byte> target) override {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      values_[i] = static_cast<int>(warpmark::random_below(seed_, i, 1000));
      warpmark::store_value(target, i, values_[i]);
    }
    // filled
  }
  std::optional<warpmark::Mismatch> check(std::size_t, std::span<const std::byte> actual) const override {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const int got = warpmark::load_value<int>(actual, i);
      if (got == right_answer(values_[i])) continue;
      return warpmark::Mismatch{fmt::format("out[{}] is not twice {}", i, values_[i]),
                                fmt::format("{}", right_answer(values_[i])), fmt::format("{}", got)};
    }
    return std::nullopt;
  }
  std::vector<warpmark::Patch> patch(std::uint64_t seed, std::size_t,
                                     std::span<std::byte> contents) override {
    if (values_.empty()) return {};
    values_[0] = static_cast<int>(seed % 1000);
    return {warpmark::patch_value(contents, 0, values_[0])};
  }
  std::unique_ptr<warpmark::Problem> clone() const override { return std::make_unique<Numbers>(*this); }

 private:
  std::uint64_t seed_;
  std::vector<int> values_;
};

class Twice final : public warpmark::Assignment {
 public:
  std::vector<std::string> data_classes(std::string_view type) const override {
    return type == "int" ? std::vector<std::string>{"small"} : std::vector<std::string>{};
  }
  std::unique_ptr<warpmark::Problem> make(const warpmark::Case& which) const override {
    return std::make_unique<Numbers>(which);
  }
  std::size_t value_bytes(std::string_view) const override { return sizeof(int); }
  std::string_view wrong_answer() const override { return "wrong_output"; }
};

}  // namespace

WARPMARK_ASSIGNMENT(Twice)
