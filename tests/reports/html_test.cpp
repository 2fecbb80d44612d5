#include <algorithm>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/model/overview.h"
#include "reports/reports.h"
#include "tests/reports/page.h"
#include "tests/reports/sample_grade.h"
#include "tests/reports/well_formed.h"

namespace warpmark {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

Grade with_added_text(const std::string& added) {
  Grade grade = sample_grade();
  for_each_text(grade, [&](std::string& text) { text += added; });
  return grade;
}

bool has_class(const Element& element, const std::string& wanted) {
  const auto found = element.attributes.find("class");
  return found != element.attributes.end() &&
         (" " + found->second + " ").find(" " + wanted + " ") != std::string::npos;
}

// Names of elements and of their attributes: what student text must never add to.
std::vector<std::string> structure_of(const Document& document) {
  std::vector<std::string> names;
  for (const Element& element : document.elements) {
    std::string entry = element.name;
    for (const auto& [name, value] : element.attributes) entry += " " + name;
    // Neither are words of a command, which are set in a span each.
    if (entry != "wbr" && entry != "span") names.push_back(entry);
  }
  return names;
}

TEST(Html, is_one_file_that_loads_nothing_and_runs_nothing) {
  const Document document = parsed(sample_grade());
  const std::set<std::string> reaching = {"script", "link", "img", "iframe", "object",       "embed",
                                          "form",   "base", "use", "image",  "foreignObject"};
  for (const Element& element : document.elements) {
    EXPECT_EQ(reaching.count(element.name), 0U) << element.name;
    for (const auto& [name, value] : element.attributes) {
      EXPECT_THAT(name, Not(StartsWith("on")));
      EXPECT_THAT(name, Not(StartsWith("src")));
      EXPECT_TRUE(name != "href" || value.front() == '#') << value;
    }
  }
  EXPECT_THAT(text_of(document, "style"), AllOf(Not(HasSubstr("url(")), Not(HasSubstr("@import"))));
  const Element* policy = with_attribute(document, "http-equiv", "Content-Security-Policy");
  ASSERT_NE(policy, nullptr);
  EXPECT_THAT(
      policy->attributes.at("content"),
      ::testing::MatchesRegex(
          "default-src 'none'; style-src 'sha256-[A-Za-z0-9+/]+=*'; base-uri 'none'; form-action 'none'"));
}

TEST(Html, says_whose_grade_it_is_and_the_score) {
  const Document document = parsed(sample_grade());
  EXPECT_THAT(text_of(document, "title"), StartsWith("reduction: ada, 30 of 82\n"));
  EXPECT_EQ(text_of(document, "h1"), "reduction ada\n");
  EXPECT_THAT(
      text_of(document, "header"),
      AllOf(HasSubstr("30 of 82 points"), HasSubstr("4 open: they could not be decided here"),
            HasSubstr("3 of 10 versions work, 4 do not yet, 3 are not started."),
            HasSubstr("2026-11-22 14:03 UTC"), HasSubstr("Parallel reduction (the course's own)"),
            HasSubstr("0x5eed"), HasSubstr("calibrated: NVIDIA H200, 2026-11-21"),
            HasSubstr("v19_thrust, v20_cub (the rubric gives this version to a GPU alone): nobody looked"),
            HasSubstr("NVIDIA H200, nvcc 13.0"), HasSubstr("Warpmark simulator, clang 14.0.6")));
  EXPECT_THAT(text_of(document, "footer"),
              AllOf(HasSubstr("Warpmark 0.1.0, 41.5 s"), HasSubstr("9f86d081884c7d65"),
                    HasSubstr("17 passed, 5 failed, 3 not implemented, 13 not run")));
}

TEST(Html, takes_the_score_from_the_grade_and_counts_in_english) {
  Grade grade = sample_grade_without_gpu();
  grade.score = {0, 1, 1, 1};
  EXPECT_THAT(text_of(parsed(grade), "header"),
              AllOf(HasSubstr("0 of 1 point\n"), HasSubstr("1 open: it needs a GPU")));
  grade.score = {0, 100, 40, 40};
  EXPECT_THAT(text_of(parsed(grade), "header"),
              AllOf(HasSubstr("0 of 100 points"), HasSubstr("40 open: they need a GPU")));
}

TEST(Html, shows_a_row_a_version_with_words_not_colours) {
  const Document document = parsed(sample_grade());
  std::vector<std::string> rows;
  for (const Element* row : document.named("tr")) rows.push_back(row->text);
  EXPECT_EQ(rows.at(0), "VersionbuildscorrectcleanfastPoints");
  EXPECT_EQ(rows.at(1), "v01_atomic_per_element\u2713ok\u2713ok\u2713ok\u2713ok8 of 8");
  EXPECT_EQ(rows.at(4),
            "v07_tree_sequential\u2713ok\u2717failed\u2713ok\u2013waits for an earlier check0 of 8");
  EXPECT_EQ(rows.at(5), "v08_tree_first_add\u2713ok\u2713ok?broken\u2717failed4 of 8");
  EXPECT_EQ(rows.at(10), "v20_cub\u2713ok\u2713oknot asked\u2713ok6 of 6");
}

TEST(Html, shows_a_version_that_was_not_begun_unlike_one_that_failed) {
  const Document document = parsed(sample_grade());
  std::vector<std::string> rows;
  for (const Element* row : document.named("tr")) rows.push_back(row->text);
  EXPECT_EQ(rows.at(7), "v11_tree_grid_stride\u25CBnot started0 of 8");
  const std::string header = text_of(document, "header");
  EXPECT_THAT(header, AllOf(HasSubstr("\u25CB v11_tree_grid_stride: not started"),
                            HasSubstr("\u2717 v07_tree_sequential: failed"),
                            HasSubstr("\u2713 v01_atomic_per_element: works"), HasSubstr("24 not started"),
                            HasSubstr("24 lost")));
  EXPECT_THAT(text_of(document, "main"), HasSubstr("24 points to earn"));
}

TEST(Html, sets_checks_of_the_whole_submission_apart) {
  const Document document = parsed(sample_grade());
  const Element* whole = with_attribute(document, "id", "whole-1");
  ASSERT_NE(whole, nullptr);
  EXPECT_EQ(whole->text, "\u2717upload_once failed 0 of 4 points why");
  Grade unearned = sample_grade_without_gpu();
  unearned.checks.back().points = 0;
  const Document other = parsed(unearned);
  EXPECT_EQ(with_attribute(other, "id", "whole-1")->text,
            "\u2713upload_once uploaded once; no points until a version is correct 0 of 4 points");
}

TEST(Html, every_link_leads_to_a_place_on_the_page) {
  for (const Grade& grade : {sample_grade(), sample_grade_without_gpu()}) {
    const Document document = parsed(grade);
    std::set<std::string> ids;
    for (const Element& element : document.elements) {
      const auto id = element.attributes.find("id");
      EXPECT_TRUE(id == element.attributes.end() || ids.insert(id->second).second) << id->second;
    }
    for (const Element* link : document.named("a")) {
      EXPECT_EQ(ids.count(link->attributes.at("href").substr(1)), 1U) << link->attributes.at("href");
    }
  }
}

TEST(Html, a_failed_cell_leads_to_its_reason) {
  const Document document = parsed(sample_grade());
  std::size_t failed_links = 0;
  for (const Element* link : document.named("a")) {
    if (link->text != "\u2717failed") continue;
    ++failed_links;
    const Element* finding = with_attribute(document, "id", link->attributes.at("href").substr(1));
    ASSERT_NE(finding, nullptr);
    EXPECT_TRUE(finding->name == "article" || has_class(*finding, "inside"));
  }
  EXPECT_EQ(failed_links, 4U);
}

// What stands in a card, by its id.
std::string card(const Document& document, const std::string& id) {
  const Element* element = with_attribute(document, "id", id);
  return element == nullptr ? "missing" : element->text;
}

TEST(Html, tells_a_failure_with_place_values_source_and_command) {
  const Document document = parsed(sample_grade());
  EXPECT_THAT(card(document, "card-2"),
              AllOf(HasSubstr("wrong sum at v07_tree_sequential.cu:31"),
                    HasSubstr("The sum of 1023 values is 1044991"), HasSubstr("Expected1046528"),
                    HasSubstr("Actual1044991"), HasSubstr("int, n = 1023, seed 0x9e3779b97f4a7c15"),
                    HasSubstr("tree: 4 blocks of 256 threads, 1,024 bytes of shared memory per block"),
                    HasSubstr("./warpmark grade submissions/ada --only 'v07_tree_sequential*'")));
  EXPECT_THAT(card(document, "card-4"),
              AllOf(HasSubstr("barrier that not all threads reach"), HasSubstr("access out of bounds")));
}

TEST(Html, begins_with_what_to_do_next) {
  EXPECT_THAT(text_of(parsed(sample_grade()), "main"),
              StartsWith("\n\nWhat to do next\nBegin with v05_tree_modulo. 4 more are below."));
  Grade grade = sample_grade();
  std::erase_if(grade.checks, [](const CheckResult& check) {
    return check.verdict == Verdict::failed && !is_not_implemented(check);
  });
  EXPECT_THAT(text_of(parsed(grade), "main"), HasSubstr("Continue with v11_tree_grid_stride"));
  std::erase_if(grade.checks, [](const CheckResult& check) { return check.verdict != Verdict::passed; });
  EXPECT_THAT(text_of(parsed(grade), "main"), HasSubstr("Everything passed."));
}

TEST(Html, tells_a_fault_that_two_checks_see_once_and_the_one_with_a_line_first) {
  Grade grade = sample_grade();
  CheckResult& correct =
      *std::ranges::find(grade.checks, "reduction.v07_tree_sequential.correct", &CheckResult::id);
  CheckResult& clean =
      *std::ranges::find(grade.checks, "reduction.v07_tree_sequential.clean", &CheckResult::id);
  correct.causes.front().line = 0;
  Cause race = make_cause(CauseKind::race, "thread 1 writes what thread 2 reads", "v07_tree_sequential.cu");
  race.line = 12;
  race.accesses = {{"thread (1,0,0)", "shared[3]", 12, true}, {"thread (2,0,0)", "shared[3]", 14, false}};
  correct.causes.push_back(race);
  race.seed = "0x77";
  clean.causes = {race};
  clean.verdict = Verdict::failed;
  const std::string text = card(parsed(grade), "card-2");
  EXPECT_LT(text.find("race at v07_tree_sequential.cu:12 seen by correct and clean"),
            text.find("Also found here (1 cause)"));
  EXPECT_LT(text.find("Also found here"), text.find("wrong sum"));
  EXPECT_THAT(text, AllOf(HasSubstr("thread (1,0,0) writesline 12"), HasSubstr("shared[3]"),
                          HasSubstr("thread (2,0,0) readsline 14"), Not(HasSubstr("0x77"))));
  const Document document = parsed(grade);
  const auto drawn = [&](const char* element, const char* wanted) {
    return std::ranges::count_if(document.elements, [&](const Element& each) {
      return each.name == element && has_class(each, wanted);
    });
  };
  // The sample has another race.
  EXPECT_EQ(drawn("path", "race-lane"), 4);
  EXPECT_EQ(drawn("rect", "race-write"), 2);
  EXPECT_EQ(drawn("rect", "race-read"), 2);
}

TEST(Html, draws_the_elements_that_do_not_count) {
  Grade grade = sample_grade();
  Cause& cause =
      std::ranges::find(grade.checks, "reduction.v07_tree_sequential.correct", &CheckResult::id)->causes[0];
  const auto drawn = [&](const char* wanted) {
    const Document document = parsed(grade);
    return std::ranges::count_if(document.elements, [&](const Element& each) {
      return each.name == "rect" && has_class(each, wanted);
    });
  };
  cause.elements.clear();
  EXPECT_EQ(drawn("element-lost"), 0);
  cause.n = 31;
  cause.elements = {{29, 30, 0}, {3, 3, 2}, {31, 40, 0}};
  EXPECT_EQ(drawn("element-lost"), 2);
  EXPECT_EQ(drawn("element-twice"), 1);
  EXPECT_EQ(drawn("element"), 31);
  cause.n = 100000;
  EXPECT_EQ(drawn("element-lost"), 2);  // runs
}

TEST(Html, draws_what_wrong_outputs_are_made_of) {
  Grade grade = sample_grade();
  Cause& cause =
      std::ranges::find(grade.checks, "reduction.v07_tree_sequential.correct", &CheckResult::id)->causes[0];
  const auto drawn = [&](const char* wanted) {
    const Document document = parsed(grade);
    return std::ranges::count_if(document.elements,
                                 [&](const Element& each) { return has_class(each, wanted); });
  };
  EXPECT_EQ(drawn("uses"), 0);
  cause.inputs = {"a(0, 0)", "a(0, 1)", "<b>"};
  cause.uses = {{"c(0, 0)", "=-+"}, {"c(0, 1)", "..~"}};
  EXPECT_EQ(drawn("uses"), 1);
  // Each class is drawn once, and once in the legend.
  EXPECT_EQ(drawn("uses-right"), 2);
  EXPECT_EQ(drawn("uses-not"), 2);
  EXPECT_EQ(drawn("uses-wrongly"), 2);
  EXPECT_EQ(drawn("uses-otherwise"), 2);
  EXPECT_EQ(drawn("uses-line"), 1) << "what is not used is crossed out";
  const Document document = parsed(grade);
  EXPECT_THAT(text_of(document, "figcaption"),
              AllOf(HasSubstr("a(0, 0)"), HasSubstr("<b>"), HasSubstr("not used and should be")));
  cause.uses = {{"c", std::string(1000, '=')}};
  EXPECT_EQ(drawn("uses"), 0) << "too many inputs";
}

TEST(Html, marks_the_blocks_of_the_launch_in_the_strip_of_elements) {
  Grade grade = sample_grade();
  Cause& cause =
      std::ranges::find(grade.checks, "reduction.v07_tree_sequential.correct", &CheckResult::id)->causes[0];
  const auto lines = [&] {
    const Document document = parsed(grade);
    return std::ranges::count_if(document.elements,
                                 [](const Element& each) { return has_class(each, "element-block"); });
  };
  cause.n = 1000;
  cause.elements = {{256, 511, 0}};
  cause.launch = LaunchShape{"tree", {4, 1, 1}, {32, 8, 1}, 0};
  EXPECT_EQ(lines(), 3);
  EXPECT_THAT(text_of(parsed(grade), "figcaption"), HasSubstr("a line after every 256 elements"));
  cause.n = 256;
  cause.elements = {{0, 3, 0}};
  EXPECT_EQ(lines(), 0) << "one block";
  cause.n = 100'000'000;
  EXPECT_EQ(lines(), 0) << "too many";
  cause.n = 1000;
  cause.launch.reset();
  EXPECT_EQ(lines(), 0);
}

TEST(Html, tells_notes_apart_from_failures) {
  const std::string page = to_html(sample_grade());
  const std::size_t notes = page.find("<h2 id=\"notes\">");
  ASSERT_NE(notes, std::string::npos);
  EXPECT_GT(page.find("return before a barrier"), notes);
  EXPECT_EQ(to_html(sample_grade_without_gpu()).find("id=\"notes\""), std::string::npos);
}

TEST(Html, says_why_a_passed_check_has_no_points) {
  const Document document = parsed(sample_grade());
  EXPECT_THAT(text_of(document, "h2"), HasSubstr("Passed without points"));
  EXPECT_THAT(text_of(document, "main"),
              AllOf(HasSubstr("Earned only together with correct."), HasSubstr("v07_tree_sequential.clean")));
}

TEST(Html, marks_the_line_of_the_source) {
  std::vector<std::string> marked;
  const Document document = parsed(sample_grade());
  for (const Element& element : document.elements) {
    if (has_class(element, "marked")) marked.push_back(element.text);
  }
  ASSERT_EQ(marked.size(), 3U);
  EXPECT_EQ(marked[1], ">   31     shared[tid] += shared[tid + s];\n");
}

TEST(Html, folds_the_compilers_output_away) {
  const Document document = parsed(sample_grade());
  EXPECT_THAT(text_of(document, "details"),
              AllOf(HasSubstr("Compiler output"), HasSubstr("1 error generated when compiling")));
}

TEST(Html, shows_what_the_failing_call_printed) {
  Grade grade = sample_grade();
  grade.checks[8].causes[0].printed = "<b>i</b> = 7";
  const Document document = parsed(grade);
  EXPECT_THAT(text_of(document, "pre"), HasSubstr("<b>i</b> = 7"));
  EXPECT_TRUE(document.named("b").empty());
}

TEST(Html, lists_stubs_once_and_leaves_out_what_only_waits) {
  const Document document = parsed(sample_grade());
  EXPECT_THAT(text_of(document, "main"), HasSubstr("3 versions are still as in the template, or missing:"));
  EXPECT_THAT(text_of(document, "article"),
              AllOf(Not(HasSubstr("waits for")), Not(HasSubstr("v11_tree_grid_stride"))));
}

TEST(Html, says_what_was_not_measured_and_what_to_do) {
  const Document document = parsed(sample_grade_without_gpu());
  const Element* group = with_attribute(document, "id", "group-1");
  ASSERT_NE(group, nullptr);
  EXPECT_THAT(group->text,
              AllOf(HasSubstr("fast needs a GPU that this machine does not have. Its points stay open: grade "
                              "again on a machine with an NVIDIA GPU."),
                    HasSubstr("v04_atomic_per_block")));
}

TEST(Html, sets_what_is_in_backticks_as_code) {
  Grade grade = sample_grade_without_gpu();
  grade.checks[3].causes[0].message = "Run `./warpmark doctor`, it's `odd";
  const Document document = parsed(grade);
  EXPECT_THAT(text_of(document, "main"), HasSubstr("Run ./warpmark doctor, it's `odd"));
  EXPECT_THAT(text_of(document, "code"), HasSubstr("\n./warpmark doctor\n"));
}

TEST(Html, can_be_read_without_eyes) {
  const Document document = parsed(sample_grade());
  EXPECT_EQ(document.elements.at(0).attributes.at("lang"), "en");
  EXPECT_EQ(document.named("h1").size(), 1U);
  for (const char* landmark : {"header", "main", "footer"}) EXPECT_EQ(document.named(landmark).size(), 1U);
  for (const Element* header : document.named("th"))
    EXPECT_EQ(header->attributes.count("scope"), 1U) << header->text;
  for (const Element* section : document.named("section")) {
    EXPECT_NE(with_attribute(document, "id", section->attributes.at("aria-labelledby")), nullptr);
  }
}

TEST(Html, student_text_never_becomes_markup) {
  const auto clean = structure_of(parsed(sample_grade()));
  for (const char* attack : {"<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>",
                             "' onload='alert(1)", "</style></title></pre>", "<!--", "]]>", "&lt;b&gt;&#60;",
                             "{{{hash}}}{{>style}}{{#rows}}", "javascript:alert(1)", "`<b>`"}) {
    const Document document = parsed(with_added_text(attack));
    auto found = structure_of(document);
    // Backticks in a message may set code, which is ours.
    if (std::string_view(attack).front() == '`') {
      EXPECT_EQ(document.named("b").size(), 0U);
      continue;
    }
    const auto [odd, even] = std::mismatch(found.begin(), found.end(), clean.begin(), clean.end());
    EXPECT_TRUE(odd == found.end() && even == clean.end())
        << attack << ": element " << odd - found.begin() << " of " << found.size() << " is "
        << (odd == found.end() ? "missing" : *odd) << ", not " << (even == clean.end() ? "missing" : *even);
    EXPECT_THAT(text_of(document, "html"), HasSubstr(attack));
  }
}

TEST(Html, spells_out_what_hides_or_reverses_text) {
  const std::string page = to_html(with_added_text("\x1b[0m\u202Egnp\u2066\u200B\xFF\v"));
  EXPECT_EQ(parse_document(page).error, "");
  for (const char* forbidden : {"\x1b", "\u202E", "\u2066", "\u200B", "\xFF", "\v"}) {
    EXPECT_THAT(page, Not(HasSubstr(forbidden)));
  }
  EXPECT_THAT(page,
              AllOf(HasSubstr("\\x1b[0m\\u202egnp\\u2066\\u200b\xEF\xBF\xBD"), HasSubstr("ada\\x1b[0m")));
}

TEST(Html, stays_small_whatever_comes) {
  const std::string page = to_html(with_added_text(std::string(100000, '<')));
  EXPECT_EQ(parse_document(page).error, "");
  EXPECT_LT(page.size(), 2000000U);
  EXPECT_THAT(page, HasSubstr("grade.json has the whole text"));
}

TEST(Html, copes_with_an_empty_grade_and_failures_without_cause) {
  EXPECT_THAT(text_of(parsed(Grade{}), "main"), HasSubstr("The grade holds no checks."));
  Grade grade;
  grade.checks.push_back({"a.v.c", "v", "c", Engine::simulator, "", Verdict::failed, 0, 1, 0});
  grade.checks.push_back({"a.u", "", "u", Engine::simulator, "", Verdict::not_run, 0, 1, 0});
  EXPECT_THAT(text_of(parsed(grade), "main"), HasSubstr("The grade does not say why."));
}

}  // namespace
}  // namespace warpmark
