/* SPDX-License-Identifier: MIT
 * Work that is not even: a sea with land in it, or a lower triangle. A launch runs where
 * there is water (HIT_WHERE). The same steps with equal numbers of indices of all, and in
 * a layout that shares out those that run; results are the same, and each process says
 * how many it ran and how long it worked.
 *
 *     uneven [sea|triangle [LAYOUT [STEPS [mask|measured]]]]
 *
 * LAYOUT is a text of docs/layout.md, default block. What an index costs is its number in
 * the mask, or what the library measures while the first steps run.
 *
 * Unlike processes on any machine (docs/device.md):
 *
 *     HIT_DEVICES="host:threads=1:slow=4;host:threads=1:slow=8" \
 *         mpiexec -n 2 build/release/examples/uneven sea cpm2d:speeds=2,1
 */
#include "hit/hit.h"
#include "hit/launch/stats.h"
#include "layouts/costs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    N = 1200,
    M = 800
};

extern const hit_kernel mix; /* uneven.k.c */

static bool is_wet(const char *shape, hit_index i, hit_index j)
{
    if (strcmp(shape, "triangle") == 0) return j * N <= i * M;
    return sin(0.0085 * (double)i) + cos(0.0115 * (double)j) > -0.03;
}

/** What an index costs: 1 in the sea, 0 on land, where it is not run. */
static hit_tile *make_wet(hit_context *hit, const char *shape)
{
    hit_tile *wet;

    HIT_MUST(hit_tile_make(hit, hit_domain_of(N, M), "block", HIT_UINT8, "wet", &wet));
    for (int piece = 0; piece < hit_tile_pieces(wet); piece++) {
        hit_view view;

        HIT_MUST(hit_tile_map(wet, piece, HIT_WRITE, &view));
        HIT_FOR_EACH (x, view.domain) {
            HIT_AT(view, uint8_t, x[0], x[1]) = is_wet(shape, x[0], x[1]);
        }
    }
    return wet;
}

/** How many indices of a step are this process's to run. */
static double count_wet(hit_tile *wet)
{
    double sum = 0;

    for (int piece = 0; piece < hit_tile_pieces(wet); piece++) {
        hit_view view;

        HIT_MUST(hit_tile_map(wet, piece, HIT_READ, &view));
        HIT_FOR_EACH (x, view.domain) {
            sum += HIT_AT(view, uint8_t, x[0], x[1]);
        }
    }
    return sum;
}

/** The indices of a step that each process runs, and the time that it worked since
 * @p before, on process 0. */
static void print_times(hit_context *hit, hit_tile *wet, double before)
{
    double(*busy)[2] = calloc((size_t)hit_size(hit), sizeof *busy);
    double all = 0;
    double most = 0;
    hit_stats stats;
    hit_tile *mine;
    hit_view view;

    hit_context_stats(hit, &stats);
    HIT_MUST(hit_tile_make(hit, hit_domain_of(hit_size(hit), 2), "block:dims=0",
                           HIT_DOUBLE, "busy", &mine));
    HIT_MUST(hit_tile_map(mine, 0, HIT_WRITE, &view));
    HIT_AT(view, double, hit_rank(hit), 0) = stats.busy_s - before;
    HIT_AT(view, double, hit_rank(hit), 1) = count_wet(wet);
    HIT_MUST(hit_tile_gather(mine, 0, busy));
    for (int p = 0; p < hit_size(hit) && hit_rank(hit) == 0; p++) {
        printf("  process %d ran %.0f indices in each step, and worked %.3f s\n", p,
               busy[p][1], busy[p][0]);
        all += busy[p][0];
        most = fmax(most, busy[p][0]);
    }
    if (hit_rank(hit) == 0) {
        printf("  longest / mean: %.2f\n", most * hit_size(hit) / fmax(all, 1e-9));
    }
    hit_tile_destroy(&mine);
    free(busy);
}

/** The speed of this process in a text such as "cpm2d:speeds=4,2,2,1"; 1 if it has none.
 */
static double speed_of(const hit_context *hit, const char *text)
{
    const char *speed = strstr(text, "speeds=");

    for (int p = 0; speed != NULL; p++) {
        speed += strcspn(speed, "=,") + 1;
        if (p == hit_rank(hit)) return atof(speed);
        if (strchr(speed, ',') == NULL) break;
    }
    return 1;
}

/** End what hit_costs_begin() began, and say on process 0 what that one has measured. */
static void end_costs(hit_context *hit)
{
    hit_costs_info info;

    HIT_MUST(hit_costs_end(hit, &info));
    if (hit_rank(hit) != 0) return;
    printf("  process 0 measured %llu of %llu indices, in %llu boxes\n",
           (unsigned long long)info.measured, (unsigned long long)info.indices,
           (unsigned long long)info.boxes);
}

/** Run the steps in @p layout; the water is left on process 0. */
static void run(hit_context *hit, hit_layout *layout, hit_tile *wet, int steps,
                double *result)
{
    const double start = 0.3;
    hit_stats before;
    double begin_s;
    hit_tile *water;
    hit_tile *here; /* wet, where the layout has it */
    char text[1024];

    HIT_MUST(hit_layout_print(layout, text, sizeof text));
    text[strcspn(text, "\n")] = '\0';
    if (hit_rank(hit) == 0) printf("%s\n", text);
    HIT_MUST(hit_tile_create(layout, HIT_DOUBLE, "water", &water));
    HIT_MUST(hit_tile_create(layout, HIT_UINT8, "wet", &here));
    HIT_MUST(hit_tile_copy(wet, here));
    HIT_MUST(hit_tile_fill(water, &start));
    hit_context_stats(hit, &before);
    HIT_MUST(hit_barrier(hit));
    begin_s = hit_time(hit);
    for (int t = 0; t < steps; t++) {
        HIT_MUST(hit_launch(hit, &mix, hit_domain_of(N, M), water, here,
                            HIT_WHERE("wet == 1")));
        HIT_MUST(hit_barrier(hit)); /* as in programs whose steps need their neighbours */
    }
    begin_s = hit_time(hit) - begin_s;
    print_times(hit, here, before.busy_s);
    if (hit_rank(hit) == 0) printf("  the steps took %.3f s\n", begin_s);
    HIT_MUST(hit_tile_gather(water, 0, result));
    hit_tile_destroy(&here);
    hit_tile_destroy(&water);
}

static bool are_same(double a[N][M], double b[N][M])
{
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < M; j++) {
            if (a[i][j] != b[i][j]) return false;
        }
    }
    return true;
}

int main(int argc, char **argv)
{
    static double even[N][M]; /* this and balanced: of process 0 */
    static double balanced[N][M];
    hit_context *hit;
    hit_layout *layout;
    hit_tile *wet;
    hit_tile *costs = NULL; /* that are measured */
    const char *text;
    int steps;
    bool same;

    HIT_MUST(hit_open(&argc, &argv, &hit));
    text = argc > 2 ? argv[2] : "block";
    steps = argc > 3 ? atoi(argv[3]) : 8;
    wet = make_wet(hit, argc > 1 ? argv[1] : "sea");
    HIT_MUST(hit_layout_create(hit, hit_domain_of(N, M), "block", &layout));
    if (argc > 4 && strcmp(argv[4], "measured") == 0) {
        HIT_MUST(hit_chain(hit, HIT_CHAIN_OFF)); /* launches in chains are not timed */
        HIT_MUST(hit_tile_create(layout, HIT_DOUBLE, "costs", &costs));
        HIT_MUST(hit_costs_begin(hit, costs, speed_of(hit, text)));
    }
    run(hit, layout, wet, steps, &even[0][0]);
    if (costs != NULL) end_costs(hit);
    hit_layout_destroy(&layout);
    HIT_MUST(hit_layout_from_costs(hit, text, costs != NULL ? costs : wet, &layout));
    run(hit, layout, wet, steps, &balanced[0][0]);
    hit_layout_destroy(&layout);
    hit_tile_destroy(&costs);
    hit_tile_destroy(&wet);
    same = hit_rank(hit) != 0 || are_same(even, balanced);
    if (hit_rank(hit) == 0) {
        printf("%s\n", same ? "the same water in both" : "the water DIFFERS");
    }
    hit_close(&hit);
    return same ? 0 : 1;
}
