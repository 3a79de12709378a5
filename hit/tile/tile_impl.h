/* SPDX-License-Identifier: MIT
 * Internal: what tiles are made of. */
#ifndef HIT_TILE_TILE_IMPL_H
#define HIT_TILE_TILE_IMPL_H

#include "hit/comm/exchange.h"
#include "hit/data/fence.h"
#include "hit/data/ndcopy.h"
#include "hit/data/nearby.h"
#include "hit/data/region.h"
#include "hit/tile/adopt.h"
#include "hit/tile/axis.h"
#include "hit/tile/layout_create.h"
#include "hit/tile/tile.h"

/* resident.c: what lies in the memory of the device between launches, and where the truth
 * is. */

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
    bool lent;   /**< the program has it, while its tile is held (hit/tile/hold.h) */
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

/* What tiles are made of. */

/** A piece in an array of the program (hit/tile/adopt.h). It lies there, or in the
 * buffer: view[s] says where. */
typedef struct hit_adopted {
    hit_view array; /**< with its ghosts */
    hit_view wide;  /**< the buffer, since a launch needed more around the piece than the
                       array has; data NULL: there is none */
} hit_adopted;

/** What is known of the elements of a tile of whole numbers in which stands what launches
 * need of other tiles (hit/launch/lookups.c). */
typedef struct hit_numbers {
    struct hit_extremes *values; /**< NULL: nothing yet */
    uint64_t made;               /**< how often; equal on all processes */
    uint64_t looks;              /**< of the storage then */
    bool old;                    /**< a launch wrote it since */
    uint64_t inside; /**< of the last launch for which it was looked whether elements lead
                        out of a tile: none does */
} hit_numbers;

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
    hit_region *constants; /**< per piece: where its memory, or a device, has that */
    int pieces;
    hit_domain *owned;
    hit_hulls hulls; /**< over these */
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
    hit_numbers numbers;
    int references;
    int holds;             /**< how often views are held (hit/tile/hold.h) */
    int lefts;             /**< what pieces lay in before, while there are holds */
    hit_view *left;        /**< these */
    hit_home *home;        /**< per device of the context: what it holds of it */
    hit_fence *fence;      /**< accesses to the views that are not over */
    struct hit_lost *lost; /**< what launches could not write (hit/tile/tile_impl.h) */
    bool reserves;         /**< its memory is that of a dry run, which is not touched */
    struct hit_foreseen *foreseen; /**< of a dry run (hit/tile/footprint.h), or NULL */
    uint64_t foreseen_beyond;      /**< on processes that are not looked at */
    struct hit_tile_peers *peers;  /**< of a dry run (hit/tile/peers.h), or NULL ... */
    struct hit_storage **peer; /**< ... and by rank the same on other processes; NULL: not
                                  yet */
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
    hit_context *as; /**< of the process whose tile it is; NULL: that of the layout */
} hit_tile_request;

/** @collective yes @errors as hit_tile_create() */
hit_status hit_tile_request_make(hit_tile_request *request, hit_tile **tile);

/* tile_move.c */

/** Who has elements, and who wants them. */
typedef struct hit_movement {
    const hit_layout *from;
    const hit_layout *to;
    hit_domain from_tile; /**< inside the layouts' domains */
    hit_domain to_tile;
    hit_domain domain;            /**< what to move: in both */
    const hit_pattern *pattern;   /**< what is wanted with each of them; NULL: it alone */
    const hit_boundary *boundary; /**< of from_tile; NULL: it has none */
    const void *constant;         /**< one element, for the boundary */
    const hit_view *owner;        /**< per owned piece of from_tile */
    const hit_view *wanted;       /**< per piece of `to` */
} hit_movement;
struct hit_tile_call;

/** hit_tile_agree() on the call, for what this process found before, and then move; not
 * in a dry run. @collective yes */
hit_status hit_movement_run(const hit_movement *m, const struct hit_tile_call *call,
                            hit_status status);

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
/** footprint.c: what memory of a piece @p owned that covers @p old covers when it covers
 * @p box, too. */
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

/* Memory that pieces lay in before, for views that are held (hit/tile/hold.h). */

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
/** Run what was recorded if something in it waits that uses the tile by this handle,
 * which is to change. The next call that waits tells what fails. */
void hit_tile_run_what_holds(const hit_tile *tile);
/** Find the pieces of the storage that hold elements of the tile's domain, which lie
 * behind tile->owned: free() it. @errors HIT_E_NOMEM */
hit_status hit_tile_find_pieces(hit_tile *tile);
/** Set tile->shape after a change of what it depends on. */
void hit_tile_set_shape(hit_tile *tile);
/** HIT_E_ARG if it is NULL, or its context has been closed. */
hit_status hit_tile_check_open(const hit_tile *tile);
/** The same of what concerns all processes: HIT_E_ARG also on a thread that did not open
 * the context. */
hit_status hit_tile_check_called(const hit_tile *tile);
/** Is the tile open, is there such a piece, or is it 0, and is the intent one?
 * @errors HIT_E_ARG */
hit_status hit_tile_check_map(const hit_tile *tile, int piece, hit_intent intent);
/** Copy elements from one place on the host to another: by the threads of a device of the
 * context @p of, if they have nothing else to do. hit_disk_told() tells a failure. */
void hit_tile_copy_on_host(void *of, const hit_view *from, const hit_view *to,
                           const hit_domain *domain);
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

/* tile_call.c: what all processes call alike with a tile. */

typedef struct hit_tile_call {
    const char *name; /**< "hit_tile_get" */
    const hit_tile *tile;
    const hit_tile *other; /**< or NULL */
    int numbers;
    const hit_index *number; /**< an index, or a root */
    const char *path;        /**< or NULL */
    const char *options;     /**< of the path; NULL as "" */
} hit_tile_call;

/** Continue @p hash over what is the same of a tile on all processes. */
uint64_t hit_tile_mark(uint64_t hash, const hit_tile *tile);
/** hit_comm_agree_on() the call. @collective yes */
hit_status hit_tile_agree(const hit_tile_call *call, hit_status status);

/* coherence.c: coherence between the host's memory of tiles and what devices hold of it,
 * or still have to do with it. Declare accesses of the host here before making them. */

/** Log an asynchronous access to the host's memory of a tile, which ends by event @p
 * event of source @p source (hit/tile/station.h). @errors HIT_E_NOMEM: wait for it */
hit_status hit_storage_log(hit_storage *storage, int piece, const hit_domain *box,
                           bool writes, int source, uint64_t event);
/** The same of all of it, by the launches that are recorded. */
hit_status hit_storage_log_recorded(hit_storage *storage, bool writes);
/** Wait for the tasks that an access must come after; @p box NULL: to all elements.
 * @errors as hit_tasks_wait() */
hit_status hit_storage_wait_for_tasks(const hit_storage *storage, int piece,
                                      const hit_domain *box, bool writes);
/** What devices hold of it: nothing yet. @errors HIT_E_NOMEM */
hit_status hit_storage_make_homes(hit_storage *storage);
/** Before it goes: launches that use it run, and devices forget it. */
void hit_storage_drop_homes(hit_storage *storage);
/** May a device hold some of it, or have it on its way? */
bool hit_storage_is_away(const hit_storage *storage);
/** Before the host accesses the elements @p box of piece @p piece of the storage (of all
 * pieces of a tile, below): HIT_READ makes its memory right, HIT_WRITE says that what
 * devices hold will be old. @errors of a copy; HIT_E_NOMEM */
hit_status hit_storage_touch(hit_storage *storage, int piece, const hit_domain *box,
                             hit_intent intent);
/** The first half of it: wait for launches and copies that still read or write the host's
 * memory, also for devices that load what they hold. */
hit_status hit_storage_wait(hit_storage *storage, int piece, const hit_domain *box,
                            hit_intent intent);
/** And of HIT_WRITE, of elements that others own, the other half, when they are written:
 * what devices hold is old. @errors of a copy */
hit_status hit_storage_forget(hit_storage *storage, int piece, const hit_domain *box);
/** Is it known that the host's memory, and devices, have the constant of the boundary in
 * all of @p box, beyond it? */
bool hit_storage_is_constant(const hit_storage *storage, int piece,
                             const hit_domain *box);
/** They have, until hit_storage_drop_constants(). @errors HIT_E_NOMEM */
hit_status hit_storage_note_constant(hit_storage *storage, int piece,
                                     const hit_domain *box);
/** The boundary changes, or the program may write beyond it. */
void hit_storage_drop_constants(hit_storage *storage);
/** Elements of the tile that are copies of others of it (beyond a boundary, or in another
 * piece) change: copy them where both are on one device, and forget the rest, which
 * remains in *left. */
hit_status hit_storage_image(hit_storage *storage, const hit_image_pair *pair,
                             hit_region *left);
/** The same before device @p device reads (@p loads) or writes them: what other devices
 * hold is sent to the host, or forgotten. */
hit_status hit_storage_touch_others(hit_storage *storage, int device, int piece,
                                    const hit_domain *box, bool loads, bool writes);
/** tile.c: the same of all pieces of a tile, in the elements @p box of it. */
hit_status hit_tile_touch(hit_tile *tile, const hit_domain *box, hit_intent intent);

/** Make all of the host's memory of a tile right; a scheduler knows nothing of it
 * afterwards. @errors of work that launches left */
hit_status hit_storage_bring_home(hit_storage *storage);

/** Wait for all tasks, and for the work that launches left to the devices.
 * @errors of that work; each is reported once */
hit_status hit_settle(hit_context *context);
/** The same before the memory of @p storage is replaced; errors of tasks are
 * stored for the next call that waits. @errors those of the devices */
hit_status hit_storage_settle(hit_storage *storage);

/* lost.c: elements of this process that are not what they should be, since a launch could
 * not write them. Other processes wait for what a launch sends, so a launch that fails
 * sends its messages, which say so. A launch that reads lost elements fails alike. With
 * one process the call returns the failure, and nothing is lost. */

/** What launches could not write of a piece of a storage. */
typedef struct hit_lost_piece {
    bool any;
    hit_domain box; /**< around all that is lost */
} hit_lost_piece;

typedef struct hit_lost {
    hit_status status; /**< of the first failure, with its text */
    char why[200];
    hit_lost_piece *piece; /**< in the same block of memory */
} hit_lost;

/** Before the storage is used. @errors HIT_E_NOMEM */
hit_status hit_storage_make_lost(hit_storage *storage);
/** Is anything lost of it? The functions below say where. */
static inline bool hit_storage_has_lost(const hit_storage *storage)
{
    return storage->lost != NULL && storage->lost->status != HIT_OK;
}
/** What the storage owns of @p box in piece @p piece is lost, by a launch that failed
 * with
 * @p status, which is the last failure of this thread. */
void hit_storage_lose(hit_storage *storage, int piece, const hit_domain *box,
                      hit_status status);
/** The same for all that @p tile owns of it. */
void hit_tile_lose(const hit_tile *tile, const hit_domain *box, hit_status status);
/** What @p tile owns of @p box was written anew. */
void hit_tile_restore(const hit_tile *tile, const hit_domain *box);
/** Fail alike if any of @p box, of piece @p piece of the storage, is lost. */
hit_status hit_storage_check_lost(const hit_storage *storage, int piece,
                                  const hit_domain *box);
/** The same for what @p tile owns. */
hit_status hit_tile_check_lost(const hit_tile *tile, const hit_domain *box);

#endif
