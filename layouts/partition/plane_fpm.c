/* SPDX-License-Identifier: MIT
 * Heights and widths by models, by turns: the widths that columns would have if units
 * need not be rectangles, then the best heights for these, then the best widths for
 * those. Two rounds; the best tiling on the way is taken. Clarke et al. partition once
 * and take the loads for speeds, which is what is done here only where a column cannot be
 * filled at its first width. Heights are optimal for any model; widths for models whose
 * times never fall with the load. */
#include "layouts/partition/plane_fpm.h"

#include "hit/base/memory.h"
#include "hit/model/fpm_time.h"
#include "layouts/partition/cpm.h"
#include "layouts/partition/partition.h"
#include "layouts/partition/partition_impl.h"
#include "layouts/partition/plane_impl.h"
#include "layouts/partition/scale.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROUNDS = 2
};

static hit_status take_speeds(const hit_plane *plane, double area[])
{
    double fastest = 0.0;

    for (int i = 0; i < plane->parts; i++) {
        area[i] = plane->speed[i];
        fastest = fmax(fastest, area[i]);
    }
    if (fastest > 0.0) return HIT_OK;
    return HIT_FAIL(HIT_E_LIMIT, "%lld x %lld units are left but all speeds are 0",
                    (long long)plane->rows, (long long)plane->columns);
}

hit_status hit_plane_areas(const hit_plane *plane, double area[])
{
    hit_index *share;
    hit_status st;

    if (plane->fpm == NULL) return take_speeds(plane, area);
    HIT_TRY(hit_memory_zeroed((size_t)plane->parts, sizeof *share, &share));
    st = hit_partition_fpm(plane->rows * plane->columns, plane->parts, plane->fpm, share,
                           NULL);
    for (int i = 0; st == HIT_OK && i < plane->parts; i++) {
        area[i] = (double)share[i];
    }
    free(share);
    return st;
}

/** The turns, and what they need. Arrays over members are in the order of sizes->member.
 */
typedef struct turns {
    const hit_plane *plane;
    hit_plane_sizes *sizes;
    int members;
    const hit_fpm **fpm; /**< of each member */
    double *area;        /**< of each member, if units need not be rectangles */
    double *sum;         /**< of the areas of a column */
    double best;         /**< makespan of */
    hit_index *height;   /**< the best heights and */
    hit_index *width;    /**< the best widths so far */
} turns;

/* ---- heights ---- */

/** The best heights of column @p c. */
static hit_status best_heights(const turns *t, int c)
{
    const int first = t->sizes->first[c];
    const int count = t->sizes->first[c + 1] - first;
    const hit_index width = t->sizes->width[c] > 0 ? t->sizes->width[c] : 1;

    return hit_partition_scaled(t->plane->rows, width, count, t->fpm + first,
                                t->sizes->height + first);
}

static hit_status find_heights(const turns *t)
{
    for (int c = 0; c < t->sizes->columns; c++) {
        const int first = t->sizes->first[c];
        const int count = t->sizes->first[c + 1] - first;
        hit_status st;

        if (t->sum[c] == 0.0) continue;
        st = best_heights(t, c);
        if (st == HIT_E_LIMIT ||
            st == HIT_E_ARG) { /* too wide, or a table without rows */
            st = hit_partition_cpm(t->plane->rows, count, t->area + first,
                                   t->sizes->height + first);
        }
        if (st != HIT_OK) return st;
    }
    return HIT_OK;
}

/* ---- widths ---- */

/** How wide column @p c can be for its parts to be done in @p seconds. */
static hit_index width_within(const turns *t, int c, double seconds)
{
    hit_index width = t->sum[c] > 0.0 ? t->plane->columns : 0;

    for (int k = t->sizes->first[c]; k < t->sizes->first[c + 1] && width > 0; k++) {
        const hit_index height = t->sizes->height[k];

        if (height == 0) continue;
        width = hit_fpm_inverse(t->fpm[k], seconds, height * width) / height;
    }
    return width;
}

/** The columns that are left when every column is as wide as @p seconds allow; < 0 if
 * that is more than enough. Widths are stored. */
static hit_index left_within(const turns *t, double seconds)
{
    hit_index left = t->plane->columns;

    for (int c = 0; c < t->sizes->columns && left >= 0; c++) {
        t->sizes->width[c] = width_within(t, c, seconds);
        left -= t->sizes->width[c];
    }
    return left;
}

/** The best widths for the heights there are. */
static hit_status find_widths(const turns *t)
{
    double low = 0.0;
    double high = DBL_MAX;
    hit_index left = left_within(t, high);

    if (left > 0) {
        return HIT_FAIL(HIT_E_LIMIT, "%lld columns are more than the parts can do",
                        (long long)left);
    }
    while (left != 0) {
        const double middle = hit_partition_middle(low, high);

        if (middle <= low) break;
        left = left_within(t, middle);
        if (left < 0) {
            high = middle;
        } else {
            low = middle;
        }
    }
    if (left == 0) return HIT_OK;
    left = left_within(t, low);
    for (int c = 0; c < t->sizes->columns && left > 0; c++) {
        hit_index more = width_within(t, c, high) - t->sizes->width[c];

        if (more < 0) more = 0;
        if (more > left) more = left;
        t->sizes->width[c] += more;
        left -= more;
    }
    if (left == 0) return HIT_OK;
    return HIT_FAIL(HIT_E_LIMIT, "%lld columns are left", (long long)left);
}

/* ---- turns ---- */

/** Keep heights and widths if no others were better. */
static void judge(turns *t)
{
    const hit_plane_sizes *sizes = t->sizes;
    double makespan = 0.0;

    for (int c = 0; c < sizes->columns; c++) {
        for (int k = sizes->first[c]; k < sizes->first[c + 1]; k++) {
            makespan = fmax(makespan,
                            hit_fpm_time(t->fpm[k], sizes->height[k] * sizes->width[c]));
        }
    }
    if (makespan >= t->best) return;
    t->best = makespan;
    memcpy(t->height, sizes->height, (size_t)t->members * sizeof *t->height);
    memcpy(t->width, sizes->width, (size_t)sizes->columns * sizeof *t->width);
}

static hit_status start(turns *t)
{
    const hit_index units = t->plane->rows * t->plane->columns;
    hit_index *share = t->height; /* not in use yet */

    HIT_TRY(hit_partition_fpm(units, t->members, t->fpm, share, NULL));
    for (int c = 0; c < t->sizes->columns; c++) {
        for (int k = t->sizes->first[c]; k < t->sizes->first[c + 1]; k++) {
            t->area[k] = (double)share[k];
            t->sum[c] += t->area[k];
        }
    }
    return hit_partition_cpm(t->plane->columns, t->sizes->columns, t->sum,
                             t->sizes->width);
}

static hit_status take_turns(turns *t)
{
    HIT_TRY(start(t));
    for (int round = 0; round < ROUNDS; round++) {
        hit_status st;

        HIT_TRY(find_heights(t));
        judge(t);
        st = find_widths(t);
        if (st == HIT_E_LIMIT) break;
        if (st != HIT_OK) return st;
        judge(t);
    }
    if (isinf(t->best)) {
        return HIT_FAIL(HIT_E_LIMIT, "%lld x %lld units do not fit these columns",
                        (long long)t->plane->rows, (long long)t->plane->columns);
    }
    memcpy(t->sizes->height, t->height, (size_t)t->members * sizeof *t->height);
    memcpy(t->sizes->width, t->width, (size_t)t->sizes->columns * sizeof *t->width);
    return HIT_OK;
}

hit_status hit_plane_sizes_fpm(const hit_plane *plane, hit_plane_sizes *sizes)
{
    const size_t parts = (size_t)plane->parts;
    turns t = {.plane = plane,
               .sizes = sizes,
               .members = sizes->first[sizes->columns],
               .best = INFINITY};
    hit_status st = hit_memory_zeroed(parts, sizeof *t.fpm, &t.fpm);

    if (st == HIT_OK) st = hit_memory_zeroed(parts, sizeof *t.area, &t.area);
    if (st == HIT_OK) st = hit_memory_zeroed(parts, sizeof *t.sum, &t.sum);
    if (st == HIT_OK) st = hit_memory_zeroed(parts, sizeof *t.height, &t.height);
    if (st == HIT_OK) st = hit_memory_zeroed(parts, sizeof *t.width, &t.width);
    for (int k = 0; st == HIT_OK && k < t.members; k++) {
        t.fpm[k] = plane->fpm[sizes->member[k]];
    }
    if (st == HIT_OK) st = take_turns(&t);
    free(t.fpm);
    free(t.area);
    free(t.sum);
    free(t.height);
    free(t.width);
    return st;
}
