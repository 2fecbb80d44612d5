#include "harness/build/compile_parts.h"

#include <algorithm>
#include <utility>

#include "harness/base/file.h"
#include "harness/build/depfile.h"

namespace warpmark::build {

Arguments joined(std::initializer_list<Arguments> parts) {
  Arguments all;
  for (const Arguments& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

Arguments define_flags(const Request& request) {
  Arguments flags;
  if (!request.value_type.empty()) flags.push_back("-DWARPMARK_VALUE=" + request.value_type);
  for (const std::string& define : request.defines) flags.push_back("-D" + define);
  return flags;
}

Arguments depfile_flags(const std::filesystem::path& file) {
  return {"-MD", "-MF", file.string(), "-MT", "library"};
}

Arguments openmp_flags(const Workspace& workspace) {
  const Result<std::string> source = read_file(workspace.source());
  const bool uses = source && (source->find("<omp.h>") != std::string::npos ||
                               source->find("pragma omp ") != std::string::npos);
  return uses ? kOpenMp : Arguments{};
}

Result<Compilation> compilation_of(Result<std::optional<FailedPass>> refused, Compiled compiled,
                                   std::initializer_list<std::filesystem::path> depfiles) {
  if (!refused) return tl::unexpected<Error>(std::move(refused.error()));
  if (*refused) return std::move(**refused);
  for (const std::filesystem::path& depfile : depfiles) {
    const Result<std::string> text = read_own_file(depfile);
    if (!text) return tl::unexpected<Error>(text.error());
    for (std::string& file : files_of_depfile(*text)) {
      if (std::ranges::find(compiled.files, file) == compiled.files.end())
        compiled.files.push_back(std::move(file));
    }
  }
  return compiled;
}

}  // namespace warpmark::build
