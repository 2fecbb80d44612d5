// __managed__ variables of programs; this header is prepended to each source. Host and device both use the
// host's variable. The variables are in a linker section of their own, whose bounds the linker provides; each
// file registers its part before clang's constructor registers the file's device variables.
#pragma once

#include "warpmark_cuda/host/host_runtime.h"

#undef __managed__
#if defined(__CUDA_ARCH__)
#define __managed__ __attribute__((device))
#else
#define __managed__ __attribute__((device, section("warpmark_managed")))
#endif

#if defined(__CUDA__) && !defined(__CUDA_ARCH__)
extern "C" {
extern char __start_warpmark_managed[] __attribute__((weak, visibility("hidden")));
extern char __stop_warpmark_managed[] __attribute__((weak, visibility("hidden")));
}
__attribute__((constructor(101))) static void __warpmark_tell_managed() {
  if (&__start_warpmark_managed[0] != nullptr)
    __cudaRegisterManagedRange(__start_warpmark_managed, __stop_warpmark_managed);
}
#endif
