#include "harness/judge/workers/causes.h"

#include <cstdlib>
#include <filesystem>
#include <string>

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"

namespace warpmark::judge {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

wire::Finding finding(CauseKind kind, std::string file = "", int line = 0, std::string message = "m") {
  return {.kind = kind,
          .kernel = {},
          .file = std::move(file),
          .line = line,
          .message = std::move(message),
          .frames = {}};
}

wire::Observation observation_with(std::vector<wire::Finding> findings) {
  wire::Observation observation;
  observation.findings = std::move(findings);
  return observation;
}

// A submission of one file, in a folder beside something that is none of its business.
class Findings : public testing::Test {
 protected:
  Findings() {
    submission.folder = fs::canonical(folder.path()) / "alice";
    fs::create_directory(submission.folder);
    write("alice/v.cu", "one\ntwo\nthree\nfour\nfive\nsix\n");
    write("secret.h", "secret\n");
    file.name = "v.cu";
  }
  void write(const fs::path& name, const std::string& text) const {
    if (!write_file(folder.path() / name, text)) throw std::runtime_error("cannot write " + name.string());
  }
  Cause cause_of(const wire::Finding& found) const {
    const auto causes = causes_of(observation_with({found}), {}, {&file, &submission});
    EXPECT_THAT(causes, SizeIs(1));
    return causes.empty() ? Cause{} : causes.front();
  }

  TemporaryFolder folder;
  Submission submission;
  SubmittedFile file;
};

// A finding about host code has addresses in the version's library for a place.
class HostFrames : public Findings {
 protected:
  void SetUp() override {
    write("alice/v.cu",
          "extern \"C\" int stub(int n) {\n  return n + 1;\n}\n\n"
          "extern \"C\" int version(int n) {\n  return stub(n) * 2;\n}\n");
    library = submission.folder / "v.so";
    const std::string command = "cd '" + submission.folder.string() +
                                "' && g++ -x c++ -g -gdwarf-4 -O0 -fPIC -shared v.cu -o v.so 2>/dev/null";
    if (std::system(command.c_str()) != 0) GTEST_SKIP() << "no g++";
    handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(handle, nullptr) << ::dlerror();
  }
  void TearDown() override {
    if (handle != nullptr) ::dlclose(handle);
  }
  // An address in the body of a function.
  [[nodiscard]] std::uint64_t inside(const char* function) const {
    void* symbol = ::dlsym(handle, function);
    Dl_info where{};
    EXPECT_NE(::dladdr(symbol, &where), 0);
    return static_cast<std::uint64_t>(static_cast<char*>(symbol) - static_cast<char*>(where.dli_fbase)) + 8;
  }
  Cause pointed(const std::vector<std::uint64_t>& frames, bool of_launch) const {
    Cause cause;
    point_to_host_code(cause, frames, of_launch, {&file, &submission, library});
    return cause;
  }

  fs::path library;
  void* handle = nullptr;
};

TEST_F(HostFrames, give_the_line_of_the_innermost_function) {
  const Cause cause = pointed({inside("stub"), inside("version")}, false);
  EXPECT_EQ(fs::path(cause.file).filename(), "v.cu");
  EXPECT_THAT(cause.line, AllOf(testing::Ge(1), testing::Le(3)));
  EXPECT_FALSE(cause.excerpt.empty());
}

TEST_F(HostFrames, of_a_launch_give_the_line_that_called_the_stub) {
  const Cause cause = pointed({inside("stub"), inside("version")}, true);
  EXPECT_THAT(cause.line, AllOf(testing::Ge(5), testing::Le(7)));
}

TEST_F(HostFrames, outside_of_the_submission_give_no_line) {
  EXPECT_EQ(pointed({0}, false).line, 0);
  EXPECT_EQ(pointed({}, false).line, 0);
}

TEST_F(Findings, become_causes_with_the_students_lines_around) {
  const Cause cause = cause_of(finding(CauseKind::out_of_bounds, "v.cu", 3, "past the end"));
  EXPECT_EQ(cause.kind, CauseKind::out_of_bounds);
  EXPECT_EQ(cause.message, "past the end");
  EXPECT_EQ(cause.file, "v.cu");
  EXPECT_EQ(cause.line, 3);
  ASSERT_FALSE(cause.excerpt.empty());
  bool shown = false;
  for (const SourceLine& line : cause.excerpt) shown = shown || (line.number == 3 && line.text == "three");
  EXPECT_TRUE(shown);
}

TEST_F(Findings, inside_a_kernel_name_its_last_launch_and_the_two_accesses_of_a_race) {
  wire::Observation seen;
  wire::Finding race = finding(CauseKind::race, "v.cu", 3);
  race.kernel = "tree";
  race.accesses = {{"thread (1,0,0)", "shared[1]", 3, true}, {"thread (0,0,0)", "shared[1]", 4, false}};
  wire::Finding refused = finding(CauseKind::cuda_error);
  refused.kernel = "tree";
  seen.findings = {race, refused};
  for (const std::uint32_t blocks : {7U, 2U})
    seen.launches.push_back(
        {.kernel = "tree", .grid = {blocks, 1, 1}, .block = {64, 2, 1}, .shared_bytes = 512});
  seen.launches.push_back({.kernel = "other"});
  const auto causes = causes_of(seen, {}, {&file, &submission});
  ASSERT_THAT(causes, SizeIs(2));
  ASSERT_TRUE(causes[0].launch);
  EXPECT_EQ(causes[0].launch->grid, (std::vector<std::uint64_t>{2, 1, 1}));
  EXPECT_EQ(causes[0].launch->block, (std::vector<std::uint64_t>{64, 2, 1}));
  EXPECT_EQ(causes[0].launch->shared_bytes, 512U);
  ASSERT_THAT(causes[0].accesses, SizeIs(2));
  EXPECT_EQ(causes[0].accesses[0].element, "shared[1]");
  EXPECT_TRUE(causes[0].accesses[0].writes);
  EXPECT_FALSE(causes[1].launch) << "the launch that was refused is not the one that was made";
}

TEST_F(Findings, in_a_header_that_was_given_are_told_at_the_line_that_leads_there) {
  file.text = "void v(int* to) {\n  unpack<<<1, 1>>>(to);\n}\n";
  write("alice/v.cu", file.text);
  submission.given["packed.h"] = "__global__ void unpack(int* to) {\n  to[9] = 1;\n}\n";
  const Cause given = cause_of(finding(CauseKind::out_of_bounds, "packed.h", 2, "past the end"));
  EXPECT_EQ(given.file, "v.cu");
  EXPECT_EQ(given.line, 2);
  EXPECT_THAT(given.message, HasSubstr("that is line 2 of packed.h, which this line reaches"));
  const Cause own = cause_of(finding(CauseKind::out_of_bounds, "own.h", 2, "past the end"));
  EXPECT_EQ(own.file, "own.h") << "students write in it";
}

// Lines of the source that an engine's finding leads to.
TEST_F(Findings, name_the_other_lines_that_they_lead_to) {
  struct Row {
    CauseKind kind;
    int line;
    std::string message;
    std::string source;
    std::string told;
  };
  for (const Row& row : std::vector<Row>{
           {CauseKind::out_of_bounds, 3, "4-byte write past the end of the 64-byte shared array tile",
            "__global__ void k() {\n  __shared__ int tile[16];\n  tile[20] = 1;\n}\n",
            "line 2 declares the array, perhaps too small: `__shared__ int tile[16];`"},
           {CauseKind::uninitialised_read, 2, "k reads work[4], of the 8 bytes only 4 were set; it",
            "__global__ void k(int* work) {\n  work[4] += 1;\n}\nvoid v(int* work) {\n  cudaMemset(work, 0, "
            "4);\n}\n",
            "line 5 sets memory: `cudaMemset(work, 0, 4);`"},
           {CauseKind::divergent_barrier, 3, "125 of the 128 threads returned before this barrier",
            "__global__ void k(int n) {\n  if (n == 0) return;\n  __syncthreads();\n}\n",
            "line 2 returns: `if (n == 0) return;`"},
           {CauseKind::misaligned, 2, "16-byte read at byte 4",
            "__global__ void k(const float* a) {\n  f(*(const float4*)a);\n}\n",
            "a float4 needs an address that 16 divides"},
           {CauseKind::misaligned, 4, "16-byte read at byte 4",
            "bool aligned(const float* a) {\n  return (std::uintptr_t)a % 16 == 0;\n}\n__global__ void "
            "k(const float* "
            "a) { f(*(const float4*)a); }\n",
            "line 2 tests an address: does it hold for this one, in each row?: `return (std::uintptr_t)a % "
            "16 == "
            "0;`. Behind an aligned first row, further rows are aligned only if the distance of rows is a "
            "multiple of 4 elements"}}) {
    write("alice/v.cu", row.source);
    file.text = row.source;
    EXPECT_THAT(cause_of(finding(row.kind, "v.cu", row.line, row.message)).message, HasSubstr(row.told));
  }
}

// An access past the end of a shared array with a number of elements, in a launch of 64 threads a block.
class SharedArrays : public Findings {
 protected:
  // `members`: how many elements lie between those of two lanes.
  Cause past_the_end(const std::string& source, int line, std::uint64_t elements, bool writes,
                     std::uint64_t members = 1) {
    write("alice/v.cu", source);
    file.text = source;
    wire::Finding found = finding(
        CauseKind::out_of_bounds, "v.cu", line,
        "4-byte access past the end of the 64-byte shared array tile; test the index against the size "
        "before the access");
    found.kernel = "k";
    found.warp_access = {.writes = writes, .shared = true, .bytes = 4, .elements = elements};
    for (std::uint64_t lane = 0; lane < 32; ++lane) found.warp_access->positions.push_back(members * lane);
    wire::Observation seen = observation_with({found});
    seen.launches.push_back({.kernel = "k", .grid = {1, 1, 1}, .block = {64, 1, 1}, .shared_bytes = 64});
    return causes_of(seen, {}, {&file, &submission}).at(0);
  }
  static std::string dynamic(const std::string& bytes) {
    return "__global__ void k() {\n  extern __shared__ int tile[];\n  tile[threadIdx.x] = 1;\n}\n"
           "void v() {\n  k<<<1, 64" +
           bytes + ">>>();\n}\n";
  }
};

TEST_F(SharedArrays, with_too_few_bytes_are_told_at_the_launch) {
  const Cause values = past_the_end(dynamic(", kThreads"), 3, 16, true);
  EXPECT_EQ(values.line, 6);
  EXPECT_EQ(values.other_line, 3);
  EXPECT_THAT(values.message, HasSubstr("`kThreads` counts elements, not bytes: `(kThreads) * sizeof(int)`"));
  EXPECT_THAT(values.message, testing::Not(HasSubstr("too small")));
  EXPECT_THAT(past_the_end(dynamic(""), 3, 0, true).message, HasSubstr("the third number is missing"));
  const Cause few = past_the_end(dynamic(", 32 * sizeof(int)"), 3, 32, true);
  EXPECT_EQ(few.line, 6);
  EXPECT_THAT(few.message, HasSubstr("passes `32 * sizeof(int)`, and its blocks have 64 threads"));
}

TEST_F(SharedArrays, of_which_each_thread_has_an_element_are_told_at_the_index) {
  EXPECT_EQ(past_the_end(dynamic(", 64 * sizeof(int)"), 3, 64, true).line, 3);
}

TEST_F(SharedArrays, with_an_element_per_warp_are_large_enough) {
  const std::string source = "__global__ void k() {\n  __shared__ int tile[2];\n  f(tile[lane]);\n}\n";
  const Cause read = past_the_end(source, 3, 2, false);
  EXPECT_THAT(read.message,
              AllOf(HasSubstr("only lanes 0 to 1 have one"), HasSubstr("`lane < 2 ?"),
                    testing::Not(HasSubstr("too small")), testing::Not(HasSubstr("test the index"))));
  EXPECT_THAT(past_the_end(source, 3, 2, true).message,
              HasSubstr("take the number of the warp as the index"));
  EXPECT_THAT(past_the_end(source, 3, 6, false, 3).message, HasSubstr("only lanes 0 to 1 have one"));
  EXPECT_THAT(past_the_end(source, 3, 16, false).message, HasSubstr("line 2 declares the array, perhaps"));
}

TEST_F(Findings, of_what_an_earlier_call_left_are_told_at_the_line_that_changes_it) {
  file.text =
      "__device__ unsigned ticket = 0;\n__global__ void k() {\n  f(ticket);\n  atomicAdd(&ticket, 1U);\n}\n";
  write("alice/v.cu", file.text);
  Cause cause = make_cause(CauseKind::wrong_when_called_again, "m", "v.cu");
  name_kept_variable(cause, {&file, &submission});
  EXPECT_EQ(cause.line, 4);
  EXPECT_EQ(cause.other_line, 1);
  EXPECT_THAT(cause.message,
              HasSubstr("line 1 keeps a value from call to call, `__device__ unsigned ticket"));
}

TEST_F(Findings, in_a_library_are_told_at_the_call) {
  file.text = "one\nvoid v() {\n  thrust::transform(a, b, c, f);\n  thrust::reduce(a, b);\n}\n";
  write("alice/v.cu", file.text);
  const Cause named = cause_of(finding(CauseKind::out_of_bounds, "/usr/include/thrust/reduce.h", 9,
                                       "4-byte read past the end (of x); test the index"));
  EXPECT_EQ(named.file, "v.cu");
  EXPECT_EQ(named.line, 4) << "the function whose header it is";
  EXPECT_THAT(named.message,
              AllOf(HasSubstr("4-byte read past the end in a kernel of the library, which line 4"),
                    testing::Not(HasSubstr("test the index"))));
  const Cause called = cause_of(finding(CauseKind::out_of_bounds, "/usr/include/cub/agent.h", 9,
                                        "4-byte read past the end, called from run.h:27, from v.cu:3"));
  EXPECT_EQ(called.line, 3) << "the caller that the finding names";
  const Cause own = cause_of(finding(CauseKind::out_of_bounds, "v.cu", 2, "4-byte read past the end"));
  EXPECT_EQ(own.line, 2) << "no header of a library";
}

TEST_F(Findings, keep_their_order) {
  const auto seen = observation_with({finding(CauseKind::misaligned), finding(CauseKind::deadlock)});
  const auto causes = causes_of(seen, {}, {&file, &submission});
  ASSERT_THAT(causes, SizeIs(2));
  EXPECT_EQ(causes[0].kind, CauseKind::misaligned);
  EXPECT_EQ(causes[1].kind, CauseKind::deadlock);
}

TEST_F(Findings, that_the_simulator_does_not_support_are_no_fault) {
  EXPECT_EQ(cause_of(finding(CauseKind::unsupported)).kind, CauseKind::unsupported);
}

TEST_F(Findings, show_no_file_from_outside_the_submission) {
  fs::create_symlink(folder.path() / "secret.h", submission.folder / "link.h");
  for (const std::string name : {"../secret.h", "x/../../secret.h", "link.h",
                                 (folder.path() / "secret.h").c_str(), ".", "missing.cu"}) {
    EXPECT_THAT(cause_of(finding(CauseKind::out_of_bounds, name, 1)).excerpt, IsEmpty()) << name;
  }
}

TEST_F(Findings, of_odd_names_have_no_excerpt) {
  EXPECT_THAT(cause_of(finding(CauseKind::deadlock, std::string("a\0b", 3), 1)).excerpt, IsEmpty());
}

TEST_F(Findings, behind_the_end_of_a_file_are_still_causes) {
  for (const int line : {7, 1'000'000'000}) {
    EXPECT_EQ(cause_of(finding(CauseKind::deadlock, "v.cu", line)).kind, CauseKind::deadlock);
  }
}

TEST_F(Findings, without_end_are_cut) {
  std::vector<wire::Finding> findings;
  for (int i = 0; i < 900; ++i) findings.push_back(finding(CauseKind::deadlock, "v.cu", i));
  EXPECT_THAT(causes_of(observation_with(std::move(findings)), {}, {}), SizeIs(100));
}

TEST(Replies, without_findings_and_failures_have_no_causes) {
  EXPECT_THAT(causes_of({}, {}, {}), IsEmpty());
}

TEST(Replies, of_a_function_that_threw_are_crashes) {
  const auto causes = causes_of({}, {.cuda_error = {}, .threw = "std::bad_alloc"}, {});
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].kind, CauseKind::crashed);
  EXPECT_THAT(causes[0].message, HasSubstr("std::bad_alloc"));
}

wire::Failure invalid_value() {
  return {.cuda_error = wire::CudaError{"cudaErrorInvalidValue", "invalid argument", "launch"}, .threw = {}};
}

TEST(Replies, report_what_cuda_said) {
  const auto causes = causes_of({}, invalid_value(), {});
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].kind, CauseKind::cuda_error);
  EXPECT_THAT(causes[0].message,
              AllOf(HasSubstr("cudaErrorInvalidValue"), HasSubstr("launch"), HasSubstr("invalid argument")));
}

TEST(Replies, report_the_finding_rather_than_the_error_that_it_led_to) {
  const auto causes = causes_of(observation_with({finding(CauseKind::out_of_bounds)}), invalid_value(), {});
  ASSERT_THAT(causes, SizeIs(1));
  EXPECT_EQ(causes[0].kind, CauseKind::out_of_bounds);
}

Cause cause_at(CauseKind kind, const std::string& file, int line) {
  Cause cause = make_cause(kind, "", file);
  cause.line = line;
  return cause;
}

TEST(AddOnce, keeps_one_of_a_kind_and_place) {
  std::vector<Cause> causes{cause_at(CauseKind::wrong_sum, "v.cu", 1)};
  add_once(causes, {cause_at(CauseKind::wrong_sum, "v.cu", 1), cause_at(CauseKind::wrong_sum, "v.cu", 2),
                    cause_at(CauseKind::wrong_sum, "w.cu", 1), cause_at(CauseKind::deadlock, "v.cu", 1),
                    cause_at(CauseKind::deadlock, "v.cu", 1)});
  EXPECT_THAT(causes, SizeIs(4));
}

}  // namespace
}  // namespace warpmark::judge
