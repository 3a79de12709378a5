/* SPDX-License-Identifier: MIT
 * Random launches on random tiles, layouts, boundaries and devices against plain loops
 * over whole arrays. Runs at any number of processes; every process makes the same random
 * choices. */
#include "hit/hit.h"
#include "tests/support/check_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const hit_kernel line, star, corners, four, rows, transpose, twice, evens, shifted,
    product, totals, many;

/* Keeps MPI open while the tests open and close contexts of their own. */
static hit_context *base;

/* A tile and the array that it should be equal to. */
typedef struct field {
    hit_tile *tile;
    hit_domain domain;
    hit_boundary boundary;
    int64_t *want;
    hit_index count;
} field;

typedef struct scene {
    hit_context *hit;
    hit_random random;
    char layout[64];
    bool good;
    char text[512]; /* what was tried, for a failure */
} scene;

static hit_index pick(scene *s, hit_index low, hit_index high)
{
    return hit_random_index(&s->random, low, high);
}

static const char *pick_layout(scene *s, int dims)
{
    static const char *const any[] = {"block", "single", "cyclic", "block:dims=0"};
    static const char *const flat[] = {"blockcyclic:block=3"};

    if (dims == 1 && pick(s, 0, 3) == 0) return flat[0];
    if (dims == 0) return pick(s, 0, 1) ? "single" : "block";
    return any[pick(s, 0, 3)];
}

static hit_index at(const hit_domain *domain, const hit_index x[])
{
    hit_index offset = 0;

    for (int d = 0; d < domain->dims; d++) {
        offset = offset * hit_sig_count(domain->sig[d]) +
                 hit_sig_position(domain->sig[d], x[d]);
    }
    return offset;
}

/* Where index x of one dimension comes from, by definition: step by step back into the
 * tile. */
static hit_index inside(hit_sig sig, hit_boundary boundary, hit_index x)
{
    while (x < sig.begin || x > sig.end) {
        const hit_index n = sig.end - sig.begin + 1;

        if (boundary == HIT_BOUNDARY_PERIODIC) {
            x += x < sig.begin ? n : -n;
        } else if (boundary == HIT_BOUNDARY_CLAMP || n == 1) {
            x = x < sig.begin ? sig.begin : sig.end;
        } else {
            x = x < sig.begin ? 2 * sig.begin - x : 2 * sig.end - x;
        }
    }
    return x;
}

enum {
    CONSTANT = 77
};

static int64_t want(const field *f, const hit_index x[])
{
    hit_index y[HIT_MAX_DIMS] = {0};

    for (int d = 0; d < f->domain.dims; d++) {
        const bool out = x[d] < f->domain.sig[d].begin || x[d] > f->domain.sig[d].end;

        if (out && f->boundary == HIT_BOUNDARY_CONSTANT) return CONSTANT;
        y[d] = out ? inside(f->domain.sig[d], f->boundary, x[d]) : x[d];
    }
    return f->want[at(&f->domain, y)];
}

#define WANT(f, ...) want((f), (const hit_index[]){__VA_ARGS__})
#define SLOT(f, ...) (f)->want[at(&(f)->domain, (const hit_index[]){__VA_ARGS__})]

static field make_field(scene *s, hit_domain domain, hit_boundary boundary,
                        const char *layout)
{
    field f = {
        .domain = domain, .boundary = boundary, .count = hit_domain_count(&domain)};
    const int64_t constant = CONSTANT;
    hit_layout *over = NULL;

    f.want = calloc((size_t)f.count + 1, sizeof(int64_t));
    for (hit_index k = 0; k < f.count; k++) {
        f.want[k] = hit_random_index(&s->random, -50, 50);
    }
    HIT_MUST(hit_layout_create(s->hit, domain, layout, &over));
    HIT_MUST(hit_tile_create(over, HIT_INT64, "field", &f.tile));
    hit_layout_destroy(&over);
    if (domain.dims > 0) HIT_MUST(hit_tile_set_boundary(f.tile, -1, boundary, &constant));
    HIT_MUST(hit_tile_scatter(f.tile, 0, f.want));
    return f;
}

/* Compare on process 0, where the whole tile is gathered; then all know. */
static void drop_field(scene *s, field *f)
{
    int64_t *found = calloc((size_t)f->count + 1, sizeof(int64_t));

    HIT_MUST(hit_tile_gather(f->tile, 0, found));
    for (hit_index k = 0; k < f->count && hit_rank(s->hit) == 0 && s->good; k++) {
        if (found[k] == f->want[k]) continue;
        s->good = false;
        snprintf(s->text + strlen(s->text), sizeof(s->text) - strlen(s->text),
                 ": element %lld is %lld, expected %lld", (long long)k,
                 (long long)found[k], (long long)f->want[k]);
    }
    free(found);
    free(f->want);
    hit_tile_destroy(&f->tile);
}

static hit_domain random_box(scene *s, int dims, hit_index most)
{
    hit_index begin[HIT_MAX_DIMS];
    hit_index end[HIT_MAX_DIMS];

    for (int d = 0; d < dims; d++) {
        begin[d] = pick(s, -4, 4);
        end[d] = begin[d] + pick(s, 0, most - 1);
    }
    return hit_domain_box(dims, begin, end);
}

static hit_boundary pick_boundary(scene *s)
{
    return (hit_boundary)pick(s, HIT_BOUNDARY_CONSTANT, HIT_BOUNDARY_MIRROR);
}

static void try_line(scene *s)
{
    const hit_domain box = random_box(s, 1, 40);
    const char *layout = pick_layout(s, 1);
    field now = make_field(s, box, pick_boundary(s), layout);
    field next = make_field(s, box, HIT_BOUNDARY_NONE, pick(s, 0, 1) ? layout : "block");

    for (int step = 0; step < 3; step++) {
        HIT_MUST(hit_launch(s->hit, &line, box, next.tile, now.tile));
        for (hit_index i = box.sig[0].begin; i <= box.sig[0].end; i++) {
            SLOT(&next, i) =
                3 * WANT(&now, i - 3) + WANT(&now, i) - 5 * WANT(&now, i + 2) + i;
        }
    }
    drop_field(s, &now);
    drop_field(s, &next);
}

static void step_star(const field *now, field *next, const hit_domain *box, int64_t c)
{
    hit_index x[HIT_MAX_DIMS];

    for (bool go = hit_domain_first(box, x); go; go = hit_domain_next(box, x)) {
        const hit_index i = x[0];
        const hit_index j = x[1];

        SLOT(next, i, j) = c * WANT(now, i - 2, j) + 2 * WANT(now, i + 1, j) +
                           3 * WANT(now, i, j - 1) - WANT(now, i, j + 3) + 10 * i - j;
    }
}

/* Several steps with swapped tiles: halos must be seen anew after every write, and kept
 * otherwise. */
static void try_star(scene *s)
{
    const hit_domain box = random_box(s, 2, 14);
    const char *layout = pick_layout(s, 2);
    field a = make_field(s, box, pick_boundary(s), layout);
    field b = make_field(s, box, a.boundary, layout);

    for (int step = 0; step < 4; step++) {
        HIT_MUST(hit_launch(s->hit, &star, box, b.tile, a.tile, HIT_VALUE((int64_t){3})));
        step_star(&a, &b, &box, 3);
        if (pick(s, 0, 2) > 0) {
            const field kept = a;

            a = b;
            b = kept;
        }
    }
    drop_field(s, &a);
    drop_field(s, &b);
}

static void try_corners(scene *s)
{
    const hit_domain box = random_box(s, 3, 7);
    field now = make_field(s, box, pick_boundary(s), pick_layout(s, 3));
    field next = make_field(s, box, HIT_BOUNDARY_NONE, pick_layout(s, 3));
    hit_index x[HIT_MAX_DIMS];

    HIT_MUST(hit_launch(s->hit, &corners, box, next.tile, now.tile));
    for (bool go = hit_domain_first(&box, x); go; go = hit_domain_next(&box, x)) {
        const hit_index i = x[0];
        const hit_index j = x[1];
        const hit_index k = x[2];

        SLOT(&next, i, j, k) =
            WANT(&now, i - 1, j - 1, k - 2) + 2 * WANT(&now, i + 1, j + 1, k) +
            3 * WANT(&now, i, j, k - 1) + 4 * WANT(&now, i - 1, j + 1, k);
    }
    drop_field(s, &now);
    drop_field(s, &next);
}

/* On a strided part of the domain. */
static void try_four(scene *s)
{
    const hit_domain box = random_box(s, 4, 5);
    hit_domain part = box;
    field a = make_field(s, box, HIT_BOUNDARY_NONE, pick_layout(s, 4));
    field b = make_field(s, box, HIT_BOUNDARY_NONE, pick_layout(s, 4));
    hit_index x[HIT_MAX_DIMS];

    for (int d = 0; d < 4; d++) {
        part.sig[d] =
            hit_sig_make(box.sig[d].begin, box.sig[d].end, d % 2 ? pick(s, 1, 3) : 1);
    }
    HIT_MUST(hit_launch(s->hit, &four, part, a.tile, b.tile));
    for (bool go = hit_domain_first(&part, x); go; go = hit_domain_next(&part, x)) {
        SLOT(&a, x[0], x[1], x[2], x[3]) +=
            2 * SLOT(&b, x[0], x[1], x[2], x[3]) + x[0] - x[3];
    }
    drop_field(s, &a);
    drop_field(s, &b);
}

static void try_rows(scene *s)
{
    const hit_domain box = random_box(s, 2, 12);
    const hit_domain row = {1, {box.sig[0]}};
    const hit_domain column = {1, {box.sig[1]}};
    field a = make_field(s, box, HIT_BOUNDARY_NONE, pick_layout(s, 2));
    field x = make_field(s, column, HIT_BOUNDARY_NONE, pick_layout(s, 1));
    field y = make_field(s, row, HIT_BOUNDARY_NONE, pick_layout(s, 1));

    HIT_MUST(hit_launch(s->hit, &rows, row, y.tile, a.tile, x.tile));
    for (hit_index i = row.sig[0].begin; i <= row.sig[0].end; i++) {
        SLOT(&y, i) = 0;
        for (hit_index j = column.sig[0].begin; j <= column.sig[0].end; j++) {
            SLOT(&y, i) += SLOT(&a, i, j) * SLOT(&x, j);
        }
    }
    drop_field(s, &a);
    drop_field(s, &x);
    drop_field(s, &y);
}

static void try_transpose(scene *s)
{
    const hit_domain box = random_box(s, 2, 12);
    const hit_domain turned = {2, {box.sig[1], box.sig[0]}};
    field a = make_field(s, box, HIT_BOUNDARY_NONE, pick_layout(s, 2));
    field b = make_field(s, turned, HIT_BOUNDARY_NONE, pick_layout(s, 2));
    hit_index x[HIT_MAX_DIMS];

    HIT_MUST(hit_launch(s->hit, &transpose, box, b.tile, a.tile));
    for (bool go = hit_domain_first(&box, x); go; go = hit_domain_next(&box, x)) {
        SLOT(&b, x[1], x[0]) = SLOT(&a, x[0], x[1]);
    }
    drop_field(s, &a);
    drop_field(s, &b);
}

/* Coefficients other than 1, with an explicit layout, so that writes land at other
 * processes too. */
static void try_twice(scene *s)
{
    const hit_domain small = hit_domain_of(pick(s, 1, 20));
    const hit_domain large = hit_domain_of(2 * hit_domain_count(&small));
    field a = make_field(s, small, HIT_BOUNDARY_NONE, pick_layout(s, 1));
    field b = make_field(s, large, HIT_BOUNDARY_NONE, pick_layout(s, 1));
    hit_layout *layout = NULL;

    HIT_MUST(hit_layout_create(s->hit, small, pick_layout(s, 1), &layout));
    HIT_MUST(hit_launch_on(s->hit, layout, &twice, small, b.tile, a.tile));
    for (hit_index i = 0; i <= small.sig[0].end; i++) {
        SLOT(&b, 2 * i) = SLOT(&a, i);
        SLOT(&b, 2 * i + 1) = -SLOT(&a, i);
    }
    HIT_MUST(hit_launch(s->hit, &evens, small, b.tile, a.tile));
    for (hit_index i = 0; i <= small.sig[0].end; i++) {
        SLOT(&b, 2 * i) = SLOT(&a, i) + 1;
    }
    hit_layout_destroy(&layout);
    drop_field(s, &a);
    drop_field(s, &b);
}

static void try_shifted(scene *s)
{
    const hit_domain box = hit_domain_of(pick(s, 2, 12), pick(s, 2, 12));
    hit_domain part = box;
    field a = make_field(s, box, HIT_BOUNDARY_NONE, pick_layout(s, 2));
    field b = make_field(s, box, HIT_BOUNDARY_NONE, pick_layout(s, 2));
    hit_layout *layout = NULL;
    hit_index x[HIT_MAX_DIMS];

    part.sig[0].end--;
    part.sig[1] = hit_sig_make(1, box.sig[1].end, 1);
    HIT_MUST(hit_layout_create(s->hit, box, pick_layout(s, 2), &layout));
    HIT_MUST(hit_launch_on(s->hit, pick(s, 0, 1) ? layout : NULL, &shifted, part, b.tile,
                           a.tile));
    for (bool go = hit_domain_first(&part, x); go; go = hit_domain_next(&part, x)) {
        SLOT(&b, x[0] + 1, x[1]) = SLOT(&a, x[0], x[1] - 1);
    }
    hit_layout_destroy(&layout);
    drop_field(s, &a);
    drop_field(s, &b);
}

/* SUMMA: a loop over panels of columns of a and rows of b, which are selections. */
static void try_product(scene *s)
{
    const hit_index k_size = pick(s, 1, 12);
    const hit_domain box = hit_domain_of(pick(s, 1, 12), pick(s, 1, 12));
    const hit_domain left = hit_domain_of(hit_sig_count(box.sig[0]), k_size);
    const hit_domain right = hit_domain_of(k_size, hit_sig_count(box.sig[1]));
    const hit_index panel = pick(s, 1, 5);
    field a = make_field(s, left, HIT_BOUNDARY_NONE, pick_layout(s, 2));
    field b = make_field(s, right, HIT_BOUNDARY_NONE, pick_layout(s, 2));
    field c = make_field(s, box, HIT_BOUNDARY_NONE, pick_layout(s, 2));
    hit_index x[HIT_MAX_DIMS];

    for (hit_index k = 0; k < k_size; k += panel) {
        hit_domain columns = left;
        hit_domain lines = right;
        hit_tile *a_panel = NULL;
        hit_tile *b_panel = NULL;

        columns.sig[1] = hit_sig_slice(left.sig[1], k, k + panel - 1);
        lines.sig[0] = hit_sig_slice(right.sig[0], k, k + panel - 1);
        HIT_MUST(hit_tile_select(a.tile, columns, &a_panel));
        HIT_MUST(hit_tile_select(b.tile, lines, &b_panel));
        HIT_MUST(hit_launch(s->hit, &product, box, c.tile, a_panel, b_panel));
        hit_tile_destroy(&a_panel);
        hit_tile_destroy(&b_panel);
    }
    for (bool go = hit_domain_first(&box, x); go; go = hit_domain_next(&box, x)) {
        for (hit_index k = 0; k < k_size; k++) {
            SLOT(&c, x[0], x[1]) += SLOT(&a, x[0], k) * SLOT(&b, k, x[1]);
        }
    }
    drop_field(s, &a);
    drop_field(s, &b);
    drop_field(s, &c);
}

static void want_totals(const field *a, field *total, field *column, field *most,
                        field *least)
{
    hit_index x[HIT_MAX_DIMS];

    *total->want = 0;
    *least->want = INT64_MAX;
    for (hit_index k = 0; k < column->count; k++) {
        column->want[k] = 0;
    }
    for (hit_index k = 0; k < most->count; k++) {
        most->want[k] = INT64_MIN;
    }
    for (bool go = hit_domain_first(&a->domain, x); go;
         go = hit_domain_next(&a->domain, x)) {
        const int64_t value = SLOT(a, x[0], x[1]);

        *total->want += value;
        SLOT(column, x[1]) += value;
        if (value > SLOT(most, x[0])) SLOT(most, x[0]) = value;
        if (value < *least->want) *least->want = value;
    }
}

static void try_totals(scene *s)
{
    const hit_domain box = random_box(s, 2, 12);
    const hit_domain row = {1, {box.sig[0]}};
    const hit_domain line_ = {1, {box.sig[1]}};
    field a = make_field(s, box, HIT_BOUNDARY_NONE, pick_layout(s, 2));
    field total =
        make_field(s, hit_domain_scalar(), HIT_BOUNDARY_NONE, pick_layout(s, 0));
    field least = make_field(s, hit_domain_scalar(), HIT_BOUNDARY_NONE, "single");
    field column = make_field(s, line_, HIT_BOUNDARY_NONE, pick_layout(s, 1));
    field most = make_field(s, row, HIT_BOUNDARY_NONE, pick_layout(s, 1));
    int64_t value = 0;

    HIT_MUST(hit_launch(s->hit, &totals, box, total.tile, column.tile, most.tile,
                        least.tile, a.tile));
    want_totals(&a, &total, &column, &most, &least);
    HIT_MUST(hit_tile_get(total.tile, NULL, &value));
    if (value != *total.want) {
        s->good = false;
        snprintf(s->text + strlen(s->text), 60, ": hit_tile_get() gives %lld",
                 (long long)value);
    }
    drop_field(s, &a);
    drop_field(s, &total);
    drop_field(s, &least);
    drop_field(s, &column);
    drop_field(s, &most);
}

static void try_many(scene *s)
{
    const hit_domain box = random_box(s, 1, 30);
    field f[8];

    for (int k = 0; k < 8; k++) {
        f[k] = make_field(s, box, HIT_BOUNDARY_NONE, pick_layout(s, 1));
    }
    HIT_MUST(hit_launch(s->hit, &many, box, f[0].tile, f[1].tile, f[2].tile, f[3].tile,
                        f[4].tile, f[5].tile, f[6].tile, f[7].tile,
                        HIT_VALUE((int64_t){2}), HIT_VALUE((int64_t){3}),
                        HIT_VALUE((int64_t){5}), HIT_VALUE((int64_t){7})));
    for (hit_index k = 0; k < f[0].count; k++) {
        f[0].want[k] = f[1].want[k] + 2 * f[2].want[k] + 3 * f[3].want[k] +
                       5 * f[4].want[k] + 7 * f[5].want[k] + f[6].want[k] * f[7].want[k];
    }
    for (int k = 0; k < 8; k++) {
        drop_field(s, &f[k]);
    }
}

/* From any layout to any other, also of a part. */
static void try_copy(scene *s)
{
    const hit_domain box = random_box(s, 2, 12);
    const hit_domain other = random_box(s, 2, 12);
    const hit_domain common = hit_domain_intersect(&box, &other);
    field a = make_field(s, box, HIT_BOUNDARY_NONE, pick_layout(s, 2));
    field b = make_field(s, other, HIT_BOUNDARY_NONE, pick_layout(s, 2));
    hit_index x[HIT_MAX_DIMS];

    HIT_MUST(hit_tile_copy(a.tile, b.tile));
    for (bool go = hit_domain_first(&common, x); go; go = hit_domain_next(&common, x)) {
        SLOT(&b, x[0], x[1]) = SLOT(&a, x[0], x[1]);
    }
    drop_field(s, &a);
    drop_field(s, &b);
}

typedef struct trial {
    const char *name;
    void (*run)(scene *s);
} trial;

static const trial trials[] = {
    {"line", try_line},     {"star", try_star},       {"corners", try_corners},
    {"four", try_four},     {"rows", try_rows},       {"transpose", try_transpose},
    {"twice", try_twice},   {"shifted", try_shifted}, {"product", try_product},
    {"totals", try_totals}, {"many", try_many},       {"copy", try_copy},
};

/* All trials, @p rounds times, on one context. */
static void run_trials(const hit_options *options, int rounds, uint64_t seed)
{
    scene s = {.good = true};
    hit_stats stats;

    HIT_MUST(hit_open_with(NULL, NULL, options, &s.hit));
    for (int round = 0; round < rounds && s.good; round++) {
        for (size_t k = 0; k < sizeof(trials) / sizeof(trials[0]) && s.good; k++) {
            const uint64_t from = seed + 1000 * (uint64_t)round + k;
            int64_t good;
            hit_layout *one = NULL;
            hit_tile *flag = NULL;

            s.random = (hit_random){from};
            snprintf(s.text, sizeof(s.text), "%s, seed %llu", trials[k].name,
                     (unsigned long long)from);
            trials[k].run(&s);
            /* process 0 knows; all stop together */
            HIT_MUST(hit_layout_create(s.hit, hit_domain_scalar(), "single", &one));
            HIT_MUST(hit_tile_create(one, HIT_INT64, "flag", &flag));
            good = s.good;
            HIT_MUST(hit_tile_fill(flag, &good));
            HIT_MUST(hit_tile_get(flag, NULL, &good));
            if (!good && s.good) snprintf(s.text, sizeof(s.text), "see process 0");
            s.good = good != 0;
            hit_tile_destroy(&flag);
            hit_layout_destroy(&one);
        }
    }
    hit_context_stats(s.hit, &stats);
    hit_close(&s.hit);
    ck_assert_msg(s.good, "%s", s.text);
    ck_assert_uint_le(stats.device_peak_bytes, stats.device_limit_bytes);
}

START_TEST(launches_in_place_equal_plain_loops)
{
    run_trials(&(hit_options){.threads = 1}, 25, 100000);
}
END_TEST

START_TEST(launches_on_threads_equal_plain_loops)
{
    run_trials(&(hit_options){.threads = 3}, 8, 200000);
}
END_TEST

START_TEST(launches_in_ample_staged_memory_equal_plain_loops)
{
    run_trials(&(hit_options){.threads = 1, .devices = "host:staged:memory=64KiB"}, 10,
               300000);
}
END_TEST

START_TEST(launches_in_scarce_staged_memory_equal_plain_loops)
{
    run_trials(&(hit_options){.threads = 2, .device_memory_bytes = 600}, 12, 400000);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("launch");
    TCase *tests = tcase_create("random");

    tcase_add_test(tests, launches_in_place_equal_plain_loops);
    tcase_add_test(tests, launches_on_threads_equal_plain_loops);
    tcase_add_test(tests, launches_in_ample_staged_memory_equal_plain_loops);
    tcase_add_test(tests, launches_in_scarce_staged_memory_equal_plain_loops);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    int failed;

    HIT_MUST(hit_open(&argc, &argv, &base));
    failed = check_run(suite());
    hit_close(&base);
    return failed;
}
