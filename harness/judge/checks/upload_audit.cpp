#include "harness/judge/checks/upload_audit.h"

#include <algorithm>
#include <cstring>
#include <tuple>

#include <fmt/format.h>

#include "harness/assignments/random.h"
#include "harness/judge/checks/call_causes.h"

namespace warpmark::judge {
namespace {

// An upload audit adds a secret number of elements, at most 1/16, to the rubric's input size, so that student
// code cannot know the size in advance.
constexpr std::uint64_t kSecretShare = 16;

// Returns the defect to report for a kind of memory that the upload function must not return.
Cause wrong_memory(wire::Memory memory) {
  constexpr std::string_view remedy = "Return memory from cudaMalloc, filled with one cudaMemcpy";
  switch (memory) {
    case wire::Memory::host:
      return make_cause(CauseKind::zero_copy,
                        fmt::format("upload returned pinned host memory: every kernel then reads over the "
                                    "bus. {}",
                                    remedy));
    case wire::Memory::managed:
      return make_cause(CauseKind::managed_memory,
                        fmt::format("upload returned managed memory: pages move when they are touched, and "
                                    "back again. {}",
                                    remedy));
    case wire::Memory::freed:
      return make_cause(CauseKind::use_after_free,
                        "upload returned memory that it had freed, and the versions read it later. Do not "
                        "free it: the harness does when all versions are done");
    default:
      return make_cause(
          CauseKind::not_uploaded,
          fmt::format("upload returned {}, which is not device memory. {}",
                      memory == wire::Memory::null ? "a null pointer" : "a host pointer", remedy));
  }
}

}  // namespace

AuditedData::AuditedData(const GradingContext& bench, const std::string& type, std::uint64_t seed)
    : contents(0) {
  const auto classes = bench.assignment.data_classes(type);
  const std::uint64_t size = bench.course.rubric.upload_once.size;
  const std::uint64_t secret = size + random_below(seed, 1, size / kSecretShare + 1);
  which = bench.assignment.case_of(type, classes.front(), bench.course.focus.size.value_or(secret), seed);
  problem = bench.assignment.make(which);
  const auto buffers = problem->buffers();
  // value() cannot fail: open_submission() rejects a rubric with an upload function if the assignment has no
  // uploaded buffer.
  const std::size_t index = uploaded_buffer(buffers).value();
  uploaded = buffers[index];
  contents = SharedMemory(uploaded.bytes);
  problem->fill(index, contents.bytes());
  contents.seal_contents();
}

UploadAudit::UploadAudit(const GradingContext& bench, WorkerClient worker, const AuditedData& data,
                         TimeLine& line)
    : bench_(bench), worker_(std::move(worker)), data_(data), line_(line) {
  worker_.listen([this](const wire::Request& request, const wire::Seen& seen) { take(request, seen); });
}

// The time that the kernel file loaded last has left: its code may also run, and sleep, while it is loaded.
std::chrono::milliseconds UploadAudit::limit() const {
  return asked_.empty() || bench_.time == nullptr ? bench_.course.rubric.limits.call
                                                  : bench_.time->limit(asked_);
}

bool UploadAudit::canary(std::uint64_t bytes, CauseKind otherwise, const char* message) {
  own_ = OwnCopy{wire::Direction::host_to_device, bytes};
  auto reply = worker_.ask(wire::Canary{bytes}, {}, limit());
  if (!reply) return add(reply.error());
  return saw_own_ || add(make_cause(otherwise, message));
}

std::optional<Loaded> UploadAudit::load_one(const std::string& function, const BuiltTypes& built) {
  const build::Built& library = built.versions.at(data_.which.type);
  asked_ = function;
  blame_ = {&bench_.submission.files.at(function), &bench_.submission, library.library, &bench_.installation};
  auto loaded = load(worker_, library.library, built.adapters.at(data_.which.type), function, function,
                     library.uses_thrust, limit());
  if (loaded) return std::move(*loaded);
  add(std::move(loaded.error()));
  return std::nullopt;
}

bool UploadAudit::upload(const BuiltTypes& built) {
  const std::string& function = bench_.course.rubric.upload;
  const SubmittedFile& file = bench_.submission.files.at(function);
  const auto loaded = load_one(function, built);
  if (!loaded) return false;
  auto reply = worker_.ask(
      wire::Upload{.library = loaded->library,
                   .function = function,
                   .adapter = loaded->adapter,
                   .count = data_.contents.size() / bench_.assignment.value_bytes(data_.which.type),
                   .as = data_.uploaded.name,
                   .look_after_ms = look_after_ms(limit())},
      {data_.contents.fd()}, limit());
  if (!reply) return add_death(reply.error());
  if (report(reply->observed, reply->failure)) return false;
  const wire::Memory memory = reply->memory;
  if (memory == wire::Memory::device) return holds_the_data(reply->frames);
  Cause cause = wrong_memory(memory);
  cause.file = file.name;
  point_to_host_code(cause, reply->frames, false, blame_);
  causes.push_back(std::move(cause));
  return memory == wire::Memory::managed;
}

void UploadAudit::call(const std::string& version, const BuiltTypes& built, bool is_correct) {
  const SubmittedFile& file = bench_.submission.files.at(version);
  // Before the version is loaded: what the harness copies is then not the version's.
  auto placed = worker_.ask(wire::Fill{.buffer = data_.uploaded.name}, {data_.contents.fd()}, limit());
  if (!placed) {
    add(placed.error());
    return;
  }
  const auto loaded = load_one(version, built);
  if (!loaded) return;
  std::vector<wire::View> views;
  for (const BufferSpec& spec : data_.problem->buffers()) {
    views.push_back({spec.name, 0, spec.bytes});
    if (spec.uploaded) continue;
    auto filled = worker_.ask(wire::Zeros{spec.name, spec.bytes}, {}, limit());
    if (!filled) {
      add(filled.error());
      return;
    }
  }
  auto reply = worker_.ask(wire::Call{.library = loaded->library,
                                      .function = version,
                                      .adapter = loaded->adapter,
                                      .buffers = std::move(views),
                                      .scalars = data_.problem->scalars(),
                                      .mode = {.launch_seconds = launch_seconds(limit())},
                                      .patches = {},
                                      .reads = {},
                                      .look_after_ms = look_after_ms(limit())},
                           {}, limit());
  if (!reply) {
    add_death(reply.error());
    return;
  }
  const bool failed = report(reply->observed, reply->failure);
  if (is_correct && !failed && answer_follows_from_data()) look_at_answer(file.name);
}

bool UploadAudit::add(Cause cause) {
  causes.push_back(std::move(cause));
  return false;
}
bool UploadAudit::add_death(Cause cause) {
  if (cause.file.empty()) cause.file = blame_.file->name;
  if (cause.kind == CauseKind::timed_out && bench_.time != nullptr) bench_.time->timed_out(asked_);
  point_to_last_place(cause, worker_, blame_);
  return add(std::move(cause));
}
// Records the defects found in a student's call; returns true if one of them ended the call. Findings such as
// races in a kernel file are left to the check `clean`.
bool UploadAudit::report(const wire::Observation& observed, const wire::Failure& failure) {
  bool ended = false;
  for (Cause& cause : causes_of(observed, failure, blame_)) {
    if (cause.file.empty()) cause.file = blame_.file->name;
    const bool remark = is_remark(cause.kind);
    if (remark && source_ != bench_.course.rubric.upload) continue;
    if (!remark && !std::exchange(ended, true)) cause.printed = worker_.printed();
    (remark ? notes : causes).push_back(std::move(cause));
  }
  return ended;
}

// Sets the source line that requested the transfer. For a transfer caused by a launch (such as kernel
// arguments), the innermost frame is the kernel's host stub and is skipped.
void UploadAudit::locate(AuditedTransfer& transfer, const std::vector<std::uint64_t>& frames) {
  const auto known = places_.find(frames);
  if (known == places_.end()) {
    Cause found;
    point_to_host_code(found, frames, transfer.kind != wire::name_of(wire::TransferKind::copy), blame_);
    places_[frames] = {found.file, found.line};
  }
  std::tie(transfer.file, transfer.line) = places_.at(frames);
}

// Adds the events of a request to the time line under the name of the kernel file loaded last; library names
// equal kernel file names.
void UploadAudit::take(const wire::Request& request, const wire::Seen& seen) {
  const auto* loading = std::get_if<wire::Load>(&request);
  const bool version = loading != nullptr && !loading->library.ends_with(".adapter");
  const bool called =
      std::holds_alternative<wire::Call>(request) || std::holds_alternative<wire::Upload>(request);
  line_.add(*seen.before, source_, Phase::between);
  if (version) {
    source_ = loading->library;
    places_.clear();
  }
  const Phase phase = version ? Phase::load : called ? Phase::call : Phase::between;
  saw_own_ = line_.add(seen.observed, source_, phase, std::exchange(own_, std::nullopt),
                       [this](AuditedTransfer& transfer, const auto& frames) { locate(transfer, frames); });
}

// Returns true if the uploaded buffer is the student function's only input. An upload audit zeroes all other
// inputs, to which the expected output then does not apply.
bool UploadAudit::answer_follows_from_data() const {
  const auto buffers = data_.problem->buffers();
  return std::ranges::all_of(buffers, [](const BufferSpec& spec) {
    return spec.uploaded || spec.role == Role::output || spec.role == Role::scratch;
  });
}

void UploadAudit::look_at_answer(const std::string& file) {
  const auto buffers = data_.problem->buffers();
  for (const std::size_t index : answer_buffers(buffers)) {
    const BufferSpec& spec = buffers[index];
    if (spec.bytes == 0) continue;
    SharedMemory back(spec.bytes);
    back.seal_size();
    own_ = OwnCopy{wire::Direction::device_to_host, spec.bytes};
    auto reply = worker_.ask(wire::Read{{{spec.name, 0, spec.bytes}}}, {back.fd()}, limit());
    if (!reply) {
      add_death(reply.error());
      return;
    }
    const auto mismatch = data_.problem->check(index, back.bytes());
    if (!mismatch) continue;
    Cause cause =
        make_cause(cause_kind_from(bench_.assignment.wrong_answer()).value_or(CauseKind::wrong_output),
                   mismatch->what + ", in the audit of the upload", file);
    cause.expected = mismatch->expected;
    cause.actual = mismatch->actual;
    add(std::move(cause));
    return;
  }
}

// Reads the uploaded memory back and compares it with the input. `allocated` is the call stack of the
// memory's allocation.
bool UploadAudit::holds_the_data(const std::vector<std::uint64_t>& allocated) {
  const std::string& file = blame_.file->name;
  SharedMemory back(data_.contents.size());
  back.seal_size();
  own_ = OwnCopy{wire::Direction::device_to_host, data_.contents.size()};
  auto reply =
      worker_.ask(wire::Read{{{data_.uploaded.name, 0, data_.contents.size()}}}, {back.fd()}, limit());
  if (!reply) {
    return add(make_cause(
        CauseKind::not_uploaded,
        "the memory that upload returned could not be read back: is it as large as the data?", file));
  }
  if (std::memcmp(back.bytes().data(), data_.contents.bytes().data(), data_.contents.size()) == 0)
    return true;
  return add(other_data(back.bytes(), allocated));
}

// Returns the defect to report for uploaded memory that differs from the input, at the source line of the
// last copy.
Cause UploadAudit::other_data(std::span<const std::byte> back,
                              const std::vector<std::uint64_t>& allocated) const {
  Cause cause = make_cause(CauseKind::not_uploaded, "the memory that upload returned does not hold the data",
                           blame_.file->name);
  const AuditedTransfer* last = nullptr;
  std::uint64_t sent = 0;
  for (const AuditedTransfer& transfer : line_.transfers) {
    if (!is_sent_by(transfer, bench_.course.rubric.upload)) continue;
    sent += transfer.bytes;
    last = &transfer;
  }
  if (last == nullptr) {
    cause.message +=
        ": nothing was copied to it. Copy the values there with one cudaMemcpy(values, host_values, n * "
        "sizeof(value_t), cudaMemcpyHostToDevice)";
    point_to_host_code(cause, allocated, false, blame_);
    return cause;
  }
  const auto data = data_.contents.bytes();
  const std::size_t value_bytes = bench_.assignment.value_bytes(data_.which.type);
  const auto first =
      static_cast<std::size_t>(std::mismatch(data.begin(), data.end(), back.begin()).first - data.begin()) /
      value_bytes;
  const std::size_t count = data.size() / value_bytes;
  cause.message += fmt::format(": {} {} is the first one missing.", data_.uploaded.name, first);
  if (sent < data.size()) {
    cause.message += fmt::format(
        " {} bytes were copied; {} values of {} bytes are {}. The count of cudaMemcpy is in bytes: n * "
        "sizeof(value_t)",
        sent, count, value_bytes, data.size());
  }
  point_to(cause, *last, blame_);
  return cause;
}

}  // namespace warpmark::judge
