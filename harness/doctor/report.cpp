#include <algorithm>

#include <fmt/format.h>

#include "harness/doctor/diagnosis.h"
#include "reports/wording/text.h"

namespace warpmark::doctor {
namespace {

struct StatusRow {
  Status status;
  const char* word;
  const char* colour;  // number of the ANSI escape sequence that colours the status
};
constexpr StatusRow kStatuses[] = {
    {Status::pass, "PASS", "32"}, {Status::caution, "CAUTION", "33"}, {Status::fail, "FAIL", "1;31"}};
constexpr std::size_t kWordWidth = 9;
constexpr std::size_t kNameWidth = 13;

const StatusRow& row_of(Status status) {
  return *std::find_if(std::begin(kStatuses), std::end(kStatuses),
                       [&](const StatusRow& row) { return row.status == status; });
}

std::size_t count(const Diagnosis& diagnosis, Status status) {
  return static_cast<std::size_t>(std::count_if(diagnosis.findings.begin(), diagnosis.findings.end(),
                                                [&](const Assessment& one) { return one.status == status; }));
}

std::string things(std::size_t number, const char* one, const char* many) {
  return number == 0 ? fmt::format("nothing {}", one)
                     : fmt::format("{} {}", counted(static_cast<double>(number), "thing", "things"),
                                   number == 1 ? one : many);
}

}  // namespace

std::string to_console(const Diagnosis& diagnosis, bool colour) {
  std::string out;
  for (const Assessment& finding : diagnosis.findings) {
    const StatusRow& row = row_of(finding.status);
    const std::string word = padded(row.word, kWordWidth);
    out += colour ? fmt::format("\x1b[{}m{}\x1b[0m", row.colour, word) : word;
    out += fmt::format("{}{}\n", padded(finding.name, kNameWidth), visible_line(finding.found));
    if (!finding.repair.empty()) {
      out += fmt::format("{}{}\n", std::string(kWordWidth + kNameWidth, ' '), visible_line(finding.repair));
    }
  }
  out += fmt::format("\nGrading here uses {}; {} it, {} it.\n",
                     diagnosis.engine.empty()    ? "nothing"
                     : diagnosis.engine == "gpu" ? "the GPU"
                                                 : "the simulator",
                     things(count(diagnosis, Status::fail), "stops", "stop"),
                     things(count(diagnosis, Status::caution), "disturbs", "disturb"));
  return out;
}

}  // namespace warpmark::doctor
