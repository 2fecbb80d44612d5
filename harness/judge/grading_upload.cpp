// Part of class Grading: the audit of the upload, `upload_once`.
#include <algorithm>

#include <fmt/format.h>

#include "harness/base/parallel.h"
#include "harness/judge/consequences.h"
#include "harness/judge/grading.h"
#include "harness/judge/workers/causes.h"

namespace warpmark::judge {

void Grading::begin_audits(const Libraries& libraries) {
  std::call_once(audits_begun_, [&] {
    if (!obstacles(submission_.files.at(course_.rubric.upload), libraries.upload(main_)).empty()) return;
    // A GPU's record of copies lacks what crosses in other ways, such as the arguments of kernels.
    for (const Engine engine : {main_, Engine::simulator}) {
      BuiltTypes upload = libraries.upload(engine);
      if (audits_.contains(engine) || upload.versions.empty() || !upload.causes().empty()) continue;
      note_trouble([&] { audits_.try_emplace(engine, audit_bench_, std::move(upload)); });
    }
    are_audits_open_ = true;
    for (auto& [engine, audited] : audits_) {
      const auto use = use_for(engine);
      note_trouble([&audited = audited] { audited.audit_upload(); });
    }
  });
}

void Grading::note_trouble(const std::function<void()>& work) {
  auto causes = guarded([&] {
                  work();
                  return CheckOutcome{};
                }).causes;
  const std::scoped_lock lock(trouble_mutex_);
  add_once(audit_trouble_, std::move(causes));
}

void Grading::audit(const Libraries& libraries, const VersionRule& version) {
  const auto* causes = outcomes_.causes_of({version.name, Check::correct});
  // The upload audit (does the input reach the GPU only once?) skips code on several MPI ranks or GPUs:
  // copies between them would count as uploads.
  if (causes == nullptr || version.host || !version.ranks.empty() || version.gpus > 1 ||
      !std::ranges::all_of(*causes, can_be_audited))
    return;
  for (auto& [engine, audited] : audits_) {
    const BuiltTypes built = libraries.version(engine, version.name);
    if (audited.has_audited(version.name) ||
        (engine != main_ && (built.versions.empty() || !built.causes().empty())))
      continue;
    const auto use = use_for(engine);
    note_trouble([&audited = audited, &version, &built, causes] {
      audited.audit_version(version.name, built, causes->empty());
    });
  }
}

void Grading::check_the_upload(const Libraries& libraries) {
  begin_audits(libraries);
  const auto& versions = course_.rubric.versions;
  in_parallel(versions.size(), jobs_, [&](std::size_t i) { audit(libraries, versions[i]); });
  const BuiltTypes upload = libraries.upload(main_);
  CheckOutcome found{obstacles(submission_.files.at(course_.rubric.upload), upload), upload.seconds()};
  if (found.causes.empty()) found.causes = audit_trouble_;
  if (const auto audited = audits_.find(main_); audited != audits_.end() && found.causes.empty()) {
    UploadOutcome outcome = audited->second.outcome(sent_);
    found = std::move(outcome.outcome);
    outcomes_.set_traffic(std::move(outcome.transfers), std::move(outcome.launches));
    found.causes = explained_first(upload_causes_on_simulator(), std::move(found.causes));
    say(fmt::format("upload_once: {}", found.causes.empty() ? "passed" : "not passed"));
  }
  outcomes_.record(upload_key(), main_, std::move(found));
}

}  // namespace warpmark::judge
