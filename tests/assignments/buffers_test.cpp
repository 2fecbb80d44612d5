// The parts that an assignment gives its buffers.
#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/assignment_called.h"

namespace warpmark {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// Nearest neighbours, say: two inputs, of which the second is uploaded, and two outputs.
const std::vector<BufferSpec> kNeighbours{{.name = "queries", .role = Role::input, .patched = true},
                                          {.name = "nearest", .role = Role::output},
                                          {.name = "points", .role = Role::input, .uploaded = true},
                                          {.name = "work", .role = Role::scratch},
                                          {.name = "distances", .role = Role::in_out}};

TEST(BufferParts, are_found_wherever_the_buffer_stands) {
  EXPECT_EQ(uploaded_buffer(kNeighbours), 2U);
  EXPECT_EQ(patched_buffer(kNeighbours), 0U);
  EXPECT_THAT(answer_buffers(kNeighbours), ElementsAre(1, 4));
}

TEST(BufferParts, may_be_missing) {
  const std::vector<BufferSpec> pi{{.name = "work", .role = Role::scratch}};
  EXPECT_FALSE(uploaded_buffer(pi));
  EXPECT_FALSE(patched_buffer(pi));
  EXPECT_THAT(answer_buffers(pi), IsEmpty());
}

bool has_contents(const BufferSpec& buffer) {
  return buffer.role == Role::input || buffer.role == Role::in_out;
}

TEST(EveryAssignment, names_its_buffers_apart_and_gives_each_part_to_one_with_contents) {
  for (const std::string& name : names_of_assignments()) {
    SCOPED_TRACE(name);
    const auto assignment = assignment_called(name);
    for (const std::string type : {"int", "float"}) {
      for (const std::string& data : assignment->data_classes(type)) {
        const Size size = assignment->ladder_size(100);
        const auto buffers = assignment->make(assignment->case_of(type, data, size, 1))->buffers();
        EXPECT_THAT(answer_buffers(buffers), testing::Not(IsEmpty()));
        std::set<std::string> buffer_names;
        std::size_t uploaded = 0;
        std::size_t patched = 0;
        for (const BufferSpec& buffer : buffers) {
          EXPECT_TRUE(buffer_names.insert(buffer.name).second) << buffer.name;
          EXPECT_TRUE(has_contents(buffer) || !(buffer.uploaded || buffer.patched)) << buffer.name;
          uploaded += buffer.uploaded ? 1 : 0;
          patched += buffer.patched ? 1 : 0;
        }
        EXPECT_LE(uploaded, 1U);
        EXPECT_LE(patched, 1U);
      }
    }
  }
}

TEST(Reduction, uploads_and_patches_its_input_and_answers_with_the_sum) {
  const auto assignment = assignment_called("reduction");
  const auto buffers =
      assignment->make({"int", assignment->data_classes("int").front(), 100, 0, 1})->buffers();
  EXPECT_EQ(uploaded_buffer(buffers), 0U);
  EXPECT_EQ(patched_buffer(buffers), 0U);
  EXPECT_THAT(answer_buffers(buffers), ElementsAre(1));
}

}  // namespace
}  // namespace warpmark
