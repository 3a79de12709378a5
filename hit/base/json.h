/* SPDX-License-Identifier: MIT
 * JSON: commas, keys and quotes. What is written is one line. */
#ifndef HIT_BASE_JSON_H
#define HIT_BASE_JSON_H

#include "hit/base/types.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

HIT_C_BEGIN

/** A value that is being written; begins as {file}. */
typedef struct hit_json {
    FILE *file;
    unsigned depth;
    uint32_t lists; /**< bit: this level is a list, not an object */
    uint32_t more;  /**< bit: this level has something already */
} hit_json;

/* @p key is the member's name in an object, NULL elsewhere. */

HIT_API void hit_json_object(hit_json *json, const char *key);
HIT_API void hit_json_list(hit_json *json, const char *key);
/** Of the innermost object or list. */
HIT_API void hit_json_end(hit_json *json);
/** Of all that is open, and of the line. */
HIT_API void hit_json_end_line(hit_json *json);

/** NULL is null. */
HIT_API void hit_json_text(hit_json *json, const char *key, const char *text);
HIT_API void hit_json_whole(hit_json *json, const char *key, int64_t number);
HIT_API void hit_json_count(hit_json *json, const char *key, uint64_t number);
/** As @p format says, "%.6f"; what is not finite is null. */
HIT_API void hit_json_real(hit_json *json, const char *key, const char *format,
                           double number);
HIT_API void hit_json_truth(hit_json *json, const char *key, bool truth);
/** What is JSON already. */
HIT_API void hit_json_raw(hit_json *json, const char *key, const char *text, size_t size);
/** A list of numbers. */
HIT_API void hit_json_indices(hit_json *json, const char *key, hit_index count,
                              const hit_index number[]);

HIT_C_END

#endif
