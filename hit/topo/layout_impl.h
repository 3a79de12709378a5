/* SPDX-License-Identifier: MIT
 * Internal to hit/topo and hit/context.c: what a layout is made of. */
#ifndef HIT_TOPO_LAYOUT_IMPL_H
#define HIT_TOPO_LAYOUT_IMPL_H

#include "hit/topo/layout.h"

struct hit_layout_registry;

struct hit_layout {
    hit_context *context; /**< NULL when it was made for planning */
    int references;
    const hit_layout_ops *ops;
    hit_layout_spec spec;
    void *state;
    char *text;         /**< the keys and values of spec point into it */
    const char **words; /**< the arrays key and value of spec */
    uint64_t key;
};

/** Read the options @p text (NULL: none) into layout->spec; layout->ops must be set.
 * @owner text and words of *layout, also on failure: free() */
hit_status hit_layout_options_read(const char *text, hit_layout *layout);

/** Ask the plug-in of @p wanted to turn @p options into whole numbers: on rank 0, which
 * tells the others what came out, or why nothing did; here where there are no others or
 * @p context is NULL.
 * @collective yes, with a context
 * @owner *resolved is the caller's: free(); NULL if the plug-in does not do that */
hit_status hit_layout_resolve(hit_context *context, const hit_layout_spec *wanted,
                              const char *options, char **resolved);

/** Forget the plug-ins of the program. Accepts NULL in *registry; sets it to NULL. */
void hit_layout_registry_destroy(struct hit_layout_registry **registry);

#endif
