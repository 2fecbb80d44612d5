// Determines the files that a compiler may read: the system, the toolchain, the submission, and the headers
// in the course's folders.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "harness/build/builder.h"
#include "harness/build/workspace.h"
#include "harness/model/grade.h"
#include "harness/sandbox/box.h"

namespace warpmark::build {

class View {
 public:
  View(const Toolchain& toolchain, const Settings& settings, const Request& request,
       const Workspace& workspace);

  // Returns a sandbox in which only the permitted files are readable and the build's temporary folder is
  // writable.
  [[nodiscard]] sandbox::Box box() const;
  // Returns the first included file (name as the compiler reported it) that the compiler should not have
  // read. Needed at sandbox levels without file isolation, where a compiler can read any file.
  [[nodiscard]] std::optional<std::string> foreign(const std::vector<std::string>& files) const;

 private:
  using Paths = std::vector<std::filesystem::path>;

  std::filesystem::path workspace_;
  // Submission's folder, or empty; the compiler may not read files in it that have several hard links.
  std::filesystem::path own_;
  Paths folders_;         // folders in which the compiler may read every file
  Paths header_folders_;  // folders in which the compiler may read only headers
  Paths files_;
  Paths hidden_;
  bool gpu_ = false;
};

// Returns the sandbox of a linker: `files` are readable, `folders` are writable.
sandbox::Box linker_box(const Toolchain& toolchain, const std::vector<std::filesystem::path>& files,
                        std::vector<std::filesystem::path> folders);

// Returns why a submission's build is refused whose included files cannot all be read again, to be checked
// and to tell when the build is out of date: a file is too large, or a name is none of a file (`#line` made
// it up, or the compiler's list spells it in a way of its own). `files`: as the compiler names them.
std::optional<Cause> not_to_be_checked(const std::vector<std::string>& files, const Request& request,
                                       const Workspace& workspace);

// Returns the error message for a source that includes a file which the compiler may not read.
Cause foreign_file_cause(const std::string& file, const Request& request, const Workspace& workspace);

}  // namespace warpmark::build
