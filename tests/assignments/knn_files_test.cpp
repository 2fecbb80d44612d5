// Tasks of nearest neighbours from files: what is taken, what is refused, and files that are made.
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/assignments/filled.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

class KnnFiles : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path file(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  // Rows of one number.
  fs::path rows(const std::string& name, const std::string& rows) const {
    return file(name, "@relation r\n@attribute x numeric\n@attribute class {a, b}\n@data\n" + rows);
  }
  static std::string refusal(const DataFiles& files) {
    const auto own = assignment_called("knn")->with_files(files);
    return own ? "nothing" : own.error().message;
  }
  static std::string text_of(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }

  const fs::path folder_ =
      fs::path(testing::TempDir()) /
      (std::string("knn_files.") + testing::UnitTest::GetInstance()->current_test_info()->name());
};

TEST_F(KnnFiles, make_a_case_of_the_users_own) {
  const DataFiles files{{rows("train", "1,a\n2,b\n3,b\n"), rows("test", "0,a\n9,a\n")}, 1};
  const auto own = assignment_called("knn")->with_files(files);
  ASSERT_TRUE(own) << own.error().message;
  EXPECT_EQ(own->size, 3U);
  EXPECT_THAT(own->assignment->data_classes("float"), ElementsAre("files"));
  for (const std::uint64_t n : {3, 1000}) {
    const auto problem = own->assignment->make({"float", "files", n, 1, 5});
    EXPECT_THAT(problem->scalars(), ElementsAre(3, 1, 2, 1, 2, 2 * 4096 + 65536));
    std::vector<std::byte> queries(problem->buffers().at(2).bytes);
    problem->fill(2, queries);
    const std::vector<int> right{0, 1};
    const std::vector<int> wrong{0, 0};
    EXPECT_FALSE(problem->check(3, std::as_bytes(std::span(right))));
    EXPECT_TRUE(problem->check(3, std::as_bytes(std::span(wrong))));
  }
}

TEST_F(KnnFiles, are_exact_where_they_hold_small_integers_alone) {
  // At the same distance the lower row is nearer, and it is a's; fractions may be rounded either way.
  for (const bool integers : {true, false}) {
    const std::string ends = integers ? ",a\n3,b\n" : ".1,a\n3.3,b\n";
    const DataFiles files{{rows("train", "1" + ends), rows("test", integers ? "2,a\n" : "2.2,a\n")}, 1};
    const auto problem =
        assignment_called("knn")->with_files(files)->assignment->make({"float", "files", 2, 0, 5});
    std::vector<std::byte> queries(problem->buffers().at(2).bytes);
    problem->fill(2, queries);
    const std::vector<int> of_higher_row{1};
    EXPECT_EQ(problem->check(3, std::as_bytes(std::span(of_higher_row))).has_value(), integers);
  }
}

TEST_F(KnnFiles, are_refused_where_k_is_larger_than_the_data_set) {
  const std::vector<fs::path> files{rows("train", "1,a\n2,b\n"), rows("test", "0,a\n")};
  EXPECT_EQ(refusal({files, 2}), "nothing");
  EXPECT_THAT(refusal({files, 3}), AllOf(HasSubstr("--k 3"), HasSubstr("train has 2")));
  EXPECT_THAT(refusal({files, 0}), HasSubstr("--k 0"));
  EXPECT_EQ(refusal({files, {}}), "nothing");  // 5 where there are so many
}

TEST_F(KnnFiles, are_refused_where_they_do_not_fit_together) {
  const fs::path train = rows("train", "1,a\n");
  const fs::path wide =
      file("wide", "@attribute x real\n@attribute y real\n@attribute class {a, b}\n@data\n1,2,a\n");
  EXPECT_THAT(refusal({{train, wide}, 1}),
              AllOf(HasSubstr("do not fit together"), HasSubstr("1 attributes"), HasSubstr("and 2")));
  const fs::path other = file("other", "@attribute x real\n@attribute class {a, c}\n@data\n1,c\n");
  EXPECT_THAT(refusal({{train, other}, 1}), HasSubstr("the class is"));
}

TEST_F(KnnFiles, are_refused_with_their_own_name_and_line) {
  const fs::path train = rows("train", "1,a\n");
  EXPECT_THAT(refusal({{train, rows("test", "1,a\n?,b\n")}, 1}),
              AllOf(HasSubstr("test:6:"), HasSubstr("(?)")));
  EXPECT_THAT(refusal({{train, folder_ / "absent"}, 1}), HasSubstr("absent"));
  EXPECT_THAT(refusal({{train, rows("large", "1,a\n1e30,b\n")}, 1}),
              AllOf(HasSubstr("row 2"), HasSubstr("1e+30")));
  EXPECT_THAT(refusal({{train}, 1}), HasSubstr("TRAIN.arff TEST.arff"));
}

TEST_F(KnnFiles, of_any_size_are_made_and_taken) {
  const auto assignment = assignment_called("knn");
  const DataShape shape{.rows = 200, .dims = 3, .queries = 20, .labels = 4, .seed = 9};
  const auto made = assignment->write_files(shape, folder_);
  ASSERT_TRUE(made) << made.error().message;
  const auto own = assignment->with_files({*made, 7});
  ASSERT_TRUE(own) << own.error().message;
  const auto scalars = own->assignment->make({"float", "files", 200, 0, 1})->scalars();
  EXPECT_THAT(scalars, ElementsAre(200, 3, 20, 7, 4, 20 * 4096 + 65536));
  const std::string before = text_of(made->front());
  ASSERT_TRUE(assignment->write_files(shape, folder_));
  EXPECT_EQ(text_of(made->front()), before);
  ASSERT_TRUE(
      assignment->write_files({.rows = 200, .dims = 3, .queries = 20, .labels = 4, .seed = 10}, folder_));
  EXPECT_NE(text_of(made->front()), before);
}

TEST_F(KnnFiles, are_not_made_in_a_shape_that_is_not_taken) {
  const auto message = [&](const DataShape& shape) {
    const auto made = assignment_called("knn")->write_files(shape, folder_);
    return made ? "nothing" : made.error().message;
  };
  EXPECT_THAT(message({0, 3, 1, 2, 1}), HasSubstr("rows"));
  EXPECT_THAT(message({1, 1025, 1, 2, 1}), HasSubstr("1025 dimensions"));
  EXPECT_THAT(message({1, 3, 1, 0, 1}), HasSubstr("labels"));
  EXPECT_THAT(message({1, 3, 1, 2, 1}), "nothing");
}

TEST_F(KnnFiles, of_a_public_data_set_stand_in_the_repository) {
  const fs::path folder = fs::path(WARPMARK_ROOT) / "harness/assignments/knn/data";
  const auto own =
      assignment_called("knn")->with_files({{folder / "iris-train.arff", folder / "iris-test.arff"}, 3});
  ASSERT_TRUE(own) << own.error().message;
  EXPECT_EQ(own->size, 120U);
  EXPECT_THAT(own->assignment->make({"float", "files", 120, 0, 1})->scalars(),
              ElementsAre(120, 4, 30, 3, 3, 30 * 4096 + 65536));
}

TEST(DataFiles, are_refused_by_an_assignment_that_makes_its_own_inputs) {
  const auto warmup = assignment_called("warmup");
  EXPECT_FALSE(warmup->with_files({{"a", "b"}, {}}));
  EXPECT_FALSE(warmup->write_files({1, 1, 1, 1, 1}, "/nonexistent"));
}

}  // namespace
}  // namespace warpmark
