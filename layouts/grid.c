/* SPDX-License-Identifier: MIT
 * The options that several layouts share: grid=AxB and dim=K. */
#include "layouts/layouts.h"

hit_status hit_layout_grid(const hit_layout_spec *spec, const hit_domain *domain,
                           const bool cut[], hit_topology *grid)
{
    hit_topology given = {.dims = domain->dims};
    hit_index size[HIT_MAX_DIMS];
    hit_index ranks = 1;
    int count;

    HIT_TRY(hit_layout_option_list(spec, "grid", 'x', &count, size));
    if (count == 0) {
        *grid = hit_topology_fit(domain, spec->ranks, cut);
        return HIT_OK;
    }
    if (count != domain->dims) {
        return HIT_LAYOUT_FAIL(spec, "expected grid= %d sizes but found \"%s\"",
                               domain->dims, hit_layout_option(spec, "grid", ""));
    }
    for (int d = 0; d < count; d++) {
        if (size[d] < 1 || size[d] > spec->ranks / ranks) {
            ranks = 0; /* more than there are, or none: told below */
            break;
        }
        given.size[d] = (int)size[d];
        ranks *= size[d];
    }
    if (ranks != spec->ranks) {
        return HIT_LAYOUT_FAIL(
            spec, "expected grid= sizes with the product %d but found \"%s\"",
            spec->ranks, hit_layout_option(spec, "grid", ""));
    }
    *grid = given;
    return HIT_OK;
}

hit_status hit_layout_dim(const hit_layout_spec *spec, int *dim)
{
    hit_index number = 0;

    if (spec->domain.dims == 0) {
        return HIT_LAYOUT_FAIL(spec, "expected at least 1 dimension but found a scalar");
    }
    HIT_TRY(hit_layout_option_index(spec, "dim", 0, spec->domain.dims - 1, &number));
    *dim = (int)number;
    return HIT_OK;
}
