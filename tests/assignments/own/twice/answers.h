#pragma once

inline constexpr int kEndless = -1;  // no number that is drawn

// Calls itself without end for kEndless.
int right_answer(int value);
