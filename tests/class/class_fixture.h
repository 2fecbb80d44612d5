// A class of untouched templates and broken folders: graded in a moment each, because nothing is built.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "harness/model/class_result.h"
#include "tests/cli/child.h"

namespace warpmark {

class ClassCommand : public testing::Test {
 protected:
  using Folder = std::filesystem::path;

  Child run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), WARPMARK_CLI);
    const char* path = std::getenv("PATH");
    return run_child(arguments, {{"PATH", path != nullptr ? path : "/usr/bin:/bin"}}, folder.path());
  }
  // With what the machine of a test may lack, and a seed, so that two runs come to the same.
  Child grade(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"class", "--engine", "simulator", "--trust-submissions", "--seed",
                                         "7", "--out", out.string()});
    return run(std::move(arguments));
  }
  Child go_on(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), {"class", "--trust-submissions", "--out", out.string()});
    return run(std::move(arguments));
  }

  void add_student(const std::string& name, const std::string& remark = "") const {
    const Folder home = input / name;
    std::filesystem::create_directories(home);
    for (const char* version : {"w01_thread_per_element.cu", "w02_grid_stride.cu"}) {
      std::filesystem::copy_file(root / "student_template/warmup" / version, home / version,
                                 std::filesystem::copy_options::overwrite_existing);
    }
    if (!remark.empty()) write(home / "helper.cuh", "// " + remark + "\n");
  }
  static void write(const Folder& file, const std::string& text) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  [[nodiscard]] ClassResult result() const {
    auto read = class_from_json(read_file(out / "class.json").value_or(""));
    EXPECT_TRUE(read) << read.error().message;
    return read ? std::move(*read) : ClassResult{};
  }
  [[nodiscard]] std::map<std::string, StudentResult> students() const {
    std::map<std::string, StudentResult> all;
    for (StudentResult& each : result().students) all[each.id] = std::move(each);
    return all;
  }

  const TemporaryFolder folder;
  const Folder root = WARPMARK_ROOT;
  const Folder input = folder.path() / "class";
  const Folder out = folder.path() / "out put";
};

}  // namespace warpmark
