/* SPDX-License-Identifier: MIT
 * Internal to hit/io: the head of a .npy file, as text; no file is touched. */
#ifndef HIT_IO_NPY_TEXT_H
#define HIT_IO_NPY_TEXT_H

#include "hit/base/status.h"

#include <stdbool.h>

enum {
    HIT_NPY_FIRST = 12,                   /**< bytes that say how long the head is */
    HIT_NPY_MOST = HIT_NPY_FIRST + 10000, /**< bytes of a head: NumPy's own limit, too */
    HIT_NPY_MAX_DIMS = 32                 /**< NumPy's own limit */
};

typedef struct hit_npy_head {
    char type[32]; /**< "<f4" */
    bool fortran;
    int dims;
    hit_index extent[HIT_NPY_MAX_DIMS];
} hit_npy_head;

/** "<f4", "|V12" on a machine that stores the least byte first. */
void hit_npy_type(hit_type type, char text[32]);
/** Does NumPy take @p text for that type? It has several names for each. */
bool hit_npy_type_is(hit_type type, const char *text);
/** Write a head of version 1.0; its size, a multiple of 64, or 0 if there is no room. */
size_t hit_npy_print(const hit_npy_head *head, char *text, size_t size);
/** The size of the whole head in bytes; @p first has HIT_NPY_FIRST. @errors HIT_E_IO */
hit_status hit_npy_size(const char *path, const char *first, size_t *size);
/** Read a whole head. @errors HIT_E_IO says what is wrong; begins with @p path */
hit_status hit_npy_parse(const char *path, const char *text, size_t size,
                         hit_npy_head *head);

#endif
