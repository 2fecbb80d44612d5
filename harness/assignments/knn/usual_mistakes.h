// Wrong answers that have a usual reason: the labels that a version with one of the usual mistakes gives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "nearest.h"

namespace warpmark::knn {

// Explains wrong knn answers by a usual mistake that would give all of them, as a sentence: "all answers are
// those of k - 1 = 4 neighbours". Returns nullopt if no usual mistake fits, or if the case is too large to
// try.
std::optional<std::string> usual_mistake(const DataSet& data, std::span<const float> queries, std::size_t k,
                                         std::span<const std::int32_t> answers);

}  // namespace warpmark::knn
