/* SPDX-License-Identifier: MIT
 * Products on 90 unlike nodes, simulated: the machine of Table 1 of Clarke, Ilic,
 * Lastovetsky and Sousa (Euro-Par 2012), and the four partitionings of their Fig. 5. The
 * algorithms are the library's; the speeds are assumed, since the paper gives none as
 * numbers, and are listed. Only computing is counted, no messages.
 * usage: fig5 [FILE]: the table, and the same as numbers in FILE, for a plot;
 *        fig5 --machine: the machine as a file, machines/paper90.machine */
#include "hit/model/fpm_time.h"
#include "layouts/partition/algorithms.h"
#include "layouts/partition/hierarchical.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NODES = 90,
    MOST_DEVICES = 180,
    BLOCK = 128, /* rows and columns of a unit, as in the paper */
    ROUNDS = 20  /* of multiple-CPM at most */
};

/* What is assumed. Speeds are those of products, in 10^9 operations per second. */
static const double adonis_gflops = 8.2; /* per core, 2.27 and 2.4 GHz */
static const double edel_gflops = 8.2;   /* per core, 2.27 GHz */
static const double genepi_gflops = 9.0; /* per core, 2.5 GHz */
static const double t10_gflops = 70;
static const double c2050_gflops = 300;
static const double t10_bytes = 4e9;
static const double c2050_bytes = 3e9;
static const double usable = 0.9;      /* of a memory */
static const double paging = 1.0 / 20; /* of the speed is left beyond a host's memory */
static const double slow_start = 20;   /* units at which half of the speed is reached */

static const double flop_per_unit = 2.0 * BLOCK * BLOCK * BLOCK; /* in one step */
static const double bytes_per_unit = 8.0 * BLOCK * BLOCK;        /* of one matrix */

/* Nodes by the number of their cores, 0 to 8: Table 1. */
static const int adonis[] = {2, 1, 1, 1, 1, 1, 2, 3, 0};
static const int edel[] = {0, 6, 4, 4, 4, 8, 8, 8, 8};
static const int genepi[] = {0, 3, 3, 3, 3, 4, 4, 4, 4};

typedef struct machine {
    int devices[NODES];
    hit_fpm *model[MOST_DEVICES]; /* units per second */
    char kind[MOST_DEVICES][16];  /* "edel*4", "t10" */
    int nodes;
    int all; /* devices of all nodes */
} machine;

/* One way to share the units out: a rectangle per node, and a width per device. */
typedef struct sharing {
    hit_rect rect[NODES];
    hit_index width[MOST_DEVICES];
} sharing;

/* ---- the machine ---- */

static void add_speed(hit_fpm *fpm, double units, double per_second)
{
    HIT_MUST(hit_fpm_add(fpm, units, units / per_second, 1));
}

/* A device of full speed @p gflops, which is reached slowly; with @p room units of
 * memory, after which a host pages and a GPU fails. */
static void add_device(machine *m, const char *kind, double gflops, double room, bool gpu)
{
    const double full = gflops * 1e9 / flop_per_unit;
    hit_fpm *fpm = NULL;

    HIT_MUST(hit_fpm_create(HIT_FPM_FUNCTIONAL, 0, NULL, &fpm));
    for (double units = 1; units < room; units *= 1.5) {
        add_speed(fpm, units, full * units / (units + slow_start));
    }
    add_speed(fpm, room, full * room / (room + slow_start));
    if (gpu) {
        HIT_MUST(hit_fpm_set_cap(fpm, (hit_index)room));
    } else {
        add_speed(fpm, room * 1.1, full * paging);
    }
    (void)snprintf(m->kind[m->all], sizeof(m->kind[0]), "%s", kind);
    m->model[m->all++] = fpm;
    m->devices[m->nodes]++;
}

/* Of the nodes of a part of the machine; speeds are those of a core. */
typedef struct cpus {
    const char *name;
    double gflops;
    double memory_bytes;
} cpus;

/* @p gpu: 0, or gflops, of a GPU that holds its part of C, with one core to serve it. */
static void add_node(machine *m, const cpus *of, int cores, double gpu, double gpu_bytes)
{
    const double gpu_room = usable * gpu_bytes / bytes_per_unit;
    const double room = usable * of->memory_bytes / (3 * bytes_per_unit) - gpu_room;
    char kind[16];

    (void)snprintf(kind, sizeof(kind), "%s*%d", of->name, cores);
    if (cores > 0) add_device(m, kind, cores * of->gflops, room, false);
    if (gpu > 0) add_device(m, gpu == t10_gflops ? "t10" : "c2050", gpu, gpu_room, true);
    m->nodes++;
}

static void build(machine *m)
{
    const cpus of_adonis = {"adonis", adonis_gflops, 24e9};
    const cpus of_edel = {"edel", edel_gflops, 24e9};
    const cpus of_genepi = {"genepi", genepi_gflops, 8e9};
    int gpus = 0;

    for (int cores = 0; cores <= 8; cores++) {
        for (int k = 0; k < adonis[cores]; k++, gpus++) {
            const bool fast = gpus >= 10; /* 10 T10, 2 C2050 */

            add_node(m, &of_adonis, cores, fast ? c2050_gflops : t10_gflops,
                     fast ? c2050_bytes : t10_bytes);
        }
        for (int k = 0; k < edel[cores]; k++) {
            add_node(m, &of_edel, cores, 0, 0);
        }
        for (int k = 0; k < genepi[cores]; k++) {
            add_node(m, &of_genepi, cores, 0, 0);
        }
    }
}

/* ---- the machine as a file of the library ---- */

/* In a launch of gemm for a panel of BLOCK columns an index is BLOCK multiplications and
 * additions, a unit BLOCK^2 indices. Every fourth point is enough, and the last two, of
 * which a host has a cliff between. */
static void print_kind(const machine *m, int device)
{
    const hit_fpm *model = m->model[device];
    const char *kind = m->kind[device];
    const size_t count = hit_fpm_count(model);
    const bool gpu = strchr(kind, '*') == NULL;
    const double unit = (double)BLOCK * BLOCK;

    printf("\ndevice %s 1", kind);
    if (gpu) {
        printf(" memory=%.0f link=pcie",
               strcmp(kind, "t10") == 0 ? usable * t10_bytes : usable * c2050_bytes);
    }
    printf("\n");
    for (size_t k = 0; k < count; k++) {
        const hit_fpm_point point = hit_fpm_point_at(model, k);

        if (k % 4 != 0 && k + 2 < count) continue;
        printf("rate gemm %s %.0f %.6g\n", kind, point.units * unit, point.value * unit);
    }
}

static void print_nodes(const machine *m)
{
    int device = 0;
    int same = 0;

    for (int i = 0; i < m->nodes; i++) {
        const int count = m->devices[i];
        const int next = device + count;
        bool last = i + 1 == m->nodes || m->devices[i + 1] != count;

        same++;
        for (int j = 0; j < count && !last; j++) {
            last = strcmp(m->kind[device + j], m->kind[next + j]) != 0;
        }
        if (last) {
            printf("node n%d %d", i, same);
            for (int j = 0; j < count; j++) {
                printf(" %s=1", m->kind[device + j]);
            }
            printf("\n");
            same = 0;
        }
        device = next;
    }
}

static void print_machine(const machine *m)
{
    printf(
        "# hit machine 1\n# The 90 nodes of [Clarke2012], Table 1, as `./run bench fig5` "
        "assumes them: it made this file (fig5 --machine).\n# The network and the links "
        "are assumed, too.\n\nlink    pcie in=5000000000 in_ns=10000 out=5000000000 "
        "out_ns=10000\nnetwork bytes=2500000000 ns=3000\n");
    for (int d = 0; d < m->all; d++) {
        bool seen = false;

        for (int other = 0; other < d && !seen; other++) {
            seen = strcmp(m->kind[other], m->kind[d]) == 0;
        }
        if (!seen) print_kind(m, d);
    }
    printf("\n");
    print_nodes(m);
}

static void drop(machine *m)
{
    for (int d = 0; d < m->all; d++) {
        hit_fpm_destroy(&m->model[d]);
    }
}

static void list_assumptions(void)
{
    printf(
        "assumed: per core %.1f (Adonis, Edel) and %.1f (Genepi) Gflop/s, T10 %.0f, "
        "C2050 "
        "%.0f;\nspeed of x units of %d x %d: full x / (x + %.0f); usable memory %.0f %% "
        "of 24, 24 and 8 GB (A, B, C),\nof 4 and 3 GB on the GPUs (C); beyond it a host "
        "falls to %.0f %% of its speed within 10 %%, a GPU fails\n\n",
        adonis_gflops, genepi_gflops, t10_gflops, c2050_gflops, BLOCK, BLOCK, slow_start,
        100 * usable, 100 * paging);
}

/* ---- how long a step takes ---- */

/* The seconds of every device, and the largest. */
static double step_s(const machine *m, const sharing *s, double seconds[])
{
    double most = 0;
    int device = 0;

    for (int i = 0; i < m->nodes; i++) {
        for (int j = 0; j < m->devices[i]; j++, device++) {
            const hit_index units = s->rect[i].height * s->width[device];

            seconds[device] = units > 0 ? hit_fpm_time(m->model[device], units) : 0;
            most = fmax(most, seconds[device]);
        }
    }
    return most;
}

/* Nodes in proportion to the sums of their devices' speeds, devices to theirs. */
static void share_by_speeds(const machine *m, hit_index side, const double speed[],
                            sharing *s)
{
    double node[NODES];
    hit_plane plane = {.rows = side, .columns = side, .parts = m->nodes, .speed = node};
    int first = 0;

    for (int i = 0; i < m->nodes; i++) {
        node[i] = 0;
        for (int j = 0; j < m->devices[i]; j++) {
            node[i] += speed[first++];
        }
    }
    HIT_MUST(hit_partition_columns(&plane, s->rect));
    first = 0;
    for (int i = 0; i < m->nodes; i++) {
        memset(s->width + first, 0, sizeof(s->width[0]) * (size_t)m->devices[i]);
        if (node[i] > 0) {
            HIT_MUST(hit_partition_cpm(s->rect[i].width, m->devices[i], speed + first,
                                       s->width + first));
        }
        first += m->devices[i];
    }
}

/* ---- the four ---- */

/* The same for every node, and for every device of a node. */
static double homogeneous(const machine *m, hit_index side)
{
    double seconds[MOST_DEVICES];
    double speed[MOST_DEVICES];
    sharing s;
    int device = 0;

    for (int i = 0; i < m->nodes; i++) {
        for (int j = 0; j < m->devices[i]; j++) {
            speed[device++] = 1.0 / m->devices[i];
        }
    }
    share_by_speeds(m, side, speed, &s);
    return step_s(m, &s, seconds);
}

/* Speeds seen at one sharing are those of the next, @p rounds times, from an even one. */
static double constant_speeds(const machine *m, hit_index side, int rounds)
{
    double seconds[MOST_DEVICES];
    double speed[MOST_DEVICES];
    double makespan_s;
    sharing s;

    for (int d = 0; d < m->all; d++) {
        speed[d] = 1;
    }
    share_by_speeds(m, side, speed, &s);
    makespan_s = step_s(m, &s, seconds);
    for (int round = 0; round < rounds; round++) {
        double least = INFINITY;
        int device = 0;

        for (int i = 0; i < m->nodes; i++) {
            for (int j = 0; j < m->devices[i]; j++, device++) {
                const double units = (double)(s.rect[i].height * s.width[device]);

                if (units > 0) speed[device] = units / seconds[device];
                if (units > 0) least = fmin(least, seconds[device]);
            }
        }
        if (isfinite(makespan_s) && makespan_s - least <= 0.05 * makespan_s) break;
        share_by_speeds(m, side, speed, &s);
        makespan_s = step_s(m, &s, seconds);
    }
    return makespan_s;
}

/* INPA around IDPA: knows nothing, measures. */
static double functional(const machine *m, hit_index side, int *rounds)
{
    const hit_hierarchy whole = {
        .rows = side, .columns = side, .nodes = m->nodes, .devices = m->devices};
    const hit_dynamic_options options = {.noise = -1};
    hit_hierarchical *loop = NULL;
    hit_dynamic_verdict verdict;
    double seconds[MOST_DEVICES];
    sharing s;
    hit_slices slices = {s.rect, s.width};

    HIT_MUST(hit_hierarchical_create(&whole, &options, &loop));
    HIT_MUST(hit_hierarchical_next(loop, NULL, &slices, &verdict));
    while (verdict == HIT_DYNAMIC_CONTINUE) {
        (void)step_s(m, &s, seconds);
        HIT_MUST(hit_hierarchical_next(loop, seconds, &slices, &verdict));
    }
    *rounds = hit_hierarchical_rounds(loop);
    hit_hierarchical_destroy(&loop);
    return step_s(m, &s, seconds);
}

/* What the speeds allow when all of them are known. */
static double optimum(const machine *m, hit_index side)
{
    const hit_hierarchy whole = {
        .rows = side, .columns = side, .nodes = m->nodes, .devices = m->devices};
    double makespan_s;
    sharing s;
    hit_slices slices = {s.rect, s.width};

    HIT_MUST(hit_hierarchical_static(&whole, (const hit_fpm *const *)m->model, &slices,
                                     &makespan_s));
    return makespan_s;
}

/* Gflop/s of the product whose steps take so long. */
static double speed_of(hit_index side, double seconds)
{
    return isfinite(seconds)
               ? flop_per_unit * (double)side * (double)side / seconds * 1e-9
               : 0;
}

int main(int argc, char **argv)
{
    const bool as_file = argc > 1 && strcmp(argv[1], "--machine") == 0;
    FILE *file = argc > 1 && !as_file ? fopen(argv[1], "w") : NULL;
    machine m = {.nodes = 0};

    build(&m);
    if (as_file) {
        print_machine(&m);
        drop(&m);
        return 0;
    }
    printf("90 nodes with %d devices, Gflop/s of products of N x N; 0: a GPU's memory is "
           "exceeded\n",
           m.all);
    list_assumptions();
    printf("%8s %12s %12s %12s %12s %12s %7s\n", "N", "homogeneous", "single-CPM",
           "multiple-CPM", "FPM", "allowed", "rounds");
    for (hit_index n = 20000; n <= 150000; n += 10000) {
        const hit_index side = (n + BLOCK - 1) / BLOCK;
        int rounds = 0;
        const double speed[] = {speed_of(side, homogeneous(&m, side)),
                                speed_of(side, constant_speeds(&m, side, 1)),
                                speed_of(side, constant_speeds(&m, side, ROUNDS)),
                                speed_of(side, functional(&m, side, &rounds)),
                                speed_of(side, optimum(&m, side))};

        printf("%8lld %12.0f %12.0f %12.0f %12.0f %12.0f %7d\n", (long long)n, speed[0],
               speed[1], speed[2], speed[3], speed[4], rounds);
        if (file != NULL) {
            (void)fprintf(file, "%lld %.1f %.1f %.1f %.1f %.1f\n", (long long)n, speed[0],
                          speed[1], speed[2], speed[3], speed[4]);
        }
        (void)fflush(stdout);
    }
    if (file != NULL) (void)fclose(file);
    drop(&m);
    return 0;
}
