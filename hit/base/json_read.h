/* SPDX-License-Identifier: MIT
 * Internal: JSON as it is read: a text that was checked once, and values as stretches of
 * it. Nothing is copied or allocated. */
#ifndef HIT_BASE_JSON_READ_H
#define HIT_BASE_JSON_READ_H

#include "hit/base/status.h"

#include <stdbool.h>

/** A value with its quotes or brackets; {NULL, 0} where there is none. */
typedef struct hit_json_value {
    const char *text;
    size_t size;
} hit_json_value;

/** Is @p text, which '\0' ends, one value, at most 64 deep? @p name: for the text.
 * @errors HIT_E_IO where it is not */
hit_status hit_json_check(const char *name, const char *text, hit_json_value *value);
/** The next member of an object, or item of a list (*key is without text then). *at
 * begins as NULL. false: there are no more, or @p of is neither. */
bool hit_json_next(hit_json_value of, const char **at, hit_json_value *key,
                   hit_json_value *value);
/** A member of an object; of a longer path, "configuration" in "codecs", one by one. */
hit_json_value hit_json_member(hit_json_value object, const char *key);
/** Is it this text? */
bool hit_json_is(hit_json_value value, const char *text);
/** The text without quotes; false: it is none, too long, or has a backslash. */
bool hit_json_read_text(hit_json_value value, char *text, size_t size);
/** false: it is no whole number of 64 bits. */
bool hit_json_read_whole(hit_json_value value, hit_index *number);
/** Up to @p most whole numbers of a list; -1: it is no such list. */
int hit_json_read_list(hit_json_value value, int most, hit_index number[]);

#endif
