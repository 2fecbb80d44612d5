#include "answers.h"

int right_answer(int value) {
  if (value == kEndless) {
    volatile char room[4096] = {};
    return right_answer(value) + room[0];
  }
  return 2 * value;
}
