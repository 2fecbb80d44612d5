// What a class's page says of all students together.
#pragma once

#include <mstch/mstch.hpp>

#include "harness/model/class_result.h"

namespace warpmark::class_page {

// Each adds what templates/class.mustache shows. The first: how many students got how much, and who got
// least.
void add_distribution(const ClassResult& result, mstch::map& view);
void add_checks(const ClassResult& result, mstch::map& view);
void add_causes(const ClassResult& result, mstch::map& view);
void add_fastest(const ClassResult& result, mstch::map& view);

}  // namespace warpmark::class_page
