#include "harness/build/precompiled.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/base/file.h"
#include "harness/build/cache.h"
#include "harness/build/first_includes.h"
#include "harness/build/integrity.h"
#include "harness/build/workspace.h"

namespace warpmark::build {

namespace {

namespace fs = std::filesystem;
using Names = std::vector<std::string>;

// path of the source to precompile, in the simulator's include folder
constexpr const char* kPreamble = "warpmark_cuda/preamble.cu";

constexpr std::size_t kDigits = 16;  // a cache folder's name contains this many hex digits of the digest

struct Pass {
  const char* name;
  fs::path Precompiled::*file;
};
constexpr std::array kPasses{Pass{"checking", &Precompiled::checking},
                             Pass{"counting", &Precompiled::counting}, Pass{"host", &Precompiled::host}};

// Returns true if the compiler sees all files at their real paths, without symbolic links. A precompiled
// header records the paths of its inputs, which must still exist when the header is used.
bool are_plain(const Workspace& workspace, const fs::path& source) {
  return workspace.source() == source.string() &&
         std::ranges::all_of(workspace.folders(),
                             [](const Folder& folder) { return folder.seen == folder.real.string(); });
}

// Returns the path of the precompiled header from the cache, made first if needed; empty if it could not be
// made.
fs::path headers_of(const Toolchain& toolchain, const Settings& settings, const Pass& pass,
                    const Names& more) {
  Request request;
  request.source = fs::absolute(settings.simulator_include).lexically_normal() / kPreamble;
  request.display_name = kPreamble;
  const Result<std::string> source = read_file(request.source);
  if (!source) return {};
  std::string key = fmt::format("{}-{}", cache_key(toolchain, settings, request, *source), pass.name);
  if (!more.empty())
    key += fmt::format("-{}", sha256(fmt::format("{}", fmt::join(more, " "))).substr(0, kDigits));
  const Cache cache(settings.cache, key, include_folders(request, settings, toolchain.engine));
  if (const std::optional<Entry> entry = cache.find()) return entry->library;
  const Workspace workspace(request, settings, toolchain.engine);
  if (!are_plain(workspace, request.source)) return {};
  const auto made = precompile(toolchain, settings, request, workspace, pass.file, more);
  const auto* headers = made ? std::get_if<Compiled>(&*made) : nullptr;
  if (headers == nullptr) return {};
  const Result<Entry> entry = cache.store(*headers, workspace);
  return entry ? entry->library : fs::path();
}

Precompiled headers_of_all(const Toolchain& toolchain, const Settings& settings, const Names& more) {
  std::array<std::future<fs::path>, kPasses.size()> made;
  for (std::size_t i = 0; i < made.size(); ++i) {
    made[i] =
        std::async(std::launch::async, [&, i] { return headers_of(toolchain, settings, kPasses[i], more); });
  }
  Precompiled all;
  for (std::size_t i = 0; i < made.size(); ++i) all.*kPasses[i].file = made[i].get();
  return all;
}

}  // namespace

PrecompiledHeaders::PrecompiledHeaders(Toolchain toolchain, Settings settings)
    : toolchain_(std::move(toolchain)), settings_(std::move(settings)) {}

Precompiled PrecompiledHeaders::get(const Names& more) {
  std::shared_future<Precompiled> made;
  {
    const std::scoped_lock lock(mutex_);
    std::shared_future<Precompiled>& entry = made_[more];
    if (!entry.valid()) {
      entry = std::async(std::launch::deferred,
                         [this, more] { return headers_of_all(toolchain_, settings_, more); });
    }
    made = entry;
  }
  const Precompiled& headers = made.get();
  const bool whole = !headers.checking.empty() && !headers.counting.empty() && !headers.host.empty();
  return whole || more.empty() ? headers : get();
}

Names library_headers(const Request& request, std::string_view source) {
  Names names = first_includes(source);
  if (std::ranges::find(names, "thrust", library_of_header) == names.end()) return {};
  const bool forbidden = std::ranges::any_of(
      names, [&](const std::string& name) { return forbidden_header(request, name).has_value(); });
  const auto has_its_own = [&](const fs::path& folder) {
    return std::ranges::any_of(names, [&](const std::string& name) {
      std::error_code error;
      return fs::exists(folder / *fs::path(name).begin(), error);
    });
  };
  const bool own =
      has_its_own(request.source.parent_path()) || std::ranges::any_of(request.include_folders, has_its_own);
  return forbidden || own ? Names{} : names;
}

}  // namespace warpmark::build
