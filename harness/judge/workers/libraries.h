// Every library that one grading needs: the submission's versions, the adapters, the course's naive kernel
// and sweep.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "harness/build/builder.h"
#include "harness/judge/intake/submission.h"
#include "harness/judge/rules/rubric.h"
#include "harness/judge/workers/engines.h"
#include "harness/judge/workers/worker_client.h"

namespace warpmark::judge {

// Libraries of one file on one engine, by value type, and the adapters that go with them.
struct BuiltTypes {
  Engine engine = Engine::simulator;
  std::map<std::string, build::Built> versions;
  std::map<std::string, std::filesystem::path> adapters;

  // Why not all of them can be loaded, each cause once; empty when they can.
  [[nodiscard]] std::vector<Cause> causes() const;
  [[nodiscard]] double seconds() const;
};

// The library through which ranks start MPI, for Engine::host.
build::Request request_of_mpi_side(const Installation& installation, const Mpi& mpi);

struct LibrarySettings {
  const Installation& installation;
  const Rubric& rubric;
  const Submission& submission;
  const Engines& engines;
  Engine main;  // decides all checks of versions of CUDA but `clean` and `work`
  std::filesystem::path cache;
  unsigned jobs = 1;
  std::function<bool(const VersionRule&)> wanted_version;
  bool wanted_upload = false;
  std::function<void(const std::string&)> progress;  // from any thread
};

class Libraries {
 public:
  // Knows what to build, longest first. What the settings refer to is used as long as this lives.
  explicit Libraries(LibrarySettings settings);

  // Builds all of them, several at a time. A file that does not build has causes; nothing fails as a whole.
  void build();
  // The same one by one, each number below count() once, from any threads.
  [[nodiscard]] std::size_t count() const { return jobs_.size(); }
  void build_one(std::size_t number);
  // No more will be built: what is not built yet is not waited for. Also done by a build_one() that throws.
  void give_up();
  // Returns when all that checks of the version need is built; throws std::runtime_error once given up.
  void wait_for(const std::string& version) const;
  // The same of what measurements on an engine need.
  void wait_for_course(Engine engine) const;
  // Whether a source takes a compiler many times as long as others.
  [[nodiscard]] static bool takes_long(const std::string& source);

  // Empty when the version was not built for the engine.
  [[nodiscard]] BuiltTypes version(Engine engine, const std::string& name) const;
  [[nodiscard]] BuiltTypes upload() const;
  // The course's own naive version and sweep of an engine that measures: the main one, or the host.
  [[nodiscard]] BuiltTypes naive(Engine engine = Engine::gpu) const;
  [[nodiscard]] const build::Built& sweep(Engine engine = Engine::gpu) const;
  // The library through which ranks start MPI; where a version has ranks.
  [[nodiscard]] const build::Built& mpi_side() const { return mpi_side_; }
  // That one of them does not build is our fault.
  [[nodiscard]] std::vector<Cause> trouble_with_course(Engine engine) const;

 private:
  using ByType = std::map<std::string, build::Built>;
  struct Job {
    build::Request request;
    Engine engine;
    build::Built* result;
    bool takes_long = false;
  };
  void plan();
  void plan_versions(Engine engine);
  void plan_course(Engine engine, const std::string& naive, const std::string& type);
  [[nodiscard]] bool is_wanted(Engine engine, const VersionRule& version) const;
  [[nodiscard]] bool speed_is_wanted(bool of_host) const;
  void plan_ranks();
  [[nodiscard]] std::vector<std::filesystem::path> include_folders() const;
  [[nodiscard]] build::SubmissionRules rules_for(const std::string& function) const;
  void add(Engine engine, ByType& into, const build::Request& request, const std::vector<std::string>& types,
           bool long_one = false);
  void built(const Job& job);
  void wait_for_all(const std::vector<std::string>& functions) const;
  [[nodiscard]] BuiltTypes with_adapters(Engine engine, const ByType& types) const;

  LibrarySettings settings_;
  Engine main_;
  std::filesystem::path given_;  // holds the headers that the assignment gives out; may be empty
  std::map<Engine, build::Builder> builders_;
  std::map<std::pair<Engine, std::string>, ByType> versions_;
  std::map<Engine, ByType> adapters_;
  ByType upload_;
  std::map<Engine, ByType> naive_;
  std::map<Engine, build::Built> sweep_;
  build::Built mpi_side_;
  std::vector<Job> jobs_;

  mutable std::mutex mutex_;
  mutable std::condition_variable done_;
  bool given_up_ = false;
  std::map<std::string, std::size_t> missing_;  // how many libraries with a function are not built yet
  std::size_t built_ = 0;
};

}  // namespace warpmark::judge
