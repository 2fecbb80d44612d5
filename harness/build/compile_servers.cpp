#include "harness/build/compile_servers.h"

#include <filesystem>
#include <utility>

#include "harness/build/compiler.h"
#include "harness/build/manifest.h"
#include "harness/build/workspace.h"

namespace warpmark::build {

namespace {

namespace fs = std::filesystem;

// Library to preload into compilers, found beside the simulator's runtime library.
constexpr const char* kPreloaded = "libwarpmark_forks.so";

// Returns a key that is equal for sources which may share a compile server: they have the same author (the
// course or one student) and may read the same folders.
std::string key_of(const Request& request, const Settings& settings, const Precompiled& headers) {
  std::string text;
  add_field(text, request.rules ? "submission" : "course");
  add_field(text, headers.host.string());
  add_field(text, fs::path(request.display_name).parent_path().string());
  for (const fs::path& folder : include_folders(request, settings, Engine::simulator))
    add_field(text, folder.string());
  return text;
}

std::shared_ptr<const Workshop> make_workshop(const Request& request, const Toolchain& toolchain,
                                              const Settings& settings, const Precompiled& headers) {
  auto workshop = std::make_shared<Workshop>();
  const fs::path preloaded = fs::absolute(settings.simulator_library).parent_path() / kPreloaded;
  std::error_code error;
  if (!fs::exists(preloaded, error)) return workshop;
  const fs::path& folder = workshop->folder.path();
  sandbox::Box box = simulator_box(toolchain, settings, request,
                                   Workspace(request, settings, Engine::simulator, folder), headers);
  box.writable = {folder};
  Result<CompileServer> server =
      Compiler(toolchain, settings, folder, std::move(box)).start_server(preloaded);
  if (server) workshop->server = std::move(*server);
  return workshop;
}

}  // namespace

std::shared_ptr<const Workshop> CompileServers::of(const Request& request, const Toolchain& toolchain,
                                                   const Settings& settings, const Precompiled& headers) {
  LazyWorkshop* lazy = nullptr;
  {
    const std::scoped_lock lock(mutex_);
    lazy = &workshops_[key_of(request, settings, headers)];
  }
  std::call_once(lazy->started,
                 [&] { lazy->workshop = make_workshop(request, toolchain, settings, headers); });
  return lazy->workshop;
}

}  // namespace warpmark::build
