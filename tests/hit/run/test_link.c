/* SPDX-License-Identifier: MIT
 * What crosses between the memory of the host and that of devices in a step of a program
 * whose tiles all fit: rims that go to others, halos that come, and nothing else. */
#include "hit/data/sig.h"
#include "tests/hit/launch/scene.h"
#include "tests/support/check_main.h"

#include <inttypes.h>

extern const hit_kernel plain, looked_up, add_up;

enum {
    N = 96,
    TABLE = 128, /* elements */
    FIRST = 2,   /* steps in which each of the two tiles comes, with its rim */
    STEPS = 6,   /* after them */
    ELEMENT_BYTES = 8
};

/* Keeps MPI open while the tests open and close contexts of their own. */
static hit_context *base;

typedef struct link_case {
    const char *name;
    int devices;
    const char *layout;
    hit_boundary boundary;
    bool table;
    bool sum;
} link_case;

/* Of all processes. */
typedef struct traffic {
    uint64_t in;
    uint64_t out;
    uint64_t sent;
} traffic;

static const char *const devices[] = {
    "host:staged:memory=64MiB:threads=1",
    "host:staged:memory=64MiB:threads=1 + host:staged:memory=64MiB:threads=1"};

static const link_case cases[] = {
    {"no boundary", 1, "block", HIT_BOUNDARY_NONE, false, false},
    {"rows", 1, "block:dims=0", HIT_BOUNDARY_NONE, false, false},
    {"periodic", 1, "block", HIT_BOUNDARY_PERIODIC, false, false},
    {"mirror", 1, "block", HIT_BOUNDARY_MIRROR, false, false},
    {"clamp", 1, "block", HIT_BOUNDARY_CLAMP, false, false},
    {"constant", 1, "block", HIT_BOUNDARY_CONSTANT, false, false},
    {"reduction", 1, "block", HIT_BOUNDARY_NONE, false, true},
    {"table", 1, "block", HIT_BOUNDARY_NONE, true, false},
    {"several pieces", 1, "blockcyclic:block=16", HIT_BOUNDARY_NONE, false, false},
    {"several periodic pieces", 1, "blockcyclic:block=16", HIT_BOUNDARY_PERIODIC, true,
     true},
    {"two devices", 2, "block", HIT_BOUNDARY_NONE, false, false},
    {"two periodic devices", 2, "block", HIT_BOUNDARY_PERIODIC, false, false},
    {"two devices with a table and a sum", 2, "block", HIT_BOUNDARY_NONE, true, true}};

typedef struct program {
    const link_case *of;
    hit_context *hit;
    field now;
    field next;
    hit_tile *table;
    hit_tile *total;
    int64_t sum;
} program;

static int64_t table_at(hit_index k)
{
    return 7 * k % 13;
}

static void set_table(hit_tile *table)
{
    for (int p = 0; p < hit_tile_pieces(table); p++) {
        hit_view view;

        HIT_MUST(hit_tile_map(table, p, HIT_WRITE, &view));
        for (hit_index k = view.domain.sig[0].begin; k <= view.domain.sig[0].end; k++) {
            *(int64_t *)hit_view_at(&view, &k) = table_at(k);
        }
    }
}

static program begin(scene *s, const link_case *of)
{
    const hit_options options = {.devices = devices[of->devices - 1]};
    program p = {.of = of};

    HIT_MUST(hit_open_with(NULL, NULL, &options, &p.hit));
    s->hit = p.hit;
    p.now = make_field(s, hit_domain_of(N, N), of->boundary, of->layout);
    p.next = make_field(s, hit_domain_of(N, N), of->boundary, of->layout);
    HIT_MUST(hit_tile_make(p.hit, hit_domain_of(TABLE), "block", HIT_INT64, "table",
                           &p.table));
    HIT_MUST(hit_tile_make(p.hit, (hit_domain){.dims = 0}, "block", HIT_INT64, "total",
                           &p.total));
    set_table(p.table);
    return p;
}

/* The same with loops. */
static void step_on_arrays(program *p, const hit_domain *box)
{
    hit_index x[HIT_MAX_DIMS];

    p->sum = 0;
    for (bool go = hit_domain_first(box, x); go; go = hit_domain_next(box, x)) {
        const int64_t around =
            WANT(&p->now, x[0], x[1]) + 3 * WANT(&p->now, x[0] - 1, x[1]) +
            WANT(&p->now, x[0] + 1, x[1]) + 5 * WANT(&p->now, x[0], x[1] - 1) +
            WANT(&p->now, x[0], x[1] + 1);
        const int64_t more = p->of->table ? table_at((x[0] + x[1]) % TABLE) : x[0] - x[1];

        SLOT(&p->next, x[0], x[1]) = (around + more) % 1009;
        p->sum += SLOT(&p->next, x[0], x[1]);
    }
}

static void step(program *p)
{
    const hit_domain whole = hit_domain_of(N, N);
    const bool open = p->of->boundary != HIT_BOUNDARY_NONE;
    const hit_domain box = open ? whole : hit_domain_grow(whole, -1);
    const field now = p->now;

    if (p->of->table) {
        HIT_MUST(
            hit_launch(p->hit, &looked_up, box, p->next.tile, p->now.tile, p->table));
    } else {
        HIT_MUST(hit_launch(p->hit, &plain, box, p->next.tile, p->now.tile));
    }
    if (p->of->sum) HIT_MUST(hit_launch(p->hit, &add_up, box, p->total, p->next.tile));
    step_on_arrays(p, &box);
    p->now = p->next;
    p->next = now;
}

static traffic moved(const program *p)
{
    hit_stats all;

    HIT_MUST(hit_context_stats_all(p->hit, &all));
    return (traffic){all.bytes_in, all.bytes_out, all.message_bytes_sent};
}

/* What devices of one process give each other: where they are cut a row, and what comes
 * from the other end. */
static uint64_t between_devices(const program *p)
{
    const hit_index rows = p->of->boundary == HIT_BOUNDARY_PERIODIC ? 4 : 2;

    if (p->of->devices == 1) return 0;
    return (uint64_t)(rows * (N + 2) * hit_size(base)) * ELEMENT_BYTES;
}

/* A sum begins with its neutral element on each device, and ends in the host's memory. */
static uint64_t of_sums(const program *p)
{
    return p->of->sum ? (uint64_t)(p->of->devices * hit_size(base)) * ELEMENT_BYTES : 0;
}

static void expect_little(const program *p, const traffic *first, const traffic *last)
{
    const uint64_t sent = last->sent - first->sent;
    const uint64_t other = STEPS * (between_devices(p) + of_sums(p));
    const uint64_t most = sent + sent / 4 + other;

    ck_assert_msg(last->in - first->in <= most && last->out - first->out <= most,
                  "%s on %d processes, %d steps: %" PRIu64 " B in and %" PRIu64
                  " B out with %" PRIu64 " B of messages and %" PRIu64
                  " B between devices and of sums",
                  p->of->name, hit_size(base), STEPS, last->in - first->in,
                  last->out - first->out, sent, other);
    if (p->of->devices == 1 && !p->of->sum && hit_size(base) == 1) {
        ck_assert_uint_eq(most, 0);
    }
}

/* Returns whether the results are right, on all processes. */
static bool end(scene *s, program *p)
{
    int64_t sum;

    HIT_MUST(hit_tile_get(p->total, NULL, &sum));
    if (p->of->sum && sum != p->sum) s->good = false;
    drop_field(s, &p->now);
    drop_field(s, &p->next);
    hit_tile_destroy(&p->table);
    hit_tile_destroy(&p->total);
    return agree_in_scene(s);
}

START_TEST(only_what_crosses_processes_or_devices_crosses_the_link)
{
    scene s = {.good = true};
    program p = begin(&s, &cases[_i]);
    traffic first;
    traffic last;
    bool good;

    for (int k = 0; k < FIRST; k++) {
        step(&p);
    }
    first = moved(&p);
    for (int k = 0; k < STEPS; k++) {
        step(&p);
    }
    last = moved(&p);
    good = end(&s, &p);
    hit_close(&p.hit);
    expect_little(&p, &first, &last);
    ck_assert_msg(good, "%s: %s", cases[_i].name, s.text);
}
END_TEST

/* A table that the program writes is sent again, once. */
START_TEST(a_table_that_changes_comes_again)
{
    scene s = {.good = true};
    const link_case of = {"a table that changes", 1,    "block",
                          HIT_BOUNDARY_NONE,      true, false};
    program p = begin(&s, &of);
    const int size = hit_size(base);
    traffic before;
    traffic after;
    bool good;

    for (int k = 0; k < FIRST + 1; k++) {
        step(&p);
    }
    before = moved(&p);
    set_table(p.table);
    step(&p);
    after = moved(&p);
    good = end(&s, &p);
    hit_close(&p.hit);
    ck_assert_uint_ge(after.in - before.in, (uint64_t)size * TABLE * ELEMENT_BYTES);
    ck_assert_msg(good, "%s", s.text);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("link");
    TCase *tests = tcase_create("link");

    tcase_set_timeout(tests, 600);
    tcase_add_loop_test(tests, only_what_crosses_processes_or_devices_crosses_the_link, 0,
                        (int)(sizeof(cases) / sizeof(cases[0])));
    tcase_add_test(tests, a_table_that_changes_comes_again);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
