// The working type. Host and devices round alike: no contraction of a * b + c, fma() only where it is written.
#pragma OPENCL FP_CONTRACT OFF
#ifdef ATOLL_SINGLE
typedef float real;
typedef uint real_bits;
#define AS_REAL(bits) as_float(bits)
#define AS_BITS(value) as_uint(value)
#define REAL_EXPONENT_BITS 8
#define REAL_MANTISSA_BITS 23
#else
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
typedef double real;
typedef ulong real_bits;
#define AS_REAL(bits) as_double(bits)
#define AS_BITS(value) as_ulong(value)
#define REAL_EXPONENT_BITS 11
#define REAL_MANTISSA_BITS 52
#endif
#define ATOLL_FUNCTION static inline
#define ATOLL_WORDS(a, b, c, d) ((uint4)((a), (b), (c), (d)))
