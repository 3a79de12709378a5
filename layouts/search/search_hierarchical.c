/* SPDX-License-Identifier: MIT
 * The search at two levels: INPA around IDPA (partition/hierarchical.h). Nodes that have
 * found their slices wait until all have. */
#include "hit/base/memory.h"
#include "hit/topo/layout_text.h"
#include "layouts/layouts.h"
#include "layouts/partition/dynamic/dynamic.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct search {
    const hit_layout_spec *spec;
    hit_nodes nodes;
    hit_hierarchical *loop;
    int asked; /**< distributions handed out */
} search;

static hit_status cut(const hit_layout_spec *spec, bool cut[])
{
    return hit_search_columns.cut(spec, cut);
}

static void destroy(void *state)
{
    search *s = state;

    hit_hierarchical_destroy(&s->loop);
    hit_arrays_free(&s->nodes.arrays);
    free(s);
}

static hit_status create(const hit_layout_spec *spec, const hit_fpm *const seed[],
                         double noise, void **state)
{
    static const char *const known[] = {HIT_SEARCH_OPTIONS, "nodes", "dims", NULL};
    hit_dynamic_options options = {.noise = noise, .seed = seed};
    search *made;

    HIT_TRY(hit_layout_only(spec, known));
    HIT_TRY(hit_memory_zeroed(1, sizeof *made, &made));
    *state = made; /* destroyed by the caller, also after a failure */
    made->spec = spec;
    HIT_TRY(hit_nodes_open(spec, &made->nodes));
    options.by = hit_layout_elements(spec, made->nodes.dims[0], made->nodes.dims[1]);
    return hit_hierarchical_create(&made->nodes.hierarchy, &options, &made->loop);
}

static void set_limits(const search *s, double kill_s[])
{
    int rank = 0;

    for (int i = 0; i < s->nodes.hierarchy.nodes; i++) {
        const bool busy = hit_hierarchical_busy(s->loop, i);
        const double limit_s = hit_hierarchical_kill_s(s->loop, i);

        for (int j = 0; j < s->nodes.hierarchy.devices[i]; j++) {
            kill_s[rank++] = busy ? limit_s : -1.0;
        }
    }
}

static hit_status next(void *state, const double seconds[], hit_layout_offer *offer)
{
    search *s = state;
    hit_growing text = {.text = NULL};
    hit_dynamic_verdict verdict;

    HIT_TRY(hit_hierarchical_next(s->loop, seconds, &s->nodes.slices, &verdict));
    set_limits(s, offer->kill_s);
    s->asked++;
    offer->reason = NULL;
    offer->exact = true; /* a node may be balanced where the others are not */
    if (verdict != HIT_DYNAMIC_CONTINUE) {
        offer->reason = hit_dynamic_verdict_name(verdict);
    }
    (void)snprintf(offer->note, sizeof offer->note, "nodes, round %d; devices, step %d",
                   hit_hierarchical_rounds(s->loop) + (offer->reason == NULL), s->asked);
    hit_nodes_write(&s->nodes, s->spec->ranks, &text);
    return hit_growing_end(&text, &offer->options);
}

const hit_layout_search_ops hit_search_hierarchical = {
    .cut = cut, .create = create, .destroy = destroy, .next = next};
