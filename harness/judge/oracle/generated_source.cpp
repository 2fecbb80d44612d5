#include "harness/judge/oracle/generated_source.h"

#include <stdexcept>
#include <system_error>

#include "harness/base/file.h"

namespace warpmark::judge {

namespace fs = std::filesystem;

fs::path generated_source(const fs::path& cache, const std::string& text, const std::string& ending) {
  // A folder of its own: the names beside a source are part of the key of what is built from it.
  const fs::path folder = fs::absolute(cache) / "generated" / sha256(text + ending).substr(0, 32);
  std::error_code error;
  fs::create_directories(folder, error);
  const fs::path file = folder / ("generated" + ending);
  if (read_file(file).value_or("") != text) {
    if (const auto written = write_file(file, text); !written)
      throw std::runtime_error(written.error().message);
  }
  return file;
}

}  // namespace warpmark::judge
