// Builds the tables of the instructor's page about a whole class.
#pragma once

#include <mstch/mstch.hpp>

#include "harness/model/class_result.h"

namespace warpmark::class_page {

// Each function adds the values for one section of templates/class.mustache. add_distribution: a histogram of
// the students' points, and the students with the fewest points.
void add_distribution(const ClassResult& result, mstch::map& view);
void add_checks(const ClassResult& result, mstch::map& view);
void add_causes(const ClassResult& result, mstch::map& view);
void add_contests(const ClassResult& result, mstch::map& view);
void add_fastest(const ClassResult& result, mstch::map& view);

}  // namespace warpmark::class_page
