#include "harness/build/view.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <sstream>
#include <system_error>

#include <fmt/format.h>

#include "harness/base/file.h"

namespace warpmark::build {

namespace {

namespace fs = std::filesystem;
using Paths = std::vector<fs::path>;

bool is_below_any(const fs::path& path, const Paths& folders) {
  return std::any_of(folders.begin(), folders.end(),
                     [&](const fs::path& folder) { return is_below(path, folder); });
}

fs::path real(const fs::path& path) {
  std::error_code error;
  fs::path found = fs::weakly_canonical(path, error);
  return error ? path : found;
}

Paths all_real(Paths paths) {
  for (fs::path& path : paths) path = real(path);
  return paths;
}

bool is_header(const fs::path& path) {
  constexpr std::array kEndings{".h", ".hh", ".hpp", ".cuh", ".inl", ".tcc"};
  return std::find(kEndings.begin(), kEndings.end(), path.extension()) != kEndings.end();
}

// Returns true for a file below a course folder's `reference`, which holds an assignment's solutions: their
// headers are not for submissions.
bool is_solution(const fs::path& file, const fs::path& folder) {
  const fs::path inside = file.lexically_relative(folder);
  return !inside.empty() && *inside.begin() == "reference";
}

// Returns the headers that a submission may include from one of the course's folders.
Paths headers_in(const fs::path& folder) {
  Paths headers;
  std::error_code error;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    std::error_code ignored;
    if (is_header(entry->path()) && entry->is_regular_file(ignored) && !is_solution(entry->path(), folder))
      headers.push_back(entry->path());
  }
  return headers;
}

// Adds the folder in which a program is found and the root of the program's installation to `folders`.
void add_installation(const fs::path& program, Paths& folders) {
  folders.push_back(program.parent_path());
  const fs::path installed = real(program).parent_path();
  folders.push_back(installed.filename() == "bin" ? installed.parent_path() : installed);
}

Paths folders_of(const Toolchain& toolchain) {
  Paths folders;
  add_installation(toolchain.compiler, folders);
  // NVCC_CCBIN names the host compiler that the machine's owner selected for nvcc.
  const char* host = std::getenv("NVCC_CCBIN");
  if (toolchain.engine == Engine::gpu && host != nullptr && fs::path(host).is_absolute()) {
    add_installation(host, folders);
  }
  return folders;
}

// Returns the submission's root folder, because a source in a subfolder may include headers of folders above.
fs::path submission_of(const Request& request, const fs::path& source_folder) {
  const std::string source = fs::absolute(request.source).lexically_normal().string();
  const std::string& name = request.display_name;
  if (name.empty() || !source.ends_with("/" + name)) return source_folder;
  return source.substr(0, source.size() - name.size() - 1);
}

}  // namespace

View::View(const Toolchain& toolchain, const Settings& settings, const Request& request,
           const Workspace& workspace)
    : workspace_(workspace.folder()),
      folders_(folders_of(toolchain)),
      hidden_(settings.hidden),
      // -arch=native queries the GPU, so the compiler needs access to the GPU.
      gpu_(toolchain.engine == Engine::gpu && settings.gpu_architecture == "native") {
  const bool simulated = toolchain.engine == Engine::simulator;
  const fs::path simulator =
      simulated ? fs::absolute(settings.simulator_include).lexically_normal() : fs::path();
  // The compiler may read all files in the submission's root and its subfolders, which belong to one student.
  const fs::path own = submission_of(request, workspace.folders().front().real);
  if (request.rules) own_ = own;
  folders_.push_back(own);
  for (const Folder& folder : workspace.folders()) {
    // A standalone program's include folders all belong to its author, so every file in them may be read.
    const bool program = request.output == Output::object;
    // The include folders of the toolkit and the simulator are readable as a whole, because library headers
    // may have no file extension. In the course's folders only headers are readable.
    const bool whole = program || is_below(own, folder.real) || folder.real == simulator ||
                       (simulated && folder.real == thrust_of_toolkit());
    (whole ? folders_ : header_folders_).push_back(folder.real);
  }
  files_.push_back(fs::absolute(request.source).lexically_normal());
  if (simulated) files_.push_back(fs::absolute(settings.simulator_library));
}

sandbox::Box View::box() const {
  sandbox::Box box;
  box.read_only = folders_;
  for (const fs::path& folder : header_folders_) {
    const Paths headers = headers_in(folder);
    box.read_only.insert(box.read_only.end(), headers.begin(), headers.end());
  }
  box.read_only.insert(box.read_only.end(), files_.begin(), files_.end());
  box.writable = {workspace_};
  box.hidden = hidden_;
  box.gpu = gpu_;
  return box;
}

std::optional<std::string> View::foreign(const std::vector<std::string>& files) const {
  const Paths folders = all_real(folders_);
  const Paths header_folders = all_real(header_folders_);
  const Paths single = all_real(files_);
  const Paths hidden = all_real(hidden_);
  const fs::path workspace = real(workspace_);
  const auto may_be_read = [&](const std::string& name) {
    const fs::path file = real(workspace_ / name);
    return is_below_any(file, folders) ||
           (is_header(file) && std::ranges::any_of(header_folders,
                                                   [&](const fs::path& folder) {
                                                     return is_below(file, folder) &&
                                                            !is_solution(file, folder);
                                                   })) ||
           std::find(single.begin(), single.end(), file) != single.end() || is_below(file, workspace) ||
           (is_below(file, "/usr") && !is_below_any(file, hidden));
  };
  // Returns true for a file in the submission's folder that is hidden, and so not part of the submission's
  // hash, or that has several hard links, and so may belong to somebody else.
  const auto is_not_its_own = [&](const std::string& name) {
    const fs::path file = real(workspace_ / name);
    if (own_.empty() || !is_below(file, real(own_))) return false;
    const fs::path inside = file.lexically_relative(real(own_));
    std::error_code error;
    return (fs::hard_link_count(file, error) > 1 && !error) ||
           std::any_of(inside.begin(), inside.end(),
                       [](const fs::path& part) { return part.string().starts_with('.'); });
  };
  const auto found = std::find_if_not(files.begin(), files.end(), [&](const std::string& name) {
    return may_be_read(name) && !is_not_its_own(name);
  });
  return found == files.end() ? std::nullopt : std::optional(*found);
}

sandbox::Box linker_box(const Toolchain& toolchain, const Paths& files, Paths folders) {
  sandbox::Box box;
  box.read_only = folders_of(toolchain);
  box.read_only.insert(box.read_only.end(), files.begin(), files.end());
  box.writable = std::move(folders);
  return box;
}

namespace {

// Returns true for a file of the submission that is included by a path which does not begin with its folder,
// such as /proc/self/root/... or /usr/../...: the rules, and the cache, tell its files by that.
bool is_own_by_detour(const fs::path& file, const Request& request, const Workspace& workspace) {
  const fs::path own = submission_of(request, workspace.folders().front().real);
  return is_below(real(file), real(own)) && !is_below(file, own) && !is_below(file, real(own)) &&
         !is_below(file, workspace.folder());
}

}  // namespace

std::optional<Cause> not_to_be_checked(const std::vector<std::string>& files, const Request& request,
                                       const Workspace& workspace) {
  if (!request.rules) return std::nullopt;
  for (const std::string& name : files) {
    std::error_code error;
    const fs::path file = fs::path(workspace.folder()) / name;
    const bool is_file = fs::is_regular_file(file, error);
    const bool is_small = is_file && fs::file_size(file, error) <= kLargestFile && !error;
    const bool is_by_detour = is_file && is_own_by_detour(file, request, workspace);
    if (is_small && !is_by_detour) continue;
    Cause cause;
    cause.kind = CauseKind::compile_error;
    cause.file = request.display_name;
    cause.type = request.value_type;
    const std::string shown = workspace.shown_text(name);
    cause.message =
        is_by_detour
            ? fmt::format(
                  "{} includes {}, a file of the submission, by a path from outside: write the path from "
                  "the folder of the file that includes it",
                  request.display_name, shown)
        : is_file ? fmt::format("{} includes {}, which has more than {} MiB: make it smaller",
                                request.display_name, shown, kLargestFile >> 20)
                  : fmt::format(
                        "the compiler names {} among the files that {} includes, and there is no such file: "
                        "leave out #line, and give headers names of letters, digits, dots and underscores",
                        shown, request.display_name);
    return cause;
  }
  return std::nullopt;
}

Cause foreign_file_cause(const std::string& file, const Request& request, const Workspace& workspace) {
  Cause cause;
  cause.kind = CauseKind::compile_error;
  cause.file = request.display_name;
  cause.type = request.value_type;
  cause.message = fmt::format(
      "{} includes {}: a submission may include the assignment's header, headers of its own folder and those "
      "of the system",
      request.display_name, workspace.shown_text(file));
  // Finds the #include line by the last path component only, because the rest may be written in several ways.
  const Result<std::string> source = read_file(request.source);
  std::istringstream lines(source ? *source : std::string());
  const std::string name = fs::path(file).filename();
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.find("include") == std::string::npos || line.find(name) == std::string::npos) continue;
    cause.line = number;
    break;
  }
  return cause;
}

}  // namespace warpmark::build
