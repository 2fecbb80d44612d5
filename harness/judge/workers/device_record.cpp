#include "harness/judge/workers/device_record.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <iterator>
#include <utility>

#include <fmt/format.h>

namespace warpmark::judge {
namespace {

std::uint64_t bytes_of(const std::vector<wire::View>& views) {
  std::uint64_t bytes = 0;
  for (const wire::View& view : views) bytes += view.bytes;
  return bytes;
}

std::uint64_t bytes_of(const std::vector<wire::Patch>& patches) {
  std::uint64_t bytes = 0;
  for (const wire::Patch& patch : patches) bytes += patch.where.bytes;
  return bytes;
}

bool went_well(const wire::Failure& failure) {
  return failure == wire::Failure{};
}

}  // namespace

DeviceTally tally_of(const wire::Request& request, const wire::Reply& reply) {
  DeviceTally tally;
  const auto* call = std::get_if<wire::Call>(&request);
  tally.is_call = call != nullptr || std::holds_alternative<wire::Upload>(request) ||
                  std::holds_alternative<wire::Canary>(request);
  // A failed request may have made any number of device actions, so their counts are not checked.
  if (std::holds_alternative<wire::FailedReply>(reply)) return tally;
  if (tally.is_call) tally.marks = 1;
  if (const auto* called = std::get_if<wire::CallReply>(&reply); called != nullptr && call != nullptr) {
    if (!went_well(called->failure)) return tally;
    tally.calls = std::min(call->calls, call->turns);
    tally.taken = call->turns * bytes_of(call->patches);
    tally.saved = call->turns * bytes_of(call->reads);
  } else if (std::holds_alternative<wire::UploadReply>(reply)) {
    tally.calls = 1;
  } else {
    tally.calls = 0;
    if (const auto* read = std::get_if<wire::Read>(&request)) tally.saved = bytes_of(read->reads);
  }
  return tally;
}

std::optional<std::string> forged(const wire::DeviceReply& told, const DeviceTally& expected) {
  if (told.marks > 1) return fmt::format("{} marks in the device's record, where one is set", told.marks);
  const std::array<std::tuple<const char*, std::uint64_t, std::optional<std::uint64_t>>, 4> numbers{
      {{"marks", told.marks, expected.marks},
       {"calls", told.calls, expected.calls},
       {"bytes of input", told.taken, expected.taken},
       {"bytes of results", told.saved, expected.saved}}};
  for (const auto& [what, number, right] : numbers) {
    if (right && number != *right)
      return fmt::format("{} {} in the device's record, where the harness makes {}", number, what, *right);
  }
  return std::nullopt;
}

void count_as_the_calls(wire::Observation before, wire::Observation& call) {
  std::ranges::move(before.findings, std::back_inserter(call.findings));
  for (wire::Transfer& each : call.transfers) each.launches_before += before.launches.size();
  call.launches.insert(call.launches.begin(), std::make_move_iterator(before.launches.begin()),
                       std::make_move_iterator(before.launches.end()));
  call.transfers.insert(call.transfers.begin(), std::make_move_iterator(before.transfers.begin()),
                        std::make_move_iterator(before.transfers.end()));
  if (!before.handovers) return;
  if (call.handovers) std::ranges::move(*call.handovers, std::back_inserter(*before.handovers));
  call.handovers = std::move(before.handovers);
}

std::optional<SharedMemory> take_values(std::vector<wire::Patch>& patches) {
  if (patches.empty()) return std::nullopt;
  SharedMemory values(bytes_of(patches));
  std::size_t at = 0;
  for (wire::Patch& patch : patches) {
    const std::size_t bytes = std::min<std::size_t>(patch.where.bytes, sizeof patch.value);
    std::memcpy(values.bytes().data() + at, &patch.value, bytes);
    at += bytes;
    patch.value = 0;
  }
  return values;
}

}  // namespace warpmark::judge
