// A class with known verdicts: each of them is compared.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/class/class_fixture.h"
#include "tests/class/generator.h"

namespace warpmark {
namespace {

constexpr std::size_t kStudents = 20;

using ClassCommandLong = ClassCommand;

TEST_F(ClassCommandLong, gives_twenty_students_the_verdicts_that_are_known) {
  const auto made = generate_class(folder.path(), kStudents, 20261122);
  ASSERT_TRUE(made) << made.error().message;
  const Child child =
      run({"class", (folder.path() / "students").string(), "--out", out.string(), "--engine", "simulator",
           "--trust-submissions", "--rubric", (folder.path() / "rubric.toml").string()});
  const auto all = result().students;
  ASSERT_EQ(all.size(), kStudents) << child.output;
  std::size_t mistakes = 0;
  for (const StudentResult& student : all) {
    const auto grade = grade_from_json(read_file(out / student.grade).value_or(""));
    ASSERT_TRUE(grade) << student.id << "\n" << child.output;
    const ExpectedStudent& expected = made->students.at(student.person.name);
    for (const auto& [version, each] : expected) mistakes += each.cause.empty() ? 0 : 1;
    EXPECT_THAT(differences(expected, *grade), testing::IsEmpty()) << student.id;
  }
  EXPECT_GT(mistakes, kStudents / 4);
}

}  // namespace
}  // namespace warpmark
