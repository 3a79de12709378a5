/* SPDX-License-Identifier: MIT
 * Internal: kinds of elements. */
#ifndef HIT_BASE_KIND_H
#define HIT_BASE_KIND_H

#include "hit/base/types.h"

/** The C types of numbers, for error texts. */
#define HIT_KIND_NUMBERS "float, double, int32_t, int64_t or uint8_t"

typedef struct hit_kind_info {
    const char *name;   /**< "float", "int32"; "plain bytes" */
    const char *c_name; /**< "float", "int32_t"; "..." */
    size_t size_bytes;  /**< 0: of any size */
    char letter;        /**< as in numpy: 'f', 'i', 'u'; 'V' for bytes */
} hit_kind_info;

/** Its line of the table of kinds; that of bytes for what is none. */
const hit_kind_info *hit_kind_find(hit_kind kind);
/** "float", "int32" ...; "plain bytes" for all other types. */
const char *hit_kind_name(hit_kind kind);
/** Write @p number, cut to what the type holds; bytes become 0. */
void hit_type_set(hit_type type, double number, void *element);
/** What lies between 1 and the next number of a type; 0 for whole numbers and bytes. */
double hit_type_unit(hit_type type);
/** The value of an element; 0 for bytes. */
double hit_type_get(hit_type type, const void *element);

#endif
