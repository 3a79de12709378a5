/* SPDX-License-Identifier: MIT
 * Everything a program needs; kernel files include hit/kernel.h. */
#ifndef HIT_HIT_H
#define HIT_HIT_H

#include "hit/base/memory.h"
#include "hit/base/status.h"
#include "hit/context.h"
#include "hit/data/domain.h"
#include "hit/data/ndcopy.h"
#include "hit/io/io.h"
#include "hit/launch/catalogue.h"
#include "hit/launch/launch.h"
#include "hit/tile/tile.h"
#include "hit/topo/layout.h"
#include "patterns/kernel.h"

#ifdef __cplusplus
#include "hit/hit_cxx.h"
#endif

#endif
