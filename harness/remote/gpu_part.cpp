#include "harness/remote/gpu_part.h"

#include <algorithm>
#include <stdexcept>

#include <fmt/format.h>

#include "harness/base/file.h"
#include "harness/remote/shell.h"

namespace warpmark::remote {
namespace {

namespace fs = std::filesystem;

void copy_visible(const fs::path& from, const fs::path& to) {
  fs::create_directories(to);
  for (fs::recursive_directory_iterator it(from), end; it != end; ++it) {
    const fs::path target = to / it->path().lexically_relative(from);
    if (it->path().filename().string().starts_with('.')) {
      it.disable_recursion_pending();
    } else if (it->is_symlink()) {
      fs::copy_symlink(it->path(), target);
    } else if (it->is_directory()) {
      fs::create_directories(target);
    } else if (it->is_regular_file()) {
      fs::copy_file(it->path(), target);
    }
  }
}

void write(const fs::path& file, const std::string& text) {
  if (auto written = write_file(file, text); !written) throw std::runtime_error(written.error().message);
}

// Returns a digest of all files of a folder.
std::string digest_of(const fs::path& folder) {
  std::vector<std::string> entries;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    std::string text = entry.path().lexically_relative(folder).string();
    if (entry.is_symlink()) {
      text += " -> " + fs::read_symlink(entry.path()).string();
    } else if (entry.is_regular_file()) {
      text += " " + sha256(read_file(entry.path()).value_or(""));
    }
    entries.push_back(std::move(text));
  }
  std::ranges::sort(entries);
  std::string all;
  for (const std::string& entry : entries) all += entry + "\n";
  return sha256(all);
}

// Copies the assignment if it is the instructor's own, and returns the value of --assignment there.
std::string packed_assignment(const AssignmentHome& home, const fs::path& folder) {
  if (home.built_in) return home.name;
  copy_visible(home.folder, folder / "assignment" / home.name);
  return "assignment/" + home.name;
}

}  // namespace

Parcel pack(const GpuPartOrder& order, const fs::path& folder) {
  copy_visible(order.submission, folder / "submission");
  std::string command =
      fmt::format("{} grade submission --assignment {} --engine {} --gpu-part --out out", order.program,
                  shell_quoted(packed_assignment(order.assignment, folder)), order.engine);
  for (const std::string& option : order.options) command += " " + shell_quoted(option);
  if (!order.rubric.empty()) {
    fs::copy_file(order.rubric, folder / "rubric.toml");
    command += " --rubric rubric.toml";
  }
  for (std::size_t i = 0; i < order.data.size(); ++i) {
    const std::string name = fmt::format("data/{}{}", i, order.data[i].extension().string());
    fs::create_directories(folder / "data");
    fs::copy_file(order.data[i], folder / name);
    command += (i == 0 ? " --data " : " ") + shell_quoted(name);
  }
  if (order.seed_is_chosen) command += " --seed " + order.seed;
  const std::string seed = order.seed_is_chosen ? "" : fmt::format(" --seed \"$(cat {})\"", kSeedFile);
  // The status is renamed into place, so that an existing file is complete.
  write(folder / kCommandFile,
        fmt::format("uname -n >{}\n{}{}\necho $? >{}.new\nmv {}.new {}\n", kMachineFile, command, seed,
                    kStatusFile, kStatusFile, kStatusFile));
  Parcel parcel{folder, digest_of(folder), order.seed, order.engine != "simulator"};
  write(folder / kSeedFile, order.seed);
  return parcel;
}

}  // namespace warpmark::remote
