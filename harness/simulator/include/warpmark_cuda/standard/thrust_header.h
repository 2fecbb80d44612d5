// Wrapper of a header of the installed Thrust, named by WARPMARK_THRUST_HEADER: includes this header, then
// the headers that CUDA 13's copy of it includes in addition (iterators, policies, basic algorithms). The
// second step is skipped while another wrapped Thrust header is being included.
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
