/* SPDX-License-Identifier: MIT
 * Reading meters. A package counts in microjoules up to max_energy_range_uj and then from
 * 0 again, which takes a quarter of an hour or more: a reading is behind the last one by
 * at most one turn. Zones of a package, such as its cores, are parts of it and are not
 * read; nor is psys, of which packages are a part. */
#define _POSIX_C_SOURCE 200809L /* pread */

#include "hit/trace/meters.h"

#include "hit/base/context.h"
#include "hit/base/input.h"
#include "hit/base/memory.h"
#include "hit/base/text.h"
#include "hit/comm/comm.h"
#include "hit/data/hash.h"
#include "hit/device/device.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *powercap(void)
{
    const char *folder = getenv("HIT_POWERCAP");

    return folder != NULL && *folder != '\0' ? folder : "/sys/class/powercap";
}

/* ---- packages ---- */

/* A text of the system, without the end of its line; empty where it cannot be read. */
static void read_text(int file, char *text, size_t size)
{
    const ssize_t length = file >= 0 ? pread(file, text, size - 1, 0) : -1;

    text[length > 0 ? length : 0] = '\0';
    text[strcspn(text, "\n")] = '\0';
}

static bool read_joules(int file, double *joules)
{
    char text[32];
    const char *at = text;
    hit_index microjoules;

    read_text(file, text, sizeof(text));
    if (!hit_number_next(&at, 0, INT64_MAX, &microjoules)) return false;
    *joules = (double)microjoules * 1e-6;
    return true;
}

static int open_file(const char *zone, const char *name, char *path, size_t size)
{
    (void)snprintf(path, size, "%s/%s/%s", powercap(), zone, name);
    return open(path, O_RDONLY | O_CLOEXEC);
}

static void read_file(const char *zone, const char *name, char *text, size_t size)
{
    char path[512];
    const int file = open_file(zone, name, path, sizeof(path));

    read_text(file, text, size);
    if (file >= 0) (void)close(file);
}

static void add_package(hit_meters *meters, const char *zone)
{
    hit_meter *meter = &meters->meter[meters->packages];
    char path[512];
    char range[32];
    char name[32];
    const char *at = range;
    hit_index most = 0;

    read_file(zone, "max_energy_range_uj", range, sizeof(range));
    (void)hit_number_next(&at, 0, INT64_MAX, &most);
    errno = 0;
    meter->file = open_file(zone, "energy_uj", path, sizeof(path));
    meter->range_j = (double)most * 1e-6;
    if (meter->file >= 0 && read_joules(meter->file, &meter->last_j)) {
        meters->packages++;
        return;
    }
    at = errno != 0 ? strerror(errno) : "it has no number";
    read_file(zone, "name", name, sizeof(name));
    hit_text_add(
        meters->refused, sizeof(meters->refused), "%s%s (cannot read %.120s: %s)",
        meters->refused[0] == '\0' ? "no energy is counted of " : ", ", name, path, at);
    if (meter->file >= 0) (void)close(meter->file);
}

/* "intel-rapl:0", also on AMD's processors; "intel-rapl:0:0" is a part of it. */
static bool is_package(const char *zone)
{
    const char *number = strchr(zone, ':');
    char name[32];

    if (strncmp(zone, "intel-rapl:", 11) != 0 || strchr(number + 1, ':') != NULL) {
        return false;
    }
    read_file(zone, "name", name, sizeof(name));
    return strncmp(name, "package", 7) == 0;
}

static void find_packages(hit_meters *meters)
{
    DIR *folder = opendir(powercap());
    const struct dirent *entry;

    if (folder == NULL) return;
    while ((entry = readdir(folder)) != NULL && meters->packages < HIT_METERS) {
        if (is_package(entry->d_name)) add_package(meters, entry->d_name);
    }
    (void)closedir(folder);
}

/* ---- devices ---- */

static bool read_device(const hit_device *device, char name[32], double *joules)
{
    if (device->ops->meter == NULL) return false;
    return device->ops->meter(device->state, name, joules);
}

/* A number for the meter of each device of this process, equal on processes of a host
 * that share it; 0: it has none. */
static void name_devices(const hit_context *context, uint64_t meter[HIT_MAX_DEVICES])
{
    char host[256] = "";

    (void)gethostname(host, sizeof(host) - 1);
    for (int d = 0; d < context->devices; d++) {
        char name[32] = "";
        double joules;

        if (!read_device(context->device[d], name, &joules)) continue;
        meter[d] = hit_hash_text(hit_hash_text(HIT_HASH_START, host), name) | 1;
    }
}

/* Has a process before this one, or a device before this one, the same meter? */
static bool is_taken(const uint64_t all[], int rank, int d)
{
    const int mine = rank * HIT_MAX_DEVICES + d;

    for (int k = 0; k < mine; k++) {
        if (all[k] == all[mine]) return true;
    }
    return false;
}

static void find_devices(const hit_context *context, const uint64_t all[],
                         hit_meters *meters)
{
    for (int d = 0; d < context->devices; d++) {
        hit_meter *meter = &meters->meter[meters->packages + meters->devices];
        char name[32];

        if (all[context->rank * HIT_MAX_DEVICES + d] == 0) continue;
        if (is_taken(all, context->rank, d)) continue;
        if (meters->packages + meters->devices == HIT_METERS) return;
        *meter = (hit_meter){.device = context->device[d], .file = -1};
        if (read_device(context->device[d], name, &meter->last_j)) meters->devices++;
    }
}

/* ---- all ---- */

hit_status hit_meters_open(hit_context *context, hit_meters **meters)
{
    const size_t size = sizeof(uint64_t[HIT_MAX_DEVICES]);
    uint64_t mine[HIT_MAX_DEVICES] = {0};
    uint64_t *all = NULL;
    hit_meters *made = NULL;
    int local;
    int beside;
    hit_status st = hit_memory_zeroed(1, sizeof(*made), &made);

    if (st == HIT_OK) st = hit_memory_zeroed((size_t)context->size, size, &all);
    st = hit_comm_agree(context->comm, st);
    name_devices(context, mine);
    if (st == HIT_OK) st = hit_comm_gather(context->comm, mine, size, all);
    if (st == HIT_OK) {
        st = hit_comm_broadcast(context->comm, 0, all, (size_t)context->size * size);
    }
    if (st == HIT_OK) {
        hit_comm_beside(context->comm, &local, &beside);
        if (local == 0) find_packages(made);
        find_devices(context, all, made);
        *meters = made;
    } else {
        free(made);
    }
    free(all);
    return st;
}

void hit_meters_close(hit_meters **meters)
{
    if (*meters == NULL) return;
    for (int k = 0; k < (*meters)->packages; k++) {
        (void)close((*meters)->meter[k].file);
    }
    free(*meters);
    *meters = NULL;
}

static double read_meter(hit_meter *meter)
{
    char name[32];
    double now_j;
    double used_j;

    if (meter->device != NULL ? !read_device(meter->device, name, &now_j)
                              : !read_joules(meter->file, &now_j)) {
        return 0;
    }
    used_j = now_j - meter->last_j;
    if (used_j < 0) used_j += meter->range_j;
    meter->last_j = now_j;
    meter->moved |= used_j > 0;
    return used_j > 0 ? used_j : 0;
}

double hit_meters_read(hit_meters *meters, double *of_packages)
{
    double joules = 0;

    for (int k = 0; k < meters->packages; k++) {
        joules += read_meter(&meters->meter[k]);
    }
    if (of_packages != NULL) *of_packages = joules;
    for (int k = 0; k < meters->devices; k++) {
        joules += read_meter(&meters->meter[meters->packages + k]);
    }
    return joules;
}

bool hit_meters_moved(hit_meters *meters)
{
    const int count = meters->packages + meters->devices;

    for (int k = 0; k < count; k++) {
        if (!meters->meter[k].moved) return false;
    }
    for (int k = 0; k < count; k++) {
        meters->meter[k].moved = false;
    }
    return true;
}
