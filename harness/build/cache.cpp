#include "harness/build/cache.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "harness/base/file.h"

namespace warpmark::build {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::string_view kFormat = "warpmark.library/2";
// Names below a source's folder that count as "beside it"; a home folder has more, and is cut there.
constexpr std::size_t kMostNames = 2000;
constexpr int kOutside = -1;

// One included file: relative to the folder of that index, or absolute.
struct Included {
  int folder = kOutside;
  std::string name;
  std::uint64_t size = 0;
  std::int64_t modified_ns = 0;
  std::string digest;
};

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

// Every part with its length, so that no two lists have the same digest.
class Digest {
 public:
  void add(std::string_view part) {
    text_ += fmt::format("{}:", part.size());
    text_ += part;
  }
  [[nodiscard]] std::string value() const { return sha256(text_); }

 private:
  std::string text_;
};

// All names directly inside, and those further down as long as there are not too many.
std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::vector<fs::path> below;
  const auto list = [&](const fs::path& where) {
    std::error_code error;
    for (fs::directory_iterator entry(where, error), end; !error && entry != end; entry.increment(error)) {
      const std::string name = entry->path().lexically_relative(folder).string();
      // A repository's own files change all the time.
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

// "native" means another thing on another GPU.
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

std::optional<Included> included_from(const Json& json) {
  Included file;
  if (!json.is_array() || json.size() != 5) return std::nullopt;
  json[0].get_to(file.folder);
  json[1].get_to(file.name);
  json[2].get_to(file.size);
  json[3].get_to(file.modified_ns);
  json[4].get_to(file.digest);
  return file;
}

bool is_below(const std::string& path, const std::string& folder) {
  return path.size() > folder.size() && path.starts_with(folder) &&
         (folder.ends_with('/') || path[folder.size()] == '/');
}

// Which folder of the workspace a seen name lies in.
std::pair<int, std::string> place_of(const std::string& seen, const std::vector<Folder>& folders) {
  for (std::size_t i = 0; i < folders.size(); ++i) {
    if (is_below(seen, folders[i].seen)) {
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
    // Headers of the system and the toolkit change by packages, with their times.
    if (file.folder == kOutside && now->modified_ns == file.modified_ns) return true;
    const Result<std::string> contents = read_file(path);
    return contents && sha256(*contents) == file.digest;
  }

 private:
  const std::vector<fs::path>& folders_;
};

// A damaged manifest is one that does not fit.
std::optional<Entry> entry_in(const fs::path& folder, const std::vector<fs::path>& folders) {
  const Result<std::string> text = read_file(folder / "manifest.json");
  if (!text) return std::nullopt;
  try {
    const Json manifest = Json::parse(*text);
    if (manifest.at("format") != kFormat) return std::nullopt;
    const std::optional<FileState> library = state_of(folder / "library.so");
    if (!library || library->size != manifest.at("library_size")) return std::nullopt;
    const Freshness freshness(folders);
    for (const Json& json : manifest.at("included")) {
      const std::optional<Included> file = included_from(json);
      if (!file || !freshness.unchanged(*file)) return std::nullopt;
    }
    return Entry{folder / "library.so", manifest.at("uses_thrust").get<bool>()};
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

tl::unexpected<Error> not_writable(const fs::path& folder, const std::error_code& error) {
  return fail(fmt::format(
      "cannot write to the cache of built libraries, {}: {}. Make it writable, or choose another.",
      folder.string(), error.message()));
}

// Removed on every way out but the one on which it was renamed.
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
       {kFormat, name_of(toolchain.engine), std::string_view(toolchain.identity), source,
        std::string_view(request.display_name), std::string_view(request.value_type)}) {
    digest.add(part);
  }
  for (const std::string& flag : fixed_flags(toolchain.engine)) digest.add(flag);
  digest.add(request.output == Output::object ? "object" : "library");
  digest.add(std::to_string(request.defines.size()));
  for (const std::string& define : request.defines) digest.add(define);
  if (toolchain.engine == Engine::gpu) {
    digest.add(settings.gpu_architecture);
    if (settings.gpu_architecture == "native") digest.add(gpu_models());
  } else {
    // Its path is written into the library.
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
    fs::last_write_time(entry->path(), fs::file_time_type::clock::now(), error);  // for trim_cache()
    return found;
  }
  return std::nullopt;
}

Result<Entry> Cache::store(const Compiled& compiled, const Workspace& workspace) const {
  Json included = Json::array();
  Digest digest;
  bool uses_thrust = false;
  const Freshness freshness(folders_);
  for (const std::string& seen : compiled.files) {
    if (seen == workspace.source()) continue;
    Included file;
    std::tie(file.folder, file.name) = place_of(seen, workspace.folders());
    const fs::path path = freshness.path_of(file);
    const std::optional<FileState> state = state_of(path);
    const Result<std::string> contents = read_file(path);
    if (!state || !contents)
      return fail(fmt::format("cannot read {}, which was just compiled", path.string()));
    file.digest = sha256(*contents);
    uses_thrust = uses_thrust || seen.find("/thrust/") != std::string::npos;
    digest.add(file.name);
    digest.add(file.digest);
    included.push_back({file.folder, file.name, state->size, state->modified_ns, file.digest});
  }

  const Result<FreshFolder> fresh = FreshFolder::make(home_);
  if (!fresh) return tl::unexpected<Error>(fresh.error());
  std::error_code error;
  fs::copy_file(compiled.library, fresh->path() / "library.so", error);
  if (error) return not_writable(home_, error);
  const Json manifest{{"format", kFormat},
                      {"library_size", fs::file_size(compiled.library)},
                      {"uses_thrust", uses_thrust},
                      {"included", std::move(included)}};
  const std::string text = manifest.dump(-1, ' ', false, Json::error_handler_t::replace);
  const Result<void> written = write_file(fresh->path() / "manifest.json", text);
  if (!written) return tl::unexpected<Error>(written.error());

  const fs::path place = home_ / digest.value();
  fs::rename(fresh->path(), place, error);
  if (error && !entry_in(place, folders_)) {
    // A damaged entry lies there (one that fits is another program's, and as good as ours): out of the way
    // with it.
    fs::remove_all(place, error);
    fs::rename(fresh->path(), place, error);
    if (error) return not_writable(home_, error);
  }
  return Entry{place / "library.so", uses_thrust};
}

std::size_t trim_cache(const fs::path& root, std::chrono::hours unused) {
  const auto now = fs::file_time_type::clock::now();
  const fs::path marker = root / ".trimmed";
  std::error_code error;
  const auto last = fs::last_write_time(marker, error);
  if (!error && now - last < std::chrono::hours(24)) return 0;
  if (!write_file(marker, "")) return 0;  // no cache yet, or one that is not ours to change

  std::size_t removed = 0;
  for (fs::directory_iterator key(root, error), end; !error && key != end; key.increment(error)) {
    std::error_code ignored;
    for (fs::directory_iterator entry(key->path(), ignored), last_entry; !ignored && entry != last_entry;
         entry.increment(ignored)) {
      const auto used = fs::last_write_time(entry->path(), ignored);
      if (ignored || now - used < unused) continue;
      if (fs::remove_all(entry->path(), ignored) > 0) ++removed;
    }
    if (fs::is_directory(key->path(), ignored)) fs::remove(key->path(), ignored);  // goes when it is empty
  }
  return removed;
}

}  // namespace warpmark::build
