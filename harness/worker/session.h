// State of the worker process, which runs student code, across requests of the judge process: loaded
// libraries, device buffers, one stream. The worker process knows neither the assignment nor random seeds nor
// expected outputs, so student code cannot find them there; it returns raw bytes and times.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

#include "harness/base/file.h"
#include "harness/wire/request.h"
#include "harness/worker/adapter.h"
#include "harness/worker/device_buffer.h"
#include "harness/worker/host_buffer.h"
#include "harness/worker/mapping.h"
#include "harness/worker/observer.h"

namespace warpmark {

// Executes the judge process's requests one after the other (harness/wire/request.h).
class Session {
 public:
  // last_words: descriptor to which the call stacks of a hanging student's function are written; -1: none.
  explicit Session(std::unique_ptr<Observer> observer, int last_words = -1)
      : observer_(std::move(observer)), last_words_(last_words) {}
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

  // Returns the system call filter under which student code runs.
  [[nodiscard]] sandbox::Filter filter() const { return observer_->filter(); }

  // `meet` is called before the first timed call of each request, when all but the call is done.
  void set_meeting(std::function<void()> meet) { meet_ = std::move(meet); }

  // Executes a request and returns its reply. Errors of the harness itself become a FailedReply.
  wire::Reply answer(const wire::Request& request, const std::vector<UniqueFd>& descriptors);

 private:
  using Descriptors = std::span<const UniqueFd>;

  wire::HelloReply handle(const wire::Hello& request, Descriptors descriptors);
  wire::LoadReply handle(const wire::Load& request, Descriptors descriptors);
  wire::FillReply handle(const wire::Fill& request, Descriptors descriptors);
  wire::ZerosReply handle(const wire::Zeros& request, Descriptors descriptors);
  wire::CopyReply handle(const wire::Copy& request, Descriptors descriptors);
  wire::CallReply handle(const wire::Call& request, Descriptors descriptors);
  wire::UploadReply handle(const wire::Upload& request, Descriptors descriptors);
  wire::CanaryReply handle(const wire::Canary& request, Descriptors descriptors);
  wire::ReadReply handle(const wire::Read& request, Descriptors descriptors);
  wire::ConditionsReply handle(const wire::ReadConditions& request, Descriptors descriptors);

  void* symbol(const std::string& library, const std::string& name) const;
  DeviceBuffer& buffer(const std::string& name);
  WarpmarkView view(const wire::View& where) const;
  void patch(const std::vector<wire::Patch>& patches);
  void restore(const std::vector<wire::Restore>& restores);
  void sweep();
  DeviceBuffer filled(Descriptors descriptors);

  // Collects the device memory contents that a request of the judge process asks for: writes them to memory
  // shared with the judge process or, on the simulator, lets the device process deliver them.
  class Results {
   public:
    Results(const Session& session, Descriptors descriptors);
    // Appends the contents of the given buffer ranges to the results of the current request.
    void add(const std::vector<wire::View>& reads);

   private:
    const Session& session_;
    DirectBytes* direct_;
    std::optional<Mapping> target_;
    std::size_t position_ = 0;
  };

  void forget();
  wire::Observation everything_so_far();

  std::unique_ptr<Observer> observer_;
  int last_words_;
  // True during an upload audit: events are kept until a reply reports them.
  bool auditing_ = false;
  // Handles of loaded libraries; they are never closed, so that no destructor of student code runs.
  std::map<std::string, void*> libraries_;
  std::map<std::string, DeviceBuffer> buffers_;
  // Buffers in host memory, by name. A name is in either buffers_ (device memory) or host_buffers_, never in
  // both.
  std::map<std::string, HostBuffer> host_buffers_;
  cudaStream_t stream_ = nullptr;
  std::function<void()> meet_;
};

}  // namespace warpmark
