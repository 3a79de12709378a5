/* SPDX-License-Identifier: MIT
 * Predicted times of blocks through small memories: beside a run in which all goes as
 * ever, on a device that is simulated and says when it was done; and where the time can
 * be worked out from what is moved. */
#define _POSIX_C_SOURCE 200809L /* setenv, dup */
#include "hit/base/context.h"
#include "hit/comm/comm.h"
#include "hit/cost/cost.h"
#include "hit/device/device.h"
#include "hit/launch/launcher.h"
#include "hit/run/chains.h"
#include "hit/tile/tile_impl.h"
#include "tests/hit/run/chains_scene.h"
#include "tests/support/check_main.h"
#include "tests/support/own_store.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static hit_context *base; /* keeps MPI open */

enum {
    TURNS = 3,
    KERNELS = 16,
    KINDS = 64
};

/* What everything costs. */
typedef struct machine {
    const char *name;
    hit_link link[HIT_LINK_NAMES];
    double index_s; /* of kernels with long names some times as much */
    double few;     /* so many times as much for few indices; 0: not */
    bool async;
} machine;

static const double nothing_s = 1e-15; /* models have no zeros */

static const machine all[] = {
    {"slow in",
     {{1e-4, 1e-5, 1e-6, 0}, {1e-5, 0, 1e-8, 0}, {0, 0, 1e-9, 0}},
     1e-8,
     2,
     false},
    {"slow out",
     {{1e-5, 0, 1e-8, 0}, {1e-4, 0, 1e-6, 0}, {0, 0, 1e-9, 0}},
     1e-8,
     2,
     true},
    {"slow kernels",
     {{1e-5, 0, 1e-8, 0}, {1e-5, 0, 1e-8, 0}, {0, 0, 1e-9, 0}},
     1e-6,
     2,
     false},
    {"alike",
     {{2e-5, 0, 3e-8, 0}, {1e-5, 0, 4e-8, 0}, {1e-6, 0, 1e-8, 0}},
     5e-8,
     2,
     false},
    {"alike, async",
     {{2e-5, 0, 3e-8, 0}, {1e-5, 0, 4e-8, 0}, {1e-6, 0, 1e-8, 0}},
     5e-8,
     2,
     true},
};

enum {
    MACHINES = sizeof(all) / sizeof(all[0])
};

/* ---- models ---- */

static hit_fpm *speed_of(const machine *of, const hit_kernel *kernel)
{
    const double index_s = of->index_s * (double)(1 + strlen(kernel->name) % 3);
    const hit_fpm_point point[] = {{10, 1 / (index_s * (1 + of->few)), 1},
                                   {10000, 1 / index_s, 1}};
    hit_fpm *fpm = NULL;

    HIT_MUST(hit_fpm_create(HIT_FPM_FUNCTIONAL, 2, point, &fpm));
    return fpm;
}

static void store_link(const hit_context *hit, const machine *of, hit_link_name name)
{
    hit_link_shape shape[HIT_LINK_SHAPES];
    const int count = hit_links_shapes(shape);

    for (int k = 0; k < count; k++) {
        const double bytes = (double)shape[k].bytes;
        const double runs =
            shape[k].run_bytes > 0 ? bytes / (double)shape[k].run_bytes : 1;
        hit_fpm_point point = {.units = bytes, .reps = 1};
        hit_model_key key;
        hit_fpm *fpm = NULL;

        if (shape[k].link != name) continue;
        point.value = bytes / (nothing_s + hit_link_time(&of->link[name], runs, bytes));
        HIT_MUST(hit_fpm_create(HIT_FPM_FUNCTIONAL, 1, &point, &fpm));
        hit_model_key_of_link(hit, name == HIT_LINK_MESSAGE ? NULL : hit->device[0], name,
                              shape[k].run_bytes, &key);
        HIT_MUST(hit_store_add(NULL, &key, fpm));
        hit_fpm_destroy(&fpm);
    }
}

static void store_kernel(const hit_call *call, const machine *of)
{
    const hit_known_kernel *known = NULL;
    hit_fpm *found = NULL;
    hit_fpm *fpm;
    hit_model_key key;

    HIT_MUST(hit_launcher_know(call, &known));
    HIT_MUST(hit_rates_key(call, known, call->context->device[0], &key));
    HIT_MUST(hit_store_find(&key, &found));
    if (found == NULL) {
        fpm = speed_of(of, call->kernel);
        HIT_MUST(hit_store_add(NULL, &key, fpm));
        hit_fpm_destroy(&fpm);
    }
    hit_fpm_destroy(&found);
}

/* ---- a program, in two ways ---- */

typedef struct test_case {
    const machine *machine;
    const chains_program *program;
    const char *layout;
    hit_index extent;
    size_t memory_bytes;
} test_case;

/* How the context under way is carried out; there is one at a time. */
static struct {
    const machine *machine;
    const hit_executor *under;
    hit_executor over;
    hit_device_ops device_ops;
    hit_processor_ops processor;
    hit_device real;
    hit_links links;
    hit_sim sim;
    hit_status (*run_block)(void *block);
    double in_blocks_s;
    int kernels;
    const hit_kernel *kernel[KERNELS];
    hit_fpm *speed[KERNELS];
} play;

static void open_case(const test_case *of, chains_scene *s)
{
    static const hit_choice choice = {.steps = 16, .width = {8, 8, 8, 8}};
    const hit_options options = {.device_memory_bytes = of->memory_bytes, .threads = 1};

    *s = (chains_scene){.layout = of->layout};
    HIT_MUST(hit_open_with(NULL, NULL, &options, &s->hit));
    s->hit->launcher->chain_choice = &choice; /* no time decides */
    HIT_MUST(hit_chain(s->hit, HIT_CHAIN_ANY));
    chains_make_tiles(s, hit_domain_of(of->extent, of->extent), HIT_FLOAT);
}

static void run_turns(const test_case *of, chains_scene *s)
{
    for (int k = 0; k < TURNS; k++) {
        of->program->run(s);
    }
    HIT_MUST(hit_wait(s->hit));
}

/* ---- a dry run ---- */

static hit_status launch_dry(hit_call *call, hit_status checked)
{
    if (call->context->rank == 0) store_kernel(call, play.machine);
    return play.under->launch(call, checked);
}

/* Lanes have engines of their own, and kernels run by themselves or not. */
static void change_device(hit_device *device, const machine *of)
{
    play.device_ops = *device->ops;
    play.device_ops.uses_cores = false;
    device->ops = &play.device_ops;
    play.processor = *device->processor;
    play.processor.async = of->async;
    device->processor = &play.processor;
}

static double number_behind(const char *line, const char *name)
{
    const char *at = strstr(line, name);

    ck_assert_msg(at != NULL, "no %s in %s", name, line);
    return strtod(at + strlen(name), NULL);
}

typedef struct figures {
    double seconds;   /* of all */
    double in_blocks; /* of these */
    double bytes_in;
    double bytes_out;
} figures;

static figures read_plan(FILE *from)
{
    figures found = {0};
    double of_kind[KINDS];
    char line[2000];

    rewind(from);
    while (fgets(line, sizeof(line), from) != NULL) {
        if (strncmp(line, "{\"chain\": ", 10) == 0) {
            const int kind = (int)number_behind(line, "\"chain\": ");

            ck_assert_int_lt(kind, KINDS);
            if (strstr(line, "\"times\"") == NULL) {
                of_kind[kind] = number_behind(line, "\"predicted_s\": ");
                ck_assert_double_gt(of_kind[kind], 0);
            } else {
                found.in_blocks += of_kind[kind] * number_behind(line, "\"times\": ");
            }
        }
        if (strncmp(line, "{\"launches\": ", 13) != 0) continue;
        found.seconds = number_behind(line, "\"predicted_s\": ");
        found.bytes_in = number_behind(line, "\"bytes_in\": ");
        found.bytes_out = number_behind(line, "\"bytes_out\": ");
    }
    return found;
}

static void run_dry(const test_case *of)
{
    own_store store;
    chains_scene s;

    own_store_open_for(&store, base);
    setenv("HIT_PLAN", "json", 1);
    open_case(of, &s);
    setenv("HIT_PLAN", "0", 1);
    change_device(s.hit->device[0], of->machine);
    for (int name = 0; name < HIT_LINK_NAMES && s.hit->rank == 0; name++) {
        if (name == HIT_LINK_IN_PACKED || name == HIT_LINK_OUT_PACKED) continue;
        store_link(s.hit, of->machine, (hit_link_name)name);
    }
    play.machine = of->machine;
    play.under = s.hit->executor;
    play.over = *play.under;
    play.over.launch = launch_dry;
    s.hit->executor = &play.over;
    run_turns(of, &s);
    s.hit->executor = play.under;
    chains_close(&s);
    own_store_close_for(&store, base);
}

/* On process 0. */
static figures predict(const test_case *of)
{
    FILE *caught = tmpfile();
    const int out = dup(STDOUT_FILENO);
    figures found;

    ck_assert_ptr_nonnull(caught);
    (void)fflush(stdout);
    ck_assert_int_ge(dup2(fileno(caught), STDOUT_FILENO), 0);
    run_dry(of);
    (void)fflush(stdout);
    ck_assert_int_ge(dup2(out, STDOUT_FILENO), 0);
    (void)close(out);
    found = read_plan(caught);
    (void)fclose(caught);
    return found;
}

/* ---- a run on a simulated device ---- */

/* What fills rims is none of the program's. */
static hit_status run_simulated(void *state, const hit_kernel *kernel, const hit_run *run,
                                const hit_domain need[])
{
    hit_sim *sim = state;

    for (int k = 0; k < play.kernels; k++) {
        if (strcmp(play.kernel[k]->name, kernel->name) != 0) continue;
        sim->kernel = play.speed[k];
        return sim->processor.run(state, kernel, run, need);
    }
    return HIT_OK;
}

static void meet_kernel(const hit_kernel *kernel)
{
    for (int k = 0; k < play.kernels; k++) {
        if (strcmp(play.kernel[k]->name, kernel->name) == 0) return;
    }
    ck_assert_int_lt(play.kernels, KERNELS);
    play.kernel[play.kernels] = kernel;
    play.speed[play.kernels++] = speed_of(play.machine, kernel);
}

/* A launch by itself begins when the one before it is done, as it is predicted. */
static hit_status launch_live(hit_call *call, hit_status checked)
{
    const hit_chains *chains = call->context->stations->recorded.block;

    meet_kernel(call->kernel);
    HIT_TRY(play.under->launch(call, checked));
    return chains == NULL || chains->count == 0 ? hit_settle(call->context) : HIT_OK;
}

static hit_status run_block(void *block)
{
    const double start_s = hit_sim_end(&play.sim);
    const hit_status status = play.run_block(block);

    play.in_blocks_s += hit_sim_end(&play.sim) - start_s;
    return status;
}

static void begin_play(hit_context *hit, const machine *of)
{
    hit_device *device = hit->device[0];

    play.machine = of;
    play.real = *device;
    play.links = (hit_links){.known = 1u << HIT_LINK_IN | 1u << HIT_LINK_OUT |
                                      1u << HIT_LINK_WITHIN};
    memcpy(play.links.link, of->link, sizeof(of->link));
    play.sim = (hit_sim){.links = &play.links, .async = of->async};
    hit_sim_open(&play.sim, device);
    play.processor = play.sim.processor;
    play.processor.run = run_simulated;
    device->processor = &play.processor;
    play.under = hit->executor;
    play.over = *play.under;
    play.over.launch = launch_live;
    hit->executor = &play.over;
    (void)hit_chains_of(hit);
    play.run_block = hit->stations->recorded.run;
    hit->stations->recorded.run = run_block;
    play.in_blocks_s = 0;
}

static void end_play(hit_context *hit)
{
    hit_device *device = hit->device[0];

    hit->executor = play.under;
    device->ops = play.real.ops; /* its memory stays: the other would free it */
    device->processor = play.real.processor;
    device->state = play.real.state;
    for (int k = 0; k < play.kernels; k++) {
        hit_fpm_destroy(&play.speed[k]);
    }
    play.kernels = 0;
}

/* When the slowest process is done. */
static figures simulate(const test_case *of, uint64_t *chained)
{
    uint64_t nanoseconds[2];
    chains_scene s;

    open_case(of, &s);
    begin_play(s.hit, of->machine);
    run_turns(of, &s);
    *chained = chains_chained(&s);
    nanoseconds[0] = (uint64_t)(hit_sim_end(&play.sim) * 1e9);
    nanoseconds[1] = (uint64_t)(play.in_blocks_s * 1e9);
    end_play(s.hit);
    HIT_MUST(hit_comm_max_u64(base->comm, nanoseconds, 2));
    chains_close(&s);
    return (figures){.seconds = (double)nanoseconds[0] / 1e9,
                     .in_blocks = (double)nanoseconds[1] / 1e9};
}

/* ---- cases ---- */

/* What fits the device stays there, which dry runs do not follow. */
static bool is_possible(const chains_program *program)
{
    static const char *const apart[] = {"source",    "border",     "record",
                                        "dimension", "selections", "only read"};

    for (size_t k = 0; k < sizeof(apart) / sizeof(apart[0]); k++) {
        if (strstr(program->name, apart[k]) != NULL) return false;
    }
    return true;
}

/* How far the prediction is off, of what the run took; on process 0. */
static double error_of(const test_case *of, uint64_t *chained)
{
    const figures found = predict(of);
    uint64_t ran;
    const figures took = simulate(of, &ran);

    *chained += ran;
    return fabs(found.seconds - took.seconds) / took.seconds;
}

/* On one process to the last digit. On several, one of each class of processes is looked
 * at, and launches that are in no block may wait for neighbours: where each of two has
 * halos, and so more superblocks, on another process, their times are not added up. */
START_TEST(a_prediction_is_when_a_run_is_done)
{
    static const char *const layout[] = {"block:dims=0", "block:dims=1", "block"};
    hit_random random = hit_random_start(8200000);
    const int count = chains_cases(60);
    uint64_t chained = 0;
    int cases = 0;
    int near = 0;

    for (int k = 0; k < count; k++) {
        const hit_index extent = hit_random_index(&random, 48, 90);
        const hit_index bytes = extent * extent * 4 / hit_size(base);
        const test_case one = {
            .machine = &all[hit_random_index(&random, 0, MACHINES - 1)],
            .program =
                &chains_legal[hit_random_index(&random, 0, chains_legal_count - 1)],
            .layout = layout[hit_random_index(&random, 0, 2)],
            .extent = extent,
            .memory_bytes = (size_t)hit_random_index(&random, 1024, 1024 + bytes / 2)};
        double error;

        if (!is_possible(one.program)) continue;
        error = error_of(&one, &chained);
        cases++;
        near += error < 1e-3;
        if (hit_rank(base) != 0) continue;
        ck_assert_msg(error < (hit_size(base) == 1 ? 1e-6 : 0.2),
                      "%s, %s, %s of %d, %d bytes: off by %g", one.program->name,
                      one.machine->name, one.layout, (int)one.extent,
                      (int)one.memory_bytes, error);
    }
    ck_assert_uint_gt(chained, (uint64_t)count / 4);
    ck_assert(hit_rank(base) != 0 || 4 * near >= 3 * cases);
}
END_TEST

/* Where one link takes all the time the block takes as long as its bytes. */
START_TEST(what_is_slow_alone_is_the_time)
{
    static const machine slow[] = {
        {"in", {{0, 0, 1e-6, 0}}, 1e-15, 0, false},
        {"out", {{0, 0, 0, 0}, {0, 0, 1e-6, 0}}, 1e-15, 0, false},
        {"in, async", {{0, 0, 1e-6, 0}}, 1e-15, 0, true},
    };

    for (int m = 0; m < 3; m++) {
        for (size_t bytes = 2048; bytes <= 40000 / (size_t)hit_size(base); bytes *= 2) {
            const test_case one = {.machine = &slow[m],
                                   .program = &chains_legal[0],
                                   .layout = "block",
                                   .extent = 120,
                                   .memory_bytes = bytes};
            const figures found = predict(&one);
            const double all_s = (m == 1 ? found.bytes_out : found.bytes_in) * 1e-6;

            if (hit_rank(base) != 0) continue;
            ck_assert_double_gt(all_s, 0);
            ck_assert_double_le(found.seconds, all_s * (1 + 1e-6));
            ck_assert_double_ge(found.seconds, all_s / hit_size(base) * (1 - 1e-6));
        }
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("pieces of chains in dry runs");
    TCase *tc = tcase_create("pieces");

    tcase_set_timeout(tc, 0);
    tcase_add_test(tc, a_prediction_is_when_a_run_is_done);
    tcase_add_test(tc, what_is_slow_alone_is_the_time);
    suite_add_tcase(s, tc);
    return s;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
