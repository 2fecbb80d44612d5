#include "harness/simulator/runtime/journal.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include <unistd.h>

#include "harness/base/counters.h"

namespace warpmark::simulator {
namespace {

// Bytes; then launches and transfers are no longer written. Launches by the hundred thousand come to this.
constexpr std::size_t kMostWritten = std::size_t{48} << 20;

nlohmann::json to_json(Dim3 size) {
  return {size.x, size.y, size.z};
}

double mean_lanes(const Work& work) {
  return work.instructions == 0
             ? 0
             : static_cast<double>(work.active_lanes) / static_cast<double>(work.instructions);
}

nlohmann::json counters_of(const Work& work) {
  namespace n = counter;
  return {{n::kLoadRequests, work.loads.requests},
          {n::kLoadSectors, work.loads.sectors},
          {n::kStoreRequests, work.stores.requests},
          {n::kStoreSectors, work.stores.sectors},
          {n::kSharedLoads, work.loads.shared_requests},
          {n::kLoadWavefronts, work.loads.wavefronts},
          {n::kLoadConflicts, work.loads.conflicts},
          {n::kSharedStores, work.stores.shared_requests},
          {n::kStoreWavefronts, work.stores.wavefronts},
          {n::kStoreConflicts, work.stores.conflicts},
          {n::kInstructions, work.instructions},
          {n::kActiveLanes, mean_lanes(work)},
          {n::kDivergentBranches, work.divergent_branches},
          {n::kBarriers, work.barriers},
          {n::kGlobalAtomics, work.global_atomics},
          {n::kSameAddressAtomics, work.same_address_atomics},
          {n::kShuffles, work.shuffles}};
}

// Of a line the few numbers that stand beside it in an annotated source.
nlohmann::json to_json(const LineWork& line) {
  const Work& work = line.work;
  return {{"file", line.file},
          {"line", line.line},
          {"instructions", work.instructions},
          {"active_lanes", mean_lanes(work)},
          {"requests", work.loads.requests + work.stores.requests},
          {"sectors", work.loads.sectors + work.stores.sectors},
          {"shared_requests", work.loads.shared_requests + work.stores.shared_requests},
          {"conflicts", work.loads.conflicts + work.stores.conflicts},
          {"atomics", work.global_atomics},
          {"barriers", work.barriers}};
}

}  // namespace

void Journal::launched(std::string_view kernel, Dim3 grid, Dim3 block) {
  launches_.push_back({std::string(kernel), grid, block, std::nullopt});
}

void Journal::counted(LaunchWork work) {
  launches_.back().work = std::move(work);
}

void Journal::add(Found found) {
  const auto key = [](const Found& each) {
    return std::tie(each.kind, each.kernel, each.file, each.line, each.other_line);
  };
  const bool known = std::any_of(findings_.begin(), findings_.end(), [&](const Found& each) {
    return key(each) == key(found) &&
           (found.line != 0 || (each.message == found.message && each.frames == found.frames));
  });
  if (!known) findings_.push_back(std::move(found));
}

void Journal::found(const Finding& finding) {
  add({.kind = std::string(name_of(finding.kind)),
       .kernel = finding.kernel,
       .file = finding.file,
       .line = finding.line,
       .other_line = finding.other_line,
       .message = finding.message,
       .frames = {}});
}

void Journal::found(std::string_view kind, std::string_view kernel, std::string_view message) {
  found(kind, kernel, message, descriptor_ >= 0 ? call_site() : CallSite());
}

void Journal::found(std::string_view kind, std::string_view kernel, std::string_view message,
                    const CallSite& site) {
  add({.kind = std::string(kind),
       .kernel = std::string(kernel),
       .file = {},
       .message = std::string(message),
       .frames = site.frames});
}

void Journal::noted(std::string_view kernel, std::string_view message) {
  notes_.push_back({std::string(kernel), std::string(message)});
}

void Journal::transferred(std::string_view direction, std::size_t bytes, std::string_view kind) {
  transfers_.push_back({direction, bytes, kind, launches_.size()});
}

std::string Journal::drain() {
  auto launches = nlohmann::json::array();
  for (const auto& launch : launches_) {
    launches.push_back(
        {{"kernel", launch.kernel}, {"grid", to_json(launch.grid)}, {"block", to_json(launch.block)}});
    if (!launch.work) continue;
    launches.back()["counters"] = counters_of(launch.work->total);
    auto& lines = launches.back()["lines"] = nlohmann::json::array();
    for (const LineWork& line : launch.work->lines) lines.push_back(to_json(line));
  }
  auto findings = nlohmann::json::array();
  for (const auto& found : findings_) {
    findings.push_back({{"kind", found.kind},
                        {"kernel", found.kernel},
                        {"file", found.file},
                        {"line", found.line},
                        {"message", found.message}});
    if (found.other_line != 0) findings.back()["other_line"] = found.other_line;
    if (!found.frames.empty()) findings.back()["frames"] = found.frames;
  }
  auto transfers = nlohmann::json::array();
  for (const auto& transfer : transfers_) {
    transfers.push_back({{"direction", transfer.direction},
                         {"bytes", transfer.bytes},
                         {"kind", transfer.kind},
                         {"launches_before", transfer.launches_before}});
  }
  auto notes = nlohmann::json::array();
  for (const auto& note : notes_) notes.push_back({{"kernel", note.kernel}, {"message", note.message}});
  const int descriptor = descriptor_;
  const std::size_t written = written_;
  *this = {};
  descriptor_ = descriptor;
  written_ = written;
  const nlohmann::json all = {{"launches", std::move(launches)},
                              {"findings", std::move(findings)},
                              {"transfers", std::move(transfers)},
                              {"notes", std::move(notes)}};
  // Messages may quote a submission's bytes: what is no UTF-8 is replaced, it must not end the process.
  return all.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void Journal::flush() {
  if (descriptor_ < 0 || (launches_.empty() && findings_.empty() && transfers_.empty() && notes_.empty()))
    return;
  if (written_ > kMostWritten) {
    launches_.clear();
    transfers_.clear();
    if (findings_.empty() && notes_.empty()) return;
  }
  write(drain());
}

void Journal::running(std::string_view kernel, Dim3 grid, Dim3 block) {
  if (descriptor_ < 0 || written_ > kMostWritten) return;
  const nlohmann::json line = {
      {"running", {{"kernel", kernel}, {"grid", to_json(grid)}, {"block", to_json(block)}}}};
  write(line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

void Journal::write(const std::string& line) {
  const std::string whole = line + '\n';
  for (std::size_t done = 0; done < whole.size();) {
    const ssize_t count = ::write(descriptor_, whole.data() + done, whole.size() - done);
    if (count <= 0) return;
    done += static_cast<std::size_t>(count);
  }
  written_ += whole.size();
}

}  // namespace warpmark::simulator
