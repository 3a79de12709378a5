/* SPDX-License-Identifier: MIT
 * Internal to hit/io: the dictionary in the head of a .npy file. NumPy has Python read
 * it (ast.literal_eval): so any spelling of Python's is right. */
#ifndef HIT_IO_NPY_DICT_H
#define HIT_IO_NPY_DICT_H

#include "hit/io/npy_text.h"

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
