// Not simulated: said by name.
#error 'curand_kernel.h' is unavailable: not simulated by Warpmark
