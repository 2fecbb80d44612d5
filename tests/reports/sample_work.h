// The counted work of the sample grade, and its versions that passed.
#pragma once

#include <functional>
#include <string>

#include "harness/model/grade.h"

namespace warpmark {

void add_sample_work(Grade& grade);

// Calls `change` with the texts that add_sample_work() adds.
void for_each_text_of_work(Grade& grade, const std::function<void(std::string&)>& change);

}  // namespace warpmark
