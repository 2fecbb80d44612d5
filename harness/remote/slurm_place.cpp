#include "harness/remote/slurm_place.h"

#include <chrono>
#include <system_error>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "harness/base/file.h"
#include "harness/base/text.h"
#include "harness/model/json.h"

namespace warpmark {

namespace remote {
namespace {

namespace fs = std::filesystem;

constexpr const char* kJobFile = "job.json";
constexpr const char* kScript = "job.sh";
// A shared file system may show a job's result some seconds after the job has left the queue.
constexpr int kMostMissing = 5;

}  // namespace

// The job of a folder, for a later run that finds it again.
struct SubmittedJob {
  std::string job;   // ID of the job
  std::string key;   // Parcel::key
  std::string seed;  // Parcel::seed
};

void describe(auto&& archive, Of<SubmittedJob> auto& value) {
  WARPMARK_MEMBERS(job, key, seed);
}

SlurmPlace::SlurmPlace(Slurm slurm, fs::path folder, std::vector<std::string> options)
    : slurm_(std::move(slurm)),
      folder_(std::move(folder)),
      options_(std::move(options)),
      job_name_("warpmark-" + sha256(folder_.string()).substr(0, 12)) {}

Result<std::unique_ptr<SlurmPlace>> SlurmPlace::make(fs::path folder, std::vector<std::string> options) {
  auto slurm = Slurm::find();
  if (!slurm) return tl::unexpected(slurm.error());
  return std::unique_ptr<SlurmPlace>(
      new SlurmPlace(std::move(*slurm), std::move(folder), std::move(options)));
}

Result<bool> SlurmPlace::find_again(const Parcel& parcel) {
  const auto text = read_file(folder_ / kJobFile);
  const auto earlier = text ? model::read_file_of<SubmittedJob>(*text, "a job of Slurm", "Grade again.")
                            : tl::unexpected(text.error());
  if (!earlier || earlier->key != parcel.key) return false;
  const auto queue = slurm_.queued(job_name_);
  if (!queue) {
    return fail(
        fmt::format("Slurm does not say whether job {} of an earlier run still runs: {}; grade again "
                    "when it answers",
                    earlier->job, queue.error().message));
  }
  std::error_code ignored;
  if (queue->empty() && !fs::exists(folder_ / kStatusFile, ignored)) return false;
  job_ = earlier->job;
  seed_ = earlier->seed;
  found_ = true;
  return true;
}

Result<std::string> SlurmPlace::start(const Parcel& parcel) {
  const auto found = find_again(parcel);
  if (!found) return tl::unexpected(found.error());
  if (*found) return seed_;
  // A job of an earlier run may still use the folder.
  std::error_code error;
  if (fs::exists(folder_, error)) slurm_.cancel(job_name_);
  fs::remove_all(folder_, error);
  fs::create_directories(folder_.parent_path(), error);
  fs::copy(parcel.folder, folder_, fs::copy_options::recursive | fs::copy_options::copy_symlinks, error);
  if (error) return fail(fmt::format("{}: {}", folder_.string(), error.message()));
  write_job_script(folder_ / kScript, fmt::format("sh ./{}", kCommandFile));
  Batch batch;
  batch.name = job_name_;
  batch.folder = folder_;
  batch.script = kScript;
  batch.log = kLogFile;
  batch.options = options_with_gpu(options_, parcel.needs_gpu);
  const auto job = slurm_.submit(batch);
  if (!job)
    return fail(
        fmt::format("rejected the job: {}. Nothing is queued; what sbatch is given comes from "
                    "--slurm-options",
                    job.error().message));
  job_ = *job;
  seed_ = parcel.seed;
  missing_ = 0;
  const SubmittedJob submitted{job_, parcel.key, seed_};
  if (auto written = write_file(folder_ / kJobFile, model::Writer::json_of(submitted).dump()); !written)
    return tl::unexpected(written.error());
  return seed_;
}

Result<Look> SlurmPlace::look() {
  if (std::exchange(found_, false))
    return Look{Look::State::running, fmt::format("job {} of an earlier run is found again", job_)};
  std::error_code error;
  if (fs::exists(folder_ / kStatusFile, error)) return Look{Look::State::ended, ""};
  const auto queue = slurm_.queued(job_name_);
  if (!queue) return tl::unexpected(queue.error());
  if (queue->empty()) {
    if (++missing_ < kMostMissing) return Look{Look::State::running, ""};
    const auto ended = slurm_.ended(job_);
    const auto found = ended.find(0);
    return Look{Look::State::failed,
                why_without_result("job " + job_, found == ended.end() ? nullptr : &found->second,
                                   folder_ / kLogFile)};
  }
  missing_ = 0;
  const QueuedTask& task = queue->front();
  if (task.state == "PENDING") {
    return Look{Look::State::waiting, fmt::format("waiting in the queue (job {}, PENDING{}{})", job_,
                                                  task.reason.empty() ? "" : ": ", task.reason)};
  }
  const auto lines = lines_of(read_file(folder_ / kLogFile).value_or(""));
  return Look{Look::State::running,
              lines.empty() ? fmt::format("job {} is {}", job_, task.state) : lines.back()};
}

Result<std::string> SlurmPlace::fetch(const fs::path& file) {
  return read_file(folder_ / file);
}

Result<void> SlurmPlace::remove() {
  std::error_code error;
  if (!job_.empty() && !fs::exists(folder_ / kStatusFile, error)) slurm_.cancel(job_name_);
  // Slurm ends a job's processes some seconds after scancel returns.
  for (int look = 0; look < 30; ++look) {
    const auto queue = slurm_.queued(job_name_);
    if (!queue || queue->empty()) break;
    std::this_thread::sleep_for(std::chrono::milliseconds(500));
  }
  fs::remove_all(folder_, error);
  if (error) return fail(fmt::format("{} cannot be removed: {}", folder_.string(), error.message()));
  return {};
}

}  // namespace remote
}  // namespace warpmark
