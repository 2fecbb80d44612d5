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

Result<void> add_files(const std::filesystem::path& depfile, std::vector<std::string>& files) {
  const Result<std::string> text = read_own_file(depfile);
  if (!text) return tl::unexpected<Error>(text.error());
  for (std::string& file : files_of_depfile(*text)) {
    if (std::ranges::find(files, file) == files.end()) files.push_back(std::move(file));
  }
  return {};
}

}  // namespace warpmark::build
