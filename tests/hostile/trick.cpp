#include "tests/hostile/trick.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

namespace warpmark::hostile {
namespace {

namespace fs = std::filesystem;

// Members of one table, each asked for once; what is left over has an unknown name.
class Members {
 public:
  explicit Members(const toml::table& table) : table_(table) {
    for (const auto& [name, node] : table_) unread_.emplace(name.str());
  }

  std::string text(const char* name, const std::string& fallback = {}) {
    unread_.erase(name);
    return table_[name].value_or(fallback);
  }
  bool flag(const char* name) {
    unread_.erase(name);
    return table_[name].value_or(false);
  }
  std::vector<std::string> texts(const char* name) {
    unread_.erase(name);
    std::vector<std::string> all;
    if (const toml::array* list = table_[name].as_array()) {
      for (const toml::node& entry : *list) all.push_back(entry.value_or(std::string()));
    }
    return all;
  }
  std::map<std::string, std::string> map(const char* name) {
    unread_.erase(name);
    std::map<std::string, std::string> all;
    if (const toml::table* inner = table_[name].as_table()) {
      for (const auto& [key, value] : *inner) all.emplace(key.str(), value.value_or(std::string()));
    }
    return all;
  }
  [[nodiscard]] bool has(const char* name) const { return table_.contains(name); }
  [[nodiscard]] const std::set<std::string>& unread() const { return unread_; }

 private:
  const toml::table& table_;
  std::set<std::string> unread_;
};

// The right version that most tricks change: `before` stands behind its #include, `body` is its launcher's.
std::string source_of(const std::string& version, const std::string& before, const std::string& body) {
  return fmt::format(
      R"(#include "reduction.h"
{}
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
      before, version, body);
}

Result<Trick> read_trick(const toml::table& table, const std::string& group) {
  Members members(table);
  Trick trick;
  trick.group = group;
  trick.name = members.text("name");
  const auto wrong = [&](const std::string& what) {
    return fail(fmt::format("{}.{}: {}", group, trick.name, what));
  };
  trick.does = members.text("does");
  trick.defence = members.text("defence");
  trick.version = members.text("version", "v07_tree_sequential");
  trick.check = members.text("check", trick.honest() ? "[bc]*" : "correct");
  trick.cause = members.text("cause");
  trick.verdict = members.text("verdict", trick.cause.empty() ? "passed" : "failed");
  trick.file = members.text("file");
  trick.type = members.text("type", "int");
  trick.engine = members.text("engine");
  trick.off = members.text("off");
  trick.then = members.text("then");
  trick.words = members.texts("words");
  trick.never = members.texts("never");
  trick.in = members.texts("in");
  trick.needs_box = members.flag("needs_box");
  trick.known_gap = members.flag("known_gap");
  trick.files = members.map("files");
  trick.links = members.map("links");
  trick.hard_links = members.map("hard_links");
  const std::string source = trick.version + ".cu";
  if (!trick.files.contains(source) && !trick.links.contains(source) && !trick.hard_links.contains(source)) {
    trick.files[source] = source_of(trick.version, members.text("before"),
                                    members.text("body", "  right(values, n, sum, stream);"));
  }
  if (trick.check == "upload_once" && members.has("upload")) {
    trick.files["upload.cu"] =
        "#include \"reduction.h\"\n" + members.text("before_upload") +
        "\nextern \"C\" value_t* upload(const value_t* host_values, std::size_t n) {\n" +
        members.text("upload") + "\n}\n";
  }
  if (trick.name.empty() || trick.does.empty() || (trick.defence.empty() && !trick.honest()))
    return wrong("a trick has a name, says what it does, and what holds it");
  if (!members.unread().empty())
    return wrong(fmt::format("unknown member {}", fmt::join(members.unread(), ", ")));
  return trick;
}

std::string verdict_text(const Trick& trick) {
  return trick.cause.empty() ? trick.verdict : fmt::format("{}: `{}`", trick.verdict, trick.cause);
}

}  // namespace

Result<std::vector<Trick>> read_tricks(const fs::path& table) try {
  const toml::table top = toml::parse_file(table.string());
  std::vector<Trick> tricks;
  const toml::array* entries = top["trick"].as_array();
  if (entries == nullptr) return fail(fmt::format("{}: no [[trick]]", table.string()));
  for (const toml::node& entry : *entries) {
    auto trick = read_trick(*entry.as_table(), table.stem().string());
    if (!trick) return tl::unexpected(trick.error());
    tricks.push_back(std::move(*trick));
  }
  return tricks;
} catch (const toml::parse_error& error) {
  return fail(fmt::format("{}:{}: {}", table.string(), error.source().begin.line, error.description()));
}

Result<std::vector<Trick>> read_all_tricks(const fs::path& folder) {
  std::vector<fs::path> tables;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".toml") tables.push_back(entry.path());
  }
  std::ranges::sort(tables);
  std::vector<Trick> all;
  for (const fs::path& table : tables) {
    auto tricks = read_tricks(table);
    if (!tricks) return tl::unexpected(tricks.error());
    std::ranges::move(*tricks, std::back_inserter(all));
  }
  return all;
}

std::string table_of(const std::vector<Trick>& tricks) {
  std::string text;
  std::string group;
  for (const Trick& trick : tricks) {
    if (trick.group != group) {
      group = trick.group;
      text += trick.honest()
                  ? fmt::format("\n### {}\n\n| form | what is unusual |\n|---|---|\n", group)
                  : fmt::format("\n### {}\n\n| trick | does | defence | {} | {} |\n|---|---|---|---|---|\n",
                                group, "check and verdict", "without the defence");
    }
    if (trick.honest()) {
      text += fmt::format("| `{}` | {} |\n", trick.name, trick.does);
      continue;
    }
    text += fmt::format("| `{}` | {} | {} | `{}` {}{}{} | {} |\n", trick.name, trick.does, trick.defence,
                        trick.check, verdict_text(trick), trick.engine == "gpu" ? " (GPU)" : "",
                        trick.known_gap ? "; goes through as yet" : "",
                        trick.then.empty() ? "not tried" : fmt::format("{} (`{}`)", trick.then, trick.off));
  }
  return text;
}

}  // namespace warpmark::hostile
