// Builds all shared libraries of one grading: the student's kernel files, the adapters that call them, the
// course's naive kernel and the kernel that evicts caches.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <exception>
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

// The libraries built from one source file for one engine, per element type, and their adapters.
struct BuiltTypes {
  Engine engine = Engine::simulator;
  std::map<std::string, build::Built> versions;
  std::map<std::string, std::filesystem::path> adapters;

  // Returns the reasons why some of the libraries cannot be loaded, without duplicates; empty if all can.
  [[nodiscard]] std::vector<Cause> causes() const;
  [[nodiscard]] double seconds() const;
};

// Returns the build request for the library through which MPI ranks are started (Engine::host).
build::Request request_of_mpi_side(const Installation& installation, const Mpi& mpi);

struct LibrarySettings {
  const Installation& installation;
  const Rubric& rubric;
  const Submission& submission;
  const Engines& engines;
  Engine main;  // engine (GPU, simulator, CPU) of all checks of CUDA code but `clean` and `work`
  std::filesystem::path cache;
  unsigned jobs = 1;
  std::function<bool(const VersionRule&)> wanted_version;
  bool wanted_upload = false;
  std::function<void(const std::string&)> progress;  // called with progress messages, from any thread
  // Existing builders with the same settings, whose compile servers and precompiled headers are reused; null:
  // make new ones.
  const std::map<Engine, build::Builder>* builders = nullptr;
};

// Returns a builder for each engine, to be shared by the libraries of several submissions of one author.
std::map<Engine, build::Builder> make_builders(const LibrarySettings& settings);

// Returns the request to build the assignment's adapter for one value type. Writes a generated adapter to the
// cache.
build::Request request_of_adapter(const Installation& installation, const Rubric& rubric,
                                  const std::filesystem::path& cache, bool host, const std::string& type);

class Libraries {
 public:
  // Plans all builds, in the order in which they should begin. Keeps the references in the settings, whose
  // objects must outlive the Libraries object.
  explicit Libraries(LibrarySettings settings);

  // Builds all libraries concurrently. A file that does not build gets error messages; the other builds
  // continue.
  void build();
  // Alternative to build() in single steps: call build_one() once per number below count(), from any thread.
  [[nodiscard]] std::size_t count() const { return jobs_.size(); }
  void build_one(std::size_t number);
  // Returns how many of the builds, from the first on, should begin before any check does.
  [[nodiscard]] std::size_t urgent() const;
  // Returns true if all libraries that the checks of a kernel file need are built.
  [[nodiscard]] bool are_built_for(const std::string& version) const;
  // Abandons the remaining builds and wakes all waiting threads. A build_one() that throws does the same.
  void give_up();
  // Blocks until all libraries of the course that time measurements on an engine need are built. Throws
  // std::runtime_error after give_up().
  void wait_for_course(Engine engine) const;
  // Returns true if a source takes a compiler several times longer than usual (Thrust, CUB).
  [[nodiscard]] static bool takes_long(const std::string& source);

  // Returns the libraries of a kernel file; empty if not built for the engine.
  [[nodiscard]] BuiltTypes version(Engine engine, const std::string& name) const;
  // Returns the libraries of the upload function; empty if not built for the engine.
  [[nodiscard]] BuiltTypes upload(Engine engine) const;
  // Return the course's naive kernel and cache-evicting kernel for an engine on which times are measured.
  [[nodiscard]] BuiltTypes naive(Engine engine = Engine::gpu) const;
  [[nodiscard]] const build::Built& sweep(Engine engine = Engine::gpu) const;
  // Returns the library of the course's own solution, for a kernel file whose speed is compared with it on a
  // GPU; empty if this installation does not hold the solution.
  [[nodiscard]] BuiltTypes reference(const std::string& version) const;
  // Returns the library through which MPI ranks are started; built only if a submitted file uses MPI.
  [[nodiscard]] const build::Built& mpi_side() const { return mpi_side_; }
  // Builds a library of variants of a submitted kernel file, which `source` holds, quickly. Thread-safe.
  [[nodiscard]] build::Built variants(Engine engine, const std::string& version, const std::string& type,
                                      const std::string& source, std::vector<std::string> exports) const;
  // Returns the reasons why the course's own libraries do not build, which is a fault of the installation.
  [[nodiscard]] std::vector<Cause> trouble_with_course(Engine engine) const;
  // Returns the reasons why a student's kernel file cannot be compared in speed with the course's own
  // solution.
  [[nodiscard]] std::vector<Cause> trouble_with_reference(const VersionRule& version) const;

 private:
  using ByType = std::map<std::string, build::Built>;
  // Order of the builds: those that take longest, then those that many checks wait for, then the others.
  enum class When { first, early, last };
  struct Job {
    build::Request request;
    Engine engine;
    build::Built* result;
    When when = When::early;
    std::size_t place = 0;  // of the version in the rubric: its libraries for all engines are built together
  };
  void plan();
  void plan_versions(Engine engine);
  void plan_course(Engine engine, const std::string& naive, const std::string& type);
  [[nodiscard]] bool is_wanted(Engine engine, const VersionRule& version) const;
  [[nodiscard]] bool speed_is_wanted(bool of_host) const;
  void plan_references();
  void plan_ranks();
  [[nodiscard]] std::vector<std::filesystem::path> include_folders() const;
  [[nodiscard]] build::SubmissionRules rules_for(const std::string& function) const;
  void add(Engine engine, ByType& into, const build::Request& request, const std::vector<std::string>& types,
           When when = When::early, std::size_t place = 0);
  Result<build::Built> build_in_time(const Job& job);
  void built(const Job& job);
  // Returns true if the libraries with all of these functions are built. Needs mutex_.
  [[nodiscard]] bool are_built(const std::vector<std::string>& functions) const;
  [[nodiscard]] BuiltTypes with_adapters(Engine engine, const ByType& types) const;

  LibrarySettings settings_;
  Engine main_;
  std::filesystem::path given_;  // folder of the headers that the assignment gives to students; may be empty
  std::map<Engine, build::Builder> builders_;
  std::map<std::pair<Engine, std::string>, ByType> versions_;
  std::map<Engine, ByType> adapters_;
  std::map<Engine, ByType> upload_;
  std::map<Engine, ByType> naive_;
  std::map<std::string, ByType> references_;
  std::map<Engine, build::Built> sweep_;
  build::Built mpi_side_;
  std::vector<Job> jobs_;

  mutable std::mutex mutex_;
  mutable std::condition_variable done_;
  bool given_up_ = false;
  // First exception that made give_up() abandon the builds; rethrown to all waiting threads.
  std::exception_ptr failure_ = {};
  std::map<std::string, std::size_t> missing_;  // number of libraries not built yet, per exported function
  std::size_t built_ = 0;
  // reason of the failure of each submitted file that was not compiled within its time, by display name
  std::map<std::string, Cause> too_long_;
};

}  // namespace warpmark::judge
