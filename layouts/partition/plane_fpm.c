/* SPDX-License-Identifier: MIT
 * Heights and widths by models. In a given time a part can do so many units, and a column
 * is at most as wide as the rows that its parts then have room for are still all rows;
 * the least time in which the columns are wide enough together is found by halving. That
 * is the optimum where times never fall with the load. For other models it is a start:
 * "in a given time" are the loads up to the first one that takes longer, and heights and
 * widths are then improved by turns, from there and from the widths that columns would
 * have if units need not be rectangles; the best tiling on the way is taken. Where units
 * and parts are few, each width of each column is tried instead. Clarke et al. partition
 * once and take the loads for speeds, which is what is done here only where a column
 * cannot be filled at its first width. */
#include "hit/base/containers.h"
#include "hit/base/memory.h"
#include "hit/model/fpm_time.h"
#include "layouts/partition/partition_impl.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROUNDS = 2,
    EVERY_WIDTH = 64 /* columns of units x parts */
};

#define SPARE 1e-3 /* units; rounds to none */

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

/** Nearly nothing for a part that units which need not be rectangles leave idle: it may
 * be needed where rectangles do not fill the others to their limits. Faster ones first;
 * 0 if it can do nothing. */
static double spare_area(const hit_fpm *fpm)
{
    const double seconds = hit_fpm_time(fpm, 1);

    return isfinite(seconds) ? SPARE / (1.0 + seconds) : 0.0;
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
        if (share[i] == 0) area[i] = spare_area(plane->fpm[i]);
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
    bool monotone;       /**< do times never fall with the load, of all members? */
    hit_index *load;     /**< of each member, what it can do in some time */
    hit_index *least;    /**< of each column, a width that is not enough */
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

        if (t->sizes->width[c] == 0 && t->sum[c] == 0.0) {
            memset(t->sizes->height + first, 0, (size_t)count * sizeof *t->height);
            continue;
        }
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
    hit_index width = t->plane->columns;
    bool any = false;

    for (int k = t->sizes->first[c]; k < t->sizes->first[c + 1] && width > 0; k++) {
        const hit_index height = t->sizes->height[k];

        if (height == 0) continue;
        any = true;
        width = hit_fpm_inverse(t->fpm[k], seconds, height * width) / height;
    }
    return any ? width : 0;
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

/* ---- both at once ---- */

/** The loads that each part can do in @p seconds, all smaller ones included. */
static hit_status loads_within(const turns *t, double seconds)
{
    const hit_index units = t->plane->rows * t->plane->columns;

    for (int k = 0; k < t->members; k++) {
        hit_spans loads = {0};

        if (t->monotone) {
            t->load[k] = hit_fpm_inverse(t->fpm[k], seconds, units);
            continue;
        }
        HIT_TRY(hit_fpm_within(t->fpm[k], seconds, units, &loads));
        t->load[k] = loads.span[0].last;
        hit_spans_clear(&loads);
    }
    return HIT_OK;
}

/** Have the parts of column @p c room for all rows of this width? */
static bool has_room(const turns *t, int c, hit_index width)
{
    hit_index rows = t->plane->rows;

    for (int k = t->sizes->first[c]; k < t->sizes->first[c + 1] && rows > 0; k++) {
        rows -= t->load[k] / width;
    }
    return rows <= 0;
}

/** The widths that the columns can have in @p seconds, and how many columns of units are
 * then left; < 0 if that is more than enough. */
static hit_status room_within(const turns *t, double seconds, hit_index *left)
{
    *left = t->plane->columns;
    HIT_TRY(loads_within(t, seconds));
    for (int c = 0; c < t->sizes->columns; c++) {
        hit_index low = 1;
        hit_index high = t->plane->columns + 1;

        HIT_BISECT(width, low, high, !has_room(t, c, width));
        t->sizes->width[c] = low - 1;
        *left -= low - 1;
        if (*left < 0) break;
    }
    return HIT_OK;
}

/** Widths and heights from the least time in which the columns are wide enough. */
static hit_status find_both(turns *t)
{
    double low = 0.0;
    double high = DBL_MAX;
    hit_index left;
    hit_index *width = t->sizes->width;

    HIT_TRY(room_within(t, high, &left));
    if (left > 0) return HIT_OK; /* none: *t is as before */
    for (;;) {
        const double middle = hit_partition_middle(low, high);

        if (middle <= low) break;
        HIT_TRY(room_within(t, middle, &left));
        if (left > 0) {
            low = middle;
        } else {
            high = middle;
        }
    }
    HIT_TRY(room_within(t, low, &left));
    memcpy(t->least, width, (size_t)t->sizes->columns * sizeof *width);
    HIT_TRY(room_within(t, high, &(hit_index){0}));
    for (int c = 0; c < t->sizes->columns; c++) {
        const hit_index more = width[c] - t->least[c];

        width[c] = t->least[c] + (more < left ? more : left);
        left -= width[c] - t->least[c];
        if (width[c] > 0) HIT_TRY(best_heights(t, c));
    }
    judge(t);
    return HIT_OK;
}

/* ---- turns ---- */

/** What the parts would have if units need not be rectangles. */
static hit_status find_areas(turns *t)
{
    const hit_index units = t->plane->rows * t->plane->columns;
    hit_index *share = t->load; /* not in use yet */

    HIT_TRY(hit_partition_fpm(units, t->members, t->fpm, share, NULL));
    for (int c = 0; c < t->sizes->columns; c++) {
        for (int k = t->sizes->first[c]; k < t->sizes->first[c + 1]; k++) {
            t->area[k] = (double)share[k];
            t->sum[c] += t->area[k];
        }
    }
    return HIT_OK;
}

static hit_status take_turns(turns *t)
{
    for (int round = 0; round < ROUNDS; round++) {
        hit_status st;

        HIT_TRY(find_heights(t));
        judge(t);
        st = find_widths(t);
        if (st == HIT_E_LIMIT) break;
        if (st != HIT_OK) return st;
        judge(t);
    }
    return HIT_OK;
}

/* ---- every width ---- */

/** The seconds of column @p c at its width. */
static hit_status time_column(const turns *t, int c, double *seconds)
{
    const hit_index width = t->sizes->width[c];
    hit_status st;

    *seconds = 0.0;
    if (width == 0) return HIT_OK;
    st = best_heights(t, c);
    if (st == HIT_E_LIMIT || st == HIT_E_ARG) *seconds = INFINITY;
    if (isinf(*seconds) || st != HIT_OK) return isinf(*seconds) ? HIT_OK : st;
    for (int k = t->sizes->first[c]; k < t->sizes->first[c + 1]; k++) {
        *seconds = fmax(*seconds, hit_fpm_time(t->fpm[k], t->sizes->height[k] * width));
    }
    return HIT_OK;
}

/** Add column @p c to the columns before it: least[w] is their least time where they are
 * w wide together, and @p chosen becomes the width of column c in that. */
static hit_status add_column(const turns *t, int c, double least[], hit_index chosen[])
{
    const hit_index most = t->plane->columns;
    double *before;

    HIT_TRY(HIT_TAKE(&t->sizes->arrays, (size_t)most + 1, before));
    memcpy(before, least, ((size_t)most + 1) * sizeof *before);
    for (hit_index w = 1; w <= most; w++) {
        double seconds;

        t->sizes->width[c] = w;
        HIT_TRY(time_column(t, c, &seconds));
        for (hit_index all = w; all <= most; all++) {
            const double longer = fmax(before[all - w], seconds);

            if (longer >= least[all]) continue;
            least[all] = longer;
            chosen[all] = w;
        }
    }
    return HIT_OK;
}

/** The best widths of few columns of units, each with its best heights: the optimum for
 * any models. */
static hit_status try_widths(turns *t)
{
    const size_t size = (size_t)t->plane->columns + 1;
    const size_t columns = (size_t)t->sizes->columns;
    hit_arrays *arrays = &t->sizes->arrays;
    hit_index left = t->plane->columns;
    double *least;
    hit_index *chosen;

    HIT_TRY(HIT_TAKE(arrays, size, least));
    HIT_TRY(HIT_TAKE(arrays, size * columns, chosen));
    for (size_t w = 1; w < size; w++) {
        least[w] = INFINITY;
    }
    for (int c = 0; c < t->sizes->columns; c++) {
        HIT_TRY(add_column(t, c, least, chosen + size * (size_t)c));
    }
    if (isinf(least[size - 1])) return HIT_OK;
    for (int c = t->sizes->columns - 1; c >= 0; c--) {
        t->sizes->width[c] = chosen[size * (size_t)c + (size_t)left];
        left -= t->sizes->width[c];
        if (t->sizes->width[c] > 0) HIT_TRY(best_heights(t, c));
    }
    judge(t);
    return HIT_OK;
}

/** Many units, and models whose times may fall. */
static hit_status turn_after_turn(turns *t)
{
    HIT_TRY(find_areas(t));
    HIT_TRY(find_both(t));
    if (isfinite(t->best)) HIT_TRY(take_turns(t));
    HIT_TRY(
        hit_partition_cpm(t->plane->columns, t->sizes->columns, t->sum, t->sizes->width));
    return take_turns(t);
}

static hit_status find_sizes(turns *t)
{
    if (t->monotone) {
        HIT_TRY(find_both(t));
    } else if (t->plane->columns <= EVERY_WIDTH / t->members) {
        HIT_TRY(try_widths(t));
    } else {
        HIT_TRY(turn_after_turn(t));
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
    hit_arrays *arrays = &sizes->arrays;
    turns t = {.plane = plane,
               .sizes = sizes,
               .members = sizes->first[sizes->columns],
               .monotone = true,
               .best = INFINITY};

    HIT_TRY(HIT_TAKE(arrays, parts, t.fpm));
    HIT_TRY(HIT_TAKE(arrays, parts, t.area));
    HIT_TRY(HIT_TAKE(arrays, parts, t.sum));
    HIT_TRY(HIT_TAKE(arrays, parts, t.load));
    HIT_TRY(HIT_TAKE(arrays, parts, t.least));
    HIT_TRY(HIT_TAKE(arrays, parts, t.height));
    HIT_TRY(HIT_TAKE(arrays, parts, t.width));
    for (int k = 0; k < t.members; k++) {
        t.fpm[k] = plane->fpm[sizes->member[k]];
        t.monotone = t.monotone && hit_fpm_is_monotone(t.fpm[k]);
    }
    return find_sizes(&t);
}
