#include "harness/class/intake/intake.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/base/file.h"
#include "harness/class/intake/names.h"
#include "harness/judge/intake/near_names.h"

namespace warpmark::classroom {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepestArchive = 3;
constexpr std::size_t kMostRemarks = 5;  // maximum number of remarks about skipped files per submission

// Supplies a new folder for each archive that is unpacked.
class Staging {
 public:
  explicit Staging(fs::path folder) : folder_(std::move(folder)) {}
  fs::path next() { return folder_ / fmt::format("{}", count_++); }

 private:
  fs::path folder_;
  int count_ = 0;
};

// Returns `folder`, or "folder-2" and so on if files of the submission have that path or lie below it.
std::string free_folder(const std::vector<TreeFile>& files, const std::string& folder) {
  const auto is_taken = [&](const std::string& name) {
    return std::ranges::any_of(
        files, [&](const TreeFile& file) { return file.path == name || file.path.starts_with(name + "/"); });
  };
  std::string name = folder;
  for (int number = 2; is_taken(name); ++number) name = fmt::format("{}-{}", folder, number);
  return name;
}

// Leaves out files that cannot lie beside others of the submission: those with the path of another file, and
// those whose path is a folder of another file.
void leave_out_clashes(Delivery& delivery) {
  std::set<std::string> folders;
  for (const TreeFile& file : delivery.tree.files) {
    for (std::size_t at = file.path.find('/'); at != std::string::npos; at = file.path.find('/', at + 1))
      folders.insert(file.path.substr(0, at));
  }
  std::set<std::string> paths;
  std::erase_if(delivery.tree.files, [&](const TreeFile& file) {
    if (!folders.contains(file.path) && paths.insert(file.path).second) return false;
    delivery.tree.refused.push_back(
        {file.path, "has the path of another file or folder of the submission; it was left out"});
    return true;
  });
}

// Replaces each archive in a submission by a folder with its contents: "work.zip" becomes the folder "work".
// caps: remaining limits for all archives of the submission together.
void unpack_inside(Delivery& delivery, Staging& staging, Caps& caps, int depth = 0) {
  std::vector<TreeFile> archives;
  auto& files = delivery.tree.files;
  for (const TreeFile& file : files) {
    if (is_archive(file.path)) archives.push_back(file);
    if (is_foreign_archive(file.path)) {
      delivery.remarks.push_back(
          fmt::format("{} is an archive of an unsupported format; hand in a zip or tar", file.path));
    }
  }
  std::erase_if(files, [](const TreeFile& file) { return is_archive(file.path); });
  for (const TreeFile& packed : archives) {
    if (depth == kDeepestArchive) {
      delivery.remarks.push_back(
          fmt::format("{} is an archive nested three levels deep; it was left out", packed.path));
      continue;
    }
    Delivery inner;
    auto tree = read_archive(packed.file, staging.next(), caps, packed.path);
    if (!tree) {
      delivery.remarks.push_back(tree.error().message);
      delivery.fault = StudentCause{"damaged", tree.error().message};
      continue;
    }
    caps.bytes -= std::min(caps.bytes, tree->bytes);
    caps.entries -= std::min(caps.entries, tree->entries);
    inner.tree = std::move(*tree);
    unpack_inside(inner, staging, caps, depth + 1);
    const std::string parent(folder_part(packed.path));
    const std::string folder =
        free_folder(files, (parent.empty() ? "" : parent + "/") + archive_stem(packed.path)) + "/";
    for (TreeFile& file : inner.tree.files) files.push_back({folder + file.path, file.file});
    for (RefusedEntry& entry : inner.tree.refused)
      delivery.tree.refused.push_back({folder + entry.path, entry.why});
    for (std::string& remark : inner.remarks) delivery.remarks.push_back(folder + remark);
    if (inner.fault) delivery.fault = inner.fault;
  }
  std::ranges::sort(files, {}, &TreeFile::path);
}

// Returns the contents of the tree's only top folder if that folder merely wraps a class or a platform's
// export, otherwise the tree itself. stem: name of the archive without extension; empty for a folder.
Tree without_wrapping(Tree tree, const std::string& stem) {
  const auto tops = tree.top_folders();
  const bool alone = tops.size() == 1 && std::ranges::none_of(tree.files, [](const TreeFile& file) {
                       return file.path.find('/') == std::string::npos;
                     });
  if (!alone) return tree;
  Tree inside = tree.below(*tops.begin());
  const bool export_inside = layout_of(inside) != Layout::folders;
  const bool is_student = std::ranges::any_of(inside.files, [](const TreeFile& file) {
    return file.path.find('/') == std::string::npos && !is_archive(file.path);
  });
  const bool class_inside =
      !stem.empty() && !is_student && (*tops.begin() == stem || inside.top_folders().size() > 1);
  const bool wraps = export_inside || class_inside;
  return wraps && layout_of(tree) == Layout::folders ? inside : tree;
}

Result<Deliveries> deliveries_in(const Tree& tree, const std::string& name, Staging& staging);

// Unpacks the archives that one student handed in. If there is no other delivery, a single archive may also
// be a platform's export of a whole class, whose submissions are added separately: beside other students'
// work it is what a student has packed, whatever the names in it say.
Result<void> add_unpacked(Delivery delivery, bool is_only_one, Staging& staging, Deliveries& found) {
  const bool packed = is_only_one && delivery.layout == Layout::folders && delivery.tree.files.size() == 1 &&
                      is_archive(delivery.tree.files.front().path);
  if (packed) {
    const std::filesystem::path file = delivery.tree.files.front().file;
    const auto names = list_archive(file, kClassCaps);
    if (names && layout_of(without_wrapping(*names, delivery.person.name)) != Layout::folders) {
      auto tree = read_archive(file, staging.next(), kClassCaps, delivery.source);
      if (!tree) return tl::unexpected(tree.error());
      auto more =
          deliveries_in(without_wrapping(std::move(*tree), delivery.person.name), delivery.source, staging);
      if (!more) return tl::unexpected(more.error());
      found.add(std::move(*more));
      return {};
    }
  }
  Caps caps = kSubmissionCaps;
  unpack_inside(delivery, staging, caps);
  leave_out_clashes(delivery);
  const auto& refused = delivery.tree.refused;
  for (std::size_t i = 0; i < std::min(refused.size(), kMostRemarks); ++i)
    delivery.remarks.push_back(fmt::format("{} {}", refused[i].path, refused[i].why));
  if (refused.size() > kMostRemarks)
    delivery.remarks.push_back(fmt::format("{} more were left out, too", refused.size() - kMostRemarks));
  found.all.push_back(std::move(delivery));
  return {};
}

Result<Deliveries> deliveries_in(const Tree& tree, const std::string& name, Staging& staging) {
  Deliveries packed = split(tree, name);
  Deliveries found;
  found.not_understood = std::move(packed.not_understood);
  for (Delivery& delivery : packed.all) {
    if (auto added = add_unpacked(std::move(delivery), packed.all.size() == 1, staging, found); !added)
      return tl::unexpected(added.error());
  }
  return found;
}

// Joins up to three file names for a message, with "..." if there are more.
std::string some_of(const std::set<std::string>& names) {
  std::vector<std::string> few(names.begin(),
                               std::next(names.begin(), std::min<std::ptrdiff_t>(3, std::ssize(names))));
  return fmt::format("{}{}", fmt::join(few, ", "), names.size() > few.size() ? ", ..." : "");
}

}  // namespace

Result<Deliveries> gather(const std::vector<fs::path>& inputs, const fs::path& staging_folder,
                          const fs::path& without) {
  Staging staging(staging_folder);
  Deliveries found;
  for (const fs::path& input : inputs) {
    constexpr std::string_view kRemedy = "name the folder or archive (zip, tar) that holds the submissions";
    if (auto usable = check_path(input, PathKind::either, kRemedy); !usable)
      return tl::unexpected(usable.error());
    const fs::path absolute = fs::canonical(input);
    const bool folder = fs::is_directory(absolute);
    if (!folder && !is_archive(absolute.string())) {
      return fail(
          fmt::format("{} is neither a folder nor a zip or tar archive; {}", input.string(), kRemedy));
    }
    const std::string name =
        folder ? absolute.filename().string() : archive_stem(absolute.filename().string());
    auto tree = folder ? read_folder(absolute, kClassCaps, without)
                       : read_archive(absolute, staging.next(), kClassCaps, input.string());
    if (!tree) return tl::unexpected(tree.error());
    if (tree->files.empty() && tree->refused.empty() && tree->top_folders().empty())
      return fail(fmt::format("{} is empty; {}", input.string(), kRemedy));
    // An input folder that contains a single folder is a class of one student, unless that single folder is a
    // platform's export.
    const Tree top = without_wrapping(std::move(*tree), folder ? "" : name);
    auto more = deliveries_in(top, name, staging);
    if (!more) return tl::unexpected(more.error());
    found.add(std::move(*more));
  }
  found.all = latest_of_each(std::move(found.all));
  return found;
}

Result<std::string> assignment_of(const std::vector<Delivery>& deliveries,
                                  const std::vector<KnownAssignment>& known) {
  // Assignments with a file name that is among the submitted files and that no other assignment uses.
  std::vector<std::string> found;
  // Assignments whose file names among the submitted files, such as upload.cu, are used by other assignments
  // too.
  std::vector<std::string> shared;
  std::set<std::string> examples;
  for (const KnownAssignment& assignment : known) {
    const auto knows = [&](const KnownAssignment& each, const TreeFile& file) {
      return each.files.contains(std::string(last_part(file.path)));
    };
    bool alone = false;
    bool with_others = false;
    for (const Delivery& delivery : deliveries) {
      for (const TreeFile& file : delivery.tree.files) {
        if (!knows(assignment, file)) continue;
        const auto knowing =
            std::ranges::count_if(known, [&](const KnownAssignment& each) { return knows(each, file); });
        (knowing == 1 ? alone : with_others) = true;
      }
    }
    if (alone) found.push_back(assignment.name);
    if (with_others) shared.push_back(assignment.name);
    examples.insert(fmt::format("{} ({})", assignment.name, some_of(assignment.files)));
  }
  if (found.empty()) found = std::move(shared);
  if (found.size() == 1) return found.front();
  if (found.empty()) {
    return fail(fmt::format("none of {} submissions holds a file of any assignment; known: {}",
                            deliveries.size(), fmt::join(examples, ", ")));
  }
  return fail(
      fmt::format("the submissions hold files of several assignments: {}; choose one with --assignment NAME",
                  fmt::join(found, ", ")));
}

tl::expected<std::string, StudentCause> versions_folder(const Tree& tree, const KnownAssignment& assignment) {
  std::set<std::string> exact;
  std::set<std::string> near;
  for (const TreeFile& file : tree.files) {
    const std::string name(last_part(file.path));
    if (assignment.files.contains(name)) exact.emplace(folder_part(file.path));
    if (judge::near_name(name, assignment.files)) near.emplace(folder_part(file.path));
  }
  const std::set<std::string>& folders = exact.empty() ? near : exact;
  if (folders.size() == 1) return *folders.begin();
  if (folders.empty()) {
    return tl::unexpected(
        StudentCause{"no_versions", fmt::format("there is no version of {} in it; expected files like {}",
                                                assignment.name, some_of(assignment.files))});
  }
  // Kernel files in several folders of one submission are an error, even if one folder contains the other:
  // it may be a backup copy.
  return tl::unexpected(StudentCause{
      "several_folders", fmt::format("several folders hold versions of {}: {}; leave the one to grade",
                                     assignment.name, some_of(folders))});
}

void put(const Tree& tree, const fs::path& folder) {
  const fs::path fresh = folder.parent_path() / (".fresh-" + folder.filename().string());
  fs::remove_all(fresh);
  fs::create_directories(fresh);
  for (const TreeFile& file : tree.files) {
    const fs::path target = fresh / file.path;
    fs::create_directories(target.parent_path());
    fs::copy_file(file.file, target);
    fs::permissions(target, fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read |
                                fs::perms::others_read);
  }
  fs::remove_all(folder);
  fs::rename(fresh, folder);
}

std::string content_of(const Tree& tree) {
  std::string all;
  for (const TreeFile& file : tree.files) {
    const auto text = read_file(file.file);
    all += fmt::format("{}:{}\n{}\n", file.path.size(), file.path, sha256(text ? *text : ""));
  }
  return sha256(all);
}

}  // namespace warpmark::classroom
