/* SPDX-License-Identifier: MIT
 * Images of needs against the definition of each boundary, element by element. */
#include "hit/data/nearby.h"
#include "tests/support/check_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CASES = 20000
};

typedef struct boundary_case {
    hit_domain tile;
    hit_domain need;
    hit_boundary kind[HIT_MAX_DIMS];
    char text[256];
} boundary_case;

/* Where x of one dimension comes from, by definition: step by step back into the tile. */
static hit_index source(hit_sig sig, hit_boundary kind, hit_index x)
{
    while (x < sig.begin || x > sig.end) {
        const hit_index n = sig.end - sig.begin + 1;

        if (kind == HIT_BOUNDARY_PERIODIC) {
            x += x < sig.begin ? n : -n;
        } else if (kind == HIT_BOUNDARY_CLAMP || n == 1) {
            x = x < sig.begin ? sig.begin : sig.end;
        } else {
            x = x < sig.begin ? 2 * sig.begin - x : 2 * sig.end - x;
        }
    }
    return x;
}

static bool outside(hit_sig sig, hit_index x)
{
    return x < sig.begin || x > sig.end;
}

/* Does the need leave the tile where nothing lies outside? */
static bool refused(const boundary_case *c)
{
    if (hit_domain_is_empty(&c->need)) return false;
    for (int d = 0; d < c->tile.dims; d++) {
        const hit_sig sig = c->need.sig[d];

        if (c->kind[d] != HIT_BOUNDARY_NONE) continue;
        if (outside(c->tile.sig[d], sig.begin) || outside(c->tile.sig[d], sig.end)) {
            return true;
        }
    }
    return false;
}

/* The one image that holds x; NULL if there is none, or more than one. */
static const hit_image *find_image(int count, const hit_image image[],
                                   const hit_index x[])
{
    const hit_image *found = NULL;

    for (int k = 0; k < count; k++) {
        if (!hit_domain_has(&image[k].domain, x)) continue;
        if (found != NULL) return NULL;
        found = &image[k];
    }
    return found;
}

static bool element_is_right(const boundary_case *c, const hit_image *image,
                             const hit_index x[])
{
    bool constant = false;

    for (int d = 0; d < c->tile.dims; d++) {
        constant |= c->kind[d] == HIT_BOUNDARY_CONSTANT && outside(c->tile.sig[d], x[d]);
    }
    if (image->constant || constant) return image->constant == constant;
    for (int d = 0; d < c->tile.dims; d++) {
        const hit_index from = image->remap.sign[d] * x[d] + image->remap.offset[d];

        if (from != source(c->tile.sig[d], c->kind[d], x[d])) return false;
    }
    return true;
}

static bool images_are_right(const boundary_case *c, int count, const hit_image image[])
{
    hit_index x[HIT_MAX_DIMS];
    hit_index total = 0;

    for (int k = 0; k < count; k++) {
        if (!hit_domain_inside(&image[k].domain, &c->need)) return false;
        if (hit_domain_is_empty(&image[k].domain)) return false;
        total += hit_domain_count(&image[k].domain);
    }
    if (total != hit_domain_count(&c->need)) return false;
    for (bool go = hit_domain_first(&c->need, x); go; go = hit_domain_next(&c->need, x)) {
        const hit_image *found = find_image(count, image, x);

        if (found == NULL || !element_is_right(c, found, x)) return false;
    }
    return true;
}

static boundary_case random_case(hit_random *random)
{
    static const hit_index far[] = {60, 12, 5};
    boundary_case c = {0};
    char tile[80];
    char need[80];

    c.tile.dims = (int)hit_random_index(random, 1, 3);
    for (int d = 0; d < c.tile.dims; d++) {
        const hit_index begin = hit_random_index(random, -9, 9);

        c.tile.sig[d] = hit_sig_make(begin, begin + hit_random_index(random, 0, 5), 1);
        c.kind[d] = (hit_boundary)hit_random_index(random, HIT_BOUNDARY_NONE,
                                                   HIT_BOUNDARY_MIRROR);
    }
    /* a mirror of two elements turns at each: 60 is also the limit of the library */
    c.need = hit_random_domain(random, c.tile.dims, -far[c.tile.dims - 1] / 2,
                               far[c.tile.dims - 1] / 2, 3);
    hit_domain_print(&c.tile, tile, sizeof(tile));
    hit_domain_print(&c.need, need, sizeof(need));
    snprintf(c.text, sizeof(c.text), "need %s of tile %s, kinds %d %d %d", need, tile,
             (int)c.kind[0], (int)c.kind[1], (int)c.kind[2]);
    return c;
}

START_TEST(images_map_each_needed_element_to_its_source_once)
{
    hit_random random = hit_random_start(7001);
    int refusals = 0;

    for (int k = 0; k < CASES; k++) {
        const boundary_case c = random_case(&random);
        hit_image *image = NULL;
        int count = -1;
        const hit_status status =
            hit_boundary_images(&c.tile, c.kind, &c.need, &count, &image);

        if (refused(&c)) {
            refusals++;
            ck_assert_msg(status == HIT_E_PATTERN && image == NULL, "%s", c.text);
            continue;
        }
        if (status != HIT_OK || !images_are_right(&c, count, image)) {
            ck_abort_msg("%s: %s", c.text, status == HIT_OK ? "" : hit_status_text());
        }
        free(image);
    }
    ck_assert_int_gt(refusals, CASES / 20);
    ck_assert_int_lt(refusals, CASES / 2);
}
END_TEST

/* The number of images, or -1 with a status that is not HIT_OK. */
static int count_images(hit_domain tile, hit_boundary kind, hit_domain need,
                        hit_status *status)
{
    const hit_boundary kinds[HIT_MAX_DIMS] = {kind, kind, kind, kind};
    hit_image *image = NULL;
    int count = -1;

    *status = hit_boundary_images(&tile, kinds, &need, &count, &image);
    free(image);
    return count;
}

static hit_domain range(hit_index begin, hit_index end)
{
    return hit_domain_box(1, &begin, &end);
}

START_TEST(a_need_that_leaves_a_tile_without_a_boundary_is_told)
{
    hit_status status = HIT_OK;

    ck_assert_int_eq(count_images(range(3, 9), HIT_BOUNDARY_NONE, range(2, 8), &status),
                     -1);
    ck_assert_int_eq(status, HIT_E_PATTERN);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "touches indices 2 to 8"));
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "tile has 3 to 9"));
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "no boundary"));
}
END_TEST

START_TEST(needs_far_outside_are_refused_without_overflow)
{
    const hit_index far[] = {200, 1000000, (hit_index)1 << 40, (hit_index)1 << 61};
    hit_status status = HIT_OK;

    for (int k = 0; k < 4; k++) {
        ck_assert_int_eq(count_images(range(0, 2), HIT_BOUNDARY_PERIODIC,
                                      range(-far[k], far[k]), &status),
                         -1);
        ck_assert_int_eq(status, HIT_E_PATTERN);
        ck_assert_ptr_nonnull(strstr(hit_status_text(), "times around the tile"));
        ck_assert_int_eq(
            count_images(range(5, 6), HIT_BOUNDARY_MIRROR, range(-far[k], 5), &status),
            -1);
        ck_assert_int_eq(status, HIT_E_PATTERN);
    }
}
END_TEST

START_TEST(clamped_and_constant_needs_have_three_images_however_far)
{
    const hit_index far = (hit_index)1 << 61;
    hit_status status = HIT_OK;

    ck_assert_int_eq(
        count_images(range(0, 2), HIT_BOUNDARY_CLAMP, range(-far, far), &status), 3);
    ck_assert_int_eq(
        count_images(range(0, 2), HIT_BOUNDARY_CONSTANT, range(-far, far), &status), 3);
    ck_assert_int_eq(
        count_images(range(4, 4), HIT_BOUNDARY_PERIODIC, range(-far, far), &status), 3);
    ck_assert_int_eq(
        count_images(range(4, 4), HIT_BOUNDARY_MIRROR, range(-far, far), &status), 3);
}
END_TEST

START_TEST(sixty_times_around_is_still_planned)
{
    hit_status status = HIT_OK;

    ck_assert_int_eq(
        count_images(range(0, 4), HIT_BOUNDARY_PERIODIC, range(0, 304), &status), 61);
    ck_assert_int_eq(
        count_images(range(0, 4), HIT_BOUNDARY_PERIODIC, range(-300, 4), &status), 61);
    ck_assert_int_eq(
        count_images(range(0, 4), HIT_BOUNDARY_PERIODIC, range(-150, 154), &status), 61);
}
END_TEST

START_TEST(an_empty_need_has_no_images)
{
    const hit_domain tile = hit_domain_of(4, 4);
    hit_domain need = hit_domain_of(9, 9);
    hit_status status = HIT_E_INTERNAL;

    for (int kind = HIT_BOUNDARY_NONE; kind <= HIT_BOUNDARY_MIRROR; kind++) {
        const hit_boundary all = (hit_boundary)kind;

        for (int d = 0; d < 2; d++) { /* empty in one dimension, outside in the other */
            need = hit_domain_of(9, 9);
            need.sig[d] = hit_sig_make(0, -1, 1);
            ck_assert_int_eq(count_images(tile, all, need, &status), 0);
            ck_assert_int_eq(status, HIT_OK);
        }
        ck_assert_int_eq(count_images(hit_domain_empty(2), all, need, &status), 0);
        ck_assert_int_eq(status, HIT_OK);
    }
}
END_TEST

START_TEST(a_need_of_an_empty_tile_is_refused)
{
    hit_status status = HIT_OK;

    for (int kind = HIT_BOUNDARY_NONE; kind <= HIT_BOUNDARY_MIRROR; kind++) {
        ck_assert_int_eq(
            count_images(hit_domain_empty(1), (hit_boundary)kind, range(0, 3), &status),
            -1);
        ck_assert_int_eq(status, HIT_E_PATTERN);
    }
}
END_TEST

START_TEST(a_scalar_has_one_image)
{
    hit_status status = HIT_OK;

    ck_assert_int_eq(count_images(hit_domain_scalar(), HIT_BOUNDARY_NONE,
                                  hit_domain_scalar(), &status),
                     1);
    ck_assert_int_eq(status, HIT_OK);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("boundary");
    TCase *tests = tcase_create("images");

    tcase_add_test(tests, images_map_each_needed_element_to_its_source_once);
    tcase_add_test(tests, a_need_that_leaves_a_tile_without_a_boundary_is_told);
    tcase_add_test(tests, needs_far_outside_are_refused_without_overflow);
    tcase_add_test(tests, clamped_and_constant_needs_have_three_images_however_far);
    tcase_add_test(tests, sixty_times_around_is_still_planned);
    tcase_add_test(tests, an_empty_need_has_no_images);
    tcase_add_test(tests, a_need_of_an_empty_tile_is_refused);
    tcase_add_test(tests, a_scalar_has_one_image);
    suite_add_tcase(made, tests);
    return made;
}

int main(void)
{
    return check_run(suite());
}
