/* SPDX-License-Identifier: MIT
 * Tiles as pictures. */
#ifndef HIT_IO_PICTURE_H
#define HIT_IO_PICTURE_H

#include "hit/tile/tile.h"

HIT_C_BEGIN

/** Draw a tile of two dimensions: the first goes down, the second to the right. Large
 * tiles are thinned to one element per pixel, small ones are enlarged. What is not finite
 * is magenta.
 *
 * @param options NULL, or of these with commas between them:
 *   colours=heat|grey|blue-red  default heat; blue-red is white at 0
 *   low=X, high=X    the values of the first and the last colour; default the least and
 *                    the greatest drawn, for blue-red the same on both sides of 0
 *   size=N           pixels of the longer side, about; default 1000
 * @collective yes
 * @errors HIT_E_ARG not two dimensions, elements that are no numbers, an option;
 * HIT_E_IO; HIT_E_ABSENT built without libpng; HIT_E_NOMEM; HIT_E_PEER
 */
HIT_API hit_status hit_tile_write_png(hit_tile *tile, const char *path,
                                      const char *options);

HIT_C_END

#endif
