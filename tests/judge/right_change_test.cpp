// A change of the source is named only if all inputs are right with it. The variants are behaviours of
// fake_device.h.
#include "harness/judge/checks/right_change.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/judge/checks_fixture.h"

namespace warpmark::judge {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

source_edits::Repair repair_at(int line, std::string_view mistake, const std::string& what,
                               const std::string& shown = {}) {
  return {.edit = {}, .line = line, .mistake = mistake, .what = what, .shown = shown, .file = "v.cu"};
}

const source_edits::Repair kFirst = repair_at(3, "wrong_comparison", "without the `return`");

// One behaviour per variant, or of the version itself.
class Behaviours : public TriedVariants {
 public:
  Behaviours(WorkerClient& worker, const std::vector<std::string>& behaviours,
             std::vector<source_edits::Repair> repairs)
      : worker_(worker), repairs_(std::move(repairs)) {
    for (const std::string& behaviour : behaviours) {
      auto loaded =
          load(worker, "/fake/" + behaviour, "/fake/int", behaviour, "v", false, std::chrono::seconds(60));
      if (loaded) loaded_.push_back(std::move(*loaded));
    }
  }
  WorkerClient& worker() override { return worker_; }
  const Loaded& loaded() override { return loaded_.at(chosen_); }
  bool renew() override { return false; }
  [[nodiscard]] const std::vector<source_edits::Repair>& repairs() const override { return repairs_; }
  void choose(std::size_t number) override { chosen_ = number; }

 private:
  WorkerClient& worker_;
  std::vector<Loaded> loaded_;
  std::vector<source_edits::Repair> repairs_;
  std::size_t chosen_ = 0;
};

class WithVariants final : public Behaviours {
 public:
  WithVariants(WorkerClient& worker, const std::string& behaviour, std::vector<std::string> variants,
               std::vector<source_edits::Repair> repairs)
      : Behaviours(worker, {behaviour}, {}), variants_(std::move(variants)), repairs_(std::move(repairs)) {}
  [[nodiscard]] bool can_be_changed() const override { return true; }
  std::unique_ptr<TriedVariants> variants(std::size_t part,
                                          const std::vector<source_edits::Origin>& /*seen*/) override {
    if (part > 0) return nullptr;
    return std::make_unique<Behaviours>(worker(), variants_, repairs_);
  }

 private:
  std::vector<std::string> variants_;
  std::vector<source_edits::Repair> repairs_;
};

class RightChanges : public FakeChecks {
 protected:
  Engine engine = Engine::simulator;

  // The change found for a version that is wrong for 1000 ints, given the behaviours of three variants.
  std::optional<RightChange> found(const std::string& behaviour, const std::vector<std::string>& variants,
                                   int near = 0, const source_edits::Repair& first = kFirst,
                                   const Demands& demands = {}) const {
    auto worker = WorkerClient::start(fake.installation, engine, false, std::chrono::seconds(60));
    if (!worker) return std::nullopt;
    WithVariants version(*worker, behaviour, variants,
                         {first, repair_at(9, "wrong_constant", "another number", "`n - 1` -> `n`"),
                          repair_at(20, "wrong_axis", "the other of x and y")});
    const Case which{.type = "int", .data = reduction->data_classes("int").front(), .n = 1000, .seed = 1};
    return find_right_change(version, *reduction, {which, {{"v.cu", near}}, demands},
                             {.call = std::chrono::seconds(60), .sizes = {0, 1, 33, 500}});
  }
};

TEST_F(RightChanges, name_the_line_and_the_kind_of_what_makes_all_inputs_right) {
  const auto change = found("first_hundred", {"half", "sum", "first_hundred"});
  ASSERT_TRUE(change);
  EXPECT_THAT(change->lines, ElementsAre(source_edits::Origin{"v.cu", 9}));
  EXPECT_EQ(change->mistake, "wrong_constant");
  EXPECT_EQ(change->text,
            "with another number at v.cu:9, `n - 1` -> `n`, the outputs of all 5 inputs tried are right");
}

TEST_F(RightChanges, are_not_those_that_make_some_inputs_right) {
  EXPECT_FALSE(found("half", {"half", "first_hundred", "half"})) << "right up to 100 values";
}

TEST_F(RightChanges, are_not_sought_past_their_processor_time) {
  EXPECT_FALSE(found("half", {"limited", "half", "sum"})) << "the first variant takes an hour";
}

TEST_F(RightChanges, of_two_places_are_both_named_the_one_near_the_other_finding_first) {
  const auto change = found("half", {"sum", "half", "sum"}, 21);
  ASSERT_TRUE(change);
  EXPECT_THAT(change->lines, ElementsAre(source_edits::Origin{"v.cu", 20}, source_edits::Origin{"v.cu", 3}));
  EXPECT_THAT(change->text,
              HasSubstr("with the other of x and y at v.cu:20, or without the `return` at v.cu:3, "));
}

TEST_F(RightChanges, that_may_cure_by_chance_are_told_last_or_not_at_all) {
  const auto lines = [&](const source_edits::Repair& first) {
    const auto change = found("half", {"sum", "sum", "half"}, 3, first);
    return change ? change->lines : std::vector<source_edits::Origin>();
  };
  const source_edits::Origin at_3{"v.cu", 3};
  const source_edits::Origin at_9{"v.cu", 9};
  EXPECT_THAT(lines(kFirst), ElementsAre(at_3, at_9)) << "the near one first";
  EXPECT_THAT(lines(repair_at(3, "wrong_name", "another name")), ElementsAre(at_9, at_3));
  EXPECT_THAT(lines(repair_at(3, "unreached", "a loop")), ElementsAre(at_9));
  auto doubled = kFirst;
  doubled.edit.by = "2 * (n)";
  EXPECT_THAT(lines(doubled), ElementsAre(at_9, at_3));
}

// The limits of work that a version has to keep decide between changes that cure its outputs.
TEST_F(RightChanges, that_break_a_limit_of_work_are_none) {
  const Demands all_break{
      .keeps = [](const DeviceWork&) { return false; },
      .counted = Case{.type = "int", .data = reduction->data_classes("int").front(), .n = 2000, .seed = 1}};
  Demands none_break = all_break;
  none_break.keeps = [](const DeviceWork&) { return true; };
  Demands those_of_one_size = all_break;
  EXPECT_TRUE(found("half", {"sum", "half", "half"}, 0, kFirst, none_break));
  EXPECT_TRUE(found("half", {"sum", "half", "half"}, 0, kFirst, all_break)) << "the version breaks it, too";
  // The version keeps the limit, and the change does not.
  int asked = 0;
  those_of_one_size.keeps = [&](const DeviceWork&) { return ++asked != 1; };
  EXPECT_FALSE(found("half", {"sum", "half", "half"}, 0, kFirst, those_of_one_size));
  EXPECT_EQ(asked, 2) << "of the change, then of the version";
}

TEST_F(RightChanges, are_none_where_equal_calls_of_host_code_end_differently) {
  const std::vector<std::string> variants{"sum", "half", "half"};
  EXPECT_TRUE(found("by_the_clock", variants)) << "the simulator looks for races in what it proposes";
  engine = Engine::host;
  EXPECT_FALSE(found("by_the_clock", variants));
  EXPECT_TRUE(found("half", variants));
}

TEST_F(RightChanges, that_only_avoid_the_failure_are_not_tried) {
  const Demands strict{.is_cure = [](std::string_view mistake) { return mistake != "wrong_axis"; }};
  EXPECT_TRUE(found("half", {"half", "half", "sum"}));
  EXPECT_FALSE(found("half", {"half", "half", "sum"}, 0, kFirst, strict));
  EXPECT_TRUE(found("half", {"half", "sum", "sum"}, 0, kFirst, strict));
}

TEST_F(RightChanges, of_what_tests_an_address_are_not_tried) {
  auto other = kFirst;
  other.tests_address = true;
  EXPECT_FALSE(found("half", {"sum", "half", "half"}, 0, other));
}

TEST_F(RightChanges, are_none_where_the_source_is_right_as_variants_are_built) {
  EXPECT_FALSE(found("half", {"sum", "sum", "sum"}, 0, source_edits::Repair{}))
      << "the first variant is the unchanged source";
  EXPECT_TRUE(found("half", {"half", "sum", "half"}, 0, source_edits::Repair{}));
}

TEST_F(RightChanges, that_keep_a_limit_of_work_are_sought_though_the_unchanged_source_is_right) {
  int asked = 0;
  const Demands second{.holds = [&](const DeviceWork&) { return ++asked == 2; }};
  const auto change = found("sum", {"sum", "sum", "sum"}, 0, source_edits::Repair{}, second);
  ASSERT_TRUE(change);
  EXPECT_THAT(change->text, HasSubstr("at v.cu:20, the limit is kept and the outputs are right"));
}

TEST_F(RightChanges, are_not_sought_where_the_version_is_right) {
  EXPECT_FALSE(found("sum", {"sum", "sum", "sum"}));
}

}  // namespace
}  // namespace warpmark::judge
