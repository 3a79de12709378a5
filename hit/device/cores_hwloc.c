/* SPDX-License-Identifier: MIT
 * The cores of this process by hwloc: physical cores, in the order of the machine, so
 * that neighbours in number share caches. Only what the affinity mask allows is counted.
 *
 * hwloc reads hundreds of files to know the machine, which takes milliseconds. What it
 * found is common to all who look at the cores at the same time: decision 0044. */
#include "hit/base/alloc.h"
#include "hit/base/memory.h"
#include "hit/device/cores.h"

#include <hwloc.h>
#include <pthread.h>

struct hit_cores {
    hwloc_topology_t topology; /* the machine's */
    hwloc_cpuset_t allowed;    /* whole cores */
    hwloc_cpuset_t mask;       /* of them, the processors that the process was given */
    int count;
};

/* As hwloc read it; only looked at while it has users. */
static struct {
    pthread_mutex_t lock;
    hwloc_topology_t topology;
    int users;
} machine = {.lock = PTHREAD_MUTEX_INITIALIZER};

static hit_status read_machine(void)
{
    if (hwloc_topology_init(&machine.topology) != 0) {
        return HIT_FAIL(HIT_E_DEVICE, "hwloc %s could not be started", HWLOC_VERSION);
    }
    if (hwloc_topology_load(machine.topology) == 0) return HIT_OK;
    hwloc_topology_destroy(machine.topology);
    return HIT_FAIL(HIT_E_DEVICE, "hwloc %s could not read this machine", HWLOC_VERSION);
}

static hit_status use_machine(hwloc_topology_t *topology)
{
    hit_status status = HIT_OK;

    pthread_mutex_lock(&machine.lock);
    if (machine.users == 0) status = read_machine();
    machine.users += status == HIT_OK;
    *topology = machine.topology;
    pthread_mutex_unlock(&machine.lock);
    return status;
}

static void leave_machine(void)
{
    pthread_mutex_lock(&machine.lock);
    machine.users--;
    if (machine.users == 0) hwloc_topology_destroy(machine.topology);
    pthread_mutex_unlock(&machine.lock);
}

/* The k-th core this process may use; a processor where hwloc knows of no cores. */
static hwloc_obj_t core_at(const hit_cores *cores, int k)
{
    unsigned index = (unsigned)k;
    hwloc_obj_t core = hwloc_get_obj_inside_cpuset_by_type(
        cores->topology, cores->allowed, HWLOC_OBJ_CORE, index);

    if (core != NULL) return core;
    return hwloc_get_obj_inside_cpuset_by_type(cores->topology, cores->allowed,
                                               HWLOC_OBJ_PU, index);
}

/* The processors of the mask, with the second hardware threads of their cores: a mask
 * that names one processor of each core allows these cores. */
static void widen_to_cores(hit_cores *cores)
{
    hwloc_obj_t core = NULL;

    while ((core = hwloc_get_next_obj_by_type(cores->topology, HWLOC_OBJ_CORE, core)) !=
           NULL) {
        if (hwloc_bitmap_intersects(core->cpuset, cores->allowed)) {
            hwloc_bitmap_or(cores->allowed, cores->allowed, core->cpuset);
        }
    }
}

hit_status hit_cores_open(hit_cores **cores)
{
    hit_cores *made = NULL;
    hit_status st = HIT_OK;

    HIT_TRY(hit_memory_zeroed(1, sizeof(*made), &made));
    HIT_TRY_GOTO(st, use_machine(&made->topology), free_cores);
    made->allowed = hwloc_bitmap_alloc();
    made->mask = hwloc_bitmap_alloc();
    if (made->allowed == NULL || made->mask == NULL) {
        st = HIT_FAIL(HIT_E_NOMEM, "no memory for the cores of this process");
        goto leave;
    }
    if (hwloc_get_cpubind(made->topology, made->allowed, HWLOC_CPUBIND_THREAD) != 0) {
        hwloc_bitmap_copy(made->allowed,
                          hwloc_topology_get_allowed_cpuset(made->topology));
    }
    hwloc_bitmap_copy(made->mask, made->allowed);
    widen_to_cores(made);
    while (core_at(made, made->count) != NULL) {
        made->count++;
    }
    if (made->count == 0) made->count = 1;
    *cores = made;
    return HIT_OK;

leave:
    hwloc_bitmap_free(made->allowed);
    hwloc_bitmap_free(made->mask);
    leave_machine();
free_cores:
    free(made);
    return st;
}

void hit_cores_close(hit_cores **cores)
{
    if (*cores == NULL) return;
    hwloc_bitmap_free((*cores)->allowed);
    hwloc_bitmap_free((*cores)->mask);
    leave_machine();
    free(*cores);
    *cores = NULL;
}

int hit_cores_count(const hit_cores *cores)
{
    return cores->count;
}

int hit_cores_group(const hit_cores *cores, int core, hit_cores_level level)
{
    static const hwloc_obj_type_t type[] = {HWLOC_OBJ_PACKAGE, HWLOC_OBJ_NUMANODE,
                                            HWLOC_OBJ_L3CACHE, HWLOC_OBJ_L2CACHE};
    hwloc_obj_t object = core_at(cores, core);

    if (level == HIT_CORES_CORE) return core;
    if (object == NULL) return 0;
    /* memory stands beside the tree of processors */
    if (level == HIT_CORES_NUMA) {
        return object->nodeset != NULL ? hwloc_bitmap_first(object->nodeset) : 0;
    }
    object = hwloc_get_ancestor_obj_by_type(cores->topology, type[level], object);
    return object != NULL ? (int)object->logical_index : 0;
}

bool hit_cores_bind(const hit_cores *cores, int core)
{
    hwloc_obj_t object = core_at(cores, core);

    if (object == NULL) return false;
    return hwloc_set_cpubind(cores->topology, object->cpuset, HWLOC_CPUBIND_THREAD) == 0;
}

void hit_cores_around(const hit_cores *cores, void (*function)(void *of), void *of)
{
    hwloc_bitmap_t before = hwloc_bitmap_alloc();
    const bool known = before != NULL && hwloc_get_cpubind(cores->topology, before,
                                                           HWLOC_CPUBIND_THREAD) == 0;

    function(of);
    if (known) (void)hwloc_set_cpubind(cores->topology, before, HWLOC_CPUBIND_THREAD);
    hwloc_bitmap_free(before);
}

bool hit_cores_leave(const hit_cores *cores, int number)
{
    hwloc_obj_t there = hwloc_get_pu_obj_by_os_index(cores->topology, (unsigned)number);
    hwloc_obj_t core = NULL;
    hwloc_bitmap_t rest = hwloc_bitmap_alloc();
    bool done = false;

    if (there == NULL || rest == NULL) goto end;
    core = hwloc_get_ancestor_obj_by_type(cores->topology, HWLOC_OBJ_CORE, there);
    if (core == NULL) core = there;
    hwloc_bitmap_andnot(rest, cores->mask, core->cpuset);
    if (hwloc_bitmap_iszero(rest)) goto end;
    done = hwloc_set_cpubind(cores->topology, rest, HWLOC_CPUBIND_THREAD) == 0;

end:
    hwloc_bitmap_free(rest);
    return done;
}

int hit_cores_number(const hit_cores *cores, int core)
{
    hwloc_obj_t object = core_at(cores, core);

    return object == NULL ? -1 : hwloc_bitmap_first(object->cpuset);
}

static size_t cache_bytes(const hit_cores *cores, hwloc_obj_type_t level)
{
    hwloc_obj_t core = core_at(cores, 0);
    hwloc_obj_t cache =
        core == NULL ? NULL
                     : hwloc_get_ancestor_obj_by_type(cores->topology, level, core);

    return cache == NULL ? 0 : (size_t)cache->attr->cache.size;
}

void hit_cores_info_get(const hit_cores *cores, hit_cores_info *info)
{
    *info = (hit_cores_info){
        .cores = cores->count,
        .level1_bytes = cache_bytes(cores, HWLOC_OBJ_L1CACHE),
        .level2_bytes = cache_bytes(cores, HWLOC_OBJ_L2CACHE),
        .level3_bytes = cache_bytes(cores, HWLOC_OBJ_L3CACHE),
        /* not hwloc's sum over NUMA nodes: memory added later is missing in their files
         */
        .memory_bytes = hit_memory_machine_bytes(),
    };
}

const char *hit_cores_library(void)
{
    return "hwloc " HWLOC_VERSION;
}
