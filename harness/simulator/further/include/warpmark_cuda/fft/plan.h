// cuFFT: creation of plans.
#pragma once

#include "warpmark_cuda/fft/execute.h"

namespace warpmark_fft {

// Parameters of a cuFFT plan that the program requests. Strides and distances count only if the program gave
// both of cufftPlanMany's arrays inembed and onembed.
struct Wanted {
  int rank;
  Index sizes[kMaxRank];
  bool advanced;
  Layout input;
  Layout output;
  cufftType type;
  Index batch;
};

inline bool is_type(int type) {
  return type == CUFFT_C2C || type == CUFFT_R2C || type == CUFFT_C2R || type == CUFFT_Z2Z ||
         type == CUFFT_D2Z || type == CUFFT_Z2D;
}

// Validates the program's request and sets up a cuFFT plan (type, sizes, layouts), but allocates no work
// area.
inline cufftResult shape(const Wanted& wanted, Plan& plan) {
  if (wanted.rank < 1 || wanted.rank > kMaxRank || wanted.batch < 1) return CUFFT_INVALID_SIZE;
  if (!is_type(wanted.type)) return CUFFT_INVALID_TYPE;
  plan.type = wanted.type;
  plan.rank = wanted.rank;
  plan.batch = wanted.batch;
  plan.advanced = wanted.advanced;
  plan.input = wanted.input;
  plan.output = wanted.output;
  Index total = wanted.batch;
  for (int i = kMaxRank; i-- > 0;) {
    const int own = i - (kMaxRank - wanted.rank);
    plan.sizes[i] = own < 0 ? 1 : wanted.sizes[own];
    if (plan.sizes[i] < 1 || __builtin_mul_overflow(total, plan.sizes[i], &total) || total > Index{1} << 40)
      return CUFFT_INVALID_SIZE;
  }
  plan.elements = total;
  return CUFFT_SUCCESS;
}

inline cufftResult size_of(const Wanted& wanted, size_t* bytes) {
  Plan plan{};
  const cufftResult result = shape(wanted, plan);
  if (result != CUFFT_SUCCESS) return result;
  if (bytes == nullptr) return CUFFT_INVALID_VALUE;
  *bytes = plan.work_bytes();
  return CUFFT_SUCCESS;
}
inline cufftResult size_of(cufftHandle handle, const Wanted& wanted, size_t* bytes) {
  return find(handle) == nullptr ? CUFFT_INVALID_PLAN : size_of(wanted, bytes);
}

// Restrictions of multi-GPU cuFFT plans: arrays without gaps; at least 32 elements per dimension in 2D and
// 3D; in 1D complex to complex only, and at least 64 elements (an H200 listed twice rejects 48 and 60).
constexpr Index kLeastOfSeveral = 32;
constexpr Index kLeastOfOneDirection = 64;
inline cufftResult fits_gpus(const Plan& plan) {
  if (plan.gpu_count == 0) return CUFFT_SUCCESS;
  const bool real = plan.is_real_to_complex() || plan.is_complex_to_real();
  if (plan.advanced || (plan.rank == 1 && plan.batch == 1 && real)) return CUFFT_NOT_IMPLEMENTED;
  for (int i = kMaxRank - plan.rank; i < kMaxRank; ++i) {
    const Index least = plan.rank == 1 ? kLeastOfOneDirection : kLeastOfSeveral;
    if (plan.batch == 1 && plan.sizes[i] < least) return CUFFT_INVALID_SIZE;
  }
  return CUFFT_SUCCESS;
}

// Scope guard: makes a multi-GPU cuFFT plan's first GPU, which holds the plan's work area, the current
// device, and restores the previous one.
class OnFirstGpu {
 public:
  explicit OnFirstGpu(const Plan& plan) : changes_(plan.gpu_count > 0) {
    if (!changes_) return;
    ::cudaGetDevice(&before_);
    ::cudaSetDevice(plan.gpus[0]);
  }
  ~OnFirstGpu() {
    if (changes_) ::cudaSetDevice(before_);
  }
  OnFirstGpu(const OnFirstGpu&) = delete;
  OnFirstGpu& operator=(const OnFirstGpu&) = delete;

 private:
  bool changes_;
  int before_ = 0;
};

// Stores the size in bytes of a cuFFT plan's work area; for a multi-GPU plan, stores the same size once per
// GPU.
inline void set_work_bytes(const Plan& plan, size_t* bytes) {
  for (int i = 0; i < (plan.gpu_count > 0 ? plan.gpu_count : 1); ++i) bytes[i] = plan.work_bytes();
}

// Completes a cuFFT plan as requested. bytes: receives the size of the work area; may be null.
WARPMARK_IF_CALLED
cufftResult make(cufftHandle handle, const Wanted& wanted, size_t* bytes) {
  Plan* const plan = find(handle);
  if (plan == nullptr || plan->made) return CUFFT_INVALID_PLAN;
  cufftResult result = shape(wanted, *plan);
  if (result == CUFFT_SUCCESS) result = fits_gpus(*plan);
  if (result != CUFFT_SUCCESS) return result;
  const OnFirstGpu on(*plan);
  if (plan->allocates && plan->work == nullptr) {
    const cudaError_t error = ::cudaMalloc(&plan->work, plan->work_bytes());
    if (error != cudaSuccess)
      return error == cudaErrorMemoryAllocation ? CUFFT_ALLOC_FAILED : CUFFT_INTERNAL_ERROR;
    plan->owns_work = true;
  }
  plan->made = true;
  if (bytes != nullptr) set_work_bytes(*plan, bytes);
  return CUFFT_SUCCESS;
}

inline cufftResult create(cufftHandle* handle) {
  if (handle == nullptr) return CUFFT_INVALID_VALUE;
  int device = 0;
  if (::cudaGetDevice(&device) != cudaSuccess) return CUFFT_SETUP_FAILED;
  Plan* const plan = new Plan{};
  plan->allocates = true;
  if (keep(plan, handle)) return CUFFT_SUCCESS;
  delete plan;
  return CUFFT_ALLOC_FAILED;
}
inline cufftResult destroy(cufftHandle handle) {
  Plan* const plan = find(handle);
  if (plan == nullptr) return CUFFT_INVALID_PLAN;
  __atomic_store_n(&plans[handle], nullptr, __ATOMIC_RELEASE);
  if (plan->owns_work) ::cudaFree(plan->work);
  delete plan;
  return CUFFT_SUCCESS;
}

WARPMARK_IF_CALLED
cufftResult create_and_make(cufftHandle* handle, const Wanted& wanted) {
  cufftResult result = create(handle);
  if (result != CUFFT_SUCCESS) return result;
  result = make<>(*handle, wanted, nullptr);
  if (result != CUFFT_SUCCESS) destroy(*handle);
  return result;
}

inline Wanted simple(cufftType type, Index batch, int rank, Index n0, Index n1 = 1, Index n2 = 1) {
  return {rank, {n0, n1, n2}, false, {}, {}, type, batch};
}
// Converts the arguments of cufftPlanMany to a plan request. As cuFFT documents, null for inembed or onembed
// selects the default layout for input and output.
template <typename Int>
Wanted many(int rank, const Int* n, const Int* inembed, Index istride, Index idist, const Int* onembed,
            Index ostride, Index odist, cufftType type, Index batch) {
  Wanted wanted{rank, {1, 1, 1}, false, {{1, 1, 1}, istride, idist}, {{1, 1, 1}, ostride, odist},
                type, batch};
  if (rank < 1 || rank > kMaxRank || n == nullptr) {
    wanted.rank = 0;
    return wanted;
  }
  wanted.advanced = inembed != nullptr && onembed != nullptr;
  for (int i = 0; i < rank; ++i) {
    wanted.sizes[i] = n[i];
    if (!wanted.advanced) continue;
    wanted.input.sizes[kMaxRank - rank + i] = inembed[i];
    wanted.output.sizes[kMaxRank - rank + i] = onembed[i];
  }
  return wanted;
}

}  // namespace warpmark_fft
