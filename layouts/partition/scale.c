/* SPDX-License-Identifier: MIT
 * Models in larger units: times stay, units and speeds are divided. */
#include "hit/base/memory.h"
#include "layouts/partition/algorithms.h"

#include <math.h>
#include <stdlib.h>

hit_status hit_partition_scale(const hit_fpm *fpm, hit_index by, hit_fpm **scaled)
{
    const hit_fpm_kind kind = hit_fpm_kind_of(fpm);
    const size_t count = hit_fpm_count(fpm);
    const double units = (double)by;
    hit_fpm_point *point;
    size_t kept = 0;
    hit_status st;

    HIT_TRY(hit_memory_zeroed(count, sizeof *point, &point));
    for (size_t k = 0; k < count; k++) {
        hit_fpm_point made = hit_fpm_point_at(fpm, k);

        if (kind != HIT_FPM_TABLE) {
            made.value /= units;
        } else if (fmod(made.units, units) > 0.0) {
            continue;
        }
        made.units /= units;
        point[kept++] = made;
    }
    st = hit_fpm_create(kind, kept, point, scaled);
    free(point);
    if (st == HIT_OK && hit_fpm_cap(fpm) < INT64_MAX) {
        st = hit_fpm_set_cap(*scaled, hit_fpm_cap(fpm) / by);
        if (st != HIT_OK) hit_fpm_destroy(scaled);
    }
    return st;
}

hit_status hit_partition_scale_all(int parts, const hit_fpm *const model[], hit_index by,
                                   hit_fpm ***scaled)
{
    hit_fpm **made;
    hit_status st = HIT_OK;

    HIT_TRY(hit_memory_zeroed((size_t)parts, sizeof *made, &made));
    for (int i = 0; st == HIT_OK && i < parts; i++) {
        if (model[i] != NULL) st = hit_partition_scale(model[i], by, &made[i]);
    }
    if (st != HIT_OK) {
        hit_partition_models_clear(parts, &made);
        return st;
    }
    *scaled = made;
    return HIT_OK;
}

void hit_partition_models_clear(int parts, hit_fpm ***model)
{
    for (int i = 0; *model != NULL && i < parts; i++) {
        hit_fpm_destroy(&(*model)[i]);
    }
    free(*model);
    *model = NULL;
}

hit_status hit_partition_scaled(hit_index n, hit_index by, int parts,
                                const hit_fpm *const model[], hit_index share[])
{
    hit_fpm **scaled;
    hit_status st;

    HIT_TRY(hit_partition_scale_all(parts, model, by, &scaled));
    st = hit_partition_fpm(n, parts, (const hit_fpm *const *)scaled, share, NULL);
    hit_partition_models_clear(parts, &scaled);
    return st;
}
