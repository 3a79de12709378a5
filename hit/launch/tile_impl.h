/* SPDX-License-Identifier: MIT
 * Internal to hit/launch: what tiles are made of. */
#ifndef HIT_LAUNCH_TILE_IMPL_H
#define HIT_LAUNCH_TILE_IMPL_H

#include "hit/launch/resident.h"
#include "hit/launch/tile.h"

/** The memory of a tile and of all its selections. Piece s of the owned part lies in
 * view[s], whose domain may be larger: halos are kept around the owned elements. */
typedef struct hit_storage {
    hit_context *context;
    hit_layout *layout;
    hit_type type;
    char *name;
    hit_boundary boundary[HIT_MAX_DIMS];
    void *constant; /**< one element: what HIT_BOUNDARY_CONSTANT gives */
    int pieces;
    hit_domain *owned;
    hit_view *view;
    uint64_t number;  /**< of the tile, from 1; equal on all processes */
    uint64_t version; /**< of this process's owned elements */
    int references;
    hit_home *home; /**< per device of the context: what it holds of it */
} hit_storage;

struct hit_tile {
    hit_storage *storage;
    hit_tile *parent;
    hit_domain domain;
    int pieces; /**< of the storage's, those that hold elements of the domain */
    int *piece; /**< their numbers */
    hit_domain *owned;
    hit_boundary boundary[HIT_MAX_DIMS]; /**< none on selections */
    uint64_t shape; /**< hash of all that plans depend on; equal tiles may share a plan */
};

/** Make the memory of piece @p piece cover @p box as well; what was in it stays. @errors
 * HIT_E_NOMEM */
hit_status hit_storage_cover(hit_storage *storage, int piece, const hit_domain *box);
/** What devices hold of it: nothing yet. @errors HIT_E_NOMEM */
hit_status hit_storage_make_homes(hit_storage *storage);
/** Before it goes: what waits for it runs, and devices forget it. */
void hit_storage_drop_homes(hit_storage *storage);
/** May a device hold some of it, or have it on its way? */
bool hit_storage_is_away(const hit_storage *storage);
/** Before the host looks at the elements @p box of piece @p piece of the storage (all
 * pieces of a tile, below): HIT_READ makes its memory right, HIT_WRITE says that what
 * devices hold will be old. @errors of a copy; HIT_E_NOMEM */
hit_status hit_storage_touch(hit_storage *storage, int piece, const hit_domain *box,
                             hit_intent intent);
hit_status hit_tile_touch(hit_tile *tile, hit_intent intent);
/** Set tile->shape after a change of what it depends on. */
void hit_tile_set_shape(hit_tile *tile);
/** HIT_E_ARG if the context of the tile has been closed. */
hit_status hit_tile_check_open(const hit_tile *tile);
/** Views of the owned pieces of @p tile, in the order of its pieces; @p views has room
 * for them. */
void hit_tile_owned_views(const hit_tile *tile, hit_view views[]);
/** FNV-1a: continue @p hash over @p size bytes. */
uint64_t hit_hash(uint64_t hash, const void *data, size_t size);
uint64_t hit_hash_domain(uint64_t hash, const hit_domain *domain);
#define HIT_HASH_START UINT64_C(14695981039346656037)

#endif
