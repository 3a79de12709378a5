/* SPDX-License-Identifier: MIT
 * Rims that are filled one after the other hold what boundaries say. */
#include "hit/chain/chain.h"
#include "hit/data/hash.h"
#include "patterns/transform.h"
#include "tests/support/check_main.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST = 40,
    CONSTANT = -7
};

typedef struct rim_case {
    hit_domain tile;
    hit_domain need;
    hit_boundary kind[HIT_MAX_DIMS];
} rim_case;

static rim_case make_case(hit_random *random)
{
    rim_case c = {.tile = {.dims = (int)hit_random_index(random, 1, 3)}};

    c.need.dims = c.tile.dims;
    for (int d = 0; d < c.tile.dims; d++) {
        const hit_index begin = hit_random_index(random, -5, 5);
        const hit_index end = begin + hit_random_index(random, 0, 9);
        const hit_index from = hit_random_index(random, begin - 4, end + 2);
        const hit_index to = hit_random_index(random, from, end + 4);

        c.tile.sig[d] = hit_sig_make(begin, end, 1);
        c.need.sig[d] = hit_sig_make(from, to, 1);
        c.kind[d] = (hit_boundary)hit_random_index(random, HIT_BOUNDARY_NONE,
                                                   HIT_BOUNDARY_MIRROR);
        if (c.kind[d] != HIT_BOUNDARY_NONE) continue;
        c.need.sig[d] = hit_sig_intersect(c.need.sig[d], c.tile.sig[d]);
        if (hit_sig_is_empty(c.need.sig[d])) c.need.sig[d] = c.tile.sig[d];
    }
    return c;
}

static int place_of(const hit_index x[], int dims)
{
    int place = 0;

    for (int d = 0; d < dims; d++) {
        place = place * MOST + (int)(x[d] + MOST / 4);
    }
    return place;
}

/* Elements that were never written are 0. */
static void fill_tile(const rim_case *c, int memory[])
{
    hit_index x[HIT_MAX_DIMS];
    int next = 1;

    memset(memory, 0, (size_t)MOST * MOST * MOST * sizeof(int));
    for (bool more = hit_domain_first(&c->tile, x); more;
         more = hit_domain_next(&c->tile, x)) {
        memory[place_of(x, c->tile.dims)] = next++;
    }
}

static void fill_rim(const hit_rim *rim, int memory[])
{
    const int dims = rim->box.dims;
    hit_index x[HIT_MAX_DIMS];

    for (bool more = hit_domain_first(&rim->box, x); more;
         more = hit_domain_next(&rim->box, x)) {
        const hit_index at = x[rim->axis];
        const int to = place_of(x, dims);

        x[rim->axis] = rim->sign * at + rim->offset;
        memory[to] = rim->constant ? CONSTANT : memory[place_of(x, dims)];
        x[rim->axis] = at;
    }
}

static bool is_right(const rim_case *c, const int memory[])
{
    hit_image *image = NULL;
    bool right = true;
    int count = 0;

    HIT_MUST(hit_boundary_images(&c->tile, c->kind, &c->need, &count, &image));
    for (int k = 0; k < count; k++) {
        hit_index x[HIT_MAX_DIMS];

        for (bool more = hit_domain_first(&image[k].domain, x); more;
             more = hit_domain_next(&image[k].domain, x)) {
            hit_index from[HIT_MAX_DIMS];

            for (int d = 0; d < c->tile.dims; d++) {
                from[d] = image[k].remap.sign[d] * x[d] + image[k].remap.offset[d];
            }
            right =
                right &&
                memory[place_of(x, c->tile.dims)] ==
                    (image[k].constant ? CONSTANT : memory[place_of(from, c->tile.dims)]);
        }
    }
    free(image);
    return right;
}

/* Does what lies beyond come from this side of the tile, whatever part of it is needed?
 */
static bool is_near(const rim_case *c)
{
    for (int d = 0; d < c->tile.dims; d++) {
        const hit_sig tile = c->tile.sig[d];
        const hit_sig need = c->need.sig[d];
        const hit_index beyond = hit_larger(tile.begin - need.begin, need.end - tile.end);

        if (beyond <= 0) continue;
        if (c->kind[d] == HIT_BOUNDARY_PERIODIC) return false;
        if (c->kind[d] != HIT_BOUNDARY_MIRROR) continue;
        if (beyond > tile.end - tile.begin) return false;
    }
    return true;
}

/* A tile's memory holds the tile and what is needed, and what lies between. */
static bool is_held(const rim_case *c, const hit_domain *box)
{
    for (int d = 0; d < box->dims; d++) {
        const hit_sig tile = c->tile.sig[d];
        const hit_sig need = c->need.sig[d];
        const hit_sig sig = box->sig[d];

        if (sig.begin < tile.begin && sig.begin < need.begin) return false;
        if (sig.end > tile.end && sig.end > need.end) return false;
    }
    return true;
}

START_TEST(rims_hold_what_boundaries_say)
{
    static int memory[MOST * MOST * MOST];
    hit_random random = hit_random_start(5);
    const int cases = hit_random_cases(3000);
    int filled = 0;

    for (int k = 0; k < cases; k++) {
        const rim_case c = make_case(&random);
        hit_rim rim[HIT_RIMS];
        const int count = hit_rims(&c.tile, c.kind, &c.need, rim);

        fill_tile(&c, memory);
        for (int r = 0; r < count; r++) {
            if (!is_held(&c, &rim[r].box)) ck_abort_msg("no memory in case %d", k);
            fill_rim(&rim[r], memory);
        }
        if (count >= 0 && !is_right(&c, memory)) ck_abort_msg("wrong in case %d", k);
        if (count < 0 && is_near(&c)) ck_abort_msg("refused in case %d", k);
        filled += count > 0;
    }
    ck_assert_int_gt(filled, cases / 10);
}
END_TEST

/* What the launch of a rim says it touches is what fill_rim() does. */
START_TEST(a_rim_as_a_launch_touches_its_box_and_its_source)
{
    hit_random random = hit_random_start(6);

    for (int k = 0; k < 300; k++) {
        const rim_case c = make_case(&random);
        hit_rim rim[HIT_RIMS];
        const int count = hit_rims(&c.tile, c.kind, &c.need, rim);

        for (int r = 0; r < count; r++) {
            const hit_domain index = hit_rim_indices(&rim[r]);
            const hit_domain source = hit_rim_source(&rim[r]);
            hit_access writes;
            hit_access reads;
            hit_domain box;

            hit_rim_accesses(&rim[r], &writes, &reads);
            box = hit_access_apply(&writes, &c.tile, &index);
            ck_assert(hit_domain_equal(&box, &rim[r].box));
            box = hit_access_apply(&reads, &c.tile, &index);
            ck_assert(hit_domain_equal(&box, &source));
        }
    }
}
END_TEST

START_TEST(what_lies_far_away_is_no_rim)
{
    const hit_domain tile = hit_domain_of(10);
    const hit_domain need = hit_domain_grow(tile, 1);
    const hit_domain wide = hit_domain_grow(tile, 10);
    hit_rim rim[HIT_RIMS];

    ck_assert_int_eq(hit_rims(&tile, (hit_boundary[]){HIT_BOUNDARY_PERIODIC}, &need, rim),
                     -1);
    ck_assert_int_eq(hit_rims(&tile, (hit_boundary[]){HIT_BOUNDARY_MIRROR}, &need, rim),
                     2);
    ck_assert_int_eq(hit_rims(&tile, (hit_boundary[]){HIT_BOUNDARY_MIRROR}, &wide, rim),
                     -1);
    ck_assert_int_eq(hit_rims(&tile, (hit_boundary[]){HIT_BOUNDARY_PERIODIC}, &tile, rim),
                     0);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("rims");
    TCase *tc = tcase_create("rims");

    tcase_add_test(tc, rims_hold_what_boundaries_say);
    tcase_add_test(tc, a_rim_as_a_launch_touches_its_box_and_its_source);
    tcase_add_test(tc, what_lies_far_away_is_no_rim);
    suite_add_tcase(s, tc);
    return s;
}

int main(void)
{
    return check_run(suite());
}
