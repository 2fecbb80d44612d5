#include "harness/judge/cases/counted.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "harness/base/counters.h"
#include "harness/base/text.h"
#include "harness/judge/workers/causes.h"
#include "harness/wire/codec.h"

namespace warpmark::judge {
namespace {

constexpr std::size_t kMostKernels = 12;
constexpr std::size_t kMostLines = 300;    // limit on a counter report's source lines, context included
constexpr std::size_t kLongestName = 200;  // limit in bytes on a file or kernel name in a counter report
constexpr std::size_t kLongestLine = 300;  // limit in bytes on a source line in a counter report
constexpr int kContext = 2;                // context lines around each source line of a counter report
constexpr auto kLargest = static_cast<double>(wire::kMostCount);
constexpr double kLanes = 32;
constexpr double kSectorBytes = 32;
constexpr double kRequestBytes = 128;  // of a coalesced load of 4 bytes per thread

// Sums a kernel's counters by name over launches. Active lanes per instruction are averaged, weighted by
// instructions.
class KernelSums {
 public:
  void add(const wire::Counters& counters) {
    ++launches_;
    for (const std::string_view name : kCounterNames) {
      const double value = counters.at(name);
      sums_[name] += name == counter::kActiveLanes
                         ? std::min(value, kLanes) * counters.at(counter::kInstructions)
                         : value;
    }
  }
  [[nodiscard]] double sum(std::string_view name) const { return std::min(sums_.at(name), kLargest); }
  [[nodiscard]] double value(std::string_view name) const {
    return name == counter::kActiveLanes ? ratio(sums_.at(name), sums_.at(counter::kInstructions))
                                         : sum(name);
  }
  [[nodiscard]] CountedKernel told(const std::string& name) const {
    CountedKernel kernel{name, launches_, {}};
    for (const std::string_view each : kCounterNames) kernel.counters.emplace_back(each, value(each));
    return kernel;
  }

 private:
  std::uint64_t launches_ = 0;
  std::map<std::string_view, double> sums_;
};

struct LineSums {
  double instructions = 0, lanes = 0, requests = 0, sectors = 0, shared_requests = 0, conflicts = 0,
         atomics = 0, shared_atomics = 0, barriers = 0;

  void add(const wire::CountedLine& line) {
    const auto executed = static_cast<double>(line.instructions);
    instructions += executed;
    lanes += executed * std::min(line.active_lanes, kLanes);
    requests += static_cast<double>(line.requests);
    sectors += static_cast<double>(line.sectors);
    shared_requests += static_cast<double>(line.shared_requests);
    conflicts += static_cast<double>(line.conflicts);
    atomics += static_cast<double>(line.atomics);
    shared_atomics += static_cast<double>(line.shared_atomics);
    barriers += static_cast<double>(line.barriers);
  }
  void tell(CountedLine& line) const {
    const auto whole = [](double value) { return static_cast<std::uint64_t>(std::min(value, kLargest)); };
    line.instructions = whole(instructions);
    line.active_lanes = ratio(lanes, instructions);
    line.requests = whole(requests);
    line.sectors_per_request = ratio(sectors, requests);
    line.shared_requests = whole(shared_requests);
    line.bank_conflicts = whole(conflicts);
    line.atomics = whole(atomics);
    line.shared_atomics = whole(shared_atomics);
    line.barriers = whole(barriers);
  }
};

using Lines = std::map<std::pair<std::string, int>, LineSums>;

void add_lines(Lines& lines, const wire::CountedWork& work) {
  for (const wire::CountedLine& line : work.lines) {
    if (line.file.empty() || line.file.size() > kLongestName || line.line == 0) continue;
    const std::pair place(line.file, line.line);
    if (lines.size() < kMostLines || lines.contains(place)) lines[place].add(line);
  }
}

// Returns the executed lines of the student's own files, with source text and context lines.
std::vector<CountedLine> with_source(const Lines& counted, const Submission& submission) {
  std::vector<CountedLine> result;
  std::map<std::string, std::set<int>> shown;
  for (const auto& [place, line] : counted) {
    for (int near = -kContext; near <= kContext; ++near) shown[place.first].insert(place.second + near);
  }
  for (const auto& [file, numbers] : shown) {
    const auto text = submitted_text(submission, file);
    if (!text) continue;
    const auto source = lines_of(*text);
    for (const int number : numbers) {
      if (number < 1 || static_cast<std::size_t>(number) > source.size()) continue;
      if (result.size() == kMostLines) return result;
      CountedLine line;
      line.file = file;
      line.line = number;
      line.text = source[static_cast<std::size_t>(number) - 1].substr(0, kLongestLine);
      if (const auto found = counted.find({file, number}); found != counted.end()) found->second.tell(line);
      result.push_back(std::move(line));
    }
  }
  return result;
}

// Sums of performance counters over all kernel launches of one call; the counters that a rubric limits are
// computed from these sums.
struct Totals {
  double launches = 0, blocks = 0, threads = 0, warps = 0;
  double requests = 0, sectors = 0;  // of loads
  double instructions = 0;           // summed over threads
  double in_y = 0;                   // threads of a block in y, summed over blocks
  double span = 0;                   // longest warps of all launches, one after another
  double stored = 0;                 // values, summed over threads
  double real_operations = 0;        // summed over threads
  double of_libraries = 0;           // the part of them in kernels of Thrust and CUB
  wire::Squares of_launches;
  wire::Squares of_warps, of_blocks;
  KernelSums counters;

  void add(const wire::Launch& launch) {
    const auto in_a_grid = static_cast<double>(wire::volume(launch.grid));
    const auto in_a_block = static_cast<double>(wire::volume(launch.block));
    launches += 1;
    blocks += in_a_grid;
    in_y += in_a_grid * launch.block[1];
    threads += in_a_grid * in_a_block;
    warps += in_a_grid * std::ceil(in_a_block / kLanes);
    const wire::CountedWork& work = *launch.work;
    const double loaded = work.counters.at(counter::kLoadSectors) + static_cast<double>(work.other_sectors);
    const double executed =
        work.counters.at(counter::kInstructions) * std::min(work.counters.at(counter::kActiveLanes), kLanes);
    requests += work.counters.at(counter::kLoadRequests) + static_cast<double>(work.other_requests);
    sectors += loaded;
    instructions += executed;
    span += static_cast<double>(work.longest_warp);
    stored += static_cast<double>(work.stored_values);
    real_operations += static_cast<double>(work.real_operations);
    if (launch.of_library) of_libraries += executed;
    add_squares(of_launches, {loaded * loaded, executed * executed});
    add_squares(of_warps, work.of_warps);
    add_squares(of_blocks, work.of_blocks);
    counters.add(work.counters);
  }

  // Returns the number of warps, blocks or launches among which the call's work is spread; `all` where that
  // is not known.
  [[nodiscard]] double busy(double all, const wire::Squares& squares, double values) const {
    const bool by_loads = sectors * kSectorBytes >= values;
    const double total = by_loads ? sectors : instructions;
    const double of_shares = by_loads ? squares.sectors : squares.instructions;
    return of_shares > 0 ? std::min(all, total * total / of_shares) : all;
  }

 private:
  static void add_squares(wire::Squares& to, const wire::Squares& from) {
    to.sectors += from.sectors;
    to.instructions += from.instructions;
  }
};

}  // namespace

double value_of(WorkCounter counter, const DeviceWork& work, std::uint64_t n) {
  Totals all;
  for (const wire::Launch& launch : work.launches) {
    if (launch.work) all.add(launch);
  }
  if (all.launches == 0) return 0;
  const auto values = static_cast<double>(n);
  const auto sum = [&](std::string_view name) { return all.counters.sum(name); };
  const double warps = all.busy(all.warps, all.of_warps, values);
  const double blocks = all.busy(all.blocks, all.of_blocks, values);
  const double threads = warps * ratio(all.threads, all.warps);
  const auto copied = static_cast<double>(work.copied);
  switch (counter) {
    case WorkCounter::atomics_a_value:
      return ratio(sum(counter::kGlobalAtomics), values);
    case WorkCounter::atomics_a_thread:
      return ratio(sum(counter::kGlobalAtomics), threads);
    case WorkCounter::shared_atomics_a_thread:
      return ratio(sum(counter::kSharedAtomics), threads);
    case WorkCounter::threads_a_value:
      return ratio(all.threads, values);
    case WorkCounter::block_y:
      return ratio(all.in_y, all.blocks);
    case WorkCounter::busy_threads_a_value:
      return ratio(threads, values);
    case WorkCounter::instructions_a_value:
      return ratio(all.instructions, values);
    case WorkCounter::real_operations_a_value:
      return ratio(all.real_operations, values);
    case WorkCounter::span:
      return all.span;
    case WorkCounter::shuffles_a_warp:
      return ratio(sum(counter::kShuffles), warps);
    case WorkCounter::library_share:
      return ratio(all.of_libraries, all.instructions);
    case WorkCounter::launches:
      return all.launches;
    case WorkCounter::busy_launches:
      return all.busy(all.launches, all.of_launches, values);
    case WorkCounter::load_requests_a_value:
      return ratio(all.requests + copied / kRequestBytes, values);
    case WorkCounter::sectors_a_request:
      return ratio(all.sectors, all.requests);
    case WorkCounter::bytes_read_a_value:
      return ratio(kSectorBytes * all.sectors + copied, values);
    case WorkCounter::stores_a_block:
      return ratio(all.stored, blocks);
    case WorkCounter::stores_a_thread:
      return ratio(all.stored, threads);
    case WorkCounter::shared_requests_a_warp:
      return ratio(sum(counter::kSharedLoads) + sum(counter::kSharedStores), warps);
    case WorkCounter::conflicts_a_request:
      return ratio(sum(counter::kLoadConflicts) + sum(counter::kStoreConflicts),
                   sum(counter::kSharedLoads) + sum(counter::kSharedStores));
    case WorkCounter::barriers_a_block:
      return ratio(sum(counter::kBarriers), blocks);
  }
  return 0;
}

std::optional<Counted> counted_by(const std::vector<wire::Launch>& launches, const Submission& submission,
                                  const std::string& version, const Case& which) {
  std::vector<std::string> order;
  std::map<std::string, KernelSums> kernels;
  KernelSums all;
  Lines lines;
  for (const wire::Launch& launch : launches) {
    const std::string& name = launch.kernel;
    const auto& work = launch.work;
    if (!work || name.empty() || name.size() > kLongestName) continue;
    if (!kernels.contains(name)) {
      if (kernels.size() == kMostKernels) continue;
      order.push_back(name);
    }
    kernels[name].add(work->counters);
    all.add(work->counters);
    add_lines(lines, *work);
  }
  if (order.empty()) return std::nullopt;

  const double requests = all.sum(counter::kLoadRequests) + all.sum(counter::kStoreRequests);
  Counted counted;
  counted.version = version;
  counted.type = which.type;
  counted.n = which.n;
  counted.sectors_per_request =
      ratio(all.sum(counter::kLoadSectors) + all.sum(counter::kStoreSectors), requests);
  counted.requests_per_element = ratio(requests, static_cast<double>(which.n));
  counted.bank_conflicts = static_cast<std::uint64_t>(
      std::min(all.sum(counter::kLoadConflicts) + all.sum(counter::kStoreConflicts), kLargest));
  counted.barriers = static_cast<std::uint64_t>(all.sum(counter::kBarriers));
  counted.global_atomics = static_cast<std::uint64_t>(all.sum(counter::kGlobalAtomics));
  counted.active_lanes = all.value(counter::kActiveLanes);
  for (const std::string& name : order) counted.kernels.push_back(kernels.at(name).told(name));
  counted.lines = with_source(lines, submission);
  return counted;
}

}  // namespace warpmark::judge
