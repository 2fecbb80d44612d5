// What one engine said of one submission, as a line of JSON.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "harness/base/error.h"
#include "harness/model/grade.h"

namespace warpmark::engines {

// The result of a check: its verdict, and its first cause if it has one.
struct Told {
  std::string verdict;
  std::string kind;
  std::string file;
  int line = 0;
  std::string message;  // for a person; not compared

  // "failed race v07_tree_sequential.cu:31"
  [[nodiscard]] std::string text() const;
};

struct Record {
  std::string fixture;                 // "mistakes/bounds_less_or_equal"
  std::string run;                     // "gpu", "gpu.2" (the second one) or "simulator"
  std::map<std::string, Told> checks;  // by id; a submission that cannot be graded has one check, "grade"
  double seconds = 0;                  // wall time of the grade
};

// The record of a grade, without the check `fast`; of a submission that the harness refuses.
Record record_of(const std::string& fixture, const std::string& run, const Grade& grade);
Record record_of_refusal(const std::string& fixture, const std::string& run, const std::string& message);

// The records of a class that `warpmark class` graded into the folder, one per student.
Result<std::vector<Record>> records_of_class(const std::filesystem::path& folder, const std::string& run);

std::string to_line(const Record& record);
Result<Record> record_from(const std::string& line);

// Reads the records in all *.jsonl files of the folders. Skips lines that an interrupted run left incomplete;
// of two records of the same fixture and run the later one counts.
std::vector<Record> read_records(const std::vector<std::filesystem::path>& folders);

}  // namespace warpmark::engines
