/* SPDX-License-Identifier: MIT
 * Tiles: maps from a domain to elements of one type, distributed as a layout says. A
 * selection of a tile is a tile, knows its parent and shares its memory. */
#ifndef HIT_TILE_TILE_H
#define HIT_TILE_TILE_H

#include "hit/data/boundary.h"
#include "hit/data/ndcopy.h"
#include "hit/tile/layout_create.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hit_tile hit_tile;

/** How a program looks at its part of a tile. */
typedef enum hit_intent {
    HIT_READ,      /**< the elements are not changed */
    HIT_WRITE,     /**< every element is written before it is read */
    HIT_READ_WRITE /**< both */
} hit_intent;

/** Make a tile over the domain of @p layout. Its elements are 0 until something writes
 * them.
 *
 * @param name for messages; copied
 * @collective yes
 * @owner  *tile is the caller's until hit_tile_destroy(); the layout may be destroyed
 * before
 * @errors HIT_E_ARG element size 0; HIT_E_NOMEM how much, for which tile; HIT_E_PEER
 */
HIT_API hit_status hit_tile_create(hit_layout *layout, hit_type type, const char *name,
                                   hit_tile **tile);
/** The elements @p domain of @p parent as a tile of their own, with the same indices.
 * Nothing is copied: what is written to one is seen in the other. The boundary is not
 * inherited.
 *
 * @collective no, but all processes must make the same selections to launch on them
 * @owner  as hit_tile_create(); destroy it before its parent
 * @errors HIT_E_ARG @p domain is not inside the parent's
 */
HIT_API hit_status hit_tile_select(hit_tile *parent, hit_domain domain, hit_tile **tile);
/** Accepts NULL in *tile; sets it to NULL. */
HIT_API void hit_tile_destroy(hit_tile **tile);

/** Say what lies outside, in dimension @p dim, or in all of them (dim = -1). @p value, of
 * the tile's type, is copied for HIT_BOUNDARY_CONSTANT and ignored otherwise (NULL:
 * zero); one tile has one constant. Not on selections, nor on strided domains.
 * @collective yes, but nothing is sent @errors HIT_E_ARG */
HIT_API hit_status hit_tile_set_boundary(hit_tile *tile, int dim, hit_boundary boundary,
                                         const void *value);
/** Exchange the names of two tiles: what was *a is *b afterwards. */
HIT_API void hit_tile_swap(hit_tile **a, hit_tile **b);

/** Of NULL, here and below: no element, no type, "", no parent, no layout, no piece. */
HIT_API hit_domain hit_tile_domain(const hit_tile *tile);
HIT_API hit_type hit_tile_type(const hit_tile *tile);
HIT_API const char *hit_tile_name(const hit_tile *tile);
/** NULL for a tile that is no selection. */
HIT_API hit_tile *hit_tile_parent(const hit_tile *tile);
HIT_API hit_layout *hit_tile_layout(const hit_tile *tile);

/** How many boxes of the tile this process owns; 0 is legal. */
HIT_API int hit_tile_pieces(const hit_tile *tile);
/** Look at piece @p piece (0 <= piece < hit_tile_pieces()) in host memory: *view holds
 * exactly the owned elements of that box; address them with hit_view_at() or HIT_AT().
 * Waits for launches that write it. Valid until the next call with this tile, launches
 * included; no unmap is needed. What is written through a view for HIT_READ may not be
 * seen by others.
 * @collective no
 * @errors HIT_E_ARG no such piece; HIT_E_DEVICE what a device held could not be copied */
HIT_API hit_status hit_tile_map(hit_tile *tile, int piece, hit_intent intent,
                                hit_view *view);
/** Element (i, j) of a mapped view as a C lvalue: HIT_AT(view, float, i, j). */
#define HIT_AT(view, c_type, ...)                                                        \
    (*(c_type *)hit_view_at(&(view), (const hit_index[]){__VA_ARGS__}))

/** Copy the whole tile to @p root as a dense row-major array in @p buffer (ignored
 * elsewhere).
 * @collective yes @errors HIT_E_ARG root; HIT_E_NOMEM; HIT_E_COMM; HIT_E_PEER */
HIT_API hit_status hit_tile_gather(hit_tile *tile, int root, void *buffer);
/** The reverse: every element of the tile is written from @p buffer of @p root. */
HIT_API hit_status hit_tile_scatter(hit_tile *tile, int root, const void *buffer);
/** Read one element on every process: the result of a norm, say; @p index is NULL for a
 * scalar.
 * @collective yes @errors HIT_E_ARG outside the domain; HIT_E_COMM */
HIT_API hit_status hit_tile_get(hit_tile *tile, const hit_index index[], void *value);
/** Set every element to *value, of the tile's type. @collective no: what this process
 * owns */
HIT_API hit_status hit_tile_fill(hit_tile *tile, const void *value);
/** Copy all elements that @p from and @p to have in common, from any layout to any other.
 * @collective yes @errors HIT_E_ARG different types or numbers of dimensions; the same
 * memory */
HIT_API hit_status hit_tile_copy(hit_tile *from, hit_tile *to);

/** Distribute a tile anew, as @p layout says: every element keeps its value. What it
 * takes is memory for both distributions at once.
 *
 * @collective yes
 * @errors HIT_E_ARG another domain; a selection, or a tile with selections; HIT_E_NOMEM;
 * HIT_E_PEER; the tile is unchanged then
 */
HIT_API hit_status hit_tile_relayout(hit_tile *tile, hit_layout *layout);

#ifdef __cplusplus
}
#endif

#endif
