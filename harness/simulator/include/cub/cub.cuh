// In front of a packaged CUB, whose kernels need nvcc.
#error 'cub/cub.cuh' is unavailable: not simulated by Warpmark
