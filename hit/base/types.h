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

/** The largest number of dimensions of a domain; nothing may assume its value. */
#define HIT_MAX_DIMS 4

/** The largest number of arguments of a kernel. */
#define HIT_MAX_ARGS 16

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

/** The C types of numbers, for error texts. */
#define HIT_KIND_NUMBERS "float, double, int32_t, int64_t or uint8_t"

typedef struct hit_kind_info {
    const char *name;   /**< "float", "int32"; "plain bytes" */
    const char *c_name; /**< "float", "int32_t"; "..." */
    size_t size_bytes;  /**< 0: of any size */
    char letter;        /**< as in numpy: 'f', 'i', 'u'; 'V' for bytes */
} hit_kind_info;

#ifdef __cplusplus
extern "C" {
#endif
/** Its line of the table of kinds; that of bytes for what is none. */
const hit_kind_info *hit_kind_find(hit_kind kind);
/** "float", "int32" ...; "plain bytes" for all other types. */
HIT_API const char *hit_kind_name(hit_kind kind);
/** Write @p number, cut to what the type holds; bytes become 0. */
void hit_type_set(hit_type type, double number, void *element);
/** The value of an element; 0 for bytes. */
double hit_type_get(hit_type type, const void *element);
#ifdef __cplusplus
}
#endif

/** The processes, devices and caches of one program; see hit/context.h. */
typedef struct hit_context hit_context;

#endif
