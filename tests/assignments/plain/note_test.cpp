// Notes: text with places that are filled when an element is wrong.
#include "harness/assignments/plain/note.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace warpmark::plain {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string filled(std::string_view text) {
  const auto note = Note::parse(text);
  EXPECT_TRUE(note) << note.error().message;
  return note->text({{"n", 9}, {kIndex, 4}}, [](const std::string& buffer, std::uint64_t index) {
    return buffer + "#" + std::to_string(index);
  });
}

TEST(Note, fills_its_places) {
  EXPECT_EQ(filled("nothing to fill"), "nothing to fill");
  EXPECT_EQ(filled("{i} of {n - 1}"), "4 of 8");
  EXPECT_EQ(filled("from {offsets[i]} to {offsets[i + 1]}."), "from offsets#4 to offsets#5.");
  EXPECT_EQ(filled("{n / (i - 4)}"), "?") << "no number";
}

TEST(Note, tells_what_it_names) {
  const auto note = Note::parse("{n}{offsets[i + m]}{keys[0]}");
  ASSERT_TRUE(note);
  EXPECT_THAT(note->sizes(), ElementsAre("m", "n"));
  EXPECT_THAT(note->buffers(), ElementsAre("keys", "offsets"));
}

TEST(Note, that_is_broken_is_refused_with_its_rule) {
  for (const auto& [text, rule] :
       {std::pair{"{n", "does not end"}, {"{keys[i}", "no element of a buffer"}, {"{n +}", ""}}) {
    const auto note = Note::parse(text);
    ASSERT_FALSE(note) << text;
    EXPECT_THAT(note.error().message, HasSubstr(rule));
  }
}

}  // namespace
}  // namespace warpmark::plain
