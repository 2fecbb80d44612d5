// The report as a person reads it, and as a program does.
#include <nlohmann/json.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/program_analysis/simulation.h"

namespace warpmark::program_analysis {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

Simulation sample() {
  Simulation simulation;
  simulation.exit_status = 1;
  simulation.seconds = 1.25;
  simulation.runs = {{.mode = {}, .status = 0, .seconds = 0.5}};
  ShownFinding race;
  race.kind = CauseKind::race;
  race.kernel = "tree";
  race.file = "a.cu";
  race.line = 12;
  race.other_line = 9;
  race.message = "two threads; add a __syncthreads()";
  race.seen = "only in the run -O2";
  race.excerpt = {{11, "for (...) {"}, {12, "s[t] += s[t + d];"}, {13, "}"}};
  race.other_excerpt = {{9, "s[t] = in[i];"}};
  ShownFinding leak;
  leak.kind = CauseKind::leak;
  leak.note = true;
  leak.file = "a.cu";
  leak.line = 20;
  leak.message = "4 bytes of cudaMalloc were never freed";
  simulation.findings = {race, leak};
  simulation.launches = {
      {.kernel = "tree", .grid = {4096, 1, 1}, .block = {256, 1, 1}, .work = {}, .when = {}}};
  simulation.remarks = {"1 of 4 further runs did not end in time"};
  return simulation;
}

TEST(Text, shows_kind_kernel_lines_source_and_remedy) {
  const std::string text = to_text(sample(), {});
  EXPECT_THAT(text, AllOf(HasSubstr("race in kernel tree, a.cu:12 and line 9"),
                          HasSubstr(">     9 | s[t] = in[i];"), HasSubstr(">    12 | s[t] += s[t + d];"),
                          HasSubstr("add a __syncthreads()"), HasSubstr("(only in the run -O2)")));
  EXPECT_THAT(text, AllOf(HasSubstr("a.cu:20: 4 bytes of cudaMalloc"), HasSubstr("4,096 x 256"),
                          HasSubstr("1 of 4 further runs"), HasSubstr("1 finding, 1 note")));
  EXPECT_THAT(text, Not(HasSubstr("\033")));
}

TEST(Text, is_coloured_where_it_is_watched) {
  EXPECT_THAT(to_text(sample(), {.colour = true}), HasSubstr("\033[1;31mrace"));
}

TEST(Text, has_no_line_wider_than_the_terminal) {
  const std::string text = to_text(sample(), {.colour = false, .width = 50});
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = text.find('\n', begin);
    EXPECT_LE(end - begin, 50U) << text.substr(begin, end - begin);
    begin = end + 1;
  }
}

TEST(Text, of_a_terminal_command_in_a_message_is_spelled_out) {
  Simulation simulation = sample();
  simulation.findings[0].message = "\033]0;owned\007";
  simulation.findings[0].kernel = "\033[2J";
  EXPECT_THAT(to_text(simulation, {}), AllOf(Not(HasSubstr("\033")), HasSubstr("\\x1b")));
}

TEST(Json, has_the_schema_and_all_that_is_known) {
  Simulation simulation = sample();
  simulation.launches[0].work.emplace().counters.set("barriers", 7);
  const json all = json::parse(to_json(simulation));
  EXPECT_EQ(all["schema"], "warpmark.simulation/1");
  EXPECT_EQ(all["exit"], 1);
  EXPECT_EQ(all["findings"][0]["kind"], "race");
  EXPECT_EQ(all["findings"][0]["line"], 12);
  EXPECT_EQ(all["findings"][0]["other_line"], 9);
  EXPECT_EQ(all["findings"][0]["severity"], "error");
  EXPECT_EQ(all["findings"][1]["severity"], "note");
  EXPECT_FALSE(all["findings"][1].contains("other_line"));
  EXPECT_EQ(all["launches"][0]["kernel"], "tree");
  EXPECT_EQ(all["launches"][0]["grid"], json({4096, 1, 1}));
  EXPECT_EQ(all["launches"][0]["counters"]["barriers"].dump(), "7");
  EXPECT_EQ(all["launches"][0]["lines"], json::array());
  EXPECT_EQ(all["transfers"], json::array());
}

TEST(Json, of_a_program_that_cannot_be_built_has_its_causes) {
  const json all =
      json::parse(to_json(Unusable{{make_cause(CauseKind::compile_error, "no \xff", "a.cu")}, {}}));
  EXPECT_EQ(all["exit"], 2);
  EXPECT_EQ(all["findings"][0]["kind"], "compile_error");
  EXPECT_EQ(all["launches"], json::array());
}

}  // namespace
}  // namespace warpmark::program_analysis
