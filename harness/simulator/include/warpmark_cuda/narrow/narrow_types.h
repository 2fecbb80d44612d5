// Template-like header that defines a 16-bit floating-point class, its pair and their raw forms. cuda_fp16.h
// and cuda_bf16.h include it with the class names in WARPMARK_N, WARPMARK_N_RAW, WARPMARK_N2 and
// WARPMARK_N2_RAW, and the format in WARPMARK_N_BITS, a class with from(float), from_double(double,
// WarpmarkRounding) and wide(bits).
struct WARPMARK_N_RAW {
  unsigned short x;
};
struct WARPMARK_N2_RAW {
  unsigned short x, y;
};

class __align__(2) WARPMARK_N {
 public:
  WARPMARK_N() = default;
  WARPMARK_CLASS WARPMARK_N(const WARPMARK_N_RAW& bits) : __x(bits.x) {}
  WARPMARK_CLASS WARPMARK_N(float value) : __x(WARPMARK_N_BITS::from(value)) {}
  WARPMARK_CLASS WARPMARK_N(double value) : __x(WARPMARK_N_BITS::from_double(value)) {}
  // Converts between the two 16-bit floating-point classes, half and bfloat16, by way of float.
  template <typename Other, decltype(Other::__warpmark_infinity)* = nullptr>
  WARPMARK_CLASS explicit WARPMARK_N(const Other& value)
      : __x(WARPMARK_N_BITS::from(value.__warpmark_wide())) {}
  WARPMARK_CLASS operator WARPMARK_N_RAW() const {
    return WARPMARK_N_RAW{__x};
  }
  WARPMARK_CLASS operator WARPMARK_N_RAW() const volatile {
    return WARPMARK_N_RAW{__x};
  }
  WARPMARK_CLASS operator float() const {
    return __warpmark_wide();
  }
  WARPMARK_CLASS operator bool() const {
    return (__x & 0x7fff) != 0;
  }
  WARPMARK_CLASS operator char() const {
    return warpmark_integer_of<char>(__warpmark_wide());
  }
  WARPMARK_CLASS operator signed char() const {
    return warpmark_integer_of<signed char>(__warpmark_wide());
  }
  WARPMARK_CLASS operator unsigned char() const {
    return warpmark_integer_of<unsigned char>(__warpmark_wide());
  }
  WARPMARK_CLASS WARPMARK_N& operator=(const WARPMARK_N_RAW& bits) {
    __x = bits.x;
    return *this;
  }
  // A 16-bit float class has one assignment operator per arithmetic type, without which assignment would be
  // ambiguous between constructors and conversions.
  WARPMARK_CLASS WARPMARK_N& operator=(float value) {
    return *this = WARPMARK_N(value);
  }
  WARPMARK_CLASS WARPMARK_N& operator=(double value) {
    return *this = WARPMARK_N(value);
  }
#define WARPMARK_N_INTEGER(Integer)                                                     \
  WARPMARK_CLASS WARPMARK_N(Integer value) : __x(__warpmark_from_integer(value).__x) {} \
  WARPMARK_CLASS operator Integer() const {                                             \
    return warpmark_integer_of<Integer>(__warpmark_wide());                             \
  }                                                                                     \
  WARPMARK_CLASS WARPMARK_N& operator=(Integer value) {                                 \
    return *this = WARPMARK_N(value);                                                   \
  }
  WARPMARK_N_INTEGER(short)
  WARPMARK_N_INTEGER(unsigned short)
  WARPMARK_N_INTEGER(int)
  WARPMARK_N_INTEGER(unsigned int)
  WARPMARK_N_INTEGER(long)
  WARPMARK_N_INTEGER(unsigned long)
  WARPMARK_N_INTEGER(long long)
  WARPMARK_N_INTEGER(unsigned long long)
#undef WARPMARK_N_INTEGER

  // Additional members of the 16-bit floating-point classes, which CUDA's classes lack: Warpmark's own
  // functions use them to access an object's bits and value.
  static const unsigned short __warpmark_infinity = WARPMARK_N_BITS::infinity;
  WARPMARK_CLASS static WARPMARK_N __warpmark_of_bits(unsigned short bits) {
    WARPMARK_N result;
    result.__x = bits;
    return result;
  }
  WARPMARK_CLASS unsigned short __warpmark_bits() const {
    return __x;
  }
  WARPMARK_CLASS static WARPMARK_N __warpmark_from(float value) {
    return __warpmark_of_bits(WARPMARK_N_BITS::from(value));
  }
  WARPMARK_CLASS static WARPMARK_N __warpmark_from_double(double value,
                                                          WarpmarkRounding how = WARPMARK_NEAREST) {
    return __warpmark_of_bits(WARPMARK_N_BITS::from_double(value, how));
  }
  WARPMARK_CLASS float __warpmark_wide() const {
    return WARPMARK_N_BITS::wide(__x);
  }
  template <typename Integer>
  WARPMARK_CLASS static WARPMARK_N __warpmark_from_integer(Integer value,
                                                           WarpmarkRounding how = WARPMARK_NEAREST) {
    return __warpmark_from_double(warpmark_double_of(value), how);
  }

 protected:
  unsigned short __x;
};

struct __align__(4) WARPMARK_N2 {
  WARPMARK_N x, y;

  WARPMARK_N2() = default;
  WARPMARK_CLASS WARPMARK_N2(const WARPMARK_N& first, const WARPMARK_N& second) : x(first), y(second) {}
  WARPMARK_CLASS WARPMARK_N2(const WARPMARK_N2_RAW& bits)
      : x(WARPMARK_N::__warpmark_of_bits(bits.x)), y(WARPMARK_N::__warpmark_of_bits(bits.y)) {}
  WARPMARK_CLASS operator WARPMARK_N2_RAW() const {
    return WARPMARK_N2_RAW{x.__warpmark_bits(), y.__warpmark_bits()};
  }

  WARPMARK_CLASS static WARPMARK_N2 __warpmark_of_bits(unsigned int bits) {
    return WARPMARK_N2(WARPMARK_N::__warpmark_of_bits((unsigned short)bits),
                       WARPMARK_N::__warpmark_of_bits((unsigned short)(bits >> 16)));
  }
  WARPMARK_CLASS unsigned int __warpmark_bits() const {
    return (unsigned int)y.__warpmark_bits() << 16 | x.__warpmark_bits();
  }
};
