/* SPDX-License-Identifier: MIT
 * Clusters in machine files: nodes, each of which is one process, the network between
 * them, and how many indices a device does in a second. Dry runs ask what devices the
 * processes have and how fast they are. */
#include "hit/sched/cluster.h"

#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/base/text.h"
#include "hit/sched/machine_reader.h"
#include "hit/sched/sched_impl.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    MOST_NODES = 1000000, /* as many as a dry run plans for */
    KERNEL_NAME = 128     /* bytes of one that are looked at */
};

static const double least_rate = 1e-9;
static const double most_rate = 1e18;

/* ---- devices of a node ---- */

int64_t hit_cluster_host_bytes(const hit_machine *machine)
{
    int64_t least = 0;

    for (int n = 0; n < machine->nodes; n++) {
        const int64_t bytes = machine->node[n].bytes;

        if (bytes == 0) return 0;
        if (least == 0 || bytes < least) least = bytes;
    }
    return least;
}

/* Cores of one kind that work in the host's memory are the threads of one device. */
static bool is_one(const hit_machine_kind *kind)
{
    return kind->link < 0 && !kind->is_group;
}

static int devices_of(const hit_machine *machine, const hit_machine_node *node, int part)
{
    return is_one(&machine->kind[node->kind[part]]) ? 1 : node->devices[part];
}

/** How many devices a node has: cores in the host's memory are one. */
static int count_devices(const hit_machine *machine, const hit_machine_node *node)
{
    int count = 0;

    for (int p = 0; p < node->parts; p++) {
        count += devices_of(machine, node, p);
    }
    return count;
}

/* ---- lines ---- */

/** rate KERNEL KIND INDICES|* INDICES/S */
hit_status hit_machine_read_rate(hit_machine_reader *r)
{
    hit_machine *machine = r->machine;
    hit_machine_rate rate = {.indices = 0};

    HIT_TRY(hit_machine_read_whose(r, rate.kernel, rate.device, &rate.indices));
    if (hit_machine_find_kind(machine, rate.device, strlen(rate.device)) < 0) {
        return HIT_FAIL_AT(&r->in,
                           "expected a device that a line above names but found "
                           "%s",
                           rate.device);
    }
    if (!hit_machine_number(r->in.word[4], &rate.per_s) || !(rate.per_s >= least_rate) ||
        !(rate.per_s <= most_rate)) {
        return HIT_FAIL_AT(&r->in,
                           "expected from %g to %g indices in a second but found \"%s\"",
                           least_rate, most_rate, r->in.word[4]);
    }
    for (int k = 0; k < machine->rates; k++) {
        const hit_machine_rate *other = &machine->rate[k];

        if (strcmp(other->kernel, rate.kernel) != 0 ||
            strcmp(other->device, rate.device) != 0) {
            continue;
        }
        if (other->indices == rate.indices || other->indices == 0 || rate.indices == 0) {
            return HIT_FAIL_AT(&r->in,
                               "expected one rate of %s on %s with '*', or one for each "
                               "number of indices, but found a second one",
                               rate.kernel, rate.device);
        }
    }
    HIT_TRY(HIT_ONE_MORE(machine->rate, machine->rates, machine->rate_room, "a machine"));
    machine->rate[machine->rates++] = rate;
    return HIT_OK;
}

/** KIND=N of a node. */
static hit_status read_part(const hit_machine_reader *r, const char *word,
                            hit_machine_node *node)
{
    const size_t length = strcspn(word, "=");
    const int kind = hit_machine_find_kind(r->machine, word, length);
    int64_t number;

    if (kind < 0 || word[length] == '\0') {
        return HIT_FAIL_AT(&r->in,
                           "expected KIND=N with a device that a line above names "
                           "but found \"%s\"",
                           word);
    }
    if (node->parts == HIT_MACHINE_PARTS) {
        return HIT_FAIL_AT(&r->in, "expected at most %d kinds of devices of a node",
                           HIT_MACHINE_PARTS);
    }
    for (int p = 0; p < node->parts; p++) {
        if (node->kind[p] != kind) continue;
        return HIT_FAIL_AT(&r->in, "expected %.*s= once", (int)length, word);
    }
    HIT_TRY(hit_machine_read_whole(r, "a number of devices", word + length + 1, 1,
                                   HIT_MACHINE_DEVICES, &number));
    node->kind[node->parts] = kind;
    node->devices[node->parts++] = (int)number;
    return HIT_OK;
}

static hit_status read_host_memory(const hit_machine_reader *r, const char *text,
                                   hit_machine_node *node)
{
    size_t bytes;

    if (node->bytes > 0) return HIT_FAIL_AT(&r->in, "expected memory= once");
    if (hit_memory_parse(text, &bytes) != HIT_OK) {
        return hit_lines_tell(&r->in, HIT_E_ARG);
    }
    node->bytes = (int64_t)bytes;
    return HIT_OK;
}

/** node NAME COUNT KIND=N... [memory=BYTES] */
hit_status hit_machine_read_node(hit_machine_reader *r)
{
    hit_machine *machine = r->machine;
    hit_machine_node node = {.parts = 0};
    int64_t number;

    if (r->in.words < 4) return HIT_FAIL_AT(&r->in, "expected node NAME COUNT KIND=N...");
    HIT_TRY(hit_machine_read_name(r, r->in.word[1], node.name));
    HIT_TRY(hit_machine_read_whole(r, "a number of nodes", r->in.word[2], 1, MOST_NODES,
                                   &number));
    node.count = (int)number;
    for (int w = 3; w < r->in.words; w++) {
        const char *memory;

        if (hit_option_is(r->in.word[w], "memory", &memory)) {
            HIT_TRY(read_host_memory(r, memory, &node));
        } else {
            HIT_TRY(read_part(r, r->in.word[w], &node));
        }
    }
    if (node.parts == 0) return HIT_FAIL_AT(&r->in, "expected KIND=N of a node");
    if (count_devices(machine, &node) > HIT_MAX_DEVICES) {
        return HIT_FAIL_AT(&r->in, "expected at most %d devices of a node but found %d",
                           HIT_MAX_DEVICES, count_devices(machine, &node));
    }
    for (int n = 0; n < machine->nodes; n++) {
        number += machine->node[n].count;
    }
    if (number > MOST_NODES) {
        return HIT_FAIL_AT(&r->in, "expected at most %d nodes but found %lld", MOST_NODES,
                           (long long)number);
    }
    HIT_TRY(HIT_ONE_MORE(machine->node, machine->nodes, machine->node_room, "a machine"));
    machine->node[machine->nodes++] = node;
    return HIT_OK;
}

/** network bytes=BYTES/S [ns=NS] [once_ns=NS] */
hit_status hit_machine_read_network(hit_machine_reader *r)
{
    static const hit_machine_number_option of[] = {{"bytes", 1, INT64_MAX, -1},
                                                   {"ns", 0, INT64_MAX / 4, 0},
                                                   {"once_ns", 0, INT64_MAX / 4, 0}};
    int64_t value[HIT_MACHINE_NUMBERS];

    HIT_TRY(hit_machine_read_numbers(r, 1, 3, of, value));
    if (r->machine->network_bytes_per_s > 0) {
        return HIT_FAIL_AT(&r->in, "expected one network but found a second one");
    }
    r->machine->network_bytes_per_s = value[0];
    r->machine->network_ns = value[1];
    r->machine->network_once_ns = value[2];
    return HIT_OK;
}

/* ---- questions ---- */

int hit_cluster_processes(const hit_machine *machine)
{
    int processes = 0;

    for (int n = 0; n < machine->nodes; n++) {
        processes += machine->node[n].count;
    }
    return processes;
}

/* The kind of device number @p device of a node, which is made of *together of them. */
static const hit_machine_kind *find_kind(const hit_machine *machine, int number,
                                         int device, int *together)
{
    const hit_machine_node *node = &machine->node[number];
    const hit_machine_kind *kind;
    int part = 0;

    while (device >= devices_of(machine, node, part)) {
        device -= devices_of(machine, node, part++);
    }
    kind = &machine->kind[node->kind[part]];
    *together = is_one(kind) ? node->devices[part] : 1;
    return kind;
}

void hit_cluster_devices(const hit_machine *machine, int number, char *text, size_t size)
{
    const hit_machine_node *node = &machine->node[number];

    text[0] = '\0';
    for (int p = 0; p < node->parts; p++) {
        const hit_machine_kind *kind = &machine->kind[node->kind[p]];

        hit_text_add(text, size, "%shost:share=auto:threads=1", p > 0 ? " + " : "");
        if (kind->link >= 0) hit_text_add(text, size, ":memory=%" PRId64, kind->bytes);
        if (!is_one(kind)) hit_text_add(text, size, " * %d", node->devices[p]);
    }
}

int hit_cluster_threads(const hit_machine *machine, int number, int device)
{
    int together;
    const hit_machine_kind *kind = find_kind(machine, number, device, &together);

    return is_one(kind) ? together : kind->threads;
}

void hit_cluster_describe(const hit_machine *machine, int number, char *text, size_t size)
{
    const hit_machine_node *node = &machine->node[number];

    (void)snprintf(text, size, "%s:", node->name);
    for (int p = 0; p < node->parts; p++) {
        const hit_machine_kind *kind = &machine->kind[node->kind[p]];
        char bytes[32];

        hit_text_add(text, size, "%s%d %s", p > 0 ? " + " : " ", node->devices[p],
                     kind->name);
        if (kind->link < 0) continue;
        hit_memory_print((uint64_t)kind->bytes, bytes, sizeof(bytes));
        hit_text_add(text, size, " of %s", bytes);
    }
}

void hit_cluster_links(const hit_machine *machine, int number, int device,
                       hit_links *links)
{
    int together;
    const int link = find_kind(machine, number, device, &together)->link;

    *links = (hit_links){.known = 0};
    if (machine->network_bytes_per_s > 0) {
        links->known |= 1u << HIT_LINK_MESSAGE;
        links->link[HIT_LINK_MESSAGE] =
            (hit_link){.latency_s = 1e-9 * (double)machine->network_ns,
                       .once_s = 1e-9 * (double)machine->network_once_ns,
                       .byte_s = 1 / (double)machine->network_bytes_per_s};
    }
    if (link >= 0) hit_machine_links(&machine->link[link], 1, links);
}

void hit_machine_links(const hit_machine_link *of, int turns, hit_links *links)
{
    links->known |= 1u << HIT_LINK_IN | 1u << HIT_LINK_OUT | 1u << HIT_LINK_WITHIN;
    links->link[HIT_LINK_IN] = (hit_link){.latency_s = 1e-9 * (double)of->in_ns * turns,
                                          .byte_s = turns / (double)of->in_bytes_per_s};
    links->link[HIT_LINK_OUT] = (hit_link){.latency_s = 1e-9 * (double)of->out_ns * turns,
                                           .byte_s = turns / (double)of->out_bytes_per_s};
}

double hit_cluster_watts(const hit_machine *machine, int number, int device, double *rest)
{
    int together;
    const hit_machine_kind *kind = find_kind(machine, number, device, &together);

    *rest = kind->idle_w * together;
    return kind->busy_w > 0 ? (kind->busy_w - kind->idle_w) * together : -1;
}

bool hit_machine_shorten(char *name)
{
    char *last = strrchr(name, '_');

    if (last == NULL || last == name) return false;
    *last = '\0';
    return true;
}

static bool is_for(const hit_machine_rate *rate, const hit_machine_kind *kind,
                   const char *name)
{
    return strcmp(rate->kernel, name) == 0 && strcmp(rate->device, kind->name) == 0;
}

static bool has_rate(const hit_machine *machine, const hit_machine_kind *kind,
                     const char *name)
{
    for (int r = 0; r < machine->rates; r++) {
        if (is_for(&machine->rate[r], kind, name)) return true;
    }
    return false;
}

/* Several devices that work together do as much as many indices in the same time. */
static hit_status add_rate(const hit_machine_rate *rate, double together, hit_fpm **fpm)
{
    const double indices = (double)rate->indices * together;
    const double per_s = rate->per_s * together;

    if (rate->indices == 0) return hit_fpm_constant(per_s, fpm);
    if (*fpm == NULL) HIT_TRY(hit_fpm_create(HIT_FPM_FUNCTIONAL, 0, NULL, fpm));
    return hit_fpm_add(*fpm, indices, indices / per_s, 1);
}

hit_status hit_cluster_rate(const hit_machine *machine, int number, int device,
                            const char *kernel, hit_fpm **fpm)
{
    int together;
    const hit_machine_kind *kind = find_kind(machine, number, device, &together);
    char name[KERNEL_NAME];
    hit_status status = HIT_OK;

    *fpm = NULL;
    (void)snprintf(name, sizeof(name), "%s", kernel);
    while (!has_rate(machine, kind, name)) {
        if (!hit_machine_shorten(name)) return HIT_OK;
    }
    for (int r = 0; r < machine->rates && status == HIT_OK; r++) {
        if (!is_for(&machine->rate[r], kind, name)) continue;
        status = add_rate(&machine->rate[r], together, fpm);
    }
    if (status != HIT_OK) hit_fpm_destroy(fpm);
    return status;
}
