#include "tests/edits/edits.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "harness/assignments/home.h"
#include "harness/base/file.h"

namespace warpmark::edits {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPlainBody = "  right(values, n, sum, stream);";

// A right version of `reduction` with the case's own declarations and launcher.
std::string plain_version(const Edits& edits) {
  return fmt::format(
      R"(#include "reduction.h"
__global__ void add_up(const value_t* values, std::size_t n, value_t* sum) {{
  const std::size_t i = std::size_t{{blockIdx.x}} * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(sum, values[i]);
}}
[[maybe_unused]] static void right(const value_t* values, std::size_t n, value_t* sum, cudaStream_t stream) {{
  cudaMemsetAsync(sum, 0, sizeof(value_t), stream);
  if (n != 0) add_up<<<static_cast<unsigned>((n + 255) / 256), 256, 0, stream>>>(values, n, sum);
}}
extern "C" void {}(const value_t* values, std::size_t n, value_t* sum, Workspace work, cudaStream_t stream) {{
  (void)work;
{}
}}
)",
      edits.version, edits.body.empty() ? kPlainBody : edits.body);
}

std::string own_upload(const Edits& edits) {
  return fmt::format(
      "#include \"reduction.h\"\nextern \"C\" value_t* upload(const value_t* host_values, std::size_t n) "
      "{{\n{}\n}}\n",
      edits.upload);
}

// The text with `lines` behind its first #include.
std::string with_lines(std::string text, const std::string& lines) {
  if (lines.empty()) return text;
  const std::size_t include = text.starts_with("#include") ? 0 : text.find("\n#include");
  return text.insert(text.find('\n', include + 1) + 1, lines + "\n");
}

Result<std::vector<Edit>> read_replacements(Members& members) {
  std::vector<Edit> edits;
  if (members.has("old")) edits.push_back({"", members.text("old"), members.text("new")});
  for (const toml::table* each : members.list("edit")) {
    Members one(*each, members.where() + ".edit");
    edits.push_back({one.text("file"), one.text("old"), one.text("new")});
    if (auto done = one.finish(); !done) return tl::unexpected(done.error());
  }
  for (const Edit& edit : edits) {
    if (edit.old_text.empty()) return fail(members.where() + ": an edit needs an old text");
  }
  return edits;
}

}  // namespace

Members::Members(const toml::table& table, std::string where) : table_(table), where_(std::move(where)) {
  for (const auto& [name, node] : table_) unread_.emplace(name.str());
}

std::string Members::text(const char* name, const std::string& fallback) {
  unread_.erase(name);
  return table_[name].value_or(fallback);
}

unsigned Members::number(const char* name) {
  unread_.erase(name);
  return table_[name].value_or(0U);
}

bool Members::flag(const char* name, bool fallback) {
  unread_.erase(name);
  return table_[name].value_or(fallback);
}

std::vector<std::string> Members::texts(const char* name, const std::vector<std::string>& fallback) {
  unread_.erase(name);
  const toml::array* list = table_[name].as_array();
  if (list == nullptr) return has(name) ? std::vector{text(name)} : fallback;
  std::vector<std::string> all;
  for (const toml::node& entry : *list) all.push_back(entry.value_or(std::string()));
  return all;
}

std::map<std::string, std::string> Members::map(const char* name) {
  std::map<std::string, std::string> all;
  if (const toml::table* table = inner(name)) {
    for (const auto& [key, value] : *table) all.emplace(key.str(), value.value_or(std::string()));
  }
  return all;
}

const toml::table* Members::inner(const char* name) {
  unread_.erase(name);
  return table_[name].as_table();
}

std::vector<const toml::table*> Members::list(const char* name) {
  unread_.erase(name);
  std::vector<const toml::table*> all;
  if (const toml::array* entries = table_[name].as_array()) {
    for (const toml::node& entry : *entries) {
      if (entry.is_table()) all.push_back(entry.as_table());
    }
  }
  return all;
}

Result<void> Members::finish() const {
  if (unread_.empty()) return {};
  return fail(fmt::format("{}: unknown member {}", where_, fmt::join(unread_, ", ")));
}

Result<std::vector<Entry>> read_table(const fs::path& table) try {
  const toml::table top = toml::parse_file(table.string());
  std::vector<Entry> all;
  for (const auto& [kind, entries] : top) {
    const bool right = kind.str() == "right";
    if (!entries.is_array_of_tables() || (!right && kind.str() != "case"))
      return fail(fmt::format("{} has more than [[case]] and [[right]]: {}", table.string(), kind.str()));
    for (const toml::node& entry : *entries.as_array()) {
      const toml::table& members = *entry.as_table();
      all.push_back({table.stem().string(), members["name"].value_or(std::string()), right, members});
      if (all.back().name.empty()) return fail(fmt::format("{}: an entry has no name", table.string()));
    }
  }
  return all;
} catch (const toml::parse_error& error) {
  return fail(fmt::format("{}:{}: {}", table.string(), error.source().begin.line, error.description()));
}

Result<std::vector<Entry>> read_tables(const fs::path& folder) {
  std::vector<fs::path> tables;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".toml") tables.push_back(entry.path());
  }
  std::ranges::sort(tables);
  std::vector<Entry> all;
  for (const fs::path& table : tables) {
    auto entries = read_table(table);
    if (!entries) return tl::unexpected(entries.error());
    std::ranges::move(*entries, std::back_inserter(all));
  }
  return all;
}

std::string Edits::assignment() const {
  return source.empty() ? "reduction" : source.substr(0, source.find('/'));
}

std::string Edits::source_name() const {
  return source.empty() ? version + ".cu" : fs::path(source).filename().string();
}

Result<Edits> read_edits(Members& members) {
  Edits edits;
  edits.source = members.text("source");
  edits.version = members.text(
      "version", edits.source.empty() ? "v07_tree_sequential" : fs::path(edits.source).stem().string());
  edits.before = members.text("before");
  edits.body = members.text("body");
  edits.before_upload = members.text("before_upload");
  edits.upload = members.text("upload");
  edits.files = members.map("files");
  edits.links = members.map("links");
  edits.hard_links = members.map("hard_links");
  auto replacements = read_replacements(members);
  if (!replacements) return tl::unexpected(replacements.error());
  edits.edits = std::move(*replacements);
  if (!edits.source.empty() && !edits.body.empty())
    return fail(members.where() + ": a body is for cases without a source");
  const bool own = edits.files.contains(edits.source_name()) || edits.links.contains(edits.source_name()) ||
                   edits.hard_links.contains(edits.source_name());
  if (!edits.source.empty() && edits.edits.empty() && !own)
    return fail(members.where() + ": a source needs an edit, or another text of its file");
  if (own && !(edits.before + edits.body).empty())
    return fail(members.where() + ": before and body do not count beside the version's own file");
  return edits;
}

std::string check_id(const Edits& edits, const std::string& check) {
  const bool whole = check == "upload_once" || check.find('.') != std::string::npos;
  return whole ? fmt::format("{}.{}", edits.assignment(), check)
               : fmt::format("{}.{}.{}", edits.assignment(), edits.version, check);
}

Result<Submission> reference_submission(const std::string& assignment, const std::set<std::string>& names) {
  const auto home = find_assignment(WARPMARK_ROOT, assignment);
  if (!home) return tl::unexpected(home.error());
  Submission submission;
  for (const auto& entry : fs::directory_iterator(home->reference)) {
    const fs::path& file = entry.path();
    if (file.extension() != ".h" && !names.contains(file.stem().string())) continue;
    auto text = read_file(file);
    if (!text) return tl::unexpected(text.error());
    submission.files[file.filename().string()] = std::move(*text);
  }
  return submission;
}

Result<Submission> submission_of(const Edits& edits, bool with_upload) {
  Submission submission;
  if (!edits.source.empty() || with_upload) {
    std::set<std::string> names;
    if (!edits.source.empty()) names.insert(edits.version);
    if (with_upload) names.insert("upload");
    auto reference = reference_submission(edits.assignment(), names);
    if (!reference) return reference;
    if (edits.source.empty())
      std::erase_if(reference->files, [](const auto& file) { return file.first != "upload.cu"; });
    submission = std::move(*reference);
  }
  if (edits.source.empty()) submission.files[edits.source_name()] = plain_version(edits);
  if (!edits.upload.empty())
    submission.files["upload.cu"] = with_lines(own_upload(edits), edits.before_upload);
  submission.links = edits.links;
  submission.hard_links = edits.hard_links;
  for (const auto* list : {&edits.links, &edits.hard_links}) {
    for (const auto& [name, target] : *list) submission.files.erase(name);
  }
  for (const auto& [name, text] : edits.files) submission.files[name] = text;
  for (const Edit& edit : edits.edits) {
    const std::string name = edit.file.empty() ? edits.source_name() : edit.file;
    const auto found = submission.files.find(name);
    if (found == submission.files.end()) return fail("the submission has no file " + name);
    auto text = edited(found->second, edit);
    if (!text) return fail(fmt::format("{}: {}", name, text.error().message));
    found->second = std::move(*text);
  }
  if (!edits.before.empty()) {
    std::string& text = submission.files[edits.source_name()];
    text = with_lines(std::move(text), edits.before);
  }
  return submission;
}

Result<std::string> edited(std::string_view text, const Edit& edit) {
  const std::size_t at = text.find(edit.old_text);
  if (at == std::string_view::npos) return fail(fmt::format("there is no `{}`", edit.old_text));
  if (text.find(edit.old_text, at + 1) != std::string_view::npos)
    return fail(fmt::format("`{}` occurs more than once", edit.old_text));
  std::string changed(text);
  changed.replace(at, edit.old_text.size(), edit.new_text);
  return changed;
}

Result<void> write_submission(const Submission& submission, const fs::path& folder) {
  fs::create_directories(folder);
  for (const auto& [name, text] : submission.files) {
    fs::create_directories((folder / name).parent_path());
    if (auto written = write_file(folder / name, text); !written) return written;
  }
  for (const auto& [name, target] : submission.links) fs::create_symlink(target, folder / name);
  for (const auto& [name, target] : submission.hard_links) fs::create_hard_link(target, folder / name);
  return {};
}

Result<Place> place_of(const std::map<std::string, std::string>& files, std::string_view part) {
  std::vector<Place> found;
  for (const auto& [name, text] : files) {
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
      const auto before = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n');
      found.push_back({name, static_cast<int>(before) + 1});
    }
  }
  if (found.size() == 1) return found.front();
  return fail(
      fmt::format("`{}` occurs {} times in the submission; it must occur there once", part, found.size()));
}

bool allows(std::string_view allowed, std::string_view kind) {
  return fmt::format("|{}|", allowed).find(fmt::format("|{}|", kind)) != std::string::npos;
}

}  // namespace warpmark::edits
