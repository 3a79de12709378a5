/* SPDX-License-Identifier: MIT
 * The text form of access patterns: "[i-1:i+1, j] [i, j-1:j+1]".
 *
 *   pattern    = boxes [ "<-" boxes ]        written, and what else of the tile is read
 *   boxes      = box { box }                 a union of boxes over one tile
 *   box        = "[" [ range { "," range } ] "]"      "[]" is the scalar
 *   range      = ":" | [affine] ":" [affine] [ ":" stride ] | affine
 *   affine     = ["-"] term { ("+" | "-") term } | lookup { ("+" | "-") product }
 *   term       = product [ fold ] | "(" sum ")" fold
 *   sum        = ["-"] product { ("+" | "-") product }
 *   fold       = ("/" | "%") factor          without an index, >= 1; of indices: once in
 *                                            an affine, beside numbers only; not of what
 *                                            a "-" stands before: "(-i)/2", "i-3/2"
 *   product    = factor { "*" factor }       at most one of them is an index
 *   factor     = integer | index | value
 *   stride     = product                    without an index, >= 1
 *   lookup     = argument [ box ]           beside numbers only, and without a stride
 *
 * Ends are inclusive. A quotient is rounded down, a remainder is 0 or more, also of
 * negative numbers. A missing begin or end is the tile's own limit. A value is a whole
 * number of each launch: what is parsed has that number in its place. A lookup stands for
 * the elements of another argument, which is only read and whose elements are whole
 * numbers: those in the box, or those that its own pattern says. */
#ifndef PATTERNS_PARSE_H
#define PATTERNS_PARSE_H

#include "patterns/kernel.h"
#include "patterns/pattern.h"

HIT_C_BEGIN

/** A name that stands for a number. */
typedef struct hit_pattern_value {
    const char *name;
    hit_index number;
} hit_pattern_value;

/** A tile argument in which ends may stand. */
typedef struct hit_pattern_source {
    const char *name;
    const char *pattern;               /**< its text */
    int arg;                           /**< its number among those of the kernel */
    const struct hit_extremes *values; /**< NULL: they are not known */
    hit_domain limits;                 /**< of the tile; set if values is */
} hit_pattern_source;

/** The names that a text may have. */
typedef struct hit_pattern_names {
    int dims;
    const char *const *index; /**< of the launch, dims of them */
    int values;
    const hit_pattern_value *value;
    int sources;
    const hit_pattern_source *source;
    int depth; /**< texts that led to this one by their lookups; 0 */
} hit_pattern_names;

/** Parse @p text; names[0..dims-1] are the launch's index names.
 *
 * @owner  *pattern is the caller's until hit_pattern_clear()
 * @errors HIT_E_PATTERN with the text and a caret under the place; HIT_E_NOMEM
 */
HIT_API hit_status hit_pattern_parse(const char *text, int dims,
                                     const char *const names[], hit_pattern *pattern);
/** The same with values. A range that is void by its values touches nothing, as
 * "[0:k-1]" does for k = 0. */
HIT_API hit_status hit_pattern_parse_with(const char *text,
                                          const hit_pattern_names *names,
                                          hit_pattern *pattern);

/** Which value arguments of @p kernel are named in the pattern of argument @p arg, or, if
 * that is -1, in any: a bit each. An index of the same name goes first. */
HIT_API unsigned hit_kernel_names(const hit_kernel *kernel, int arg);
/** The same of tile arguments in which ends of the pattern of @p arg stand. */
HIT_API unsigned hit_kernel_looks_in(const hit_kernel *kernel, int arg);
/** Which arguments are named in a text: values, or tiles. */
HIT_API unsigned hit_kernel_names_in(const hit_kernel *kernel, bool values,
                                     const char *text);
/** May ends stand in argument @p arg: is it only read, of whole numbers? */
HIT_API bool hit_kernel_is_source(const hit_kernel *kernel, int arg);
/** Parse the pattern of tile argument @p arg. number[k] is that of value argument k, if a
 * pattern names it; NULL: all of them are 1. Owner and errors as above. */
HIT_API hit_status hit_kernel_pattern(const hit_kernel *kernel, int arg,
                                      const hit_index number[], hit_pattern *pattern);
/** The same of a text, with what is known of the arguments in which ends stand, by their
 * numbers: values and limits of each; NULL: nothing. */
HIT_API hit_status hit_kernel_parse(const hit_kernel *kernel, const char *text,
                                    const hit_index number[],
                                    const hit_pattern_source known[],
                                    hit_pattern *pattern);

HIT_C_END

#endif
