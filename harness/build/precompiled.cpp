#include "harness/build/precompiled.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <variant>

#include "harness/base/file.h"
#include "harness/build/cache.h"
#include "harness/build/workspace.h"

namespace warpmark::build {

namespace {

namespace fs = std::filesystem;

constexpr const char* kPreamble = "warpmark_cuda/preamble.cu";  // in the simulator's include folder

struct Pass {
  const char* name;
  fs::path Precompiled::*file;
};
constexpr std::array kPasses{Pass{"checking", &Precompiled::checking},
                             Pass{"counting", &Precompiled::counting}, Pass{"host", &Precompiled::host}};

// A precompiled header names the files that it was made from: they have to stay where they were.
bool are_plain(const Workspace& workspace, const fs::path& source) {
  return workspace.source() == source.string() &&
         std::ranges::all_of(workspace.folders(),
                             [](const Folder& folder) { return folder.seen == folder.real.string(); });
}

// Empty where it could not be made.
fs::path headers_of(const Toolchain& toolchain, const Settings& settings, const Pass& pass) {
  Request request;
  request.source = fs::absolute(settings.simulator_include).lexically_normal() / kPreamble;
  request.display_name = kPreamble;
  const Result<std::string> source = read_file(request.source);
  if (!source) return {};
  const Cache cache(settings.cache, cache_key(toolchain, settings, request, *source) + "-" + pass.name,
                    include_folders(request, settings, toolchain.engine));
  if (const std::optional<Entry> entry = cache.find()) return entry->library;
  const Workspace workspace(request, settings, toolchain.engine);
  if (!are_plain(workspace, request.source)) return {};
  const auto made = precompile(toolchain, settings, request, workspace, pass.file);
  const auto* headers = made ? std::get_if<Compiled>(&*made) : nullptr;
  if (headers == nullptr) return {};
  const Result<Entry> entry = cache.store(*headers, workspace);
  return entry ? entry->library : fs::path();
}

Precompiled headers_of_all(const Toolchain& toolchain, const Settings& settings) {
  std::array<std::future<fs::path>, kPasses.size()> made;
  for (std::size_t i = 0; i < made.size(); ++i) {
    made[i] = std::async(std::launch::async, [&, i] { return headers_of(toolchain, settings, kPasses[i]); });
  }
  Precompiled all;
  for (std::size_t i = 0; i < made.size(); ++i) all.*kPasses[i].file = made[i].get();
  return all;
}

}  // namespace

PrecompiledHeaders::PrecompiledHeaders(Toolchain toolchain, Settings settings)
    : toolchain_(std::move(toolchain)),
      settings_(std::move(settings)),
      made_(std::async(std::launch::deferred, [this] { return headers_of_all(toolchain_, settings_); })) {}

Precompiled PrecompiledHeaders::get() {
  return made_.get();
}

}  // namespace warpmark::build
