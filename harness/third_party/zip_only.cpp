// Keeps libarchive's writers for formats other than zip out of Warpmark's programs. All writers call this
// function, which libarchive defines in the same object file as its table of writers: linking that file adds
// the writer for xar and, through it, libxml2 and ICU (30 MB).
#include <cstdlib>

#include <archive.h>

// libarchive calls this function for an entry whose file type the archive format does not support. Never
// happens: Warpmark's zip files contain only regular files.
extern "C" void __archive_write_entry_filetype_unsupported(archive* /*writer*/, archive_entry* /*entry*/,
                                                           const char* /*format*/);
void __archive_write_entry_filetype_unsupported(archive* /*writer*/, archive_entry* /*entry*/,
                                                const char* /*format*/) {
  std::abort();
}
