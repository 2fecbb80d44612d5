// What a timed call finds in the outputs. What becomes of the times: fast_check_test.cpp.
#include "harness/judge/speed/timed_worker.h"

#include <algorithm>
#include <cstring>
#include <set>

#include <gtest/gtest.h>

#include "tests/assignment_called.h"
#include "tests/judge/fake_installation.h"

namespace warpmark::judge {
namespace {

Case case_of_ints(const std::string& name, std::uint64_t n) {
  const auto assignment = assignment_called(name);
  return assignment->case_of("int", assignment->data_classes("int").front(), assignment->ladder_size(n), 5);
}

// What a version writes in a case of ints.
struct TimedAnswer {
  TimedAnswer(const std::string& assignment, std::uint64_t n)
      : data(*assignment_called(assignment), case_of_ints(assignment, n), Engine::gpu),
        region(data.buffers.regions().at(data.buffers.answers().front())) {}
  CaseData data;
  const Buffers::Region& region;
};

std::set<std::size_t> places(const std::vector<wire::Patch>& patches) {
  std::set<std::size_t> found;
  for (const wire::Patch& patch : patches) found.insert(patch.where.offset);
  return found;
}

TEST(PoisonOf, gives_places_of_a_long_answer_back_what_they_first_held) {
  const TimedAnswer grids("grids", 100 * 100);
  const auto patches = poison_of(grids.region, 1);
  EXPECT_GT(patches.size(), 20U);
  const auto image = grids.region.image.bytes();
  for (const wire::Patch& patch : patches) {
    ASSERT_EQ(patch.where.buffer, "b");
    ASSERT_GE(patch.where.offset, grids.region.data_begin);
    ASSERT_LE(patch.where.offset + patch.where.bytes, grids.region.data_begin + grids.region.spec.bytes);
    ASSERT_EQ(std::memcmp(&patch.value, image.data() + patch.where.offset, patch.where.bytes), 0);
  }
}

TEST(PoisonOf, takes_other_places_for_another_seed) {
  const TimedAnswer grids("grids", 100 * 100);
  EXPECT_EQ(places(poison_of(grids.region, 1)), places(poison_of(grids.region, 1)));
  EXPECT_NE(places(poison_of(grids.region, 1)), places(poison_of(grids.region, 2)));
}

TEST(PoisonOf, is_all_of_a_short_answer) {
  const TimedAnswer sum("reduction", 1000);
  const auto patches = poison_of(sum.region, 1);
  ASSERT_EQ(patches.size(), 1U);
  EXPECT_EQ(patches[0].where.bytes, sizeof(int));
}

// How an answer was looked at.
struct Looks {
  std::size_t whole = 0;
  std::size_t pieces = 0;
};

// Wants its input back; the answer may be large.
class Copying final : public Problem {
 public:
  Copying(std::size_t bytes, bool parts, Looks& looks) : bytes_(bytes), parts_(parts), looks_(&looks) {}
  [[nodiscard]] std::vector<BufferSpec> buffers() const override {
    return {{.name = "in", .role = Role::input, .bytes = bytes_, .patched = true},
            {.name = "out", .role = Role::output, .bytes = bytes_}};
  }
  [[nodiscard]] std::vector<std::uint64_t> scalars() const override { return {bytes_}; }
  void fill(std::size_t /*buffer*/, std::span<std::byte> target) override {
    std::ranges::fill(target, kByte);
  }
  [[nodiscard]] std::optional<Mismatch> check(std::size_t /*buffer*/,
                                              std::span<const std::byte> actual) const override {
    ++looks_->whole;
    return held_against(actual);
  }
  [[nodiscard]] bool checks_parts(std::size_t /*buffer*/) const override { return parts_; }
  [[nodiscard]] std::optional<Mismatch> check_part(std::size_t /*buffer*/, std::size_t offset,
                                                   std::span<const std::byte> part) const override {
    ++looks_->pieces;
    if (offset % 8 != 0 || offset + part.size() > bytes_) return Mismatch{"no such piece", "", ""};
    return held_against(part);
  }
  std::vector<Patch> patch(std::uint64_t /*seed*/, std::size_t /*count*/,
                           std::span<std::byte> /*contents*/) override {
    return {};
  }
  [[nodiscard]] std::unique_ptr<Problem> clone() const override { return std::make_unique<Copying>(*this); }

 private:
  static constexpr std::byte kByte{7};
  static std::optional<Mismatch> held_against(std::span<const std::byte> bytes) {
    const bool right = std::ranges::all_of(bytes, [](std::byte byte) { return byte == kByte; });
    return right ? std::nullopt : std::optional(Mismatch{"the copy is wrong", "7", "another"});
  }
  std::size_t bytes_;
  bool parts_;
  Looks* looks_;
};

constexpr std::size_t kLarge = std::size_t{40} << 20;
constexpr auto kLimit = std::chrono::seconds(20);

// What calls of a fake version that writes a copy come to: the first wrong answer, if there is one.
std::optional<Mismatch> copied(Copying problem, const std::string& version, std::size_t calls) {
  const FakeInstallation fake;
  auto worker = TimedWorker::start(fake.installation, "sweep", kLimit);
  if (!worker) throw std::runtime_error(worker.error().message);
  const Buffers buffers(problem, Engine::gpu, 1);
  const auto loaded = load(worker->client(), version, "int", version, version, false, kLimit);
  if (!buffers.send(worker->client(), kLimit) || !loaded) throw std::runtime_error("the fake worker fails");
  for (std::size_t i = 0; i < calls; ++i) {
    const auto timed = worker->call(*loaded, problem, buffers, {}, [&] { return fake.clock_ms(); });
    if (!timed) throw std::runtime_error(timed.error().message);
    if (timed->wrong) return timed->wrong;
  }
  return std::nullopt;
}

// Adds 1 to each byte in place.
class Incrementing final : public Problem {
 public:
  [[nodiscard]] std::vector<BufferSpec> buffers() const override {
    return {{.name = "data", .role = Role::in_out, .bytes = kBytes, .patched = true}};
  }
  [[nodiscard]] std::vector<std::uint64_t> scalars() const override { return {kBytes}; }
  void fill(std::size_t /*buffer*/, std::span<std::byte> target) override {
    std::ranges::fill(target, std::byte{7});
    before_.assign(target.begin(), target.end());
  }
  [[nodiscard]] std::optional<Mismatch> check(std::size_t /*buffer*/,
                                              std::span<const std::byte> actual) const override {
    for (std::size_t i = 0; i < kBytes; ++i) {
      const auto wanted = std::to_integer<int>(before_[i]) + 1;
      if (std::to_integer<int>(actual[i]) != wanted)
        return Mismatch{"wrong", std::to_string(wanted), std::to_string(std::to_integer<int>(actual[i]))};
    }
    return std::nullopt;
  }
  std::vector<Patch> patch(std::uint64_t seed, std::size_t /*count*/,
                           std::span<std::byte> contents) override {
    contents[seed] = before_[seed] = std::byte{50};
    return {{seed, 1, 50}};
  }
  [[nodiscard]] std::unique_ptr<Problem> clone() const override {
    return std::make_unique<Incrementing>(*this);
  }

 private:
  static constexpr std::size_t kBytes = 1000;
  std::vector<std::byte> before_;
};

// Calls in which a buffer changes in place, `turns` calls a request, the last of which are compared.
void expect_every_call_to_begin_anew(std::size_t turns) {
  const FakeInstallation fake;
  auto worker = TimedWorker::start(fake.installation, "sweep", kLimit);
  ASSERT_TRUE(worker);
  Incrementing problem;
  Buffers buffers(problem, Engine::gpu, 1);
  const auto loaded = load(worker->client(), "increments", "int", "increments", "increments", false, kLimit);
  ASSERT_TRUE(loaded);
  ASSERT_TRUE(worker->send(buffers, kLimit));
  ASSERT_TRUE(worker->client().ask(wire::Copy{"data", "data.1"}, {}, kLimit));
  std::vector<std::byte> contents(1000);
  for (std::size_t i = 0; i < 6; ++i) {
    const TimedCalls calls{i % 2 == 0 ? "" : "data.1", problem.patch(i, 1, contents), false, turns, turns};
    const auto timed = worker->call(*loaded, problem, buffers, calls, [&] { return fake.clock_ms(); });
    ASSERT_TRUE(timed) << timed.error().message;
    EXPECT_FALSE(timed->wrong) << i << ": " << timed->wrong->actual << " instead of "
                               << timed->wrong->expected;
  }
}

TEST(TimedWorker, gives_a_buffer_that_calls_change_in_place_its_contents_back) {
  expect_every_call_to_begin_anew(1);
  expect_every_call_to_begin_anew(3);
}

TEST(TimedWorker, reads_pieces_of_a_large_answer_and_now_and_then_all_of_it) {
  Looks looks;
  EXPECT_FALSE(copied({kLarge, true, looks}, "copied", 24));
  EXPECT_EQ(looks.whole, 1U);
  EXPECT_GT(looks.pieces, 23U * 64U);
}

TEST(TimedWorker, reads_all_of_an_answer_that_is_not_checked_in_pieces) {
  Looks looks;
  EXPECT_FALSE(copied({kLarge, false, looks}, "copied", 3));
  EXPECT_EQ(looks.whole, 3U);
}

TEST(TimedWorker, reads_all_of_a_small_answer) {
  Looks looks;
  EXPECT_FALSE(copied({1000, true, looks}, "copied", 3));
  EXPECT_EQ(looks.whole, 3U);
  EXPECT_EQ(looks.pieces, 0U);
}

TEST(TimedWorker, finds_by_pieces_that_a_tenth_is_missing) {
  Looks looks;
  EXPECT_TRUE(copied({kLarge, true, looks}, "nine_tenths", 3));
  EXPECT_EQ(looks.whole, 0U);
}

TEST(TimedWorker, finds_by_pieces_that_nothing_is_written_any_more) {
  Looks looks;
  EXPECT_TRUE(copied({kLarge, true, looks}, "never_writes", 1));
}

}  // namespace
}  // namespace warpmark::judge
