/* SPDX-License-Identifier: MIT
 * One process's indices over several devices: ranges, and rectangles where these need
 * fewer bytes, beside all ranges that there are. */
#include "hit/base/context.h"
#include "hit/data/domain_set.h"
#include "hit/launch/launch_plan.h"
#include "hit/launch/launcher.h"
#include "layouts/partition/algorithms.h"
#include "patterns/transform.h"
#include "tests/support/check_main.h"
#include "tests/support/random.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

extern const hit_kernel cut_product, cut_star;

enum {
    CASES = 60,
    MOST_DEVICES = 9,
    RUNS = 12
};

typedef struct scene {
    hit_context *hit;
    hit_random random;
    hit_index rows;
    hit_index columns;
    hit_index inner;
    double speed[MOST_DEVICES];
    hit_tile *tile[3];
} scene;

static hit_index choose(scene *s, hit_index least, hit_index most)
{
    return hit_random_index(&s->random, least, most);
}

static void make_tile(scene *s, int k, hit_index rows, hit_index columns)
{
    hit_view view;

    HIT_MUST(hit_tile_make(s->hit, hit_domain_of(rows, columns), "block", HIT_INT64, "t",
                           &s->tile[k]));
    HIT_MUST(hit_tile_map(s->tile[k], 0, HIT_WRITE, &view));
    for (hit_index i = 0; i < rows; i++) {
        for (hit_index j = 0; j < columns; j++) {
            *(int64_t *)hit_view_at(&view, (hit_index[]){i, j}) =
                (i * 7 + j * 3 + k) % 11 - 5;
        }
    }
}

/* Devices of unlike shares, with memories of their own but for some. */
static void open_scene(scene *s, int devices, bool in_place)
{
    char text[64 * MOST_DEVICES] = "";

    for (int d = 0; d < devices; d++) {
        const int share = (int)choose(s, 1, 3);
        const size_t length = strlen(text);

        s->speed[d] = share;
        (void)snprintf(text + length, sizeof(text) - length,
                       "%shost:threads=1:share=%d%s", d > 0 ? " + " : "", share,
                       in_place ? "" : ":memory=1MiB");
    }
    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = text}, &s->hit));
    s->rows = choose(s, 2, 40);
    s->columns = choose(s, 2, 40);
    s->inner = choose(s, 1, 60);
    make_tile(s, 0, s->rows, s->columns);
    make_tile(s, 1, s->rows, s->inner);
    make_tile(s, 2, s->inner, s->columns);
}

static void close_scene(scene *s)
{
    for (int k = 0; k < 3; k++) {
        hit_tile_destroy(&s->tile[k]);
    }
    hit_close(&s->hit);
}

/* What all devices need. */
static double bytes_of(const hit_call *call, const hit_known_kernel *known,
                       const hit_domain cut[])
{
    double bytes = 0;

    for (int d = 0; d < call->context->devices; d++) {
        for (int k = 0; k < call->count && !hit_domain_is_empty(&cut[d]); k++) {
            const hit_domain need = hit_pattern_cover(
                &known->pattern[k], &call->args[k].tile->domain, &cut[d]);

            bytes += (double)hit_domain_count(&need) * 8;
        }
    }
    return bytes;
}

static double time_of(const scene *s, const hit_domain cut[])
{
    double most = 0;

    for (int d = 0; d < s->hit->devices; d++) {
        if (hit_domain_is_empty(&cut[d])) continue;
        most = fmax(most, (double)hit_domain_count(&cut[d]) / s->speed[d]);
    }
    return most;
}

static void expect_partition(const hit_domain *all, const hit_domain cut[], int devices)
{
    hit_index count = 0;

    for (int d = 0; d < devices; d++) {
        if (hit_domain_is_empty(&cut[d])) continue;
        ck_assert(hit_domain_inside(&cut[d], all));
        count += hit_domain_count(&cut[d]);
        for (int e = 0; e < d; e++) {
            ck_assert(hit_domain_is_empty(&cut[e]) ||
                      !hit_domain_meets(&cut[d], &cut[e]));
        }
    }
    ck_assert_int_eq(count, hit_domain_count(all));
}

/* The fewest bytes of ranges that are nearly as fast as the fastest. */
static double bytes_of_ranges(const scene *s, const hit_call *call,
                              const hit_known_kernel *known, double *time)
{
    const hit_region index = {.count = 1, .part = (hit_domain *)&call->domain};
    hit_domain cut[2][MOST_DEVICES];
    double best = INFINITY;

    *time = INFINITY;
    for (int dim = 0; dim < 2; dim++) {
        hit_index share[MOST_DEVICES];

        HIT_MUST(hit_partition_cpm(hit_sig_count(call->domain.sig[dim]), s->hit->devices,
                                   s->speed, share));
        HIT_MUST(hit_cut_again(call, known, &index, dim, share, cut[dim]));
        *time = fmin(*time, time_of(s, cut[dim]));
    }
    for (int dim = 0; dim < 2; dim++) {
        if (time_of(s, cut[dim]) > 1.1 * *time) continue;
        best = fmin(best, bytes_of(call, known, cut[dim]));
    }
    return best;
}

/* True: in rectangles. */
static bool try_cut(scene *s, const hit_kernel *kernel, hit_domain domain)
{
    const hit_arg args[] = {hit_arg_tile(s->tile[0]), hit_arg_tile(s->tile[1]),
                            hit_arg_tile(s->tile[2])};
    const hit_call call = {.context = s->hit,
                           .kernel = kernel,
                           .domain = domain,
                           .count = kernel->args,
                           .args = args};
    const hit_region index = {.count = 1, .part = &domain};
    const hit_device_set small = {{0}};
    const hit_known_kernel *known = NULL;
    hit_domain cut[MOST_DEVICES];
    double time;
    double ranges;
    int dim;

    HIT_MUST(hit_launcher_know(&call, &known));
    HIT_MUST(hit_cut_make(&call, known, &index, &small, cut, &dim));
    expect_partition(&domain, cut, s->hit->devices);
    ranges = bytes_of_ranges(s, &call, known, &time);
    if (dim >= 0) {
        ck_assert_double_le(bytes_of(&call, known, cut), ranges);
        return false;
    }
    if (s->hit->devices == 1) return false;
    ck_assert_double_lt(bytes_of(&call, known, cut), 0.9 * ranges);
    ck_assert_double_le(time_of(s, cut), 1.1 * time + 1e-9);
    return true;
}

START_TEST(rectangles_need_fewer_bytes_than_ranges)
{
    scene s = {.random = hit_random_start(71)};
    int rectangles = 0;

    for (int n = 0; n < CASES; n++) {
        const int devices = (int)choose(&s, 1, MOST_DEVICES);
        const bool in_place = choose(&s, 0, 5) == 0;
        bool found;

        open_scene(&s, devices, in_place);
        found = try_cut(&s, &cut_product, hit_tile_domain(s.tile[0]));
        ck_assert(!found || (devices >= 4 && !in_place));
        rectangles += found;
        close_scene(&s);
    }
    ck_assert_int_ge(rectangles, CASES / 6);
}
END_TEST

/* What a stencil needs twice is little: its tiles stay in ranges, as those of others. */
START_TEST(stencils_have_ranges)
{
    scene s = {.random = hit_random_start(72)};

    HIT_MUST(hit_open_with(
        NULL, NULL, &(hit_options){.devices = "host:threads=1:memory=1MiB * 6"}, &s.hit));
    for (int d = 0; d < s.hit->devices; d++) {
        s.speed[d] = 1;
    }
    for (int k = 0; k < 3; k++) {
        make_tile(&s, k, 120, 120);
    }
    ck_assert(!try_cut(&s, &cut_star, hit_domain_grow(hit_tile_domain(s.tile[0]), -1)));
    close_scene(&s);
}
END_TEST

static int64_t element(hit_index i, hit_index j, int k)
{
    return (i * 7 + j * 3 + k) % 11 - 5;
}

START_TEST(products_in_rectangles_are_right)
{
    scene s = {.random = hit_random_start(73)};

    for (int n = 0; n < RUNS; n++) {
        hit_view view;

        open_scene(&s, (int)choose(&s, 4, MOST_DEVICES), false);
        for (int turn = 0; turn < 2; turn++) { /* the second one finds all on devices */
            HIT_MUST(hit_launch(s.hit, &cut_product, hit_tile_domain(s.tile[0]),
                                s.tile[0], s.tile[1], s.tile[2]));
        }
        HIT_MUST(hit_tile_map(s.tile[0], 0, HIT_READ, &view));
        for (hit_index i = 0; i < s.rows; i++) {
            for (hit_index j = 0; j < s.columns; j++) {
                int64_t sum = element(i, j, 0);

                for (hit_index k = 0; k < s.inner; k++) {
                    sum += 2 * element(i, k, 1) * element(k, j, 2);
                }
                ck_assert_int_eq(*(int64_t *)hit_view_at(&view, (hit_index[]){i, j}),
                                 sum);
            }
        }
        close_scene(&s);
    }
}
END_TEST

static hit_context *base; /* keeps MPI open */

static Suite *suite(void)
{
    Suite *made = suite_create("cut");
    TCase *tests = tcase_create("cut");

    tcase_add_test(tests, rectangles_need_fewer_bytes_than_ranges);
    tcase_add_test(tests, stencils_have_ranges);
    tcase_add_test(tests, products_in_rectangles_are_right);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
