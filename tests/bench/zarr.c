/* SPDX-License-Identifier: MIT
 * A tile of 2 GiB to a .zarr file by all processes, until it is on disk: against
 * `dd bs=16M conv=fsync` of as many bytes in the same folder, and against .h5. While dd
 * runs the processes sleep.
 * usage: mpiexec -n 1 or 4 zarr [FOLDER [MIB]]; default a new folder of /tmp, 2048 */
#define _XOPEN_SOURCE 700 /* NOLINT(bugprone-reserved-identifier): nanosleep, sync */
#include "hit/hit.h"
#include "hit/io/io_impl.h"
#include "tests/bench/bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    ROUNDS = 5,
    FOLDER = 200
};

typedef struct setting {
    hit_context *hit;
    hit_tile *tile;
    hit_index mib;
    const char *folder;
    const char *ending; /* of the file; NULL: dd writes it */
} setting;

static int shell(const char *form, const char *folder, hit_index mib)
{
    char command[FOLDER + 300];

    (void)snprintf(command, sizeof(command), form, folder, (long long)mib);
    return system(command); /* NOLINT(cert-env33-c,concurrency-mt-unsafe) */
}

/* On process 0; the others sleep until it has sent its seconds: a barrier spins. */
static double first_alone(const setting *s, double (*run)(const setting *s))
{
    const struct timespec nap = {0, 20000000};
    char done[FOLDER + 10];
    double seconds = 0;

    (void)snprintf(done, sizeof(done), "%s/done", s->folder);
    HIT_MUST(hit_barrier(s->hit));
    if (hit_rank(s->hit) == 0) {
        seconds = run(s);
        fclose(fopen(done, "w"));
    }
    while (access(done, F_OK) != 0) {
        nanosleep(&nap, NULL);
    }
    HIT_MUST(hit_barrier(s->hit));
    if (hit_rank(s->hit) == 0) (void)unlink(done);
    return seconds;
}

/* Nothing waits for the disk, and as much memory as the system's cache takes was touched
 * a moment ago: a virtual machine gets what it gave back page by page. */
static double clean(const setting *s)
{
    const size_t bytes = (size_t)s->mib * 3 / 2 << 20;
    char *touched = malloc(bytes);

    (void)shell("rm -rf %s/file.*", s->folder, 0);
    sync();
    if (touched == NULL) bench_stop(1, "zarr", "expected memory");
    memset(touched, 1, bytes);
    free(touched);
    return 0;
}

static double copy(const setting *s)
{
    const double start = bench_time();

    if (shell("dd if=/dev/zero of=%s/file.dd bs=16M count=$((%lld / 16)) conv=fsync "
              "status=none",
              s->folder, s->mib) != 0) {
        bench_stop(1, "zarr", "dd failed");
    }
    return bench_time() - start;
}

static double run(void *context)
{
    const setting *s = context;
    char path[FOLDER + 20];
    double start;

    (void)first_alone(s, clean);
    if (s->ending == NULL) return first_alone(s, copy);
    (void)snprintf(path, sizeof(path), "%s/file.%s", s->folder, s->ending);
    start = bench_time();
    HIT_MUST(hit_tile_write(s->tile, path, NULL));
    return bench_time() - start;
}

static void fill(hit_tile *tile)
{
    hit_view view;

    HIT_MUST(hit_tile_map(tile, 0, HIT_WRITE, &view));
    HIT_FOR_EACH (x, view.domain) {
        HIT_AT(view, float, x[0], x[1]) = (float)(x[0] * 3 + x[1]);
    }
}

/* What is written is not read here: tests do. */
static void measure(setting s[3], const char *folder)
{
    const bench_turn turn[3] = {{run, &s[0]}, {run, &s[1]}, {run, &s[2]}};
    const int size = hit_size(s[0].hit);
    const int variants = hit_hdf5_is_there() ? 3 : 2;
    const int rounds = bench_rounds(ROUNDS);
    double seconds[3][BENCH_ROUNDS];
    char name[64];

    bench_turns(turn, variants, rounds, seconds);
    if (hit_rank(s[0].hit) != 0) return;
    (void)shell("rm -rf %s", folder, 0);
    (void)snprintf(name, sizeof(name), "zarr, %d processes, beside dd", size);
    bench_ratio(name, seconds[0], seconds[1], rounds);
    (void)snprintf(name, sizeof(name), "zarr, %d processes, beside h5", size);
    if (variants == 3) bench_ratio(name, seconds[0], seconds[2], rounds);
}

int main(int argc, char **argv)
{
    setting s[3] = {{.ending = "zarr"}, {.ending = NULL}, {.ending = "h5"}};
    const hit_index mib = argc > 2 ? atoll(argv[2]) : 2048;
    const hit_domain domain = hit_domain_of(mib * 8, 32768); /* floats */
    hit_context *hit = NULL;
    hit_tile *tile = NULL;
    char folder[FOLDER];

    /* mpiexec is the parent of all: they have one name */
    (void)snprintf(folder, sizeof(folder), "%s/hit-zarr.%ld", argc > 1 ? argv[1] : "/tmp",
                   (long)getppid());
    HIT_MUST(hit_open(&argc, &argv, &hit));
    HIT_MUST(hit_tile_make(hit, domain, "block", HIT_FLOAT, "tile", &tile));
    fill(tile);
    if (hit_rank(hit) == 0) (void)mkdir(folder, 0777);
    for (int k = 0; k < 3; k++) {
        s[k].hit = hit;
        s[k].tile = tile;
        s[k].mib = mib;
        s[k].folder = folder;
    }
    measure(s, folder);
    hit_tile_destroy(&tile);
    hit_close(&hit);
    return 0;
}
