// Each fuzz target on its corpus, without libFuzzer and sanitizers. The long run looks for new inputs.
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "harness/base/file.h"

// CMakeLists.txt gives each target's LLVMFuzzerTestOneInput a name of its own.
using FuzzTarget = int(const std::uint8_t* data, std::size_t size);
extern "C" FuzzTarget fuzz_archive, fuzz_arff, fuzz_excerpt, fuzz_grade, fuzz_messages, fuzz_ptx, fuzz_rubric,
    fuzz_source;

namespace warpmark {
namespace {

namespace fs = std::filesystem;

struct Target {
  const char* name;
  FuzzTarget* run;
};

constexpr std::array kTargets{
    Target{"archive", fuzz_archive}, Target{"arff", fuzz_arff},         Target{"excerpt", fuzz_excerpt},
    Target{"grade", fuzz_grade},     Target{"messages", fuzz_messages}, Target{"ptx", fuzz_ptx},
    Target{"rubric", fuzz_rubric},   Target{"source", fuzz_source},
};

class Corpus : public testing::TestWithParam<Target> {};

TEST_P(Corpus, is_taken_without_a_crash) {
  std::size_t inputs = 0;
  for (const auto& entry : fs::directory_iterator(fs::path(WARPMARK_FUZZ) / GetParam().name / "corpus")) {
    const auto input = read_file(entry.path());
    ASSERT_TRUE(input) << input.error().message;
    EXPECT_EQ(GetParam().run(reinterpret_cast<const std::uint8_t*>(input->data()), input->size()), 0)
        << entry.path();
    ++inputs;
  }
  EXPECT_GT(inputs, 0U);
}

INSTANTIATE_TEST_SUITE_P(, Corpus, testing::ValuesIn(kTargets),
                         [](const auto& target) { return std::string(target.param.name); });

}  // namespace
}  // namespace warpmark
