// Not simulated: said by name.
#error 'mma.h' is unavailable: not simulated by Warpmark
