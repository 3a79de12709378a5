/* SPDX-License-Identifier: MIT
 * Internal: what tiles are made of. */
#ifndef HIT_TILE_TILE_IMPL_H
#define HIT_TILE_TILE_IMPL_H

#include "hit/comm/exchange.h"
#include "hit/data/fence.h"
#include "hit/data/ndcopy.h"
#include "hit/data/nearby.h"
#include "hit/tile/adopt.h"
#include "hit/tile/axis.h"
#include "hit/tile/layout_create.h"
#include "hit/tile/resident.h"
#include "hit/tile/tile.h"

/** A piece in an array of the program (hit/tile/adopt.h). It lies there, or in the
 * buffer: view[s] says where. */
typedef struct hit_adopted {
    hit_view array; /**< with its ghosts */
    hit_view wide;  /**< the buffer, since a launch needed more around the piece than the
                       array has; data NULL: there is none */
} hit_adopted;

/** The memory of a tile and of all its selections. Piece s of the owned part lies in
 * view[s], whose domain may be larger: halos are kept around the owned elements. */
typedef struct hit_storage {
    hit_context *context;
    hit_layout *layout;
    hit_type type;
    char *name;
    hit_boundary boundary[HIT_MAX_DIMS];
    hit_axis axis[HIT_MAX_DIMS]; /**< owned; without a name: nothing is known */
    void *constant;              /**< one element: what HIT_BOUNDARY_CONSTANT gives */
    int pieces;
    hit_domain *owned;
    hit_view *view;
    hit_adopted *adopted; /**< per piece; NULL: the memory is the library's alone */
    uint64_t number;      /**< of the tile, from 1; equal on all processes */
    uint64_t version;     /**< of this process's owned elements */
    uint64_t looks; /**< how often the host wrote it: equal on all processes where the
                       program keeps to docs/chain.md */
    /** What processes hold of it that others own (hit/launch/holds.c); NULL: nothing yet.
     */
    hit_held *held;
    uint64_t held_looks;   /**< looks when a launch last used the tile */
    uint64_t held_promise; /**< of the program then: a number of the launcher's */
    bool shared_out;       /**< each of several processes owns some of it */
    int references;
    int holds;             /**< how often views are held (hit/tile/hold.h) */
    int lefts;             /**< what pieces lay in before, while there are holds */
    hit_view *left;        /**< these */
    hit_home *home;        /**< per device of the context: what it holds of it */
    hit_fence *fence;      /**< accesses to the views that are not over */
    struct hit_lost *lost; /**< what launches could not write (hit/tile/lost.h) */
    bool reserves;         /**< its memory is that of a dry run, which is not touched */
    struct hit_foreseen *foreseen; /**< of a dry run (hit/tile/footprint.h), or NULL */
} hit_storage;

struct hit_tile {
    hit_storage *storage;
    hit_tile *parent;
    hit_domain domain;
    int pieces; /**< of the storage's, those that hold elements of the domain */
    int *piece; /**< their numbers, behind `owned` in one block of memory */
    hit_domain *owned;
    hit_boundary boundary[HIT_MAX_DIMS]; /**< none on selections */
    void *around;                        /**< what hit_tile_map_around() gave, or NULL */
    uint64_t shape; /**< hash of all that plans depend on; equal tiles may share a plan */
    uint64_t family; /**< of that what does not depend on where the tile lies */
};

/** A tile to be made. */
typedef struct hit_tile_request {
    const char *call; /**< "hit_tile_create" */
    hit_layout *layout;
    hit_type type;
    const char *name;
    bool adopts;
    const hit_local_array *array; /**< then; may be NULL where nothing is owned */
} hit_tile_request;

/** @collective yes @errors as hit_tile_create() */
hit_status hit_tile_request_make(hit_tile_request *request, hit_tile **tile);

/* tile_move.c */

/** As hit_tile_get(), for what this process found @p before: all fail where one has. */
hit_status hit_tile_get_after(hit_status before, hit_tile *tile, const hit_index index[],
                              void *value);

/* storage.c: the memory of tiles. */

/** The memory of a tile with number @p number.
 * @owner one reference: hit_storage_release() @errors HIT_E_NOMEM; those of
 * hit_local_array_views() */
hit_status hit_storage_create(const hit_tile_request *request, uint64_t number,
                              hit_storage **storage);
/** Give a reference back, and with the last one the memory. Accepts NULL in *storage. */
void hit_storage_release(hit_storage **storage);
/** Where the elements of each box of @p owned, and the ghosts around them, lie in @p
 * array; on failure all are empty. @errors HIT_E_ARG (what is wrong with it), HIT_E_NOMEM
 */
hit_status hit_local_array_views(const hit_local_array *array, const hit_region *owned,
                                 const hit_storage *storage, hit_view view[]);
/** Give the memory of a piece back. */
void hit_storage_give(const hit_storage *storage, const hit_view *view);
/** What memory of a piece @p owned that covers @p old covers when it covers @p box, too.
 */
hit_domain hit_storage_around(const hit_domain *owned, const hit_domain *old,
                              const hit_domain *box);
/** Let an adopted piece lie in its buffer, if it has one: memory that covered a box does
 * so again. @errors of work that launches left */
hit_status hit_storage_take_buffer(hit_storage *storage, int piece);
/** Let adopted pieces lie in the program's arrays, with all that launches wrote. @errors
 * of that work; HIT_E_NOMEM */
hit_status hit_storage_bring_back(hit_storage *storage);

/** Make the memory of piece @p piece cover @p box as well; what was in it stays. @errors
 * HIT_E_NOMEM */
hit_status hit_storage_cover(hit_storage *storage, int piece, const hit_domain *box);

/* hold.c: memory that pieces lay in before. */

/** Give @p old back, or keep it while views are held. @errors HIT_E_NOMEM */
hit_status hit_storage_leave(hit_storage *storage, const hit_view *old);
/** Give back what was kept. */
void hit_storage_give_left(hit_storage *storage);

/** The host writes elements. */
static inline void hit_storage_written(hit_storage *storage)
{
    storage->version++;
    storage->looks++;
}
/** Find the pieces of the storage that hold elements of the tile's domain, which lie
 * behind tile->owned: free() it. @errors HIT_E_NOMEM */
hit_status hit_tile_find_pieces(hit_tile *tile);
/** Set tile->shape after a change of what it depends on. */
void hit_tile_set_shape(hit_tile *tile);
/** HIT_E_ARG if the context of the tile has been closed. */
hit_status hit_tile_check_open(const hit_tile *tile);
/** The same of what concerns all processes: HIT_E_ARG also on a thread that did not open
 * the context. */
hit_status hit_tile_check_called(const hit_tile *tile);
/** Views of the owned pieces of @p tile, in the order of its pieces; @p views has room
 * for them. */
void hit_tile_owned_views(const hit_tile *tile, hit_view views[]);

/* the axes of tiles, for those who write them. */

struct hit_storage;

/** What is known of the elements of @p tile, or of a selection, along a dimension; first
 * and step are of elements here. Without a name: nothing. @owner borrowed from the tile
 */
hit_axis hit_tile_axis(const hit_tile *tile, int dim);
void hit_storage_drop_axes(struct hit_storage *storage);

static inline bool hit_axis_has_coordinates(const hit_axis *axis)
{
    return axis->value != NULL || axis->step != 0;
}

/** Of element @p k. */
static inline double hit_axis_at(const hit_axis *axis, hit_index k)
{
    if (axis->value == NULL) return axis->first + axis->step * (double)k;
    return axis->value[k * (axis->value_step != 0 ? axis->value_step : 1)];
}

/* layouts that are part of a call in which all processes agree later. */

/** A layout that gives all to @p root, below the number of processes. @collective no */
hit_status hit_layout_create_at(hit_context *context, hit_domain domain, int root,
                                hit_layout **layout);

#endif
