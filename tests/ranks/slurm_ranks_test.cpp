// Ranks within an allocation of Slurm: a real cluster of one node, which the test starts.
#include <filesystem>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "harness/base/file.h"
#include "tests/remote/slurm_cluster.h"

namespace warpmark {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class RanksOnSlurm : public testing::Test {
 protected:
  void SetUp() override {
    if (!fs::exists("/usr/bin/mpirun"))
      GTEST_SKIP() << "no MPI: sudo apt-get install libopenmpi-dev openmpi-bin";
    const auto started = cluster.start(folder.path());
    if (!started) GTEST_SKIP() << started.error().message;
    if (cluster.ask({"/usr/bin/srun", "--mpi=list"}).find("pmix") == std::string::npos)
      GTEST_SKIP() << "this Slurm has no PMIx";
  }
  // What a grade of k03_mpi in an allocation prints. Without a box, which has no network, and so no Slurm.
  [[nodiscard]] std::string grade(const fs::path& submission) const {
    return cluster.ask({"/usr/bin/salloc", "-n1", WARPMARK_CLI, "grade", submission.string(), "--assignment",
                        "knn", "--sandbox", "process", "--only", "knn.k03_mpi.correct", "--out",
                        (folder.path() / "out").string()});
  }
  [[nodiscard]] std::string steps() const { return read_file(folder.path() / "slurmd.txt").value_or(""); }

  TemporaryFolder folder;
  SlurmCluster cluster;
};

TEST_F(RanksOnSlurm, are_started_by_srun) {
  const std::string output = grade(fs::path(WARPMARK_ROOT) / "reference/knn");
  EXPECT_THAT(output, HasSubstr("checks: 1 passed"));
  EXPECT_THAT(steps(), HasSubstr("launch task StepId=1.3"))
      << "one step for each number of ranks, from 1.0 on";
}

TEST_F(RanksOnSlurm, that_exit_are_named) {
  const fs::path submission = folder.path() / "submission";
  fs::create_directory(submission);
  std::string text = read_file(fs::path(WARPMARK_ROOT) / "reference/knn/k03_mpi.cpp").value_or("");
  const std::string place = "  MPI_Comm_size(MPI_COMM_WORLD, &ranks);\n";
  ASSERT_NE(text.find(place), std::string::npos);
  text.insert(text.find(place) + place.size(), "  if (rank == 1) std::exit(3);\n");
  ASSERT_TRUE(write_file(submission / "k03_mpi.cpp", "#include <cstdlib>\n" + text));
  fs::copy_file(fs::path(WARPMARK_ROOT) / "reference/knn/classify.h", submission / "classify.h");
  EXPECT_THAT(grade(submission), HasSubstr("rank 1 ended itself with exit status 3"));
}

}  // namespace
}  // namespace warpmark
