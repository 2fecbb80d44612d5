// WARPMARK_THRUST_HEADER as packaged, and behind it what CUDA 13's brings along and programs rely on:
// iterators, policies and the algorithms that all others are made of. Not where one of them includes another.
#if defined(WARPMARK_WITHIN_THRUST)
#include_next WARPMARK_THRUST_HEADER
#else
#define WARPMARK_WITHIN_THRUST
#include_next WARPMARK_THRUST_HEADER

#include <thrust/advance.h>
#include <thrust/copy.h>
#include <thrust/distance.h>
#include <thrust/execution_policy.h>
#include <thrust/fill.h>
#include <thrust/for_each.h>
#include <thrust/generate.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/discard_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/swap.h>
#include <thrust/transform.h>
#undef WARPMARK_WITHIN_THRUST
#endif
