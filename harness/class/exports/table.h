// Produces grades.csv, the table of the class's grades with one row per student.
#pragma once

#include <string>

#include "harness/model/class_result.h"

namespace warpmark::classroom {

std::string to_csv(const ClassResult& result);

}  // namespace warpmark::classroom
