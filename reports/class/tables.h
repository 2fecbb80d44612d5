// The class-wide tables of the class page.
#pragma once

#include <mstch/mstch.hpp>

#include "harness/model/class_result.h"

namespace warpmark::class_page {

// Each adds the values for one section of templates/class.mustache. add_distribution: how many students got
// how many points, and who got the fewest.
void add_distribution(const ClassResult& result, mstch::map& view);
void add_checks(const ClassResult& result, mstch::map& view);
void add_causes(const ClassResult& result, mstch::map& view);
void add_fastest(const ClassResult& result, mstch::map& view);

}  // namespace warpmark::class_page
