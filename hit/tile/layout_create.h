/* SPDX-License-Identifier: MIT
 * Layouts of a context's processes. */
#ifndef HIT_TILE_LAYOUT_CREATE_H
#define HIT_TILE_LAYOUT_CREATE_H

#include "hit/topo/layout.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Split @p domain over the processes of @p context as @p text says: "block",
 * "block:grid=2x2", "weighted:weights=1,2,3"; docs/layout.md lists all.
 *
 * @collective yes: all processes give the same domain and text
 * @owner  *layout is the caller's; tiles keep it alive after hit_layout_destroy()
 * @errors HIT_E_ARG unknown name (lists the known ones), option, or value; HIT_E_IO a
 * model that cannot be read; HIT_E_LIMIT models that cannot take all; HIT_E_NOMEM;
 * HIT_E_PEER
 */
HIT_API hit_status hit_layout_create(hit_context *context, hit_domain domain,
                                     const char *text, hit_layout **layout);

/** A layout in which each process owns the box that it says: for a program whose data are
 * distributed already. Boxes have no common elements, together they are @p domain.
 * It is the layout "boxes", which prints the boxes of all.
 *
 * @shape  my_box: as many dimensions as @p domain; without elements, as hit_box_of(0,
 * -1), where this process owns nothing
 * @collective yes: all processes give the same domain, each its own box
 * @owner  *layout is the caller's: hit_layout_destroy()
 * @errors HIT_E_ARG a box that is not in the domain, boxes with common elements (says
 *         whose), or that are not all of the domain; HIT_E_ABSENT a dry run of several
 *         processes, whose boxes nobody says; HIT_E_NOMEM; HIT_E_PEER */
HIT_API hit_status hit_layout_from_parts(hit_context *context, hit_domain domain,
                                         hit_domain my_box, hit_layout **layout);

#ifdef __cplusplus
}
#endif

#endif
