// Not simulated: said by name.
#error 'cuda_bf16.h' is unavailable: not simulated by Warpmark
