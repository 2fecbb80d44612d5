// Draws numbers and compares each with twice its value.
#include <stdexcept>
#include <string>

#include <warpmark/assignment.h>

#include "answers.h"

namespace {

// The faults of a course that a test asks for by a size.
void misbehave(std::size_t n) {
  if (n == 2001) *static_cast<volatile int*>(nullptr) = 1;
  if (n == 2002) right_answer(kEndless);
  if (n == 2003) warpmark::in_parallel(4, 4, [](std::size_t) { *static_cast<volatile int*>(nullptr) = 2; });
  if (n == 2004) {
    for (volatile int i = 0;; i = i + 1) {
    }
  }
  if (n == 2005) throw std::runtime_error("no more numbers");
}

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
    misbehave(values_.size());
  }
  std::optional<warpmark::Mismatch> check(std::size_t, std::span<const std::byte> actual) const override {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const int got = warpmark::load_value<int>(actual, i);
      if (got == right_answer(values_[i])) continue;
      return warpmark::Mismatch{"out[" + std::to_string(i) + "] is not twice " + std::to_string(values_[i]),
                                std::to_string(right_answer(values_[i])), std::to_string(got)};
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
