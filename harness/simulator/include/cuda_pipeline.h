// Not simulated: said by name.
#error 'cuda_pipeline.h' is unavailable: not simulated by Warpmark
