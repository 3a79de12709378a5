/* SPDX-License-Identifier: MIT
 * Inference against random patterns: a kernel that touches just what a pattern says has
 * to be given a pattern that says the same. */
#include "hit/check/check.h"
#include "patterns/transform.h"
#include "tests/support/check_main.h"

#include <stdio.h>

/* What the kernel below obeys; kernels have no arguments of this kind. */
static const hit_pattern *obeyed;
static const hit_domain *obeyed_tile;

static hit_status obey(const hit_run *run)
{
    const hit_domain point = hit_domain_box(obeyed->index_dims, run->begin, run->begin);
    hit_region region = {0};

    HIT_TRY(hit_pattern_region(obeyed, obeyed_tile, &point, &region));
    for (int p = region.count - 1; p >= 0; p--) {
        hit_index at[HIT_MAX_DIMS];
        bool more;

        for (more = hit_domain_first(&region.part[p], at); more;
             more = hit_domain_next(&region.part[p], at)) {
            hit_touch *touch = run->slot[0].touch;

            (void)touch->at(touch, obeyed_tile->dims, at);
        }
    }
    hit_region_clear(&region);
    return HIT_OK;
}

static const hit_kernel_arg args[] = {
    {HIT_MODE_IN, {HIT_KIND_INT64, 8}, "a", "[not looked at]"}};

/* A range of one to five elements, which may have a stride. */
static hit_range random_range(hit_random *random, int index_dims, bool divided)
{
    const hit_index elements = hit_random_index(random, 1, 5);
    const int dim = (int)hit_random_index(random, 0, index_dims - 1);
    hit_range range = hit_range_fixed(0, 0);

    switch (hit_random_index(random, 0, 5)) {
    case 0:
        return hit_range_all();
    case 1:
        break;
    case 2:
        range.begin.coef[dim] = hit_random_index(random, -2, 3);
        break;
    default:
        range.begin.coef[dim] = 1;
        break;
    }
    if (divided) {
        range.begin.coef[dim] = 1;
        range.begin.offset = hit_random_index(random, -4, 4);
        range.begin = hit_affine_fold(
            &range.begin,
            hit_random_index(random, 0, 1) == 0 ? HIT_FOLD_QUOTIENT : HIT_FOLD_REMAINDER,
            hit_random_index(random, 2, 4));
    }
    range.begin.offset = hit_random_index(random, -4, 4);
    if (elements > 2) range.stride = hit_random_index(random, 1, 3);
    range.end = range.begin;
    range.end.offset += range.stride * (elements - 1);
    return range;
}

typedef struct tried {
    hit_pattern pattern;
    hit_replica replica;
    hit_kernel kernel;
} tried;

static void open_case(hit_random *random, int boxes, bool divided, tried *t)
{
    const int index_dims = (int)hit_random_index(random, 1, 3);
    const int tile_dims = (int)hit_random_index(random, 1, 3);
    const hit_index size[] = {9, 9, 9};
    hit_domain tile = hit_domain_of_sizes(tile_dims, size);
    hit_index low[HIT_MAX_DIMS];
    hit_index high[HIT_MAX_DIMS];

    *t = (tried){.kernel = {.name = "obey",
                            .dims = index_dims,
                            .index = {"i", "j", "k"},
                            .args = 1,
                            .arg = args,
                            .checked = obey}};
    HIT_MUST(hit_pattern_init(index_dims, tile_dims, &t->pattern));
    for (int b = 0; b < boxes; b++) {
        hit_access access = {0};

        for (int d = 0; d < tile_dims; d++) {
            access.range[d] = random_range(random, index_dims, divided && d == 0);
        }
        HIT_MUST(hit_pattern_add(&t->pattern, &access));
    }
    for (int d = 0; d < index_dims; d++) {
        low[d] = hit_random_index(random, -3, 3);
        high[d] = low[d] + hit_random_index(random, 3, 5);
    }
    t->replica.kernel = &t->kernel;
    t->replica.index = hit_domain_box(index_dims, low, high);
    tile = hit_pattern_cover(&t->pattern, &tile, &t->replica.index);
    for (int d = 0; d < tile_dims; d++) { /* its limits are nobody's */
        tile.sig[d] = hit_sig_make(tile.sig[d].begin - 2, tile.sig[d].end + 3, 1);
    }
    t->replica.arg[0].tile = "a";
    t->replica.arg[0].domain = tile;
    HIT_MUST(hit_replica_take(&t->replica, 0, &tile));
    obeyed = &t->pattern;
    obeyed_tile = &t->replica.arg[0].domain;
}

static void close_case(tried *t)
{
    hit_pattern_clear(&t->pattern);
    hit_replica_clear(&t->replica);
}

/* Is all that @p some say said by @p all, at every index? */
static bool holds(const tried *t, const hit_pattern *all, const hit_pattern *some)
{
    const hit_domain *tile = &t->replica.arg[0].domain;
    hit_index at[HIT_MAX_DIMS];
    bool inside = true;
    bool more;

    for (more = hit_domain_first(&t->replica.index, at); more && inside;
         more = hit_domain_next(&t->replica.index, at)) {
        const hit_domain point = hit_domain_box(t->kernel.dims, at, at);
        hit_region wide = {0};
        hit_region narrow = {0};

        HIT_MUST(hit_pattern_region(all, tile, &point, &wide));
        HIT_MUST(hit_pattern_region(some, tile, &point, &narrow));
        for (int p = 0; p < narrow.count && inside; p++) {
            HIT_MUST(hit_region_covers(&wide, &narrow.part[p], &inside));
        }
        hit_region_clear(&wide);
        hit_region_clear(&narrow);
    }
    return inside;
}

/* Infer a case; answers whether the pattern says the same. */
static bool try_case(tried *t)
{
    hit_inferred found;
    char text[400];
    bool enough;
    bool same;

    HIT_MUST(hit_infer_arg(&t->replica, 0, &found));
    enough = holds(t, &found.pattern, &t->pattern);
    same = enough && holds(t, &t->pattern, &found.pattern);
    hit_pattern_print(&t->pattern, t->kernel.index, text, sizeof(text));
    ck_assert_msg(enough, "not all of %s is found", text);
    ck_assert_msg(!found.affine || found.less == !same, "%s: a wrong remark", text);
    hit_inferred_clear(&found);
    return same;
}

START_TEST(one_box_is_always_found)
{
    hit_random random = hit_random_start(51);

    for (int n = 0; n < hit_random_cases(1000); n++) {
        char text[400];
        bool same;
        tried t;

        open_case(&random, 1, n % 4 == 0, &t);
        hit_pattern_print(&t.pattern, t.kernel.index, text, sizeof(text));
        same = try_case(&t);
        close_case(&t);
        ck_assert_msg(same, "%s is not found", text);
    }
}
END_TEST

START_TEST(unions_are_found_if_boxes_keep_apart_alike)
{
    hit_random random = hit_random_start(52);
    const int cases = hit_random_cases(1000);
    int exact = 0;

    for (int n = 0; n < cases; n++) {
        tried t;

        open_case(&random, 2 + n % 2, false, &t);
        exact += try_case(&t);
        close_case(&t);
    }
    printf("%d of %d unions found exactly\n", exact, cases);
    ck_assert_int_gt(exact,
                     cases / 2); /* boxes that move against each other change shape */
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("fit");
    TCase *random = tcase_create("random");

    tcase_set_timeout(random, 0);
    tcase_add_test(random, one_box_is_always_found);
    tcase_add_test(random, unions_are_found_if_boxes_keep_apart_alike);
    suite_add_tcase(suite, random);
    return suite;
}

int main(void)
{
    return check_run(suite());
}
