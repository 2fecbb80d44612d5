#include "harness/judge/checks/time_line.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace warpmark::judge {
namespace {

std::string noun_for(std::string_view kind, std::uint64_t count) {
  if (kind == "mapped") return "of pinned host memory that kernels can read over the bus";
  if (kind == "managed") return "of managed memory whose pages moved";
  if (kind == "argument")
    return fmt::format("in the arguments of {} {}", count, count == 1 ? "launch" : "launches");
  return fmt::format("in {} {}", count, count == 1 ? "copy" : "copies");
}

std::string_view when_in(Phase phase) {
  switch (phase) {
    case Phase::load:
      return "while its library was loaded";
    case Phase::between:
      return "after its call had returned, by a thread that was left behind";
    case Phase::call:
      break;
  }
  return "during its call";
}

std::string text_of(const Sent::Part& part) {
  std::string text =
      fmt::format("{} bytes {} {}", part.bytes, noun_for(part.kind, part.count), when_in(part.phase));
  if (part.when) {
    text += fmt::format(" ({:.2f} to {:.2f} ms into the audit)", part.when->start_us / 1e3,
                        part.when->end_us / 1e3);
  }
  return text;
}

}  // namespace

std::optional<Period> TimeLine::period_of(const wire::AuditEvent& event) {
  if (!event.when) return std::nullopt;
  const auto from = static_cast<double>(event.when->start_ns);
  if (!origin_ns_) origin_ns_ = from;
  return Period{(from - *origin_ns_) / 1e3, (static_cast<double>(event.when->end_ns) - *origin_ns_) / 1e3};
}

// Appends one recorded copy between host and device. A recorded event may sum several copies; if the
// harness's own copy is one of them, it becomes a separate entry.
bool TimeLine::add_transfer(const wire::AuditEvent& event, AuditedTransfer transfer,
                            std::optional<OwnCopy> own) {
  transfer.direction = wire::name_of(event.transfer->direction);
  transfer.bytes = event.transfer->bytes;
  transfer.count = event.count;
  const bool ours = own && event.transfer->direction == own->direction && transfer.bytes >= own->bytes &&
                    (transfer.count > 1 || transfer.bytes == own->bytes);
  if (ours) {
    AuditedTransfer copy = transfer;
    copy.canary = true;
    copy.bytes = own->bytes;
    copy.count = 1;
    copy.order = order_++;
    transfer.bytes -= own->bytes;
    transfer.count -= 1;
    transfers.push_back(std::move(copy));
  }
  if (!ours || transfer.count > 0) {
    transfer.order = order_++;
    transfers.push_back(std::move(transfer));
  }
  return ours;
}

bool TimeLine::add(const wire::Observation& seen, const std::string& during, Phase phase,
                   std::optional<OwnCopy> own, const Locate& locate) {
  bool found = false;
  if (!seen.events) return false;
  for (const wire::AuditEvent& event : *seen.events) {
    const auto when = period_of(event);
    if (event.launch) {
      launches.push_back({during, phase, event.launch->kernel, event.count, order_++, when});
      continue;
    }
    AuditedTransfer transfer;
    transfer.during = during;
    transfer.phase = phase;
    transfer.when = when;
    const bool to_device = event.transfer->direction == wire::Direction::host_to_device;
    transfer.kind = wire::name_of(event.transfer->kind);
    if (locate && to_device && !event.transfer->frames.empty()) locate(transfer, event.transfer->frames);
    if (add_transfer(event, std::move(transfer), own)) {
      found = true;
      own.reset();
    }
  }
  return found;
}

namespace {
bool is_canary(const AuditedTransfer& transfer) {
  return transfer.canary;
}
bool is_canary(const AuditedLaunch& /*launch*/) {
  return false;
}
}  // namespace

void TimeLine::append(const TimeLine& other, const std::string& during) {
  const auto take = [&](const auto& from, auto& to) {
    for (auto entry : from) {
      if (entry.during != during || is_canary(entry)) continue;
      entry.order += order_;
      to.push_back(std::move(entry));
    }
  };
  take(other.transfers, transfers);
  take(other.launches, launches);
  order_ += other.order_;
}

bool is_sent_by(const AuditedTransfer& transfer, const std::string& during) {
  return transfer.during == during && !transfer.canary &&
         transfer.direction == wire::name_of(wire::Direction::host_to_device);
}

std::vector<Sent> sent_to_device(const std::vector<AuditedTransfer>& transfers) {
  std::vector<Sent> all;
  for (const AuditedTransfer& transfer : transfers) {
    if (transfer.direction != wire::name_of(wire::Direction::host_to_device) || transfer.canary) continue;
    auto sent =
        std::find_if(all.begin(), all.end(), [&](const Sent& s) { return s.during == transfer.during; });
    if (sent == all.end()) sent = all.insert(all.end(), Sent{transfer.during, 0, {}});
    sent->bytes += transfer.bytes;
    auto part = std::find_if(sent->parts.begin(), sent->parts.end(), [&](const Sent::Part& p) {
      return p.phase == transfer.phase && p.kind == transfer.kind;
    });
    if (part == sent->parts.end()) {
      part = sent->parts.insert(part, {transfer.phase, transfer.kind, 0, 0, transfer.when});
    }
    part->bytes += transfer.bytes;
    part->count += transfer.count;
    if (part->when && transfer.when) part->when->end_us = transfer.when->end_us;
  }
  return all;
}

std::string text_of(const Sent& sent) {
  std::vector<std::string> parts;
  for (const Sent::Part& part : sent.parts) parts.push_back(text_of(part));
  return fmt::format("{}", fmt::join(parts, ", and "));
}

}  // namespace warpmark::judge
