// Members of assignment.toml that few assignments need.
#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/assignments/plain/shape.h"
#include "harness/assignments/plain/spec.h"
#include "tests/assignments/plain/spec_of.h"

namespace warpmark::plain {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

constexpr std::string_view kFurther = R"toml(contract = "c.h"
call = "version(keys, n, best, stream)"
types = ["int", "float"]
further_types = ["double"]
sizes = ["n"]
wrong_answer = "wrong_sum"

[[struct]]
name = "Best"
members = [{name = "key", type = "value_t"}, {name = "at", type = "size_t", note = "the first counts"}]

[[buffer]]
name = "keys"
role = "input"
type = "value_t"
count = "n"
data = ["uniform", "few"]
data_of_reals = ["exact", "special", "few"]
sum_below = {float = 4096, double = 9007199254740992}
low = 0
high = 9
patch_low = -5
patch_high = "n + 9"

[[buffer]]
name = "extra"
role = "input"
type = "int"
count = "n"
without = ["few"]
shift = "together"

[[buffer]]
name = "best"
role = "output"
type = "Best"
count = 1
note = "of {n} keys, the first is {keys[0]}"

[clean]
sizes = [1]
schedules = 1
data = ["few"]

[limits]
bytes_to_host = "max(16, n / 2)"
)toml";

std::string further_changed(std::string_view what, std::string_view by) {
  std::string text(kFurther);
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << "the text has no " << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

TEST(FurtherSpec, is_read_whole) {
  const Spec spec = spec_of(kFurther);
  EXPECT_THAT(spec.types, ElementsAre("int", "float"));
  EXPECT_THAT(spec.further_types, ElementsAre("double"));
  EXPECT_EQ(spec.wrong_answer, "wrong_sum");
  EXPECT_THAT(spec.clean_data, ElementsAre("few"));
  EXPECT_EQ(spec.bytes_to_host.value({{"n", 100}}).value_or(0), 50);
  const BufferRule& keys = spec.buffers[0];
  EXPECT_THAT(keys.data_of_reals, ElementsAre("exact", "special", "few"));
  EXPECT_EQ(keys.sums_below.at("float"), 4096);
  EXPECT_EQ(keys.sums_below.at("double"), 0x1p53);
  EXPECT_EQ(keys.shift, Shift::none);
  EXPECT_EQ(spec.buffers[1].shift, Shift::together);
  EXPECT_EQ(keys.patch_low->expression->value({}).value_or(0), -5);
  EXPECT_EQ(keys.patch_high->expression->text(), "n + 9");
  EXPECT_THAT(spec.buffers[2].note->buffers(), ElementsAre("keys"));
}

TEST(FurtherSpec, has_structs_as_cpp_lays_them_out) {
  const Spec spec = spec_of(kFurther);
  for (const char* type : {"int", "float", "double"}) {
    const Element& best = spec.element_of("Best", type);
    EXPECT_EQ(best.bytes, 16U) << type;
    ASSERT_EQ(best.members.size(), 2U);
    EXPECT_EQ(best.members[0].number, find_element(type)->number);
    EXPECT_EQ(best.members[1].offset, 8U);
    EXPECT_EQ(best.members[1].note, "the first counts");
  }
}

TEST(FurtherSpec, has_classes_of_data_by_the_kind_of_type) {
  const Spec spec = spec_of(kFurther);
  EXPECT_THAT(classes_of(spec, "int"), ElementsAre("uniform", "few"));
  EXPECT_THAT(classes_of(spec, "float"), ElementsAre("exact", "special", "few"));
  EXPECT_THAT(classes_of(spec, "double"), ElementsAre("exact", "special", "few"));
}

TEST(FurtherSpec, tries_each_class_of_each_buffer) {
  // `few` leads a case of both buffers, which takes the turn of `zero` away.
  const Spec spec = spec_of(further_changed("without = [\"few\"]", "data = [\"few\", \"zero\"]"));
  EXPECT_THAT(classes_of(spec, "int"), ElementsAre("uniform", "few", "zero"));
  const auto drawn = [&](std::size_t buffer) {
    std::vector<std::string> classes;
    for (const std::string& leading : classes_of(spec, "int"))
      classes.push_back(class_in(spec, spec.buffers[buffer], "int", leading));
    return classes;
  };
  EXPECT_THAT(drawn(0), ElementsAre("uniform", "few", "uniform"));
  EXPECT_THAT(drawn(1), ElementsAre("few", "few", "zero"));
}

TEST(FurtherSpec, leaves_a_buffer_empty_in_classes_without_it) {
  const Spec spec = spec_of(kFurther);
  const BufferRule& extra = spec.buffers[1];
  const Element& element = spec.element_of("int", "int");
  EXPECT_EQ(elements_of(spec, extra, 10, element, "uniform"), 10U);
  EXPECT_EQ(elements_of(spec, extra, 10, element, "few"), 0U);
}

TEST(FurtherSpec, that_is_broken_is_refused_with_its_rule) {
  struct Row {
    std::string_view what;
    std::string_view by;
    std::string_view rule;
  };
  for (const Row& row :
       {Row{"[\"double\"]", "[\"half\"]", "further_types: \"half\" is no known type"},
        Row{"wrong_answer", "explain = \"all\"\nwrong_answer", "explain has no meaning any more"},
        Row{"\"wrong_sum\"", "\"wrong\"", "wrong_answer must be"},
        Row{"name = \"Best\"", "name = \"float\"", "struct.name: float is a type already"},
        Row{"type = \"size_t\"", "type = \"float4\"", "a member of a struct is one number"},
        Row{"type = \"size_t\"", "type = \"half\"", "\"half\" is no known type"},
        Row{"name = \"at\"", "name = \"class\"", "struct.members.name must be a name"},
        Row{"name = \"at\"", "name = \"a b;c\"", "struct.members.name must be a name"},
        Row{"name = \"at\"", "name = \"key\"", "struct.members.name must be a name that no member before"},
        Row{"note = \"the", "text = \"the", "struct.members.text is not known"},
        Row{"type = \"int\"", "type = \"Best\"", "extra: a struct is for outputs and scratch"},
        Row{"{float = 4096, ", "{half = 4096, ", "buffer.sum_below: \"half\" is no known type"},
        Row{"double = 9007199254740992", "double = 9007199254740994", "up to 2^53"},
        Row{"{n} keys", "{m} keys", "note uses m, which is no size"},
        Row{"{n} keys", "{n keys",
            "the note of best names n keys, the first is {keys, which is no [[buffer]]"},
        Row{"{keys[0]}", "{words[0]}", "the note of best names words, which is no [[buffer]]"},
        Row{"n / 2", "k / 2", "limits.bytes_to_host uses k, which is no size"},
        Row{"data = [\"few\"]", "data = [\"special\"]",
            "clean.data names none of the classes that lead a case of type int: uniform, few"}}) {
    const auto spec = read_spec_of(further_changed(row.what, row.by));
    ASSERT_FALSE(spec) << row.by;
    EXPECT_THAT(spec.error().message, AllOf(StartsWith(std::string(kSpecFile) + ":"), HasSubstr(row.rule)));
  }
}

}  // namespace
}  // namespace warpmark::plain
