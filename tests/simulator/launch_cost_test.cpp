// What a launch costs where a kernel does next to nothing, in allocations of memory: they do not depend on
// the machine, as times do. A program of its own, because it counts all of them.
#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

#include "tests/simulator/simulated_device.h"

namespace {

std::atomic<std::size_t> allocations{0};

void* counted(std::size_t bytes, std::size_t alignment) {
  ++allocations;
  void* memory = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

}  // namespace

[[gnu::noinline]] void* operator new(std::size_t bytes) {
  return counted(bytes, alignof(std::max_align_t));
}
[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t alignment) {
  return counted(bytes, static_cast<std::size_t>(alignment));
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace warpmark::simulator::test {
namespace {

class LaunchCost : public testing::Test {
 protected:
  void SetUp() override {
    device.load(kernel_text("ld.global.u32 %r10, [%rd3]; st.global.u32 [%rd4], %r10;"));
    in = device.upload(counting(256));
    out = device.upload(counting(256));
  }
  // Of one launch, when others have been there before.
  std::size_t allocations_of(Dim3 grid, Dim3 block) {
    std::size_t least = SIZE_MAX;
    for (int i = 0; i < 3; ++i) {
      const std::array<const void*, 2> arguments{&in, &out};
      const std::size_t before = allocations;
      const Outcome outcome = run(
          {.kernel = device.module->find("k"), .grid = grid, .block = block, .arguments = arguments.data()},
          {.host_threads = 1, .check_accesses = true}, device.memory);
      EXPECT_TRUE(outcome.completed);
      least = std::min(least, allocations - before);
    }
    return least;
  }

  SimulatedDevice device;
  Address in = 0;
  Address out = 0;
};

TEST_F(LaunchCost, of_a_small_kernel_is_a_few_dozen_allocations) {
  const std::size_t cost = allocations_of({1}, {32});
  EXPECT_LE(cost, 60U);
}

TEST_F(LaunchCost, does_not_grow_with_the_blocks) {
  EXPECT_EQ(allocations_of({8}, {32}), allocations_of({2}, {32}));
}

TEST_F(LaunchCost, does_not_grow_with_what_is_allocated) {
  const std::size_t before = allocations_of({1}, {32});
  for (int i = 0; i < 100; ++i) device.upload(counting(16));
  EXPECT_LE(allocations_of({1}, {32}), before + 20);
}

}  // namespace
}  // namespace warpmark::simulator::test
