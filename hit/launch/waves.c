/* SPDX-License-Identifier: MIT
 * Waves of boxes: the hyperplane method of Lamport with boxes in place of indices. The
 * number of a box's wave is a sum of its coordinates, each with a weight. Along a
 * dimension where the later of two indices never lies back the weight is 1; where it may,
 * boxes of the dimension before are one index thin, and one step along it counts more
 * than all boxes that may lie back. */
#include "hit/base/kind.h"
#include "hit/base/memory.h"
#include "hit/data/hash.h"
#include "hit/launch/launch_impl.h"

#include <stdlib.h>

void hit_waves_carry(hit_waves *waves, const hit_sig of[])
{
    const int dims = waves->index.dims;
    hit_index low[HIT_MAX_DIMS];
    hit_index high[HIT_MAX_DIMS];

    for (int d = 0; d < dims; d++) {
        const bool up = waves->order[d] > 0;

        low[d] = up ? of[d].begin : -of[d].end;
        high[d] = up ? of[d].end : -of[d].begin;
    }
    for (int p = 0; p < dims; p++) {
        for (int q = p + 1; q < dims; q++) {
            hit_index *back = &waves->back[p][q];

            if (high[p] > 0) *back = hit_larger(*back, -low[q]);
            if (low[p] < 0) *back = hit_larger(*back, high[q]);
        }
        if (low[p] > 0 || high[p] < 0) return; /* they lie apart here */
    }
}

void hit_waves_thin(const hit_waves *waves, const bool cut[], bool thin[])
{
    const int dims = waves->index.dims;

    for (int p = dims - 1; p >= 0; p--) {
        thin[p] = false;
        for (int q = p + 1; q < dims; q++) {
            if (waves->back[p][q] > 0 && (cut[q] || thin[q])) thin[p] = true;
        }
    }
}

static int compare(const void *a, const void *b)
{
    const hit_index x = *(const hit_index *)a;
    const hit_index y = *(const hit_index *)b;

    return (x > y) - (x < y);
}

hit_status hit_waves_cut(hit_waves *waves, int d, hit_index count, hit_index cut[],
                         hit_index most)
{
    const hit_index extent = hit_sig_count(waves->index.sig[d]);
    const hit_index cuts = (extent - 1) / most + 1 + count + 1;
    const size_t room = (size_t)(cuts < extent ? cuts : extent) + 1;
    hit_index boxes = 0;
    hit_index from = 0;

    HIT_TRY(hit_memory_zeroed(room, sizeof(hit_index), &waves->begin[d]));
    HIT_TRY(hit_memory_zeroed(room, sizeof(bool), &waves->rim[d]));
    if (count > 0) qsort(cut, (size_t)count, sizeof(*cut), compare);
    for (hit_index k = 0; k <= count; k++) {
        const hit_index to = k < count ? cut[k] : extent;
        const hit_index parts = (to - from + most - 1) / most;

        if (to <= from) continue;
        waves->rim[d][boxes] = from > 0;
        for (hit_index part = 0; part < parts; part++) {
            waves->begin[d][boxes++] = from + (to - from) * part / parts;
        }
        waves->rim[d][boxes - 1] = waves->rim[d][boxes - 1] || to < extent;
        from = to;
    }
    waves->begin[d][boxes] = extent;
    waves->boxes[d] = boxes;
    return HIT_OK;
}

static hit_index thinnest(const hit_waves *waves, int d)
{
    const hit_index *begin = waves->begin[d];
    hit_index least = begin[1] - begin[0];

    for (hit_index c = 1; c < waves->boxes[d]; c++) {
        if (begin[c + 1] - begin[c] < least) least = begin[c + 1] - begin[c];
    }
    return least;
}

void hit_waves_weigh(hit_waves *waves)
{
    for (int p = waves->index.dims - 1; p >= 0; p--) {
        waves->weight[p] = 1;
        for (int q = p + 1; q < waves->index.dims; q++) {
            const hit_index each = thinnest(waves, q) * waves->index.sig[q].stride;
            const hit_index all = waves->boxes[q] - 1;
            hit_index back = (waves->back[p][q] + each - 1) / each;

            if (back > all) back = all;
            waves->weight[p] += waves->weight[q] * back;
        }
    }
}

void hit_waves_clear(hit_waves *waves)
{
    for (int d = 0; d < HIT_MAX_DIMS; d++) {
        free(waves->begin[d]);
        free(waves->rim[d]);
        waves->begin[d] = NULL;
        waves->rim[d] = NULL;
    }
}

typedef struct visitor {
    const hit_waves *waves;
    hit_index rest[HIT_MAX_DIMS + 1]; /* the last wave of the dimensions from one on */
    bool rim;                         /* which boxes are visited */
    bool (*visit)(void *of, const hit_domain *box);
    void *of;
} visitor;

/* The boxes whose coordinates from dimension d on make @p wave; @p rim: those before lie
 * at a rim. */
static bool visit_from(const visitor *v, int d, hit_index wave, bool rim, hit_domain *box)
{
    const hit_waves *waves = v->waves;
    const hit_index all = waves->boxes[d];
    hit_index c = 0;

    if (wave > v->rest[d + 1]) {
        c = (wave - v->rest[d + 1] + waves->weight[d] - 1) / waves->weight[d];
    }
    for (; c < all && c * waves->weight[d] <= wave; c++) {
        const hit_index at = waves->order[d] > 0 ? c : all - 1 - c;
        const hit_index *begin = &waves->begin[d][at];
        const hit_index left = wave - c * waves->weight[d];
        const bool rim_here = rim || waves->rim[d][at];
        bool more = true;

        box->sig[d] = hit_sig_slice(waves->index.sig[d], begin[0], begin[1] - 1);
        if (d + 1 < box->dims) {
            more = visit_from(v, d + 1, left, rim_here, box);
        } else if (rim_here == v->rim) {
            more = v->visit(v->of, box);
        }
        if (!more) return false;
    }
    return true;
}

void hit_waves_each(const hit_waves *waves,
                    bool (*visit)(void *of, const hit_domain *box), void *of)
{
    visitor v = {.waves = waves, .visit = visit, .of = of};
    hit_domain box = waves->index;
    bool more = true;

    for (int d = waves->index.dims - 1; d >= 0; d--) {
        v.rest[d] = v.rest[d + 1] + waves->weight[d] * (waves->boxes[d] - 1);
    }
    for (hit_index wave = 0; wave <= v.rest[0] && more; wave++) {
        v.rim = true;
        more = visit_from(&v, 0, wave, false, &box);
        v.rim = false;
        more = more && visit_from(&v, 0, wave, false, &box);
    }
}

/* ---- what is known of a kernel ---- */

/* The distances of dependences in an endless tile; false: they are not known. */
static bool carry_anywhere(const hit_known_kernel *known, int k, hit_waves *waves,
                           bool *along)
{
    const int dims = known->kernel->dims;
    const hit_pattern *pattern = &known->pattern[k];
    const hit_pattern written = hit_pattern_written(pattern);
    const hit_index far = 4 * HIT_PATTERN_MAX;  /* of what numbers in patterns reach, */
    const hit_index near = 2 * HIT_PATTERN_MAX; /* an index + a number, there is all */
    hit_domain tile = {.dims = pattern->tile_dims};

    if (!hit_pattern_is_element(&written)) return false;
    for (int t = 0; t < tile.dims; t++) {
        tile.sig[t] = hit_sig_make(-far, far, 1);
    }
    for (int d = 0; d < dims; d++) {
        waves->index.sig[d] = hit_sig_make(-near, near, 1);
    }
    for (int a = 0; a < pattern->count; a++) {
        const hit_distance distance =
            hit_pattern_distance(&written, &pattern->access[a], &tile, &waves->index);

        if (!distance.any) continue;
        if (distance.followed != (1u << dims) - 1) return false;
        hit_waves_carry(waves, distance.of);
        if (!hit_sig_has(distance.of[dims - 2], 0)) continue;
        *along = *along || !hit_sig_equal(distance.of[dims - 1], hit_sig_make(0, 0, 1));
    }
    return true;
}

/* Short whole numbers are ready a cycle later: what waits for them waits for little. */
static bool is_soon(hit_type type)
{
    return hit_kind_is_whole(type.kind) && type.size_bytes < sizeof(int64_t);
}

bool hit_waves_in_bands(const hit_known_kernel *known)
{
    const hit_kernel *kernel = known->kernel;
    hit_waves waves = {.index = {.dims = kernel->dims}};
    bool along = false;

    if (!hit_kernel_is_ordered(kernel) || kernel->dims < 2) return false;
    for (int d = 0; d < kernel->dims; d++) {
        waves.order[d] = kernel->order[d];
    }
    for (int k = 0; k < kernel->args; k++) {
        const hit_mode mode = kernel->arg[k].mode;

        if (mode == HIT_MODE_VALUE || mode == HIT_MODE_IN) continue;
        if (is_soon(kernel->arg[k].type)) return false;
        if (!carry_anywhere(known, k, &waves, &along)) return false;
    }
    return along && waves.back[kernel->dims - 2][kernel->dims - 1] == 0;
}
