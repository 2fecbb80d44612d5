// Not simulated: said by name.
#error 'cublas_v2.h' is unavailable: not simulated by Warpmark
