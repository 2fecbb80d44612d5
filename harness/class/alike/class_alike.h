// Who is alike in a class, from the submissions' folders, and the page that shows both texts.
#pragma once

#include <filesystem>
#include <vector>

#include "harness/class/journal/taken.h"
#include "harness/judge/rules/rubric.h"
#include "harness/model/class_result.h"

namespace warpmark::classroom {

// submissions: the folder with one folder a student. root: of the repository, for template and reference.
std::vector<Likeness> alike_in_class(const TakenClass& taken, const std::filesystem::path& submissions,
                                     const judge::Rubric& rubric, const std::filesystem::path& root);

// `<out>/alike.html`, for the instructor alone; removed where there is no pair. Throws std::runtime_error
// when it cannot be written.
void write_alike(const std::filesystem::path& out, const std::vector<Likeness>& alike);

}  // namespace warpmark::classroom
