#include "harness/class/intake/delivery.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <regex>

#include <fmt/format.h>

#include "harness/base/file.h"
#include "harness/class/intake/names.h"

namespace warpmark::classroom {
namespace {

constexpr const char* kGradescopeFile = "submission_metadata.yml";

bool is_source(std::string_view path) {
  return path.ends_with(".cu") || path.ends_with(".cuh") || path.ends_with(".cpp");
}

std::vector<const TreeFile*> root_files(const Tree& tree) {
  std::vector<const TreeFile*> files;
  for (const TreeFile& file : tree.files) {
    if (file.path.find('/') == std::string::npos) files.push_back(&file);
  }
  return files;
}

// Returns the names' common prefix up to a dash: "reduction-" for "reduction-ada" and "reduction-ben"; empty
// if there is none.
std::string common_prefix(const std::set<std::string>& names) {
  if (names.empty()) return {};
  const std::string& first = *names.begin();
  const std::string& last = *names.rbegin();
  const auto [end, ignored] = std::mismatch(first.begin(), first.end(), last.begin(), last.end());
  const std::string prefix(first.begin(), end);
  const std::size_t dash = prefix.rfind('-');
  return dash == std::string::npos ? std::string() : prefix.substr(0, dash + 1);
}

bool are_clones(const Tree& tree) {
  const auto tops = tree.top_folders();
  return tops.size() > 1 && !common_prefix(tops).empty() &&
         std::ranges::all_of(tops, [&](const std::string& top) { return tree.repositories.contains(top); });
}

std::string joined(const std::string& name, const std::string& rest) {
  return name.empty() ? rest : name + "/" + rest;
}

Deliveries split_canvas(const Tree& tree, const std::string& name) {
  Deliveries found;
  std::map<std::string, Delivery> by_submission;
  for (const TreeFile& file : tree.files) {
    const auto parts = canvas_name(file.path);
    if (!parts) {
      found.not_understood.push_back(
          {joined(name, file.path), "is not a file of a Canvas export (name_id_submission_file)"});
      continue;
    }
    Delivery& delivery = by_submission[parts->key + "_" + parts->submission];
    delivery.layout = Layout::canvas;
    delivery.person.name = parts->student;
    delivery.person.key = parts->key;
    delivery.source = joined(name, fmt::format("{}_{}_{}", parts->student, parts->key, parts->submission));
    delivery.attempt = fmt::format("{:0>20}", parts->submission);
    delivery.lateness.late |= parts->late;
    delivery.tree.files.push_back({parts->file, file.file});
  }
  for (auto& [key, delivery] : by_submission) {
    take_canvas_counters_off(delivery);
    found.all.push_back(std::move(delivery));
  }
  return found;
}

Deliveries split_moodle(const Tree& tree, const std::string& name) {
  Deliveries found;
  std::map<std::string, Delivery> by_student;
  const auto delivery_of = [&](const MoodleName& parts) -> Delivery& {
    Delivery& delivery = by_student[parts.key];
    delivery.layout = Layout::moodle;
    if (!delivery.person.name.empty() && delivery.person.name != parts.student) {
      const std::string remark =
          fmt::format("the number {} stands behind two names, {} and {}: look whose files these are",
                      parts.key, delivery.person.name, parts.student);
      if (std::ranges::find(delivery.remarks, remark) == delivery.remarks.end())
        delivery.remarks.push_back(remark);
      return delivery;
    }
    delivery.person.name = parts.student;
    delivery.person.key = parts.key;
    delivery.source = joined(name, fmt::format("{}_{}", parts.student, parts.key));
    return delivery;
  };
  for (const TreeFile& file : tree.files) {
    const std::string top(first_part(file.path));
    const auto parts = moodle_name(top);
    const bool flat = top == file.path;
    if (!parts || (flat && parts->rest.empty())) {
      found.not_understood.push_back(
          {joined(name, file.path), "is not part of a Moodle export (Name_number_assignsubmission_file_)"});
    } else if (parts->kind == "file") {
      delivery_of(*parts).tree.files.push_back(
          {flat ? parts->rest : file.path.substr(top.size() + 1), file.file});
    } else {
      delivery_of(*parts).remarks.emplace_back("the text written online was ignored; only files are graded");
    }
  }
  for (const std::string& top : tree.top_folders()) {
    const auto parts = moodle_name(top);
    if (!parts) continue;
    // Records a delivery (one student's submitted files) even if the student's folder is empty.
    if (parts->kind == "file") delivery_of(*parts);
    for (RefusedEntry& refused : tree.below(top).refused) {
      delivery_of(*parts).tree.refused.push_back(std::move(refused));
    }
  }
  for (auto& [key, delivery] : by_student) found.all.push_back(std::move(delivery));
  return found;
}

Deliveries split_gradescope(const Tree& tree, const std::string& name) {
  Deliveries found;
  std::map<std::string, GradescopeEntry> entries;
  const auto read_entries = [&](const TreeFile& file) {
    const auto text = read_file(file.file);
    const auto read = text ? gradescope_entries(*text) : tl::unexpected(text.error());
    if (!read) {
      found.not_understood.push_back({joined(name, file.path), read.error().message});
    } else {
      for (const auto& [folder, entry] : *read) entries[folder] = entry;
    }
  };
  for (const TreeFile& file : tree.files) {
    if (last_part(file.path) == kGradescopeFile && std::ranges::count(file.path, '/') <= 1) {
      read_entries(file);
    } else if (file.path.find('/') == std::string::npos) {
      found.not_understood.push_back(
          {joined(name, file.path), "lies beside the submissions of a Gradescope export"});
    }
  }
  for (const std::string& folder : tree.top_folders()) {
    Delivery delivery;
    delivery.layout = Layout::gradescope;
    delivery.source = joined(name, folder);
    delivery.tree = tree.below(folder);
    std::erase_if(delivery.tree.files, [](const TreeFile& file) { return file.path == kGradescopeFile; });
    const GradescopeEntry& entry = entries[folder];
    delivery.submitted = entry.created_at;
    delivery.attempt = entry.created_at;
    if (entry.people.empty()) {
      delivery.person.name = folder;
      delivery.remarks.emplace_back("submission_metadata.yml does not say whose submission this is");
      found.all.push_back(delivery);
    }
    for (const Person& person : entry.people) {
      found.all.push_back(delivery);
      found.all.back().person = person;
    }
  }
  return found;
}

Deliveries split_github(const Tree& tree, const std::string& name) {
  Deliveries found;
  const auto tops = tree.top_folders();
  const std::string prefix = common_prefix(tops);
  for (const std::string& top : tops) {
    Delivery delivery;
    delivery.layout = Layout::github;
    delivery.person.login = top.substr(prefix.size());
    delivery.person.name = delivery.person.login;
    delivery.person.key = delivery.person.login;
    delivery.source = joined(name, top);
    delivery.tree = tree.below(top);
    found.all.push_back(std::move(delivery));
  }
  for (const TreeFile* file : root_files(tree)) {
    found.not_understood.push_back({joined(name, file->path), "lies beside the repositories"});
  }
  return found;
}

// Returns true if an archive or folder looks like one student's submission: source files at the root, and at
// most one subfolder with more source files.
bool is_one_submission(const Tree& tree) {
  const bool at_root =
      std::ranges::any_of(root_files(tree), [](const TreeFile* file) { return is_source(file->path); });
  std::set<std::string> below;
  for (const TreeFile& file : tree.files) {
    if (file.path.find('/') != std::string::npos && is_source(file.path))
      below.emplace(first_part(file.path));
  }
  return at_root && below.size() <= 1;
}

Deliveries split_folders(const Tree& tree, const std::string& name) {
  Deliveries found;
  const auto add = [&](const std::string& student, const std::string& source, Tree part) {
    Delivery delivery;
    delivery.person.name = student;
    delivery.source = source;
    delivery.tree = std::move(part);
    found.all.push_back(std::move(delivery));
  };
  if (is_one_submission(tree)) {
    add(name, name, tree);
    return found;
  }
  for (const std::string& top : tree.top_folders()) add(top, joined(name, top), tree.below(top));
  for (const TreeFile* file : root_files(tree)) {
    if (is_archive(file->path)) {
      Tree packed;
      packed.files.push_back(*file);
      add(archive_stem(file->path), joined(name, file->path), std::move(packed));
    } else {
      found.not_understood.push_back({joined(name, file->path), "lies beside the students' folders"});
    }
  }
  for (const RefusedEntry& refused : tree.refused) {
    if (refused.path.find('/') == std::string::npos)
      found.not_understood.push_back({joined(name, refused.path), refused.why});
  }
  return found;
}

}  // namespace

void Deliveries::add(Deliveries more) {
  std::ranges::move(more.all, std::back_inserter(all));
  std::ranges::move(more.not_understood, std::back_inserter(not_understood));
}

Layout layout_of(const Tree& tree) {
  static const std::regex submission(R"(submission_\d+)");
  const auto tops = tree.top_folders();
  for (const TreeFile& file : tree.files) {
    const bool of_gradescope =
        last_part(file.path) == kGradescopeFile &&
        (file.path == kGradescopeFile || std::regex_match(std::string(folder_part(file.path)), submission));
    if (of_gradescope) return Layout::gradescope;
  }
  if (std::ranges::any_of(tops, [](const std::string& top) { return moodle_name(top).has_value(); }))
    return Layout::moodle;
  const auto files = root_files(tree);
  const auto moodle =
      std::ranges::count_if(files, [](const TreeFile* file) { return moodle_name(file->path).has_value(); });
  if (tops.empty() && moodle > 0) return Layout::moodle;
  const auto canvas =
      std::ranges::count_if(files, [](const TreeFile* file) { return canvas_name(file->path).has_value(); });
  if (tops.empty() && canvas > 0) return Layout::canvas;
  return are_clones(tree) ? Layout::github : Layout::folders;
}

Deliveries split(const Tree& tree, const std::string& name) {
  switch (layout_of(tree)) {
    case Layout::canvas:
      return split_canvas(tree, name);
    case Layout::moodle:
      return split_moodle(tree, name);
    case Layout::gradescope:
      return split_gradescope(tree, name);
    case Layout::github:
      return split_github(tree, name);
    case Layout::folders:
      break;
  }
  return split_folders(tree, name);
}

std::vector<Delivery> latest_of_each(std::vector<Delivery> deliveries) {
  std::vector<Delivery> kept;
  // Maps platform and student to the index in `kept` of the student's latest delivery.
  std::map<std::string, std::size_t> last;
  for (Delivery& delivery : deliveries) {
    const std::string who = delivery.person.key.empty()
                                ? "folder\n" + folded(delivery.person.name)
                                : fmt::format("{}\n{}", name_of(delivery.layout), delivery.person.key);
    const auto [at, fresh] = last.try_emplace(who, kept.size());
    if (fresh) {
      kept.push_back(std::move(delivery));
      continue;
    }
    Delivery& other = kept[at->second];
    if (delivery.attempt.empty() || other.attempt.empty() || delivery.attempt == other.attempt) {
      delivery.remarks.push_back(
          fmt::format("handed in twice ({} and {}), without a sign which is later: both were graded; remove "
                      "one and run again",
                      other.source, delivery.source));
      kept.push_back(std::move(delivery));
      continue;
    }
    if (other.attempt < delivery.attempt) std::swap(other, delivery);
    other.remarks.push_back(fmt::format("an earlier attempt was left out: {}", delivery.source));
  }
  return kept;
}

}  // namespace warpmark::classroom
