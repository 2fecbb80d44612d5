#include "tests/engines/record.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include "harness/base/file.h"
#include "harness/model/class_result.h"

namespace warpmark::engines {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t kLongestMessage = 600;  // bytes

}  // namespace

std::string Told::text() const {
  std::string text = verdict;
  if (!kind.empty()) text += " " + kind;
  if (!file.empty()) text += line > 0 ? fmt::format(" {}:{}", file, line) : " " + file;
  return text;
}

Record record_of(const std::string& fixture, const std::string& run, const Grade& grade) {
  Record record{fixture, run, {}, grade.seconds};
  for (const CheckResult& check : grade.checks) {
    if (check.check == "fast") continue;
    Told told{std::string(name_of(check.verdict)), {}, {}, 0, {}};
    if (!check.causes.empty()) {
      const Cause& cause = check.causes.front();
      told.kind = name_of(cause.kind);
      told.file = cause.file;
      told.line = cause.line;
      told.message = cause.message.substr(0, kLongestMessage);
    }
    record.checks[check.id] = std::move(told);
  }
  return record;
}

Record record_of_refusal(const std::string& fixture, const std::string& run, const std::string& message) {
  return {fixture, run, {{"grade", {"refused", {}, {}, 0, message.substr(0, kLongestMessage)}}}, 0};
}

Result<std::vector<Record>> records_of_class(const fs::path& folder, const std::string& run) {
  const auto text = read_file(folder / "class.json");
  if (!text) return tl::unexpected(text.error());
  const auto result = class_from_json(*text);
  if (!result) return tl::unexpected(result.error());
  std::vector<Record> records;
  for (const StudentResult& student : result->students) {
    const auto grade = grade_from_json(read_file(folder / student.grade).value_or(""));
    records.push_back(grade ? record_of(student.id, run, *grade)
                            : record_of_refusal(student.id, run, "there is no grade"));
  }
  return records;
}

std::string to_line(const Record& record) {
  json checks = json::object();
  for (const auto& [id, told] : record.checks) {
    checks[id] = {{"verdict", told.verdict},
                  {"kind", told.kind},
                  {"file", told.file},
                  {"line", told.line},
                  {"message", told.message}};
  }
  const json all{
      {"fixture", record.fixture}, {"run", record.run}, {"checks", checks}, {"seconds", record.seconds}};
  return all.dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<Record> record_from(const std::string& line) try {
  const json all = json::parse(line);
  Record record{all.at("fixture"), all.at("run"), {}, all.at("seconds")};
  for (const auto& [id, told] : all.at("checks").items()) {
    record.checks[id] = {told.at("verdict"), told.at("kind"), told.at("file"), told.at("line"),
                         told.at("message")};
  }
  return record;
} catch (const json::exception& error) {
  return fail(error.what());
}

std::vector<Record> read_records(const std::vector<fs::path>& folders) {
  std::vector<fs::path> files;
  for (const fs::path& folder : folders) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
      if (entry.path().extension() == ".jsonl") files.push_back(entry.path());
    }
  }
  std::ranges::stable_sort(files, {}, [](const fs::path& file) { return fs::last_write_time(file); });
  std::map<std::pair<std::string, std::string>, Record> latest;
  for (const fs::path& file : files) {
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);) {
      if (auto record = record_from(line)) latest.insert_or_assign({record->fixture, record->run}, *record);
    }
  }
  std::vector<Record> all;
  for (auto& [key, record] : latest) all.push_back(std::move(record));
  return all;
}

}  // namespace warpmark::engines
