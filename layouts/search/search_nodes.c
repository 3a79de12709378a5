/* SPDX-License-Identifier: MIT
 * Searches in a dry run on the nodes of a machine file: nothing is measured, since the
 * file says how fast each node is. */
#include "hit/device/nodes.h"
#include "hit/sched/cluster.h"
#include "hit/topo/layout_text.h"
#include "layouts/partition/partition.h"
#include "layouts/search/search.h"

/* What the devices of a node do together of @p units, shared out as well as can be. */
static hit_status add_together(hit_index units, int devices, hit_fpm *const device[],
                               hit_fpm *together)
{
    hit_index share[HIT_MAX_DEVICES];
    hit_partition_info info;

    HIT_TRY(
        hit_partition_fpm(units, devices, (const hit_fpm *const *)device, share, &info));
    return hit_fpm_add(together, (double)units, info.makespan_s, 1);
}

/* Points by doubling, up to all indices. */
static hit_status join(hit_index most, int devices, hit_fpm *const device[],
                       hit_fpm **together)
{
    hit_status status = hit_fpm_create(HIT_FPM_FUNCTIONAL, 0, NULL, together);

    for (hit_index units = 1; status == HIT_OK;
         units = units > most / 2 ? most : 2 * units) {
        status = add_together(units, devices, device, *together);
        if (units == most) break;
    }
    if (status != HIT_OK) hit_fpm_destroy(together);
    return status;
}

static hit_status model_of(const hit_search *s, const hit_machine *machine, int kind,
                           hit_fpm **model)
{
    const char *kernel = s->trial.kernel->name;
    hit_fpm *device[HIT_MAX_DEVICES] = {NULL};
    hit_status status = HIT_OK;
    hit_context as;

    hit_nodes_see(s->context, kind, &as);
    for (int d = 0; d < as.devices && status == HIT_OK; d++) {
        status = hit_cluster_rate(machine, kind, d, kernel, &device[d]);
        if (status != HIT_OK || device[d] != NULL) continue;
        status = HIT_LAYOUT_FAIL(s->spec,
                                 "expected a line rate for %s on node %s, device %d, in "
                                 "the file of the machine but found none",
                                 kernel, machine->node[kind].name, d);
    }
    if (status == HIT_OK && as.devices == 1) {
        *model = device[0];
        device[0] = NULL;
    } else if (status == HIT_OK) {
        status = join(hit_domain_count(&s->spec->domain), as.devices, device, model);
    }
    for (int d = 0; d < as.devices; d++) {
        hit_fpm_destroy(&device[d]);
    }
    return status;
}

hit_status hit_search_nodes(hit_search *s)
{
    const hit_machine *machine = hit_nodes_machine(s->context);
    hit_status status = HIT_OK;

    for (int kind = 0; kind < hit_nodes_kinds(s->context) && status == HIT_OK; kind++) {
        hit_fpm *model = NULL;

        status = model_of(s, machine, kind, &model);
        for (int rank = 0; rank < s->spec->ranks && status == HIT_OK; rank++) {
            if (hit_nodes_kind_of(s->context, rank) != kind) continue;
            status = hit_fpm_copy(model, &s->root.seed[rank]);
        }
        hit_fpm_destroy(&model);
    }
    s->root.complete = true;
    return status;
}
