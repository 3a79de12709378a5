/* SPDX-License-Identifier: MIT
 * Indices as far from 0 as they may be, in place, staged, streamed, in chains and over
 * processes, with boundaries, and the refusal of farther ones. And bodies with a large
 * frame.
 */
#include "hit/data/sig.h"
#include "hit/hit.h"
#include "tests/support/check_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const hit_kernel far_line, far_byte, far_plane, large_frame;

static hit_context *base; /* keeps MPI open */

static const char *const places[] = {
    "host:threads=1", "host:threads=2", "host:threads=2:staged:memory=64KiB",
    "host:threads=1:staged:memory=4KiB",
    "host:threads=1 + host:threads=1:staged:memory=8KiB"};

enum {
    STEPS = 6,
    MOST = 4000
};

/* Element x of what lies at a position, by a clamped boundary. */
static hit_index clamped(hit_index x, hit_index count)
{
    return x < 0 ? 0 : x >= count ? count - 1 : x;
}

typedef struct problem {
    const hit_kernel *kernel;
    hit_domain domain;
    int64_t now[MOST];
    int64_t next[MOST];
} problem;

static void step(problem *p)
{
    const hit_index n = hit_sig_count(p->domain.sig[0]);
    const hit_index m = p->domain.dims > 1 ? hit_sig_count(p->domain.sig[1]) : 1;

    for (hit_index i = 0; i < n; i++) {
        const hit_index up = clamped(i - 1, n) * m;
        const hit_index down = clamped(i + 1, n) * m;

        for (hit_index j = 0; j < m; j++) {
            const hit_index left = m > 1 ? clamped(j - 1, m) : 0;
            const hit_index right = m > 1 ? clamped(j + 2, m) : 0;

            p->next[i * m + j] = (p->now[up + right] + 10 * p->now[i * m + j] +
                                  100 * p->now[down + left]) %
                                 1000000007;
        }
    }
}

/* Steps of a stencil, and a sum, on a tile over the domain. */
static bool is_right(hit_context *hit, hit_domain domain, const char *layout)
{
    problem p = {.kernel = domain.dims == 1 ? &far_line : &far_plane, .domain = domain};
    const hit_index count = hit_domain_count(&domain);
    int64_t *found = calloc((size_t)count, sizeof *found);
    hit_tile *now;
    hit_tile *next;
    bool right = true;

    for (hit_index k = 0; k < count; k++) {
        p.now[k] = k % 13 - 5;
    }
    HIT_MUST(hit_tile_make(hit, domain, layout, HIT_INT64, "now", &now));
    HIT_MUST(hit_tile_make(hit, domain, layout, HIT_INT64, "next", &next));
    HIT_MUST(hit_tile_set_boundary(now, -1, HIT_BOUNDARY_CLAMP, NULL));
    HIT_MUST(hit_tile_set_boundary(next, -1, HIT_BOUNDARY_CLAMP, NULL));
    HIT_MUST(hit_tile_scatter(now, 0, p.now));
    for (int t = 0; t < STEPS; t++) {
        HIT_MUST(hit_launch(hit, p.kernel, domain, next, now));
        hit_tile_swap(&now, &next);
    }
    HIT_MUST(hit_tile_gather(now, 0, found));
    for (int t = 0; t < STEPS; t++) {
        step(&p);
        memcpy(p.now, p.next, sizeof p.now);
    }
    for (hit_index k = 0; k < count && hit_rank(hit) == 0; k++) {
        right = right && (found[k] - p.now[k]) % 1000000007 == 0;
    }
    hit_tile_destroy(&now);
    hit_tile_destroy(&next);
    free(found);
    return right;
}

static hit_domain line_at(hit_index begin)
{
    return hit_domain_box(1, (hit_index[]){begin}, (hit_index[]){begin + 300});
}

static hit_domain plane_at(hit_index i, hit_index j)
{
    return hit_domain_box(2, (hit_index[]){i, j}, (hit_index[]){i + 30, j + 100});
}

START_TEST(indices_are_right_as_far_as_they_may_be)
{
    /* Elements are found from where index 0 would be. Where that is below address 0
     * sanitizers tell of an overflow, which harms nothing. */
    const int bytes = hit_random_is_slow() ? 43 : 56;
    const hit_index line = INT64_C(1) << (bytes - 3);
    const hit_index plane = INT64_C(1) << (bytes - 10); /* rows of 101 */
    hit_context *hit;

    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = places[_i]}, &hit));
    HIT_MUST(hit_chain(hit, HIT_CHAIN_ANY));
    ck_assert(is_right(hit, line_at(-line), "block"));
    ck_assert(is_right(hit, line_at(line - 300), "block"));
    ck_assert(is_right(hit, line_at(line - 300), "cyclic"));
    ck_assert(is_right(hit, plane_at(-plane, -plane), "block"));
    ck_assert(is_right(hit, plane_at(plane, -plane), "block"));
    ck_assert(is_right(hit, plane_at(-plane, plane), "block:dims=0"));
    ck_assert(is_right(hit, plane_at(plane, plane), "block:dims=1"));
    hit_close(&hit);
}
END_TEST

START_TEST(strided_indices_are_right_as_far_as_they_may_be)
{
    const hit_index stride = INT64_C(1) << 17;
    const hit_index ends[] = {-HIT_INDEX_LIMIT, HIT_INDEX_LIMIT - 99 * stride};
    const hit_domain all = hit_domain_of(100);
    hit_context *hit;

    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = places[_i]}, &hit));
    for (int k = 0; k < 2; k++) {
        hit_domain domain = all;
        hit_tile *x;
        uint8_t found[100];
        bool right = true;

        domain.sig[0] = hit_sig_make(ends[k], ends[k] + 99 * stride, stride);
        HIT_MUST(hit_tile_make(hit, domain, "block", HIT_UINT8, "x", &x));
        HIT_MUST(hit_launch(hit, &far_byte, domain, x));
        HIT_MUST(hit_tile_gather(x, 0, found));
        for (int i = 0; i < 100 && hit_rank(hit) == 0; i++) {
            right = right && found[i] == (hit_sig_at(domain.sig[0], i) & 7);
        }
        ck_assert(right);
        hit_tile_destroy(&x);
    }
    hit_close(&hit);
}
END_TEST

static void expect_text(hit_status status, const char *words)
{
    ck_assert_int_eq(status, HIT_E_ARG);
    ck_assert_msg(strstr(hit_status_text(), words) != NULL, "%s", hit_status_text());
}

START_TEST(farther_indices_are_refused_with_the_number)
{
    static const hit_index sides[] = {-1, 1};
    hit_context *hit;
    hit_layout *layout = NULL;
    hit_tile *x = NULL;

    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = places[0]}, &hit));
    for (int k = 0; k < 2; k++) {
        const hit_index far = sides[k] * (HIT_INDEX_LIMIT + 1);
        const hit_index reach = sides[k] * ((INT64_C(1) << 53) + 300);

        expect_text(hit_layout_create(hit, line_at(far), "block", &layout), "(2^60)");
        HIT_MUST(hit_layout_create(hit, line_at(reach), "block", &layout));
        expect_text(hit_tile_create(layout, HIT_INT64, "x", &x), "2^56 bytes");
        HIT_MUST(hit_tile_create(layout, HIT_UINT8, "x", &x));
        expect_text(hit_launch(hit, &far_byte, line_at(far), x), "(2^60)");
        hit_tile_destroy(&x);
        hit_layout_destroy(&layout);
    }
    hit_close(&hit);
}
END_TEST

/* What docs/kernel.md promises. */
START_TEST(a_body_may_have_two_megabytes)
{
    hit_context *hit;
    hit_tile *x;
    double found;
    double want = 0;

    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = places[_i]}, &hit));
    HIT_MUST(hit_tile_make(hit, hit_domain_of(7, 150), "block", HIT_DOUBLE, "x", &x));
    HIT_MUST(hit_launch(hit, &large_frame, hit_domain_of(7, 150), x));
    HIT_MUST(hit_tile_get(x, (hit_index[]){6, 149}, &found));
    for (int k = 0; k < 250000; k += 511) {
        want += (double)(k + 6);
    }
    ck_assert_double_eq(found, want);
    hit_tile_destroy(&x);
    hit_close(&hit);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("hit.launch.far");
    TCase *tests = tcase_create("far");

    tcase_set_timeout(tests, 0);
    tcase_add_loop_test(tests, indices_are_right_as_far_as_they_may_be, 0, 5);
    tcase_add_loop_test(tests, strided_indices_are_right_as_far_as_they_may_be, 0, 5);
    tcase_add_test(tests, farther_indices_are_refused_with_the_number);
    tcase_add_loop_test(tests, a_body_may_have_two_megabytes, 0, 2);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
