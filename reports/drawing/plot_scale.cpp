#include <algorithm>
#include <cmath>

#include "reports/drawing/plot.h"

namespace warpmark {
namespace {

double on(ScaleKind kind, double value) {
  switch (kind) {
    case ScaleKind::log2:
      return std::log2(value);
    case ScaleKind::log10:
      return std::log10(value);
    case ScaleKind::linear:
      break;
  }
  return value;
}

// Returns the smallest of 1, 2, 5 or 10 times a power of ten that is at least `step`.
double round_step(double step) {
  const double power = std::pow(10, std::floor(std::log10(step)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (step <= factor * power * (1 + 1e-9)) return factor * power;
  }
  return 10 * power;
}

// Returns ticks of a logarithmic axis at 1, 2 and 5 times powers of ten.
std::vector<double> ticks_within_decades(const Scale& scale) {
  std::vector<double> ticks;
  for (double power = std::floor(std::log10(scale.from)); power <= std::log10(scale.to); ++power) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double tick = factor * std::pow(10, power);
      if (tick >= scale.from * (1 - 1e-9) && tick <= scale.to * (1 + 1e-9)) ticks.push_back(tick);
    }
  }
  return ticks;
}

}  // namespace

double Scale::operator()(double value) const {
  const double share = (on(kind, value) - on(kind, from)) / (on(kind, to) - on(kind, from));
  return begin + share * (end - begin);
}

std::vector<double> ticks_of(const Scale& scale, std::size_t wanted) {
  const double low = on(scale.kind, scale.from);
  const double high = on(scale.kind, scale.to);
  double step = round_step((high - low) / static_cast<double>(std::max<std::size_t>(wanted, 1)));
  if (scale.kind != ScaleKind::linear) step = std::max(1.0, std::ceil(step));
  std::vector<double> ticks;
  const double slack = 1e-9 * (high - low);
  for (double k = std::ceil((low - slack) / step); k * step <= high + slack; ++k) {
    const double at = k * step;
    ticks.push_back(scale.kind == ScaleKind::linear ? at
                    : scale.kind == ScaleKind::log2 ? std::exp2(at)
                                                    : std::pow(10, at));
  }
  // If the domain spans a decade or less, powers of ten are too few ticks; for a small part of a decade,
  // ticks are spaced linearly.
  constexpr std::size_t kFew = 3;
  if (scale.kind == ScaleKind::log10 && ticks.size() < kFew) {
    ticks = ticks_within_decades(scale);
    if (ticks.size() < kFew && scale.from < scale.to) {
      Scale linear = scale;
      linear.kind = ScaleKind::linear;
      ticks = ticks_of(linear, wanted);
    }
  }
  return ticks;
}

// Merges labels that touch into clusters, which are placed at the mean of their members' wanted positions.
std::vector<double> spread(const std::vector<double>& wanted, double gap, double low, double high) {
  std::vector<std::size_t> order(wanted.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return wanted[a] < wanted[b]; });

  struct Cluster {
    double top;  // position of the uppermost label of a cluster of adjacent labels
    // Sum, over the cluster's labels, of the position that the uppermost label would need for that label to
    // get its wanted position.
    double total;
    double count;
  };
  std::vector<Cluster> clusters;
  const auto settle = [&](Cluster& cluster) {
    const double length = (cluster.count - 1) * gap;
    cluster.top = std::max(low, std::min(cluster.total / cluster.count, high - length));
  };
  for (const std::size_t i : order) {
    clusters.push_back({0, wanted[i], 1});
    settle(clusters.back());
    while (clusters.size() > 1) {
      Cluster& before = clusters[clusters.size() - 2];
      const Cluster& last = clusters.back();
      if (before.top + before.count * gap <= last.top) break;
      before.total += last.total - last.count * before.count * gap;
      before.count += last.count;
      clusters.pop_back();
      settle(clusters.back());
    }
  }
  std::vector<double> places(wanted.size());
  std::size_t at = 0;
  for (const Cluster& cluster : clusters) {
    const std::size_t end = at + static_cast<std::size_t>(cluster.count);
    for (std::size_t k = 0; at < end; ++k) places[order[at++]] = cluster.top + static_cast<double>(k) * gap;
  }
  return places;
}

}  // namespace warpmark
