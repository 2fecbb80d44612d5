#include "harness/doctor/diagnosis.h"

#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <span>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/doctor/machine.h"

namespace warpmark::doctor {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

Facts without_gpu() {
  Facts facts = with_gpu();
  facts.engines[Engine::gpu] = {"", "", "no CUDA device (none reported)"};
  facts.nvcc.clear();
  facts.has_nvidia_smi = false;
  facts.gpus.clear();
  facts.thresholds_file.clear();
  facts.calibrated = false;
  facts.uvm_tools = false;
  return facts;
}

const Assessment* find(const Diagnosis& diagnosis, const std::string& name) {
  for (const Assessment& finding : diagnosis.findings) {
    if (finding.name == name) return &finding;
  }
  return nullptr;
}

TEST(Diagnosis, passes_a_machine_on_which_nothing_is_wrong) {
  for (const Facts& facts : {with_gpu(), without_gpu()}) {
    const Diagnosis diagnosis = diagnose(facts);
    for (const Assessment& finding : diagnosis.findings) {
      EXPECT_EQ(finding.status, Status::pass) << finding.name << ": " << finding.found;
      EXPECT_THAT(finding.found, Not(IsEmpty())) << finding.name;
      EXPECT_THAT(finding.repair, IsEmpty()) << finding.name;
    }
    EXPECT_EQ(diagnosis.exit_status(), 0);
  }
  EXPECT_EQ(diagnose(with_gpu()).engine, "gpu");
  EXPECT_EQ(diagnose(without_gpu()).engine, "simulator");
}

// One thing that is wrong, the finding that tells of it, and the command that repairs it.
struct Trouble {
  const char* name;
  void (*spoil)(Facts& facts);
  const char* finding;
  Status status;
  const char* found;
  const char* repair;
};

const Trouble kOnTheGpu[] = {
    {"old_driver", [](Facts& f) { f.gpus[0].driver = "570.1"; }, "driver", Status::caution, "older than 580",
     "apt-get install nvidia-driver-580"},
    {"no_cupti", [](Facts& f) { f.observer = "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES"; }, "cupti",
     Status::caution, "INSUFFICIENT_PRIVILEGES", "NVreg_RestrictProfilingToAdminUsers=0"},
    {"no_uvm_tools", [](Facts& f) { f.uvm_tools = false; }, "uvm tools", Status::caution, "managed memory",
     "nvidia-modprobe"},
    {"uncalibrated", [](Facts& f) { f.calibrated = false; }, "thresholds", Status::caution,
     "nvidia-h200.toml", "./warpmark calibrate"},
    {"exclusive", [](Facts& f) { f.gpus[0].compute_mode = "Exclusive_Process"; }, "compute mode",
     Status::fail, "Exclusive_Process", "nvidia-smi -c DEFAULT"},
    {"prohibited", [](Facts& f) { f.gpus[0].compute_mode = "Prohibited"; }, "compute mode", Status::fail,
     "Prohibited", "nvidia-smi -c DEFAULT"},
    {"neighbour", [](Facts& f) { f.gpu_processes = {"1234 python (20480 MiB)"}; }, "neighbours",
     Status::caution, "1234 python (20480 MiB)", "nvidia-smi"},
    {"busy", [](Facts& f) { f.gpus[0].busy_percent = 80; }, "neighbours", Status::caution, "80 % busy",
     "nvidia-smi"},
    {"memory_in_use", [](Facts& f) { f.gpus[0].used_mib = 30000; }, "neighbours", Status::caution,
     "30000 of 143771", "nvidia-smi"},
    {"unlocked_clocks", [](Facts& f) { f.gpus[0].sm_mhz = 345; }, "clocks", Status::caution,
     "345 of 1980 MHz", "nvidia-smi -lgc 1980"},
    {"power_capped_clocks", [](Facts& f) { f.gpus[0].throttle_reasons = 0x4; }, "throttling", Status::caution,
     "power cap", "nvidia-smi -q"},
    {"hot", [](Facts& f) { f.gpus[0].throttle_reasons = 0x60; }, "throttling", Status::caution,
     "software thermal limit, hardware thermal limit", "cool"},
    {"nearly_hot", [](Facts& f) { f.gpus[0].celsius = 85; }, "throttling", Status::caution, "85 C", "cool"},
    {"power_limit", [](Facts& f) { f.gpus[0].power_limit = 350; }, "power", Status::caution, "350 of 700 W",
     "nvidia-smi -pl 700"},
    {"no_persistence", [](Facts& f) { f.gpus[0].persistence = "Disabled"; }, "persistence", Status::caution,
     "off", "nvidia-smi -pm 1"},
    {"no_clang", [](Facts& f) { f.engines[Engine::simulator].missing = "there is no clang++"; }, "clang",
     Status::caution, "there is no clang++", "apt-get install clang"},
};

const Trouble kAnywhere[] = {
    {"no_thrust", [](Facts& f) { f.thrust_headers = false; }, "thrust", Status::caution, "no headers",
     "libthrust-dev"},
    {"no_box",
     [](Facts& f) {
       f.sandbox_level = "process";
       f.sandbox_trouble = "bwrap: No permissions to create new namespace";
       f.sandbox_remedy = "sysctl -w kernel.unprivileged_userns_clone=1";
     },
     "sandbox", Status::caution, "level process, so grade only code that you trust: bwrap: No permissions",
     "userns"},
    {"debug", [](Facts& f) { f.debug_build = true; }, "build", Status::caution, "Debug", "./warpmark"},
    {"governor", [](Facts& f) { f.governor = "powersave"; }, "governor", Status::caution, "powersave",
     "cpupower frequency-set -g performance"},
    {"stolen", [](Facts& f) { f.steal_percent = 12; }, "cpu", Status::caution, "12.0 %", "top"},
    {"loaded", [](Facts& f) { f.busy_cpus = 15; }, "cpu", Status::caution, "15.0 of them busy", "top"},
    {"little_memory", [](Facts& f) { f.free_memory = std::uint64_t{1} << 30; }, "memory", Status::caution,
     "1.0 GiB", "--jobs 1"},
    {"no_memory", [](Facts& f) { f.free_memory = std::uint64_t{100} << 20; }, "memory", Status::fail,
     "100 MiB", "--jobs 1"},
    {"little_disk", [](Facts& f) { f.free_disk = std::uint64_t{500} << 20; }, "disk", Status::caution,
     "500 MiB", "cache"},
    {"no_disk", [](Facts& f) { f.free_disk = 0; }, "disk", Status::fail, "/warpmark/build", "cache"},
};

const Trouble kWithoutGpu[] = {
    {"no_engine", [](Facts& f) { f.engines[Engine::simulator].missing = "there is no clang++"; }, "clang",
     Status::fail, "there is no clang++", "apt-get install clang"},
    {"gpu_that_cannot_be_used", [](Facts& f) { f.gpus = {h200()}; }, "gpu", Status::caution, "no CUDA device",
     "./warpmark doctor"},
    {"gpu_without_nvcc", [](Facts& f) { f.gpus = {h200()}; }, "nvcc", Status::caution, "none",
     "install CUDA 13"},
};

class Troubles : public testing::TestWithParam<std::pair<Facts (*)(), Trouble>> {};

TEST_P(Troubles, are_told_with_their_repair_and_alone) {
  const auto& [make, trouble] = GetParam();
  Facts facts = make();
  trouble.spoil(facts);
  const Diagnosis diagnosis = diagnose(facts);
  const Assessment* finding = find(diagnosis, trouble.finding);
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->status, trouble.status);
  EXPECT_THAT(finding->found, HasSubstr(trouble.found));
  EXPECT_THAT(finding->repair, HasSubstr(trouble.repair));
  EXPECT_EQ(diagnosis.exit_status(), trouble.status == Status::fail ? 1 : 0);
  for (const Assessment& other : diagnosis.findings) {
    // A GPU that cannot be used, or no engine at all, is told of twice: as the engine and as what it lacks.
    if (other.name == trouble.finding || other.name == "gpu" || other.name == "nvcc") continue;
    EXPECT_EQ(other.status, Status::pass) << other.name << ": " << other.found;
  }
}

auto named(Facts (*make)(), std::span<const Trouble> troubles) {
  std::vector<std::pair<Facts (*)(), Trouble>> list;
  for (const Trouble& trouble : troubles) list.emplace_back(make, trouble);
  return testing::ValuesIn(list);
}
std::string name_of_case(const testing::TestParamInfo<std::pair<Facts (*)(), Trouble>>& info) {
  return info.param.second.name;
}

INSTANTIATE_TEST_SUITE_P(OnTheGpu, Troubles, named(with_gpu, kOnTheGpu), name_of_case);
INSTANTIATE_TEST_SUITE_P(Anywhere, Troubles, named(with_gpu, kAnywhere), name_of_case);
INSTANTIATE_TEST_SUITE_P(AnywhereElse, Troubles, named(without_gpu, kAnywhere), name_of_case);
INSTANTIATE_TEST_SUITE_P(WithoutGpu, Troubles, named(without_gpu, kWithoutGpu), name_of_case);

TEST(Diagnosis, names_the_program_of_an_installation_and_no_wrapper) {
  Facts facts = without_gpu();
  facts.program = "warpmark";
  facts.kernel = {true, "it does not end"};
  EXPECT_THAT(to_console(diagnose(facts), false),
              AllOf(HasSubstr("then warpmark doctor"), Not(HasSubstr("./warpmark"))));
}

TEST(Diagnosis, without_any_engine_grades_on_nothing) {
  Facts facts = without_gpu();
  facts.engines[Engine::simulator].missing = "there is no clang++";
  const Diagnosis diagnosis = diagnose(facts);
  EXPECT_EQ(diagnosis.engine, "");
  EXPECT_EQ(find(diagnosis, "gpu")->status, Status::fail);
}

TEST(Diagnosis, does_not_ask_about_a_gpus_state_where_nvidia_smi_tells_nothing) {
  Facts facts = with_gpu();
  facts.gpus.clear();
  const Diagnosis diagnosis = diagnose(facts);
  EXPECT_EQ(find(diagnosis, "clocks"), nullptr);
  EXPECT_EQ(find(diagnosis, "gpu")->status, Status::pass);
  facts.gpus = {GpuFacts{}};
  facts.gpus[0].driver = "580";
  for (const char* name : {"clocks", "power", "ecc"}) {
    EXPECT_THAT(find(diagnose(facts), name)->found, HasSubstr("not reported")) << name;
  }
}

TEST(Diagnosis, names_each_finding_once) {
  std::set<std::string> names;
  for (const Assessment& finding : diagnose(with_gpu()).findings)
    EXPECT_TRUE(names.insert(finding.name).second) << finding.name;
}

TEST(DoctorReport, puts_word_finding_and_repair_before_the_eye) {
  Facts facts = with_gpu();
  facts.gpus[0].persistence = "Disabled";
  facts.free_disk = 0;
  const std::string text = to_console(diagnose(facts), false);
  EXPECT_THAT(text, AllOf(HasSubstr("CAUTION  persistence"),
                          HasSubstr("\n                      sudo nvidia-smi -pm 1\n"),
                          HasSubstr("FAIL     disk"), HasSubstr("PASS     gpu"),
                          HasSubstr("Grading here uses the GPU; 1 thing stops it, 1 thing disturbs it.")));
  EXPECT_THAT(text, Not(HasSubstr("\x1b")));
  EXPECT_THAT(to_console(diagnose(facts), true), HasSubstr("\x1b[1;31mFAIL"));
  EXPECT_THAT(to_console(diagnose(without_gpu()), false),
              HasSubstr("Grading here uses the simulator; nothing stops it, nothing disturbs it."));
}

TEST(DoctorReport, spells_out_what_would_drive_the_terminal) {
  Facts facts = with_gpu();
  facts.gpu_processes = {"1 \x1b[2J"};
  EXPECT_THAT(to_console(diagnose(facts), false), AllOf(Not(HasSubstr("\x1b")), HasSubstr("\\x1b[2J")));
}

TEST(DoctorReport, json_holds_the_same) {
  Facts facts = with_gpu();
  facts.governor = "powersave";
  const auto json = nlohmann::json::parse(to_json(diagnose(facts)));
  EXPECT_EQ(json.at("schema"), "warpmark.doctor/1");
  EXPECT_EQ(json.at("engine"), "gpu");
  bool told = false;
  for (const auto& finding : json.at("findings")) {
    if (finding.at("name") != "governor") continue;
    told = true;
    EXPECT_EQ(finding.at("status"), "caution");
    EXPECT_EQ(finding.at("found"), "powersave");
    EXPECT_THAT(finding.at("repair").get<std::string>(), HasSubstr("cpupower"));
  }
  EXPECT_TRUE(told);
}

// The finding of that name; an empty one where there is none.
Assessment finding_of(const Facts& facts, const std::string& name) {
  for (Assessment& each : diagnose(facts).findings) {
    if (each.name == name) return std::move(each);
  }
  return {};
}

Facts with_host() {
  Facts facts = with_gpu();
  facts.engines[Engine::host] = {"g++ 12.2.0", "CPU, 16 cores", ""};
  facts.engines[Engine::thread_sanitizer] = {"clang 14.0.6", "CPU, 16 cores", ""};
  facts.engines[Engine::address_sanitizer] = {"clang 14.0.6", "CPU, 16 cores", ""};
  return facts;
}

TEST(Host, is_told_with_its_compiler_and_cores) {
  EXPECT_EQ(finding_of(with_host(), "g++").status, Status::pass);
  EXPECT_THAT(finding_of(with_host(), "g++").found, AllOf(HasSubstr("g++ 12.2.0"), HasSubstr("16 cores")));
  EXPECT_EQ(finding_of(with_host(), "sanitizers").status, Status::pass);
  Facts small = with_host();
  small.cpus = 1;
  EXPECT_THAT(finding_of(small, "g++").found, HasSubstr("`fast` stays undecided"));
}

TEST(Host, without_a_sanitizer_is_told_what_to_install) {
  Facts facts = with_host();
  facts.engines[Engine::address_sanitizer].missing = "there is no clang++";
  const Assessment sanitizers = finding_of(facts, "sanitizers");
  EXPECT_EQ(sanitizers.status, Status::caution);
  EXPECT_THAT(sanitizers.found, HasSubstr("there is no clang++"));
  EXPECT_THAT(sanitizers.repair, HasSubstr("libclang-rt-dev libomp-dev"));
}

TEST(Host, without_mpi_is_told_what_is_not_asked_and_what_to_install) {
  EXPECT_EQ(finding_of(with_host(), "mpi").name, "") << "it was not asked";
  Facts facts = with_host();
  facts.no_mpi = "there is no mpirun";
  EXPECT_EQ(finding_of(facts, "mpi").status, Status::caution);
  EXPECT_THAT(finding_of(facts, "mpi").found,
              AllOf(HasSubstr("stay undecided"), HasSubstr("there is no mpirun")));
  EXPECT_THAT(finding_of(facts, "mpi").repair, HasSubstr("libopenmpi-dev openmpi-bin"));
  facts.mpi = "Open MPI 4.1.4";
  EXPECT_EQ(finding_of(facts, "mpi").status, Status::pass);
  EXPECT_THAT(finding_of(facts, "mpi").found, HasSubstr("Open MPI 4.1.4"));
}

struct Tried {
  const char* name;
  Trial Facts::*trial;
};

class Trials : public testing::TestWithParam<Tried> {};
INSTANTIATE_TEST_SUITE_P(all, Trials,
                         testing::Values(Tried{"kernel", &Facts::kernel}, Tried{"thrust", &Facts::thrust},
                                         Tried{"mpi", &Facts::ranks}),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(Trials, pass_only_where_they_were_made_and_worked) {
  Facts facts = with_host();
  facts.mpi = "Open MPI 5.0.7";
  facts.*GetParam().trial = {true, ""};
  EXPECT_EQ(finding_of(facts, GetParam().name).status, Status::pass);
  EXPECT_NE(finding_of(facts, GetParam().name).name, "");
  facts.*GetParam().trial = {};
  EXPECT_EQ(finding_of(facts, GetParam().name).status, Status::caution);
  EXPECT_THAT(finding_of(facts, GetParam().name).found, HasSubstr("not tested"));
}

TEST_P(Trials, that_fail_tell_the_first_error_and_the_remedy_and_stop_grading) {
  Facts facts = with_host();
  facts.engines[Engine::gpu] = without_gpu().engines[Engine::gpu];
  facts.gpus.clear();
  facts.mpi = "Open MPI 5.0.7";
  facts.*GetParam().trial = {true, "tuple.h:159: unknown type name"};
  const Assessment finding = finding_of(facts, GetParam().name);
  EXPECT_EQ(finding.status, Status::fail);
  EXPECT_THAT(finding.found, HasSubstr("tuple.h:159: unknown type name"));
  EXPECT_THAT(finding.repair, HasSubstr("apt-get install"));
  EXPECT_EQ(diagnose(facts).exit_status(), 1);
}

TEST(TrialOfAKernel, that_fails_on_the_simulator_only_disturbs_where_the_gpu_decides) {
  Facts facts = with_gpu();
  facts.kernel = {true, "the program ran, but its result is wrong"};
  EXPECT_EQ(finding_of(facts, "kernel").status, Status::caution);
}

}  // namespace
}  // namespace warpmark::doctor
