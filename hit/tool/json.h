/* SPDX-License-Identifier: MIT
 * What the subcommands write as JSON. */
#ifndef HIT_TOOL_JSON_H
#define HIT_TOOL_JSON_H

#include "hit/base/types.h"

/** Print @p text as a JSON string, with its quotes. */
void hit_json_text(const char *text);
/** Print {"status": @p status, "message": the text of the last failure}, and a newline.
 */
void hit_json_failure(const char *status);
/** Print [a, b, ...] of @p count numbers. */
void hit_json_numbers(hit_index count, const hit_index number[]);

#endif
