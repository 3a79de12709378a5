/* SPDX-License-Identifier: MIT
 * What sums with the same bits everywhere cost (hit/sum.h): the sum of squared
 * differences of two tiles of floats, exact beside one that rounds as it comes. */
#include "hit/hit.h"
#include "hit/sum.h"
#include "tests/bench/bench.h"

#include <math.h>
#include <stdio.h>

extern const hit_kernel plain_residual, exact_residual;

enum {
    ROUNDS = 15
};

typedef struct setting {
    hit_context *hit;
    hit_domain domain;
    hit_tile *a;
    hit_tile *b;
    hit_tile *plain;
    hit_tile *exact;
    int launches; /* in a turn */
} setting;

static double cell(hit_index i, hit_index j)
{
    return sin(0.001 * (double)(i * 31 + j * 7)) * exp(-0.0005 * (double)(i + j));
}

static void fill(hit_tile *tile, double scale)
{
    hit_view view;

    HIT_MUST(hit_tile_map(tile, 0, HIT_WRITE, &view));
    for (hit_index i = 0; i <= view.domain.sig[0].end; i++) {
        for (hit_index j = 0; j <= view.domain.sig[1].end; j++) {
            HIT_AT(view, float, i, j) = (float)(scale * cell(i, j));
        }
    }
}

static setting open_setting(hit_index n, int threads, int launches)
{
    const hit_options options = {.devices = "host", .threads = threads};
    setting s = {.domain = hit_domain_of(n, n), .launches = launches};
    const hit_domain one = hit_domain_scalar();

    HIT_MUST(hit_open_with(NULL, NULL, &options, &s.hit));
    HIT_MUST(hit_tile_make(s.hit, s.domain, "single", HIT_FLOAT, "a", &s.a));
    HIT_MUST(hit_tile_make(s.hit, s.domain, "single", HIT_FLOAT, "b", &s.b));
    HIT_MUST(hit_tile_make(s.hit, one, "single", HIT_DOUBLE, "plain", &s.plain));
    HIT_MUST(hit_tile_make(s.hit, one, "single", HIT_BYTES(hit_sum), "exact", &s.exact));
    fill(s.a, 1);
    fill(s.b, 1.001);
    return s;
}

static void close_setting(setting *s)
{
    hit_tile_destroy(&s->a);
    hit_tile_destroy(&s->b);
    hit_tile_destroy(&s->plain);
    hit_tile_destroy(&s->exact);
    hit_close(&s->hit);
}

static double run(const setting *s, const hit_kernel *kernel, hit_tile *total)
{
    const double start = bench_time();

    for (int k = 0; k < s->launches; k++) {
        HIT_MUST(hit_launch(s->hit, kernel, s->domain, total, s->a, s->b));
    }
    HIT_MUST(hit_wait(s->hit));
    return (bench_time() - start) / s->launches;
}

static double run_plain(void *context)
{
    const setting *s = context;

    return run(s, &plain_residual, s->plain);
}

static double run_exact(void *context)
{
    const setting *s = context;

    return run(s, &exact_residual, s->exact);
}

static void compare(const char *name, hit_index n, int threads, int launches)
{
    setting s = open_setting(n, threads, launches);
    const bench_turn turn[] = {{run_exact, &s}, {run_plain, &s}};
    const int rounds = bench_rounds(ROUNDS);
    double seconds[2][BENCH_ROUNDS];
    double plain = 0;
    hit_sum exact;
    char text[100];

    bench_turns(turn, 2, rounds, seconds);
    HIT_MUST(hit_tile_get(s.plain, NULL, &plain));
    HIT_MUST(hit_tile_get(s.exact, NULL, &exact));
    if (fabs(plain - hit_sum_value(&exact)) > 1e-9 * plain) {
        bench_stop(1, name, "the sums differ");
    }
    bench_ratio(name, seconds[0], seconds[1], rounds);
    (void)snprintf(text, sizeof(text), "%s, a number", name);
    bench_times(text, seconds[0], rounds, 1e9 / ((double)n * (double)n), "ns");
    close_setting(&s);
}

int main(int argc, char **argv)
{
    hit_context *base = NULL; /* keeps MPI open */

    HIT_MUST(hit_open(&argc, &argv, &base));
    compare("sums 256 1 thread", 256, 1, 20);
    compare("sums 256 2 threads", 256, 2, 20);
    compare("sums 4096 1 thread", 4096, 1, 1);
    compare("sums 4096 2 threads", 4096, 2, 1);
    hit_close(&base);
    return 0;
}
