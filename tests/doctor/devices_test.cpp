// What `warpmark doctor` says of GPUs as nvidia-smi describes them: one file per device in devices/, which
// names its source. "composed": written from documentation, not recorded on the device.
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "harness/doctor/diagnosis.h"
#include "harness/doctor/parse.h"
#include "tests/doctor/machine.h"

namespace warpmark::doctor {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::vector<fs::path> devices() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(fs::path(WARPMARK_ROOT) / "tests/doctor/devices"))
    files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

Facts facts_of(const json& device) {
  Facts facts = with_gpu();
  const json& smi = device.at("nvidia_smi");
  take({smi.at("gpus"), smi.at("list"), smi.at("processes"), smi.at("reasons")}, facts);
  facts.calibrated = device.value("calibrated", true);
  facts.probe = device.value("probe", "");
  facts.probe_trouble = device.value("probe_trouble", "");
  facts.smaller_size = device.value("smaller_size", "");
  return facts;
}

class Device : public testing::TestWithParam<fs::path> {};
INSTANTIATE_TEST_SUITE_P(, Device, testing::ValuesIn(devices()),
                         [](const auto& device) { return device.param.stem().string(); });

TEST_P(Device, is_told_with_all_that_disturbs_and_nothing_else) {
  const json device = json::parse(*read_file(GetParam()));
  EXPECT_THAT(device.at("source").get<std::string>(), Not(IsEmpty()));
  const Facts facts = facts_of(device);
  ASSERT_EQ(facts.gpus.size(), 1U);
  const Diagnosis diagnosis = diagnose(facts);
  std::vector<json> expected = device.at("expect");
  for (const Assessment& finding : diagnosis.findings) {
    const auto wanted =
        std::ranges::find_if(expected, [&](const json& each) { return each.at("finding") == finding.name; });
    if (wanted == expected.end()) {
      EXPECT_EQ(finding.status, Status::pass) << finding.name << ": " << finding.found;
      continue;
    }
    EXPECT_EQ(names_of(Status())[static_cast<std::size_t>(finding.status)], wanted->at("status"))
        << finding.name;
    EXPECT_THAT(finding.found, HasSubstr(wanted->at("found").get<std::string>()));
    EXPECT_THAT(finding.repair, HasSubstr(wanted->at("repair").get<std::string>()));
    expected.erase(wanted);
  }
  for (const json& missing : expected) ADD_FAILURE() << "not found: " << missing.at("finding");
}

// A GPU that grading cannot use: its state is told as a possible reason, and the simulator grades.
TEST(DeviceThatCannotBeUsed, tells_its_state_and_stops_nothing) {
  Facts facts = facts_of(
      json::parse(*read_file(fs::path(WARPMARK_ROOT) / "tests/doctor/devices/h200_mig_without_slice.json")));
  facts.engines[Engine::gpu] = {"", "", "no CUDA device (none reported)"};
  const Diagnosis diagnosis = diagnose(facts);
  EXPECT_EQ(diagnosis.exit_status(), 0);
  EXPECT_TRUE(std::ranges::any_of(diagnosis.findings, [](const Assessment& finding) {
    return finding.name == "mig" && finding.status == Status::caution;
  }));
}

TEST(ParseSlices, lists_the_mig_devices_of_each_gpu) {
  EXPECT_THAT(parse_slices("GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-1)\n"
                           "  MIG 3g.20gb     Device  0: (UUID: MIG-1)\n"
                           "  MIG 1c.3g.20gb  Device  1: (UUID: MIG-2)\n"
                           "GPU 1: NVIDIA A100-SXM4-40GB (UUID: GPU-2)\n"),
              testing::ElementsAre(testing::ElementsAre("3g.20gb", "1c.3g.20gb"), IsEmpty()));
  EXPECT_THAT(parse_slices("NVIDIA-SMI has failed\n  MIG 3g.20gb Device 0\n"), IsEmpty());
}

}  // namespace
}  // namespace warpmark::doctor
