/* SPDX-License-Identifier: MIT
 * The plain types that every other header uses. Compiles as C11, C++17 and CUDA. */
#ifndef HIT_BASE_TYPES_H
#define HIT_BASE_TYPES_H

#include "hit/base/complex.h"
#include "hit/base/half.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define HIT_API __attribute__((visibility("default")))
#define HIT_PRINTF(text, first) __attribute__((__format__(__printf__, text, first)))
#else
#define HIT_API
#define HIT_PRINTF(text, first)
#endif

/* Between these two are a header's functions, which C++ calls as those of C. */
#ifdef __cplusplus
#define HIT_C_BEGIN extern "C" {
#define HIT_C_END }
#else
#define HIT_C_BEGIN
#define HIT_C_END
#endif

/** The largest number of dimensions of a domain; nothing may assume its value. */
#define HIT_MAX_DIMS 4

/** The largest number of arguments of a kernel. */
#define HIT_MAX_ARGS 16

/** Indices of what a program gives, the domains of layouts and launches, lie within
 * -HIT_INDEX_LIMIT..HIT_INDEX_LIMIT; patterns and boundaries may reach twice as far. */
#define HIT_INDEX_LIMIT ((hit_index)1 << 60)

/** An index, a number of elements, or a distance between indices. */
typedef int64_t hit_index;

/** The kinds of elements that are numbers: DO(KIND, name, C type, letter as in NumPy).
 * All that has a case for each of them has it from here: a new kind is one row, and one
 * for its HIT_ below. The letter says what a row's numbers are: f real, i whole, u whole
 * without a sign, b true or false, c complex, e and E real and of 16 bits, as NumPy and
 * its extension ml_dtypes have them. */
#define HIT_KINDS(DO)                                                                    \
    DO(FLOAT, float, float, f)                                                           \
    DO(DOUBLE, double, double, f)                                                        \
    DO(INT8, int8, int8_t, i)                                                            \
    DO(INT16, int16, int16_t, i)                                                         \
    DO(INT32, int32, int32_t, i)                                                         \
    DO(INT64, int64, int64_t, i)                                                         \
    DO(UINT8, uint8, uint8_t, u)                                                         \
    DO(UINT16, uint16, uint16_t, u)                                                      \
    DO(UINT32, uint32, uint32_t, u)                                                      \
    DO(UINT64, uint64, uint64_t, u)                                                      \
    DO(BOOL, bool, bool, b)                                                              \
    DO(COMPLEX_FLOAT, complex_float, hit_complex_float, c)                               \
    DO(COMPLEX_DOUBLE, complex_double, hit_complex_double, c)                            \
    DO(HALF, half, hit_half, e)                                                          \
    DO(BFLOAT16, bfloat16, hit_bfloat16, E)
enum {
    HIT_MAX_NUMBER_BYTES = 16 /**< no number has more */
};
#define HIT_KIND_CONSTANT(KIND, name, c_type, letter) HIT_KIND_##KIND,

/** The kind of a whole number by its size. */
#define HIT_KIND_OF_WHOLE(size, is_signed)                                               \
    ((size) == 1   ? ((is_signed) ? HIT_KIND_INT8 : HIT_KIND_UINT8)                      \
     : (size) == 2 ? ((is_signed) ? HIT_KIND_INT16 : HIT_KIND_UINT16)                    \
     : (size) == 4 ? ((is_signed) ? HIT_KIND_INT32 : HIT_KIND_UINT32)                    \
                   : ((is_signed) ? HIT_KIND_INT64 : HIT_KIND_UINT64))

/** What the library knows of an element: enough to add, compare and print it. */
typedef enum hit_kind {
    HIT_KIND_BYTES, /**< any other type: it can be moved, not reduced */
    HIT_KINDS(HIT_KIND_CONSTANT)
    /* those of C types that have no row */
    HIT_KIND_CHAR = HIT_KIND_OF_WHOLE(1, (char)-1 < 1),
    HIT_KIND_LONG = HIT_KIND_OF_WHOLE(sizeof(long), 1),
    HIT_KIND_ULONG = HIT_KIND_OF_WHOLE(sizeof(long), 0),
    HIT_KIND_LLONG = HIT_KIND_OF_WHOLE(sizeof(long long), 1),
    HIT_KIND_ULLONG = HIT_KIND_OF_WHOLE(sizeof(long long), 0)
} hit_kind;

#ifndef __cplusplus
/** The kind of what @p c is; in C++ there is hit_kind_of (hit/hit_cxx.h). */
#define HIT_KIND_OF(c)                                                                   \
    _Generic((c), HIT_KINDS(HIT_KIND_CASE) default                                       \
             : _Generic((c), char                                                        \
                        : HIT_KIND_CHAR, long                                            \
                        : HIT_KIND_LONG, unsigned long                                   \
                        : HIT_KIND_ULONG, long long                                      \
                        : HIT_KIND_LLONG, unsigned long long                             \
                        : HIT_KIND_ULLONG, default                                       \
                        : HIT_KIND_BYTES))
#define HIT_KIND_CASE(KIND, name, c_type, letter)                                        \
    c_type:                                                                              \
    HIT_KIND_##KIND,
#endif

/** The element type of a tile or of a value argument. */
typedef struct hit_type {
    hit_kind kind;
    size_t size_bytes;
} hit_type;

#ifdef __cplusplus
#define HIT_TYPE(kind, size) (hit_type{kind, size})
#else
#define HIT_TYPE(kind, size) ((hit_type){kind, size})
#endif
#define HIT_FLOAT HIT_TYPE(HIT_KIND_FLOAT, sizeof(float))
#define HIT_DOUBLE HIT_TYPE(HIT_KIND_DOUBLE, sizeof(double))
#define HIT_INT8 HIT_TYPE(HIT_KIND_INT8, sizeof(int8_t))
#define HIT_INT16 HIT_TYPE(HIT_KIND_INT16, sizeof(int16_t))
#define HIT_INT32 HIT_TYPE(HIT_KIND_INT32, sizeof(int32_t))
#define HIT_INT64 HIT_TYPE(HIT_KIND_INT64, sizeof(int64_t))
#define HIT_UINT8 HIT_TYPE(HIT_KIND_UINT8, sizeof(uint8_t))
#define HIT_UINT16 HIT_TYPE(HIT_KIND_UINT16, sizeof(uint16_t))
#define HIT_UINT32 HIT_TYPE(HIT_KIND_UINT32, sizeof(uint32_t))
#define HIT_UINT64 HIT_TYPE(HIT_KIND_UINT64, sizeof(uint64_t))
#define HIT_BOOL HIT_TYPE(HIT_KIND_BOOL, sizeof(bool))
#define HIT_COMPLEX_FLOAT HIT_TYPE(HIT_KIND_COMPLEX_FLOAT, sizeof(hit_complex_float))
#define HIT_COMPLEX_DOUBLE HIT_TYPE(HIT_KIND_COMPLEX_DOUBLE, sizeof(hit_complex_double))
#define HIT_HALF HIT_TYPE(HIT_KIND_HALF, sizeof(hit_half))
#define HIT_BFLOAT16 HIT_TYPE(HIT_KIND_BFLOAT16, sizeof(hit_bfloat16))
/** Any element type, a struct for example, by its size. */
#define HIT_BYTES(c_type) HIT_TYPE(HIT_KIND_BYTES, sizeof(c_type))

/** A set of integers. Canonical: stride >= 1; end is an element (or the set is empty and
 * is (0, -1, 1)); a set of one element has stride 1. The functions of hit/data/sig.h
 * return canonical signatures; elements of a result that no longer fit 64 bits are left
 * out. */
typedef struct hit_sig {
    hit_index begin;
    hit_index end; /**< inclusive */
    hit_index stride;
} hit_sig;

/** What lies outside a tile's domain, where a pattern reaches over it. */
typedef enum hit_boundary {
    HIT_BOUNDARY_NONE,     /**< nothing: a pattern that leaves the domain is an error */
    HIT_BOUNDARY_CONSTANT, /**< one value */
    HIT_BOUNDARY_PERIODIC, /**< the other side: -1 is n-1 */
    HIT_BOUNDARY_CLAMP,    /**< the nearest element: -1 is 0, and so is -2 */
    HIT_BOUNDARY_MIRROR    /**< mirrored at the last element: -1 is 1 */
} hit_boundary;

/** The processes, devices and caches of one program; see hit/context.h. */
typedef struct hit_context hit_context;

/** What is run for every index of a launch; see hit/kernel.h and patterns/kernel.h. */
typedef struct hit_kernel hit_kernel;

#endif
