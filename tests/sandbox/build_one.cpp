// Builds one file: LEVEL SOURCE CACHE. Says whose fault it is when that fails.

#include <cstdio>

#include "harness/build/builder.h"

int main(int argc, char** argv) {
  using namespace warpmark;
  if (argc != 4) return 2;
  const auto toolchain = build::find_toolchain(Engine::simulator);
  if (!toolchain) return std::puts(toolchain.error().message.c_str()), 2;
  build::Settings settings;
  settings.sandbox = sandbox::level_from(argv[1]).value_or(sandbox::Level::process);
  settings.cache = argv[3];
  settings.simulator_include = WARPMARK_LIB "/simulator-headers";
  settings.simulator_library = WARPMARK_LIB "/libwarpmark_cudart.so";
  const auto built = build::Builder(*toolchain, settings).build({argv[2], "a.cu", {}, "", {"f"}});
  if (!built) return std::printf("our fault: %s\n", built.error().message.c_str()), 3;
  for (const Cause& cause : built->causes) std::printf("the submission's fault: %s\n", cause.message.c_str());
  return built->causes.empty() ? 0 : 1;
}
