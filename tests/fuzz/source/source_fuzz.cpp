// What a submission's text and library look like to the integrity checks: tokens, rules of the text, ELF
// tables.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

#include "harness/assignments/tokens.h"
#include "harness/build/exports.h"
#include "harness/build/source_rules.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace warpmark;
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (text.starts_with("\x7f"
                       "ELF")) {
    static const int fd = ::memfd_create("input", MFD_CLOEXEC);
    static const std::filesystem::path path = "/proc/self/fd/" + std::to_string(fd);
    if (::ftruncate(fd, 0) != 0 || ::pwrite(fd, data, size, 0) != static_cast<ssize_t>(size)) std::abort();
    (void)build::symbols_of(path);
    return 0;
  }
  for (const std::string& token : tokens_of(text)) {
    if (token.empty()) std::abort();
  }
  if (!same_tokens(text, text)) std::abort();
  build::Request request;
  request.display_name = "v.cu";
  const build::OwnFile file{"v.cu", text};
  for (const auto rule : {build::tells_apart, build::directs_the_assembler}) {
    const auto cause = rule(request, file);
    if (cause && cause->message.empty()) std::abort();
  }
  return 0;
}
