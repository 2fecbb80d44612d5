#include "harness/assignments/stubs.h"

#include <algorithm>
#include <optional>
#include <system_error>

#include <fmt/format.h>

#include "harness/base/file.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBlanks = " \t";
constexpr std::string_view kHandWritten = "README.md";
constexpr std::string_view kReferenceOnly = "// <reference only>";

// One parsed line of a reference file.
struct Line {
  enum class Kind { code, solution, stub, end, bad };
  Kind kind = Kind::code;
  std::string_view indentation;
  std::string_view text;    // rest of the line after a stub marker, without trailing blanks
  std::string_view ending;  // "\n", "\r\n", or "" at the end of the file
};

std::string_view without_blanks_at_end(std::string_view text) {
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

// Returns the text after `marker`, or nullopt if the line does not begin with exactly that marker.
std::optional<std::string_view> behind(std::string_view line, std::string_view marker) {
  if (line.substr(0, marker.size()) != marker) return std::nullopt;
  const std::string_view rest = line.substr(marker.size());
  if (rest.empty()) return rest;
  if (rest.front() != ' ') return std::nullopt;
  return rest.substr(1);
}

// True if the line looks like a (possibly misspelt) marker: a comment that begins with a tag, or a marker's
// tag anywhere. A false positive costs a rewording of the reference; a false negative would publish the
// solution.
bool resembles_marker(std::string_view line) {
  if (line.substr(0, 2) == "//") {
    std::string_view comment = line.substr(2);
    comment.remove_prefix(std::min(comment.find_first_not_of("/ \t"), comment.size()));
    if (!comment.empty() && comment.front() == '<') return true;
  }
  std::string lower(line);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  return lower.find("solution>") != std::string::npos || lower.find("<stub>") != std::string::npos ||
         lower.find("reference only>") != std::string::npos;
}

Line take_apart(std::string_view line, std::string_view ending) {
  const std::size_t first = std::min(line.find_first_not_of(kBlanks), line.size());
  Line result{Line::Kind::code, line.substr(0, first), {}, ending};
  const std::string_view content = without_blanks_at_end(line.substr(first));
  if (const auto text = behind(content, "// <solution>")) {
    result.kind = Line::Kind::solution;
    result.text = *text;
  } else if (const auto code = behind(content, "// <stub>")) {
    result.kind = Line::Kind::stub;
    result.text = *code;
  } else if (content == "// </solution>") {
    result.kind = Line::Kind::end;
  } else if (resembles_marker(content)) {
    result.kind = Line::Kind::bad;
  }
  return result;
}

// Cuts the solutions out of a reference file line by line; its state is the marked region that the current
// line is in.
class Cutter {
 public:
  explicit Cutter(std::string_view file_name) : file_name_(file_name) {}

  Result<void> add(std::string_view line, std::string_view ending) {
    ++number_;
    const Line parts = take_apart(line, ending);
    switch (parts.kind) {
      case Line::Kind::bad:
        return error_at(number_,
                        fmt::format("`{}` is not a marker: write `// <solution> text`, `// <stub> code` or "
                                    "`// </solution>` on a line of its own, `// <reference only>` as the "
                                    "file's first, or reword the comment",
                                    without_blanks_at_end(line.substr(parts.indentation.size()))));
      case Line::Kind::solution:
        return add_solution(parts);
      case Line::Kind::stub:
        if (!opened_at_) {
          return error_at(
              number_, "`// <stub>` outside a region: put it between `// <solution>` and `// </solution>`");
        }
        emit(parts, parts.text);
        return {};
      case Line::Kind::end:
        if (!opened_at_) {
          return error_at(number_,
                          "`// </solution>` closes no region: remove it, or add `// <solution>` above");
        }
        opened_at_.reset();
        return {};
      case Line::Kind::code:
        opening_ = false;
        if (!opened_at_) stub_.append(line).append(ending);
        return {};
    }
    return {};
  }

  Result<std::string> finish() {
    if (opened_at_) {
      return error_at(*opened_at_,
                      "`// <solution>` is never closed: add `// </solution>` below the solution");
    }
    return std::move(stub_);
  }

 private:
  Result<void> add_solution(const Line& parts) {
    if (opened_at_ && !opening_) {
      return error_at(
          number_, fmt::format("`// <solution>` inside the region that line {} opens: regions do not nest, "
                               "close that one with `// </solution>` first",
                               *opened_at_));
    }
    if (!opened_at_) opened_at_ = number_;
    opening_ = true;
    if (!parts.text.empty()) emit(parts, fmt::format("// {}", parts.text));
    return {};
  }

  void emit(const Line& parts, std::string_view content) {
    if (!content.empty()) stub_.append(parts.indentation).append(content);
    stub_.append(parts.ending);
  }

  [[nodiscard]] tl::unexpected<Error> error_at(int number, std::string_view message) const {
    return fail(fmt::format("{}:{}: {}", file_name_, number, message));
  }

  std::string_view file_name_;
  std::string stub_;
  int number_ = 0;                // number of the last line of the reference file that was read, from 1
  std::optional<int> opened_at_;  // line of the marker that opened the current solution region
  // only markers so far in this region, so a further <solution> line continues the opening text
  bool opening_ = false;
};

bool is_hidden(const fs::path& path) {
  return std::any_of(path.begin(), path.end(),
                     [](const fs::path& part) { return part.native().substr(0, 1) == "."; });
}

// Returns every regular file below the folder, as sorted relative paths. A missing folder is empty.
Result<std::vector<fs::path>> files_below(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  if (!fs::exists(folder, error)) return files;
  for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    const fs::path relative = entry->path().lexically_relative(folder);
    if (entry->is_regular_file(error) && !is_hidden(relative)) files.push_back(relative);
  }
  if (error) return fail(fmt::format("{}: cannot list this folder: {}", folder.string(), error.message()));
  std::sort(files.begin(), files.end());
  return files;
}

// Returns the stubs of all assignments, by path relative to the template's root.
Result<std::map<std::string, std::string>> cut_all(const fs::path& reference_root) {
  std::error_code error;
  std::map<std::string, std::string> all;
  for (fs::directory_iterator entry(reference_root, error), end; !error && entry != end;
       entry.increment(error)) {
    if (!entry->is_directory(error) || is_hidden(entry->path().filename())) continue;
    auto stubs = cut_stubs(entry->path());
    if (!stubs) return tl::make_unexpected(stubs.error());
    for (auto& [name, text] : *stubs) {
      all.emplace((entry->path().filename() / name).generic_string(), std::move(text));
    }
  }
  if (error) {
    return fail(fmt::format("{}: cannot list the reference: {}", reference_root.string(), error.message()));
  }
  return all;
}

// True if the file exists, is readable and contains exactly this text.
bool holds(const fs::path& path, const std::string& text) {
  const auto now = read_file(path);
  return now && *now == text;
}

Result<void> write_below(const fs::path& root, const std::string& name, const std::string& text) {
  std::error_code error;
  fs::create_directories((root / name).parent_path(), error);
  if (error)
    return fail(fmt::format("{}: cannot make its folder: {}", (root / name).string(), error.message()));
  return write_file(root / name, text);
}

}  // namespace

bool is_reference_only(std::string_view reference_text) {
  const std::string_view first = reference_text.substr(0, reference_text.find_first_of("\r\n"));
  return without_blanks_at_end(first) == kReferenceOnly;
}

Result<std::string> cut_stub(std::string_view reference_text, std::string_view file_name) {
  if (is_reference_only(reference_text)) {
    return fail(fmt::format("{}:1: `{}`: this file has no stub", file_name, kReferenceOnly));
  }
  Cutter cutter(file_name);
  while (!reference_text.empty()) {
    const std::size_t newline = reference_text.find('\n');
    const bool last = newline == std::string_view::npos;
    std::size_t length = last ? reference_text.size() : newline;
    if (!last && length > 0 && reference_text[length - 1] == '\r') --length;
    const std::size_t whole = last ? reference_text.size() : newline + 1;
    if (auto added =
            cutter.add(reference_text.substr(0, length), reference_text.substr(length, whole - length));
        !added) {
      return tl::make_unexpected(added.error());
    }
    reference_text.remove_prefix(whole);
  }
  return cutter.finish();
}

Result<std::map<std::string, std::string>> cut_stubs(const fs::path& folder) {
  const auto files = files_below(folder);
  if (!files) return tl::make_unexpected(files.error());
  if (files->empty()) return fail(fmt::format("{}: no files to cut stubs from", folder.string()));
  std::map<std::string, std::string> stubs;
  for (const fs::path& file : *files) {
    const auto text = read_file(folder / file);
    if (!text) return tl::make_unexpected(text.error());
    if (is_reference_only(*text)) continue;
    auto stub = cut_stub(*text, (folder / file).string());
    if (!stub) return tl::make_unexpected(stub.error());
    stubs.emplace(file.generic_string(), std::move(*stub));
  }
  return stubs;
}

Result<StubsReport> write_stubs(const fs::path& reference_root, const fs::path& template_root,
                                bool check_only) {
  const auto stubs = cut_all(reference_root);
  if (!stubs) return tl::make_unexpected(stubs.error());
  StubsReport report;
  for (const auto& [name, text] : *stubs) {
    if (holds(template_root / name, text)) continue;
    if (check_only) {
      report.differing.push_back(name);
      continue;
    }
    if (auto written = write_below(template_root, name, text); !written)
      return tl::make_unexpected(written.error());
    report.written.push_back(name);
  }
  const auto present = files_below(template_root);
  if (!present) return tl::make_unexpected(present.error());
  for (const fs::path& file : *present) {
    const std::string name = file.generic_string();
    if (file.filename() != kHandWritten && stubs->count(name) == 0) report.superfluous.push_back(name);
  }
  return report;
}

}  // namespace warpmark
