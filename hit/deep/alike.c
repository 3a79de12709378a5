/* SPDX-License-Identifier: MIT
 * Processes whose parts, needs and messages are the same but for a shift are one class.
 */
#include "hit/base/alloc.h"
#include "hit/base/context.h"
#include "hit/comm/message.h"
#include "hit/data/hash.h"
#include "hit/deep/deep.h"
#include "hit/device/nodes.h"
#include "patterns/transform.h"

#include <stdlib.h>

/* ---- classes ---- */

static hit_status add(hit_alike *alike, uint64_t key, int rank)
{
    int k = hit_table_first(&alike->by_key, key);

    while (k >= 0 && alike->of[k].key != key) {
        k = hit_table_next(&alike->by_key, k);
    }
    if (k < 0) {
        k = alike->count;
        HIT_TRY(HIT_ONE_MORE(alike->of, k, alike->room, "a dry run"));
        HIT_TRY(hit_table_reserve(&alike->by_key, k + 1, "a dry run"));
        alike->of[k] = (hit_alike_class){.key = key, .rank = rank};
        hit_table_put(&alike->by_key, key, k);
        alike->count++;
    }
    alike->of[k].processes++;
    return HIT_OK;
}

void hit_alike_clear(hit_alike *alike)
{
    free(alike->of);
    hit_table_clear(&alike->by_key);
    *alike = (hit_alike){.count = 0};
}

/* ---- keys ---- */

static hit_index distance(hit_index a)
{
    return a < 0 ? -a : a;
}

/* How far beyond a part a launch that runs @p extra beyond it may reach, and by one more.
 */
static hit_index find_far(const hit_deep_form *form, const hit_margin *extra)
{
    hit_index most = 0;
    hit_index reach = 0;

    for (int c = 0; c < form->dims; c++) {
        most = hit_larger(most, hit_larger(extra->low[c], extra->high[c]));
        for (int u = 0; u < form->launch->uses; u++) {
            const hit_margin *of = &form->use[u].reach;

            reach = hit_larger(reach, distance(of->low[c]));
            reach = hit_larger(reach, distance(of->high[c]));
        }
    }
    return most + reach + 1;
}

static bool is_near(hit_sig sig, hit_sig own, hit_index far)
{
    return sig.begin <= own.end + far && sig.end >= own.begin - far;
}

/* What lies further away than @p far might as well lie anywhere there. */
static uint64_t add_ends(uint64_t key, hit_sig sig, hit_sig own, hit_index far)
{
    const hit_index low = hit_larger(sig.begin - own.begin, -far);
    const hit_index high = hit_larger(own.end - sig.end, -far);

    return hit_hash_word(hit_hash_word(key, (uint64_t)low), (uint64_t)high);
}

/* Where the part @p own lies among the indices of a launch that is not at home, and in
 * its tiles, as far as @p far beyond the part. Processes with parts of the same extents
 * and the same keys run boxes of the launch that are the same, moved with their parts. */
static uint64_t add_around(uint64_t key, const hit_deep_form *form, const hit_domain *own,
                           hit_index far)
{
    uint64_t made = hit_hash_word(key, 1);

    for (int c = 0; c < form->dims; c++) {
        const int d = form->anchor.follows[c];
        const hit_index offset = form->anchor.offset[c];
        hit_sig sig = hit_sig_make(offset, offset, 1);

        if ((form->anchor.shared >> c & 1u) == 0) continue;
        if (d >= 0) {
            sig = hit_sig_make(form->launch->domain.sig[d].begin + offset,
                               form->launch->domain.sig[d].end + offset, 1);
        }
        /* copies beyond a periodic boundary may be near */
        if (form->period[c] == 0 && !is_near(sig, own->sig[c], far)) {
            return hit_hash_word(key, 0);
        }
        made = add_ends(made, sig, own->sig[c], far);
        for (int u = 0; u < form->launch->uses; u++) {
            made = add_ends(made, form->launch->use[u].tile.sig[c], own->sig[c], far);
        }
    }
    return made;
}

uint64_t hit_alike_add_box(uint64_t key, const hit_domain *box, const hit_domain *beside)
{
    key = hit_hash_extents(key, box);
    for (int c = 0; c < box->dims; c++) {
        const hit_index origin = c < beside->dims ? beside->sig[c].begin : 0;

        key = hit_hash_word(key, (uint64_t)(box->sig[c].begin - origin));
    }
    return key;
}

/* The indices of a launch at home beside the process's part of the fields, and what they
 * touch beside its part of each tile. */
static hit_status add_home(const hit_alike_launch *of, int rank, const hit_domain *own,
                           uint64_t *key)
{
    hit_domain index;
    hit_domain part;

    HIT_TRY(hit_alike_index(of->plan, rank, &index));
    *key = hit_hash_word(*key, hit_domain_is_empty(&index) ? 2 : 3);
    if (hit_domain_is_empty(&index)) return HIT_OK;
    *key = hit_alike_add_box(*key, &index, own);
    for (int u = 0; u < of->plan->uses; u++) {
        const hit_use *use = &of->plan->use[u];
        const hit_domain cover = hit_pattern_cover(use->pattern, &use->tile, &index);

        HIT_TRY(
            hit_alike_own(of->call->args[use->arg].tile->storage->layout, rank, &part));
        *key = hit_alike_add_box(*key, &cover, &part);
    }
    return HIT_OK;
}

/* ---- all processes ---- */

static hit_status take_first(hit_status status, hit_region *all, hit_domain *first)
{
    if (status == HIT_OK && all->count > 0) *first = all->part[0];
    hit_region_clear(all);
    return status;
}

hit_status hit_alike_own(const hit_layout *layout, int rank, hit_domain *own)
{
    hit_region part = {0};

    *own = hit_domain_empty(1);
    if (layout == NULL) return HIT_OK;
    return take_first(hit_layout_part(layout, rank, &part), &part, own);
}

hit_status hit_alike_index(const hit_launch_plan *plan, int rank, hit_domain *index)
{
    hit_region all = {0};

    *index = hit_domain_empty(plan->domain.dims);
    return take_first(hit_split_part(&plan->split, rank, &all), &all, index);
}

/* Of launches that differ only in where they are in dimensions that are not cut one is
 * looked at. */
static bool is_first(const hit_alike_launch launch[], int l)
{
    for (int m = 0; m < l; m++) {
        if (launch[m].form->hash == launch[l].form->hash) return false;
    }
    return launch[l].plan != NULL || !launch[l].form->home;
}

static hit_status add_process(const hit_context *context, const hit_layout *layout,
                              const hit_alike_launch launch[], int rank, hit_alike *alike)
{
    hit_domain own;
    uint64_t key;

    HIT_TRY(hit_alike_own(layout, rank, &own));
    key = hit_hash_extents(HIT_HASH_START, &own);
    key = hit_hash_word(key, (uint64_t)hit_nodes_kind_of(context, rank));
    for (int k = 0; k < alike->firsts; k++) {
        const hit_alike_launch *of = &launch[alike->first[k]];

        if (of->form->home) {
            HIT_TRY(add_home(of, rank, &own, &key));
        } else {
            key = add_around(key, of->form, &own, alike->far);
        }
    }
    return add(alike, key, rank);
}

hit_status hit_alike_find(const hit_context *context, const hit_layout *layout,
                          const hit_alike_launch launch[], int count, hit_alike *alike)
{
    for (int l = 0; l < count; l++) {
        const hit_deep_form *form = launch[l].form;

        if (is_first(launch, l)) alike->first[alike->firsts++] = (unsigned char)l;
        if (form->home) continue;
        alike->far = hit_larger(alike->far, find_far(form, launch[l].extra));
    }
    for (int p = 0; p < context->size; p++) {
        HIT_TRY(add_process(context, layout, launch, p, alike));
    }
    return HIT_OK;
}
