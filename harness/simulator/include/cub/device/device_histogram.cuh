// Implements cub::DeviceHistogram for the CUDA simulator: zeroes the counters, then adds each sample to its
// bin atomically.
#pragma once

#include "cub/device/common.h"

namespace cub {

struct DeviceHistogram {
  // cub::DeviceHistogram::HistogramEven: histogram of num_levels - 1 bins of equal width.
  template <typename Samples, typename Counter, typename Level, typename Count>
  static cudaError_t HistogramEven(void* memory, size_t& bytes, Samples samples, Counter* histogram,
                                   int num_levels, Level lower, Level upper, Count count,
                                   cudaStream_t stream = 0, bool = false) {
    const Even<Level> bins{lower, upper, num_levels - 1};
    return all<1, 1>(memory, bytes, samples, &histogram, &bins, count, 1, count, stream);
  }
  template <typename Samples, typename Counter, typename Level, typename Count>
  static cudaError_t HistogramEven(void* memory, size_t& bytes, Samples samples, Counter* histogram,
                                   int num_levels, Level lower, Level upper, Count columns, Count rows,
                                   size_t row_bytes, cudaStream_t stream = 0, bool = false) {
    const Even<Level> bins{lower, upper, num_levels - 1};
    const auto stride = row_bytes / sizeof(detail::ValueOf<Samples>);
    return all<1, 1>(memory, bytes, samples, &histogram, &bins, columns, rows,
                     static_cast<detail::Index>(stride), stream);
  }
  template <typename Samples, typename Counter, typename Level, typename Count>
  static cudaError_t HistogramRange(void* memory, size_t& bytes, Samples samples, Counter* histogram,
                                    int num_levels, const Level* levels, Count count, cudaStream_t stream = 0,
                                    bool = false) {
    const Range<Level> bins{levels, num_levels - 1};
    return all<1, 1>(memory, bytes, samples, &histogram, &bins, count, 1, count, stream);
  }
  template <int channels, int active, typename Samples, typename Counter, typename Levels, typename Level,
            typename Count>
  static cudaError_t MultiHistogramEven(void* memory, size_t& bytes, Samples samples, Counter&& histograms,
                                        Levels&& num_levels, Level&& lower, Level&& upper, Count pixels,
                                        cudaStream_t stream = 0, bool = false) {
    using Bound = std::decay_t<decltype(lower[0])>;
    Even<Bound> bins[active];
    for (int c = 0; c < active; ++c) bins[c] = {lower[c], upper[c], num_levels[c] - 1};
    return all<channels, active>(memory, bytes, samples, &histograms[0], bins, pixels, 1, pixels * channels,
                                 stream);
  }
  template <int channels, int active, typename Samples, typename Counter, typename Levels, typename Bounds,
            typename Count>
  static cudaError_t MultiHistogramRange(void* memory, size_t& bytes, Samples samples, Counter&& histograms,
                                         Levels&& num_levels, Bounds&& levels, Count pixels,
                                         cudaStream_t stream = 0, bool = false) {
    using Bound = std::decay_t<decltype(*levels[0])>;
    Range<Bound> bins[active];
    for (int c = 0; c < active; ++c) bins[c] = {levels[c], num_levels[c] - 1};
    return all<channels, active>(memory, bytes, samples, &histograms[0], bins, pixels, 1, pixels * channels,
                                 stream);
  }

 private:
  // Functor that returns the index of a sample's bin, or a negative number if the sample is outside of all
  // bins.
  template <typename Level>
  struct Even {
    Level lower;
    Level upper;
    int bins;
    template <typename Sample>
    __device__ int operator()(Sample sample) const {
      using Wide = std::common_type_t<Sample, Level>;
      const Wide value = static_cast<Wide>(sample);
      const Wide low = static_cast<Wide>(lower);
      const Wide high = static_cast<Wide>(upper);
      if (!(value >= low && value < high)) return -1;
      if constexpr (std::is_floating_point_v<Wide>) {
        const int bin = static_cast<int>((value - low) * (static_cast<Wide>(bins) / (high - low)));
        return bin < bins ? bin : bins - 1;
      } else {
        return static_cast<int>(static_cast<unsigned long long>(value - low) *
                                static_cast<unsigned int>(bins) /
                                static_cast<unsigned long long>(high - low));
      }
    }
  };
  template <typename Level>
  struct Range {
    const Level* levels;
    int bins;
    template <typename Sample>
    __device__ int operator()(Sample sample) const {
      const Level value = static_cast<Level>(sample);
      int low = 0;
      int high = bins + 1;
      while (low < high) {
        const int middle = (low + high) / 2;
        if (value < levels[middle])
          high = middle;
        else
          low = middle + 1;
      }
      return low <= bins ? low - 1 : -1;
    }
  };

  template <typename Counter>
  struct Clear {
    Counter* counters;
    __device__ void operator()(detail::Index i) { counters[i] = 0; }
  };
  template <typename Samples, typename Counter, typename Bins>
  struct Add {
    Samples samples;
    Counter* counters;
    Bins bins;
    detail::Index columns;
    detail::Index stride;
    int channel;
    int channels;
    __device__ void operator()(detail::Index i) {
      const int bin = bins(samples[i / columns * stride + i % columns * channels + channel]);
      if (bin < 0) return;
      if constexpr (std::is_same_v<Counter, long long>)
        atomicAdd(reinterpret_cast<unsigned long long*>(counters) + bin, 1ull);
      else
        atomicAdd(counters + bin, static_cast<Counter>(1));
    }
  };

  template <int channels, int active, typename Samples, typename Counter, typename Bins>
  static cudaError_t all(void* memory, size_t& bytes, Samples samples, Counter* const* histograms,
                         const Bins* bins, detail::Index columns, detail::Index rows, detail::Index stride,
                         cudaStream_t stream) {
    for (int c = 0; c < active; ++c) {
      if (bins[c].bins < 1) return cudaErrorInvalidValue;
    }
    return detail::with_memory_of_caller(memory, bytes, [&](detail::Scratch& scratch) {
      if (scratch.measures()) return cudaSuccess;
      cudaError_t error = cudaSuccess;
      for (int c = 0; c < active && error == cudaSuccess; ++c) {
        error = warpmark_lib::for_each_index(bins[c].bins, stream, Clear<Counter>{histograms[c]});
        if (error != cudaSuccess) break;
        error = warpmark_lib::for_each_index(
            columns * rows, stream,
            Add<Samples, Counter, Bins>{samples, histograms[c], bins[c], columns, stride, c, channels});
      }
      return error;
    });
  }
};

}  // namespace cub
