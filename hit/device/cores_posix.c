/* SPDX-License-Identifier: MIT
 * The cores of this process by what the system itself says: the processors of the
 * affinity mask, taken as cores. Two hardware threads of a core count as two; with hwloc
 * (cores_hwloc.c) they count as one. */
#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier): sched_getaffinity */
#include "hit/base/alloc.h"
#include "hit/base/memory.h"
#include "hit/device/cores.h"

#include <sched.h>
#include <unistd.h>

struct hit_cores {
    int count;
#if defined(__linux__)
    cpu_set_t allowed;
#endif
};

hit_status hit_cores_open(hit_cores **cores)
{
    hit_cores *made = NULL;
    HIT_TRY(hit_memory_zeroed(1, sizeof(*made), &made));

    long online = sysconf(_SC_NPROCESSORS_ONLN);
    made->count = online < 1 ? 1 : (int)online;
#if defined(__linux__)
    if (sched_getaffinity(0, sizeof(made->allowed), &made->allowed) == 0) {
        made->count = CPU_COUNT(&made->allowed);
    }
#endif
    *cores = made;
    return HIT_OK;
}

void hit_cores_close(hit_cores **cores)
{
    free(*cores);
    *cores = NULL;
}

int hit_cores_count(const hit_cores *cores)
{
    return cores->count;
}

int hit_cores_group(const hit_cores *cores, int core, hit_cores_level level)
{
    (void)cores;
    return level == HIT_CORES_CORE ? core : 0;
}

int hit_cores_number(const hit_cores *cores, int core)
{
#if defined(__linux__)
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (CPU_ISSET((size_t)cpu, &cores->allowed) && core-- == 0) return cpu;
    }
#else
    (void)cores;
    (void)core;
#endif
    return -1;
}

bool hit_cores_bind(const hit_cores *cores, int core)
{
    const int cpu = hit_cores_number(cores, core);

#if defined(__linux__)
    if (cpu >= 0) {
        cpu_set_t one;
        CPU_ZERO(&one);
        CPU_SET((size_t)cpu, &one);
        return sched_setaffinity(0, sizeof(one), &one) == 0;
    }
#endif
    return cpu >= 0;
}

void hit_cores_around(const hit_cores *cores, void (*function)(void *of), void *of)
{
    (void)cores;
#if defined(__linux__)
    cpu_set_t before;
    const bool known = sched_getaffinity(0, sizeof(before), &before) == 0;

    function(of);
    if (known) (void)sched_setaffinity(0, sizeof(before), &before);
#else
    function(of);
#endif
}

bool hit_cores_leave(const hit_cores *cores, int number)
{
#if defined(__linux__)
    cpu_set_t rest = cores->allowed;

    if (number < 0 || number >= CPU_SETSIZE) return false;
    CPU_CLR((size_t)number, &rest);
    return CPU_COUNT(&rest) > 0 && sched_setaffinity(0, sizeof(rest), &rest) == 0;
#else
    (void)cores;
    (void)number;
    return false;
#endif
}

static size_t known(long value)
{
    return value < 0 ? 0 : (size_t)value;
}

void hit_cores_info_get(const hit_cores *cores, hit_cores_info *info)
{
    *info = (hit_cores_info){.cores = cores->count};
#if defined(_SC_LEVEL1_DCACHE_SIZE)
    info->level1_bytes = known(sysconf(_SC_LEVEL1_DCACHE_SIZE));
    info->level2_bytes = known(sysconf(_SC_LEVEL2_CACHE_SIZE));
    info->level3_bytes = known(sysconf(_SC_LEVEL3_CACHE_SIZE));
#endif
    info->memory_bytes = hit_memory_machine_bytes();
}

const char *hit_cores_library(void)
{
    return "the system's affinity mask (built without hwloc)";
}
