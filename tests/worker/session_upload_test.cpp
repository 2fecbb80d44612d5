// What a session says of an upload, and of everything while an upload is audited.
#include "tests/worker/asked.h"

namespace warpmark {
namespace {

using testing::HasSubstr;

TEST_F(Asked, to_upload_takes_the_memory_over_and_tells_its_kind) {
  const wire::UploadReply reply = upload("to_device", "values!");
  EXPECT_EQ(reply.memory, wire::Memory::device);
  EXPECT_EQ(sent_to_the_device(reply), 7U);
  EXPECT_EQ(read({{"values", 0, 7}}, 7), "values!");
}

TEST_F(Asked, to_upload_tells_memory_that_is_not_on_the_device) {
  for (const auto& [function, memory] : {std::pair{"to_nowhere", wire::Memory::null},
                                         {"to_the_heap", wire::Memory::unregistered},
                                         {"to_pinned", wire::Memory::host}}) {
    EXPECT_EQ(upload(function, "values!").memory, memory) << function;
    EXPECT_THAT(read({{"values", 0, 7}}, 7), HasSubstr("no buffer values")) << function;
  }
  EXPECT_EQ(upload("to_managed", "values!").memory, wire::Memory::managed);
}

TEST_F(Asked, to_upload_tells_memory_that_was_freed_and_where) {
  const wire::UploadReply reply = upload("to_freed_memory", "values!");
  EXPECT_EQ(reply.memory, wire::Memory::freed);
  EXPECT_FALSE(reply.frames.empty());
  EXPECT_NE(reply.frames, upload("to_device", "values!").frames);
}

TEST_F(Asked, tells_where_each_copy_was_asked_for) {
  const auto reply = upload("to_device", "values!");
  ASSERT_EQ(reply.observed.transfers.size(), 1U);
  EXPECT_FALSE(reply.observed.transfers[0].frames.empty());
  EXPECT_NE(reply.observed.transfers[0].frames, reply.frames) << "the copy is not the allocation";
}

TEST_F(Asked, to_upload_tells_a_cuda_error) {
  EXPECT_TRUE(upload("to_an_error", "values!").failure.cuda_error.has_value());
}

class Audited : public Asked {
 protected:
  Audited() { ask(wire::Hello{true}); }
};

TEST_F(Audited, reports_what_was_seen_before_and_while_it_answers) {
  const wire::CanaryReply first = ask(wire::Canary{100});
  ASSERT_TRUE(first.before && first.before->events && first.observed.events);
  ASSERT_EQ(first.observed.events->size(), 1U);
  EXPECT_EQ(first.observed.events->front().transfer.value().bytes, 100U);
  EXPECT_TRUE(first.observed.transfers.empty());
  const wire::CopyReply failed = ask(wire::Copy{"nobody", "b"});
  EXPECT_NE(why, "");
  SharedMemory memory(4);
  const wire::FillReply filled = ask_with(wire::Fill{"a"}, memory);
  ASSERT_TRUE(filled.before && filled.before->events && filled.observed.events);
  EXPECT_TRUE(filled.before->events->empty());
  EXPECT_EQ(filled.observed.events->size(), 1U);
}

}  // namespace
}  // namespace warpmark
