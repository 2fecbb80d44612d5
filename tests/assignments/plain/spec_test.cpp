#include "harness/assignments/plain/spec.h"

#include <algorithm>
#include <memory>
#include <ostream>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/assignments/plain/plain.h"
#include "tests/assignments/plain/spec_of.h"

namespace warpmark::plain {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

// Keeps every rule and uses every member. The tests below break one rule each.
constexpr std::string_view kSound = R"toml(contract = "spmv.h"
call = "version(rows, x, n, m, scale, y, stream)"
function = "spmv_fn"
types = ["float", "double"]
sizes = ["n", "m"]
values = "n + m"

[ladder]
n = "n"
m = "isqrt(n)"
from = 12
to = 20

[host]
call = "version(rows, x, y)"
function = "spmv_host_fn"

[[buffer]]
name = "rows"
role = "input"
type = "unsigned"
count = "n + 1"
data = ["offsets"]
low = 0
high = "n * m"
shift = true

[[buffer]]
name = "x"
role = "in_out"
type = "value_t"
count = "m"
data = ["exact", "uniform"]
low = -1.5
high = 2.5
sum_below = 4096
patched = true
relative = 1e-6
absolute = 1e-9

[[buffer]]
name = "y"
role = "output"
type = "value_t"
count = "n"
row = "m"
ulps = 4
where = "host"

[[buffer]]
name = "work"
role = "scratch"
type = "char"
count = 256

[[scalar]]
name = "scale"
type = "int"
low = 1
high = "m"
)toml";

int line_with(std::string_view text, std::string_view what) {
  const std::string_view before = text.substr(0, text.find(what));
  return before.size() == text.size() ? 0 : static_cast<int>(std::ranges::count(before, '\n')) + 1;
}

std::string spec_changed(std::string_view what, std::string_view by) {
  std::string text(kSound);
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << "the sound text has no " << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

std::string error_of(const std::string& text) {
  const auto spec = read_spec_of(text);
  EXPECT_FALSE(spec) << "a broken spec was accepted";
  return spec ? "" : spec.error().message;
}

TEST(Spec, that_keeps_every_rule_is_read_whole) {
  const Spec spec = spec_of(kSound);
  EXPECT_EQ(spec.name, "sums");
  EXPECT_EQ(spec.file, kSpecFile);
  EXPECT_EQ(spec.contract, "spmv.h");
  EXPECT_EQ(spec.call, "version(rows, x, n, m, scale, y, stream)");
  EXPECT_EQ(spec.call_line, 2);
  EXPECT_EQ(spec.function_type, "spmv_fn");
  EXPECT_EQ(spec.host_call, "version(rows, x, y)");
  EXPECT_EQ(spec.host_function_type, "spmv_host_fn");
  EXPECT_THAT(spec.types, ElementsAre("float", "double"));
  EXPECT_THAT(spec.sizes, ElementsAre("n", "m"));
  EXPECT_EQ(spec.values->text(), "n + m");
  EXPECT_EQ(spec.ladder.from, 12U);
  EXPECT_EQ(spec.ladder.to, 20U);
  ASSERT_EQ(spec.ladder_sizes.size(), 2U);
  EXPECT_EQ(spec.ladder_sizes[1].text(), "isqrt(n)");
  ASSERT_EQ(spec.buffers.size(), 4U);
  ASSERT_EQ(spec.scalars.size(), 1U);
  EXPECT_EQ(spec.scalars[0].name, "scale");
  EXPECT_EQ(spec.scalars[0].type, "int");
  EXPECT_EQ(spec.scalars[0].high->expression->text(), "m");
}

TEST(Spec, has_buffers_with_all_that_their_tables_say) {
  const Spec spec = spec_of(kSound);
  const BufferRule& rows = spec.buffers[0];
  EXPECT_EQ(rows.name, "rows");
  EXPECT_EQ(rows.role, Role::input);
  EXPECT_EQ(rows.type, "unsigned");
  EXPECT_EQ(rows.count.text(), "n + 1");
  EXPECT_THAT(rows.data, ElementsAre("offsets"));
  EXPECT_EQ(rows.high->expression->text(), "n * m");
  EXPECT_EQ(rows.shift, Shift::alone);
  EXPECT_FALSE(rows.patched);
  EXPECT_EQ(rows.line, line_with(kSound, "[[buffer]]"));
  const BufferRule& x = spec.buffers[1];
  EXPECT_EQ(x.role, Role::in_out);
  EXPECT_EQ(x.low->number, -1.5);
  EXPECT_FALSE(x.low->expression);
  EXPECT_EQ(x.sum_below, 4096);
  EXPECT_TRUE(x.patched);
  EXPECT_EQ(x.shift, Shift::none);
  EXPECT_EQ(x.tolerance.relative, 1e-6);
  EXPECT_EQ(x.tolerance.absolute, 1e-9);
  EXPECT_FALSE(x.tolerance.ulps);
  const BufferRule& y = spec.buffers[2];
  EXPECT_EQ(y.role, Role::output);
  EXPECT_EQ(y.tolerance.ulps, 4U);
  EXPECT_EQ(y.row->text(), "m");
  EXPECT_TRUE(y.on_host);
  EXPECT_EQ(spec.buffers[3].role, Role::scratch);
  EXPECT_EQ(spec.buffers[3].count.value({}).value_or(0), 256);
}

TEST(Spec, counts_what_counters_are_divided_by) {
  const Size size(std::vector<std::uint64_t>{33, 7});
  const auto values = [&](const std::string& text) {
    return make_assignment(std::make_shared<const Spec>(spec_of(text)), nullptr)->values_at(size);
  };
  EXPECT_EQ(values(std::string(kSound)), 40U) << "values = \"n + m\"";
  EXPECT_EQ(values(spec_changed("values = \"n + m\"\n", "")), 34U) << "the longest buffer but scratch";
}

TEST(Spec, may_ask_for_equal_bits) {
  EXPECT_FALSE(spec_of(kSound).buffers[2].tolerance.bits);
  EXPECT_TRUE(spec_of(spec_changed("ulps = 4", "bits = true")).buffers[2].tolerance.bits);
}

TEST(Spec, may_leave_out_what_has_a_default) {
  const Spec spec = spec_of(R"toml(contract = "c.h"
call = "version(a, n)"
sizes = ["n"]
[[buffer]]
name = "a"
role = "in_out"
type = "int"
count = "n"
)toml");
  EXPECT_EQ(spec.function_type, "sums_fn");
  EXPECT_THAT(spec.types, ElementsAre("")) << "the contract has no value type";
  EXPECT_FALSE(spec.values);
  EXPECT_THAT(spec.ladder_sizes, IsEmpty());
  EXPECT_THAT(spec.scalars, IsEmpty());
  const BufferRule& a = spec.buffers.front();
  EXPECT_THAT(a.data, ElementsAre("uniform"));
  EXPECT_FALSE(a.low);
  EXPECT_EQ(a.sum_below, 0x1p24);
  EXPECT_TRUE(a.patched) << "the first input that can be";
}

TEST(Spec, counts_elements_at_a_size) {
  const Spec spec = spec_of(kSound);
  const Size size(std::vector<std::uint64_t>{33, 7});
  EXPECT_EQ(spec.count_of(spec.buffers[0], size).value_or(0), 34U);
  EXPECT_EQ(spec.count_of(spec.buffers[2], size).value_or(0), 33U);
  EXPECT_EQ(spec.element_of("value_t", "double").bytes, 8U);
  EXPECT_EQ(spec.element_of("unsigned", "double").bytes, 4U);
}

TEST(Spec, with_a_count_that_cannot_be_names_its_buffer_and_the_size) {
  const int line = line_with(kSound, "[[buffer]]");
  const auto message_at = [](const std::string& text) {
    const Spec spec = spec_of(text);
    const auto count = spec.count_of(spec.buffers[0], Size(std::vector<std::uint64_t>{3, 0}));
    return count ? "it is " + std::to_string(*count) : count.error().message;
  };
  EXPECT_EQ(message_at(spec_changed("\"n + 1\"", "\"n - 4\"")),
            fmt::format("{}:{}: the count of rows is -1 at size 3,0; it must be 0 or more", kSpecFile, line));
  EXPECT_THAT(message_at(spec_changed("\"n + 1\"", "\"n / m\"")),
              AllOf(StartsWith(fmt::format("{}:{}: the count of rows at size 3,0: ", kSpecFile, line)),
                    HasSubstr("divides by 0")));
}

struct Broken {
  const char* name;
  std::string_view what;   // in the sound text
  std::string_view by;     // what makes it unsound
  std::string_view where;  // text in the line that must be named; empty: any line
  std::string_view rule;   // part of the message
};

void PrintTo(const Broken& broken, std::ostream* out) {
  *out << broken.name;
}

class BrokenSpec : public testing::TestWithParam<Broken> {};

TEST_P(BrokenSpec, is_refused_with_file_line_and_rule) {
  const Broken& broken = GetParam();
  const std::string text = spec_changed(broken.what, broken.by);
  const std::string error = error_of(text);
  EXPECT_THAT(error, AllOf(StartsWith(std::string(kSpecFile) + ":"), HasSubstr(broken.rule)));
  if (broken.where.empty()) return;
  ASSERT_NE(line_with(text, broken.where), 0);
  EXPECT_THAT(error, StartsWith(fmt::format("{}:{}: ", kSpecFile, line_with(text, broken.where))));
}

INSTANTIATE_TEST_SUITE_P(
    Top, BrokenSpec,
    testing::Values(
        Broken{"no_contract", "contract = \"spmv.h\"\n", "", "", "contract is missing"},
        Broken{"contract_a_number", "\"spmv.h\"", "7", "contract", "contract must be a non-empty text"},
        Broken{"no_call", "call = \"version(rows, x, n, m, scale, y, stream)\"\n", "", "", "call is missing"},
        Broken{"call_a_list", "\"version(rows, x, n, m, scale, y, stream)\"", "[]", "call",
               "call must be a non-empty text"},
        Broken{"call_of_another_function", "\"version(rows, x, n", "\"spmv(rows, x, n", "call",
               "call must call the function"},
        Broken{"function_no_name", "\"spmv_fn\"", "\"spmv fn\"", "function",
               "function must name the contract's function type"},
        Broken{"function_empty", "\"spmv_fn\"", "\"\"", "function", "function must be a non-empty text"},
        Broken{"types_a_text", "[\"float\", \"double\"]", "\"float\"", "types", "types must be a list"},
        Broken{"types_unknown", "\"double\"]", "\"half\"]", "types",
               "types: \"half\" is no known type; known: value_t"},
        Broken{"types_of_nothing", "[\"float\", \"double\"]", "[]", "types",
               "types must name at least one value type"},
        Broken{"no_sizes", "sizes = [\"n\", \"m\"]\n", "", "", "sizes is missing"},
        Broken{"size_a_word_of_the_adapter", "sizes = [\"n\", \"m\"]", "sizes = [\"n\", \"scalars\"]",
               "sizes", "\"scalars\" cannot be a name in `call`"},
        Broken{"scalar_the_count_of_a_buffer", "name = \"scale\"", "name = \"x_count\"", "x_count",
               "x_count is the count of a buffer"},
        Broken{"sizes_a_text", "[\"n\", \"m\"]", "\"n\"", "sizes", "sizes must be a list"},
        Broken{"sizes_empty", "[\"n\", \"m\"]", "[]", "sizes", "sizes must name 1 to 8 numbers"},
        Broken{"sizes_too_many", "[\"n\", \"m\"]",
               "[\"n\", \"m\", \"a\", \"b\", \"c\", \"d\", \"e\", \"f\", \"g\"]", "sizes",
               "sizes must name 1 to 8 numbers"},
        Broken{"sizes_twice", "[\"n\", \"m\"]", "[\"n\", \"n\"]", "sizes", "the name n is listed twice"},
        Broken{"sizes_a_number", "[\"n\", \"m\"]", "[1]", "sizes", "sizes must be a non-empty text"},
        Broken{"size_no_name", "[\"n\", \"m\"]", "[\"n\", \"2m\"]", "sizes", "\"2m\" cannot be a name"},
        Broken{"size_taken", "[\"n\", \"m\"]", "[\"n\", \"stream\"]", "sizes", "\"stream\" cannot be a name"},
        Broken{"size_of_the_tool", "[\"n\", \"m\"]", "[\"n\", \"warpmark_m\"]", "sizes",
               "\"warpmark_m\" cannot be a name"},
        Broken{"size_a_count", "[\"n\", \"m\"]", "[\"n\", \"m\", \"rows_count\"]", "name = \"rows\"",
               "rows_count is the count of the buffer rows"},
        Broken{"values_of_an_unknown_size", "\"n + m\"", "\"n + k\"", "values",
               "values uses k, which is no size; sizes: n, m"},
        Broken{"values_no_expression", "\"n + m\"", "\"n +\"", "values", "operand is missing"},
        Broken{"values_broken", "\"n + m\"", "1.5", "values", "values must be"},
        Broken{"explain_unknown", "values = \"n + m\"", "explain = \"max\"", "explain",
               "explain has no meaning any more; remove the line"}),
    [](const auto& parameter) { return parameter.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Ladder, BrokenSpec,
    testing::Values(Broken{"ladder_of_one_size", "m = \"isqrt(n)\"\n", "", "[ladder]",
                           "an expression for each size, or for none"},
                    Broken{"ladder_of_another_size", "\"isqrt(n)\"", "\"isqrt(m)\"", "[ladder]",
                           "ladder.m must be an expression of n"},
                    Broken{"ladder_no_expression", "\"isqrt(n)\"", "\"isqrt(n\"", "[ladder]", "ladder.m: "},
                    Broken{"ladder_backwards", "to = 20", "to = 11", "[ladder]", "ladder.from and ladder.to"},
                    Broken{"ladder_too_far", "to = 20", "to = 41", "[ladder]", "to at most 40"},
                    Broken{"ladder_negative", "from = 12", "from = -1", "from",
                           "ladder.from must be a whole number"},
                    Broken{"ladder_unknown", "from = 12", "form = 12", "form", "ladder.form is not known"}),
    [](const auto& parameter) { return parameter.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Buffers, BrokenSpec,
    testing::Values(
        Broken{"no_name", "name = \"rows\"\n", "", "[[buffer]]", "buffer.name is missing"},
        Broken{"name_no_name", "name = \"rows\"", "name = \"row s\"", "name = \"row s\"",
               "\"row s\" cannot be a name"},
        Broken{"name_of_a_type", "name = \"rows\"", "name = \"float\"", "name = \"float\"",
               "\"float\" cannot be a name"},
        Broken{"name_of_a_size", "name = \"rows\"", "name = \"n\"", "name = \"n\"",
               "the name n is listed twice"},
        Broken{"name_twice", "name = \"y\"", "name = \"x\"", "name = \"x\"\nrole = \"output\"",
               "the name x is listed twice"},
        Broken{"no_role", "role = \"input\"\n", "", "[[buffer]]", "buffer.role is missing"},
        Broken{"role_unknown", "\"input\"", "\"inout\"", "role",
               "buffer.role is \"inout\", and must be input, output, in_out or scratch"},
        Broken{"no_type", "type = \"unsigned\"\n", "", "[[buffer]]", "buffer.type is missing"},
        Broken{"type_unknown", "type = \"unsigned\"", "type = \"half\"", "type = \"half\"",
               "buffer.type: \"half\" is no known type; known: value_t, char"},
        Broken{"value_t_without_types", "types = [\"float\", \"double\"]\n", "", "type = \"value_t\"",
               "must name the graded types"},
        Broken{"no_count", "count = \"n + 1\"\n", "", "[[buffer]]", "buffer.count is missing"},
        Broken{"count_no_expression", "\"n + 1\"", "\"n ++ 1\"", "count", "buffer.count: \"n ++ 1\": "},
        Broken{"count_of_no_size", "\"n + 1\"", "\"k + 1\"", "count",
               "buffer.count uses k, which is no size; sizes: n, m"},
        Broken{"count_broken", "\"n + 1\"", "2.5", "count", "buffer.count must be"},
        Broken{"data_a_text", "[\"offsets\"]", "\"offsets\"", "data", "buffer.data must be a list"},
        Broken{"data_empty", "[\"offsets\"]", "[]", "data", "buffer.data must name at least one class"},
        Broken{"data_of_an_output", "row = \"m\"", "data = [\"uniform\"]", "[[buffer]]\nname = \"y\"",
               "y: data, low and high are for buffers that are filled"},
        Broken{"low_of_an_output", "row = \"m\"", "low = 1", "[[buffer]]\nname = \"y\"",
               "y: data, low and high are for buffers that are filled"},
        Broken{"low_a_list", "low = 0", "low = [0]", "low", "buffer.low must be"},
        Broken{"low_of_no_size", "low = 0", "low = \"k\"", "low", "buffer.low uses k, which is no size"},
        Broken{"low_nan", "low = -1.5", "low = nan", "low = nan", "buffer.low must be finite"},
        Broken{"high_endless", "high = 2.5", "high = inf", "high = inf", "buffer.high must be finite"},
        Broken{"sum_below_a_text", "4096", "\"much\"", "sum_below", "buffer.sum_below must be a number"},
        Broken{"sum_below_of_an_output", "row = \"m\"", "sum_below = 4", "sum_below = 4\n",
               "buffer.sum_below is not known"},
        Broken{"shift_a_number", "shift = true", "shift = 1", "shift", "buffer.shift must be true or false"},
        Broken{"shift_unknown", "shift = true", "shift = \"apart\"", "shift", "true, false or \"together\""},
        Broken{"patched_twice", "shift = true", "patched = true", "",
               "only one [[buffer]] can be patched = true"},
        Broken{"patched_a_text", "patched = true", "patched = \"yes\"", "patched",
               "buffer.patched must be true or false"},
        Broken{"uploaded_twice", "shift = true",
               "uploaded = true\n[[buffer]]\nname = \"z\"\nrole = \"input\"\ntype = \"int\"\ncount = "
               "1\nuploaded = true",
               "", "only one [[buffer]] can be uploaded = true"},
        Broken{"row_of_no_size", "row = \"m\"", "row = \"k\"",
               "row =", "buffer.row uses k, which is no size"},
        Broken{"where_unknown", "\"host\"", "\"shared\"", "where", "buffer.where must be device or host"},
        Broken{"where_host_of_an_input", "shift = true", "where = \"host\"", "where = \"host\"",
               "rows: only an output can be in host memory"},
        Broken{"unknown_member", "shift = true", "shft = true", "shft", "buffer.shft is not known"}),
    [](const auto& parameter) { return parameter.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Tolerances, BrokenSpec,
    testing::Values(
        Broken{"relative_negative", "relative = 1e-6", "relative = -1e-6", "relative",
               "buffer.relative must be a number from 0"},
        Broken{"absolute_nan", "absolute = 1e-9", "absolute = nan", "absolute",
               "buffer.absolute must be a number"},
        Broken{"ulps_broken", "ulps = 4", "ulps = 0.5", "ulps", "buffer.ulps must be a whole number"},
        Broken{"bits_a_number", "ulps = 4", "bits = 1", "bits", "buffer.bits must be true or false"},
        Broken{"bits_with_a_tolerance", "ulps = 4", "ulps = 4\nbits = true", "[[buffer]]\nname = \"y\"",
               "y: bits = true asks for equal bits"},
        Broken{"tolerance_unknown", "ulps = 4", "tolerance = \"wide\"", "tolerance",
               "buffer.tolerance can only be \"expected\""},
        Broken{"tolerance_of_an_input", "shift = true", "relative = 1e-3", "[[buffer]]\nname = \"rows\"",
               "rows: a tolerance is for an output"},
        Broken{"tolerance_of_scratch", "count = 256", "count = 256\nbits = true",
               "[[buffer]]\nname = \"work\"", "work: a tolerance is for an output"},
        Broken{"tolerance_of_whole_numbers", "type = \"value_t\"\ncount = \"n\"",
               "type = \"int\"\ncount = \"n\"", "[[buffer]]\nname = \"y\"",
               "y: a tolerance is for floating-point numbers; int is exact"}),
    [](const auto& parameter) { return parameter.param.name; });

INSTANTIATE_TEST_SUITE_P(
    Scalars, BrokenSpec,
    testing::Values(Broken{"scalar_no_name", "name = \"scale\"\n", "", "[[scalar]]",
                           "scalar.name is missing"},
                    Broken{"scalar_of_a_buffer", "name = \"scale\"", "name = \"rows\"",
                           "name = \"rows\"\ntype", "the name rows is listed twice"},
                    Broken{"scalar_no_type", "type = \"int\"\n", "", "[[scalar]]", "scalar.type is missing"},
                    Broken{"scalar_type_unknown", "type = \"int\"", "type = \"void*\"", "type = \"void*\"",
                           "scalar.type: \"void*\" is no known type"},
                    Broken{"scalar_vector", "type = \"int\"", "type = \"int2\"", "type = \"int2\"",
                           "scale: a scalar is one number"},
                    Broken{"scalar_low_of_no_size", "low = 1", "low = \"k\"", "low = \"k\"",
                           "scalar.low uses k, which is no size"},
                    Broken{"scalar_unknown", "low = 1", "data = [\"zero\"]", "data = [\"zero\"]",
                           "scalar.data is not known"}),
    [](const auto& parameter) { return parameter.param.name; });

TEST(Spec, without_buffers_or_without_an_answer_is_refused) {
  const std::string head = "contract = \"c.h\"\ncall = \"version(a)\"\nsizes = [\"n\"]\n";
  EXPECT_THAT(error_of(head), HasSubstr("there must be at least one [[buffer]]"));
  EXPECT_THAT(error_of("buffer = []\n" + head), HasSubstr("there must be 1 to 32 [[buffer]]"));
  EXPECT_THAT(error_of("buffer = [1]\n" + head), AllOf(StartsWith(std::string(kSpecFile) + ":1: "),
                                                       HasSubstr("each [[buffer]] must be a table")));
  EXPECT_THAT(error_of("buffer = 1\n" + head), HasSubstr("buffer must be a list"));
  EXPECT_THAT(error_of("scalar = [1]\n" + head +
                       "[[buffer]]\nname = \"a\"\nrole = \"output\"\ntype = \"int\"\ncount = 1\n"),
              HasSubstr("each [[scalar]] must be a table"));
  EXPECT_THAT(error_of(head + "[[buffer]]\nname = \"a\"\nrole = \"input\"\ntype = \"int\"\ncount = 1\n"),
              HasSubstr("nothing can be checked"));
  std::string many = head;
  for (int i = 0; i < 33; ++i)
    many += fmt::format("[[buffer]]\nname = \"a{}\"\nrole = \"output\"\ntype = \"int\"\ncount = 1\n", i);
  EXPECT_THAT(error_of(many), HasSubstr("there must be 1 to 32 [[buffer]]"));
}

}  // namespace
}  // namespace warpmark::plain
