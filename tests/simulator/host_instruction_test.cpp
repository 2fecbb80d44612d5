// Which of the host's instructions are atomic, by the bytes that compilers and our header make.
#include "harness/simulator/program/host_instruction.h"

#include <initializer_list>
#include <vector>

#include <gtest/gtest.h>

namespace warpmark::simulator {
namespace {

#if defined(__x86_64__)

HostOperation operation_of(std::initializer_list<std::uint8_t> bytes) {
  std::vector<std::uint8_t> code(bytes);
  code.resize(16, 0x90);
  return host_operation(code.data());
}

TEST(HostInstruction, that_moves_is_plain) {
  EXPECT_EQ(operation_of({0x8B, 0x00}), HostOperation::plain);              // mov (%rax), %eax
  EXPECT_EQ(operation_of({0x48, 0x89, 0x08}), HostOperation::plain);        // mov %rcx, (%rax)
  EXPECT_EQ(operation_of({0x66, 0x0F, 0x6F, 0x00}), HostOperation::plain);  // movdqa (%rax), %xmm0
  EXPECT_EQ(operation_of({0xF3, 0xA4}), HostOperation::plain);              // rep movsb
  EXPECT_EQ(host_operation(nullptr), HostOperation::plain);
}

TEST(HostInstruction, that_moves_behind_our_prefix_is_atomic) {
  EXPECT_EQ(operation_of({0x3E, 0x8B, 0x00}), HostOperation::atomic);
  EXPECT_EQ(operation_of({0x3E, 0x66, 0x89, 0x08}), HostOperation::atomic);
  EXPECT_EQ(operation_of({0x3E, 0x4C, 0x8B, 0x20}), HostOperation::atomic);
}

TEST(HostInstruction, that_locks_is_atomic) {
  EXPECT_EQ(operation_of({0xF0, 0x0F, 0xC1, 0x08}), HostOperation::atomic);  // lock xadd
  EXPECT_EQ(operation_of({0xF0, 0x48, 0x81, 0x00}), HostOperation::atomic);  // lock addq
  EXPECT_EQ(operation_of({0x66, 0xF0, 0x83, 0x08}), HostOperation::atomic);  // lock orw
  EXPECT_EQ(operation_of({0x87, 0x08}), HostOperation::atomic);              // xchg
  EXPECT_EQ(operation_of({0x48, 0x87, 0x08}), HostOperation::atomic);        // xchgq
}

TEST(HostInstruction, that_compares_and_swaps_is_known_as_such) {
  EXPECT_EQ(operation_of({0xF0, 0x0F, 0xB1, 0x11}), HostOperation::compare_and_swap);
  EXPECT_EQ(operation_of({0xF0, 0x48, 0x0F, 0xB1, 0x11}), HostOperation::compare_and_swap);
  EXPECT_EQ(operation_of({0xF0, 0x48, 0x0F, 0xC7, 0x09}), HostOperation::compare_and_swap);  // cmpxchg16b
  EXPECT_EQ(operation_of({0x0F, 0xB1, 0x11}), HostOperation::plain);
}

#endif

}  // namespace
}  // namespace warpmark::simulator
