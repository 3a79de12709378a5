/* SPDX-License-Identifier: MIT
 * Tiles from patterns: each holds what the indices touch, and a dimension that is
 * traversed (":") has a given extent, else that of the launch's dimension of the same
 * number. For plans and measurements without a program. */
#include "hit/measure/measure_impl.h"
#include "patterns/transform.h"

hit_status hit_imagine_tile(const hit_imagine *launch, int arg,
                            const hit_pattern *pattern, hit_domain *tile)
{
    const hit_domain *whole = &launch->whole;
    hit_domain limits = {.dims = pattern->tile_dims};
    const hit_tile *there = launch->args != NULL ? launch->args[arg].tile : NULL;

    for (int t = 0; t < limits.dims; t++) {
        const bool traversed = hit_pattern_traverses(pattern, t);

        if (traversed && there != NULL) {
            limits.sig[t] = hit_tile_domain(there).sig[t];
            continue;
        }

        if (traversed && launch->extent == 0 && t >= whole->dims) {
            return HIT_FAIL(
                HIT_E_ARG,
                "dimension %d of argument %s of kernel %s is traversed and the "
                "launch has no such dimension: give its extent with --k",
                t, launch->kernel->arg[arg].name, launch->kernel->name);
        }
        limits.sig[t] = t < whole->dims ? whole->sig[t] : hit_sig_make(0, 0, 1);
        if (launch->extent > 0) limits.sig[t] = hit_sig_make(0, launch->extent - 1, 1);
    }
    *tile = hit_pattern_cover(pattern, &limits, &launch->part);
    for (int t = 0; t < limits.dims; t++) {
        tile->sig[t].stride = 1;
        if (hit_pattern_traverses(pattern, t)) {
            tile->sig[t] = hit_sig_cover(tile->sig[t], limits.sig[t]);
        }
    }
    return HIT_OK;
}
