// `reals`: WIDTH numbers of the working type, `numbers`: the integers that comparing them gives.
#if WIDTH == 1
typedef real reals;
typedef int numbers;
#define LOAD_POINTS(at) (*(at))
#define STORE_NUMBERS(value, at) *(at) = (value)
#else
#define JOIN(a, b) a##b
#define VECTOR(type, width) JOIN(type, width)
#ifdef ATOLL_SINGLE
typedef VECTOR(float, WIDTH) reals;
typedef VECTOR(int, WIDTH) numbers;
#else
typedef VECTOR(double, WIDTH) reals;
typedef VECTOR(long, WIDTH) numbers;
#endif
#define LOAD_POINTS(at) VECTOR(vload, WIDTH)(0, at)
#define STORE_NUMBERS(value, at) VECTOR(vstore, WIDTH)(VECTOR(convert_int, WIDTH)(value), 0, at)
#endif
