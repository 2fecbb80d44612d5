#include "harness/class/journal/journal.h"

#include <mutex>

#include <SQLiteCpp/SQLiteCpp.h>
#include <SQLiteCpp/VariadicBind.h>
#include <fmt/format.h>

namespace warpmark::classroom {
namespace {

constexpr const char* kFile = "journal.sqlite";
constexpr int kVersion = 3;        // version of the journal's schema, stored as PRAGMA user_version
constexpr int kName = 0x57506d4b;  // stored as PRAGMA application_id: "WPmK"
constexpr int kPatience = 10'000;  // busy timeout in milliseconds, for when another process holds a lock

constexpr const char* kTables = R"(
CREATE TABLE fact(name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE given_id(identity TEXT PRIMARY KEY, id TEXT NOT NULL UNIQUE);
CREATE TABLE outcome(shelf TEXT NOT NULL, id TEXT NOT NULL, content TEXT NOT NULL, rules TEXT NOT NULL,
                     grade TEXT NOT NULL, state TEXT NOT NULL, kind TEXT NOT NULL, message TEXT NOT NULL,
                     points REAL NOT NULL, possible REAL NOT NULL, open REAL NOT NULL, needs_gpu REAL NOT NULL,
                     exit_status INTEGER NOT NULL, doubt TEXT NOT NULL, again INTEGER NOT NULL,
                     bonus REAL NOT NULL DEFAULT 0, PRIMARY KEY(shelf, id));
CREATE TABLE attempt(id TEXT NOT NULL, content TEXT NOT NULL, PRIMARY KEY(id, content));
CREATE TABLE correction(id TEXT PRIMARY KEY, points REAL NOT NULL, relative INTEGER NOT NULL,
                        comment TEXT NOT NULL, author TEXT NOT NULL, moment TEXT NOT NULL);
)";

Outcome outcome_of(SQLite::Statement& row) {
  Outcome outcome;
  outcome.content = row.getColumn("content").getString();
  outcome.rules = row.getColumn("rules").getString();
  outcome.state =
      value_named<StudentState>(row.getColumn("state").getString()).value_or(StudentState::broken);
  outcome.again = row.getColumn("again").getInt() != 0;
  outcome.score = {row.getColumn("points").getDouble(),
                   row.getColumn("possible").getDouble(),
                   row.getColumn("open").getDouble(),
                   row.getColumn("needs_gpu").getDouble(),
                   0,
                   0};
  outcome.score.bonus = row.getColumn("bonus").getDouble();
  outcome.exit_status = row.getColumn("exit_status").getInt();
  outcome.doubt = row.getColumn("doubt").getString();
  const std::string kind = row.getColumn("kind").getString();
  if (!kind.empty()) outcome.cause = StudentCause{kind, row.getColumn("message").getString()};
  return outcome;
}

}  // namespace

struct Journal::State {
  explicit State(const std::string& file)
      : database(file, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, kPatience) {}
  SQLite::Database database;
  std::mutex mutex;
};

Journal::Journal(std::unique_ptr<State> state) : state_(std::move(state)) {}
Journal::Journal(Journal&&) noexcept = default;
Journal& Journal::operator=(Journal&&) noexcept = default;
Journal::~Journal() = default;

bool Journal::exists(const std::filesystem::path& folder) {
  std::error_code error;
  return std::filesystem::is_regular_file(folder / kFile, error);
}

Result<Journal> Journal::open(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / kFile;
  const auto strange = [&](std::string_view why) {
    return fail(fmt::format("{} {}; choose another folder with --out, or move it away", file.string(), why));
  };
  try {
    auto state = std::make_unique<State>(file.string());
    SQLite::Database& database = state->database;
    // Only one process has the database open (lock.h), possibly on another machine than before, so the
    // write-ahead log must not use shared memory.
    database.exec("PRAGMA locking_mode=EXCLUSIVE");
    const int name = database.execAndGet("PRAGMA application_id").getInt();
    const int version = database.execAndGet("PRAGMA user_version").getInt();
    const int tables = database.execAndGet("SELECT count(*) FROM sqlite_master").getInt();
    if (tables > 0 && name != kName) return strange("is not a journal of Warpmark");
    if (tables > 0 && version > kVersion)
      return strange(
          fmt::format("was written by a newer version of Warpmark ({} instead of {})", version, kVersion));
    database.exec("PRAGMA journal_mode=WAL");
    database.exec("PRAGMA synchronous=FULL");  // makes a commit survive a power failure
    if (tables == 0) {
      SQLite::Transaction transaction(database);
      database.exec(kTables);
      database.exec(fmt::format("PRAGMA application_id={}", kName));
      database.exec(fmt::format("PRAGMA user_version={}", kVersion));
      transaction.commit();
    }
    // Migrates a journal of an older schema: the first had no column for bonus points, the second did not
    // count attempts.
    if (tables > 0 && version < kVersion) {
      SQLite::Transaction transaction(database);
      if (version < 2) database.exec("ALTER TABLE outcome ADD COLUMN bonus REAL NOT NULL DEFAULT 0");
      database.exec(
          "CREATE TABLE attempt(id TEXT NOT NULL, content TEXT NOT NULL, PRIMARY KEY(id, content))");
      database.exec("INSERT INTO attempt SELECT id, content FROM outcome WHERE shelf = 'current'");
      database.exec(fmt::format("PRAGMA user_version={}", kVersion));
      transaction.commit();
    }
    return Journal(std::move(state));
  } catch (const SQLite::Exception& error) {
    return strange(fmt::format("cannot be used: {}", error.what()));
  }
}

std::string Journal::fact(const std::string& name) const {
  const std::scoped_lock lock(state_->mutex);
  SQLite::Statement query(state_->database, "SELECT value FROM fact WHERE name = ?");
  query.bind(1, name);
  return query.executeStep() ? query.getColumn(0).getString() : std::string();
}

void Journal::set_fact(const std::string& name, const std::string& value) {
  set_facts({{name, value}});
}

void Journal::set_facts(const std::map<std::string, std::string>& facts) {
  const std::scoped_lock lock(state_->mutex);
  SQLite::Transaction transaction(state_->database);
  SQLite::Statement insert(state_->database, "INSERT OR REPLACE INTO fact VALUES(?, ?)");
  for (const auto& [name, value] : facts) {
    SQLite::bind(insert, name, value);
    insert.exec();
    insert.reset();
  }
  transaction.commit();
}

void Journal::set_taken(const TakenClass& taken, const std::map<std::string, std::string>& ids) {
  const std::scoped_lock lock(state_->mutex);
  SQLite::Transaction transaction(state_->database);
  SQLite::Statement fact(state_->database, "INSERT OR REPLACE INTO fact VALUES('taken', ?)");
  fact.bind(1, to_json(taken));
  fact.exec();
  SQLite::Statement insert(state_->database, "INSERT OR IGNORE INTO given_id VALUES(?, ?)");
  for (const auto& [identity, id] : ids) {
    SQLite::bind(insert, identity, id);
    insert.exec();
    insert.reset();
  }
  transaction.commit();
}

std::optional<TakenClass> Journal::taken() const {
  const std::string text = fact("taken");
  auto taken = text.empty() ? fail("") : taken_from_json(text);
  if (!taken) return std::nullopt;
  return std::move(*taken);
}

std::map<std::string, std::string> Journal::ids() const {
  const std::scoped_lock lock(state_->mutex);
  std::map<std::string, std::string> ids;
  SQLite::Statement query(state_->database, "SELECT identity, id FROM given_id");
  while (query.executeStep()) ids[query.getColumn(0).getString()] = query.getColumn(1).getString();
  return ids;
}

void Journal::set_outcome(Shelf shelf, const std::string& id, const Outcome& outcome) {
  const std::scoped_lock lock(state_->mutex);
  SQLite::Statement insert(
      state_->database,
      "INSERT OR REPLACE INTO outcome VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
  const StudentCause cause = outcome.cause.value_or(StudentCause{});
  SQLite::bind(insert, std::string(name_of(shelf)), id, outcome.content, outcome.rules, outcome.grade,
               std::string(warpmark::name_of(outcome.state)), cause.kind, cause.message, outcome.score.points,
               outcome.score.possible, outcome.score.open, outcome.score.needs_gpu, outcome.exit_status,
               outcome.doubt, outcome.again ? 1 : 0, outcome.score.bonus);
  insert.exec();
  if (shelf != Shelf::current) return;
  SQLite::Statement attempt(state_->database, "INSERT OR IGNORE INTO attempt VALUES(?, ?)");
  SQLite::bind(attempt, id, outcome.content);
  attempt.exec();
}

std::uint64_t Journal::attempts(const std::string& id) const {
  const std::scoped_lock lock(state_->mutex);
  SQLite::Statement query(state_->database, "SELECT count(*) FROM attempt WHERE id = ?");
  query.bind(1, id);
  return query.executeStep() ? static_cast<std::uint64_t>(query.getColumn(0).getInt64()) : 0;
}

std::optional<Outcome> Journal::outcome(Shelf shelf, const std::string& id) const {
  const std::scoped_lock lock(state_->mutex);
  SQLite::Statement query(state_->database, "SELECT * FROM outcome WHERE shelf = ? AND id = ?");
  SQLite::bind(query, std::string(name_of(shelf)), id);
  if (!query.executeStep()) return std::nullopt;
  Outcome outcome = outcome_of(query);
  outcome.grade = query.getColumn("grade").getString();
  return outcome;
}

std::map<std::string, Outcome> Journal::outcomes(Shelf shelf) const {
  const std::scoped_lock lock(state_->mutex);
  std::map<std::string, Outcome> all;
  SQLite::Statement query(
      state_->database,
      "SELECT id, content, rules, state, kind, message, points, possible, open, needs_gpu, "
      "exit_status, doubt, again, bonus FROM outcome WHERE shelf = ?");
  query.bind(1, std::string(name_of(shelf)));
  while (query.executeStep()) all[query.getColumn("id").getString()] = outcome_of(query);
  return all;
}

void Journal::apply_shadow() {
  const std::scoped_lock lock(state_->mutex);
  SQLite::Transaction transaction(state_->database);
  state_->database.exec(
      "DELETE FROM outcome WHERE shelf = 'current' AND id IN "
      "(SELECT id FROM outcome WHERE shelf = 'shadow')");
  state_->database.exec("UPDATE outcome SET shelf = 'current' WHERE shelf = 'shadow'");
  state_->database.exec(
      "INSERT OR REPLACE INTO fact SELECT 'rubric', value FROM fact WHERE name = 'shadow_rubric'");
  state_->database.exec("DELETE FROM fact WHERE name IN ('shadow_rubric', 'shadow')");
  transaction.commit();
}

void Journal::discard_shadow() {
  const std::scoped_lock lock(state_->mutex);
  SQLite::Transaction transaction(state_->database);
  state_->database.exec("DELETE FROM outcome WHERE shelf = 'shadow'");
  state_->database.exec("DELETE FROM fact WHERE name IN ('shadow_rubric', 'shadow')");
  transaction.commit();
}

void Journal::correct(const std::string& id, const Correction& correction) {
  const std::scoped_lock lock(state_->mutex);
  SQLite::Statement insert(state_->database, "INSERT OR REPLACE INTO correction VALUES(?, ?, ?, ?, ?, ?)");
  SQLite::bind(insert, id, correction.points, correction.relative ? 1 : 0, correction.comment, correction.by,
               correction.when);
  insert.exec();
}

bool Journal::withdraw_correction(const std::string& id) {
  const std::scoped_lock lock(state_->mutex);
  SQLite::Statement remove(state_->database, "DELETE FROM correction WHERE id = ?");
  remove.bind(1, id);
  return remove.exec() > 0;
}

std::map<std::string, Correction> Journal::corrections() const {
  const std::scoped_lock lock(state_->mutex);
  std::map<std::string, Correction> all;
  SQLite::Statement query(state_->database,
                          "SELECT id, points, relative, comment, author, moment FROM correction");
  while (query.executeStep()) {
    all[query.getColumn(0).getString()] = {query.getColumn(1).getDouble(), query.getColumn(2).getInt() != 0,
                                           query.getColumn(3).getString(), query.getColumn(4).getString(),
                                           query.getColumn(5).getString()};
  }
  return all;
}

}  // namespace warpmark::classroom
