/* SPDX-License-Identifier: MIT
 * Internal: what a layout is made of. */
#ifndef HIT_TOPO_LAYOUT_IMPL_H
#define HIT_TOPO_LAYOUT_IMPL_H

#include "hit/base/input.h"
#include "hit/base/text.h"
#include "hit/data/nearby.h"
#include "hit/topo/layout.h"
#include "hit/topo/layout_plugin.h"

/** What the parts of a layout have in common. */
typedef struct hit_layout_shape {
    bool known;                    /**< the parts have been looked at */
    bool dense;                    /**< all their boxes are */
    bool single;                   /**< each is one box at most */
    bool every;                    /**< none is empty */
    unsigned shared;               /**< axes, a bit each, which some box has not all of */
    hit_index least[HIT_MAX_DIMS]; /**< the smallest extents of a box */
    hit_index most;                /**< elements of the largest part */
} hit_layout_shape;

struct hit_layout {
    hit_context *context; /**< NULL when it was made for planning */
    int references;
    const hit_layout_ops *ops;
    hit_layout_spec spec;
    void *state;
    hit_option_list options; /**< keys and values of spec */
    uint64_t key;
    hit_layout_shape shape; /**< known where there is a tile of the layout */
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

/** What @p rank owns of @p box, which is in the domain: its part, clipped. Where one
 * domain of a part holds all of the box (hit_layout_box()), no other one is looked at.
 * @owner as hit_layout_part() */
hit_status hit_layout_part_in(const hit_layout *layout, int rank, const hit_domain *box,
                              hit_region *part);
/** Can dimension @p dim be cut? Of NULL: no. */
bool hit_layout_splits(const hit_layout *layout, int dim);
/** A number that is equal for layouts that answer alike (same plug-in, domain, ranks,
 * options); 0 for NULL. */
uint64_t hit_layout_key(const hit_layout *layout);

/** Let its shape be known: looks at all parts, once. @errors HIT_E_NOMEM */
hit_status hit_layout_look(hit_layout *layout);

/* layout_boxes.c: layouts by the boxes of each rank, as the options of the layout
 * "boxes". */

/** What a rank owns that owns nothing, in the option own= of the layout "boxes". */
#define HIT_BOXES_NONE "none"

/** The layout "boxes" of @p part: the boxes of each rank of @p ranks.
 * @errors HIT_E_ARG they are not disjoint, or together not the domain; HIT_E_NOMEM */
hit_status hit_layout_boxes(hit_context *context, hit_domain domain, int ranks,
                            const hit_region part[], hit_layout **layout);

/* layout_plugin.c: plug-ins by name. */

/** The plug-in that @p text names, "block:processes=2x2", and where its options begin.
 * @errors HIT_E_ARG no such plug-in, with those that there are */
hit_status hit_layout_read(hit_context *context, const char *text,
                           const hit_layout_ops **ops, const char **options);

/* layout_text.c: the options of a layout. */

/** Read the options @p text (NULL: none) into layout->spec; layout->ops must be set.
 * @owner layout->options, also on failure: hit_option_clear() */
hit_status hit_layout_options_read(const char *text, hit_layout *layout);

/* layout_print.c: layouts as text. */

/** Add what hit_layout_print() prints, but no rank or box behind @p most characters.
 * @errors HIT_E_NOMEM */
hit_status hit_layout_add_text(const hit_layout *layout, size_t most, hit_growing *text);

/* owners.c: the ranks that may own some of a box, found without a look at all ranks. */

/** A set of ranks. {0} is empty. */
typedef struct hit_owners {
    bool all;  /**< of the layout, and no list: they are many, or cannot be found so */
    int count; /**< in the list; a rank may be there twice until hit_owners_sort() */
    size_t room;
    int *rank;
    int walked; /**< parts' boxes that were looked at */
} hit_owners;

/** Add the ranks of @p layout that own elements in @p box; maybe a few more.
 * @owner the caller: hit_owners_clear() @errors HIT_E_NOMEM */
hit_status hit_owners_add(const hit_layout *layout, const hit_hull *box,
                          hit_owners *owners);
bool hit_owners_has(const hit_owners *owners, int rank);
/** Ascending, each once. */
void hit_owners_sort(hit_owners *owners);
void hit_owners_clear(hit_owners *owners);

#endif
