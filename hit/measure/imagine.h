/* SPDX-License-Identifier: MIT
 * Internal to hit/measure and hit/tool: the tiles that a kernel would need, without there
 * being any. */
#ifndef HIT_MEASURE_IMAGINE_H
#define HIT_MEASURE_IMAGINE_H

#include "hit/launch/launch.h"
#include "patterns/kernel.h"

/** What is to be launched. */
typedef struct hit_imagine {
    const hit_kernel *kernel;
    hit_domain whole; /**< the indices of the launch */
    hit_domain part;  /**< those of them that tiles are wanted for */
    hit_index extent; /**< of tile dimensions that are traversed (":"); 0: that of the
                         dimension of the same number of @p whole */
    const hit_arg
        *args; /**< those of a launch, whose tiles say it; NULL: there is none */
} hit_imagine;

/** The smallest tile that argument @p arg can be, given its pattern: what the part
 * touches, and all of a dimension that is traversed.
 * @errors HIT_E_ARG a dimension is traversed, the launch has none of that number, and no
 * extent is given */
hit_status hit_imagine_tile(const hit_imagine *launch, int arg,
                            const hit_pattern *pattern, hit_domain *tile);
#endif
