#include "harness/build/device_launches.h"

#include <gtest/gtest.h>

namespace warpmark::build {
namespace {

TEST(DeviceLaunches, of_a_kernel_become_its_shape_and_a_call) {
  const std::string_view source = "__global__ void p(int* a) { c<<<1, n>>>(a, f(2)); }";
  EXPECT_TRUE(has_device_launches(source));
  EXPECT_EQ(
      spell_device_launches(source),
      "WARPMARK_GLOBAL void p(int* a) { WARPMARK_KERNEL_BODY WARPMARK_DEVICE_LAUNCH((1, n), c(a, f(2))); }");
}

TEST(DeviceLaunches, name_kernels_with_arguments_of_templates_and_namespaces) {
  EXPECT_EQ(
      spell_device_launches("__device__ void f() {\n  if (x) ns::k<T, (4 > 2)><<<g, b, s>>>(\n    a); }"),
      "__device__ void f() {\n  if (x) WARPMARK_DEVICE_LAUNCH((g, b, s), ns::k<T, (4 > 2)>(\n    a)); }");
}

TEST(DeviceLaunches, of_host_code_stay_launches_there) {
  const std::string_view source =
      "struct S { void run() { k<<<1, 2>>>(a); } };\nint main() { k<int><<<1, 2>>>(); }";
  EXPECT_FALSE(has_device_launches(source));
  EXPECT_EQ(spell_device_launches(source),
            "struct S { void run() { k WARPMARK_HOST_LAUNCH(1, 2)(a); } };\nint main() { k<int> "
            "WARPMARK_HOST_LAUNCH(1, 2)(); }");
}

TEST(DeviceLaunches, are_not_looked_for_in_comments_and_literals) {
  for (const char* source :
       {"__global__ void k() { /* c<<<1, 1>>>(); */ }", "__device__ void f() { g(\"c<<<1, 1>>>()\"); }",
        "__global__ void k() { // c<<<1, 1>>>();\n }", "__device__ void f() { x = '{'; }"}) {
    EXPECT_FALSE(has_device_launches(source)) << source;
  }
}

TEST(DeviceLaunches, of_text_that_ends_early_are_read_to_its_end) {
  for (const char* source : {"__global__ void k() { c<<<1", "__global__ void k() { c<<<1, 1>>>(a", "{{{",
                             "}}}", "\"", "__device__ void f() { <<<1>>>(a); }"}) {
    EXPECT_FALSE(spell_device_launches(source).empty()) << source;
  }
}

}  // namespace
}  // namespace warpmark::build
