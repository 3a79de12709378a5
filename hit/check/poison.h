/* SPDX-License-Identifier: MIT
 * Internal to hit/check: contents that no program has, by which it shows whether an
 * element is written, and whether what it held before matters. */
#ifndef HIT_CHECK_POISON_H
#define HIT_CHECK_POISON_H

#include "patterns/kernel.h"

/** Kinds of poison; any two of them differ in every type. */
typedef enum hit_poison {
    HIT_POISON_NAN, /**< spreads through arithmetic; integers: a low number */
    HIT_POISON_HIGH,
    HIT_POISON_LOW
} hit_poison;

/** One element of poison. @p element has room for type.size_bytes. */
void hit_poison_make(hit_poison kind, hit_type type, void *element);
/** A number that hardly any other is beyond, and with which a body may compute. */
void hit_poison_edge(bool high, hit_type type, void *element);
/** What two runs with different poison made of an element. */
typedef enum hit_poison_trace {
    HIT_POISON_LEFT,  /**< nothing: it is not written */
    HIT_POISON_GONE,  /**< it is written */
    HIT_POISON_SPREAD /**< what is written depends on what was there */
} hit_poison_trace;

/** @p before and @p after: the poison put there, and what was found afterwards, in the
 * first and in the second run. Padding that structs keep is no dependence. */
hit_poison_trace hit_poison_compare(hit_type type, const hit_poison before[2],
                                    const char *const after[2]);
/** Does a reduction that starts from @p start and gives @p result, and @p plain from the
 * identity, keep to its mode? */
bool hit_poison_reduces(hit_mode mode, hit_type type, const void *start,
                        const void *plain, const void *result);
/** A start other than the identity, by which the mode of a reduction shows; @p plain as
 * above. */
void hit_poison_start(hit_mode mode, hit_type type, const void *plain, void *start);
#endif
