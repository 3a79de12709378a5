/* SPDX-License-Identifier: MIT
 * A name that is none of those that are known: for error texts. */
#ifndef HIT_BASE_NAMES_H
#define HIT_BASE_NAMES_H

#include <stddef.h>

/** The names that are known, beside the one that was found. */
typedef struct hit_names {
    const char *found;
    size_t length;       /**< of what was found */
    size_t used;         /**< characters of the list */
    size_t last;         /**< where the last name of it begins */
    size_t least;        /**< the fewest changes that make a known name of it */
    const char *nearest; /**< that name; NULL: none is near */
    char list[1280];     /**< ends early where there are more */
    char hint[96];
} hit_names;

/** Begin with what was found: @p length characters of @p found. */
void hit_names_begin(hit_names *names, const char *found, size_t length);
/** Add a name that is known; it is kept until the texts have been read. */
void hit_names_add(hit_names *names, const char *name);
/** "a, b or c": call it once, after the last name. */
const char *hit_names_list(hit_names *names);
/** "; did you mean "b"?", or "" if no name is near. */
const char *hit_names_hint(hit_names *names);

#endif
