// `warpmark class` and `warpmark export` as an instructor calls them.
#include <nlohmann/json.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/model/grade.h"
#include "tests/class/class_fixture.h"
#include "tests/reports/schema.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Key;
using testing::Not;
using testing::SizeIs;

TEST_F(ClassCommand, gives_every_student_a_grade_a_page_and_a_row) {
  add_student("Ada Lovelace");
  add_student("李小龍");
  write(input / "ben/notes.txt", "no version here");
  fs::create_directories(input / "cleo");
  write(input / "stray.txt", "x");
  const Child child = grade({input.string()});
  EXPECT_EQ(child.status, 1) << child.output;
  EXPECT_EQ(against_schema(nlohmann::json::parse(read_file(out / "class.json").value()), "class"), "");
  const auto all = students();
  ASSERT_THAT(all, AllOf(SizeIs(4), Contains(Key("Ada-Lovelace")), Contains(Key("李小龍"))));
  for (const char* id : {"Ada-Lovelace", "李小龍"}) {
    const StudentResult& student = all.at(id);
    EXPECT_EQ(student.state, StudentState::graded);
    EXPECT_EQ(student.possible, 20);
    const auto written = grade_from_json(read_file(out / student.grade).value_or(""));
    ASSERT_TRUE(written);
    EXPECT_EQ(written->submission_name, student.person.name);
    EXPECT_TRUE(fs::exists(out / "students" / id / "index.html"));
  }
  EXPECT_EQ(all.at("ben").state, StudentState::unusable);
  EXPECT_EQ(all.at("ben").cause->kind, "no_versions");
  EXPECT_EQ(all.at("cleo").state, StudentState::missing);
  EXPECT_THAT(all.at("cleo").cause->message, HasSubstr("nothing handed in"));
  EXPECT_THAT(read_file(out / "students/cleo/index.html").value(), HasSubstr("nothing handed in"));
  EXPECT_THAT(child.output, testing::ContainsRegex("nothing handed in \\(1\\): cleo\n(.|\n)*\\[1/2\\] "));
  EXPECT_TRUE(fs::exists(out / "students/ben/index.html"));
  ASSERT_THAT(result().not_understood, SizeIs(1));
  EXPECT_THAT(read_file(out / "grades.csv").value(), HasSubstr("Ada-Lovelace,Ada Lovelace,"));
  EXPECT_THAT(read_file(out / "index.html").value(), HasSubstr("students/%E6%9D%8E"));
  EXPECT_THAT(child.output, AllOf(HasSubstr("[1/2] "), HasSubstr("a minute"), HasSubstr("look at ben"),
                                  Not(HasSubstr("\033"))));
}

TEST_F(ClassCommand, grades_again_only_what_has_changed) {
  add_student("anna");
  add_student("ben");
  ASSERT_EQ(grade({input.string()}).status, 1);
  const auto written = fs::last_write_time(out / "students/anna/grade.json");
  add_student("ben", "something new");
  add_student("zoe");
  const Child child = grade({input.string()});
  EXPECT_EQ(child.status, 1);
  EXPECT_THAT(child.output, AllOf(HasSubstr("graded 2 in"), Not(HasSubstr("] anna:"))));
  EXPECT_EQ(fs::last_write_time(out / "students/anna/grade.json"), written);
  fs::remove_all(input / "zoe");
  EXPECT_EQ(grade({input.string()}).status, 1);
  EXPECT_FALSE(fs::exists(out / "students/zoe"));
}

TEST_F(ClassCommand, says_in_the_students_page_what_the_intake_found) {
  add_student("anna");
  fs::rename(input / "anna/w02_grid_stride.cu", input / "anna/w02_grid_strde.cu");
  ASSERT_EQ(grade({input.string()}).status, 1);
  const std::string wanted =
      "w02_grid_strde.cu is not the name of a version; did you mean w02_grid_stride.cu?";
  EXPECT_THAT(read_file(out / "students/anna/index.html").value(), HasSubstr(wanted));
  EXPECT_THAT(students().at("anna").remarks, ElementsAre(wanted));
}

TEST_F(ClassCommand, names_the_students_command_to_the_student_and_the_instructors_to_the_instructor) {
  add_student("anna");
  write(input / "anna/w01_thread_per_element.cu", "#include \"warmup.h\"\n");
  const std::string rubric = (root / "harness/assignments/warmup/assignment.toml").string();
  ASSERT_EQ(grade({input.string(), "--rubric", rubric}).status, 1);
  const auto page = read_file(out / "students/anna/grade.json").value();
  EXPECT_THAT(page, AllOf(HasSubstr("warpmark grade . --only warmup.w01_thread_per_element.builds"),
                          Not(HasSubstr(rubric)), Not(HasSubstr(out.string()))));
  const auto causes = result().causes;
  ASSERT_THAT(causes, Not(testing::IsEmpty()));
  EXPECT_EQ(causes.front().again, (root / "warpmark").string() +
                                      " grade submissions/anna --only warmup.w01_thread_per_element.builds "
                                      "--engine simulator --rubric rubric.toml");
  // What the page says works where it says so.
  const Child again = run_child(
      {"/bin/sh", "-c",
       std::string(WARPMARK_CLI) + causes.front().again.substr(causes.front().again.find(" grade"))},
      {{"PATH", "/usr/bin:/bin"}}, out);
  EXPECT_EQ(again.status, 1) << again.output;
}

TEST_F(ClassCommand, takes_a_near_name_where_the_rubric_says_so) {
  add_student("anna");
  fs::rename(input / "anna/w02_grid_stride.cu", input / "anna/W02_grid_stride.cu");
  const std::string rubric = read_file(root / "harness/assignments/warmup/assignment.toml").value();
  write(folder.path() / "rubric.toml", rubric + "\n");
  write(folder.path() / "rubric.toml", "names = {take_near = true}\n" + rubric);
  ASSERT_EQ(grade({input.string(), "--rubric", (folder.path() / "rubric.toml").string()}).status, 1);
  EXPECT_THAT(read_file(out / "students/anna/index.html").value(),
              HasSubstr("W02_grid_stride.cu was taken as w02_grid_stride.cu"));
}

TEST_F(ClassCommand, holds_the_class_against_a_roster) {
  add_student("Ada Lovelace");
  add_student("stranger");
  write(folder.path() / "roster.csv",
        "name,email,login\nAda Lovelace,ada@x.edu,ada\nMary Shelley,m@x.edu,mary\n");
  const Child child = grade({input.string(), "--roster", (folder.path() / "roster.csv").string()});
  EXPECT_EQ(child.status, 1);
  const auto all = students();
  EXPECT_EQ(all.at("Ada-Lovelace").person.email, "ada@x.edu");
  EXPECT_EQ(all.at("Mary-Shelley").state, StudentState::missing);
  EXPECT_EQ(all.at("Mary-Shelley").possible, 20);
  EXPECT_THAT(child.output, HasSubstr("look at stranger: is not on the roster"));
}

TEST_F(ClassCommand, refuses_the_roster_of_another_class_and_keeps_what_it_has) {
  add_student("Ada Lovelace");
  ASSERT_EQ(grade({input.string()}).status, 1);
  write(folder.path() / "roster.csv", "name\nMary Shelley\n");
  const Child child = grade({input.string(), "--roster", (folder.path() / "roster.csv").string()});
  EXPECT_EQ(child.status, 2);
  EXPECT_THAT(child.output, AllOf(HasSubstr("none of the 1 submissions"), HasSubstr("--roster")));
  EXPECT_EQ(students().at("Ada-Lovelace").state, StudentState::graded);
  const Child again = grade({input.string()});
  EXPECT_THAT(again.output, Not(HasSubstr("graded 1 in")));
}

TEST_F(ClassCommand, refuses_what_it_cannot_use_with_the_reason) {
  fs::create_directories(input);
  const auto refused = [&](const std::vector<std::string>& arguments) {
    const Child child = grade(arguments);
    EXPECT_EQ(child.status, 2) << child.output;
    return child.output;
  };
  EXPECT_THAT(refused({input.string()}), HasSubstr("is empty; name the folder or archive"));
  EXPECT_THAT(refused({"nowhere.zip"}),
              HasSubstr("nowhere.zip: there is no such file or folder; name the folder or archive"));
  write(folder.path() / "list.txt", "x");
  EXPECT_THAT(refused({"list.txt"}),
              HasSubstr("list.txt is neither a folder nor a zip or tar archive; name"));
  EXPECT_THAT(refused({}), HasSubstr("name the folder"));
  write(input / "anna/readme.txt", "x");
  EXPECT_THAT(refused({input.string()}), HasSubstr("none of 1 submissions"));
  add_student("ben");
  write(input / "ben/v01_atomic_per_element.cu", "x");
  EXPECT_THAT(refused({input.string()}), HasSubstr("--assignment"));
  EXPECT_THAT(refused({input.string(), "--due", "tomorrow", "--assignment", "warmup"}),
              HasSubstr("--due tomorrow"));
  write(folder.path() / "roster.csv", "colour\nred\n");
  EXPECT_THAT(refused({input.string(), "--roster", (folder.path() / "roster.csv").string()}),
              HasSubstr("known columns: name"));
  EXPECT_THAT(refused({"--apply"}), HasSubstr("--regrade"));
}

TEST_F(ClassCommand, insists_on_the_box) {
  add_student("anna");
  // No PATH leads to bubblewrap.
  const std::vector<std::string> command{WARPMARK_CLI, "class", input.string(), "--out", out.string()};
  const Child child = run_child(command, {{"PATH", "/nowhere"}}, folder.path());
  EXPECT_EQ(child.status, 2) << child.output;
  EXPECT_THAT(child.output, HasSubstr("--trust-submissions"));
  EXPECT_FALSE(fs::exists(out / "class.json"));
}

TEST_F(ClassCommand, a_second_instructor_is_told_who_holds_the_folder) {
  add_student("anna");
  ASSERT_EQ(grade({input.string()}).status, 1);
  // Held as a coordinator holds it: a lock on the file, by another process.
  const Child second = run_child({"/usr/bin/flock", (out / "lock").string(), WARPMARK_CLI, "class",
                                  input.string(), "--out", out.string(), "--trust-submissions"},
                                 {{"PATH", "/usr/bin:/bin"}}, folder.path());
  EXPECT_EQ(second.status, 2);
  EXPECT_THAT(second.output, AllOf(HasSubstr("is in use by"), HasSubstr("process")));
}

class Regrade : public ClassCommand {
 protected:
  // The course's rubric with other points for `builds`.
  std::string rubric_with_builds(int points) const {
    std::string text = read_file(root / "harness/assignments/warmup/assignment.toml").value();
    const std::string old = "builds = 2";
    text.replace(text.find(old), old.size(), "builds = " + std::to_string(points));
    const fs::path file = folder.path() / "changed.toml";
    write(file, text);
    return file.string();
  }
};

TEST_F(Regrade, shows_what_would_change_before_it_changes) {
  add_student("anna");
  ASSERT_EQ(grade({input.string()}).status, 1);
  const std::string rubric = rubric_with_builds(5);
  const Child blocked = grade({input.string(), "--rubric", rubric});
  EXPECT_EQ(blocked.status, 2);
  EXPECT_THAT(blocked.output, HasSubstr("--regrade"));

  const Child shown = go_on({"--regrade", "--rubric", rubric});
  EXPECT_THAT(shown.output,
              AllOf(HasSubstr("would change 1 students"), HasSubstr("warmup.w01_thread_per_element.builds")));
  EXPECT_EQ(students().at("anna").possible, 20);
  EXPECT_THAT(read_file(out / "regrade/regrade.csv").value(), HasSubstr("anna,"));

  EXPECT_EQ(go_on({"--regrade", "--discard"}).status, 1);
  EXPECT_EQ(students().at("anna").possible, 20);
  EXPECT_EQ(go_on({"--regrade", "--apply"}).status, 2);  // there is none any more

  go_on({"--regrade", "--rubric", rubric});
  EXPECT_EQ(go_on({"--regrade", "--apply"}).status, 1);
  EXPECT_EQ(students().at("anna").possible, 26);
  EXPECT_EQ(grade({input.string(), "--rubric", rubric}).status, 1);  // settled by the new rubric
}

TEST_F(Regrade, corrections_by_hand_survive_and_are_shown) {
  add_student("anna");
  ASSERT_EQ(grade({input.string()}).status, 1);
  EXPECT_EQ(go_on({"--correct", "anna=12"}).status, 2);  // why?
  EXPECT_EQ(go_on({"--correct", "nobody=12", "--comment", "c"}).status, 2);
  EXPECT_EQ(go_on({"--correct", "anna=12.5", "--comment", "oral exam"}).status, 1);
  EXPECT_EQ(students().at("anna").final_points, 12.5);
  EXPECT_EQ(students().at("anna").points, 0);
  EXPECT_THAT(read_file(out / "students/anna/index.html").value(), HasSubstr("oral exam"));
  go_on({"--regrade", "--rubric", rubric_with_builds(5)});
  go_on({"--regrade", "--apply"});
  EXPECT_EQ(students().at("anna").possible, 26);
  EXPECT_EQ(students().at("anna").final_points, 12.5);
  EXPECT_EQ(go_on({"--withdraw", "anna"}).status, 1);
  EXPECT_EQ(students().at("anna").final_points, 0);
  EXPECT_THAT(read_file(out / "students/anna/index.html").value(), Not(HasSubstr("oral exam")));
}

TEST_F(ClassCommand, exports_to_every_platform) {
  add_student("anna");
  add_student("ben");
  ASSERT_EQ(grade({input.string()}).status, 1);
  for (const auto& [format, file] :
       {std::pair{"gradescope", "results.json"}, {"github", "result.txt"}, {"junit", "junit.xml"}}) {
    EXPECT_EQ(run({"export", out.string(), "--format", format}).status, 0);
    EXPECT_TRUE(fs::exists(out / "exports" / format / "ben" / file)) << format;
  }
  EXPECT_EQ(run({"export", out.string(), "--format", "csv", "--into", "all.csv"}).status, 0);
  EXPECT_TRUE(fs::exists(folder.path() / "all.csv"));
  write(folder.path() / "canvas.csv", "Student,ID,Warm-up (12)\n    Points Possible,,20\n\"anna\",1,\n");
  const Child canvas = run({"export", out.string(), "--format", "canvas", "--into", "canvas.csv"});
  EXPECT_EQ(canvas.status, 0) << canvas.output;
  EXPECT_EQ(read_file(folder.path() / "canvas.csv").value(),
            "Student,ID,Warm-up (12)\n    Points Possible,,20\n\"anna\",1,0\n");
  EXPECT_THAT(canvas.output, HasSubstr("not changed: ben: is graded and has no row"));
  EXPECT_EQ(run({"export", out.string(), "--format", "moodle"}).status, 2);
  const std::string one = (out / "students/anna/grade.json").string();
  EXPECT_EQ(run({"export", one, "--format", "gradescope", "--into", "results.json"}).status, 0);
  EXPECT_TRUE(nlohmann::json::accept(read_file(folder.path() / "results.json").value()));
}

}  // namespace
}  // namespace warpmark
