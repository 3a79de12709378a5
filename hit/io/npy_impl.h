/* SPDX-License-Identifier: MIT
 * Internal to hit/io: what the files of the format .npy share. */
#ifndef HIT_IO_NPY_IMPL_H
#define HIT_IO_NPY_IMPL_H

#include "hit/base/status.h"

#include <stdbool.h>

/* npy_text.c: the head of a .npy file, as text; no file is touched. */

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

/* npy_dict.c: the dictionary in the head of a .npy file. NumPy has Python read it
 * (ast.literal_eval): so any spelling of Python's is right. */

typedef enum hit_npy_kind {
    HIT_NPY_NONE, /**< the key is not there */
    HIT_NPY_STRING,
    HIT_NPY_NUMBER,
    HIT_NPY_TRUTH,
    HIT_NPY_TUPLE,
    HIT_NPY_OTHER /**< something that a head does not need */
} hit_npy_kind;

typedef struct hit_npy_value {
    hit_npy_kind kind;
    char text[32];    /**< of a string: its beginning */
    hit_index number; /**< of a number, 0 or 1 of a truth; -1: negative, or too large */
    int count;        /**< of a tuple */
    hit_index item[HIT_NPY_MAX_DIMS]; /**< numbers; -1 for what is no number */
} hit_npy_value;

typedef struct hit_npy_dict {
    hit_npy_value type;    /**< 'descr' */
    hit_npy_value fortran; /**< 'fortran_order' */
    hit_npy_value shape;   /**< 'shape' */
} hit_npy_dict;

/** Read @p text. A key that stands twice has the last value. @p longs: "3L" is a number,
 * as Python 2 wrote them.
 * @errors HIT_E_IO what was expected where; another key; begins with @p path */
hit_status hit_npy_dict_read(const char *path, const char *text, bool longs,
                             hit_npy_dict *dict);

#endif
