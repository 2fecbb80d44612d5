// Template-like header that defines an 8-bit floating-point class and its vectors of 2 and 4; cuda_fp8.h
// includes it once per format. Parameters: the class names WARPMARK_F8, WARPMARK_F8X2 and WARPMARK_F8X4, and
// the format WARPMARK_F8_KIND. Conversions to the class saturate.
struct __align__(1) WARPMARK_F8 {
  __nv_fp8_storage_t __x;
  WARPMARK_F8() = default;
  WARPMARK_CLASS explicit WARPMARK_F8(const __half f)
      : __x(__nv_cvt_halfraw_to_fp8((__half_raw)f, __NV_SATFINITE, WARPMARK_F8_KIND)) {}
  WARPMARK_CLASS explicit WARPMARK_F8(const __nv_bfloat16 f)
      : __x(__nv_cvt_bfloat16raw_to_fp8((__nv_bfloat16_raw)f, __NV_SATFINITE, WARPMARK_F8_KIND)) {}
  WARPMARK_CLASS explicit WARPMARK_F8(const float f)
      : __x(__nv_cvt_float_to_fp8(f, __NV_SATFINITE, WARPMARK_F8_KIND)) {}
  WARPMARK_CLASS explicit WARPMARK_F8(const double f)
      : __x(__nv_cvt_double_to_fp8(f, __NV_SATFINITE, WARPMARK_F8_KIND)) {}
  WARPMARK_CLASS explicit operator __half() const {
    return __half(__nv_cvt_fp8_to_halfraw(__x, WARPMARK_F8_KIND));
  }
  WARPMARK_CLASS explicit operator float() const {
    return (float)__half(__nv_cvt_fp8_to_halfraw(__x, WARPMARK_F8_KIND));
  }
  WARPMARK_CLASS explicit operator __nv_bfloat16() const {
    return __nv_bfloat16((float)*this);
  }
  WARPMARK_CLASS explicit operator double() const {
    return (double)(float)*this;
  }
  WARPMARK_CLASS explicit operator bool() const {
    return (__x & 0x7f) != 0;
  }
  WARPMARK_CLASS explicit operator char() const {
    return warpmark_integer_of<char>((float)*this);
  }
  WARPMARK_CLASS explicit operator signed char() const {
    return warpmark_integer_of<signed char>((float)*this);
  }
  WARPMARK_CLASS explicit operator unsigned char() const {
    return warpmark_integer_of<unsigned char>((float)*this);
  }
#define WARPMARK_F8_INTEGER(Integer)                                                    \
  WARPMARK_CLASS explicit WARPMARK_F8(const Integer value)                              \
      : __x(__nv_cvt_double_to_fp8((double)value, __NV_SATFINITE, WARPMARK_F8_KIND)) {} \
  WARPMARK_CLASS explicit operator Integer() const {                                    \
    return warpmark_integer_of<Integer>((float)*this);                                  \
  }
  WARPMARK_F8_INTEGER(short)
  WARPMARK_F8_INTEGER(unsigned short)
  WARPMARK_F8_INTEGER(int)
  WARPMARK_F8_INTEGER(unsigned int)
  WARPMARK_F8_INTEGER(long)
  WARPMARK_F8_INTEGER(unsigned long)
  WARPMARK_F8_INTEGER(long long)
  WARPMARK_F8_INTEGER(unsigned long long)
#undef WARPMARK_F8_INTEGER
};

struct __align__(2) WARPMARK_F8X2 {
  __nv_fp8x2_storage_t __x;
  WARPMARK_F8X2() = default;
  WARPMARK_CLASS explicit WARPMARK_F8X2(const __half2 f)
      : __x(__nv_cvt_halfraw2_to_fp8x2((__half2_raw)f, __NV_SATFINITE, WARPMARK_F8_KIND)) {}
  WARPMARK_CLASS explicit WARPMARK_F8X2(const __nv_bfloat162 f)
      : __x(__nv_cvt_bfloat16raw2_to_fp8x2((__nv_bfloat162_raw)f, __NV_SATFINITE, WARPMARK_F8_KIND)) {}
  WARPMARK_CLASS explicit WARPMARK_F8X2(const float2 f)
      : __x(__nv_cvt_float2_to_fp8x2(f, __NV_SATFINITE, WARPMARK_F8_KIND)) {}
  WARPMARK_CLASS explicit WARPMARK_F8X2(const double2 f)
      : __x(__nv_cvt_double2_to_fp8x2(f, __NV_SATFINITE, WARPMARK_F8_KIND)) {}
  WARPMARK_CLASS explicit operator __half2() const {
    return __half2(__nv_cvt_fp8x2_to_halfraw2(__x, WARPMARK_F8_KIND));
  }
  WARPMARK_CLASS explicit operator float2() const {
    WARPMARK_F8 low;
    WARPMARK_F8 high;
    low.__x = (__nv_fp8_storage_t)(__x & 0xff);
    high.__x = (__nv_fp8_storage_t)(__x >> 8);
    return float2{(float)low, (float)high};
  }
};

struct __align__(4) WARPMARK_F8X4 {
  __nv_fp8x4_storage_t __x;
  WARPMARK_F8X4() = default;
  WARPMARK_CLASS explicit WARPMARK_F8X4(const __half2 low, const __half2 high)
      : __x((unsigned int)WARPMARK_F8X2(high).__x << 16 | WARPMARK_F8X2(low).__x) {}
  WARPMARK_CLASS explicit WARPMARK_F8X4(const __nv_bfloat162 low, const __nv_bfloat162 high)
      : __x((unsigned int)WARPMARK_F8X2(high).__x << 16 | WARPMARK_F8X2(low).__x) {}
  WARPMARK_CLASS explicit WARPMARK_F8X4(const float4 f)
      : __x((unsigned int)WARPMARK_F8X2(float2{f.z, f.w}).__x << 16 | WARPMARK_F8X2(float2{f.x, f.y}).__x) {}
  WARPMARK_CLASS explicit WARPMARK_F8X4(const double4 f)
      : __x((unsigned int)WARPMARK_F8X2(double2{f.z, f.w}).__x << 16 | WARPMARK_F8X2(double2{f.x, f.y}).__x) {
  }
  WARPMARK_CLASS explicit operator float4() const {
    WARPMARK_F8X2 low;
    WARPMARK_F8X2 high;
    low.__x = (__nv_fp8x2_storage_t)(__x & 0xffff);
    high.__x = (__nv_fp8x2_storage_t)(__x >> 16);
    const float2 first = (float2)low;
    const float2 second = (float2)high;
    return float4{first.x, first.y, second.x, second.y};
  }
};
