/* SPDX-License-Identifier: MIT
 * How near are predicted times? Links and kernels are measured as HIT_PLAN=measure does,
 * into a store of this run's own, launches are predicted and then run: seconds /
 * predicted seconds, for a stencil and a product, in place and streamed. 1 is perfect. */
#include "hit/base/context.h"
#include "hit/cost/cost.h"
#include "hit/hit.h"
#include "hit/launch/launcher.h"
#include "hit/measure/measure_impl.h"
#include "kernels/kernels.h"
#include "tests/bench/bench.h"
#include "tests/support/own_store.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    HEAT_SIZE = 4096,
    GEMM_SIZE = 2048,
    ROUNDS = 11
};

/* A launch, and what the first element of its result is. */
typedef struct setting {
    hit_context *hit;
    hit_tile *tile[3];
    hit_call call;
    hit_arg args[HIT_MAX_ARGS];
    double expected;
} setting;

static const float c = 0.5f;
static const double one = 1;
static const double zero = 0;

static void open_setting(setting *s, const hit_kernel *kernel, const char *devices)
{
    const bool heat = kernel == &heat_float;
    const hit_index n = heat ? HEAT_SIZE : GEMM_SIZE;
    const hit_options options = {.devices = devices};
    const hit_domain whole = hit_domain_of(n, n);
    const float warm = 1;
    hit_layout *layout = NULL;

    HIT_MUST(hit_open_with(NULL, NULL, &options, &s->hit));
    HIT_MUST(hit_chain(s->hit, HIT_CHAIN_OFF)); /* what is predicted */
    HIT_MUST(hit_layout_create(s->hit, whole, "single", &layout));
    for (int k = 0; k < (heat ? 2 : 3); k++) {
        const hit_type type = heat ? HIT_FLOAT : HIT_DOUBLE;

        HIT_MUST(hit_tile_create(layout, type, "tile", &s->tile[k]));
        HIT_MUST(hit_tile_fill(s->tile[k], heat ? (const void *)&warm : &one));
        s->args[k] = hit_arg_tile(s->tile[k]);
        s->args[k].type = type;
    }
    hit_layout_destroy(&layout);
    if (heat) {
        s->args[2] = (hit_arg){.value = &c, .type = HIT_FLOAT};
    } else {
        s->args[3] = (hit_arg){.value = &one, .type = HIT_DOUBLE};
        s->args[4] = (hit_arg){.value = &zero, .type = HIT_DOUBLE};
    }
    s->expected = heat ? 1 : GEMM_SIZE;
    s->call = (hit_call){.context = s->hit,
                         .kernel = kernel,
                         .domain = heat ? hit_domain_grow(whole, -1) : whole,
                         .count = kernel->args,
                         .args = s->args};
}

static void close_setting(setting *s)
{
    for (int k = 0; k < 3; k++) {
        hit_tile_destroy(&s->tile[k]);
    }
    hit_close(&s->hit);
}

static hit_preview look(const setting *s, const hit_known_kernel *known)
{
    hit_rates rates;
    hit_preview preview;

    hit_rates_load(&s->call, known, s->hit->device[0], &rates);
    HIT_MUST(hit_preview_make(&s->call, known, &rates, &preview, NULL));
    hit_rates_clear(&rates);
    return preview;
}

static double predict(const setting *s)
{
    const hit_known_kernel *known = NULL;
    hit_preview preview;

    HIT_MUST(hit_launcher_know(&s->call, &known));
    preview = look(s, known);
    HIT_MUST(hit_lacks_measure(&s->call, known, 0, &preview.device[0].sample,
                               preview.time.lacks));
    preview = look(s, known);
    if (preview.time.lacks != 0) bench_stop(1, "predict", "a time is not known");
    return preview.time.again_s;
}

static double run(void *context)
{
    const setting *s = context;
    const hit_call *call = &s->call;
    const double start = bench_time();

    HIT_MUST(hit_launch_args(s->hit, NULL, call->kernel, call->domain, call->count,
                             call->args));
    HIT_MUST(hit_wait(s->hit));
    return bench_time() - start;
}

static bool is_right(const setting *s)
{
    const hit_index at[] = {1, 1};
    double real = 0;
    float single = 0;

    if (s->call.kernel != &heat_float) {
        HIT_MUST(hit_tile_get(s->tile[0], at, &real));
    } else {
        HIT_MUST(hit_tile_get(s->tile[0], at, &single));
        real = (double)single;
    }
    return real - s->expected < 1e-3 && s->expected - real < 1e-3;
}

/* Of a run that nobody disturbed: models are of such runs. */
static double least(const double seconds[])
{
    double found = seconds[0];

    for (int k = 1; k < ROUNDS; k++) {
        if (seconds[k] < found) found = seconds[k];
    }
    return found;
}

static void compare(const char *name, const hit_kernel *kernel, const char *devices)
{
    double seconds[1][BENCH_ROUNDS];
    setting s = {.hit = NULL};
    double time_s;
    char fastest[64];

    open_setting(&s, kernel, devices);
    time_s = predict(&s);
    bench_turns(&(bench_turn){run, &s}, 1, ROUNDS, seconds);
    if (!is_right(&s)) bench_stop(1, name, "the result is wrong");
    bench_times(name, seconds[0], ROUNDS, 1 / time_s, "of the predicted time");
    snprintf(fastest, sizeof(fastest), "%s, fastest", name);
    bench_figure(fastest, least(seconds[0]) / time_s, "of the predicted time");
    close_setting(&s);
}

int main(int argc, char **argv)
{
    own_store store;
    hit_context *base = NULL; /* keeps MPI open */

    own_store_open(&store);
    HIT_MUST(hit_open(&argc, &argv, &base));
    compare("predict heat in place", &heat_float, "host:threads=2");
    compare("predict heat 8 MiB", &heat_float, "host:memory=8MiB:threads=1");
    compare("predict gemm in place", &gemm_double, "host:threads=2");
    compare("predict gemm 8 MiB", &gemm_double, "host:memory=8MiB:threads=1");
    hit_close(&base);
    own_store_close(&store);
    return 0;
}
