#include "harness/assignments/plain/adapter.h"

#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/assignments/plain/spec_of.h"

namespace warpmark::plain {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr std::string_view kScale = R"toml(contract = "scale.h"
# a comment
call = "version(in, n, factor, out, stream)"
types = ["float"]
sizes = ["n", "m"]
[[buffer]]
name = "in"
role = "input"
type = "value_t"
count = "n"
[[buffer]]
name = "out"
role = "output"
type = "unsigned char"
count = "m"
[[scalar]]
name = "factor"
type = "short"
)toml";

TEST(Adapter, calls_the_version_with_buffers_sizes_and_scalars_by_name) {
  EXPECT_EQ(adapter_of(spec_of(kScale), false, ""),
            R"(#include <cstdint>
#include <cstring>
#include <cuda_runtime.h>
#include "adapter.h"
#include "scale.h"

extern "C" void warpmark_call(void* function, const WarpmarkView* buffers, const std::uint64_t* scalars,
                              void* warpmark_stream) {
  auto* const version = reinterpret_cast<sums_fn*>(function);
  [[maybe_unused]] const cudaStream_t stream = static_cast<cudaStream_t>(warpmark_stream);
  [[maybe_unused]] const std::size_t n = scalars[0];
  [[maybe_unused]] const std::size_t m = scalars[1];
  [[maybe_unused]] short factor;
  std::memcpy(&factor, &scalars[2], sizeof factor);
  [[maybe_unused]] const value_t* in = buffers[0].bytes == 0 ? nullptr : static_cast<const value_t*>(buffers[0].data);
  [[maybe_unused]] const std::size_t in_count = buffers[0].bytes / sizeof(value_t);
  [[maybe_unused]] unsigned char* out = buffers[1].bytes == 0 ? nullptr : static_cast<unsigned char*>(buffers[1].data);
  [[maybe_unused]] const std::size_t out_count = buffers[1].bytes / sizeof(unsigned char);
#line 3 "/course/sums/assignment.toml"
  version(in, n, factor, out, stream);
}
)");
}

TEST(Adapter, of_host_versions_needs_no_cuda) {
  const std::string text = adapter_of(
      spec_of(std::string(kScale) + "[host]\ncall = \"version(in, out)\"\nfunction = \"scale_host\"\n"), true,
      "scale_host.h");
  EXPECT_THAT(text, AllOf(Not(HasSubstr("cuda_runtime.h")), HasSubstr("using cudaStream_t = void*;"),
                          HasSubstr("#include \"scale_host.h\"")));
  EXPECT_THAT(text, AllOf(HasSubstr("reinterpret_cast<scale_host*>"), HasSubstr("\n  version(in, out);\n")));
}

TEST(Adapter, of_host_versions_takes_the_call_of_the_others_where_they_have_none_of_their_own) {
  const std::string text = adapter_of(spec_of(kScale), true, "scale.h");
  EXPECT_THAT(text, AllOf(HasSubstr("reinterpret_cast<sums_fn*>"),
                          HasSubstr("version(in, n, factor, out, stream);")));
}

TEST(Adapter, has_the_line_of_the_call_on_one_line) {
  std::string text(kScale);
  text.replace(text.find("\"version"), std::string("\"version(in, n, factor, out, stream)\"").size(),
               "\"\"\"version(in,\n n, factor,\n out, stream)\"\"\"");
  EXPECT_THAT(
      adapter_of(spec_of(text), false, ""),
      HasSubstr("#line 3 \"/course/sums/assignment.toml\"\n  version(in,  n, factor,  out, stream);\n}"));
}

TEST(Adapter, quotes_the_name_of_its_file) {
  Spec spec = spec_of(kScale);
  spec.file = "/a \"b\"\\c/assignment.toml";
  EXPECT_THAT(adapter_of(spec, false, ""), HasSubstr(R"(#line 3 "/a \"b\"\\c/assignment.toml")"));
}

TEST(Adapter, tells_by_a_compilers_message_which_struct_is_at_fault) {
  const Spec spec = spec_of(std::string(kScale) +
                            "[[struct]]\nname = \"Best\"\nmembers = [{name = \"at\", type = \"int\"}]\n");
  const std::string fault = "[[struct]] Best: the member at has another type in the contract";
  const std::string place = " (in /course/sums/assignment.toml, line 19)";
  EXPECT_EQ(
      fault_of_struct(spec, "static assertion failed due to requirement 'a': \"" + fault + "\"" + place),
      fault);
  EXPECT_EQ(fault_of_struct(spec, "static assertion failed: " + fault), fault);
  EXPECT_EQ(line_of_struct(spec, fault), 19);
  EXPECT_EQ(fault_of_struct(spec, "no member named 'at' in 'Best'" + place),
            "[[struct]] Best: no member named 'at' in 'Best'; compare its members with those in scale.h");
  EXPECT_EQ(fault_of_struct(spec, "no member named 'at' in 'Best' (in /course/sums/assignment.toml, line 3)"),
            "");
}

TEST(Adapter, compares_structs_with_the_contracts_member_by_member) {
  std::string text(kScale);
  text +=
      "[[struct]]\nname = \"Best\"\nmembers = [{name = \"key\", type = \"value_t\"}, {name = \"at\", type = "
      "\"int\"}]\n";
  EXPECT_THAT(
      adapter_of(spec_of(text), false, ""),
      AllOf(HasSubstr(
                "using WarpmarkContract1 = Best;\nstruct WarpmarkStruct1 {\n  value_t key;\n  int at;\n};\n"),
            HasSubstr(
                "#line 19 \"/course/sums/assignment.toml\"\nstatic_assert(offsetof(WarpmarkContract1, at) == "
                "offsetof(WarpmarkStruct1, at), \"[[struct]] Best: the member at stands"),
            HasSubstr("decltype(WarpmarkContract1::key)"),
            HasSubstr("static_assert(sizeof(WarpmarkContract1) == sizeof(WarpmarkStruct1)")));
}

TEST(Adapter, of_an_upload_calls_it_with_values_of_the_buffer) {
  std::string text(kScale);
  text.insert(text.find("[[buffer]]\nname = \"out\""), "uploaded = true\n");
  EXPECT_THAT(adapter_of(spec_of(text), false, ""),
              AllOf(HasSubstr("extern \"C\" void* warpmark_upload("),
                    HasSubstr("reinterpret_cast<value_t* (*)(const value_t*, std::size_t)>")));
  EXPECT_THAT(adapter_of(spec_of(kScale), false, ""), Not(HasSubstr("warpmark_upload")));
}

TEST(Adapter, of_an_update_puts_index_and_old_value_before_the_stream) {
  const std::string text = update_adapter_of(spec_of(kScale));
  EXPECT_THAT(text, HasSubstr("version(in, n, factor, out, warpmark_index, warpmark_old, stream);"));
  EXPECT_THAT(text, HasSubstr("const std::size_t warpmark_index = scalars[3];\n  value_t warpmark_old;\n  "
                              "std::memcpy(&warpmark_old, &scalars[4], sizeof warpmark_old);"));
  EXPECT_THAT(text, HasSubstr("sizeof...(A) - 1"));
}

TEST(Adapter, of_an_update_puts_them_last_where_there_is_no_stream) {
  std::string text(kScale);
  text.replace(text.find("out, stream)"), std::string("out, stream)").size(), "my_stream)");
  const std::string adapter = update_adapter_of(spec_of(text));
  EXPECT_THAT(adapter, AllOf(HasSubstr("version(in, n, factor, my_stream, warpmark_index, warpmark_old);"),
                             HasSubstr("sizeof...(A) - 0")));
}

}  // namespace
}  // namespace warpmark::plain
