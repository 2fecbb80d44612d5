// Reads the tables of cases of tests/submissions, tests/mistakes and tests/hostile: README.md has their
// format.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <toml++/toml.h>

#include "harness/base/error.h"

namespace warpmark::edits {

// The members of one TOML table. Each member is asked for once; finish() refuses the names that nobody asked
// for.
class Members {
 public:
  // `where` names the table in messages.
  Members(const toml::table& table, std::string where);

  std::string text(const char* name, const std::string& fallback = {});
  unsigned number(const char* name);
  bool flag(const char* name, bool fallback = false);
  // A list of texts; a single text counts as a list of one.
  std::vector<std::string> texts(const char* name, const std::vector<std::string>& fallback = {});
  std::map<std::string, std::string> map(const char* name);
  const toml::table* inner(const char* name);
  std::vector<const toml::table*> list(const char* name);

  [[nodiscard]] bool has(const char* name) const { return table_.contains(name); }
  [[nodiscard]] const std::string& where() const { return where_; }
  [[nodiscard]] Result<void> finish() const;

 private:
  const toml::table& table_;
  std::string where_;
  std::set<std::string> unread_;
};

// One [[case]] or [[right]] of a table.
struct Entry {
  std::string group;  // the table's file name without .toml
  std::string name;   // within the group
  bool right = false;
  toml::table table;
};

// The entries of a table; of all tables of a folder, sorted by file name.
Result<std::vector<Entry>> read_table(const std::filesystem::path& table);
Result<std::vector<Entry>> read_tables(const std::filesystem::path& folder);

struct Edit {
  std::string file;      // of the submission; empty: the source
  std::string old_text;  // occurs in the file once
  std::string new_text;
};

// How a case's submission differs from a right one.
struct Edits {
  // The edited file below reference/: "sort/packed.h". If empty, the case is a right version of `reduction`
  // with one kernel.
  std::string source;
  std::string version;
  std::vector<Edit> edits;
  std::string before;
  std::string body;
  std::string before_upload;
  std::string upload;
  std::map<std::string, std::string> files;  // texts by file name
  std::map<std::string, std::string> links;  // targets by file name
  std::map<std::string, std::string> hard_links;

  [[nodiscard]] std::string assignment() const;
  [[nodiscard]] std::string source_name() const;  // "packed.h"
};

// Takes the members that say how the submission is made; the others are the caller's to read.
Result<Edits> read_edits(Members& members);

// The id of a check in a grade: "correct" is one of the case's version; "upload_once" and
// "v05_tree_modulo.builds" are ids without the assignment.
std::string check_id(const Edits& edits, const std::string& check);

struct Submission {
  std::map<std::string, std::string> files;
  std::map<std::string, std::string> links;
  std::map<std::string, std::string> hard_links;
};

// The reference's files of these names (without ending) and the headers beside them, of an assignment of the
// tool or of WARPMARK_ASSIGNMENTS.
Result<Submission> reference_submission(const std::string& assignment, const std::set<std::string>& names);

// Applies the edits. `with_upload`: the submission has an upload.cu, the reference's if the case has none of
// its own.
Result<Submission> submission_of(const Edits& edits, bool with_upload);

// The text with the edit made. Fails unless the old text occurs in it exactly once.
Result<std::string> edited(std::string_view text, const Edit& edit);

Result<void> write_submission(const Submission& submission, const std::filesystem::path& folder);

struct Place {
  std::string file;
  int line = 0;
  bool operator==(const Place&) const = default;
};

// The only place in the files that contains `part`. Fails if there is none, or more than one.
Result<Place> place_of(const std::map<std::string, std::string>& files, std::string_view part);

// True if `allowed`, a kind or several ("a|b"), includes the kind.
bool allows(std::string_view allowed, std::string_view kind);

}  // namespace warpmark::edits
