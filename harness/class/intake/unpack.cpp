// Reads archives with libarchive. Only its reading API is used: names, links, owners and modes of entries
// never reach the file system.
#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <string>
#include <system_error>

#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <locale.h>
#include <unistd.h>

#include "harness/base/file.h"
#include "harness/class/intake/names.h"
#include "harness/class/intake/tree.h"

namespace warpmark::classroom {
namespace {

namespace fs = std::filesystem;

using Reader = std::unique_ptr<archive, decltype(&archive_read_free)>;

constexpr std::size_t kBlock = 128 * 1024;

// Sets the thread's locale to UTF-8, because libarchive converts names to the locale's character set.
class Utf8Names {
 public:
  Utf8Names() : locale_(newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr)) {
    if (locale_ != nullptr) before_ = uselocale(locale_);
  }
  Utf8Names(const Utf8Names&) = delete;
  Utf8Names& operator=(const Utf8Names&) = delete;
  ~Utf8Names() {
    if (locale_ == nullptr) return;
    uselocale(before_);
    freelocale(locale_);
  }

 private:
  locale_t locale_;
  locale_t before_ = nullptr;
};

class Unpacking {
 public:
  Unpacking(const fs::path& file, const fs::path& staging, const Caps& caps, std::string name)
      : file_(file),
        name_(std::move(name)),
        staging_(staging),
        caps_(caps),
        reader_(archive_read_new(), &archive_read_free) {}

  Result<Tree> run() {
    archive* reader = reader_.get();
    archive_read_support_format_zip(reader);
    archive_read_support_format_tar(reader);
    for (const auto support : {archive_read_support_filter_gzip, archive_read_support_filter_bzip2,
                               archive_read_support_filter_xz, archive_read_support_filter_zstd})
      support(reader);
    if (archive_read_open_filename(reader, file_.c_str(), kBlock) != ARCHIVE_OK) return damaged();
    if (!staging_.empty()) fs::create_directories(staging_);
    while (true) {
      archive_entry* entry = nullptr;
      const int status = archive_read_next_header(reader, &entry);
      if (status == ARCHIVE_EOF) break;
      if (status < ARCHIVE_WARN) return damaged();
      if (auto taken = take(entry); !taken) return tl::unexpected(taken.error());
    }
    if (entries_ == 0) return fail(fmt::format("{} is empty, or not a zip or tar", name_));
    std::sort(tree_.files.begin(), tree_.files.end(),
              [](const TreeFile& a, const TreeFile& b) { return a.path < b.path; });
    tree_.bytes = bytes_;
    tree_.entries = entries_;
    return std::move(tree_);
  }

 private:
  [[nodiscard]] tl::unexpected<Error> damaged() const {
    const char* reason = archive_error_string(reader_.get());
    return fail(fmt::format(
        "{} cannot be unpacked ({}): it is damaged, truncated, or not a zip or tar; download it again", name_,
        reason != nullptr ? reason : "no reason given"));
  }

  void refuse(const std::string& path, std::string why) { tree_.refused.push_back({path, std::move(why)}); }

  Result<void> take(archive_entry* entry) {
    if (++entries_ > caps_.entries) {
      return fail(
          fmt::format("{} holds more than {} entries; pack only the source files", name_, caps_.entries));
    }
    const char* name = archive_entry_pathname_utf8(entry);
    if (name == nullptr) name = archive_entry_pathname(entry);
    const std::string raw = name != nullptr ? name : "";
    const auto path = safe_path(raw);
    const bool folder = archive_entry_filetype(entry) == AE_IFDIR;
    if (path && last_part(*path) == ".git") tree_.repositories.emplace(folder_part(*path));
    if (path && is_litter(*path)) return {};
    if (path && folder) {
      if (!last_part(*path).starts_with('.')) tree_.folders.insert(*path);
      return {};
    }
    if (!path) {
      if (!folder) refuse(raw, path.error().message);
      return {};
    }
    if (archive_entry_is_encrypted(entry) != 0) {
      return fail(fmt::format("{} is encrypted; hand it in without a password", name_));
    }
    if (archive_entry_hardlink(entry) != nullptr || archive_entry_filetype(entry) == AE_IFLNK) {
      refuse(*path, "is a link and was left out; pack a copy of the file in its place");
      return {};
    }
    if (archive_entry_filetype(entry) != AE_IFREG) {
      refuse(*path, "is no regular file and was left out");
      return {};
    }
    if (!seen_.insert(*path).second) {
      refuse(*path,
             "is in the archive twice; the first was taken: pack the archive again without duplicates");
      return {};
    }
    if (!seen_folded_.insert(folded(*path)).second) {
      refuse(*path,
             "differs from another name only in upper and lower case, and both were taken: not every system "
             "can store both; rename one");
    }
    const auto promised = archive_entry_size_is_set(entry) != 0 ? archive_entry_size(entry) : 0;
    return write(*path, static_cast<std::uint64_t>(std::max<la_int64_t>(promised, 0)));
  }

  [[nodiscard]] tl::unexpected<Error> too_much(const std::string& path) const {
    return fail(fmt::format("{} unpacks to more than {} MiB, reached at {}; pack only the source files",
                            name_, caps_.bytes >> 20, path));
  }

  Result<void> leave_out(const std::string& path, std::uint64_t cap) {
    refuse(path, fmt::format("is larger than {} MiB and was left out; a submission is a few source files",
                             cap >> 20));
    if (archive_read_data_skip(reader_.get()) < ARCHIVE_WARN) return damaged();
    return {};
  }

  // Unpacks one entry of an archive. Both the size in its header and the actual size are checked against the
  // limits.
  Result<void> write(const std::string& path, std::uint64_t promised) {
    const std::uint64_t cap = is_archive(path) ? caps_.bytes : caps_.file_bytes;
    // In a zip an entry can be skipped without unpacking it, so a zip bomb costs only its own file.
    const bool skips = (archive_format(reader_.get()) & ARCHIVE_FORMAT_BASE_MASK) == ARCHIVE_FORMAT_ZIP;
    if (skips && promised > cap) return leave_out(path, cap);
    if (promised > caps_.bytes - bytes_) return too_much(path);
    if (staging_.empty()) {
      bytes_ += promised;
      tree_.files.push_back({path, {}});
      return {};
    }
    const fs::path target = staging_ / fmt::format("{}", tree_.files.size());
    UniqueFd file(open(target.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!file) unwritable(target);
    std::uint64_t size = 0;
    std::array<char, kBlock> block{};
    while (true) {
      const la_ssize_t got = archive_read_data(reader_.get(), block.data(), block.size());
      if (got == 0) break;
      if (got < 0) return damaged();
      size += static_cast<std::uint64_t>(got);
      bytes_ += static_cast<std::uint64_t>(got);
      if (bytes_ > caps_.bytes) return too_much(path);
      if (size > cap) break;
      if (::write(file.get(), block.data(), static_cast<std::size_t>(got)) != got) unwritable(target);
    }
    if (size > cap) {
      file.reset();
      ::unlink(target.c_str());
      bytes_ = std::min(caps_.bytes, bytes_ + std::max(promised, size) - size);
      return leave_out(path, cap);
    }
    tree_.files.push_back({path, target});
    return {};
  }

  [[noreturn]] static void unwritable(const fs::path& target) {
    throw std::system_error(errno, std::generic_category(), "cannot write " + target.string());
  }

  const Utf8Names names_;
  fs::path file_;
  std::string name_;  // the archive's name in messages
  fs::path staging_;  // folder to unpack to; empty: the archive is only listed
  Caps caps_;
  Reader reader_;
  Tree tree_;
  std::set<std::string> seen_;
  std::set<std::string> seen_folded_;
  std::uint64_t entries_ = 0;
  std::uint64_t bytes_ = 0;
};

}  // namespace

Result<Tree> read_archive(const fs::path& archive, const fs::path& staging, const Caps& caps,
                          const std::string& name) {
  return Unpacking(archive, staging, caps, name).run();
}

Result<Tree> list_archive(const fs::path& archive, const Caps& caps) {
  return Unpacking(archive, {}, caps, archive.filename().string()).run();
}

}  // namespace warpmark::classroom
