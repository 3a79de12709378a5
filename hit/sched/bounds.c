/* SPDX-License-Identifier: MIT
 * What no schedule can beat: the longest way through the graph, and the time in which all
 * devices together could do the work if it could be cut at will. */
#include "hit/sched/bounds.h"

#include "hit/base/memory.h"
#include "hit/sched/sched.h"

#include <math.h>
#include <stdlib.h>

/** All tasks of one work. */
typedef struct share {
    hit_sched_speedup least; /**< of one of them; first, since shares are sorted by it */
    double tasks;
} share;

/** Do all shares fit @p ns on so many devices? */
static bool fits(int count, const share of[], int accelerators, int hosts, double ns)
{
    double accelerator = accelerators * ns;
    double host = hosts * ns;

    for (int k = 0; k < count; k++) {
        const hit_sched_speedup *least = &of[k].least;
        double left = of[k].tasks;

        if (least->accelerator_ns >= 0) {
            const double most = least->accelerator_ns > 0
                                    ? accelerator / (double)least->accelerator_ns
                                    : left;
            const double there = most < left ? most : left;

            left -= there;
            accelerator -= there * (double)least->accelerator_ns;
        }
        if (left > 0.0 && least->host_ns < 0) return false;
        host -= left * (double)(least->host_ns > 0 ? least->host_ns : 0);
    }
    return host >= 0.0;
}

static int64_t area(int count, share of[], int accelerators, int hosts)
{
    double low = 0.0;
    double high = 1.0;

    qsort(of, (size_t)count, sizeof *of, hit_sched_speedup_compare);
    while (!fits(count, of, accelerators, hosts, high) && high < 0x1p62) {
        high *= 2.0;
    }
    for (int k = 0; k < 64; k++) {
        const double middle = 0.5 * (low + high);

        if (fits(count, of, accelerators, hosts, middle)) {
            high = middle;
        } else {
            low = middle;
        }
    }
    return llround(high);
}

/** The least times of each work, and how many kinds of devices there are in each class.
 */
static void look(const hit_graph *graph, const hit_machine *machine, share of[],
                 int kinds[2])
{
    kinds[0] = 0;
    kinds[1] = 0;
    for (int w = 0; w < graph->works; w++) {
        of[w] = (share){{w, -1, -1}, 0.0};
    }
    for (int k = 0; k < machine->kinds; k++) {
        const bool host = machine->kind[k].link < 0;

        if (machine->kind[k].count == 0) continue;
        kinds[host]++;
        for (int w = 0; w < graph->works; w++) {
            const hit_graph_work *work = &graph->work[w];
            const int64_t ns = hit_machine_run_ns(machine, work->kernel, work->block, k);
            int64_t *least = host ? &of[w].least.host_ns : &of[w].least.accelerator_ns;

            if (ns >= 0 && (*least < 0 || ns < *least)) *least = ns;
        }
    }
    for (int t = 0; t < graph->tasks; t++) {
        of[graph->task[t].work].tasks += 1.0;
    }
}

static int64_t path(const hit_graph *graph, const share of[], int64_t work_ns[],
                    int64_t rank_ns[])
{
    int64_t longest = 0;

    for (int w = 0; w < graph->works; w++) {
        const int64_t host = of[w].least.host_ns;
        const int64_t accelerator = of[w].least.accelerator_ns;

        work_ns[w] =
            accelerator < 0 || (host >= 0 && host < accelerator) ? host : accelerator;
    }
    hit_graph_ranks(graph, 0, graph->tasks, work_ns, rank_ns);
    for (int t = 0; t < graph->tasks; t++) {
        if (rank_ns[t] > longest) longest = rank_ns[t];
    }
    return longest;
}

hit_status hit_simulate_bounds(const hit_graph *graph, const hit_machine *machine,
                               hit_bounds *bounds)
{
    const size_t works = (size_t)graph->works + 1;
    hit_machine_device device[HIT_MACHINE_DEVICES];
    int devices;
    int kinds[2];
    int accelerators = 0;
    share *of = NULL;
    int64_t *ns; /* behind it */

    HIT_TRY(hit_machine_devices(machine, &devices, device));
    HIT_TRY(hit_memory_zeroed(
        1, works * sizeof *of + (works + (size_t)graph->tasks) * sizeof *ns, &of));
    ns = (int64_t *)(void *)(of + works);
    look(graph, machine, of, kinds);
    bounds->path_ns = path(graph, of, ns, ns + works);
    while (accelerators < devices && device[accelerators].node > 0) {
        accelerators++;
    }
    bounds->area_ns = kinds[0] <= 1 && kinds[1] <= 1
                          ? area(graph->works, of, accelerators, devices - accelerators)
                          : 0;
    free(of);
    return HIT_OK;
}
