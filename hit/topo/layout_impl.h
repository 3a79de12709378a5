/* SPDX-License-Identifier: MIT
 * Internal: what a layout is made of. */
#ifndef HIT_TOPO_LAYOUT_IMPL_H
#define HIT_TOPO_LAYOUT_IMPL_H

#include "hit/base/input.h"
#include "hit/topo/layout_plugin.h"

struct hit_layout {
    hit_context *context; /**< NULL when it was made for planning */
    int references;
    const hit_layout_ops *ops;
    hit_layout_spec spec;
    void *state;
    hit_option_list options; /**< keys and values of spec */
    uint64_t key;
};

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

/** Can dimension @p dim be cut? Of NULL: no. */
bool hit_layout_splits(const hit_layout *layout, int dim);
/** A number that is equal for layouts that answer alike (same plug-in, domain, ranks,
 * options); 0 for NULL. */
uint64_t hit_layout_key(const hit_layout *layout);

#endif
