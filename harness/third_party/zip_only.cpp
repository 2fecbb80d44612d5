// Keeps libarchive's writers of other formats than zip out of our programs. All writers share this function,
// which lies in the object that lists them all: with it come xar and, through it, libxml2 and ICU (30 MB).
#include <cstdlib>

#include <archive.h>

// Called for an entry that the format cannot hold. Our zips hold regular files alone.
extern "C" void __archive_write_entry_filetype_unsupported(archive* /*writer*/, archive_entry* /*entry*/,
                                                           const char* /*format*/);
void __archive_write_entry_filetype_unsupported(archive* /*writer*/, archive_entry* /*entry*/,
                                                const char* /*format*/) {
  std::abort();
}
