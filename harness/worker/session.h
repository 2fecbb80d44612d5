// State of the worker process across requests: loaded libraries, device buffers, one stream. It knows neither
// the assignment nor seeds nor expected outputs, and returns raw bytes and times.
#pragma once

#include <cstddef>
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
  // last_words: descriptor for the call stacks of a call that hangs, or -1 for none.
  explicit Session(std::unique_ptr<Observer> observer, int last_words = -1)
      : observer_(std::move(observer)), last_words_(last_words) {}
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session();

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
  void sweep();
  DeviceBuffer filled(Descriptors descriptors);

  // Receives the device memory contents that a request asks for: in the judge's shared mapping, or in the
  // device process.
  class Results {
   public:
    Results(const Session& session, Descriptors descriptors);
    // Appends the bytes of the given buffer ranges to the result.
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
  bool auditing_ = false;                   // true: observed events are kept until they are reported
  std::map<std::string, void*> libraries_;  // never closed, so that no destructor of student code runs
  std::map<std::string, DeviceBuffer> buffers_;
  // A name is in either buffers_ (device) or host_buffers_, never in both.
  std::map<std::string, HostBuffer> host_buffers_;
  cudaStream_t stream_ = nullptr;
};

}  // namespace warpmark
