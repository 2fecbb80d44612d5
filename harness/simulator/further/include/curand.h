// cuRAND's host API on the simulator: NVIDIA's API, our own kernels (warpmark_cuda/random/).
#pragma once

#if !defined(__CUDA__)
#error 'curand.h' is unavailable: not simulated by Warpmark in a file of C
#endif

#include "warpmark_cuda/random/generate.h"
#include "warpmark_cuda/random/types.h"

inline curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type) {
  if (generator == nullptr) return CURAND_STATUS_INITIALIZATION_FAILED;
  switch (type) {
    case CURAND_RNG_PSEUDO_DEFAULT:
      type = CURAND_RNG_PSEUDO_XORWOW;
      break;
    case CURAND_RNG_QUASI_DEFAULT:
      type = CURAND_RNG_QUASI_SOBOL32;
      break;
    case CURAND_RNG_PSEUDO_XORWOW:
    case CURAND_RNG_PSEUDO_MRG32K3A:
    case CURAND_RNG_PSEUDO_MT19937:
    case CURAND_RNG_PSEUDO_PHILOX4_32_10:
    case CURAND_RNG_QUASI_SOBOL32:
      break;
    case CURAND_RNG_PSEUDO_MTGP32:
      // MTGP32 of cuRAND's host API: the simulator uses MT19937 in place of this Mersenne twister variant for
      // GPUs, so the numbers differ from a GPU's.
      type = CURAND_RNG_PSEUDO_MT19937;
      break;
    default:
      return CURAND_STATUS_TYPE_ERROR;
  }
  *generator = new curandGenerator_st{type, false};
  if (type == CURAND_RNG_PSEUDO_MT19937) (*generator)->seed = 5489;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type) {
  const curandStatus_t status = curandCreateGenerator(generator, type);
  if (status == CURAND_STATUS_SUCCESS) (*generator)->in_host_memory = true;
  return status;
}
inline curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  delete generator;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandGetVersion(int* version) {
  *version = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandGetProperty(libraryPropertyType type, int* value) {
  *value = type == MAJOR_VERSION   ? CURAND_VER_MAJOR
           : type == MINOR_VERSION ? CURAND_VER_MINOR
                                   : CURAND_VER_PATCH;
  return CURAND_STATUS_SUCCESS;
}

inline curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  generator->stream = stream;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                         unsigned long long seed) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (generator->type == CURAND_RNG_QUASI_SOBOL32) return CURAND_STATUS_TYPE_ERROR;
  generator->seed = seed;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  generator->position = offset;
  return CURAND_STATUS_SUCCESS;
}
// curandSetGeneratorOrdering: all orderings that are valid for the generator give the default order of
// results.
inline curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  const bool quasi = generator->type == CURAND_RNG_QUASI_SOBOL32;
  return (order == CURAND_ORDERING_QUASI_DEFAULT) == quasi ? CURAND_STATUS_SUCCESS
                                                           : CURAND_STATUS_OUT_OF_RANGE;
}
inline curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator,
                                                              unsigned int dimensions) {
  if (generator == nullptr) return CURAND_STATUS_NOT_INITIALIZED;
  if (generator->type != CURAND_RNG_QUASI_SOBOL32) return CURAND_STATUS_TYPE_ERROR;
  if (dimensions == 0 || dimensions > warpmark_random::kSobolDimensions) return CURAND_STATUS_OUT_OF_RANGE;
  generator->dimensions = dimensions;
  return CURAND_STATUS_SUCCESS;
}
inline curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
  return generator == nullptr ? CURAND_STATUS_NOT_INITIALIZED : CURAND_STATUS_SUCCESS;
}

// cuRAND's generation functions are templates with a dummy parameter, so that their kernels are compiled only
// into programs that call them.
WARPMARK_IF_CALLED
inline curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int* output, size_t count) {
  return warpmark_random::generate<false>(generator, output, count, warpmark_random::Bits());
}
WARPMARK_IF_CALLED
inline curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* output, size_t count) {
  return warpmark_random::generate<false>(generator, output, count, warpmark_random::Uniform<float>());
}
WARPMARK_IF_CALLED
inline curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* output, size_t count) {
  return warpmark_random::generate<false>(generator, output, count, warpmark_random::Uniform<double>());
}
WARPMARK_IF_CALLED
inline curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* output, size_t count,
                                           float mean, float stddev) {
  return warpmark_random::generate<true>(generator, output, count,
                                         warpmark_random::Normal<float>{mean, stddev, false});
}
WARPMARK_IF_CALLED
inline curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* output, size_t count,
                                                 double mean, double stddev) {
  return warpmark_random::generate<true>(generator, output, count,
                                         warpmark_random::Normal<double>{mean, stddev, false});
}
WARPMARK_IF_CALLED
inline curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* output, size_t count,
                                              float mean, float stddev) {
  return warpmark_random::generate<true>(generator, output, count,
                                         warpmark_random::Normal<float>{mean, stddev, true});
}
WARPMARK_IF_CALLED
inline curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* output, size_t count,
                                                    double mean, double stddev) {
  return warpmark_random::generate<true>(generator, output, count,
                                         warpmark_random::Normal<double>{mean, stddev, true});
}
// curandGenerateLongLong supports pseudo-random generators only, because the simulator's one quasi-random
// generator (Sobol) makes 32-bit numbers.
WARPMARK_IF_CALLED
inline curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long* output,
                                             size_t count) {
  return warpmark_random::generate<false>(generator, output, count, warpmark_random::LongBits());
}
WARPMARK_IF_CALLED
inline curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned int* output, size_t count,
                                            double lambda) {
  if (!(lambda > 0)) return CURAND_STATUS_OUT_OF_RANGE;
  return warpmark_random::generate<false>(generator, output, count, warpmark_random::Poisson{lambda});
}

inline curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t** vectors,
                                                  curandDirectionVectorSet_t set) {
  if (set != CURAND_DIRECTION_VECTORS_32_JOEKUO6) return CURAND_STATUS_OUT_OF_RANGE;
  static warpmark_random::DirectionVectors all = warpmark_random::direction_vectors();
  *vectors = all.of;
  return CURAND_STATUS_SUCCESS;
}
