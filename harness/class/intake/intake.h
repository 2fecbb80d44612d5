// Turns the instructor's inputs (folders, archives, exports) into one folder per submission with the files of
// one assignment.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "harness/class/intake/delivery.h"

namespace warpmark::classroom {

// An assignment and the file names that identify it in submissions, with extensions: those of the kernel
// files and of the upload function.
struct KnownAssignment {
  std::string name;
  std::string folder;  // folder of the assignment; empty: an installed one, found by its name
  std::set<std::string> files;
};

// Collects the submissions in all inputs (folders and archives), one delivery per student and attempt; nested
// archives are unpacked below `staging`. `without`: the output folder, which is skipped. Fails if an input is
// unusable as a whole.
Result<Deliveries> gather(const std::vector<std::filesystem::path>& inputs,
                          const std::filesystem::path& staging, const std::filesystem::path& without);

// Returns the name of the assignment whose files the submissions contain. Fails if there is none or more than
// one.
Result<std::string> assignment_of(const std::vector<Delivery>& deliveries,
                                  const std::vector<KnownAssignment>& known);

// Returns the folder in a student's submission that holds the assignment's kernel files ("" for the root), or
// the reason why the student cannot be graded: kernel files are in no folder, or in several.
tl::expected<std::string, StudentCause> versions_folder(const Tree& tree, const KnownAssignment& assignment);

// Copies a submission's files into a new folder, which replaces the old one. Throws std::filesystem_error.
void put(const Tree& tree, const std::filesystem::path& folder);

// Returns a digest of the names and contents of all files of a submission.
std::string content_of(const Tree& tree);

}  // namespace warpmark::classroom
