/* SPDX-License-Identifier: MIT
 * Everything a program needs; kernel files include hit/kernel.h, plug-ins hit/plugin.h.
 */
#ifndef HIT_HIT_H
#define HIT_HIT_H

#include "hit/base/memory.h"
#include "hit/base/status.h"
#include "hit/context.h"
#include "hit/data/domain.h"
#include "hit/data/view.h"
#include "hit/io/io.h"
#include "hit/io/picture.h"
#include "hit/launch/launch.h"
#include "hit/tile/axis.h"
#include "hit/tile/layout_create.h"
#include "hit/tile/tile.h"
#include "hit/tile/tile_move.h"
#include "hit/topo/layout.h"
#include "hit/topo/layout_like.h"
#include "hit/topo/layout_print.h"

#ifdef __cplusplus
#include "hit/hit_cxx.h"
#endif

#endif
