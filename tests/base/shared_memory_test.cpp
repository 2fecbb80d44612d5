#include <algorithm>
#include <cstring>
#include <system_error>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include "harness/base/file.h"

namespace warpmark {
namespace {

TEST(SharedMemory, starts_as_zeros_and_is_seen_through_its_descriptor) {
  SharedMemory memory(5000);
  EXPECT_TRUE(std::ranges::all_of(memory.bytes(), [](std::byte b) { return b == std::byte{0}; }));
  memory.bytes()[4999] = std::byte{42};
  char seen = 0;
  ASSERT_EQ(pread(memory.fd(), &seen, 1, 4999), 1);
  EXPECT_EQ(seen, 42);
}

TEST(SharedMemory, may_be_empty) {
  SharedMemory memory(0);
  EXPECT_TRUE(memory.bytes().empty());
  EXPECT_GE(memory.fd(), 0);
  memory.seal_size();
  memory.seal_contents();
  EXPECT_EQ(ftruncate(memory.fd(), 1), -1);
}

TEST(SharedMemory, is_closed_on_exec) {
  const SharedMemory memory(1);
  EXPECT_EQ(fcntl(memory.fd(), F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
}

TEST(SharedMemory, sealed_in_size_can_be_written_but_neither_cut_nor_grown) {
  SharedMemory memory(4096);
  memory.seal_size();
  EXPECT_EQ(ftruncate(memory.fd(), 0), -1);
  EXPECT_EQ(ftruncate(memory.fd(), 8192), -1);
  memory.bytes()[0] = std::byte{1};
  EXPECT_EQ(pwrite(memory.fd(), "x", 1, 0), 1);
}

TEST(SharedMemory, sealed_in_contents_can_be_written_by_nobody_else) {
  SharedMemory memory(4096);
  std::memcpy(memory.bytes().data(), "kept", 4);
  const std::byte* before = memory.bytes().data();
  memory.seal_contents();
  EXPECT_EQ(memory.bytes().data(), before);
  EXPECT_EQ(std::memcmp(memory.bytes().data(), "kept", 4), 0);
  memory.bytes()[4] = std::byte{7};  // still ours to write
  EXPECT_EQ(pwrite(memory.fd(), "x", 1, 0), -1);
  EXPECT_EQ(ftruncate(memory.fd(), 0), -1);
  EXPECT_EQ(mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, memory.fd(), 0), MAP_FAILED);
}

TEST(SharedMemory, moves_with_its_mapping) {
  SharedMemory first(4096);
  first.bytes()[1] = std::byte{9};
  SharedMemory second(1);
  second = std::move(first);
  EXPECT_EQ(second.size(), 4096U);
  EXPECT_EQ(second.bytes()[1], std::byte{9});
}

TEST(SharedMemory, throws_when_the_system_has_not_that_much) {
  EXPECT_THROW(SharedMemory(std::size_t{1} << 60), std::system_error);
}

}  // namespace
}  // namespace warpmark
