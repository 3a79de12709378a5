/* SPDX-License-Identifier: MIT
 * The plain types that every other header uses. Compiles as C11, C++17 and CUDA. */
#ifndef HIT_BASE_TYPES_H
#define HIT_BASE_TYPES_H

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

/** What the library knows of an element: enough to add, compare and print it. */
typedef enum hit_kind {
    HIT_KIND_BYTES, /**< any other type: it can be moved, not reduced */
    HIT_KIND_FLOAT,
    HIT_KIND_DOUBLE,
    HIT_KIND_INT32,
    HIT_KIND_INT64,
    HIT_KIND_UINT8
} hit_kind;

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
#define HIT_INT32 HIT_TYPE(HIT_KIND_INT32, sizeof(int32_t))
#define HIT_INT64 HIT_TYPE(HIT_KIND_INT64, sizeof(int64_t))
#define HIT_UINT8 HIT_TYPE(HIT_KIND_UINT8, sizeof(uint8_t))
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
