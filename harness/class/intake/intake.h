// Intake of a class: turns the inputs into one folder per submission with the files of one assignment.
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "harness/class/intake/delivery.h"

namespace warpmark::classroom {

// The file names that identify an assignment: its versions and the upload, with extensions.
struct KnownAssignment {
  std::string name;
  std::set<std::string> files;
};

// Collects the deliveries of all inputs (folders and archives); nested archives are unpacked below `staging`.
// `without`: the output folder, which is skipped. Fails if an input is unusable as a whole.
Result<Deliveries> gather(const std::vector<std::filesystem::path>& inputs,
                          const std::filesystem::path& staging, const std::filesystem::path& without);

// Returns the assignment whose files the deliveries contain. Fails if there is none or more than one.
Result<std::string> assignment_of(const std::vector<Delivery>& deliveries,
                                  const std::vector<KnownAssignment>& known);

// Returns the folder of the tree that holds the assignment's files ("" for its root), or a cause if it cannot
// be determined.
tl::expected<std::string, StudentCause> versions_folder(const Tree& tree, const KnownAssignment& assignment);

// Copies the files of a tree into a new folder that replaces the old one. Throws std::filesystem_error.
void put(const Tree& tree, const std::filesystem::path& folder);

// Returns a digest of the names and contents of all files.
std::string content_of(const Tree& tree);

}  // namespace warpmark::classroom
