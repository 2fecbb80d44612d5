// A program's CUDA calls on a device that is another process, and what the judge sees of them.
#include <csignal>
#include <cstring>
#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/judge/workers/simulated_device.h"
#include "harness/simulator/program/client.h"
#include "tests/simulator/runtime_test_kernels.h"

namespace warpmark {
namespace {

using testing::HasSubstr;
constexpr std::size_t kMany = 3'000'001;  // bytes: several messages

wire::Channel::Deadline soon() {
  return std::chrono::steady_clock::now() + std::chrono::seconds(60);
}

// One device for all tests and suites: a process has one.
class OnDevice : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (device != nullptr) return;
    auto started = judge::SimulatedDevice::start({WARPMARK_ROOT, WARPMARK_BIN, WARPMARK_LIB});
    ASSERT_TRUE(started) << started.error().message;
    device = new judge::SimulatedDevice(std::move(*started));
    warpmark_device_connect(device->take_program_end().release(), -1);
  }
  void SetUp() override {
    cudaDeviceReset();
    ASSERT_TRUE(device->prepare({.mode = wire::RunMode{.checking = true}}, soon()));
    drain();
    module_handle = __cudaRegisterFatBinary(&code);
    for (auto [stub, name] : {std::pair(&mark, "_Z4markPi"), std::pair(&outside, "_Z7outsidePi"),
                              std::pair(&counting, "_Z5countv")}) {
      std::string mangled = name;
      __cudaRegisterFunction(module_handle, stub, mangled.data(), name, -1, nullptr, nullptr, nullptr,
                             nullptr, nullptr);
    }
    std::string name = "ticket";
    __cudaRegisterVar(module_handle, &ticket, name.data(), "ticket", 0, sizeof(int), 0, 0);
  }
  void TearDown() override { __cudaUnregisterFatBinary(module_handle); }

  static wire::DeviceReply drain(bool audit = false) {
    auto reply = device->drain(audit, soon());
    EXPECT_TRUE(reply) << reply.error().message;
    return reply.value_or(wire::DeviceReply{});
  }
  static cudaError_t launch(const char& kernel, int* argument) {
    void* arguments[] = {&argument};
    return ::cudaLaunchKernel(static_cast<const void*>(&kernel), 1, 1, arguments, 0, nullptr);
  }
  static int* ints(std::size_t count) {
    int* pointer = nullptr;
    EXPECT_EQ(cudaMalloc(&pointer, count * sizeof(int)), cudaSuccess);
    return pointer;
  }

  static inline judge::SimulatedDevice* device = nullptr;
  char mark = 0, outside = 0, counting = 0, ticket = 0;
  void** module_handle = nullptr;
  simulator::EmbeddedCode code{.data = simulator::test_code()};
};

TEST_F(OnDevice, copies_of_any_size_arrive_and_come_back) {
  for (const std::size_t bytes : {std::size_t{1}, std::size_t{65536}, std::size_t{65537}, kMany}) {
    std::vector<unsigned char> sent(bytes);
    std::iota(sent.begin(), sent.end(), static_cast<unsigned char>(bytes));
    std::vector<unsigned char> back(bytes);
    unsigned char* there = nullptr;
    unsigned char* other = nullptr;
    ASSERT_EQ(cudaMalloc(&there, bytes), cudaSuccess);
    ASSERT_EQ(cudaMalloc(&other, bytes), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(there, sent.data(), bytes, cudaMemcpyHostToDevice), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(other, there, bytes, cudaMemcpyDeviceToDevice), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(back.data(), other, bytes, cudaMemcpyDefault), cudaSuccess);
    EXPECT_EQ(back, sent) << bytes;
    back.assign(bytes, 0);
    EXPECT_EQ(cudaMemcpy(back.data(), sent.data(), bytes, cudaMemcpyHostToHost), cudaSuccess);
    EXPECT_EQ(back, sent) << bytes;
  }
}

TEST_F(OnDevice, a_kernel_runs_there_with_its_arguments_and_variables) {
  int* values = ints(1);
  EXPECT_EQ(launch(mark, values), cudaSuccess);
  int answer = 0;
  EXPECT_EQ(cudaMemcpy(&answer, values, sizeof answer, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(answer, 10);
  answer = 0;
  EXPECT_EQ(cudaMemcpyFromSymbol(&answer, static_cast<const void*>(&ticket), sizeof answer, 0,
                                 cudaMemcpyDeviceToHost),
            cudaSuccess);
  EXPECT_EQ(answer, 10);
}

TEST_F(OnDevice, the_judge_says_which_code_runs) {
  int* values = ints(1);
  ASSERT_TRUE(device->prepare({.mode = wire::RunMode{.checking = false}}, soon()));
  EXPECT_EQ(launch(mark, values), cudaSuccess);
  int answer = 0;
  EXPECT_EQ(cudaMemcpy(&answer, values, sizeof answer, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(answer, 12);
}

TEST_F(OnDevice, its_memory_is_not_in_the_program) {
  int* values = ints(1);
  EXPECT_EXIT(std::raise(*static_cast<volatile int*>(values) == 0 ? SIGKILL : SIGTERM),
              testing::KilledBySignal(SIGSEGV), "host code read from device memory");
}

TEST_F(OnDevice, managed_and_pinned_memory_is_in_both) {
  int* managed = nullptr;
  int* pinned = nullptr;
  ASSERT_EQ(cudaMallocManaged(&managed, sizeof(int)), cudaSuccess);
  ASSERT_EQ(cudaMallocHost(&pinned, sizeof(int)), cudaSuccess);
  for (int* values : {managed, pinned}) {
    *values = 1;
    EXPECT_EQ(launch(mark, values), cudaSuccess);
    EXPECT_EQ(*values, 10);
  }
  EXPECT_EQ(cudaFree(managed), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(pinned), cudaSuccess);
  EXPECT_EXIT(*static_cast<volatile int*>(managed) = 1, testing::KilledBySignal(SIGSEGV), "");
}

TEST_F(OnDevice, registered_memory_holds_what_a_kernel_wrote_and_no_more) {
  std::vector<int> values(5000, 3);
  ASSERT_EQ(cudaHostRegister(values.data() + 1000, 3000 * sizeof(int), 0), cudaSuccess);
  EXPECT_EQ(launch(mark, values.data() + 2000), cudaSuccess);
  std::vector<int> expected(5000, 3);
  expected[2000] = 10;
  EXPECT_EQ(values, expected);
  EXPECT_EQ(cudaMemset(values.data() + 1000, 0, 8), cudaSuccess);
  EXPECT_EQ(values[1001], 0);
  EXPECT_EQ(cudaHostUnregister(values.data() + 1000), cudaSuccess);
}

TEST_F(OnDevice, an_error_is_the_threads_own_until_it_asks) {
  EXPECT_NE(cudaSetDevice(7), cudaSuccess);
  std::thread([] { EXPECT_EQ(cudaGetLastError(), cudaSuccess); }).join();
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(OnDevice, belongs_to_one_process_and_not_to_its_forks) {
  ints(1);
  const pid_t child = fork();
  if (child == 0) {
    void* pointer = nullptr;
    ::_exit(cudaMalloc(&pointer, 4) == cudaErrorInitializationError ? 42 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 42);
}

TEST_F(OnDevice, what_it_saw_goes_to_the_judge_in_two_parts) {
  int* values = ints(4);
  const int zero = 0;
  cudaMemcpy(values, &zero, sizeof zero, cudaMemcpyHostToDevice);
  warpmark_device_mark();
  warpmark_device_settle();
  launch(mark, values);
  launch(outside, values);
  const wire::DeviceReply seen = drain();
  EXPECT_EQ(seen.marks, 1U);
  ASSERT_EQ(seen.before.transfers.size(), 1U);
  EXPECT_EQ(seen.before.transfers.front().bytes, sizeof zero);
  EXPECT_TRUE(seen.observed.transfers.empty());
  EXPECT_EQ(seen.observed.launches.size(), 2U);
  ASSERT_EQ(seen.observed.findings.size(), 1U);
  EXPECT_EQ(seen.observed.findings.front().kind, CauseKind::out_of_bounds);
  wire::DeviceReply nothing;
  nothing.number = seen.number + 1;
  const wire::DeviceReply again = drain();
  nothing.processor_us = again.processor_us;
  EXPECT_EQ(again, nothing) << "it is told once";
}

TEST_F(OnDevice, what_need_not_be_answered_comes_before_the_next_call) {
  int* values = ints(1);
  warpmark_device_mark();
  EXPECT_EQ(drain().marks, 0U) << "it waits";
  EXPECT_EQ(launch(mark, values), cudaSuccess);
  const wire::DeviceReply seen = drain();
  EXPECT_EQ(seen.marks, 1U);
  EXPECT_EQ(seen.observed.launches.size(), 1U) << "the launch comes behind the mark";
}

TEST_F(OnDevice, the_begin_of_a_call_waits_for_nothing) {
  warpmark_device_mark();
  warpmark_device_begin_call(nullptr, nullptr);
  const wire::DeviceReply seen = drain();
  EXPECT_EQ(seen.marks, 1U);
  EXPECT_EQ(seen.calls, 1U);
  warpmark_device_end_call(nullptr);
}

TEST_F(OnDevice, an_error_of_what_was_not_answered_is_told_once) {
  warpmark_device_save(this, 4);
  warpmark_device_mark();
  EXPECT_EQ(cudaStreamQuery(nullptr), cudaSuccess) << "this one has none";
  EXPECT_EQ(warpmark_device_settle(), cudaErrorInvalidValue);
  warpmark_device_mark();
  EXPECT_EQ(warpmark_device_settle(), cudaSuccess);
}

TEST_F(OnDevice, a_sticky_error_answers_what_was_answered_without_the_device) {
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  EXPECT_EQ(launch(outside, ints(4)), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  EXPECT_EQ(cudaGetLastError(), cudaErrorIllegalAddress);
  std::thread([] { EXPECT_EQ(cudaPeekAtLastError(), cudaErrorIllegalAddress); }).join();
}

TEST_F(OnDevice, a_judge_that_forgives_ends_an_error_once_it_was_told) {
  for (const bool forgives : {false, true}) {
    cudaDeviceReset();
    ASSERT_TRUE(device->prepare({.mode = wire::RunMode{.checking = true, .forgives = forgives}}, soon()));
    EXPECT_EQ(launch(outside, ints(4)), cudaErrorIllegalAddress);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress) << "until it is told";
    drain();
    EXPECT_EQ(cudaDeviceSynchronize(), forgives ? cudaSuccess : cudaErrorIllegalAddress);
  }
}

TEST_F(OnDevice, a_launch_past_its_warp_instructions_ends_as_endless) {
  constexpr std::uint64_t kEnough = 10'000'000;
  for (const std::uint64_t most : {kEnough, std::uint64_t{10'000}}) {
    ASSERT_TRUE(
        device->prepare({.mode = wire::RunMode{.checking = true, .launch_instructions = most}}, soon()));
    EXPECT_EQ(launch(counting, ints(1)), most == kEnough ? cudaSuccess : cudaErrorLaunchTimeout) << most;
    const wire::DeviceReply seen = drain();
    EXPECT_EQ(seen.before.findings.size(), most == kEnough ? 0U : 1U);
    if (most != kEnough && !seen.before.findings.empty())
      EXPECT_EQ(seen.before.findings[0].kind, CauseKind::endless_loop);
  }
}

TEST_F(OnDevice, the_processor_time_of_launches_is_reported) {
  const std::uint64_t before = drain().processor_us;
  int* values = ints(1);
  for (int i = 0; i < 100; ++i) launch(mark, values);
  cudaDeviceSynchronize();
  EXPECT_GT(drain().processor_us, before);
}

// A file in memory with these values.
SharedMemory file_of(const std::vector<int>& values) {
  SharedMemory file(values.size() * sizeof(int));
  std::memcpy(file.bytes().data(), values.data(), file.size());
  return file;
}

TEST_F(OnDevice, the_judges_bytes_come_and_go_past_the_program) {
  const SharedMemory source = file_of({1, 2, 3});
  SharedMemory target(5 * sizeof(int));
  target.seal_size();
  ASSERT_TRUE(device->prepare({.mode = {}, .source = source.fd(), .target = target.fd()}, soon()));
  void* data = nullptr;
  std::size_t bytes = 0;
  ASSERT_EQ(warpmark_device_filled(&data, &bytes), cudaSuccess);
  ASSERT_EQ(bytes, source.size());
  int* values = ints(2);
  warpmark_device_take(values, 2 * sizeof(int));
  warpmark_device_save(data, bytes);
  warpmark_device_save(values, 2 * sizeof(int));
  warpmark_device_mark();
  warpmark_device_take(values, 2 * sizeof(int));
  EXPECT_EQ(warpmark_device_settle(), cudaSuccess);
  EXPECT_EQ(std::memcmp(target.bytes().data(), std::vector{1, 2, 3, 1, 2}.data(), target.size()), 0);
  const wire::DeviceReply seen = drain();
  EXPECT_EQ(seen.taken, 7 * sizeof(int));
  EXPECT_EQ(seen.saved, 5 * sizeof(int));
  EXPECT_EQ(seen.before.transfers.size(), 2U)
      << "inputs that come before a call are no transfers of the program";
  EXPECT_EQ(seen.observed.transfers.size(), 1U);
  EXPECT_EQ(drain().saved, 0U);
}

TEST_F(OnDevice, no_more_is_saved_than_the_judge_has_room_for) {
  SharedMemory target(sizeof(int));
  target.seal_size();
  ASSERT_TRUE(device->prepare({.mode = {}, .source = -1, .target = target.fd()}, soon()));
  int* values = ints(2);
  cudaMemset(values, 0, 2 * sizeof(int));
  warpmark_device_save(values, 2 * sizeof(int));
  EXPECT_EQ(warpmark_device_settle(), cudaErrorInvalidValue);
  EXPECT_EQ(drain().saved, 0U);
}

// What the judge is told of an answer that `write` made, where four words of memory are read as the answer.
class WhoWrote : public OnDevice {
 protected:
  template <class Write>
  std::vector<wire::Finding> of(Write write, const wire::RunMode& mode) {
    const SharedMemory source = file_of({0, 0, 0, 0});
    SharedMemory target(source.size());
    target.seal_size();
    EXPECT_TRUE(device->prepare({.mode = mode, .source = source.fd(), .target = target.fd()}, soon()));
    int* answer = ints(4);
    warpmark_device_take(answer, source.size());
    warpmark_device_begin_call(nullptr, nullptr);
    write(answer);
    warpmark_device_end_call(nullptr);
    warpmark_device_save(answer, source.size());
    EXPECT_EQ(warpmark_device_settle(), cudaSuccess);
    std::vector<wire::Finding> told;
    for (const wire::DeviceReply seen = drain(); const auto& part : {seen.before, seen.observed}) {
      for (const wire::Finding& finding : part.findings) {
        if (finding.kind == CauseKind::no_kernel) told.push_back(finding);
      }
    }
    return told;
  }
  static void copy(int* to, const std::vector<int>& values) {
    cudaMemcpy(to, values.data(), values.size() * sizeof(int), cudaMemcpyHostToDevice);
  }
  static constexpr wire::RunMode kPlain{.checking = true};
  static constexpr wire::RunMode kLooking{.checking = true, .check_accesses = true};
};

TEST_F(WhoWrote, an_answer_the_host_did) {
  EXPECT_EQ(of([](int* answer) { copy(answer, {41}); }, kPlain).size(), 1U);
  EXPECT_EQ(of([](int* answer) { copy(answer, {1, 2, 3, 4}); }, kPlain).size(), 1U);
  EXPECT_EQ(of([](int* answer) { cudaMemset(answer, 7, sizeof(int)); }, kPlain).size(), 1U);
}

TEST_F(WhoWrote, an_answer_the_host_did_by_way_of_other_memory) {
  const auto staged = [](int* answer) {
    int* between = ints(8);
    copy(between + 2, {1, 2, 3, 4});
    cudaMemcpy(answer, between + 2, 4 * sizeof(int), cudaMemcpyDeviceToDevice);
  };
  EXPECT_EQ(of(staged, kPlain).size(), 1U);
}

TEST_F(WhoWrote, zeros_and_one_value_in_all_words_are_no_answer) {
  EXPECT_THAT(of([](int* answer) { copy(answer, {0, 0}); }, kPlain), testing::IsEmpty());
  EXPECT_THAT(of([](int* answer) { copy(answer, {5, 5, 5, 5}); }, kPlain), testing::IsEmpty());
}

TEST_F(WhoWrote, an_answer_a_kernel_did_after_the_host) {
  const auto write = [this](int* answer) {
    copy(answer, {41});
    launch(mark, answer);
  };
  EXPECT_THAT(of(write, kPlain), testing::IsEmpty());
  EXPECT_THAT(of(write, kLooking), testing::IsEmpty());
}

TEST_F(WhoWrote, with_accesses_looked_at_a_kernel_beside_is_none_that_did) {
  const auto write = [this](int* answer) {
    int* elsewhere = ints(1);
    copy(answer, {41});
    for (int i = 0; i < 130; ++i) launch(mark, elsewhere);  // the shadow's numbers of launches begin again
  };
  EXPECT_EQ(of(write, kLooking).size(), 1U);
}

TEST_F(OnDevice, more_copies_than_a_message_holds_end_the_program) {
  int* values = ints(2);
  cudaMemset(values, 0, 2 * sizeof(int));
  cudaError_t error = cudaSuccess;
  for (int i = 0; i < 200'000 && error == cudaSuccess; ++i)
    error = cudaMemcpy(values, values + 1, sizeof(int), cudaMemcpyDeviceToDevice);
  EXPECT_EQ(error, cudaErrorLaunchTimeout);
  const wire::DeviceReply seen = drain();
  ASSERT_EQ(seen.before.findings.size(), 1U);
  EXPECT_EQ(seen.before.findings[0].kind, CauseKind::launch_limit);
  EXPECT_THAT(seen.before.findings[0].message, HasSubstr("Let each launch do more work"));
}

TEST_F(OnDevice, what_the_caller_is_to_free_begins_an_allocation) {
  for (const int offset : {0, 3}) {
    int* values = ints(8);
    warpmark_device_begin_call(nullptr, nullptr);
    warpmark_device_end_call(values + offset);
    EXPECT_EQ(warpmark_device_settle(), cudaSuccess);
    const wire::DeviceReply seen = drain();
    ASSERT_EQ(seen.before.findings.size(), offset == 0 ? 0U : 1U);
    if (offset == 0) continue;
    EXPECT_THAT(seen.before.findings[0].message, HasSubstr("12 bytes behind the begin"));
  }
}

TEST_F(OnDevice, in_an_audit_tells_events) {
  int* values = ints(1);
  launch(mark, values);
  const wire::DeviceReply seen = drain(true);
  ASSERT_TRUE(seen.before.events && seen.observed.events);
  ASSERT_EQ(seen.before.events->size(), 1U) << "without a mark all was before";
  EXPECT_TRUE(seen.before.events->front().launch.has_value());
}

}  // namespace
}  // namespace warpmark
