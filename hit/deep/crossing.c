/* SPDX-License-Identifier: MIT
 * What crosses while a block runs: launches go through a small memory together, as many
 * as move the fewest bytes (hit/chain/spread.h). The longer a block is, the wider are
 * its margins, which cross, too, and the fewer rows fit. */
#include "hit/base/memory.h"
#include "hit/chain/chain.h"
#include "hit/chain/spread.h"
#include "hit/data/domain_set.h"
#include "hit/deep/deep_impl.h"

#include <math.h>
#include <stdlib.h>

/* Launches as a device gets them. */
typedef struct block {
    int count;
    hit_skew chain;
    hit_chain_launch launch[HIT_CHAIN_LAUNCHES];
    const hit_chain_launch *list[HIT_CHAIN_LAUNCHES];
    uint64_t alone_bytes[HIT_CHAIN_LAUNCHES];
    hit_chain_cut *cut; /* over the devices of a process */
} block;

/* A box of the extents of the smallest part, in the middle of all elements. */
static hit_domain middle(const hit_deep_expected *e)
{
    const hit_domain whole = hit_layout_domain(e->storage->layout);
    hit_domain box = hit_domain_empty(whole.dims);

    for (int c = 0; c < whole.dims; c++) {
        const hit_sig all = whole.sig[c];
        const hit_index least = e->parts->shape.least[c];
        const hit_index begin = all.begin + (hit_sig_count(all) - least) / 2;

        box.sig[c] = hit_sig_make(begin, begin + least - 1, 1);
    }
    return box;
}

/* Launches at home cross in any case, and are left out. */
static void add_launch(const hit_deep_expected *e, int l, const hit_domain *own,
                       const hit_margin *extra, block *made)
{
    static const hit_index nowhere[HIT_MAX_DIMS] = {0};
    const hit_deep_form *form = hit_deep_form_at(e, l);
    hit_chain_launch *launch = &made->launch[made->count];
    hit_domain box;

    if (form->home) return;
    box = hit_deep_indices(form, own, extra, nowhere);
    if (hit_domain_is_empty(&box)) return;
    hit_deep_launch_on(form, &box, launch);
    for (int u = 0; u < launch->uses; u++) {
        launch->use[u].storage = e->deep->planning->work[l].use[u].field;
    }
    made->list[made->count++] = launch;
}

/* Can all devices take part? */
static bool is_shared(const block *made, const hit_chain_launch *const list[])
{
    return made->cut->shares == 1 ||
           hit_chain_cut_refused(&made->chain, list, made->chain.launches) == NULL;
}

/* Let as many launches as can join the chain, from number @p first on. */
static int join(block *made, int first)
{
    const hit_chain_launch *const *list = &made->list[first];
    char why[300];

    made->chain = (hit_skew){.line = 1};
    while (first + made->chain.launches < made->count) {
        if (!hit_skew_join(&made->chain, list, why, sizeof(why))) break;
        if (!is_shared(made, list)) {
            hit_skew_cut(&made->chain, made->chain.launches - 1);
            break;
        }
    }
    return made->chain.launches;
}

static hit_chain_stream_request request_of(const hit_deep_expected *e, const block *made,
                                           int from)
{
    return (hit_chain_stream_request){.chain = &made->chain,
                                      .launch = &made->list[from],
                                      .launches = 1,
                                      .limit_bytes = e->limit_bytes,
                                      .async = e->async};
}

/* Of the launches that have joined, as many at a time as move the fewest bytes. */
static double add_groups(const hit_deep_expected *e, block *made, int from)
{
    const int count = made->chain.launches;
    hit_chain_stream_request request = request_of(e, made, from);
    double bytes = 0;
    int most;

    for (request.first = 0; request.first < count; request.first++) {
        (void)hit_chain_cut_plan(made->cut, &request);
        made->alone_bytes[request.first] = hit_chain_cut_bytes(made->cut);
    }
    request.alone_bytes = made->alone_bytes;
    request.first = 0;
    request.launches = count;
    most = hit_chain_cut_group(made->cut, &request,
                               0); /* margins differ: it has no period */
    if (most < 1) most = 1;
    while (request.first < count) {
        const int left = count - request.first;

        request.launches = left < most ? left : most;
        if (!hit_chain_cut_plan_group(made->cut, &request, count)) {
            request.launches = 1;
            (void)hit_chain_cut_plan_group(made->cut, &request, count);
        }
        bytes += (double)hit_chain_cut_bytes(made->cut);
        request.first += request.launches;
    }
    return bytes;
}

/* All that cross for the launches of @p made. HUGE_VAL: devices cannot share them. */
static double add_up(const hit_deep_expected *e, block *made)
{
    double bytes = 0;
    int from = 0;

    while (from < made->count) {
        const int count = join(made, from);

        if (count == 0) return HUGE_VAL;
        bytes += add_groups(e, made, from);
        from += count;
    }
    return bytes;
}

hit_status hit_deep_crossing(const hit_deep_expected *e, int launches, double *bytes)
{
    static const hit_margin none = {0};
    const hit_domain own = middle(e);
    const int count = launches > 0 ? launches : e->period;
    block *made = NULL;
    hit_status status;

    HIT_TRY(hit_memory_zeroed(1, sizeof(*made), &made));
    status = hit_chain_cut_create(e->devices, &made->cut);
    *bytes = 0;
    for (int l = 0; l < count && status == HIT_OK; l++) {
        add_launch(e, l, &own, launches > 0 ? &e->deep->planning->work[l].extra : &none,
                   made);
        if (launches > 0 && l + 1 < launches) continue;
        *bytes += add_up(e, made) / count;
        made->count = 0;
    }
    hit_chain_cut_destroy(&made->cut);
    free(made);
    return status;
}
