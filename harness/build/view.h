// What a compiler may read: the system, the toolchain, the submission, and of the course's folders the
// headers.
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

  // The box that shows this and nothing else; the workspace is writable.
  [[nodiscard]] sandbox::Box box() const;
  // The first of the files that lies elsewhere, by the names that the compiler gave them: where there is no
  // box, a compiler has read it.
  [[nodiscard]] std::optional<std::string> foreign(const std::vector<std::string>& files) const;

 private:
  using Paths = std::vector<std::filesystem::path>;

  std::filesystem::path workspace_;
  std::filesystem::path own_;  // the submission's folder, where it is one; its files have one name each
  Paths folders_;              // all in them
  Paths header_folders_;       // the headers in them
  Paths files_;
  Paths hidden_;
  bool gpu_ = false;
};

// The box of a linker: these files to read, these folders to write.
sandbox::Box linker_box(const Toolchain& toolchain, const std::vector<std::filesystem::path>& files,
                        std::vector<std::filesystem::path> folders);

// What a student reads about a foreign file.
Cause foreign_file_cause(const std::string& file, const Request& request, const Workspace& workspace);

}  // namespace warpmark::build
