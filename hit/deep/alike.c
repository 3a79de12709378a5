/* SPDX-License-Identifier: MIT
 * Processes whose parts, needs and messages are the same but for a shift are one class.
 */
#include "hit/base/alloc.h"
#include "hit/data/hash.h"
#include "hit/deep/deep.h"

#include <stdlib.h>

/* ---- classes ---- */

hit_status hit_alike_add(hit_alike *alike, uint64_t key, int rank)
{
    int k = hit_table_first(&alike->by_key, key);

    while (k >= 0 && alike->of[k].key != key) {
        k = hit_table_next(&alike->by_key, k);
    }
    if (k < 0) {
        k = alike->count;
        HIT_TRY(hit_memory_grow((size_t)k + 1, &alike->room, sizeof(*alike->of),
                                "a dry run", &alike->of));
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

hit_index hit_alike_far(const hit_deep_form *form, const hit_margin *extra)
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

uint64_t hit_alike_key(uint64_t key, const hit_deep_form *form, const hit_domain *own,
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
