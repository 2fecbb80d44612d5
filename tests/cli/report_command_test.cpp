// `report`: every report again from grade.json alone, and what the files of all commands look like.
#include <nlohmann/json.hpp>

#include <gmock/gmock.h>

#include "harness/model/grade.h"
#include "tests/cli/command_fixture.h"
#include "tests/reports/schema.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// Races: a thread reads what its neighbour writes, with no barrier between.
constexpr const char* kRace = R"(#include "warmup.h"

__global__ void race(value_t* values) {
  __shared__ int shared[64];
  shared[threadIdx.x % 64] = static_cast<int>(threadIdx.x);
  if (shared[(threadIdx.x + 33) % 64] == 99) values[0] = 0;
}
)";

class Report : public CommandTest {
 protected:
  Child grade(const std::string& submission, const fs::path& into, std::vector<std::string> more = {}) const {
    more.insert(more.begin(), {"grade", submission, "--engine", "simulator", "--out", into.string()});
    return run(more);
  }
  std::string bytes(const fs::path& file) const { return read_file(file).value_or("no " + file.string()); }
  json parsed(const fs::path& file) const { return json::parse(bytes(file), nullptr, false); }
  // What the console says before it names the files.
  static std::string shown(const std::string& output) {
    const std::size_t begin = output.find("warmup: ");
    return output.substr(begin, output.find("\nreport: ") - begin);
  }

  const std::string stubs = root / "student_template/warmup";
};

TEST_F(Report, makes_the_very_bytes_that_grade_wrote) {
  const Child graded = grade(stubs, out);
  ASSERT_EQ(graded.status, 1) << graded.output;
  const fs::path again = folder.path() / "again";
  const Child report = run({"report", (out / "grade.json").string(), "--out", again.string()});
  EXPECT_EQ(report.status, 0) << report.output;
  EXPECT_EQ(bytes(again / "index.html"), bytes(out / "index.html"));
  EXPECT_EQ(bytes(again / "junit.xml"), bytes(out / "junit.xml"));
  EXPECT_EQ(shown(report.output), shown(graded.output));
  EXPECT_THAT(shown(report.output), HasSubstr("score:"));
}

TEST_F(Report, makes_only_the_format_that_was_asked) {
  grade(stubs, out);
  const std::string file = (out / "grade.json").string();
  const fs::path page = folder.path() / "page";
  EXPECT_THAT(run({"report", file, "--format", "html", "--out", page.string()}).output,
              AllOf(HasSubstr("index.html"), Not(HasSubstr("score:"))));
  EXPECT_TRUE(fs::exists(page / "index.html"));
  EXPECT_FALSE(fs::exists(page / "junit.xml"));
  const fs::path junit = folder.path() / "junit";
  EXPECT_EQ(run({"report", file, "--format", "junit", "--out", junit.string()}).status, 0);
  EXPECT_TRUE(fs::exists(junit / "junit.xml"));
  EXPECT_FALSE(fs::exists(junit / "index.html"));
  const fs::path text = folder.path() / "text";
  EXPECT_THAT(run({"report", file, "--format", "text", "--out", text.string()}).output,
              AllOf(HasSubstr("score:"), Not(HasSubstr("report:"))));
  EXPECT_FALSE(fs::exists(text));
  EXPECT_EQ(run({"report", file, "--format", "pdf"}).status, 2);
}

TEST_F(Report, of_a_file_that_is_no_grade_says_what_is_wrong) {
  const auto expect_unusable = [&](const char* text, const char* message) {
    ASSERT_TRUE(write_file(folder.path() / "file.json", text));
    const Child child = run({"report", "file.json", "--out", out.string()});
    EXPECT_EQ(child.status, 2);
    EXPECT_THAT(child.output, AllOf(HasSubstr("file.json: "), HasSubstr(message)));
    EXPECT_FALSE(fs::exists(out));
  };
  expect_unusable("no json", "not JSON");
  expect_unusable(R"({"schema": "warpmark.grade/1"})",
                  R"(schema is "warpmark.grade/1", must be "warpmark.grade/2")");
  expect_unusable(R"({"schema": "warpmark.ladder/1"})", "warpmark.ladder/1");
  expect_unusable(R"({"schema": "warpmark.grade/2"})", "assignment is missing");
  expect_unusable("[]", "Name the grade.json that `warpmark grade` wrote");
}

TEST_F(Report, of_a_path_that_leads_to_no_file_says_what_to_name) {
  const auto expect_unusable = [&](const std::vector<std::string>& arguments, const char* message) {
    const Child child = run(arguments);
    EXPECT_EQ(child.status, 2);
    EXPECT_THAT(child.output, HasSubstr(message));
  };
  expect_unusable({"report", "nowhere.json"},
                  "warpmark report: nowhere.json: there is no such file; name the grade.json that");
  fs::create_directory(folder.path() / "empty");
  expect_unusable({"report", "empty"}, "empty is a folder, not a file; name the grade.json that");
  expect_unusable({"export", "nowhere", "--format", "csv"},
                  "warpmark export: nowhere: there is no such file or folder; name what");
  expect_unusable({"export", "empty", "--format", "csv"},
                  "empty holds no class.json and no grade.json; name what");
}

TEST_F(Report, takes_the_folder_that_grade_wrote) {
  grade(stubs, out);
  const Child report = run({"report", out.string(), "--format", "text"});
  EXPECT_EQ(report.status, 0) << report.output;
  EXPECT_THAT(report.output, HasSubstr("score:"));
}

TEST_F(Report, files_of_every_command_follow_their_schemas) {
  grade(stubs, out);
  EXPECT_EQ(against_schema(parsed(out / "grade.json"), "grade"), "");
  run({"doctor", "--json", "doctor.json"});
  EXPECT_EQ(against_schema(parsed(folder.path() / "doctor.json"), "doctor"), "");
  ASSERT_TRUE(write_file(folder.path() / "a.cu", R"(#include <cuda_runtime.h>
__global__ void k(int* a) {
  __shared__ int s[64];
  s[threadIdx.x] = a[threadIdx.x];
  a[threadIdx.x] = s[(threadIdx.x + 1) % 64];
}
int main() {
  int* a;
  cudaMalloc(&a, 256);
  cudaMemset(a, 0, 256);
  k<<<1, 64>>>(a);
  int h[64];
  cudaMemcpy(h, a, 256, cudaMemcpyDeviceToHost);
}
)"));
  EXPECT_EQ(run({"simulate", "a.cu", "--json", "a.json"}).status, 1);
  EXPECT_EQ(against_schema(parsed(folder.path() / "a.json"), "simulation"), "");
  ASSERT_TRUE(write_file(folder.path() / "b.cu", "int main( {"));
  EXPECT_EQ(run({"simulate", "b.cu", "--json", "b.json"}).status, 2);
  EXPECT_EQ(against_schema(parsed(folder.path() / "b.json"), "simulation"), "");
}

void remove_times(json& part) {
  if (part.is_object()) {
    part.erase("seconds");
    part.erase("graded_at");
  }
  for (json& each : part) {
    if (each.is_structured()) remove_times(each);
  }
}

TEST_F(Report, two_grades_with_one_seed_differ_in_times_alone) {
  const fs::path racing = folder.path() / "racing";
  fs::copy(root / "reference/warmup", racing, fs::copy_options::recursive);
  const std::string file = bytes(racing / "w02_grid_stride.cu");
  const std::size_t brace = file.rfind('{');
  ASSERT_NE(brace, std::string::npos);
  std::string changed = file;
  changed.insert(brace + 1, "\n  race<<<1, 64, 0, stream>>>(values);");
  ASSERT_TRUE(write_file(racing / "w02_grid_stride.cu", kRace + changed));
  for (const fs::path& submission : {root / "reference/warmup", racing}) {
    json grades[2];
    for (json& each : grades) {
      const Child child = grade(submission, out, {"--seed", "7"});
      EXPECT_EQ(child.status, submission == racing ? 1 : 0) << child.output;
      each = parsed(out / "grade.json");
      EXPECT_EQ(against_schema(each, "grade"), "");
      EXPECT_TRUE(each["checks"][0].contains("seconds"));
      remove_times(each);
    }
    EXPECT_EQ(grades[0], grades[1]) << json::diff(grades[0], grades[1]).dump(1);
  }
}

}  // namespace
}  // namespace warpmark
