/* SPDX-License-Identifier: MIT
 * Which devices a process has: those that its item in the list joins by "+". */
#include "hit/devices.h"

#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/base/trace.h"
#include "hit/data/disk.h"
#include "hit/device/nodes.h"
#include "hit/sched/cluster.h"
#include "hit/scheduled/schedule_impl.h"

#include <stdlib.h>
#include <string.h>

enum {
    MAX_LISTED = 256, /* devices, of all processes */
    MAX_THREADS = 4096
};

/* ---- the list ---- */

static hit_status no_kernel(const hit_run *run)
{
    (void)run;
    return HIT_OK;
}

/* Does a kind run the functions of kernels that are written for the host alone? */
static bool runs_on_host(const hit_device_ops *kind)
{
    const hit_kernel probe = {.host = no_kernel};

    return kind->processor != NULL && kind->processor->function(&probe) != NULL;
}

/* Without a list: all devices of preferred kinds, as GPUs are, each with the host for
 * what it cannot run; without any the host. */
static hit_status discover(const hit_device_ops *const more[], hit_device_spec spec[],
                           int *count)
{
    const hit_device_ops *kind;
    int joined;

    *count = 0;
    for (int k = 0; (kind = hit_device_kind(k, more)) != NULL; k++) {
        const int found = kind->preferred ? kind->count(NULL) : 0;

        for (int index = 0; index < found && *count < MAX_LISTED; index++) {
            spec[(*count)++] = (hit_device_spec){
                .kind = kind, .index = index, .first_core = -1, .last_core = -1};
            if (runs_on_host(kind) || *count == MAX_LISTED) continue;
            HIT_TRY(hit_device_parse("host:share=0", NULL, 1, &spec[*count], &joined));
            spec[(*count)++].joins = true;
        }
    }
    if (*count > 0) return HIT_OK;
    return hit_device_parse("host", NULL, MAX_LISTED, spec, count);
}

static const char *list_of(const hit_options *options)
{
    return options->devices != NULL ? options->devices : getenv("HIT_DEVICES");
}

static const char is_simulated[] = "simulated:";

static bool begins_simulated(const char *item)
{
    return strncmp(item, is_simulated, strlen(is_simulated)) == 0;
}

/* A simulated machine is all that there is: in a list of devices it is a mistake. The
 * name of a file may have a '+', but not between blanks. */
static hit_status check_alone(const char *list)
{
    const char *item = list;
    bool several = false;
    bool any = false;

    while (item != NULL) {
        const char *end = strpbrk(item, "+;");

        item += strspn(item, " \t\n");
        any = any || begins_simulated(item);
        if (end != NULL && (!any || *end == ';' || (end > list && end[-1] == ' '))) {
            several = true;
        }
        item = end != NULL ? end + 1 : NULL;
    }
    if (!any || !several) return HIT_OK;
    return HIT_FAIL(
        HIT_E_ARG,
        "HIT_DEVICES: expected simulated: and a machine alone, whose file says "
        "what devices it has, but found \"%.80s\"",
        list);
}

hit_status hit_devices_simulated(const hit_options *options,
                                 hit_virtual_machine **simulated)
{
    const char *list = list_of(options);

    *simulated = NULL;
    if (list == NULL) return HIT_OK;
    HIT_TRY(check_alone(list));
    list += strspn(list, " \t\n");
    return begins_simulated(list)
               ? hit_virtual_machine_read(list + strlen(is_simulated), simulated)
               : HIT_OK;
}

/* The devices of the nodes of a machine, an item for each kind of them. */
static hit_status list_nodes(const hit_machine *machine, hit_device_spec spec[],
                             int *count)
{
    char text[HIT_NODE_TEXT];
    int listed;

    for (int n = 0; n < machine->nodes; n++) {
        hit_cluster_devices(machine, n, text, sizeof(text));
        HIT_TRY(hit_device_parse(text, NULL, HIT_MAX_DEVICES, spec + *count, &listed));
        *count += listed;
    }
    return HIT_OK;
}

static hit_status read_list(const hit_context *context, const hit_options *options,
                            const hit_machine *cluster, hit_device_spec spec[],
                            int *count)
{
    const char *list = list_of(options);

    if (context->simulated != NULL) {
        if (options->device_memory_bytes > 0) {
            return HIT_FAIL(HIT_E_ARG,
                            "expected no limit of a device's memory beside HIT_DEVICES="
                            "simulated: with its own memory= but found %zu bytes",
                            options->device_memory_bytes);
        }
        if (cluster != NULL) return list_nodes(cluster, spec, count);
        list = "host:threads=1"; /* it carries out what simulated devices do */
    }
    if (list == NULL || *list == '\0') {
        return discover(options->device_kinds, spec, count);
    }
    return hit_device_parse(list, options->device_kinds, MAX_LISTED, spec, count);
}

/* The devices of item number @p item: *first and *count. */
static void find_item(const hit_device_spec spec[], int listed, int item, int *first,
                      int *count)
{
    int at = -1;

    *count = 0;
    for (int k = 0; k < listed; k++) {
        at += !spec[k].joins;
        if (at != item) continue;
        if (*count == 0) *first = k;
        (*count)++;
    }
}

/* What HIT_DEVICES lists for all processes, who take its items in turn. */
typedef struct listing {
    int count;
    int items;
    hit_device_spec *spec; /* MAX_LISTED: too large for a small stack */
    hit_machine *cluster;  /* borrowed; whose nodes they are of; NULL: none's */
} listing;

/* The item of a process. */
static int item_of(const listing *all, int rank)
{
    int item = 0;

    if (all->cluster == NULL) return rank % all->items;
    rank %= hit_cluster_processes(all->cluster);
    while (rank >= all->cluster->node[item].count) {
        rank -= all->cluster->node[item++].count;
    }
    return item;
}

static hit_status read_items(const hit_context *context, const hit_options *options,
                             listing *all)
{
    hit_virtual_machine *simulated = context->simulated;
    size_t most = MAX_LISTED;

    if (simulated != NULL && simulated->machine.nodes > 0) {
        all->cluster = &simulated->machine;
        most = (size_t)all->cluster->nodes * HIT_MAX_DEVICES;
    }
    HIT_TRY(hit_memory_zeroed(most, sizeof(*all->spec), &all->spec));
    HIT_TRY(read_list(context, options, all->cluster, all->spec, &all->count));
    all->items = 1;
    for (int k = 1; k < all->count; k++) {
        all->items += !all->spec[k].joins;
    }
    return HIT_OK;
}

/* The devices of the processes that take item number @p item. */
static hit_status choose(const listing *all, int item, hit_device_spec spec[], int *count)
{
    int first = 0;

    find_item(all->spec, all->count, item, &first, count);
    if (*count > HIT_MAX_DEVICES) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected at most %d devices of one process but found "
                        "%d",
                        HIT_MAX_DEVICES, *count);
    }
    memcpy(spec, &all->spec[first], sizeof(spec[0]) * (size_t)*count);
    return HIT_OK;
}

/* ---- open and close ---- */

/* Where tiles lie on a disk, host devices copy what they need of them: those that have no
 * limit of their own share memory= of HIT_DISK. */
static void limit_hosts(const hit_disk *disk, int count, hit_device_spec spec[])
{
    size_t hosts = 0;

    for (int k = 0; k < count && disk != NULL; k++) {
        hosts += spec[k].kind->uses_cores && spec[k].memory_bytes == 0;
    }
    for (int k = 0; k < count && hosts > 0; k++) {
        if (!spec[k].kind->uses_cores || spec[k].memory_bytes > 0) continue;
        hit_device_limit_memory(&spec[k], hit_disk_device_bytes(disk) / hosts);
    }
}

/* Those of one item, as the options and the environment limit them. */
static hit_status choose_limited(const hit_context *context, const hit_options *options,
                                 const listing *all, int item, hit_device_spec spec[],
                                 int *count)
{
    HIT_TRY(choose(all, item, spec, count));
    HIT_TRY(hit_devices_choose_threads(options, context->comm, *count, spec));
    limit_hosts(context->disk, *count, spec);
    for (int k = 0; k < *count; k++) {
        if (options->device_memory_bytes > 0 && (*count == 1 || !spec[k].spare)) {
            hit_device_limit_memory(&spec[k], options->device_memory_bytes);
        }
    }
    return HIT_OK;
}

static hit_status open_all(hit_context *context, int count, hit_device_spec spec[])
{
    hit_trace *trace = context->trace;

    for (int k = 0; k < count; k++) {
        if (k > 0 && trace != NULL) {
            HIT_TRY(hit_trace_create(&trace->next));
            trace = trace->next;
        }
        if (trace != NULL) trace->spare = spec[k].spare;
        /* of a simulated machine: its executor's, in virtual time */
        spec[k].trace = context->simulated == NULL ? trace : NULL;
        spec[k].clock = &context->clock;
        spec[k].disk = context->disk;
        HIT_TRY(hit_device_open(&spec[k], &context->device[k]));
        context->devices = k + 1;
        if (spec[k].follows) context->shares_follow = 1;
    }
    return HIT_OK;
}

/* Those of a node run nothing, and have one thread each. */
static void count_threads(const listing *all, int item, int count, hit_device *device[])
{
    for (int k = 0; k < count && all->cluster != NULL; k++) {
        device[k]->threads = hit_cluster_threads(all->cluster, item, k);
    }
}

/* Which process is of which kind. */
static hit_status make_turns(hit_context *context, const listing *all)
{
    int turns = all->cluster != NULL ? hit_cluster_processes(all->cluster) : all->items;

    if (turns > context->size) turns = context->size;
    /* kinds come in the order of the processes */
    HIT_TRY(hit_nodes_create(turns, item_of(all, turns - 1) + 1, &context->nodes));
    for (int t = 0; t < turns; t++) {
        context->nodes->turn[t] = item_of(all, t);
    }
    return HIT_OK;
}

/* In a dry run the devices of all items are opened: each process that is planned for is
 * seen with its own. */
static hit_status open_nodes(hit_context *context, const hit_options *options,
                             const listing *all)
{
    hit_device_spec spec[HIT_MAX_DEVICES];
    int count = 0;

    HIT_TRY(make_turns(context, all));
    for (int item = 0; item < context->nodes->kinds; item++) {
        hit_node_kind *kind = &context->nodes->kind[item];

        if (all->cluster != NULL) {
            hit_cluster_describe(all->cluster, item, kind->text, sizeof(kind->text));
        }
        HIT_TRY(choose_limited(context, options, all, item, spec, &count));
        for (int k = 0; k < count; k++) {
            spec[k].clock = &context->clock;
            spec[k].disk = context->disk;
            HIT_TRY(hit_device_open(&spec[k], &kind->device[k]));
            kind->devices = k + 1;
        }
        count_threads(all, item, count, kind->device);
    }
    return HIT_OK;
}

static hit_status open_listed(hit_context *context, const hit_options *options,
                              const listing *all)
{
    const bool planned = hit_comm_is_planned(context->comm);
    hit_device_spec spec[HIT_MAX_DEVICES];
    int count = 0;
    int rank = 0;
    int processes = 1;

    if (context->size > hit_comm_present(context->comm)) { /* a plan of its own */
        hit_comm_local(context->comm, &rank, &processes);
    } else {
        hit_comm_beside(context->comm, &rank, &processes);
    }
    if (context->simulated == NULL) {
        HIT_TRY(hit_disk_open(getenv("HIT_DISK"), planned, &context->disk));
    }
    HIT_TRY(choose_limited(context, options, all, item_of(all, rank), spec, &count));
    HIT_TRY(open_all(context, count, spec));
    count_threads(all, item_of(all, rank), count, context->device);
    hit_device_processor(context->processor, sizeof(context->processor));
    /* on several hosts nobody knows who takes which */
    if (planned && (all->cluster != NULL ||
                    (all->items > 1 && processes == hit_comm_present(context->comm)))) {
        HIT_TRY(open_nodes(context, options, all));
        context->nodes->machine = all->cluster;
    }
    if (count == 1) return HIT_OK;
    return hit_crew_create(count, context->device, &context->crew);
}

hit_status hit_devices_open(hit_context *context, const hit_options *options)
{
    listing all = {0};
    hit_status status = read_items(context, options, &all);

    if (status == HIT_OK) status = open_listed(context, options, &all);
    free(all.spec);
    return status;
}

void hit_devices_close(hit_context *context)
{
    hit_crew_destroy(&context->crew);
    hit_nodes_close(&context->nodes);
    for (int k = 0; k < context->devices; k++) {
        hit_device_close(&context->device[k]);
    }
    hit_disk_close(&context->disk);
}
