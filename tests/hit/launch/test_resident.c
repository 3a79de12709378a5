/* SPDX-License-Identifier: MIT
 * What stays in the memory of a device between launches: how many bytes are moved, and
 * that the host always sees the truth, whatever follows what. */
#include "tests/hit/launch/scene.h"
#include "tests/support/check_main.h"

#include <stdio.h>
#include <string.h>

extern const hit_kernel blend, bump, spread, columns, assign;

enum {
    N = 48,
    TILE_BYTES = N * N * 8,
    TILES = 4
};

/* Keeps MPI open while the tests open and close contexts of their own. */
static hit_context *base;

/* Bytes moved to and from all devices since the last call. */
typedef struct traffic {
    uint64_t in;
    uint64_t out;
} traffic;

static traffic moved(hit_context *hit, traffic *before)
{
    hit_stats now;
    traffic since;

    HIT_MUST(hit_context_stats_all(hit, &now));
    since = (traffic){now.bytes_in - before->in, now.bytes_out - before->out};
    *before = (traffic){now.bytes_in, now.bytes_out};
    return since;
}

static hit_tile *make_tile(hit_context *hit, hit_domain domain)
{
    hit_layout *layout = NULL;
    hit_tile *tile = NULL;
    const int64_t one = 1;

    HIT_MUST(hit_layout_create(hit, domain, "block", &layout));
    HIT_MUST(hit_tile_create(layout, HIT_INT64, "t", &tile));
    HIT_MUST(hit_tile_fill(tile, &one));
    hit_layout_destroy(&layout);
    return tile;
}

static void drop_tiles(hit_tile *tile[], int count)
{
    for (int k = 0; k < count; k++) {
        hit_tile_destroy(&tile[k]);
    }
}

static hit_context *open_staged(size_t memory_bytes)
{
    hit_context *hit = NULL;

    HIT_MUST(hit_open_with(
        NULL, NULL, &(hit_options){.threads = 1, .device_memory_bytes = memory_bytes},
        &hit));
    return hit;
}

START_TEST(after_the_first_of_ten_launches_that_fit_no_byte_is_moved)
{
    const hit_domain whole = hit_domain_of(N, N);
    hit_context *hit = open_staged(2 * TILE_BYTES);
    hit_tile *tile[2] = {make_tile(hit, whole), make_tile(hit, whole)};
    traffic before = {0};
    traffic first;
    traffic rest;

    HIT_MUST(hit_launch(hit, &assign, whole, tile[0], tile[1]));
    first = moved(hit, &before);
    for (int k = 1; k < 10; k++) {
        HIT_MUST(hit_launch(hit, &assign, whole, tile[k % 2], tile[(k + 1) % 2]));
        HIT_MUST(hit_launch(hit, &bump, whole, tile[k % 2], HIT_VALUE((int64_t)3)));
    }
    rest = moved(hit, &before);
    drop_tiles(tile, 2);
    hit_close(&hit);
    ck_assert_uint_eq(first.in, TILE_BYTES); /* out is not loaded */
    ck_assert_uint_eq(first.out, 0);
    ck_assert_uint_eq(rest.in + rest.out, 0);
}
END_TEST

/* The rim that a stencil reads and does not write comes with the second step, when the
 * tiles have been swapped; then nothing is moved any more. */
START_TEST(a_stencil_that_swaps_tiles_moves_their_rims_once)
{
    const hit_domain whole = hit_domain_of(N, N);
    const hit_domain inner = {2, {hit_sig_make(1, N - 2, 1), hit_sig_make(2, N - 2, 1)}};
    hit_context *hit = open_staged(2 * TILE_BYTES);
    hit_tile *tile[2] = {make_tile(hit, whole), make_tile(hit, whole)};
    const bool alone = hit_size(hit) == 1;
    traffic before = {0};
    traffic step[10];

    for (int k = 0; k < 10; k++) {
        HIT_MUST(hit_launch(hit, &blend, inner, tile[k % 2], tile[(k + 1) % 2]));
        step[k] = moved(hit, &before);
    }
    drop_tiles(tile, 2);
    hit_close(&hit);
    if (!alone) return; /* halos are exchanged by the hosts */
    ck_assert_uint_eq(step[0].in, TILE_BYTES);
    ck_assert_uint_lt(step[1].in, 5 * N * 8);
    for (int k = 2; k < 10; k++) {
        ck_assert_uint_eq(step[k].in + step[k].out, 0);
    }
}
END_TEST

START_TEST(only_what_the_host_looks_at_is_sent_back)
{
    const hit_domain whole = hit_domain_of(N, N);
    hit_context *hit = open_staged(2 * TILE_BYTES);
    hit_tile *tile[2] = {make_tile(hit, whole), make_tile(hit, whole)};
    const hit_index at[] = {3, 5};
    traffic before = {0};
    traffic one;
    traffic all;
    traffic again;
    traffic host;
    int64_t value = 0;
    int64_t five = 5;

    HIT_MUST(
        hit_launch(hit, &bump, whole, tile[0], HIT_VALUE((int64_t)3))); /* 3 + i + 2j */
    (void)moved(hit, &before);
    HIT_MUST(hit_tile_get(tile[0], at, &value));
    one = moved(hit, &before);
    for (int k = 0; k < hit_tile_pieces(tile[0]); k++) {
        hit_view view;

        HIT_MUST(hit_tile_map(tile[0], k, HIT_READ, &view));
    }
    all = moved(hit, &before);
    HIT_MUST(hit_launch(hit, &assign, whole, tile[1], tile[0]));
    again = moved(hit, &before);
    HIT_MUST(hit_tile_fill(tile[0], &five));
    HIT_MUST(hit_launch(hit, &bump, whole, tile[0], HIT_VALUE((int64_t)3)));
    host = moved(hit, &before);
    drop_tiles(tile, 2);
    hit_close(&hit);
    ck_assert_int_eq(value, 16);
    ck_assert_uint_eq(one.out, 8);
    ck_assert_uint_eq(all.out, TILE_BYTES - 8);
    ck_assert_uint_eq(again.in + again.out, 0);
    ck_assert_uint_eq(host.in, TILE_BYTES); /* the host wrote it all */
    ck_assert_uint_eq(host.out, 0);
}
END_TEST

START_TEST(what_is_clean_and_was_not_used_for_longest_gives_way)
{
    const hit_domain whole = hit_domain_of(N, N);
    hit_context *hit = open_staged(3 * TILE_BYTES);
    hit_tile *t[4];
    const bool alone = hit_size(hit) == 1;
    traffic before = {0};
    traffic step[3];
    int64_t value = 0;

    for (int k = 0; k < 4; k++) {
        t[k] = make_tile(hit, whole);
    }
    /* 0 dirty, 1 clean, 2 dirty */
    HIT_MUST(hit_launch(hit, &assign, whole, t[0], t[1]));
    HIT_MUST(hit_launch(hit, &bump, whole, t[2], HIT_VALUE((int64_t)2)));
    (void)moved(hit, &before);
    HIT_MUST(hit_launch(hit, &bump, whole, t[3], HIT_VALUE((int64_t)2)));
    step[0] = moved(hit, &before); /* 1 is dropped */
    HIT_MUST(hit_launch(hit, &assign, whole, t[1], t[2]));
    step[1] = moved(hit, &before); /* 0 is sent back */
    HIT_MUST(hit_launch(hit, &bump, whole, t[3], HIT_VALUE((int64_t)2)));
    step[2] = moved(hit, &before);
    HIT_MUST(hit_tile_get(t[1], (const hit_index[]){1, 1}, &value));
    drop_tiles(t, 4);
    hit_close(&hit);
    ck_assert_int_eq(value, 2 + 1 + 2);
    if (!alone) return; /* parts differ in size */
    ck_assert_uint_eq(step[0].in, TILE_BYTES);
    ck_assert_uint_eq(step[0].out, 0);
    ck_assert_uint_eq(step[1].in, 0);
    ck_assert_uint_eq(step[1].out, TILE_BYTES);
    ck_assert_uint_eq(step[2].in + step[2].out, 0);
}
END_TEST

/* ---- any order of anything ---- */

static int64_t wrap(int64_t x)
{
    return x % 1009;
}

static void do_blend(scene *s, field *to, const field *from)
{
    const hit_domain *box = &to->domain;
    int64_t made[N * N];
    hit_index x[HIT_MAX_DIMS];

    HIT_MUST(hit_launch(s->hit, &blend, *box, to->tile, from->tile));
    for (bool go = hit_domain_first(box, x); go; go = hit_domain_next(box, x)) {
        made[at(box, x)] = wrap(
            3 * WANT(from, x[0] - 1, x[1]) + WANT(from, x[0] + 1, x[1]) +
            5 * WANT(from, x[0], x[1] - 2) + WANT(from, x[0], x[1] + 1) + x[0] - x[1]);
    }
    memcpy(to->want, made, sizeof(int64_t) * (size_t)to->count);
}

static hit_domain random_part(scene *s, const hit_domain *box)
{
    hit_domain part = *box;

    for (int d = 0; d < box->dims; d++) {
        const hit_index a = pick(s, box->sig[d].begin, box->sig[d].end);
        const hit_index b = pick(s, box->sig[d].begin, box->sig[d].end);

        part.sig[d] = hit_sig_make(a < b ? a : b, a < b ? b : a, pick(s, 1, 2));
    }
    return part;
}

static void do_bump(scene *s, field *f)
{
    const hit_domain part = random_part(s, &f->domain);
    hit_index x[HIT_MAX_DIMS];

    HIT_MUST(hit_launch(s->hit, &bump, part, f->tile, HIT_VALUE((int64_t)7)));
    for (bool go = hit_domain_first(&part, x); go; go = hit_domain_next(&part, x)) {
        SLOT(f, x[0], x[1]) = wrap(SLOT(f, x[0], x[1]) * 7 + x[0] + 2 * x[1]);
    }
}

static void do_spread(scene *s, field *c, const field *a, const field *b)
{
    const hit_index low = c->domain.sig[0].begin;
    const hit_index high = c->domain.sig[0].end;
    hit_domain left = c->domain;
    hit_domain right = c->domain;
    hit_tile *panel[2] = {NULL};
    hit_index x[HIT_MAX_DIMS];
    const hit_index first = pick(s, low, high);
    const hit_index last = pick(s, first, high);

    left.sig[1] = hit_sig_make(first, last, 1);
    right.sig[0] = left.sig[1];
    HIT_MUST(hit_tile_select(a->tile, left, &panel[0]));
    HIT_MUST(hit_tile_select(b->tile, right, &panel[1]));
    HIT_MUST(hit_launch(s->hit, &spread, c->domain, c->tile, panel[0], panel[1]));
    for (bool go = hit_domain_first(&c->domain, x); go;
         go = hit_domain_next(&c->domain, x)) {
        int64_t sum = SLOT(c, x[0], x[1]);

        for (hit_index k = first; k <= last; k++) {
            sum += SLOT(a, x[0], k) * SLOT(b, k, x[1]);
        }
        SLOT(c, x[0], x[1]) = wrap(sum);
    }
    drop_tiles(panel, 2);
}

static void do_columns(scene *s, field *total, const field *a)
{
    hit_index x[HIT_MAX_DIMS];

    HIT_MUST(hit_launch(s->hit, &columns, a->domain, total->tile, a->tile));
    memset(total->want, 0, sizeof(int64_t) * (size_t)total->count);
    for (bool go = hit_domain_first(&a->domain, x); go;
         go = hit_domain_next(&a->domain, x)) {
        SLOT(total, x[1]) += SLOT(a, x[0], x[1]);
    }
}

/* The host writes or reads through a view. */
static void do_map(scene *s, field *f, hit_intent intent)
{
    const int64_t add = pick(s, 1, 9);
    hit_index x[HIT_MAX_DIMS];

    for (int k = 0; k < hit_tile_pieces(f->tile); k++) {
        hit_view v;

        HIT_MUST(hit_tile_map(f->tile, k, intent, &v));
        for (bool go = hit_domain_first(&v.domain, x); go;
             go = hit_domain_next(&v.domain, x)) {
            int64_t *found = &HIT_AT(v, int64_t, x[0], x[1]);

            if (intent != HIT_WRITE && *found != SLOT(f, x[0], x[1])) s->good = false;
            if (intent == HIT_READ_WRITE) *found += add;
            if (intent == HIT_WRITE) *found = add + x[0];
        }
    }
    for (bool go = hit_domain_first(&f->domain, x); go && intent != HIT_READ;
         go = hit_domain_next(&f->domain, x)) {
        const int64_t old = SLOT(f, x[0], x[1]);

        SLOT(f, x[0], x[1]) = intent == HIT_WRITE ? add + x[0] : old + add;
    }
}

static void do_host(scene *s, field *f, const field *other)
{
    const hit_index i = pick(s, f->domain.sig[0].begin, f->domain.sig[0].end);
    const hit_index j = pick(s, f->domain.sig[1].begin, f->domain.sig[1].end);
    int64_t value = pick(s, 0, 99);

    switch (pick(s, 0, 3)) {
    case 0:
        HIT_MUST(hit_tile_fill(f->tile, &value));
        for (hit_index k = 0; k < f->count; k++) {
            f->want[k] = value;
        }
        break;
    case 1:
        HIT_MUST(hit_tile_get(f->tile, (const hit_index[]){i, j}, &value));
        if (value != SLOT(f, i, j)) s->good = false;
        break;
    case 2:
        HIT_MUST(hit_tile_copy(other->tile, f->tile));
        memcpy(f->want, other->want, sizeof(int64_t) * (size_t)f->count);
        break;
    default:
        HIT_MUST(hit_tile_scatter(f->tile, 0, other->want));
        memcpy(f->want, other->want, sizeof(int64_t) * (size_t)f->count);
        break;
    }
}

static void do_relayout(scene *s, field *f)
{
    hit_layout *layout = NULL;

    HIT_MUST(hit_layout_create(s->hit, f->domain, pick_layout(s, 2), &layout));
    HIT_MUST(hit_tile_relayout(f->tile, layout));
    hit_layout_destroy(&layout);
}

static void do_any(scene *s, field f[], field *total)
{
    const int a = (int)pick(s, 0, TILES - 1);
    const int b = (a + (int)pick(s, 1, TILES - 1)) % TILES;
    const int c = (int)pick(s, 0, TILES - 1);

    switch (pick(s, 0, 9)) {
    case 0:
    case 1:
    case 2:
        do_blend(s, &f[a], &f[b]);
        break;
    case 3:
    case 4:
        do_bump(s, &f[a]);
        break;
    case 5:
        if (c != a) do_spread(s, &f[a], &f[b], &f[c]);
        break;
    case 6:
        do_columns(s, total, &f[a]);
        break;
    case 7:
        do_map(s, &f[a], (hit_intent)pick(s, HIT_READ, HIT_READ_WRITE));
        break;
    case 8:
        do_host(s, &f[a], &f[b]);
        break;
    default:
        do_relayout(s, &f[a]);
        break;
    }
}

static void try_sequence(scene *s, uint64_t seed)
{
    const hit_index n = (s->random = (hit_random){seed}, pick(s, 3, 12));
    const hit_index m = pick(s, -3, 3);
    const hit_domain box = {2, {hit_sig_make(m, m + n, 1), hit_sig_make(m, m + n, 1)}};
    const hit_domain row = {1, {box.sig[1]}};
    field f[TILES];
    field total;

    snprintf(s->text, sizeof(s->text), "seed %llu", (unsigned long long)seed);
    for (int k = 0; k < TILES; k++) {
        f[k] = make_field(s, box, pick_boundary(s), pick_layout(s, 2));
    }
    total = make_field(s, row, HIT_BOUNDARY_NONE, pick_layout(s, 1));
    for (int k = 0; k < 25; k++) {
        do_any(s, f, &total);
    }
    for (int k = 0; k < TILES; k++) {
        drop_field(s, &f[k]);
    }
    drop_field(s, &total);
}

/* Memory for a row, for some of a tile, for some tiles, for all. */
START_TEST(any_sequence_gives_what_plain_loops_give)
{
    static const size_t memory[] = {700, 2000, 4000, 9000, 100000};
    scene s = {.good = true};
    bool within = true;

    for (int m = 0; m < (int)(sizeof(memory) / sizeof(memory[0])); m++) {
        hit_stats stats;

        s.hit = open_staged(memory[m]);
        for (uint64_t k = 0; k < 30; k++) {
            try_sequence(&s, 1000 * (uint64_t)m + k);
            if (!s.good) break;
        }
        hit_context_stats(s.hit, &stats);
        within = within && stats.device_peak_bytes <= memory[m];
        hit_close(&s.hit);
        if (!s.good && hit_size(base) == 1) break;
    }
    ck_assert_msg(s.good, "%s", s.text);
    ck_assert(within);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("resident");
    TCase *tests = tcase_create("resident");

    tcase_add_test(tests, after_the_first_of_ten_launches_that_fit_no_byte_is_moved);
    tcase_add_test(tests, a_stencil_that_swaps_tiles_moves_their_rims_once);
    tcase_add_test(tests, only_what_the_host_looks_at_is_sent_back);
    tcase_add_test(tests, what_is_clean_and_was_not_used_for_longest_gives_way);
    tcase_add_test(tests, any_sequence_gives_what_plain_loops_give);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
