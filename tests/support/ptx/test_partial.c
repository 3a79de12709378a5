/* SPDX-License-Identifier: MIT
 * What combines partial results on the played GPU: kernels that add to them, chunk by
 * chunk, and the grids that fold and combine them. */
#include "hit/base/kind.h"
#include "hit/cuda/cuda_impl.h"
#include "kernels/kernels.h"
#include "patterns/kernel_impl.h"
#include "patterns/reduce.h"
#include "patterns/slot.h"
#include "tests/support/ptx/catalogue.h"
#include "tests/support/ptx/numbers.h"
#include "tests/support/ptx/twin.h"

#include <stdlib.h>
#include <string.h>

static const hit_kernel *const sums[] = {&dot_float,    &dot_double,    &norm2_float,
                                         &norm2_double, &max_abs_float, &max_abs_double};

enum {
    SUMS = sizeof(sums) / sizeof(sums[0]),
    MOST = 40, /* indices */
    TRIALS = 6 * MOST,
    INPUT = 4096, /* bytes from the partial results to an argument, and to the next */
    BYTES = 3 * INPUT
};

/* Chunks of a box: argument 0 has one element for each, the others lie behind it. */
typedef struct chunked {
    const hit_kernel *kernel;
    hit_domain box;
    bool has_steps;  /* tiles as the box, not of all indices */
    hit_index apart; /* elements from one to the next */
    hit_index chunks;
} chunked;

/* Slots on the host, or there; the partial results begin with number `chunk`. */
static hit_run run_of(const chunked *c, const twin *t, bool there, hit_index chunk)
{
    const hit_domain none = {.dims = 0};
    const size_t size = c->kernel->arg[0].type.size_bytes;
    const hit_sig sig = c->box.sig[0];
    hit_domain tile = c->box;
    hit_run run = {.dense = sig.stride == 1, .threads = 1};
    hit_view view =
        hit_view_make(&none, size, twin_at(t, there, chunk * (hit_index)size));

    if (!c->has_steps) tile.sig[0] = hit_sig_make(sig.begin, sig.end, 1);
    hit_slot_set(&run.slot[0], &view, &none, false);
    for (int a = 1; a < c->kernel->args; a++) {
        view = hit_view_make(&tile, c->kernel->arg[a].type.size_bytes,
                             twin_at(t, there, a * (hit_index)INPUT));
        view.stride_bytes[0] *= c->apart;
        hit_slot_set(&run.slot[a], &view, &tile, false);
        run.dense = run.dense && run.slot[a].dense;
    }
    run.begin[0] = sig.begin;
    run.end[0] = sig.end;
    run.stride[0] = sig.stride;
    return run;
}

static chunked random_chunks(hit_random *random, const hit_kernel *kernel, int trial)
{
    const hit_index count = hit_random_index(random, 1, MOST);
    const hit_index stride = trial % 3 == 0 ? 1 : hit_random_index(random, 1, 4);
    hit_index low = twin_low(random, trial);
    chunked c = {.kernel = kernel, .box.dims = 1, .has_steps = trial % 3 == 1};

    if (trial % 2 == 0 && llabs(low) <= 20)
        low = -1 - stride * hit_random_index(random, 0, count - 1);
    c.apart = hit_random_index(random, 1, 2);
    c.box.sig[0] = hit_sig_make(low, low + (count - 1) * stride, stride);
    c.chunks = hit_random_index(random, 1, 9); /* some may have nothing to do */
    return c;
}

/* Small numbers; for a maximum one that is larger, at each place in turn, or zeros of
 * both signs, which show whose is taken. */
static void fill_inputs(hit_random *random, const chunked *c, int trial, twin *t)
{
    const bool greatest = c->kernel->arg[0].mode == HIT_MODE_MAX;

    for (int a = 0; a < c->kernel->args; a++) {
        const hit_type type = c->kernel->arg[a].type;
        const hit_index count = (hit_index)(INPUT / type.size_bytes);
        char *at = t->host + a * INPUT;
        numbers_small(random, type, at, count);
        for (hit_index k = 0; greatest && trial % 5 == 4 && k < count; k++) {
            hit_type_set(type, hit_random_index(random, 0, 1) == 1 ? 0.0 : -0.0,
                         at + (size_t)k * type.size_bytes);
        }
        if (!greatest || a == 0 || trial % 5 == 4) continue;
        hit_type_set(type, trial % 2 == 0 ? 100 : -100,
                     at + (size_t)(trial / 2 % MOST) * type.size_bytes);
    }
}

/* What a chunk adds up on the host: every so many of the indices. */
static void run_chunk(const chunked *c, const twin *t, hit_index chunk)
{
    hit_run run = run_of(c, t, false, chunk);

    run.begin[0] += chunk * run.stride[0];
    run.stride[0] *= c->chunks;
    if (run.begin[0] > run.end[0]) return;
    run.end[0] -= (run.end[0] - run.begin[0]) % run.stride[0];
    run.dense = run.dense && c->chunks == 1;
    ck_assert_int_eq(c->kernel->host(&run), HIT_OK);
}

START_TEST(chunk_adds_up_what_the_host_adds_up)
{
    hit_random random = hit_random_start((uint64_t)_i);
    char found[BYTES];

    for (int k = 0; k < TRIALS; k++) {
        const chunked c = random_chunks(&random, sums[_i], k);
        twin t = twin_make(&random, BYTES);
        hit_cuda_call call = {
            .queue = t.stream, .chunks = c.chunks, .reduced = 1, .partial = {1}};
        hit_run run = run_of(&c, &t, true, 0);
        fill_inputs(&random, &c, k, &t);
        twin_send(&t);
        run.device = &call;
        ck_assert_int_eq(c.kernel->cuda(&run), HIT_OK);
        twin_fetch(&t, found);
        for (hit_index chunk = 0; chunk < c.chunks; chunk++) {
            run_chunk(&c, &t, chunk);
        }
        ck_assert(memcmp(found, t.host, BYTES) == 0);
        ck_assert(twin_divides_little(c.chunks > 1 && hit_domain_count(&c.box) > 1));
        twin_clear(&t);
    }
}
END_TEST

static const hit_mode modes[] = {HIT_MODE_SUM, HIT_MODE_MIN, HIT_MODE_MAX};

/* Of a few chunks there may be more elements than two blocks have threads. */
static hit_domain random_rows(hit_random *random, hit_index chunks)
{
    hit_domain box = {.dims = (int)hit_random_index(random, 1, 5)};

    if (chunks > 4096) return hit_domain_of(2);          /* groups of groups of groups */
    if (box.dims == 5) return hit_domain_of(4, 4, 4, 4); /* a full block */

    for (int d = 0; d < box.dims; d++) {
        const hit_index most = d == 0 && chunks < 4 ? 12 : 3;
        box.sig[d] = hit_sig_make(0, hit_random_index(random, 0, most), 1);
    }
    return box;
}

/* Numbers whose sums do not depend on their order. */
static void fill_arrays(hit_random *random, hit_reducer by, const twin *t,
                        hit_index count, hit_index chunks)
{
    const bool decide = hit_random_index(random, 0, 2) > 0; /* the chunks do */
    char *there = t->host + 2 * (size_t)count * by.type.size_bytes;

    if (by.mode != HIT_MODE_SUM || chunks == 1) { /* one addition is rounded alike */
        numbers_any(random, by.type, t->host, count * (chunks + 2));
    } else {
        numbers_small(random, by.type, t->host, count * (chunks + 2));
        if (chunks % 2 == 0)
            numbers_alone(random, by.type, there, count, chunks, decide ? 2 : 1);
    }
    if (decide) ck_assert_int_eq(hit_reduce_identity(by, t->host, 2 * count), 0);
}

/* Array k + 1 of the twin is chunk k; array 0 is what they are combined onto, every other
 * row of a tile. */
static void try_fold(hit_random *random, hit_mode mode, hit_type type, hit_index chunks)
{
    const hit_domain box = random_rows(random, chunks);
    const hit_index count = hit_domain_count(&box);
    const size_t row_bytes = 2 * (size_t)count * type.size_bytes;
    twin t = twin_make(random, row_bytes + (size_t)(chunks * count) * type.size_bytes);
    char *found = malloc(t.size_bytes);
    char *there = (char *)t.there + row_bytes;
    hit_view onto = hit_view_make(&box, type.size_bytes, t.there);

    ck_assert_ptr_nonnull(found);
    for (int d = 0; d < box.dims; d++) {
        onto.stride_bytes[d] *= 2;
    }
    fill_arrays(random, (hit_reducer){mode, type, NULL}, &t, count, chunks);
    twin_send(&t);
    ck_assert_int_eq(hit_cuda_fold(t.stream, mode, type, there, count, chunks), 0);
    twin_fetch(&t, found);
    ck_assert(twin_divides_little(false));
    ck_assert_int_eq(hit_cuda_combine(t.stream, mode, type, &onto, there), 0);
    twin_fetch(&t, found);
    ck_assert(twin_divides_little(true));
    onto.data = t.host;
    for (hit_index c = 0; c < chunks; c++) {
        const hit_view from =
            hit_view_make(&box, type.size_bytes,
                          t.host + row_bytes + (size_t)(c * count) * type.size_bytes);
        ck_assert_int_eq(
            hit_reduce_combine((hit_reducer){mode, type, NULL}, &onto, &from, &box), 0);
    }
    ck_assert(memcmp(found, t.host, row_bytes) == 0);
    ck_assert_int_eq(hit_cuda_identity(t.stream, mode, type, t.there, count), 0);
    twin_fetch(&t, found);
    ck_assert_int_eq(hit_reduce_identity((hit_reducer){mode, type, NULL}, t.host, count),
                     0);
    ck_assert(memcmp(found, t.host, row_bytes) == 0);
    free(found);
    twin_clear(&t);
}

#define TYPE(KIND, name, c_type, letter) {HIT_KIND_##KIND, sizeof(c_type)},
static const hit_type types[] = {HIT_KINDS(TYPE)};
enum {
    TYPES = sizeof(types) / sizeof(types[0])
};

START_TEST(partial_results_are_folded_and_combined)
{
    const hit_mode mode = modes[_i % 3];
    const hit_type type = types[_i / 3];
    hit_random random = hit_random_start((uint64_t)_i);

    if (numbers_letter(type) == 'c' && mode != HIT_MODE_SUM)
        return; /* they have no order */
    for (int k = 0; k < 11; k++) {
        static const hit_index edge[] = {200, 64, 65, 128, 129, 4160};
        twin_limit(&random, k, 1);
        try_fold(&random, mode, type, k < 6 ? edge[k] : hit_random_index(&random, 1, 70));
    }
    for (int chunks = 1; chunks <= 12; chunks++) {
        twin_limit(&random, chunks / 2, 1);
        try_fold(&random, mode, type, chunks);
        try_fold(&random, mode, type, 1);
    }
}
END_TEST

TCase *catalogue_partial(void)
{
    TCase *partial = tcase_create("partial results");

    tcase_add_loop_test(partial, chunk_adds_up_what_the_host_adds_up, 0, SUMS);
    tcase_add_loop_test(partial, partial_results_are_folded_and_combined, 0, 3 * TYPES);
    return partial;
}
