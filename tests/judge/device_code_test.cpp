#include "harness/judge/workers/device_code.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "harness/judge/workers/causes.h"
#include "harness/simulator/both/fat_binary.h"

namespace warpmark::judge {
namespace {

using testing::HasSubstr;

std::string kernel_with(const std::string& statement) {
  return ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n.reg .b32 %r<3>;\n" +
         statement + "\nret;\n}\n";
}

class DeviceCodeTest : public testing::Test {
 protected:
  void write(const std::string& contents) const {
    if (!write_file(library, contents)) throw std::runtime_error("cannot write");
  }
  // A library with the same code at both levels between other bytes.
  void write_code(const std::string& ptx) const {
    write(
        "\x7f"
        "ELF" +
        simulator::pack({ptx, ptx}) + "more");
  }
  [[nodiscard]] Cause claimed(const std::string& words = "the worker's words") const {
    wire::Observation seen;
    seen.findings = {{.kind = CauseKind::unsupported, .kernel = "k", .message = words}};
    return causes_of(seen, {}, {nullptr, &submission, library, &installation}).front();
  }
  [[nodiscard]] DeviceCode code() const { return device_code_of(installation, library); }
  const TemporaryFolder folder;
  const Installation installation{.programs = std::filesystem::path(WARPMARK_DEVICE).parent_path()};
  const std::filesystem::path library = folder.path() / "v.so";
  Submission submission;
};

TEST_F(DeviceCodeTest, that_the_simulator_can_run_lacks_nothing) {
  write_code(kernel_with("add.s32 %r1, %r2, 1;"));
  EXPECT_EQ(code().kind, DeviceCode::Kind::simulated);
}

TEST_F(DeviceCodeTest, is_named_by_the_instruction_that_is_not_simulated) {
  write_code(kernel_with("frobnicate.s32 %r1, %r2;"));
  EXPECT_EQ(code().kind, DeviceCode::Kind::lacking);
  EXPECT_THAT(code().why, HasSubstr("instruction frobnicate.s32"));
}

TEST_F(DeviceCodeTest, is_read_once_for_a_library) {
  write_code(kernel_with("frobnicate.s32 %r1, %r2;"));
  EXPECT_EQ(code().kind, DeviceCode::Kind::lacking);
  EXPECT_THAT(device_code_of({.programs = "/nowhere"}, library).why, HasSubstr("frobnicate"));
}

TEST_F(DeviceCodeTest, that_costs_too_much_to_read_is_the_submissions_fault) {
  write_code(kernel_with("add.s32 %r1, %r2, 1;"));
  std::filesystem::resize_file(library, kLargestFile + 1);
  EXPECT_EQ(code().kind, DeviceCode::Kind::costly);
  EXPECT_EQ(claimed().kind, CauseKind::cuda_error) << "its points are not open";
  EXPECT_THAT(claimed().message, HasSubstr("larger than 64 MiB"));
}

TEST_F(DeviceCodeTest, whose_length_is_a_lie_is_not_read_past_its_end) {
  write("warpmark-fat-binary/1\nO0 99999999999\n.version");
  EXPECT_EQ(code().kind, DeviceCode::Kind::simulated);
  write("warpmark-fat-binary/1\nO0 18446744073709551615");
  EXPECT_EQ(code().kind, DeviceCode::Kind::simulated);
}

TEST_F(DeviceCodeTest, decides_whether_a_worker_that_says_unsupported_is_believed) {
  write_code(kernel_with("frobnicate.s32 %r1, %r2;"));
  EXPECT_EQ(claimed().kind, CauseKind::unsupported);
  EXPECT_THAT(claimed().message, HasSubstr("frobnicate")) << "in the judge's words";
  write_code(kernel_with("add.s32 %r1, %r2, 1;"));
  EXPECT_EQ(claimed().kind, CauseKind::cuda_error);
}

TEST_F(DeviceCodeTest, that_calls_a_library_may_lack_that_library) {
  const std::string missing = std::string(wire::kNotInBuild) + ": install libopenblas0";
  write_code(kernel_with("add.s32 %r1, %r2, 1;") + "\n// warpmark_device_library_call");
  EXPECT_EQ(claimed(missing).kind, CauseKind::unsupported);
  EXPECT_EQ(claimed(missing).message, missing);
  EXPECT_EQ(claimed().kind, CauseKind::cuda_error);
  write_code(kernel_with("add.s32 %r1, %r2, 1;"));
  EXPECT_EQ(claimed(missing).kind, CauseKind::cuda_error) << "it calls none";
}

}  // namespace
}  // namespace warpmark::judge
