// Not simulated: said by name.
#error 'curand.h' is unavailable: not simulated by Warpmark
