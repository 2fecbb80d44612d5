#include "harness/program_analysis/library_kernels.h"

#include <gtest/gtest.h>

namespace warpmark::program_analysis {
namespace {

TEST(LibraryKernels, are_named_by_what_they_do_and_by_their_library) {
  EXPECT_EQ(shown_kernel("warpmark_blas::blas<warpmark_blas::Multiply<float, float> >"), "Multiply (cuBLAS)");
  EXPECT_EQ(shown_kernel("warpmark_lib::run<warpmark_lib::MergeRuns<int, int> >"), "MergeRuns (library)");
  EXPECT_EQ(shown_kernel("warpmark_lib::run<warpmark_fft::RadixFour<float2> >"), "RadixFour (cuFFT)");
  EXPECT_EQ(shown_kernel("warpmark_lib::reduce_segments<int, int>"), "reduce_segments (library)");
  EXPECT_EQ(shown_kernel("warpmark_lib::run<cub::DeviceHistogram::Clear<int> >"),
            "DeviceHistogram::Clear (CUB)");
  EXPECT_EQ(shown_kernel("warpmark_lib::run<thrust::system::cuda::detail::Transform<int*, int*, Mine> >"),
            "Transform (thrust)");
}

TEST(LibraryKernels, have_these_names_in_messages_and_no_lines) {
  EXPECT_EQ(
      shown_message("host code reads memory that kernel warpmark_blas::blas<warpmark_blas::Axpy<double> > "
                    "writes (/a/build/lib/simulator-headers/warpmark_cuda/blas/level1.h:14), and nothing has "
                    "waited (see f())"),
      "host code reads memory that kernel Axpy (cuBLAS) writes, and nothing has waited (see f())");
  EXPECT_EQ(shown_message("kernel warpmark_lib::run<warpmark_lib::MergeRuns<int, int> > was running"),
            "kernel MergeRuns (library) was running");
  const std::string own =
      "kernel mine<int> writes (a.cu:3), called from /a/build/lib/simulator-headers/a.h:1, and";
  EXPECT_EQ(shown_message(own), own);
}

TEST(LibraryKernels, of_a_program_keep_their_names) {
  EXPECT_EQ(shown_kernel("mine<float>"), "mine<float>");
  EXPECT_FALSE(is_library_kernel("mine<warpmark_lib::Plus>"));
  EXPECT_TRUE(is_library_kernel("warpmark_lib::run<int>"));
}

TEST(LibraryKernels, come_from_the_simulators_headers_and_from_thrusts) {
  EXPECT_TRUE(is_library_file("/home/a/warpmark/build/lib/simulator-headers/cub/cub.cuh"));
  EXPECT_TRUE(is_library_file("/usr/include/thrust/sort.h"));
  EXPECT_FALSE(is_library_file("include/thrust.h"));
}

}  // namespace
}  // namespace warpmark::program_analysis
