/* SPDX-License-Identifier: MIT
 * The machine, tiles and launches of tests of launches that a scheduler places. */
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "tests/hit/scheduled/simulate_scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

hit_context *hit;
char simulate_machine[64];

/* Two GPUs and three cores; mix takes 200 ns on a GPU. */
static bool write_machine(void)
{
    FILE *file;

    (void)snprintf(simulate_machine, sizeof simulate_machine,
                   "%s/hit-simulate-%ld.machine",
                   getenv("TMPDIR") != NULL ? getenv("TMPDIR") : "/tmp", (long)getpid());
    file = fopen(simulate_machine, "w");
    if (file == NULL) return false;
    (void)fputs("# hit machine 1\n"
                "device gpu 2 memory=1MiB window=2 link=bus\n"
                "device core 3\n"
                "link bus lanes=1 in=1000000000 in_ns=100 out=1000000000 out_ns=100\n"
                "kernel mix 1\n"
                "time mix gpu * 200\n"
                "time mix core * 500\n",
                file);
    return fclose(file) == 0;
}

int simulate_run(int *argc, char ***argv, Suite *suite, hit_context **base)
{
    int code;

    if (!write_machine()) return 1;
    code = check_run_open(argc, argv, suite, base);
    (void)remove(simulate_machine);
    return code;
}

void simulate_open(const char *options, const char *scheduler)
{
    char devices[160];

    if (strncmp(options, "host", 4) == 0) {
        (void)snprintf(devices, sizeof devices, "%s", options);
    } else {
        (void)snprintf(devices, sizeof devices, "simulated:%s%s%s", simulate_machine,
                       options[0] != '\0' ? ":" : "", options);
    }
    ck_assert_int_eq(setenv("HIT_SCHED", scheduler, 1), 0);
    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = devices}, &hit));
    ck_assert_int_eq(unsetenv("HIT_SCHED"), 0);
}

hit_tile *simulate_tile(void)
{
    hit_layout *layout = NULL;
    hit_tile *tile = NULL;

    HIT_MUST(hit_layout_create(hit, hit_domain_of(N, N), "block", &layout));
    HIT_MUST(hit_tile_create(layout, HIT_INT64, "A", &tile));
    hit_layout_destroy(&layout);
    return tile;
}

simulate_pair simulate_pair_make(void)
{
    return (simulate_pair){simulate_tile(), simulate_tile()};
}

void simulate_pair_drop(simulate_pair *p)
{
    hit_tile_destroy(&p->x);
    hit_tile_destroy(&p->y);
}

hit_index simulate_element(hit_tile *tile)
{
    hit_view view;

    HIT_MUST(hit_tile_map(tile, 0, HIT_READ, &view));
    return HIT_AT(view, hit_index, 4, 4);
}

void simulate_add(hit_tile *y, hit_tile *x)
{
    HIT_MUST(hit_launch(hit, &add_one, hit_domain_of(N, N), y, x));
}
