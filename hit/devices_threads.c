/* SPDX-License-Identifier: MIT
 * How many threads the devices of a process have: those on the host divide its cores. */
#define _POSIX_C_SOURCE 200809L /* sysconf */
#include "hit/base/input.h"
#include "hit/device/cores.h"
#include "hit/devices.h"

#include <stdlib.h>
#include <unistd.h>

enum {
    MAX_THREADS = 4096
};

static hit_status parse_threads(const char *text, int *threads)
{
    hit_index value;

    HIT_TRY(hit_number_read("HIT_THREADS", text, 1, MAX_THREADS, &value));
    *threads = (int)value;
    return HIT_OK;
}

/* This process's share of the cores. Where the processes of a host are bound to different
 * cores, each sees its own; where they are not, all see the same, and share. */
static hit_status share_of_cores(const hit_comm *comm, int *count)
{
    const long online = sysconf(_SC_NPROCESSORS_ONLN);
    hit_cores *cores = NULL;
    int rank = 0;
    int processes = 1;
    int mine;

    HIT_TRY(hit_cores_open(&cores));
    hit_comm_beside(comm, &rank, &processes);
    mine = hit_cores_count(cores);
    hit_cores_close(&cores);
    if ((long)mine * processes > online) mine /= processes;
    *count = mine > 0 ? mine : 1;
    return HIT_OK;
}

static bool asks_for_threads(const hit_device_spec *spec)
{
    return spec->kind->uses_cores && spec->threads == 0 && spec->first_core < 0;
}

/* The cores that no device has named, or that have no threads yet, for those that name
 * nothing. */
static hit_status divide_cores(const hit_comm *comm, int count, hit_device_spec spec[])
{
    int asking = 0;
    int cores = 0;
    int turn = 0;

    HIT_TRY(share_of_cores(comm, &cores));
    for (int k = 0; k < count; k++) {
        asking += asks_for_threads(&spec[k]);
        if (spec[k].kind->uses_cores && spec[k].first_core >= 0) {
            cores -= spec[k].last_core - spec[k].first_core + 1;
        } else {
            cores -= spec[k].threads;
        }
    }
    if (cores < 0) cores = 0;
    for (int k = 0; k < count; k++) {
        int64_t first = 0;
        int64_t last = 0;

        if (!asks_for_threads(&spec[k])) continue;
        hit_thread_pool_share(cores, turn++, asking, &first, &last);
        spec[k].threads = last > first ? (int)(last - first) : 1;
    }
    return HIT_OK;
}

hit_status hit_devices_choose_threads(const hit_options *options, const hit_comm *comm,
                                      int count, hit_device_spec spec[])
{
    const char *text = getenv("HIT_THREADS");
    int threads = options->threads;
    bool any = false;

    if (threads < 0 || threads > MAX_THREADS) {
        return HIT_FAIL(HIT_E_ARG, "expected 0 to %d threads but found %d", MAX_THREADS,
                        threads);
    }
    for (int k = 0; k < count; k++) {
        any = any || asks_for_threads(&spec[k]);
    }
    if (!any) return HIT_OK;
    if (threads == 0 && text != NULL && *text != '\0') {
        HIT_TRY(parse_threads(text, &threads));
    }
    if (threads == 0) return divide_cores(comm, count, spec);
    for (int k = 0; k < count; k++) {
        if (asks_for_threads(&spec[k])) spec[k].threads = threads;
    }
    return HIT_OK;
}
