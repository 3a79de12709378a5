/* SPDX-License-Identifier: MIT
 * The folder of played counters, which process 0 writes. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "tests/hit/trace/played_meters.h"

#include "hit/base/context.h"
#include "hit/comm/comm.h"
#include "hit/hit.h"
#include "tests/support/check_main.h"
#include "tests/support/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

static hit_context *base;
static char folder[TEXT_FOLDER];

const char *played_folder(void)
{
    return folder;
}

/* ---- the played folder, which process 0 writes ---- */

static void write_file(const char *zone, const char *name, const char *text)
{
    char path[160];
    FILE *file;

    (void)snprintf(path, sizeof(path), "%s/%s", folder, zone);
    (void)mkdir(path, 0777);
    (void)snprintf(path, sizeof(path), "%s/%s/%s", folder, zone, name);
    file = fopen(path, "w");
    ck_assert(file != NULL);
    (void)fputs(text, file);
    (void)fclose(file);
}

void played_set(const char *zone, uint64_t microjoules)
{
    char text[32];

    (void)snprintf(text, sizeof(text), "%llu\n", (unsigned long long)microjoules);
    write_file(zone, "energy_uj", text);
}

static void add_zone(const char *zone, const char *name, uint64_t microjoules)
{
    write_file(zone, "name", name);
    write_file(zone, "max_energy_range_uj", "1000000000\n");
    played_set(zone, microjoules);
}

void played_open(hit_context *hit)
{
    base = hit;
    text_folder_open(base, folder);
    if (hit_rank(base) == 0) {
        add_zone("intel-rapl:0", "package-0\n", 500);
        add_zone("intel-rapl:1", "package-1\n", 999000000);
        add_zone("intel-rapl:2", "psys\n", 7);
        add_zone("intel-rapl:0:0", "core\n", 9);
        add_zone("intel-rapl", "package\n", 9);
        add_zone("dtpm", "package-0\n", 9);
    }
    HIT_MUST(hit_barrier(base));
    setenv("HIT_POWERCAP", folder, 1);
}

void played_close(void)
{
    unsetenv("HIT_POWERCAP");
    (void)text_folder_close(base, folder);
}

void played_use(double joules_0, double joules_1)
{
    HIT_MUST(hit_barrier(base));
    if (hit_rank(base) == 0) {
        played_set("intel-rapl:0", 500 + (uint64_t)(1e6 * joules_0));
        played_set("intel-rapl:1", (uint64_t)(1e6 * (joules_1 - 1)));
    }
    HIT_MUST(hit_barrier(base));
}

double played_sum(double joules)
{
    uint64_t all = (uint64_t)(1e6 * joules + 0.5);

    HIT_MUST(hit_comm_sum_u64(base->comm, &all, 1));
    return (double)all * 1e-6;
}
