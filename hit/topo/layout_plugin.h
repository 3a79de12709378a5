/* SPDX-License-Identifier: MIT
 * The interface of layout plug-ins. A plug-in is given sizes, weights and options; it
 * does not measure and knows no MPI. */
#ifndef HIT_TOPO_LAYOUT_PLUGIN_H
#define HIT_TOPO_LAYOUT_PLUGIN_H

#include "hit/data/region.h"
#include "hit/topo/layout.h"

HIT_C_BEGIN

/** What a plug-in is given: the domain to split, over how many ranks, and the options of
 * the text after the colon, sorted by key: "weighted:weights=1,2,3,dim=1" has two
 * options, dim and weights (what follows a comma and has no '=' belongs to the value
 * before it). */
typedef struct hit_layout_spec {
    hit_domain domain;
    int ranks;
    int options;
    const char *const *key;
    const char *const *value;
    const struct hit_layout_ops *ops; /**< the plug-in itself, for messages */
    const int *local; /**< each rank's number on its host; NULL where that is unknown */
} hit_layout_spec;

struct hit_fpm;

/** One distribution that a search wants to be measured, or the last word. */
typedef struct hit_layout_offer {
    char *options;      /**< in whole numbers, for create. @owner the caller: free() */
    double *kill_s;     /**< room for one per rank: longer times may be given as INFINITY;
                             < 0: not to be measured */
    const char *reason; /**< why this is the last word; NULL: it is to be measured */
    char note[64];      /**< for the log */
    bool exact;         /**< measure it well even if it is far from balanced */
} hit_layout_offer;

/** How a plug-in is balanced by measuring (option kernel=): a state machine without MPI.
 * It runs on one process, which tells the others. A unit is an element of the domain. */
typedef struct hit_layout_search_ops {
    /** The dimensions that are cut; parts hold all of the others.
     * @shape cut: one per dimension @errors as create of the plug-in */
    hit_status (*cut)(const hit_layout_spec *spec, bool cut[]);
    /** Begin. @shape seed: a model per rank, NULL where there is none; borrowed
     * @param noise relative half-width that times have @owner *search, NULL before:
     * destroy, also after a failure */
    hit_status (*create)(const hit_layout_spec *spec, const struct hit_fpm *const seed[],
                         double noise, void **search);
    void (*destroy)(void *search);
    /** Take the seconds of all ranks for what was offered last (NULL: the first call),
     * and make the next offer. */
    hit_status (*next)(void *search, const double seconds[], hit_layout_offer *offer);
} hit_layout_search_ops;

/** A layout plug-in: one const struct. @p state is what create made. All functions are
 * pure: the same spec gives the same answers on every process. */
typedef struct hit_layout_ops {
    const char *name;
    const char *help; /**< one line: the options and their meaning */
    /** Check the options, make the state (NULL is fine), which is destroyed also after a
     * failure. @errors HIT_E_ARG: not for this plug-in */
    hit_status (*create)(const hit_layout_spec *spec, void **state);
    void (*destroy)(void *state); /**< may be NULL where create makes no state */
    /** Append what @p rank owns to the empty @p part: disjoint domains, possibly none.
     * Always in the same order. @errors HIT_E_NOMEM */
    hit_status (*part)(const hit_layout_spec *spec, const void *state, int rank,
                       hit_region *part);
    /** The rank that owns an element of the domain. */
    int (*owner)(const hit_layout_spec *spec, const void *state, const hit_index index[]);
    /** May be NULL. The domain of the owner's part that holds an element, without a look
     * at the others. */
    void (*box)(const hit_layout_spec *spec, const void *state, const hit_index index[],
                hit_domain *box);
    /** Can dimension @p dim be cut, so that a rank does not own all of its extent? */
    bool (*splits)(const hit_layout_spec *spec, const void *state, int dim);
    /** May be NULL. For options that are fractions or name files: the same in whole
     * numbers, as a text of options, which create then gets; *options stays NULL where
     * they are whole already. Called on one process only, which tells the others: two
     * machines may round differently. @owner *options: allocated, the caller's
     * @errors as create; HIT_E_IO; HIT_E_LIMIT all processes together cannot
     * take all */
    hit_status (*resolve)(const hit_layout_spec *spec, char **options);
    /** May be NULL: there is no option kernel=. */
    const hit_layout_search_ops *search;
    /** May be NULL. What plug-ins that share their functions differ in, which these find
     * as spec->ops->of. */
    const void *of;
    /** The keys of its options, NULL-terminated: others are refused before create and
     * resolve. NULL: create looks itself, as by hit_layout_only() */
    const char *const *options;
} hit_layout_ops;

/** The layouts that come with the library (layouts/table.c), and how many. */
HIT_API extern const hit_layout_ops *const hit_layout_table[];
HIT_API extern const int hit_layout_table_count;

/** As hit_layout_create() for any number of ranks and without a context; not collective.
 * For planning: ranks may be 10,000 on a laptop. @p ops is one plug-in. */
HIT_API hit_status hit_layout_plan(const hit_layout_ops *ops, hit_domain domain,
                                   int ranks, const char *options, hit_layout **layout);

/** The same for a text as hit_layout_create() reads it.
 * @param context  whose plug-ins are known beside the library's; may be NULL */
HIT_API hit_status hit_layout_plan_text(hit_context *context, hit_domain domain,
                                        int ranks, const char *text, hit_layout **layout);
/** Add a plug-in of the program: afterwards its name can be used in hit_layout_create().
 * @owner *ops is borrowed until hit_close() @errors HIT_E_ARG a name that exists;
 * HIT_E_NOMEM */
HIT_API hit_status hit_layout_register(hit_context *context, const hit_layout_ops *ops);

HIT_C_END

#endif
