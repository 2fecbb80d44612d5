#include "harness/assignments/program/spec.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>

#include "harness/base/text.h"

namespace warpmark::program {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostCases = 200;
constexpr std::uint64_t kMostSeconds = 600;
constexpr std::uint64_t kMostBytes = std::uint64_t{64} << 20;
constexpr std::string_view kStandardOutput = "stdout";
constexpr std::string_view kCaseWord = "case";

// Values of placeholders in a test case's texts, by name: {n} stands for words["n"].
using Words = std::map<std::string, std::string>;

bool is_word(std::string_view text) {
  return !text.empty() &&
         std::ranges::all_of(
             text,
             [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.'; }) &&
         text.front() != '-' && text.front() != '.';
}

// Returns true for the path of a file below a folder: relative, and without "." and "..".
bool stays_below(const fs::path& path) {
  return path.is_relative() && path.has_filename() && std::ranges::none_of(path, [](const fs::path& part) {
           return part == ".." || part == "." || part.empty();
         });
}

class Reader {
 public:
  explicit Reader(TomlTable& top) : top_(top) { spec_.file = top.file(); }

  Spec read() {
    auto run = top_.table("run");
    read_require();
    read_compare();
    read_limits();
    read_cases(run);
    if (run) run->finish();
    return std::move(spec_);
  }

 private:
  // Replaces every placeholder {NAME} by the test case's value for it; {{ and }} produce single braces.
  static std::string filled(const TomlTable& table, const toml::node& node, const std::string& text,
                            const Words& words) {
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char c = text[i];
      if ((c == '{' || c == '}') && i + 1 < text.size() && text[i + 1] == c) {
        result += c;
        ++i;
        continue;
      }
      if (c != '{') {
        result += c;
        continue;
      }
      const std::size_t end = text.find('}', i);
      const std::string name = text.substr(i + 1, end == std::string::npos ? end : end - i - 1);
      const auto word = words.find(name);
      if (end == std::string::npos || word == words.end()) {
        std::vector<std::string> known;
        for (const auto& [each, value] : words) known.push_back("{" + each + "}");
        table.refuse(node,
                     fmt::format("\"{}\" has the placeholder {{{}}}, which the case {} does not give; "
                                 "known: {}. Give it in the case: values = {{{} = ...}}; a brace itself "
                                 "is written twice",
                                 text, name, words.at(std::string(kCaseWord)), fmt::join(known, ", "), name));
      }
      result += word->second;
      i = end;
    }
    return result;
  }

  static std::string text_at(const TomlTable& table, const toml::node& node, const std::string& name,
                             const Words& words) {
    if (!node.is_string())
      table.refuse(node, fmt::format("{} must be a text; write numbers in quotes", table.full(name)));
    return filled(table, node, **node.as_string(), words);
  }

  static fs::path path_at(const TomlTable& table, const toml::node& node, const std::string& name,
                          const Words& words) {
    fs::path path = text_at(table, node, name, words);
    if (!stays_below(path))
      table.refuse(node,
                   fmt::format("{} is \"{}\"; it must name a file in the assignment's folder, without ..",
                               table.full(name), path.string()));
    return path;
  }

  static std::vector<std::string> texts_at(TomlTable& table, const std::string& name, const Words& words) {
    std::vector<std::string> texts;
    for (const toml::node& entry : table.list(name)) texts.push_back(text_at(table, entry, name, words));
    return texts;
  }

  void read_require() {
    auto table = top_.table("require");
    if (!table) return;
    kernels_ = table->count_or("kernels", kernels_);
    table->finish();
  }

  void read_compare() {
    auto table = top_.table("compare");
    if (!table) return;
    Comparison& comparison = spec_.comparison;
    if (table->find("checker") != nullptr) {
      spec_.checker = path_at(*table, table->need("checker"), "checker", {{std::string(kCaseWord), ""}});
      if (spec_.checker.extension() != ".cpp")
        table->refuse(table->need("checker"),
                      "compare.checker must name a C++ file (.cpp) of the assignment");
      if (table->find("kind") != nullptr)
        table->refuse(table->need("kind"), "compare has a checker, which compares; remove kind");
      table->finish();
      return;
    }
    const std::string kind = table->text_or("kind", "exact");
    const auto found = comparison_kind_from(kind);
    if (!found)
      table->refuse(table->need("kind"), fmt::format("compare.kind is \"{}\", and must be exact, words or "
                                                     "numbers; a program of the course compares with checker",
                                                     kind));
    comparison.kind = *found;
    for (auto [name, bound] :
         {std::pair{"relative", &comparison.relative}, {"absolute", &comparison.absolute}}) {
      if (table->find(name) == nullptr) continue;
      if (comparison.kind != ComparisonKind::numbers)
        table->refuse(table->need(name),
                      fmt::format("compare.{} is for kind = \"numbers\"; remove it, or change kind", name));
      *bound = table->number(name);
    }
    table->finish();
  }

  void read_limits() {
    auto table = top_.table("limits");
    if (!table) return;
    const std::uint64_t seconds = table->count_or("run_seconds", 20);
    if (seconds == 0 || seconds > kMostSeconds)
      table->refuse(
          table->need("run_seconds"),
          fmt::format("limits.run_seconds must be from 1 to {}: the time of one run", kMostSeconds));
    spec_.run_limit = std::chrono::seconds(seconds);
    const std::uint64_t bytes = table->count_or("output_bytes", spec_.output_bytes);
    if (bytes == 0 || bytes > kMostBytes)
      table->refuse(table->need("output_bytes"),
                    fmt::format("limits.output_bytes must be from 1 to {}: what a run may print, and what it "
                                "may write to files",
                                kMostBytes));
    spec_.output_bytes = bytes;
  }

  void read_cases(std::optional<TomlTable>& run) {
    if (top_.find("case") == nullptr)
      top_.refuse("there must be at least one [[case]]: a run of the program");
    for (const toml::node& entry : top_.list("case")) {
      mistakes_.collect([&] {
        if (!entry.is_table()) top_.refuse(entry, "each [[case]] must be a table");
        TomlTable table(*entry.as_table(), "case", top_.file());
        Case one = read_case(table, run);
        if (spec_.find(one.name) != nullptr)
          table.refuse(table.need("name"), fmt::format("the case {} is listed twice", one.name));
        table.finish();
        spec_.cases.push_back(std::move(one));
      });
    }
    mistakes_.report();
    if (spec_.cases.empty() || spec_.cases.size() > kMostCases)
      top_.refuse(fmt::format("there must be 1 to {} [[case]]", kMostCases));
    if (std::ranges::all_of(spec_.cases, &Case::gpu_only))
      top_.refuse("every [[case]] is for a GPU alone; give one without gpu_only for machines that have none");
  }

  Case read_case(TomlTable& table, std::optional<TomlTable>& run) {
    Case one;
    one.line = table.line();
    one.name = table.text("name");
    if (!is_word(one.name))
      table.refuse(table.need("name"),
                   fmt::format("case.name is \"{}\"; use letters, digits, _, - and .", one.name));
    const Words words = words_of(table, one.name);
    one.secret = table.flag_or("secret", false);
    one.kernels = table.count_or("kernels", kernels_);
    const std::uint64_t status = table.count_or("status", 0);
    if (status > 125) table.refuse(table.need("status"), "case.status must be from 0 to 125: an exit status");
    one.status = static_cast<int>(status);
    // A key given in a [[case]] table overrides the same key in [run].
    const auto place = [&](const std::string& name) -> TomlTable* {
      if (run) run->leave(name);
      if (table.find(name) != nullptr) return &table;
      return run && run->find(name) != nullptr ? &*run : nullptr;
    };
    if (TomlTable* from = place("arguments")) one.arguments = texts_at(*from, "arguments", words);
    if (TomlTable* from = place("stdin")) one.input = path_at(*from, from->need("stdin"), "stdin", words);
    if (TomlTable* from = place("files")) read_files(*from, words, one);
    read_outputs(place("outputs"), place("expected"), words, one);
    one.gpu_only = table.flag_or("gpu_only", false);
    const auto open =
        std::ranges::find_if(one.outputs, [](const Output& output) { return output.expected.empty(); });
    if (one.gpu_only && open != one.outputs.end())
      table.refuse(table.need("gpu_only"),
                   fmt::format("the case {} is for a GPU alone, and the reference's output is taken on the "
                               "simulator, too; give the right one: expected = {{{} = \"FILE\"}}",
                               one.name, open->name.empty() ? kStandardOutput : open->name));
    return one;
  }

  static Words words_of(TomlTable& table, const std::string& name) {
    Words words{{std::string(kCaseWord), name}};
    const toml::node* node = table.find("values");
    if (node == nullptr) return words;
    if (!node->is_table())
      table.refuse(*node, "case.values must be a table of placeholders: values = {n = 1000}");
    for (const auto& [key, value] : *node->as_table()) {
      const std::string word(key.str());
      if (word == kCaseWord) table.refuse(value, "{case} is the case's name; give the value another name");
      if (value.is_integer()) {
        words[word] = std::to_string(**value.as_integer());
      } else if (value.is_string()) {
        words[word] = **value.as_string();
      } else {
        table.refuse(value, fmt::format("case.values.{} must be a whole number or a text", word));
      }
    }
    return words;
  }

  static void read_files(TomlTable& table, const Words& words, Case& one) {
    std::set<fs::path> names;
    for (const toml::node& entry : table.list("files")) {
      one.files.push_back(path_at(table, entry, "files", words));
      if (!names.insert(one.files.back().filename()).second)
        table.refuse(entry, fmt::format("two files of the case {} are called {}, and a run has one folder",
                                        one.name, one.files.back().filename().string()));
    }
  }

  // Reads outputs = ["stdout", "result.txt"] and expected = {stdout = "small.out"}; both name outputs.
  static void read_outputs(TomlTable* outputs, TomlTable* expected, const Words& words, Case& one) {
    const auto add = [&](const TomlTable& table, const toml::node& node, const std::string& text) -> Output& {
      const std::string name = text == kStandardOutput ? "" : text;
      if (!name.empty() && !stays_below(name))
        table.refuse(node, fmt::format("\"{}\" is no output; name stdout or a file in the program's folder, "
                                       "without ..",
                                       text));
      const auto known = std::ranges::find(one.outputs, name, &Output::name);
      return known != one.outputs.end() ? *known : one.outputs.emplace_back(Output{name, {}});
    };
    if (outputs != nullptr) {
      for (const toml::node& entry : outputs->list("outputs"))
        add(*outputs, entry, text_at(*outputs, entry, "outputs", words));
    }
    if (expected != nullptr) {
      const toml::node& node = expected->need("expected");
      if (!node.is_table())
        expected->refuse(node, "expected must be a table: expected = {stdout = \"small.out\"}");
      for (const auto& [key, file] : *node.as_table())
        add(*expected, file, std::string(key.str())).expected = path_at(*expected, file, "expected", words);
    }
    if (one.outputs.empty()) one.outputs.push_back({});
  }

  TomlTable& top_;
  Mistakes mistakes_;
  Spec spec_;
  std::uint64_t kernels_ = 1;
};

}  // namespace

const Case* Spec::find(std::string_view name) const {
  const auto found = std::ranges::find(cases, name, &Case::name);
  return found == cases.end() ? nullptr : &*found;
}

std::set<fs::path> Spec::files() const {
  std::set<fs::path> all;
  if (!checker.empty()) all.insert(checker);
  for (const Case& one : cases) {
    if (!one.input.empty()) all.insert(one.input);
    all.insert(one.files.begin(), one.files.end());
    for (const Output& output : one.outputs) {
      if (!output.expected.empty()) all.insert(output.expected);
    }
  }
  return all;
}

std::string Spec::names() const {
  std::vector<std::string> all;
  for (const Case& one : cases) all.push_back(one.name);
  return fmt::format("{}", fmt::join(all, ", "));
}

bool is_program(TomlTable& top) {
  const std::string kind = top.text_or("kind", "functions");
  if (kind != "program" && kind != "functions")
    top.refuse(top.need("kind"),
               fmt::format("kind is \"{}\", and must be \"program\" (the student hands in a program) or "
                           "\"functions\" (functions that are called; the default)",
                           kind));
  return kind == "program";
}

Spec read_spec(TomlTable& top) {
  return Reader(top).read();
}

Result<std::string> without_secret_cases(const std::string& text, const std::string& file) {
  return parse_toml<std::string>(text, file, [&](TomlTable top) {
    const std::vector<std::string> lines = lines_of(text);
    const auto is_header = [&](std::size_t line) { return trimmed(lines.at(line - 1)).starts_with('['); };
    // A table such as [case.values] belongs to the case before it.
    const auto ends_case = [&](std::size_t line) {
      std::string header(trimmed(lines.at(line - 1)));
      std::erase(header, ' ');
      return header.starts_with('[') && !header.starts_with("[case.") && !header.starts_with("[[case.");
    };
    std::set<std::size_t> left_out;
    if (top.find("case") == nullptr) return text;
    for (const toml::node& entry : top.list("case")) {
      const toml::table* table = entry.as_table();
      const auto secret = table == nullptr ? std::nullopt : (*table)["secret"].value<bool>();
      if (!secret || !*secret) continue;
      std::size_t line = entry.source().begin.line;
      if (!is_header(line))
        top.refuse(entry, "a secret case must be written as [[case]], so that a handout can leave it out");
      left_out.insert(line);
      while (line < lines.size() && !ends_case(line + 1)) left_out.insert(++line);
    }
    std::string kept;
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (!left_out.contains(i + 1)) kept += lines[i] + "\n";
    }
    return kept;
  });
}

}  // namespace warpmark::program
