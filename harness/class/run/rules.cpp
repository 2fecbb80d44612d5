#include "harness/class/run/rules.h"

#include <algorithm>

#include <fmt/format.h>

#include "harness/assignments/assignment.h"
#include "harness/base/file.h"
#include "harness/model/grade.h"

namespace warpmark::classroom {
namespace {

namespace fs = std::filesystem;

// Returns a digest of a file, or of the names and contents of all files below a folder; the digest of an
// empty text if neither exists.
std::string digest_of(const fs::path& path) {
  std::error_code error;
  if (fs::is_regular_file(path, error)) {
    const auto text = read_file(path);
    return sha256(text ? *text : "");
  }
  std::vector<fs::path> files;
  for (fs::recursive_directory_iterator it(path, error), end; !error && it != end; it.increment(error)) {
    std::error_code ignored;
    if (it->is_regular_file(ignored)) files.push_back(it->path());
  }
  std::ranges::sort(files);
  std::string all;
  for (const fs::path& file : files)
    all += fmt::format("{}\n{}\n", file.lexically_relative(path).string(), digest_of(file));
  return sha256(all);
}

}  // namespace

Result<std::vector<KnownAssignment>> known_assignments(const judge::Installation& installation,
                                                       const std::string& wanted) {
  std::vector<AssignmentHome> homes;
  if (wanted.empty()) {
    auto all = all_assignments(installation.root);
    if (!all) return tl::unexpected(all.error());
    homes = std::move(*all);
  } else {
    auto one = find_assignment(installation.root, wanted);
    if (!one) return tl::unexpected(one.error());
    homes = {std::move(*one)};
  }
  std::vector<KnownAssignment> known;
  for (const AssignmentHome& home : homes) {
    const auto rubric = judge::read_rubric(home);
    if (!rubric) return tl::unexpected(rubric.error());
    KnownAssignment assignment{
        home.name, home.name == wanted || home.built_in ? "" : home.folder.string(), {}};
    for (const judge::VersionRule& version : rubric->versions) assignment.files.insert(version.file());
    if (!rubric->upload.empty()) assignment.files.insert(rubric->file_of(rubric->upload));
    known.push_back(std::move(assignment));
  }
  return known;
}

Result<Rules> rules_of(const judge::Installation& installation, const judge::Engines& engines,
                       const std::string& assignment, const fs::path& rubric_file,
                       const std::string& engine) {
  const auto home = find_assignment(installation.root, assignment);
  if (!home) return tl::unexpected(home.error());
  const fs::path file = rubric_file.empty() ? home->rules() : rubric_file;
  auto rubric = judge::read_rubric(*home, rubric_file);
  if (!rubric) return tl::unexpected(rubric.error());
  std::string all = fmt::format("{}\nengine {}\n", digest_of(file), engine);
  for (const fs::path& part :
       {installation.programs / "warpmark-cli", installation.worker(Engine::simulator),
        installation.worker(Engine::host), installation.libraries / "workers",
        installation.root / "harness" / "worker", installation.libraries / "libwarpmark_cudart.so",
        home->folder, installation.root / "harness" / "simulator" / "include", home->stubs,
        home->reference}) {
    all += digest_of(part) + "\n";
  }
  for (const auto& [which, toolchain] : engines.toolchains)
    all += fmt::format("{} {} {}\n", name_of(which), toolchain.description, engines.devices.at(which).name);
  const auto gpu = engines.devices.find(Engine::gpu);
  const std::size_t gpus = gpu == engines.devices.end() || engine == "simulator" ? 0 : gpu->second.count;
  return Rules{std::move(*rubric), sha256(all), gpus};
}

double possible_points(const judge::Rubric& rubric) {
  double sum = rubric.upload_once.points;
  for (const judge::VersionRule& version : rubric.versions) {
    if (version.reference_only) continue;
    for (const auto& [check, points] : version.points) sum += points;
  }
  return rounded_points(sum);
}

}  // namespace warpmark::classroom
