// Libraries for the simulator, built by the real clang (skipped where there is none).

#include <set>
#include <thread>

#include "harness/build/exports.h"
#include "tests/build/fixture.h"

namespace warpmark::build {
namespace {

namespace fs = std::filesystem;
using testing::Contains;

class SimulatorBuild : public BuildTest {
 protected:
  // The PTX is text inside the library.
  static std::string contents(const Built& built) { return read_file(built.library).value_or(""); }
};

TEST_F(SimulatorBuild, makes_a_library_that_exports_its_functions) {
  write("a.cu", kGood);
  Request wanted = request("a.cu");
  wanted.exports = {"run"};
  const Built built = build(wanted);
  ASSERT_TRUE(built.causes.empty()) << built.causes.front().message << built.causes.front().details;
  EXPECT_THAT(symbols_of(built.library).value().exported, Contains("run"));
  EXPECT_FALSE(built.uses_thrust);
  EXPECT_FALSE(built.from_cache);
}

TEST_F(SimulatorBuild, embeds_the_device_code_at_both_levels_under_the_displayed_name) {
  write("part/a.cu", std::string("#include \"helper.h\"\n") + kGood +
                         "extern \"C\" void f(int* p) { other<<<1, 1>>>(p); }");
  write("part/helper.h", "__global__ inline void other(int* p) { *p = 2; }\n");
  const Built built = build("part/a.cu");
  ASSERT_TRUE(built.causes.empty()) << built.causes.front().details;
  const std::string library = contents(built);
  for (const char* text : {"\nO0 ", "\nO2 ", "\"part/a.cu\"", "\"part/helper.h\""}) {
    EXPECT_NE(library.find(text), std::string::npos) << text;
  }
  EXPECT_EQ(library.find(submission().string()), std::string::npos);
}

// clang 14 gives a variable of an unnamed namespace internal linkage, and -O2 then replaces it by its initial
// value.
TEST_F(SimulatorBuild, keeps_the_device_variables_of_unnamed_namespaces_at_both_levels) {
  const Built built = build_text(
      "namespace { __constant__ float weights[4]; namespace inner { __device__ int count; }\n"
      "struct Held { static __device__ int member; };\n__device__ int Held::member; }\n"
      "__global__ void use(float* p) { *p = weights[1] + inner::count + Held::member; }\n"
      "extern \"C\" void run(float* p, const float* w) {\n"
      "  cudaMemcpyToSymbol(weights, w, 16); cudaMemcpyToSymbol(inner::count, w, 4);\n"
      "  cudaMemcpyToSymbol(Held::member, w, 4); use<<<1, 1>>>(p); }\n");
  ASSERT_TRUE(built.causes.empty()) << built.causes.front().message << built.causes.front().details;
  const std::string library = contents(built);
  for (const std::string variable : {"\n.const .align 4 .b8 _ZN12_GLOBAL__N_17weightsE[16];",
                                     "\n.global .align 4 .u32 _ZN12_GLOBAL__N_15inner5countE;",
                                     "\n.global .align 4 .u32 _ZN12_GLOBAL__N_14Held6memberE;"}) {
    const std::size_t first = library.find(variable);
    ASSERT_NE(first, std::string::npos) << variable;
    EXPECT_NE(library.find(variable, first + 1), std::string::npos) << variable;
  }
}

std::set<std::string> precompiled_in(const fs::path& cache) {
  std::set<std::string> passes;
  for (const auto& entry : fs::directory_iterator(cache)) {
    const std::string name = entry.path().filename();
    if (const std::size_t dash = name.find('-'); dash != std::string::npos)
      passes.insert(name.substr(dash + 1));
  }
  return passes;
}

TEST_F(SimulatorBuild, parses_the_runtimes_headers_once_for_each_pass) {
  ASSERT_TRUE(build_text(kGood).causes.empty());
  EXPECT_THAT(precompiled_in(settings.cache), testing::ElementsAre("checking", "counting", "host"));
}

TEST_F(SimulatorBuild, takes_headers_of_the_library_that_clang_refuses_after_precompiled_ones) {
  const Built built = build_text(std::string("#include <map>\n#include <memory>\n#include <string>\n#include "
                                             "<vector>\n") +
                                 kGood + "std::map<int, std::string> of(std::vector<int> v);\n");
  EXPECT_TRUE(built.causes.empty()) << built.causes.front().message << built.causes.front().details;
}

TEST_F(SimulatorBuild, parses_the_runtimes_headers_in_each_source_where_their_folder_has_an_odd_name) {
  const fs::path odd = scratch.path() / "our $headers";
  fs::copy(settings.simulator_include, odd, fs::copy_options::recursive);
  settings.simulator_include = odd;
  const Built built = build_text(kGood);
  ASSERT_TRUE(built.causes.empty()) << built.causes.front().message << built.causes.front().details;
  EXPECT_TRUE(precompiled_in(settings.cache).empty());
}

TEST_F(SimulatorBuild, defines_the_value_type) {
  write("a.cu", "static_assert(sizeof(WARPMARK_VALUE) == 8, \"\");\n");
  Request wanted = request("a.cu");
  wanted.value_type = "unsigned long long";
  EXPECT_TRUE(build(wanted).causes.empty());
  wanted.value_type = "float";
  EXPECT_EQ(build(wanted).causes.size(), 1U);
  wanted.value_type = "";
  write("a.cu", "#ifdef WARPMARK_VALUE\n#error defined\n#endif\n");
  EXPECT_TRUE(build(wanted).causes.empty());
}

TEST_F(SimulatorBuild, finds_headers_in_the_given_folders_in_order) {
  const fs::path first = scratch.path() / "first";
  const fs::path second = scratch.path() / "second, with blanks";
  fs::create_directory(first);
  fs::create_directory(second);
  ASSERT_TRUE(write_file(first / "contract.h", "#define ORDER 1\n"));
  ASSERT_TRUE(write_file(second / "contract.h", "#define ORDER 2\n"));
  ASSERT_TRUE(write_file(second / "only here.h", "#define ONLY\n"));
  write("a.cu",
        "#include <contract.h>\n#include <only here.h>\n#ifndef ONLY\n#error\n#endif\nstatic_assert(ORDER == "
        "1, \"\");\n");
  Request wanted = request("a.cu");
  wanted.include_folders = {first, second};
  const Built built = build(wanted);
  EXPECT_TRUE(built.causes.empty()) << built.causes.front().details;
}

TEST_F(SimulatorBuild, says_whether_the_library_uses_thrust) {
  const fs::path thrust = scratch.path() / "toolkit" / "thrust";
  fs::create_directories(thrust);
  ASSERT_TRUE(write_file(thrust / "reduce.h", "\n"));
  write("a.cu", "#include <thrust/reduce.h>\n");
  Request wanted = request("a.cu");
  wanted.include_folders = {thrust.parent_path()};
  EXPECT_TRUE(build(wanted).uses_thrust);
  const Built again = build(wanted);
  EXPECT_TRUE(again.from_cache);
  EXPECT_TRUE(again.uses_thrust);
}

TEST_F(SimulatorBuild, takes_no_folder_of_the_sources_own_for_thrust) {
  fs::create_directories(submission() / "thrust");
  write("thrust/mine.h", "\n");
  EXPECT_FALSE(build_text("#include \"thrust/mine.h\"\n").uses_thrust);
}

TEST_F(SimulatorBuild, does_not_mind_warnings) {
  EXPECT_TRUE(build_text("#warning careful\nint f() { int unused; return 1 / 0; }\n").causes.empty());
}

TEST_F(SimulatorBuild, leaves_nothing_in_the_submission_or_beside_the_cache) {
  (void)build_text(kGood);
  EXPECT_EQ(std::distance(fs::directory_iterator(submission()), fs::directory_iterator()), 1);
  std::set<std::string> names;
  for (const auto& entry : fs::recursive_directory_iterator(settings.cache))
    names.insert(entry.path().filename());
  // A key and a digest of the library; three keys of precompiled headers, of which both of the device's
  // passes have read the same files.
  EXPECT_THAT(names, testing::SizeIs(2 + 2 + 3 + 2));
  EXPECT_THAT(names, Contains("library.so"));
  EXPECT_THAT(names, Contains("manifest"));
}

TEST_F(SimulatorBuild, can_be_done_by_several_threads_at_once) {
  write("a.cu", kGood);
  std::vector<Built> built(4);
  {
    std::vector<std::jthread> threads;
    threads.reserve(built.size());
    for (Built& one : built) threads.emplace_back([&] { one = build("a.cu"); });
  }
  for (const Built& one : built) {
    EXPECT_TRUE(one.causes.empty());
    EXPECT_EQ(one.library, built.front().library);
    EXPECT_TRUE(fs::exists(one.library));
  }
  EXPECT_TRUE(build("a.cu").from_cache);
}

}  // namespace
}  // namespace warpmark::build
