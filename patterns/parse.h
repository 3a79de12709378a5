/* SPDX-License-Identifier: MIT
 * The text form of access patterns: "[i-1:i+1, j] [i, j-1:j+1]".
 *
 *   pattern    = box { box }                 a union of boxes over one tile
 *   box        = "[" [ range { "," range } ] "]"      "[]" is the scalar
 *   range      = ":" | [affine] ":" [affine] [ ":" stride ] | affine
 *   affine     = ["-"] term { ("+" | "-") term }
 *   term       = integer | name | integer "*" name | name "*" integer
 *
 * Ends are inclusive. A missing begin or end is the tile's own limit; stride is a
 * positive integer. */
#ifndef PATTERNS_PARSE_H
#define PATTERNS_PARSE_H

#include "patterns/pattern.h"

HIT_C_BEGIN

/** Parse @p text; names[0..dims-1] are the launch's index names.
 *
 * @owner  *pattern is the caller's until hit_pattern_clear()
 * @errors HIT_E_PATTERN with the text and a caret under the place; HIT_E_NOMEM
 */
HIT_API hit_status hit_pattern_parse(const char *text, int dims,
                                     const char *const names[], hit_pattern *pattern);

HIT_C_END

#endif
