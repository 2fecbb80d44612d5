#include "harness/build/cache.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "harness/base/file.h"
#include "harness/base/text.h"
#include "harness/build/manifest.h"

namespace warpmark::build {

namespace {

namespace fs = std::filesystem;

// Maximum number of file names per include folder that are hashed into the cache key; a home folder may
// contain far more.
constexpr std::size_t kMostNames = 2000;
constexpr const char* kLibraryName = "library.so";
constexpr const char* kManifestName = "manifest";
struct FileState {
  std::uint64_t size = 0;
  std::int64_t modified_ns = 0;
};

std::optional<FileState> state_of(const fs::path& path) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return FileState{static_cast<std::uint64_t>(status.st_size),
                   std::int64_t{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec};
}

class Digest {
 public:
  void add(std::string_view part) { add_field(text_, part); }
  [[nodiscard]] std::string value() const { return sha256(text_); }

 private:
  std::string text_;
};

// Returns the sorted names of the files directly in an include folder, plus those of files in its subfolders
// until 2000 names are found (a home folder may contain far more).
std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::vector<fs::path> below;
  const auto list = [&](const fs::path& where) {
    std::error_code error;
    for (fs::directory_iterator entry(where, error), end; !error && entry != end; entry.increment(error)) {
      const std::string name = entry->path().lexically_relative(folder).string();
      // Hidden files (such as .git) are skipped: they change often and cannot affect the build.
      if (entry->path().filename().string().starts_with('.')) continue;
      names.push_back(name);
      std::error_code ignored;
      if (entry->is_directory(ignored) && !entry->is_symlink(ignored)) below.push_back(entry->path());
    }
  };
  list(folder);
  while (!below.empty() && names.size() < kMostNames) {
    const fs::path next = std::move(below.back());
    below.pop_back();
    list(next);
  }
  std::ranges::sort(names);
  return names;
}

// Returns the models of this machine's GPUs: part of the cache key, because nvcc's -arch=native depends on
// them.
std::string gpu_models() {
  std::string models;
  std::error_code error;
  for (fs::directory_iterator gpu("/proc/driver/nvidia/gpus", error), end; !error && gpu != end;
       gpu.increment(error)) {
    const Result<std::string> text = read_file(gpu->path() / "information");
    if (text) models += text->substr(0, text->find('\n'));
  }
  return models;
}

// Returns the processor's model: part of the cache key, because -march=native depends on it.
std::string processor() {
  std::string model;
  const Result<std::string> text = read_file("/proc/cpuinfo");
  for (const std::string& line : lines_of(text ? *text : "")) {
    // The first blank line of /proc/cpuinfo ends processor 0; the others repeat its model and flags.
    if (line.empty()) break;
    if (line.starts_with("model name") || line.starts_with("flags") || line.starts_with("Features"))
      model += line;
  }
  return model;
}

bool is_inside(const std::string& path, const std::string& folder) {
  return path.size() > folder.size() && path.starts_with(folder) &&
         (folder.ends_with('/') || path[folder.size()] == '/');
}

// Splits a file name that the compiler reported into the index of the include folder that contains the file
// and the path relative to that folder; kOutside and the whole name if none does.
std::pair<int, std::string> place_of(const std::string& seen, const std::vector<Folder>& folders) {
  for (std::size_t i = 0; i < folders.size(); ++i) {
    if (is_inside(seen, folders[i].seen)) {
      return {static_cast<int>(i),
              seen.substr(folders[i].seen.size() + (folders[i].seen.ends_with('/') ? 0 : 1))};
    }
  }
  return {kOutside, seen};
}

class Freshness {
 public:
  explicit Freshness(const std::vector<fs::path>& folders) : folders_(folders) {}

  [[nodiscard]] fs::path path_of(const Included& file) const {
    return file.folder == kOutside ? fs::path(file.name)
                                   : folders_[static_cast<std::size_t>(file.folder)] / file.name;
  }

  [[nodiscard]] bool unchanged(const Included& file) const {
    if (file.folder >= static_cast<int>(folders_.size()) || file.folder < kOutside) return false;
    const fs::path path = path_of(file);
    const std::optional<FileState> now = state_of(path);
    if (!now || now->size != file.size) return false;
    // System and toolkit headers are compared by modification time only, because only package updates change
    // them.
    if (file.folder == kOutside && now->modified_ns == file.modified_ns) return true;
    const Result<std::string> contents = read_file(path);
    return contents && sha256(*contents) == file.digest;
  }

 private:
  const std::vector<fs::path>& folders_;
};

std::vector<IncludedFile> included_files(const Manifest& manifest, const Freshness& freshness) {
  std::vector<IncludedFile> files;
  for (const Included& file : manifest.included) {
    files.push_back({freshness.path_of(file), file.folder == kOutside});
  }
  return files;
}

// Returns the cache entry in `folder`; nullopt unless its library and all included files are byte-identical
// to the ones that its manifest records.
std::optional<Entry> entry_in(const fs::path& folder, const std::vector<fs::path>& folders) {
  const Result<std::string> text = read_file(folder / kManifestName);
  const std::optional<Manifest> manifest = text ? manifest_from(*text) : std::nullopt;
  if (!manifest) return std::nullopt;
  const Freshness freshness(folders);
  for (const Included& file : manifest->included) {
    if (!freshness.unchanged(file)) return std::nullopt;
  }
  const Result<std::string> library = read_file(folder / kLibraryName);
  if (!library || sha256(*library) != manifest->library_digest) return std::nullopt;
  return Entry{folder / kLibraryName, manifest->uses_thrust, included_files(*manifest, freshness)};
}

tl::unexpected<Error> not_writable(const fs::path& folder, const std::error_code& error) {
  return fail(fmt::format(
      "cannot write to the cache of built libraries, {}: {}. Make it writable, or choose another.",
      folder.string(), error.message()));
}

// Owner of a temporary folder in the cache of built libraries. The destructor removes the folder unless it
// was renamed, which makes it a cache entry.
class FreshFolder {
 public:
  static Result<FreshFolder> make(const fs::path& home) {
    std::error_code error;
    fs::create_directories(home, error);
    if (error) return not_writable(home, error);
    std::string name = (home / ".fresh-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) return not_writable(home, {errno, std::generic_category()});
    return FreshFolder(name);
  }
  FreshFolder(FreshFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  FreshFolder& operator=(FreshFolder&&) = delete;
  FreshFolder(const FreshFolder&) = delete;
  FreshFolder& operator=(const FreshFolder&) = delete;
  ~FreshFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }

  [[nodiscard]] const fs::path& path() const { return path_; }

 private:
  explicit FreshFolder(fs::path path) : path_(std::move(path)) {}
  fs::path path_;
};

}  // namespace

std::string cache_key(const Toolchain& toolchain, const Settings& settings, const Request& request,
                      std::string_view source) {
  Digest digest;
  for (const std::string_view part :
       {kManifestFormat, name_of(toolchain.engine), std::string_view(toolchain.identity), source,
        std::string_view(request.display_name), std::string_view(request.value_type)}) {
    digest.add(part);
  }
  for (const std::string& flag : fixed_flags(toolchain.engine)) digest.add(flag);
  digest.add(request.output == Output::object ? "object" : request.quick ? "quick library" : "library");
  digest.add(std::to_string(request.defines.size()));
  for (const std::string& define : request.defines) digest.add(define);
  for (const auto* flags : {&request.flags, &request.link_flags}) {
    digest.add(std::to_string(flags->size()));
    for (const std::string& flag : *flags) digest.add(flag);
  }
  digest.add(std::to_string(request.libraries.size()));
  for (const std::string& library : request.libraries) digest.add(library);
  if (toolchain.engine == Engine::gpu) {
    digest.add(settings.gpu_architecture);
    if (settings.gpu_architecture == "native") digest.add(gpu_models());
  } else if (is_host(toolchain.engine)) {
    digest.add(processor());
  } else {
    // The cache key includes the path, size and time of the simulator's runtime library, because a built
    // library's RUNPATH contains that path.
    const std::optional<FileState> runtime = state_of(settings.simulator_library);
    digest.add(fs::absolute(settings.simulator_library).string());
    digest.add(runtime ? fmt::format("{} {}", runtime->size, runtime->modified_ns) : "missing");
  }
  for (const fs::path& folder : include_folders(request, settings, toolchain.engine)) {
    const std::vector<std::string> names = names_in(folder);
    digest.add(std::to_string(names.size()));
    for (const std::string& name : names) digest.add(name);
  }
  return digest.value();
}

Cache::Cache(const fs::path& root, const std::string& key, std::vector<fs::path> folders)
    : home_(fs::absolute(root) / key), folders_(std::move(folders)) {}

std::optional<Entry> Cache::find() const {
  std::error_code error;
  for (fs::directory_iterator entry(home_, error), end; !error && entry != end; entry.increment(error)) {
    if (entry->path().filename().string().starts_with('.')) continue;
    std::optional<Entry> found = entry_in(entry->path(), folders_);
    if (!found) continue;
    // Sets the cache entry's time of last use, by which trim_cache() finds entries to remove.
    fs::last_write_time(entry->path(), fs::file_time_type::clock::now(), error);
    return found;
  }
  return std::nullopt;
}

Result<Entry> Cache::store(const Compiled& compiled, const Workspace& workspace) const {
  Manifest manifest;
  manifest.warnings = compiled.warnings;
  Digest digest;
  const Freshness freshness(folders_);
  for (const std::string& seen : compiled.files) {
    if (seen == workspace.source()) continue;
    Included file;
    std::tie(file.folder, file.name) = place_of(seen, workspace.folders());
    const fs::path path = freshness.path_of(file);
    // Omits names of no file from the cache's list of included files: a #line directive made them up, and the
    // compiler read no such file.
    std::error_code no_file;
    if (path.is_relative() || !fs::is_regular_file(path, no_file)) continue;
    const std::optional<FileState> state = state_of(path);
    const Result<std::string> contents = read_file(path);
    if (!state || !contents)
      return fail(fmt::format("cannot read {}, which was just compiled", path.string()));
    file.digest = sha256(*contents);
    file.size = state->size;
    file.modified_ns = state->modified_ns;
    // A header in a folder named "thrust" belongs to Thrust, unless that folder is in the submission's own
    // include folder, which has index 0.
    manifest.uses_thrust =
        manifest.uses_thrust || (file.folder != 0 && seen.find("/thrust/") != std::string::npos);
    digest.add(file.name);
    digest.add(file.digest);
    manifest.included.push_back(std::move(file));
  }

  const Result<FreshFolder> fresh = FreshFolder::make(home_);
  if (!fresh) return tl::unexpected<Error>(fresh.error());
  std::error_code error;
  const Result<std::string> library = read_file(compiled.library);
  if (!library) return tl::unexpected<Error>(library.error());
  manifest.library_digest = sha256(*library);
  fs::copy_file(compiled.library, fresh->path() / kLibraryName, error);
  if (error) return not_writable(home_, error);
  const Result<void> written = write_file(fresh->path() / kManifestName, to_text(manifest));
  if (!written) return tl::unexpected<Error>(written.error());

  const fs::path place = home_ / digest.value();
  fs::rename(fresh->path(), place, error);
  if (error && !entry_in(place, folders_)) {
    // Replaces an existing cache entry of the same name: either it was found damaged, or another process has
    // just stored an equivalent one.
    fs::remove_all(place, error);
    fs::rename(fresh->path(), place, error);
    if (error) return not_writable(home_, error);
  }
  return Entry{place / kLibraryName, manifest.uses_thrust, included_files(manifest, freshness)};
}

std::string warnings_of(const fs::path& library) {
  const Result<std::string> text = read_file(library.parent_path() / kManifestName);
  const std::optional<Manifest> manifest = text ? manifest_from(*text) : std::nullopt;
  return manifest ? manifest->warnings : std::string();
}

std::size_t trim_cache(const fs::path& root, std::chrono::hours unused) {
  const auto now = fs::file_time_type::clock::now();
  const fs::path marker = root / ".trimmed";
  std::error_code error;
  const auto last = fs::last_write_time(marker, error);
  if (!error && now - last < std::chrono::hours(24)) return 0;
  if (!write_file(marker, "")) return 0;  // no cache exists yet, or this user cannot write to it

  std::size_t removed = 0;
  for (fs::directory_iterator key(root, error), end; !error && key != end; key.increment(error)) {
    std::error_code ignored;
    for (fs::directory_iterator entry(key->path(), ignored), last_entry; !ignored && entry != last_entry;
         entry.increment(ignored)) {
      const auto used = fs::last_write_time(entry->path(), ignored);
      if (ignored || now - used < unused) continue;
      if (fs::remove_all(entry->path(), ignored) > 0) ++removed;
    }
    // Removes the cache key's folder if no entry is left in it: remove() fails on a folder that is not empty.
    if (fs::is_directory(key->path(), ignored)) fs::remove(key->path(), ignored);
  }
  return removed;
}

}  // namespace warpmark::build
