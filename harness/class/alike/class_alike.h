// Finds similar submissions in a class and writes an HTML page that shows the texts of each pair.
#pragma once

#include <filesystem>
#include <vector>

#include "harness/class/journal/taken.h"
#include "harness/judge/rules/rubric.h"
#include "harness/model/class_result.h"

namespace warpmark::classroom {

// Returns the pairs of similar submissions. submissions: folder that contains one folder per student. root:
// repository root, with template and model solution.
std::vector<Likeness> alike_in_class(const TakenClass& taken, const std::filesystem::path& submissions,
                                     const judge::Rubric& rubric);

// Writes `<out>/alike.html`, the page of similar submissions for the instructor only, or removes it if no
// pair is similar. Throws std::runtime_error if the file cannot be written.
void write_alike(const std::filesystem::path& out, const std::vector<Likeness>& alike);

}  // namespace warpmark::classroom
