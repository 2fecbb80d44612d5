#pragma once

int right_answer(int value);
