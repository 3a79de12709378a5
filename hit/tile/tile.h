/* SPDX-License-Identifier: MIT
 * Tiles: maps from a domain to elements of one type, distributed as a layout says. A
 * selection of a tile is a tile, knows its parent and shares its memory. */
#ifndef HIT_TILE_TILE_H
#define HIT_TILE_TILE_H

#include "hit/data/view.h"
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
/** A layout and a tile in one call: hit_layout_create(), then hit_tile_create(). A second
 * tile with the same layout is made with hit_tile_layout() of the first.
 * @collective yes @errors those of both */
HIT_API hit_status hit_tile_make(hit_context *context, hit_domain domain,
                                 const char *layout, hit_type type, const char *name,
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

/** Of NULL, here and below: no element, no type, "", no layout, no piece. */
HIT_API hit_domain hit_tile_domain(const hit_tile *tile);
HIT_API hit_type hit_tile_type(const hit_tile *tile);
HIT_API const char *hit_tile_name(const hit_tile *tile);
HIT_API hit_layout *hit_tile_layout(const hit_tile *tile);

/** How many boxes of the tile this process owns; 0 is legal. */
HIT_API int hit_tile_pieces(const hit_tile *tile);
/** Look at piece @p piece (0 <= piece < hit_tile_pieces()) in host memory: *view holds
 * exactly the owned elements of that box; address them with hit_view_at() or HIT_AT().
 * Where this process owns nothing, piece 0 is a view without elements.
 * Waits for launches that write it. Valid until the next call with this tile, launches
 * included, and where launches are in chains over processes, or over periodic boundaries
 * (hit_chain()), until the next launch; no unmap is needed. What is written through a
 * view for HIT_READ may not be seen by others.
 * @param view NULL: the program knows where they are (hit_tile_adopt()), those of this
 *        piece and of all behind it
 * @collective no; but for writing yes where launches are in chains over processes
 * (docs/chain.md), though nothing is sent
 * @errors HIT_E_ARG no such piece; HIT_E_DEVICE what a device held could not be copied */
HIT_API hit_status hit_tile_map(hit_tile *tile, int piece, hit_intent intent,
                                hit_view *view);
/** Element (i, j) of a mapped view as a C lvalue: HIT_AT(view, float, i, j). */
#define HIT_AT(view, c_type, ...)                                                        \
    (*(c_type *)hit_view_at(&(view), (const hit_index[]){__VA_ARGS__}))

#ifdef __cplusplus
}
#endif

#endif
