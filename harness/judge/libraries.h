// Every library that one grading needs: the submission's versions, the adapters, the course's naive kernel
// and sweep.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "harness/build/builder.h"
#include "harness/judge/engines.h"
#include "harness/judge/rubric.h"
#include "harness/judge/submission.h"
#include "harness/judge/worker_client.h"

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

struct LibrarySettings {
  const Installation& installation;
  const Rubric& rubric;
  const Submission& submission;
  const Engines& engines;
  Engine main;  // decides all checks but `clean`
  std::filesystem::path cache;
  unsigned jobs = 1;
  std::function<bool(const VersionRule&)> wanted_version;
  bool wanted_upload = false;
  std::function<void(const std::string&)> progress;  // from any thread
};

class Libraries {
 public:
  // Builds all of them, several at a time. A file that does not build has causes; nothing fails as a whole.
  explicit Libraries(const LibrarySettings& settings);

  // Empty when the version was not built for the engine.
  [[nodiscard]] BuiltTypes version(Engine engine, const std::string& name) const;
  [[nodiscard]] BuiltTypes upload() const;
  [[nodiscard]] BuiltTypes naive() const;
  [[nodiscard]] const build::Built& sweep() const { return sweep_; }

 private:
  using ByType = std::map<std::string, build::Built>;
  struct Job {
    build::Request request;
    Engine engine;
    build::Built* result;
  };
  void plan(const LibrarySettings& settings);
  void add(Engine engine, ByType& into, const build::Request& request, const std::vector<std::string>& types);
  void build(const LibrarySettings& settings);
  [[nodiscard]] BuiltTypes with_adapters(Engine engine, const ByType& types) const;

  Engine main_;
  std::map<std::pair<Engine, std::string>, ByType> versions_;
  std::map<Engine, ByType> adapters_;
  ByType upload_;
  ByType naive_;
  build::Built sweep_;
  std::vector<Job> jobs_;
};

}  // namespace warpmark::judge
