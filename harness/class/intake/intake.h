// Intake of a class: inputs become a folder a submission, which holds the files of one assignment.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "harness/class/intake/delivery.h"

namespace warpmark::classroom {

// The files by which assignments are told: the versions' and the upload's, with their endings.
struct KnownAssignment {
  std::string name;
  std::set<std::string> files;
};

// The deliveries of all inputs, folders and archives, with the archives inside them unpacked below `staging`.
// `without`: the output's folder, which is no submission. Fails when an input cannot be used as a whole.
Result<Deliveries> gather(const std::vector<std::filesystem::path>& inputs,
                          const std::filesystem::path& staging, const std::filesystem::path& without);

// The one assignment that deliveries hold files of. Fails when there is none, or more than one.
Result<std::string> assignment_of(const std::vector<Delivery>& deliveries,
                                  const std::vector<KnownAssignment>& known);

// The folder of a tree that holds the assignment's files: "" for its root. The cause says why none can be
// told.
tl::expected<std::string, StudentCause> versions_folder(const Tree& tree, const KnownAssignment& assignment);

// Copies the files of a tree into a folder that takes the old one's place. Throws std::filesystem_error.
void put(const Tree& tree, const std::filesystem::path& folder);

// Of the names and contents of all files.
std::string content_of(const Tree& tree);

}  // namespace warpmark::classroom
