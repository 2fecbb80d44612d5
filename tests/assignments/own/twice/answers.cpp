#include "answers.h"

int right_answer(int value) {
  return 2 * value;
}
