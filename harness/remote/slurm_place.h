// A job of the Slurm cluster whose login node this machine is. The files travel through a folder that login
// and compute nodes share.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "harness/remote/place.h"
#include "harness/remote/slurm.h"

namespace warpmark::remote {

class SlurmPlace : public Place {
 public:
  // `folder`: absolute path of a folder for the job's files, which is created and removed. `options`: for
  // sbatch. Fails if Slurm's commands are not on PATH.
  static Result<std::unique_ptr<SlurmPlace>> make(std::filesystem::path folder,
                                                  std::vector<std::string> options);

  [[nodiscard]] std::string name() const override { return "slurm"; }
  // Finds the job of an earlier run that was given the same parcel, if it is queued, running or done.
  Result<std::string> start(const Parcel& parcel) override;
  Result<Look> look() override;
  Result<std::string> fetch(const std::filesystem::path& file) override;
  Result<void> remove() override;

 private:
  SlurmPlace(Slurm slurm, std::filesystem::path folder, std::vector<std::string> options);
  // Continues with the job of an earlier run; returns false if there is none to continue with.
  Result<bool> find_again(const Parcel& parcel);

  Slurm slurm_;
  std::filesystem::path folder_;
  std::vector<std::string> options_;
  std::string job_name_;
  std::string job_;
  std::string seed_;
  bool found_ = false;  // true: the job is that of an earlier run, and look() has not said so yet
  int missing_ = 0;     // consecutive times that the job was not in the queue, without a result
};

}  // namespace warpmark::remote
