/* SPDX-License-Identifier: MIT
 * Internal: what the files of hit/check share. */
#ifndef HIT_CHECK_CHECK_IMPL_H
#define HIT_CHECK_CHECK_IMPL_H

#include "hit/check/check.h"
#include "hit/data/domain.h"
#include "patterns/kernel.h"

/* box.c: whole boxes are checked. */

/** The launch as a whole. */
hit_status hit_check_box(hit_replica *replica, hit_report *report);

/* shape.c: a set of elements as a few boxes. */

#define HIT_SHAPE_MAX 32

/** What one index touches. */
typedef struct hit_check_shape {
    hit_index at[HIT_MAX_DIMS]; /**< the index */
    hit_index elements;
    hit_domain hull;               /**< dense, or of the tile's strides */
    int count;                     /**< of boxes; -1: more than HIT_SHAPE_MAX */
    hit_domain box[HIT_SHAPE_MAX]; /**< their union is the set; they may overlap */
} hit_check_shape;

/** Cover what was recorded with boxes that hold nothing else, as few as a greedy search
 * finds: a star becomes its arms. Sets that are equal but for a translation get equal
 * boxes in equal order. @p tile gives the strides of neighbours. @errors HIT_E_NOMEM */
hit_status hit_check_shape_make(const hit_record *record, const hit_domain *tile,
                                hit_check_shape *shape);

/* fit.c: from what some indices touch to an access pattern. */

/** Fit a pattern to the shapes of @p count indices, of which shape[0] is typical, others
 * differ from it in one dimension, and the rest are for verification. Sets the pattern
 * and what is said about it. @errors HIT_E_NOMEM */
hit_status hit_fit(const hit_replica *replica, int k, int count,
                   const hit_check_shape shape[], hit_inferred *inferred);

/* index.c: one index is checked. */

/** Check one index. */
hit_status hit_check_index(hit_checker *checker, const hit_index at[]);

/* mode.c: what a body does with an argument: in, out, inout, or a reduction. */

/** What was seen of one argument at some indices; {0} at first. */
typedef struct hit_mode_seen {
    bool read;      /**< results depend on what it held */
    bool written;   /**< at some index */
    bool kept;      /**< some touched element is not written */
    bool not_sum;   /**< it was seen not to be one */
    bool not_min;   /**< ... */
    bool not_max;   /**< ... */
    bool moved_sum; /**< something other than 0 was added */
} hit_mode_seen;

/** Look at argument @p k at index @p at. @errors as hit_recorder_run() */
hit_status hit_mode_look(hit_recorder *recorder, int k, const hit_index at[],
                         hit_mode_seen *seen);
/** The narrowest mode. @p shared: indices touch common elements, so that a reduction is
 * meant where one fits. */
hit_mode hit_mode_decide(const hit_mode_seen *seen, bool shared);

/* own.c */

/** Of an argument that is read and written, of which indices touch common elements, and
 * what the samples @p shape touch of it: where each index writes an element of its own,
 * let the pattern be "what is written <- what is read", and nothing be shared.
 * @errors as hit_recorder_run() */
hit_status hit_infer_own(hit_recorder *recorder, int k, int count,
                         const hit_check_shape shape[], hit_inferred *inferred);

/* poison.c: contents that no program has, by which it shows whether an element is
 * written, and whether what it held before matters. */

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

/* probe.c: what a kernel touches that cannot be recorded, found by changing what it
 * reads. */

/** Let recorder->of[k] hold what the host function of the kernel touches of argument @p k
 * at index @p at: what it writes, and what its results depend on. The copies are the same
 * afterwards. O(touched log(cells)) runs. @errors HIT_E_NOMEM, HIT_E_ABSENT more cells
 * than can be tried, and what the kernel returns */
hit_status hit_probe(hit_recorder *recorder, int k, const hit_index at[]);

/* sample.c: the indices of a launch that are looked at. */

/** All combinations of some positions per dimension. */
typedef struct hit_sample {
    hit_domain domain;
    bool whole; /**< every index of the domain */
    hit_index count[HIT_MAX_DIMS];
    hit_index *position[HIT_MAX_DIMS]; /**< ascending; NULL: all of the dimension */
    hit_index place[HIT_MAX_DIMS];     /**< of the index that is visited */
} hit_sample;

/** About @p most indices of a domain, or all where it has no more: its rim, and runs of
 * neighbours at places that depend on @p seed. Each dimension has at least 3 positions if
 * it is as long. @owner hit_sample_clear(), also on failure @errors HIT_E_NOMEM */
hit_status hit_sample_make(const hit_domain *domain, hit_index most, uint64_t seed,
                           hit_sample *sample);
void hit_sample_clear(hit_sample *sample);
/** A number from 0 to before @p end > 0, the next of those that begin with a seed. */
hit_index hit_sample_below(uint64_t *random, hit_index end);

/** How many indices it has. */
hit_index hit_sample_count(const hit_sample *sample);

/** Visit the indices in the order of the domain; false: there is none (more). @p number
 * is that of the index in the whole domain. */
bool hit_sample_first(hit_sample *sample, hit_index at[], hit_index *number);
bool hit_sample_next(hit_sample *sample, hit_index at[], hit_index *number);

/* tight.c: what is declared and never touched. */

/** What is declared, and whether any index touches it. */
hit_status hit_tight_init(hit_checker *checker, int k);

void hit_tight_mark(hit_checker *checker, int k, int expression, const hit_index at[]);

void hit_tight_report(hit_checker *checker);

#endif
