// Not simulated: said by name.
#error 'cooperative_groups/memcpy_async.h' is unavailable: not simulated by Warpmark
