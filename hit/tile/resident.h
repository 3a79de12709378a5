/* SPDX-License-Identifier: MIT
 * Internal to the library: what lies in the memory of the device between launches, and
 * where the truth is. */
#ifndef HIT_TILE_RESIDENT_H
#define HIT_TILE_RESIDENT_H

#include "hit/data/ndcopy.h"
#include "hit/data/region.h"

struct hit_storage;

/** A box of elements in the memory of the device. For every element of a tile there is
 * one truth: a dirty element is held by one resident, which is newer than the host's
 * memory and than all other residents; any other element is right in the host's memory,
 * and wherever a resident says it is valid. */
typedef struct hit_resident {
    struct hit_residents *all;
    struct hit_home *home;
    int piece;     /**< of the storage */
    hit_view view; /**< in the memory of the device; its domain is the box */
    size_t size_bytes;
    hit_region valid; /**< inside the box */
    hit_region dirty; /**< inside valid */
    uint64_t last_used;
    bool pinned; /**< the launch under way uses it */
    struct hit_resident *sibling;
    struct hit_resident *next;
} hit_resident;

/** Those that hold elements of one tile's memory, or of a launch's temporary pieces. */
typedef struct hit_home {
    struct hit_storage *storage; /**< NULL: temporary, the host's memory holds nothing */
    hit_resident *first;
} hit_home;

/** All that the device of a context holds. */
typedef struct hit_residents {
    struct hit_device *device;
    hit_resident *first;
    uint64_t clock;
    uint64_t bytes_in;  /**< to the device */
    uint64_t bytes_out; /**< and from it */
} hit_residents;

/** What a launch wants on the device. */
typedef struct hit_wish {
    hit_home *home;
    int piece;
    bool load;            /**< false: all of the need will be overwritten */
    bool writes;          /**< the launch does */
    const hit_view *host; /**< where the elements are on the host */
    hit_domain need;
    hit_domain written; /**< of the need, if it writes */
    hit_domain box; /**< to be allocated if nothing holds the need: the need, or larger */
} hit_wish;

/** Let one resident hold each wish, and pin it. What is not pinned gives way, clean ones
 * first, then those that were not used for longest; dirty elements go to the host before.
 * @errors HIT_E_LIMIT, HIT_E_NOMEM (the boxes do not fit together); nothing is pinned
 * then */
hit_status hit_residents_acquire(hit_residents *all, int count, const hit_wish wish[],
                                 hit_resident *found[]);
/** The launch has run, or failed: unpin what was found. What it wrote stays there; that
 * of a temporary piece goes to the host. */
hit_status hit_residents_release(hit_residents *all, int count, const hit_wish wish[],
                                 hit_resident *const found[]);

/** Make the host's memory right in @p box, a part of piece @p piece. */
hit_status hit_residents_sync(hit_residents *all, hit_home *home, int piece,
                              const hit_domain *box);
/** The host's memory was written, or will be: what is on the device of @p box is old. */
hit_status hit_residents_forget(hit_home *home, int piece, const hit_domain *box);
/** Elements of piece @p to that are elements of piece @p from of the same tile: element x
 * is element remap(x). */
typedef struct hit_image_pair {
    int from;
    int to;
    hit_remap remap;
} hit_image_pair;

/** Copy them where both are on the device; what could not be remains in *left, which has
 * no other elements. What residents hold of *left must have been forgotten. */
hit_status hit_residents_image(hit_residents *all, hit_home *home,
                               const hit_image_pair *pair, hit_region *left);
/** Free what belongs to @p home, with its content. */
void hit_residents_drop(hit_home *home);
/** Free all that is not pinned; dirty elements go to the host. */
hit_status hit_residents_evict(hit_residents *all);

/** Write which tiles the device holds: "now 2 MiB, next 1 MiB", or "none". Never more
 * than
 * @p size bytes. */
void hit_residents_print(const hit_residents *all, char *text, size_t size);

#endif
