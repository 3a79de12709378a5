/* SPDX-License-Identifier: MIT
 * Internal: kinds of elements. */
#ifndef HIT_BASE_KIND_H
#define HIT_BASE_KIND_H

#include "hit/base/types.h"

/** The C types of numbers, for error texts. */
#define HIT_KIND_NUMBERS "a C type of real, complex or whole numbers, or bool,"

#define HIT_KIND_NUMBER(KIND, name, c_type, letter) HIT_KIND_NUMBER_##KIND,
enum { /* how many kinds there are, with bytes */
    HIT_KIND_NUMBER_BYTES,
    HIT_KINDS(HIT_KIND_NUMBER) HIT_KIND_COUNT
};

typedef struct hit_kind_info {
    const char *name;   /**< "float", "int32"; "plain bytes" */
    const char *c_name; /**< "float", "int32_t"; "..." */
    size_t size_bytes;  /**< 0: of any size */
    char letter;        /**< of HIT_KINDS; 'V' for bytes */
} hit_kind_info;

/** Its line of the table of kinds; that of bytes for what is none. */
const hit_kind_info *hit_kind_find(hit_kind kind);
/** "float", "int32" ...; "plain bytes" for all other types. */
const char *hit_kind_name(hit_kind kind);
/** "float", "12 bytes". @p text is for the latter. */
const char *hit_kind_type_name(hit_type type, char text[32]);
/** "float32", "uint8", "bool": as NumPy and Zarr name it; "" for bytes. */
void hit_kind_numpy_name(hit_kind kind, char text[16]);
static inline bool hit_kind_is_real(hit_kind kind)
{
    const char letter = hit_kind_find(kind)->letter;

    return letter == 'f' || letter == 'e' || letter == 'E';
}
static inline bool hit_kind_is_complex(hit_kind kind)
{
    return hit_kind_find(kind)->letter == 'c';
}
/** A truth is one: 0 or 1. */
static inline bool hit_kind_is_whole(hit_kind kind)
{
    const char letter = hit_kind_find(kind)->letter;

    return letter == 'i' || letter == 'u' || letter == 'b';
}

/** Write @p number, cut to what the type holds; bytes become 0. */
void hit_type_set(hit_type type, double number, void *element);
/** What lies between 1 and the next number of a type, or of its parts; 0 for whole
 * numbers and bytes. */
double hit_type_unit(hit_type type);
/** The value of an element, or its real part; 0 for bytes. */
double hit_type_get(hit_type type, const void *element);
/** The imaginary part; 0 for all others. */
double hit_type_imaginary(hit_type type, const void *element);
/** How far two elements are apart, or their parts that are farther; @p other NULL: 0. */
double hit_type_apart(hit_type type, const void *one, const void *other);
/** Print it so that it can be told from all others; the first bytes of bytes. */
void hit_type_print(hit_type type, const void *element, char *text, size_t size);
/** Write the whole number @p from, or a truth, as one of another type. False: one of the
 * types is none of these, or @p to cannot hold it. */
bool hit_type_convert(hit_type from, const void *element, hit_type to, void *converted);

#endif
