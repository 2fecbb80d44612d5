// Writes the archives that tests hand in, the hostile ones, too.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include <archive.h>
#include <archive_entry.h>
#include <locale.h>

namespace warpmark {

struct Packed {
  std::string path;  // "anna/": a folder
  std::string text;
  std::string link = {};  // a symbolic link to there in place of a file
};

// The format is the name's: .zip, else tar with gzip.
inline void make_archive(const std::filesystem::path& file, const std::vector<Packed>& entries) {
  // libarchive writes names in the locale's characters.
  const locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  const locale_t before = uselocale(utf8);
  archive* writer = archive_write_new();
  if (file.extension() == ".zip") {
    archive_write_set_format_zip(writer);
  } else {
    archive_write_set_format_pax_restricted(writer);
    archive_write_add_filter_gzip(writer);
  }
  if (archive_write_open_filename(writer, file.c_str()) != ARCHIVE_OK)
    throw std::runtime_error(archive_error_string(writer));
  for (const Packed& each : entries) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname_utf8(entry, each.path.c_str());
    archive_entry_set_perm(entry, 0644);
    if (each.path.ends_with('/')) {
      archive_entry_set_filetype(entry, AE_IFDIR);
      archive_entry_set_size(entry, 0);
    } else if (each.link.empty()) {
      archive_entry_set_filetype(entry, AE_IFREG);
      archive_entry_set_size(entry, static_cast<la_int64_t>(each.text.size()));
    } else {
      archive_entry_set_filetype(entry, AE_IFLNK);
      archive_entry_set_symlink(entry, each.link.c_str());
    }
    archive_write_header(writer, entry);
    archive_write_data(writer, each.text.data(), each.text.size());
    archive_entry_free(entry);
  }
  archive_write_close(writer);
  archive_write_free(writer);
  uselocale(before);
  freelocale(utf8);
}

}  // namespace warpmark
