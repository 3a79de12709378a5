/* SPDX-License-Identifier: MIT
 * Launches, looks and changes of the host in any order, on a device with any memory: the
 * host always sees the truth. */
#include "hit/base/context.h"
#include "hit/device/device.h"
#include "tests/hit/run/resident_steps.h"
#include "tests/support/check_main.h"

#include <stdio.h>
#include <string.h>

extern const hit_kernel spread, columns;

enum {
    TILES = 4
};

/* Keeps MPI open while the tests open and close contexts of their own. */
static hit_context *base;

static int64_t wrap(int64_t x)
{
    return x % 1009;
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
    hit_tile_destroy(&panel[0]);
    hit_tile_destroy(&panel[1]);
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
    hit_domain part;

    switch (pick(s, 0, 9)) {
    case 0:
    case 1:
    case 2:
        step_blend(s, &f[a].domain, &f[a], &f[b]);
        break;
    case 3:
    case 4:
        part = random_part(s, &f[a].domain);
        step_bump(s, &part, &f[a]);
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

static bool within_limits(const hit_context *hit)
{
    bool within = true;

    for (int d = 0; d < hit->devices; d++) {
        within = within && hit->device[d]->peak_bytes <= hit->device[d]->limit_bytes;
    }
    return within;
}

/* Thirty sequences on one context. */
static void try_sequences(const hit_options *options, uint64_t seed)
{
    scene s = {.good = true};
    bool within;

    HIT_MUST(hit_open_with(NULL, NULL, options, &s.hit));
    for (uint64_t k = 0; k < 30 && s.good; k++) {
        try_sequence(&s, seed + k);
        s.good = agree_in_scene(&s);
    }
    within = within_limits(s.hit);
    hit_close(&s.hit);
    ck_assert_msg(s.good, "%s", s.text);
    ck_assert(within);
}

/* Memory for a row, for some of a tile, for some tiles, for all. */
START_TEST(any_sequence_gives_what_plain_loops_give)
{
    static const size_t memory[] = {700, 2000, 4000, 9000, 100000};

    for (int m = 0; m < (int)(sizeof(memory) / sizeof(memory[0])); m++) {
        try_sequences(&(hit_options){.threads = 1, .device_memory_bytes = memory[m]},
                      1000 * (uint64_t)m);
    }
}
END_TEST

START_TEST(any_sequence_on_several_devices_gives_what_plain_loops_give)
{
    static const char *const devices[] = {
        "host+host:staged",
        "host:memory=700+host:memory=900:share=2",
        "host:memory=100000:share=2+host:memory=2000",
        "host:memory=4000+host:share=auto+host:memory=9000",
        "host:memory=3000:share=9+host:memory=3000:share=8+host:memory=3000",
    };

    for (int m = 0; m < (int)(sizeof(devices) / sizeof(devices[0])); m++) {
        try_sequences(&(hit_options){.threads = 1, .devices = devices[m]},
                      7000 + 1000 * (uint64_t)m);
    }
}
END_TEST

/* Also where a GPU is played by the processor (tests/support/fake_cuda). */
START_TEST(any_sequence_on_a_gpu_and_the_host_gives_what_plain_loops_give)
{
    static const char *const devices[] = {
        "cuda:0:memory=100000:share=2+host",
        "host+cuda:0:memory=2000",
        "host:memory=4000+cuda:0:memory=9000:share=2+host",
    };
    const char *why = NULL;

    if (hit_device_cuda.count(&why) == 0) return;
    for (int m = 0; m < (int)(sizeof(devices) / sizeof(devices[0])); m++) {
        try_sequences(&(hit_options){.threads = 1, .devices = devices[m]},
                      20000 + 1000 * (uint64_t)m);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("sequence");
    TCase *tests = tcase_create("sequence");

    tcase_add_test(tests, any_sequence_gives_what_plain_loops_give);
    tcase_add_test(tests, any_sequence_on_several_devices_gives_what_plain_loops_give);
    tcase_add_test(tests, any_sequence_on_a_gpu_and_the_host_gives_what_plain_loops_give);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
