// Writes a zip with libarchive. It contains only names, contents and modes, so that the output is
// deterministic.
#include <memory>

#include <archive.h>
#include <archive_entry.h>
#include <fmt/format.h>

#include "harness/base/file.h"
#include "harness/handout/handout.h"

namespace warpmark::handout {
namespace {

constexpr std::time_t kTime = 946'728'000;  // 2000-01-01 12:00 UTC: a zip requires a time stamp

Result<void> add(archive* zip, const std::string& name, const File& file) {
  const std::unique_ptr<archive_entry, decltype(&archive_entry_free)> entry(archive_entry_new(),
                                                                            archive_entry_free);
  archive_entry_set_pathname(entry.get(), name.c_str());
  archive_entry_set_size(entry.get(), static_cast<la_int64_t>(file.text.size()));
  archive_entry_set_filetype(entry.get(), AE_IFREG);
  archive_entry_set_perm(entry.get(), file.executable ? 0755 : 0644);
  archive_entry_set_mtime(entry.get(), kTime, 0);
  if (archive_write_header(zip, entry.get()) != ARCHIVE_OK ||
      archive_write_data(zip, file.text.data(), file.text.size()) !=
          static_cast<la_ssize_t>(file.text.size()))
    return fail(archive_error_string(zip));
  return {};
}

}  // namespace

Result<void> write_zip(const Files& files, const std::filesystem::path& path) {
  const std::unique_ptr<archive, decltype(&archive_write_free)> zip(archive_write_new(), archive_write_free);
  const auto failed = [&] {
    const char* why = archive_error_string(zip.get());
    return fail(fmt::format("{}: {}", path.string(), why != nullptr ? why : "cannot be written"));
  };
  if (archive_write_set_format_zip(zip.get()) != ARCHIVE_OK ||
      archive_write_open_filename(zip.get(), path.c_str()) != ARCHIVE_OK)
    return failed();
  for (const auto& [name, file] : files) {
    if (!add(zip.get(), name, file)) return failed();
  }
  if (archive_write_close(zip.get()) != ARCHIVE_OK) return failed();
  return {};
}

}  // namespace warpmark::handout
