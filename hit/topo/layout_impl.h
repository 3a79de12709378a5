/* SPDX-License-Identifier: MIT
 * Internal to hit/topo and hit/context.c: what a layout is made of. */
#ifndef HIT_TOPO_LAYOUT_IMPL_H
#define HIT_TOPO_LAYOUT_IMPL_H

#include "hit/base/option.h"
#include "hit/topo/layout.h"

struct hit_layout_registry;

struct hit_layout {
    hit_context *context; /**< NULL when it was made for planning */
    int references;
    const hit_layout_ops *ops;
    hit_layout_spec spec;
    void *state;
    hit_option_list options; /**< keys and values of spec */
    uint64_t key;
};

/** Read the options @p text (NULL: none) into layout->spec; layout->ops must be set.
 * @owner layout->options, also on failure: hit_option_clear() */
hit_status hit_layout_options_read(const char *text, hit_layout *layout);

/** The plug-in that @p text names, "block:processes=2x2", and where its options begin.
 * @errors HIT_E_ARG no such plug-in, with those that there are */
hit_status hit_layout_read(hit_context *context, const char *text,
                           const hit_layout_ops **ops, const char **options);

/** Do the options ask to be found by measuring (kernel=)? @errors HIT_E_ARG, HIT_E_NOMEM
 */
hit_status hit_layout_asks_search(const hit_layout_spec *wanted, const char *options,
                                  bool *asks);

/** Let the plug-in of @p wanted turn @p options into whole numbers.
 * @owner *resolved is the caller's: free(); NULL if the plug-in does not do that */
hit_status hit_layout_resolve_here(const hit_layout_spec *wanted, const char *options,
                                   char **resolved);

/** Make a layout of options that are whole numbers where that matters. */
hit_status hit_layout_make(hit_context *context, const hit_layout_spec *wanted,
                           const char *options, hit_layout **layout);

/** Forget the plug-ins of the program. Accepts NULL in *registry; sets it to NULL. */
void hit_layout_registry_destroy(struct hit_layout_registry **registry);

#endif
