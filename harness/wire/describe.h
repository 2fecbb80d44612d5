// Describes the messages between the judge process and the processes that run student code: each member of a
// message struct is named once, for both reading and writing JSON. Only codec.h and the result file of the
// `simulate` command use it.
#pragma once

#include "harness/wire/archive.h"

// Macros that list the counters of a message struct, each at most kMostCount, for reading and writing JSON.
// An optional counter of value 0 is left out of the JSON.
#define WARPMARK_COUNTS(...) WARPMARK_FOR_EACH(WARPMARK_CALL, count, __VA_ARGS__)
#define WARPMARK_OPTIONAL_COUNTS(...) WARPMARK_FOR_EACH(WARPMARK_CALL, optional_count, __VA_ARGS__)

namespace warpmark::wire {

void describe(auto& archive, Of<RacingAccess> auto& value) {
  WARPMARK_MEMBERS(thread, element, line, writes);
  WARPMARK_OPTIONAL(barriers, barrier_line);
}

void describe(auto& archive, Of<WarpAccess> auto& value) {
  WARPMARK_MEMBERS(array, block, line, writes, shared, bytes, each, before, first, elements, phase, passes);
  WARPMARK_OPTIONAL(number);
  archive.member("threads", value.threads, kMostLanes);
  archive.member("positions", value.positions, kMostLanes);
  archive.require("a warp's access names an element per thread",
                  [&] { return value.threads.size() == value.positions.size(); });
}

WARPMARK_DESCRIBE(ThreadRun, first, last, state, line)

void describe(auto& archive, Of<Finding> auto& value) {
  WARPMARK_MEMBERS(kind, kernel, file, line, message);
  WARPMARK_OPTIONAL(other_line, callers, other_in_launch);
  archive.optional("frames", value.frames, kMostFrames);
  archive.optional("other_frames", value.other_frames, kMostFrames);
  archive.optional("accesses", value.accesses, kMostAccesses);
  WARPMARK_OPTIONAL(warp_access);
  archive.optional("block_threads", value.block_threads, kMostThreadRuns);
}

void describe(auto& archive, Of<CountedLine> auto& value) {
  WARPMARK_MEMBERS(file, line, active_lanes);
  WARPMARK_COUNTS(instructions, requests, sectors, shared_requests, conflicts, atomics, barriers);
  WARPMARK_OPTIONAL_COUNTS(shared_atomics);
  WARPMARK_OPTIONAL(costly);
}

// Squares of counts are larger than any count may be.
void describe(auto& archive, Of<Squares> auto& value) {
  archive.member("sectors", value.sectors, kNoBound);
  archive.member("instructions", value.instructions, kNoBound);
}

void describe(auto& archive, Of<CountedWork> auto& value) {
  WARPMARK_MEMBERS(counters, other_requests, other_sectors, of_warps, of_blocks, longest_warp);
  WARPMARK_OPTIONAL_COUNTS(stored_values, real_operations);
  archive.member("lines", value.lines, kMostLines);
}

WARPMARK_DESCRIBE(Period, start_ns, end_ns)

void describe(auto& archive, Of<Launch> auto& value) {
  WARPMARK_MEMBERS(kernel, grid, block);
  archive.optional("shared_bytes", value.shared_bytes, kMostBytes);
  WARPMARK_OPTIONAL(work, when, device, of_library);
}

void describe(auto& archive, Of<Transfer> auto& value) {
  WARPMARK_MEMBERS(direction, kind);
  WARPMARK_COUNTS(launches_before);
  archive.member("bytes", value.bytes, kMostBytes);
  archive.optional("frames", value.frames, kMostFrames);
  WARPMARK_OPTIONAL(when, device, from_device);
}

WARPMARK_DESCRIBE(LaunchEvent, kernel)
void describe(auto& archive, Of<TransferEvent> auto& value) {
  WARPMARK_MEMBERS(direction, kind);
  archive.member("bytes", value.bytes, kMostBytes);
  archive.optional("frames", value.frames, kMostFrames);
}
void describe(auto& archive, Of<AuditEvent> auto& value) {
  WARPMARK_OPTIONAL(launch, transfer, when);
  WARPMARK_COUNTS(count);
  archive.require("an event is a launch or a transfer",
                  [&] { return value.launch.has_value() != value.transfer.has_value(); });
}

WARPMARK_DESCRIBE(Note, kernel, message)

void describe(auto& archive, Of<Handover> auto& value) {
  WARPMARK_MEMBERS(what);
  WARPMARK_OPTIONAL(launch, to_host);
  archive.member("values", value.values, kMostHandoverValues);
  archive.optional("frames", value.frames, kMostFrames);
}

void describe(auto& archive, Of<Observation> auto& value) {
  archive.member("findings", value.findings, kMostFindings);
  archive.member("launches", value.launches, kMostLaunches);
  archive.member("transfers", value.transfers, kMostTransfers);
  archive.member("notes", value.notes, kMostNotes);
  archive.optional("events", value.events, kMostEvents);
  archive.optional("handovers", value.handovers, kMostTransfers);
}

void describe_seen(auto& archive, auto& value) {
  WARPMARK_OPTIONAL(before);
  WARPMARK_MEMBERS(observed);
}

void describe(auto& archive, Of<HelloReply> auto& value) {
  describe_seen(archive, value);
  WARPMARK_MEMBERS(engine, observer, devices, no_device, device, peak_bytes_per_s, uuid, cuda, clock_hz);
  WARPMARK_COUNTS(multiprocessors, capability);
  archive.member("l2_bytes", value.l2_bytes, kMostBytes);
  archive.member("free_bytes", value.free_bytes, kMostBytes);
}

void describe(auto& archive, Of<LoadReply> auto& value) {
  describe_seen(archive, value);
  WARPMARK_OPTIONAL(not_loaded);
}

// Lists, for reading and writing JSON, the members of those worker replies that hold nothing but observations
// (findings, launches, transfers).
template <class T>
requires Of<T, FillReply> || Of<T, ZerosReply> || Of<T, CopyReply> || Of<T, CanaryReply> || Of<T, ReadReply>
void describe(auto& archive, T& value) {
  describe_seen(archive, value);
}

WARPMARK_DESCRIBE(CudaError, error, message, when)
void describe(auto& archive, Of<Failure> auto& value) {
  WARPMARK_OPTIONAL(cuda_error, threw);
}

void describe(auto& archive, Of<CallReply> auto& value) {
  describe_seen(archive, value);
  WARPMARK_MEMBERS(failure);
  archive.member("event_ms", value.event_ms, kMostTimes);
}

void describe(auto& archive, Of<UploadReply> auto& value) {
  describe_seen(archive, value);
  WARPMARK_MEMBERS(failure, memory);
  archive.optional("frames", value.frames, kMostFrames);
}

void describe(auto& archive, Of<ConditionsReply> auto& value) {
  describe_seen(archive, value);
  WARPMARK_MEMBERS(driver);
  WARPMARK_OPTIONAL_COUNTS(processes, sm_mhz, memory_mhz, celsius);
  archive.member("throttled_by", value.throttled_by, kMostReasons);
}

void describe(auto& archive, Of<FailedReply> auto& value) {
  describe_seen(archive, value);
  WARPMARK_MEMBERS(why);
}

WARPMARK_DESCRIBE(View, buffer, offset, bytes)
WARPMARK_DESCRIBE(Restore, from, to)
void describe(auto& archive, Of<PatchRun> auto& value) {
  WARPMARK_MEMBERS(where);
  archive.member("values", value.values, kMostPatches);
}
WARPMARK_DESCRIBE(RunMode, checking, schedule, one_at_a_time, check_accesses, count_work, keep_costly,
                  note_handovers, faults, fault_group, fault_seed, without_faults, launch_seconds,
                  launch_instructions, forgives)

WARPMARK_DESCRIBE(Hello, observe)
WARPMARK_DESCRIBE(Load, library, path)
void describe(auto& archive, Of<Fill> auto& value) {
  WARPMARK_MEMBERS(buffer, undefined, report_writes, on_host);
  archive.optional("undefined_offset", value.undefined_offset, kMostBytes);
  archive.optional("undefined_bytes", value.undefined_bytes, kMostBytes);
}
WARPMARK_DESCRIBE(Zeros, buffer, bytes)
WARPMARK_DESCRIBE(Copy, from, to)
void describe(auto& archive, Of<Call> auto& value) {
  WARPMARK_MEMBERS(library, function, adapter, mode, sweep, turns, calls);
  archive.member("buffers", value.buffers, kMostViews);
  archive.member("scalars", value.scalars, kMostScalars);
  archive.member("reads", value.reads, kMostViews);
  archive.patches("patches", value.patches, kMostPatches);
  archive.optional("restores", value.restores, kMostViews);
  WARPMARK_OPTIONAL_COUNTS(look_after_ms);
}
void describe(auto& archive, Of<Upload> auto& value) {
  WARPMARK_MEMBERS(library, function, adapter, count, as);
  WARPMARK_OPTIONAL_COUNTS(look_after_ms);
}
WARPMARK_DESCRIBE(Canary, bytes)
void describe(auto& archive, Of<Read> auto& value) {
  archive.member("reads", value.reads, kMostViews);
}
void describe(auto& /*archive*/, Of<ReadConditions> auto& /*value*/) {}

void describe(auto& archive, Of<Startup> auto& value) {
  WARPMARK_MEMBERS(journal, checking, check_accesses, count_work, schedule, host_threads, work_limit);
  WARPMARK_OPTIONAL(late, record_all);
}
void describe(auto& archive, Of<DeviceRequest> auto& value) {
  WARPMARK_MEMBERS(number, source, target, drain, audit);
  WARPMARK_OPTIONAL(mode);
  archive.optional("modules", value.modules, kMostModules);
}
void describe(auto& archive, Of<DeviceReply> auto& value) {
  WARPMARK_MEMBERS(number, before, observed, taken, saved);
  WARPMARK_COUNTS(marks, calls, processor_us);
}
void describe(auto& archive, Of<Running> auto& value) {
  archive.member("running", value.launch);
}
void describe(auto& archive, Of<Frames> auto& value) {
  archive.member("frames", value.frames, kMostFrames);
  WARPMARK_OPTIONAL(in_launch);
}
void describe(auto& archive, Of<RankPlace> auto& value) {
  WARPMARK_MEMBERS(rank, what);
  WARPMARK_OPTIONAL(frame);
}
void describe(auto& archive, Of<RankCall> auto& value) {
  WARPMARK_MEMBERS(what);
  WARPMARK_OPTIONAL(frame, waits);
}
void describe(auto& archive, Of<RankHistory> auto& value) {
  WARPMARK_MEMBERS(rank);
  WARPMARK_OPTIONAL(returned);
  WARPMARK_OPTIONAL_COUNTS(earlier);
  archive.member("calls", value.calls, kMostRankCalls);
}
void describe(auto& archive, Of<RanksFailure> auto& value) {
  WARPMARK_MEMBERS(end, ranks, advice);
  archive.optional("histories", value.histories, kMostPlaces);
  archive.member("places", value.places, kMostPlaces);
}

}  // namespace warpmark::wire
