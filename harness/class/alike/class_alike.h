// Finds similar submissions in a class and writes the page that shows both texts.
#pragma once

#include <filesystem>
#include <vector>

#include "harness/class/journal/taken.h"
#include "harness/judge/rules/rubric.h"
#include "harness/model/class_result.h"

namespace warpmark::classroom {

// submissions: folder that contains one folder per student. root: repository root, with template and
// reference.
std::vector<Likeness> alike_in_class(const TakenClass& taken, const std::filesystem::path& submissions,
                                     const judge::Rubric& rubric, const std::filesystem::path& root);

// Writes `<out>/alike.html`, for the instructor only, or removes it if there is no pair. Throws
// std::runtime_error if it cannot be written.
void write_alike(const std::filesystem::path& out, const std::vector<Likeness>& alike);

}  // namespace warpmark::classroom
