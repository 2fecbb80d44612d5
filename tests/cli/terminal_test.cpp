// Colour, width and progress by what the environment and the terminal say.
#include "harness/cli/terminal.h"

#include <cstdlib>
#include <optional>
#include <string>

#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <unistd.h>

namespace warpmark::cli {
namespace {

// A terminal of 72 columns that nobody reads.
class TerminalStyle : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"NO_COLOR", "COLUMNS"}) ::unsetenv(name);
    ::setenv("TERM", "xterm", 1);
    winsize size{};
    size.ws_row = 24;
    size.ws_col = 72;
    ASSERT_EQ(::openpty(&master, &terminal, nullptr, nullptr, &size), 0);
    ASSERT_EQ(::pipe(ends), 0);
  }
  void TearDown() override {
    for (const int descriptor : {master, terminal, ends[0], ends[1]}) ::close(descriptor);
  }
  int master = -1;
  int terminal = -1;
  int ends[2] = {-1, -1};
};

TEST_F(TerminalStyle, of_a_terminal_has_its_width_and_colour) {
  EXPECT_TRUE(style_of_the_terminal(terminal).colour);
  EXPECT_EQ(style_of_the_terminal(terminal).width, 72);
}

TEST_F(TerminalStyle, has_no_colour_where_the_user_or_the_terminal_wants_none) {
  ::setenv("NO_COLOR", "1", 1);
  EXPECT_FALSE(style_of_the_terminal(terminal).colour);
  ::setenv("NO_COLOR", "", 1);
  EXPECT_TRUE(style_of_the_terminal(terminal).colour);
  ::setenv("TERM", "dumb", 1);
  EXPECT_FALSE(style_of_the_terminal(terminal).colour);
}

TEST_F(TerminalStyle, of_a_pipe_is_plain_and_as_wide_as_columns_says) {
  EXPECT_FALSE(style_of_the_terminal(ends[1]).colour);
  EXPECT_EQ(style_of_the_terminal(ends[1]).width, 100);
  ::setenv("COLUMNS", "64", 1);
  EXPECT_EQ(style_of_the_terminal(ends[1]).width, 64);
  for (const char* odd : {"7", "wide", "64x", "999999"}) {
    ::setenv("COLUMNS", odd, 1);
    EXPECT_EQ(style_of_the_terminal(ends[1]).width, 100) << odd;
  }
}

// What is written to stderr by one line of progress and its end, where stderr is this descriptor.
std::string progress_on(int descriptor, int reader, const std::string& line) {
  const int kept = ::dup(STDERR_FILENO);
  ::dup2(descriptor, STDERR_FILENO);
  progress_printer()(line);
  end_progress();
  ::fflush(stderr);
  ::dup2(kept, STDERR_FILENO);
  ::close(kept);
  // A terminal hands on what was written piece by piece.
  std::string text;
  pollfd readable{reader, POLLIN, 0};
  while (::poll(&readable, 1, 200) == 1) {
    char piece[4096];
    const ssize_t count = ::read(reader, piece, sizeof piece);
    if (count <= 0) break;
    text.append(piece, static_cast<std::size_t>(count));
  }
  return text;
}

TEST_F(TerminalStyle, lets_progress_replace_itself_only_where_a_terminal_can) {
  EXPECT_EQ(progress_on(terminal, master, "building"), "\r\033[2Kbuilding\r\033[2K");
  EXPECT_EQ(progress_on(ends[1], ends[0], "building"), "building\n");
  ::setenv("TERM", "dumb", 1);
  EXPECT_EQ(progress_on(terminal, master, "building"), "building\r\n");
}

TEST_F(TerminalStyle, cuts_progress_to_the_terminal_so_that_it_can_be_taken_away) {
  const std::string shown = progress_on(terminal, master, std::string(200, 'x'));
  EXPECT_EQ(shown, "\r\033[2K" + std::string(68, 'x') + "...\r\033[2K");
}

}  // namespace
}  // namespace warpmark::cli
