#include "harness/simulator/ptx/link.h"

#include <algorithm>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/simulator/ptx/parser.h"

namespace warpmark::simulator::ptx {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

class Linking : public testing::Test {
 protected:
  void file(const std::string& text) {
    auto parsed = parse(".version 7.0\n.target sm_80\n.address_size 64\n" + text);
    ASSERT_TRUE(parsed) << parsed.error();
    files.push_back(std::move(*parsed));
  }
  static std::vector<std::string> defined(const Linked& linked) {
    std::vector<std::string> names;
    for (const Function& function : linked.module.functions) {
      if (function.defined) names.push_back(function.name);
    }
    return names;
  }
  static const Function& function(const Linked& linked, const std::string& name) {
    return *std::find_if(linked.module.functions.begin(), linked.module.functions.end(),
                         [&](const Function& each) { return each.name == name; });
  }
  // What the first operand of each instruction names.
  static std::vector<std::string> first_names(const Function& function) {
    std::vector<std::string> names;
    for (const Instruction& instruction : function.body) {
      for (const Operand& operand : instruction.operands) {
        if (operand.index < 0 && !operand.name.empty()) names.push_back(operand.name);
      }
    }
    return names;
  }

  std::vector<Module> files;
};

TEST_F(Linking, a_file_that_needs_nothing_stays_as_it_is) {
  file(".visible .entry k()\n{\n ret;\n}\n");
  file(".visible .func f()\n{\n ret;\n}\n");
  EXPECT_THAT(defined(link(files, 0)), ElementsAre("k"));
}

TEST_F(Linking, functions_come_with_all_that_they_call) {
  file(".extern .func f();\n.visible .entry k()\n{\n call.uni f, ();\n ret;\n}\n");
  file(
      ".extern .func g();\n.visible .func unused()\n{\n ret;\n}\n"
      ".visible .func f()\n{\n call.uni g, ();\n ret;\n}\n");
  file(".visible .func g()\n{\n ret;\n}\n");
  EXPECT_THAT(defined(link(files, 0)), ElementsAre("f", "k", "g"));
}

TEST_F(Linking, what_is_internal_to_a_file_gets_a_name_of_its_own) {
  file(".extern .func f();\n.func help()\n{\n ret;\n}\n.visible .entry k()\n{\n call.uni f, ();\n ret;\n}\n");
  file(
      ".global .align 4 .u32 count;\n.func help()\n{\n .reg .b64 %rd<2>;\n .shared .align 4 .b8 own[4];\n"
      " mov.u64 %rd1, own;\n ret;\n}\n"
      ".visible .func f()\n{\n .reg .b64 %rd<2>;\n mov.u64 %rd1, count;\n call.uni help, ();\n ret;\n}\n");
  const Linked linked = link(files, 0);
  EXPECT_THAT(defined(linked), ElementsAre("f", "help", "k", "help.1"));
  EXPECT_THAT(first_names(function(linked, "f")), ElementsAre("count.1", "help.1"));
  EXPECT_THAT(first_names(function(linked, "help.1")), ElementsAre("own.1"));
  EXPECT_EQ(function(linked, "help.1").variables.at(0).name, "own.1");
  ASSERT_TRUE(linked.imported.contains("count.1"));
  EXPECT_EQ(linked.imported.at("count.1").file, 1U);
  EXPECT_EQ(linked.imported.at("count.1").name, "count");
}

TEST_F(Linking, a_template_that_both_files_have_is_not_copied) {
  file(
      ".extern .func f();\n.weak .func both()\n{\n ret;\n}\n"
      ".visible .entry k()\n{\n call.uni f, ();\n ret;\n}\n");
  file(".weak .func both()\n{\n ret;\n}\n.visible .func f()\n{\n call.uni both, ();\n ret;\n}\n");
  EXPECT_THAT(defined(link(files, 0)), ElementsAre("f", "both", "k"));
}

TEST_F(Linking, variables_are_those_of_the_file_that_defines_them) {
  file(".extern .global .align 4 .u32 count;\n.visible .entry k()\n{\n ret;\n}\n");
  file(".visible .global .align 4 .u32 count;\n");
  const Linked linked = link(files, 0);
  ASSERT_TRUE(linked.imported.contains("count"));
  EXPECT_EQ(linked.imported.at("count").file, 1U);
  EXPECT_THAT(link(files, 1).imported, IsEmpty());
}

TEST_F(Linking, internal_functions_are_not_seen_by_others) {
  file(".extern .func f();\n.visible .entry k()\n{\n call.uni f, ();\n ret;\n}\n");
  file(".func f()\n{\n ret;\n}\n");
  EXPECT_THAT(defined(link(files, 0)), Not(Contains("f")));
}

TEST_F(Linking, lines_stay_those_of_their_file) {
  file(
      ".extern .func f();\n.visible .entry k()\n{\n .loc 1 5 1\n call.uni f, ();\n ret;\n}\n.file 1 "
      "\"a.cu\"\n");
  file(".visible .func f()\n{\n .loc 1 9 1\n ret;\n}\n.file 1 \"b.cu\"\n");
  const Linked linked = link(files, 0);
  const Location at = function(linked, "f").body.at(0).location;
  EXPECT_EQ(linked.module.files.at(at.file), "b.cu");
  EXPECT_EQ(at.line, 9U);
}

}  // namespace
}  // namespace warpmark::simulator::ptx
