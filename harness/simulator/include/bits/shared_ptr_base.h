// libstdc++ uses __attribute__((__noinline__)), which CUDA's macro __noinline__ breaks (clang 14).
#pragma once

#pragma push_macro("__noinline__")
#undef __noinline__
#include_next <bits/shared_ptr_base.h>
#pragma pop_macro("__noinline__")
