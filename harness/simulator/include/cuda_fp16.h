// Not simulated: said by name.
#error 'cuda_fp16.h' is unavailable: not simulated by Warpmark
