/* SPDX-License-Identifier: MIT
 * How fast the processes of a dry run are: of each kind the models of its devices, or
 * what a machine file says. Only process 0 prints times, and looks them up. */
#include "hit/base/memory.h"
#include "hit/comm/comm.h"
#include "hit/data/hash.h"
#include "hit/device/nodes.h"
#include "hit/dry/dry_impl.h"
#include "hit/measure/measure_impl.h"
#include "hit/sched/cluster.h"

#include <stdlib.h>

static int count_rates(const hit_context *context)
{
    return hit_nodes_kinds(context) * hit_nodes_most_devices(context);
}

hit_status hit_dry_rates_create(const hit_context *context, hit_dry_rates *rates)
{
    rates->count = count_rates(context);
    return hit_memory_zeroed((size_t)rates->count, sizeof(*rates->of), &rates->of);
}

static void forget(hit_dry_rates *rates)
{
    for (int k = 0; k < rates->count; k++) {
        hit_rates_clear(&rates->of[k]);
        rates->of[k] = (hit_rates){.kernel = NULL};
    }
    rates->known = 0;
}

void hit_dry_rates_clear(hit_dry_rates *rates)
{
    forget(rates);
    free(rates->of);
    rates->of = NULL;
    rates->count = 0;
}

/* What models are looked up by: at most places the kernel and the extents are those of
 * the place before. */
static uint64_t key_of(const hit_call *call, const hit_known_kernel *known)
{
    const uint64_t key = hit_hash_extents(known->hash, &call->domain);

    return hit_hash_word(key, (uint64_t)hit_rates_extent(call, known)) | 1;
}

/* Of a device of a node, as the machine's file says; what it does not say, or what there
 * is no memory for, is not known. Each device has engines for its copies. */
static void load_node(const hit_machine *machine, const hit_call *call, int node, int d,
                      hit_rates *rates)
{
    double rest_w;

    rates->async = true;
    rates->kernel_w = hit_cluster_watts(machine, node, d, &rest_w);
    hit_cluster_links(machine, node, d, &rates->links);
    (void)hit_cluster_rate(machine, node, d, call->kernel->name, &rates->kernel);
}

double hit_dry_rest_watts(const hit_context *context)
{
    const hit_machine *machine = hit_nodes_machine(context);
    double all_w = 0;
    hit_context as;

    for (int k = 0; k < hit_nodes_kinds(context) && machine != NULL; k++) {
        hit_nodes_see(context, k, &as);
        for (int d = 0; d < as.devices; d++) {
            double rest_w;

            if (hit_cluster_watts(machine, k, d, &rest_w) < 0) return -1;
            all_w += hit_nodes_count(context, k) * rest_w;
        }
    }
    return machine != NULL ? all_w : -1;
}

void hit_dry_rates_load(const hit_call *call, const hit_known_kernel *known,
                        hit_dry_rates *rates)
{
    const hit_context *context = call->context;
    const uint64_t key = key_of(call, known);
    const hit_machine *machine = hit_nodes_machine(context);
    const int most = hit_nodes_most_devices(context);
    hit_context as;
    hit_call seen = *call;

    if (rates->known == key) return;
    forget(rates);
    seen.context = &as;
    for (int k = 0; k < hit_nodes_kinds(context); k++) {
        hit_nodes_see(context, k, &as);
        for (int d = 0; d < as.devices; d++) {
            hit_rates *one = &rates->of[k * most + d];

            if (machine != NULL) {
                load_node(machine, call, k, d, one);
            } else {
                hit_rates_load(&seen, known, as.device[d], one);
            }
        }
    }
    rates->known = key;
}

/* Let the processes that are there run the kernel on device number @p d of a kind. */
static hit_status measure(const hit_call *call, const hit_known_kernel *known, int kind,
                          int d, const hit_domain *sample, unsigned lacks)
{
    hit_context as;
    hit_call seen = *call;

    hit_nodes_see(call->context, kind, &as);
    seen.context = &as;
    return hit_lacks_measure(&seen, known, d, sample, lacks);
}

hit_status hit_dry_rates_measure(const hit_call *call, const hit_known_kernel *known,
                                 const hit_preview *preview, hit_dry_rates *rates,
                                 bool *any)
{
    const int most = hit_nodes_most_devices(call->context);
    uint64_t lacks[HIT_MAX_DEVICES] = {preview->time.lacks & HIT_LACKS_MESSAGES};

    *any = false;
    for (int d = 0; d < preview->devices; d++) {
        lacks[d] |= preview->device[d].time.lacks;
    }
    HIT_TRY(hit_comm_broadcast(call->context->comm, 0, lacks, sizeof(lacks)));
    for (int r = 0; r < rates->count; r++) {
        const int d = r % most;

        if (lacks[d] == 0) continue;
        HIT_TRY(measure(call, known, r / most, d, &preview->device[d].sample,
                        (unsigned)lacks[d]));
        lacks[d] &= ~(uint64_t)HIT_LACKS_MESSAGES; /* they are no device's */
        *any = true;
    }
    if (*any) forget(rates);
    return HIT_OK;
}
