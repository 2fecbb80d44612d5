// upload_once: a worker that records every transfer, from its start to its end and from whichever thread,
// uploads one data set and gives it to every version. What crosses to the device in all of that must be the
// data set, once. Two copies of secret sizes, one before and one after, prove that recording was on. The
// harness itself sends nothing else to the device here, so that all the rest is the submission's.
//
// Versions that are correct share a worker. One that is not gets a worker to itself, where it cannot end the
// audit of the others.
#include <algorithm>
#include <cstring>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include "harness/assignments/random.h"
#include "harness/judge/cases/case_runner.h"
#include "harness/judge/checks/time_line.h"
#include "harness/judge/checks/version_checks.h"

namespace warpmark::judge {
namespace {

constexpr std::uint64_t kSecretShare = 16;  // of the size that is drawn
constexpr std::size_t kMostOffenders = 3;   // named by a cause each, those that sent most

std::uint64_t bytes_to_device(const std::vector<Sent>& all) {
  std::uint64_t bytes = 0;
  for (const Sent& sent : all) bytes += sent.bytes;
  return bytes;
}

// What most of the bytes came by.
CauseKind kind_of(const Sent& sent) {
  const auto most = std::max_element(sent.parts.begin(), sent.parts.end(),
                                     [](const auto& a, const auto& b) { return a.bytes < b.bytes; });
  if (most->kind == "mapped") return CauseKind::zero_copy;
  if (most->kind == "managed") return CauseKind::managed_memory;
  return CauseKind::uploaded_again;
}

bool is_sent_by(const Transfer& transfer, const std::string& during) {
  return transfer.during == during && !transfer.canary &&
         transfer.direction == wire::name_of(wire::Direction::host_to_device);
}

void point_to(Cause& cause, const Transfer& transfer, const Blame& blame) {
  if (transfer.line == 0) return;
  cause.file = transfer.file;
  cause.line = transfer.line;
  cause.excerpt = excerpt_in(blame, cause.file, cause.line);
}

class UploadAudit {
 public:
  // The worker has been observed from its start. What it tells goes to `line`.
  UploadAudit(const GradingContext& bench, WorkerClient worker, std::string type, TimeLine& line)
      : bench_(bench),
        worker_(std::move(worker)),
        type_(std::move(type)),
        limit_(bench.course.limits.call),
        line_(line) {
    worker_.listen([this](const wire::Request& request, const wire::Seen& seen) { take(request, seen); });
  }
  UploadAudit(const UploadAudit&) = delete;
  UploadAudit& operator=(const UploadAudit&) = delete;
  ~UploadAudit() = default;

  std::vector<Cause> causes;
  std::vector<Cause> notes;

  [[nodiscard]] bool worker_lives() const { return worker_.alive(); }

  // Makes a copy of `bytes` bytes and looks for it in the record; false, with a cause of kind `otherwise`,
  // when it is not there.
  bool canary(std::uint64_t bytes, CauseKind otherwise, const char* message) {
    own_ = OwnCopy{wire::Direction::host_to_device, bytes};
    auto reply = worker_.ask(wire::Canary{bytes}, {}, limit_);
    if (!reply) return add(reply.error());
    return saw_own_ || add(make_cause(otherwise, message));
  }

  // Calls upload and holds what it returned against the data. False when there is nothing to go on with.
  bool upload(const BuiltTypes& built) {
    const std::string& function = bench_.course.upload;
    const SubmittedFile& file = bench_.submission.files.at(function);
    const build::Built& library = built.versions.at(type_);
    blame_ = {&file, &bench_.submission, library.library};
    auto loaded = load(worker_, library.library, built.adapters.at(type_), function, function,
                       library.uses_thrust, limit_);
    if (!loaded) return add(loaded.error());
    auto reply = worker_.ask(wire::Upload{.library = loaded->library,
                                          .function = function,
                                          .adapter = loaded->adapter,
                                          .count = data_->size() / bench_.assignment.value_bytes(type_),
                                          .as = uploaded_.name,
                                          .host_readable = loaded->host_readable,
                                          .look_after_ms = look_after_ms(limit_)},
                             {data_->fd()}, limit_);
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

  // Makes the other buffers on the device, so that no byte of them crosses, calls one version with the
  // uploaded data, and looks at its answer.
  void call(const std::string& version, const BuiltTypes& built, bool is_correct) {
    const SubmittedFile& file = bench_.submission.files.at(version);
    const build::Built& library = built.versions.at(type_);
    blame_ = {&file, &bench_.submission, library.library};
    auto loaded = load(worker_, library.library, built.adapters.at(type_), version, version,
                       library.uses_thrust, limit_);
    if (!loaded) {
      add(loaded.error());
      return;
    }
    std::vector<wire::View> views;
    for (const BufferSpec& spec : problem_->buffers()) {
      views.push_back({spec.name, 0, spec.bytes});
      if (spec.uploaded) continue;
      auto filled = worker_.ask(wire::Zeros{spec.name, spec.bytes}, {}, limit_);
      if (!filled) {
        add(filled.error());
        return;
      }
    }
    auto reply = worker_.ask(wire::Call{.library = loaded->library,
                                        .function = version,
                                        .adapter = loaded->adapter,
                                        .buffers = std::move(views),
                                        .scalars = problem_->scalars(),
                                        .mode = {.host_readable = loaded->host_readable},
                                        .patches = {},
                                        .reads = {},
                                        .look_after_ms = look_after_ms(limit_)},
                             {}, limit_);
    if (!reply) {
      add_death(reply.error());
      return;
    }
    const bool failed = report(reply->observed, reply->failure);
    if (is_correct && !failed && answer_follows_from_data()) look_at_answer(file.name);
  }

  [[nodiscard]] std::uint64_t size() const { return case_.n; }

  // Returns its size in bytes. The rubric's size, and a secret number of values more.
  std::uint64_t make_data(std::uint64_t seed) {
    const auto classes = bench_.assignment.data_classes(type_);
    const std::uint64_t size = bench_.course.upload_once.size;
    const std::uint64_t secret = size + random_below(seed, 1, size / kSecretShare + 1);
    case_ = {type_, classes.front(), bench_.course.focus.size.value_or(secret), 0, seed};
    problem_ = bench_.assignment.make(case_);
    const auto buffers = problem_->buffers();
    const std::size_t uploaded = uploaded_buffer(buffers).value();  // a rubric with an upload has one
    uploaded_ = buffers[uploaded];
    data_.emplace(uploaded_.bytes);
    problem_->fill(uploaded, data_->bytes());
    data_->seal_contents();
    return data_->size();
  }

 private:
  bool add(Cause cause) {
    causes.push_back(std::move(cause));
    return false;
  }
  bool add_death(Cause cause) {
    if (cause.file.empty()) cause.file = blame_.file->name;
    point_to_last_place(cause, worker_, blame_);
    return add(std::move(cause));
  }
  // Keeps what was seen of a call; true where it ended the call. A version's remarks are told by `clean`.
  bool report(const wire::Observation& observed, const wire::Failure& failure) {
    bool ended = false;
    for (Cause& cause : causes_of(observed, failure, blame_)) {
      if (cause.file.empty()) cause.file = blame_.file->name;
      const bool remark = is_remark(cause.kind);
      if (remark && source_ != bench_.course.upload) continue;
      if (!remark && !std::exchange(ended, true)) cause.printed = worker_.printed();
      (remark ? notes : causes).push_back(std::move(cause));
    }
    return ended;
  }

  // Of memory that upload must not return.
  static Cause wrong_memory(wire::Memory memory) {
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
                          "upload returned memory that was freed: the versions would read it after that. The "
                          "harness frees it when all of them are done");
      default:
        return make_cause(
            CauseKind::not_uploaded,
            fmt::format("upload returned {}, which is not device memory. {}",
                        memory == wire::Memory::null ? "a null pointer" : "a host pointer", remedy));
    }
  }

  // Where a transfer was asked for. The innermost line of one that a launch made is the kernel's.
  void place(Transfer& transfer, const std::vector<std::uint64_t>& frames) {
    const auto known = places_.find(frames);
    if (known == places_.end()) {
      Cause found;
      point_to_host_code(found, frames, transfer.kind != wire::name_of(wire::TransferKind::copy), blame_);
      places_[frames] = {found.file, found.line};
    }
    std::tie(transfer.file, transfer.line) = places_.at(frames);
  }

  // Whose doing it is follows from the request: a library is named after its version.
  void take(const wire::Request& request, const wire::Seen& seen) {
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
                         [this](Transfer& transfer, const auto& frames) { place(transfer, frames); });
  }

  // No other input is needed, which would hold zeros here.
  [[nodiscard]] bool answer_follows_from_data() const {
    const auto buffers = problem_->buffers();
    return std::ranges::all_of(buffers, [](const BufferSpec& spec) {
      return spec.uploaded || spec.role == Role::output || spec.role == Role::scratch;
    });
  }

  void look_at_answer(const std::string& file) {
    const auto buffers = problem_->buffers();
    for (const std::size_t index : answer_buffers(buffers)) {
      const BufferSpec& spec = buffers[index];
      if (spec.bytes == 0) continue;
      SharedMemory back(spec.bytes);
      back.seal_size();
      own_ = OwnCopy{wire::Direction::device_to_host, spec.bytes};
      auto reply = worker_.ask(wire::Read{{{spec.name, 0, spec.bytes}}}, {back.fd()}, limit_);
      if (!reply) {
        add_death(reply.error());
        return;
      }
      const auto mismatch = problem_->check(index, back.bytes());
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

  // allocated: frames of the call that allocated the memory.
  bool holds_the_data(const std::vector<std::uint64_t>& allocated) {
    const std::string& file = blame_.file->name;
    SharedMemory back(data_->size());
    back.seal_size();
    own_ = OwnCopy{wire::Direction::device_to_host, data_->size()};
    auto reply = worker_.ask(wire::Read{{{uploaded_.name, 0, data_->size()}}}, {back.fd()}, limit_);
    if (!reply) {
      return add(make_cause(
          CauseKind::not_uploaded,
          "the memory that upload returned could not be read back: is it as large as the data?", file));
    }
    if (std::memcmp(back.bytes().data(), data_->bytes().data(), data_->size()) == 0) return true;
    return add(other_data(back.bytes(), allocated));
  }

  // What is missing, and at the line of the last copy why.
  Cause other_data(std::span<const std::byte> back, const std::vector<std::uint64_t>& allocated) const {
    Cause cause = make_cause(CauseKind::not_uploaded,
                             "the memory that upload returned does not hold the data", blame_.file->name);
    const Transfer* last = nullptr;
    std::uint64_t sent = 0;
    for (const Transfer& transfer : line_.transfers) {
      if (!is_sent_by(transfer, bench_.course.upload)) continue;
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
    const auto data = data_->bytes();
    const std::size_t value_bytes = bench_.assignment.value_bytes(type_);
    const auto first =
        static_cast<std::size_t>(std::mismatch(data.begin(), data.end(), back.begin()).first - data.begin()) /
        value_bytes;
    const std::size_t count = data.size() / value_bytes;
    cause.message += fmt::format(": {} {} is the first that is not there.", uploaded_.name, first);
    if (sent < data.size()) {
      cause.message += fmt::format(
          " {} bytes were copied; {} values of {} bytes are {}. The count of cudaMemcpy is in bytes: n * "
          "sizeof(value_t)",
          sent, count, value_bytes, data.size());
    }
    point_to(cause, *last, blame_);
    return cause;
  }

  const GradingContext& bench_;
  WorkerClient worker_;
  std::string type_;
  std::chrono::milliseconds limit_;
  Case case_;
  std::unique_ptr<Problem> problem_;
  BufferSpec uploaded_;
  std::optional<SharedMemory> data_;  // its contents
  TimeLine& line_;
  Blame blame_;                                                               // for what was loaded last
  std::map<std::vector<std::uint64_t>, std::pair<std::string, int>> places_;  // of its frames
  std::string source_;          // the version whose library was loaded last, or the upload
  std::optional<OwnCopy> own_;  // what the next request copies for the harness
  bool saw_own_ = false;        // it was in the record
};

// The rule: bytes to the device = the data set, once, and the allowance.
class Rule {
 public:
  Rule(const GradingContext& bench, std::uint64_t data_bytes) : bench_(bench), data_bytes_(data_bytes) {}

  [[nodiscard]] std::vector<Cause> causes(const std::vector<Transfer>& transfers) const {
    std::vector<Sent> all = sent_to_device(transfers);
    const std::uint64_t most = data_bytes_ + bench_.course.upload_once.allowance_bytes;
    const std::uint64_t crossed = bytes_to_device(all);
    if (crossed < data_bytes_) return {too_few(crossed)};
    if (crossed <= most) return {};
    // The data set itself is not excess.
    for (Sent& sent : all) {
      if (sent.during == bench_.course.upload) sent.bytes -= std::min(sent.bytes, data_bytes_);
    }
    std::sort(all.begin(), all.end(), [](const Sent& a, const Sent& b) { return a.bytes > b.bytes; });
    std::vector<Cause> found;
    for (const Sent& sent : all) {
      if (sent.bytes == 0 || found.size() == kMostOffenders) break;
      found.push_back(excess_of(sent));
      if (const Transfer* transfer = excess_in(transfers, sent.during))
        point_to(found.back(), *transfer, {nullptr, &bench_.submission});
      found.back().expected = fmt::format("at most {} bytes over the whole submission", most);
      found.back().actual = fmt::format("{} bytes", crossed);
    }
    return found;
  }

 private:
  [[nodiscard]] std::string file_of(const std::string& function) const {
    const auto file = bench_.submission.files.find(function);
    return file == bench_.submission.files.end() ? std::string() : file->second.name;
  }

  // The transfer that is to blame: of the upload's the first one past the data set, of a version's the
  // largest.
  [[nodiscard]] const Transfer* excess_in(const std::vector<Transfer>& transfers,
                                          const std::string& during) const {
    const Transfer* blamed = nullptr;
    std::uint64_t sent = 0;
    for (const Transfer& transfer : transfers) {
      if (!is_sent_by(transfer, during)) continue;
      sent += transfer.bytes;
      if (during == bench_.course.upload && sent > data_bytes_) return &transfer;
      if (blamed == nullptr || transfer.bytes > blamed->bytes) blamed = &transfer;
    }
    return blamed;
  }

  [[nodiscard]] Cause too_few(std::uint64_t crossed) const {
    Cause cause = make_cause(CauseKind::not_uploaded, "fewer bytes crossed to the GPU than the data set has",
                             file_of(bench_.course.upload));
    cause.expected = fmt::format("{} bytes", data_bytes_);
    cause.actual = fmt::format("{} bytes", crossed);
    return cause;
  }

  [[nodiscard]] Cause excess_of(const Sent& sent) const {
    const bool by_upload = sent.during == bench_.course.upload;
    std::string message = fmt::format("{} sent to the GPU: {}", sent.during, text_of(sent));
    message +=
        by_upload
            ? fmt::format("; that is {} bytes more than the data set has. Copy the values once", sent.bytes)
            : "; the data is on the GPU already when a version is called: use the pointer that it "
              "is given";
    return make_cause(kind_of(sent), std::move(message), file_of(sent.during));
  }

  const GradingContext& bench_;
  std::uint64_t data_bytes_;
};

}  // namespace

UploadOutcome check_upload(const GradingContext& bench, const BuiltTypes& upload,
                           const std::map<std::string, BuiltTypes>& correct,
                           const std::map<std::string, BuiltTypes>& others,
                           const std::map<std::string, Cause>& sent) {
  const auto start = std::chrono::steady_clock::now();
  TimeLine line;
  std::vector<Cause> causes;
  std::vector<Cause> notes;
  std::uint64_t data_bytes = 0;
  std::uint64_t size = 0;
  std::uint64_t draws = 1;
  const auto canary_bytes = [&] { return 4096 + random_below(bench.seed, ++draws, 60'000); };

  // True when it went from one canary to the other.
  const auto audit = [&](const std::map<std::string, BuiltTypes>& versions, TimeLine& into,
                         std::vector<Cause>& found) {
    auto worker = WorkerClient::start(bench.installation, upload.engine, true, bench.course.limits.call);
    if (!worker) {
      found.push_back(worker.error());
      return false;
    }
    if (const std::string why = worker->hello().observer; !why.empty()) {
      found.push_back(make_cause(CauseKind::no_profiler, why));
      return false;
    }
    UploadAudit audited(bench, std::move(*worker), bench.course.types.front(), into);
    data_bytes = audited.make_data(random_bits(bench.seed, 1));
    size = audited.size();
    bool on =
        audited.canary(canary_bytes(), CauseKind::no_profiler,
                       "a copy that the harness made was not recorded, so nothing can be said about the "
                       "upload; is CUPTI of the CUDA toolkit installed?") &&
        audited.upload(upload);
    for (const auto& [version, built] : versions) {
      if (on) audited.call(version, built, correct.contains(version));
      on = on && audited.worker_lives();  // one that died has been named
    }
    on = on &&
         audited.canary(canary_bytes(), CauseKind::tampering,
                        "copies were recorded before the submission ran and no longer afterwards: it must "
                        "leave the recording alone");
    found = std::move(audited.causes);
    add_once(notes, std::move(audited.notes));
    return on;
  };

  if (audit(correct, line, causes)) {
    for (const auto& [version, built] : others) {
      // How it fails is told by its own checks, and the upload has been judged.
      TimeLine alone;
      std::vector<Cause> told_elsewhere;
      audit({{version, built}}, alone, told_elsewhere);
      line.append(alone, version);
    }
    const bool other_memory = std::any_of(causes.begin(), causes.end(), [](const Cause& cause) {
      return cause.kind == CauseKind::managed_memory;  // its pages move as they like
    });
    if (!other_memory) {
      auto broken = Rule(bench, data_bytes).causes(line.transfers);
      causes.insert(causes.end(), std::make_move_iterator(broken.begin()),
                    std::make_move_iterator(broken.end()));
    }
  }
  for (Cause& cause : causes) {
    cause.type = bench.course.types.front();
    cause.n = size;
  }
  if (causes.empty()) {
    for (const auto& [version, cause] : sent) {
      if (causes.size() < kMostOffenders) causes.push_back(cause);
    }
  }
  return {{.causes = std::move(causes), .seconds = seconds_since(start), .notes = std::move(notes)},
          std::move(line.transfers),
          std::move(line.launches)};
}

}  // namespace warpmark::judge
