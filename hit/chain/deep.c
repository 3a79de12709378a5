/* SPDX-License-Identifier: MIT
 * Chains over processes, by computing some elements twice: backward, per side,
 *
 *     extra[l] = max(0, over later m that read what l writes: extra[m] + reach of m)
 *
 * and the elements that a launch reads as they were at the beginning are needed up to
 * extra + reach beyond a part. Elements that no launch writes stay right once they have
 * come; those that launches write are right up to the margin of the last launch that
 * wrote all of them. A box around what is written tells them apart.
 *
 * @paper [Wonnacott2000] section 4, redundant work instead of messages; differs: margins
 * per launch and side come from the annotations of unlike kernels */
#include "hit/chain/spread.h"
#include "hit/data/domain_set.h"
#include "hit/data/hash.h"

#include <stdio.h>

/* ---- margins ---- */

static bool is_within(const hit_margin *margin, const hit_margin *of)
{
    for (int c = 0; c < HIT_MAX_DIMS; c++) {
        if (margin->low[c] > of->low[c] || margin->high[c] > of->high[c]) return false;
    }
    return true;
}

bool hit_margin_is_none(const hit_margin *margin)
{
    static const hit_margin none = {0};

    return is_within(margin, &none);
}

static hit_margin extreme(const hit_margin *a, const hit_margin *b, bool most)
{
    hit_margin found;

    for (int c = 0; c < HIT_MAX_DIMS; c++) {
        found.low[c] = (a->low[c] > b->low[c]) == most ? a->low[c] : b->low[c];
        found.high[c] = (a->high[c] > b->high[c]) == most ? a->high[c] : b->high[c];
    }
    return found;
}

static hit_margin most_of(const hit_margin *a, const hit_margin *b)
{
    return extreme(a, b, true);
}

static hit_margin least_of(const hit_margin *a, const hit_margin *b)
{
    return extreme(a, b, false);
}

/* Beyond @p extra by @p reach, at least 0. */
static hit_margin beyond(const hit_margin *extra, const hit_margin *reach)
{
    hit_margin sum;

    for (int c = 0; c < HIT_MAX_DIMS; c++) {
        sum.low[c] = hit_larger(0, extra->low[c] + reach->low[c]);
        sum.high[c] = hit_larger(0, extra->high[c] + reach->high[c]);
    }
    return sum;
}

hit_domain hit_margin_grow(const hit_domain *box, const hit_margin *margin)
{
    hit_domain grown = *box;

    for (int c = 0; c < box->dims; c++) {
        grown.sig[c] = hit_sig_make(box->sig[c].begin - margin->low[c],
                                    box->sig[c].end + margin->high[c], 1);
    }
    return grown;
}

/* ---- patterns ---- */

bool hit_deep_reach(const hit_deep_anchor *anchor, const hit_pattern *pattern,
                    unsigned open, hit_deep_use *use, char *why, size_t size)
{
    use->reach = (hit_margin){0};
    for (int c = 0; c < pattern->tile_dims; c++) {
        hit_index low = 0;
        hit_index high = 0;

        if ((anchor->shared >> c & 1u) == 0) continue;
        if (!hit_chain_interval(pattern, c, anchor->follows[c], &low, &high)) {
            (void)snprintf(why, size,
                           "dimension %d, in which processes share the elements, does "
                           "not follow the index by which they share the work",
                           c);
            return false;
        }
        low -= anchor->offset[c];
        high -= anchor->offset[c];
        if (use->writes && (low != 0 || high != 0)) {
            (void)snprintf(why, size, "it writes elements of other processes");
            return false;
        }
        if ((open >> c & 1u) != 0) {
            low = -hit_larger(-low, high);
            high = -low;
        }
        use->reach.low[c] = -low;
        use->reach.high[c] = high;
    }
    return true;
}

/* ---- launches ---- */

/* The launch that writes by the use @p of all elements of a part and @p around. */
static hit_margin writing(const hit_margin *around, const hit_deep_use *of)
{
    hit_margin sum;

    for (int c = 0; c < HIT_MAX_DIMS; c++) {
        sum.low[c] = hit_larger(0, around->low[c] + of->reach.high[c]);
        sum.high[c] = hit_larger(0, around->high[c] + of->reach.low[c]);
    }
    return sum;
}

/* Later launches read what the use @p of of launch @p l writes. */
static void extend(int launches, const hit_deep_launch launch[], int l,
                   const hit_deep_use *of, hit_margin *extra)
{
    for (int m = l + 1; m < launches; m++) {
        bool over = false;

        for (int u = 0; u < launch[m].uses; u++) {
            const hit_deep_use *use = &launch[m].use[u];

            if (use->field != of->field) continue;
            if (use->reads && hit_domain_meets(&use->cover, &of->cover)) {
                hit_margin needed = beyond(&launch[m].extra, &use->reach);

                needed = writing(&needed, of);
                *extra = most_of(extra, &needed);
            }
            over = over || (use->writes && use->whole &&
                            hit_domain_inside(&of->cover, &use->cover));
        }
        if (over) return; /* later launches read the new elements */
    }
}

void hit_deep_extend(int launches, hit_deep_launch launch[])
{
    static const hit_margin none = {0};

    for (int l = launches - 1; l >= 0; l--) {
        launch[l].extra = none;
        for (int u = 0; u < launch[l].uses; u++) {
            const hit_deep_use *use = &launch[l].use[u];
            hit_margin own;

            if (!use->writes) continue;
            own = writing(&none, use);
            launch[l].extra = most_of(&launch[l].extra, &own);
            extend(launches, launch, l, use, &launch[l].extra);
        }
    }
}

static void add_read(const hit_deep_use *use, hit_deep_field *field)
{
    field->cover =
        field->read ? hit_domain_cover(&field->cover, &use->cover) : use->cover;
    field->read = true;
}

static void read_first(const hit_deep_launch *launch, const hit_deep_use *use,
                       bool overwritten, hit_deep_field *field)
{
    const hit_margin needed = beyond(&launch->extra, &use->reach);

    if (!hit_domain_inside(&use->cover, &field->changed)) {
        field->outside = most_of(&field->outside, &needed);
        add_read(use, field);
    }
    if (!overwritten && hit_domain_meets(&use->cover, &field->changed)) {
        field->inside = most_of(&field->inside, &needed);
        add_read(use, field);
    }
}

void hit_deep_set_depth(int launches, const hit_deep_launch launch[], int number,
                        hit_deep_field *field)
{
    bool overwritten = false;

    field->read = false;
    field->cover = hit_domain_empty(field->changed.dims);
    field->inside = field->outside = (hit_margin){0};
    for (int l = 0; l < launches; l++) {
        for (int u = 0; u < launch[l].uses; u++) {
            const hit_deep_use *use = &launch[l].use[u];

            if (use->field != number || !use->reads) continue;
            read_first(&launch[l], use, overwritten, field);
        }
        for (int u = 0; u < launch[l].uses; u++) {
            const hit_deep_use *use = &launch[l].use[u];

            if (use->field != number || !use->writes || !use->whole) continue;
            overwritten = overwritten || hit_domain_inside(&field->changed, &use->cover);
        }
    }
}

double hit_deep_work(int axes, const hit_index least[], int launches,
                     const hit_deep_launch launch[])
{
    double sum = 0;

    for (int l = 0; l < launches; l++) {
        double grown = 1;

        for (int c = 0; c < axes; c++) {
            const hit_margin *extra = &launch[l].extra;

            grown *=
                (double)(least[c] + extra->low[c] + extra->high[c]) / (double)least[c];
        }
        sum += grown;
    }
    return launches > 0 ? sum / launches : 1;
}

/* ---- states ---- */

bool hit_deep_state_is_bare(const hit_deep_state *state)
{
    return hit_margin_is_none(&state->inside) && hit_margin_is_none(&state->outside);
}

void hit_deep_state_forget(hit_deep_state *state)
{
    *state = (hit_deep_state){0};
}

/* What was outside before is inside now. */
void hit_deep_state_expect(hit_deep_state *state, const hit_domain *box)
{
    if (hit_deep_state_is_bare(state)) {
        state->changed = *box;
    } else if (!hit_domain_inside(box, &state->changed)) {
        state->changed = hit_domain_cover(&state->changed, box);
        state->inside = least_of(&state->inside, &state->outside);
    }
}

void hit_deep_state_write(hit_deep_state *state, const hit_domain *cover, bool whole,
                          const hit_margin *extra)
{
    if (hit_domain_is_empty(cover)) return;
    hit_deep_state_expect(state, cover);
    if (whole && hit_domain_inside(&state->changed, cover)) {
        state->inside = *extra;
    } else {
        state->inside = least_of(&state->inside, extra);
    }
}

bool hit_deep_state_serves(const hit_deep_state *state, const hit_deep_field *field)
{
    const hit_margin depth = hit_deep_depth(field);

    if (hit_margin_is_none(&depth)) return true;
    return hit_domain_inside(&field->cover, &state->cover) &&
           is_within(&field->inside, &state->inside) &&
           is_within(&field->outside, &state->outside);
}

hit_margin hit_deep_depth(const hit_deep_field *field)
{
    return most_of(&field->inside, &field->outside);
}

/* The larger one of two margins that are right is right, their hull is not; and what came
 * for a smaller box says nothing of the elements around it. */
void hit_deep_state_receive(hit_deep_state *state, const hit_deep_field *field)
{
    const hit_margin depth = hit_deep_depth(field);

    if (!hit_domain_equal(&field->cover, &state->cover)) {
        state->cover = field->cover;
        state->inside = state->outside = depth;
        return;
    }
    if (!is_within(&depth, &state->inside)) state->inside = depth;
    if (!is_within(&depth, &state->outside)) state->outside = depth;
}
