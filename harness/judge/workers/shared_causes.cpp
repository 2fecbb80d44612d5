#include "harness/judge/workers/shared_causes.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <string_view>

#include <fmt/format.h>

#include "harness/build/source_places.h"
#include "harness/build/source_text.h"
#include "harness/source_edits/launches.h"

namespace warpmark::judge {
namespace {

constexpr std::uint64_t kLanes = 32;

std::uint64_t threads_of(const LaunchShape& launch) {
  return std::accumulate(launch.block.begin(), launch.block.end(), std::uint64_t{1}, std::multiplies<>());
}

// Moves an access past a dynamic array to the launch that gives the array its size, if that is at fault: it
// counts no bytes, or has fewer elements than the block has threads. Otherwise the index may be at fault.
void blame_launch(Cause& cause, const Blame& blame, const std::string& array) {
  if (blame.file == nullptr || !cause.launch) return;
  const auto launch = source_edits::launch_of(blame.file->text, cause.launch->kernel);
  const std::uint64_t elements = cause.warp_access ? cause.warp_access->elements : 0;
  if (!launch || (launch->is_in_bytes && elements >= threads_of(*cause.launch))) return;
  if (launch->shared_bytes.empty()) {
    cause.message += "; this launch gives no size: the third number is missing";
  } else if (!launch->is_in_bytes && launch->shared_bytes != "0") {
    const std::string type = source_edits::dynamic_array_type(blame.file->text, array);
    cause.message += fmt::format("; `{0}` counts elements, not bytes: `({0}) * sizeof({1})`",
                                 launch->shared_bytes, type.empty() ? "element" : type);
  } else {
    cause.message += fmt::format("; the launch passes `{}`, and its blocks have {} threads",
                                 launch->shared_bytes, threads_of(*cause.launch));
  }
  if (cause.file == blame.file->name) {
    cause.other_line = cause.line;
  } else {
    cause.message += fmt::format(" (the access is at {}:{})", cause.file, cause.line);
    cause.other_line = 0;
  }
  cause.file = blame.file->name;
  cause.line = launch->line;
  cause.excerpt = excerpt_in(blame, cause.file, cause.line);
}

// Returns what to do about lanes that have no element of an array with one element per warp; empty if the
// array is of another kind.
std::string about_lanes(const Cause& cause) {
  if (!cause.launch || !cause.warp_access) return {};
  const WarpAccess& access = *cause.warp_access;
  const std::uint64_t warps = (threads_of(*cause.launch) + kLanes - 1) / kLanes;
  // Of an array of structures, the positions count members.
  const auto& at = access.positions;
  const std::uint64_t members = at.size() > 1 && at[1] > at[0] ? at[1] - at[0] : 1;
  const auto have = std::ranges::count_if(access.positions,
                                          [&](std::uint64_t position) { return position < access.elements; });
  if (access.elements != warps * members || warps >= kLanes || have == 0) return {};
  const std::string array = fmt::format("the array has one element per warp, {} in all", warps);
  if (access.writes)
    return fmt::format("{}, but each lane stores to one: take the number of the warp as the index", array);
  return fmt::format(
      "{}, but {} lanes of a warp read one each: only lanes 0 to {} have one. Let the other lanes take what "
      "changes nothing, 0 in a sum: `lane < {} ? ... : 0`",
      array, access.positions.size(), warps - 1, warps);
}

}  // namespace

void explain_shared_array(Cause& cause, const Blame& blame) {
  if (cause.kind != CauseKind::out_of_bounds || blame.submission == nullptr || cause.line <= 0) return;
  if (cause.message.find(" before the start ") != std::string::npos) return;  // no size would be enough
  const auto text = submitted_text(*blame.submission, cause.file);
  const std::string array = build::name_behind(cause.message, "shared array ");
  if (!text || array.empty()) return;
  const build::Place declared = build::shared_declaration(*text, array);
  if (declared.line == 0) return;
  if (declared.code.find("extern ") != std::string::npos) {
    blame_launch(cause, blame, array);
    return;
  }
  if (const std::string why = about_lanes(cause); !why.empty()) {
    constexpr std::string_view kGeneral = "test the index against the size before the access";
    const std::size_t at = cause.message.find(kGeneral);
    if (at == std::string::npos)
      cause.message += "; " + why;
    else
      cause.message.replace(at, kGeneral.size(), why);
  } else if (declared.line != cause.line) {
    cause.message +=
        fmt::format("; line {} declares the array, perhaps too small: `{}`", declared.line, declared.code);
  }
}

}  // namespace warpmark::judge
