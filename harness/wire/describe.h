// The members of every message, each named once for reading and writing. Used by the codec and by the result
// file of `simulate` only.
#pragma once

#include "harness/wire/archive.h"

namespace warpmark::wire {

template <>
inline constexpr std::size_t kCountOf<Direction> = 5;
template <>
inline constexpr std::size_t kCountOf<TransferKind> = 4;
template <>
inline constexpr std::size_t kCountOf<Memory> = 6;
template <>
inline constexpr std::size_t kCountOf<RanksEnd> = 5;

template <class A, Is<RacingAccess> T>
void describe(A& a, T& access) {
  a.member("thread", access.thread);
  a.member("element", access.element);
  a.member("line", access.line);
  a.member("writes", access.writes);
}

template <class A, Is<Finding> T>
void describe(A& a, T& finding) {
  a.member("kind", finding.kind);
  a.member("kernel", finding.kernel);
  a.member("file", finding.file);
  a.member("line", finding.line);
  a.optional("other_line", finding.other_line);
  a.member("message", finding.message);
  a.optional("callers", finding.callers);
  a.optional_list("frames", finding.frames, kMostFrames);
  a.optional_list("other_frames", finding.other_frames, kMostFrames);
  a.optional("other_in_launch", finding.other_in_launch);
  a.optional_list("accesses", finding.accesses, kMostAccesses);
}

template <class A, Is<CountedLine> T>
void describe(A& a, T& line) {
  a.member("file", line.file);
  a.member("line", line.line);
  a.member("instructions", line.instructions, kMostCount);
  a.member("active_lanes", line.active_lanes);
  a.member("requests", line.requests, kMostCount);
  a.member("sectors", line.sectors, kMostCount);
  a.member("shared_requests", line.shared_requests, kMostCount);
  a.member("conflicts", line.conflicts, kMostCount);
  a.member("atomics", line.atomics, kMostCount);
  a.member("barriers", line.barriers, kMostCount);
}

template <class A, Is<CountedWork> T>
void describe(A& a, T& work) {
  a.member("counters", work.counters);
  a.list("lines", work.lines, kMostLines);
}

template <class A, Is<Period> T>
void describe(A& a, T& period) {
  a.member("start_ns", period.start_ns);
  a.member("end_ns", period.end_ns);
}

template <class A, Is<Launch> T>
void describe(A& a, T& launch) {
  a.member("kernel", launch.kernel);
  a.member("grid", launch.grid);
  a.member("block", launch.block);
  a.optional("shared_bytes", launch.shared_bytes, kMostBytes);
  a.optional("work", launch.work);
  a.optional("when", launch.when);
  a.optional("device", launch.device);
}

template <class A, Is<Transfer> T>
void describe(A& a, T& transfer) {
  a.member("direction", transfer.direction);
  a.member("bytes", transfer.bytes, kMostBytes);
  a.member("kind", transfer.kind);
  a.member("launches_before", transfer.launches_before, kMostCount);
  a.optional("when", transfer.when);
  a.optional_list("frames", transfer.frames, kMostFrames);
  a.optional("device", transfer.device);
  a.optional("from_device", transfer.from_device);
}

template <class A, Is<LaunchEvent> T>
void describe(A& a, T& event) {
  a.member("kernel", event.kernel);
}
template <class A, Is<TransferEvent> T>
void describe(A& a, T& event) {
  a.member("direction", event.direction);
  a.member("kind", event.kind);
  a.member("bytes", event.bytes, kMostBytes);
  a.optional_list("frames", event.frames, kMostFrames);
}
template <class A, Is<AuditEvent> T>
void describe(A& a, T& event) {
  a.optional("launch", event.launch);
  a.optional("transfer", event.transfer);
  a.member("count", event.count, kMostCount);
  a.optional("when", event.when);
  a.require("an event is a launch or a transfer",
            [&] { return event.launch.has_value() != event.transfer.has_value(); });
}

template <class A, Is<Note> T>
void describe(A& a, T& note) {
  a.member("kernel", note.kernel);
  a.member("message", note.message);
}

template <class A, Is<Observation> T>
void describe(A& a, T& observation) {
  a.list("findings", observation.findings, kMostFindings);
  a.list("launches", observation.launches, kMostLaunches);
  a.list("transfers", observation.transfers, kMostTransfers);
  a.list("notes", observation.notes, kMostNotes);
  a.optional_list("events", observation.events, kMostEvents);
}

template <class A, class T>
void describe_seen(A& a, T& reply) {
  a.optional("before", reply.before);
  a.member("observed", reply.observed);
}

template <class A, Is<HelloReply> T>
void describe(A& a, T& reply) {
  describe_seen(a, reply);
  a.member("engine", reply.engine);
  a.member("observer", reply.observer);
  a.member("devices", reply.devices);
  a.member("no_device", reply.no_device);
  a.member("device", reply.device);
  a.member("l2_bytes", reply.l2_bytes, kMostBytes);
  a.member("peak_bytes_per_s", reply.peak_bytes_per_s);
  a.member("uuid", reply.uuid);
  a.member("cuda", reply.cuda);
  a.member("multiprocessors", reply.multiprocessors, kMostCount);
  a.member("capability", reply.capability, kMostCount);
  a.member("clock_hz", reply.clock_hz);
  a.member("free_bytes", reply.free_bytes, kMostBytes);
}

template <class A, Is<LoadReply> T>
void describe(A& a, T& reply) {
  describe_seen(a, reply);
  a.optional("not_loaded", reply.not_loaded);
}

// Replies without members of their own.
template <class A, class T>
requires Is<T, FillReply> || Is<T, ZerosReply> || Is<T, CopyReply> || Is<T, CanaryReply> || Is<T, ReadReply>
void describe(A& a, T& reply) {
  describe_seen(a, reply);
}

template <class A, Is<CudaError> T>
void describe(A& a, T& error) {
  a.member("error", error.error);
  a.member("message", error.message);
  a.member("when", error.when);
}
template <class A, Is<Failure> T>
void describe(A& a, T& failure) {
  a.optional("cuda_error", failure.cuda_error);
  a.optional("threw", failure.threw);
}

template <class A, Is<CallReply> T>
void describe(A& a, T& reply) {
  describe_seen(a, reply);
  a.member("failure", reply.failure);
  a.list("event_ms", reply.event_ms, kMostTimes);
}

template <class A, Is<UploadReply> T>
void describe(A& a, T& reply) {
  describe_seen(a, reply);
  a.member("failure", reply.failure);
  a.member("memory", reply.memory);
  a.optional_list("frames", reply.frames, kMostFrames);
}

template <class A, Is<ConditionsReply> T>
void describe(A& a, T& reply) {
  describe_seen(a, reply);
  a.member("driver", reply.driver);
  a.optional("processes", reply.processes, kMostCount);
  a.optional("sm_mhz", reply.sm_mhz, kMostCount);
  a.optional("memory_mhz", reply.memory_mhz, kMostCount);
  a.optional("celsius", reply.celsius, kMostCount);
  a.list("throttled_by", reply.throttled_by, kMostReasons);
}

template <class A, Is<FailedReply> T>
void describe(A& a, T& reply) {
  describe_seen(a, reply);
  a.member("why", reply.why);
}

template <class A, Is<View> T>
void describe(A& a, T& view) {
  a.member("buffer", view.buffer);
  a.member("offset", view.offset);
  a.member("bytes", view.bytes);
}
template <class A, Is<PatchRun> T>
void describe(A& a, T& run) {
  a.member("where", run.where);
  a.list("values", run.values, kMostPatches);
}
template <class A, Is<RunMode> T>
void describe(A& a, T& mode) {
  a.member("checking", mode.checking);
  a.member("schedule", mode.schedule);
  a.member("one_at_a_time", mode.one_at_a_time);
  a.member("check_accesses", mode.check_accesses);
  a.member("count_work", mode.count_work);
  a.member("launch_seconds", mode.launch_seconds);
}

template <class A, Is<Hello> T>
void describe(A& a, T& request) {
  a.member("observe", request.observe);
}
template <class A, Is<Load> T>
void describe(A& a, T& request) {
  a.member("library", request.library);
  a.member("path", request.path);
}
template <class A, Is<Fill> T>
void describe(A& a, T& request) {
  a.member("buffer", request.buffer);
  a.member("undefined", request.undefined);
  a.optional("undefined_offset", request.undefined_offset, kMostBytes);
  a.optional("undefined_bytes", request.undefined_bytes, kMostBytes);
}
template <class A, Is<Zeros> T>
void describe(A& a, T& request) {
  a.member("buffer", request.buffer);
  a.member("bytes", request.bytes);
}
template <class A, Is<Copy> T>
void describe(A& a, T& request) {
  a.member("from", request.from);
  a.member("to", request.to);
}
template <class A, Is<Call> T>
void describe(A& a, T& request) {
  a.member("library", request.library);
  a.member("function", request.function);
  a.member("adapter", request.adapter);
  a.list("buffers", request.buffers, kMostViews);
  a.list("scalars", request.scalars, kMostScalars);
  a.member("mode", request.mode);
  a.patches("patches", request.patches, kMostPatches);
  a.member("sweep", request.sweep);
  a.list("reads", request.reads, kMostViews);
  a.member("turns", request.turns);
  a.member("calls", request.calls);
  a.optional("look_after_ms", request.look_after_ms, kMostCount);
}
template <class A, Is<Upload> T>
void describe(A& a, T& request) {
  a.member("library", request.library);
  a.member("function", request.function);
  a.member("adapter", request.adapter);
  a.member("count", request.count);
  a.member("as", request.as);
  a.optional("look_after_ms", request.look_after_ms, kMostCount);
}
template <class A, Is<Canary> T>
void describe(A& a, T& request) {
  a.member("bytes", request.bytes);
}
template <class A, Is<Read> T>
void describe(A& a, T& request) {
  a.list("reads", request.reads, kMostViews);
}
template <class A, Is<ReadConditions> T>
void describe(A& /*a*/, T& /*request*/) {}

template <class A, Is<Startup> T>
void describe(A& a, T& startup) {
  a.member("journal", startup.journal);
  a.member("checking", startup.checking);
  a.member("check_accesses", startup.check_accesses);
  a.member("count_work", startup.count_work);
  a.member("schedule", startup.schedule);
  a.member("host_threads", startup.host_threads);
  a.member("work_limit", startup.work_limit);
  a.optional("late", startup.late);
  a.optional("record_all", startup.record_all);
}
template <class A, Is<DeviceRequest> T>
void describe(A& a, T& request) {
  a.member("number", request.number);
  a.optional("mode", request.mode);
  a.member("source", request.source);
  a.member("target", request.target);
  a.member("drain", request.drain);
  a.member("audit", request.audit);
}
template <class A, Is<DeviceReply> T>
void describe(A& a, T& reply) {
  a.member("number", reply.number);
  a.member("before", reply.before);
  a.member("observed", reply.observed);
  a.member("marks", reply.marks, kMostCount);
  a.member("calls", reply.calls, kMostCount);
  a.member("taken", reply.taken);
  a.member("saved", reply.saved);
}
template <class A, Is<Running> T>
void describe(A& a, T& running) {
  a.member("running", running.launch);
}
template <class A, Is<Frames> T>
void describe(A& a, T& frames) {
  a.list("frames", frames.frames, kMostFrames);
  a.optional("in_launch", frames.in_launch);
}
template <class A, Is<RankPlace> T>
void describe(A& a, T& place) {
  a.member("rank", place.rank);
  a.member("what", place.what);
  a.optional("frame", place.frame);
}
template <class A, Is<RanksFailure> T>
void describe(A& a, T& failure) {
  a.member("end", failure.end);
  a.member("ranks", failure.ranks);
  a.list("places", failure.places, kMostPlaces);
  a.member("advice", failure.advice);
}

}  // namespace warpmark::wire
