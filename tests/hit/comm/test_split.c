/* SPDX-License-Identifier: MIT
 * Owner computes: who runs which indices, against the anchor of each index. */
#include "hit/comm/message.h"
#include "tests/hit/comm/message_case.h"
#include "tests/support/faults.h"

/* The rank that owns the anchor of index x. */
static int rank_of(const hit_split *split, const hit_index x[])
{
    hit_index at[HIT_MAX_DIMS] = {0};

    for (int t = 0; t < split->tile.dims; t++) {
        const int d = split->follows[t];

        at[t] = split->offset[t] + (d < 0 ? 0 : split->coef[t] * x[d]);
    }
    if (!hit_domain_has(&split->tile, at)) return -1;
    return hit_layout_owner(split->layout, at);
}

/* Is each index in exactly one domain of one rank, the owner of its anchor? */
static bool split_is_right(const message_case *c)
{
    hit_region part[10] = {{0}};
    hit_index x[HIT_MAX_DIMS];
    bool right = true;

    for (int r = 0; r < c->ranks; r++) {
        right &= hit_split_part(&c->split, r, &part[r]) == HIT_OK;
        for (int k = 0; k < part[r].count; k++) {
            right &= !hit_domain_is_empty(&part[r].part[k]);
            right &= hit_domain_inside(&part[r].part[k], &c->index);
        }
    }
    for (bool go = hit_domain_first(&c->index, x); go && right;
         go = hit_domain_next(&c->index, x)) {
        int holders = 0;

        for (int r = 0; r < c->ranks; r++) {
            for (int k = 0; k < part[r].count; k++) {
                if (!hit_domain_has(&part[r].part[k], x)) continue;
                holders++;
                right &= r == rank_of(&c->split, x);
            }
        }
        right &= holders == 1;
    }
    for (int r = 0; r < c->ranks; r++) {
        hit_region_clear(&part[r]);
    }
    return right;
}

START_TEST(parts_are_disjoint_and_their_union_is_the_launch_domain)
{
    const int cases = hit_random_cases(4000);
    int by_pattern = 0;

    for (uint64_t seed = 1; seed <= (uint64_t)cases; seed++) {
        message_case c = make_case(seed);

        by_pattern += c.by_pattern;
        if (!split_is_right(&c)) ck_abort_msg("%s", c.text);
        drop_case(&c);
    }
    ck_assert_int_gt(by_pattern, cases / 10);
}
END_TEST

/* Does the anchor of each index lie in the range that it touches, or is it the index
 * itself, where the range leaves the tile? */
static bool anchor_is_near(const message_case *c)
{
    hit_access access = c->pattern.access[0];
    hit_domain tile = c->tile;
    hit_index x[HIT_MAX_DIMS];

    for (int t = 0; t < tile.dims; t++) {
        access.range[t].stride = 1;
        tile.sig[t].stride = 1;
    }
    for (bool go = hit_domain_first(&c->index, x); go;
         go = hit_domain_next(&c->index, x)) {
        const hit_domain touched = touched_at(&access, &tile, x);
        hit_index at[HIT_MAX_DIMS] = {0};
        bool near = true;

        if (hit_domain_is_empty(&touched)) continue; /* "[0:i-1]" at i = 0 */
        for (int t = 0; t < c->tile.dims; t++) {
            const int d = c->split.follows[t];

            at[t] = c->split.offset[t] + (d < 0 ? 0 : c->split.coef[t] * x[d]);
            near =
                near && (hit_sig_has(touched.sig[t], at[t]) || (d >= 0 && at[t] == x[d]));
        }
        if (!near) return false;
    }
    return true;
}

START_TEST(each_index_belongs_to_an_element_in_its_range)
{
    const int cases = hit_random_cases(4000);

    for (uint64_t seed = 1; seed <= (uint64_t)cases; seed++) {
        message_case c = make_case(seed);

        if (c.by_pattern && !anchor_is_near(&c)) ck_abort_msg("%s", c.text);
        drop_case(&c);
    }
}
END_TEST

typedef struct line {
    hit_layout *layout;
    hit_domain domain;
    hit_pattern pattern;
    hit_split split;
} line;

/* The indices 0..11 split as 12 elements in blocks over three ranks, by one range. */
static hit_status split_line(hit_range range, hit_domain tile, line *made)
{
    hit_access access = {.range = {range}};

    *made = (line){.domain = hit_domain_of(12)};
    ck_assert_int_eq(hit_layout_plan(hit_layout_table[0], tile, 3, NULL, &made->layout),
                     HIT_OK);
    ck_assert_str_eq(hit_layout_name(made->layout), "block");
    ck_assert_int_eq(hit_pattern_init(1, 1, &made->pattern), HIT_OK);
    ck_assert_int_eq(hit_pattern_add(&made->pattern, &access), HIT_OK);
    return hit_split_by_pattern(made->layout, &tile, &made->pattern, &made->domain,
                                &made->split);
}

static void drop_line(line *made)
{
    hit_pattern_clear(&made->pattern);
    hit_layout_destroy(&made->layout);
}

START_TEST(a_halo_belongs_to_the_index_in_its_middle)
{
    hit_region part = {0};
    hit_index four = 4;
    hit_index seven = 7;
    hit_domain expected = hit_domain_box(1, &four, &seven);
    line l;

    ck_assert_int_eq(split_line(hit_range_follow(0, -2, 3), hit_domain_of(12), &l),
                     HIT_OK);
    ck_assert_int_eq(hit_split_part(&l.split, 1, &part), HIT_OK);
    ck_assert_int_eq(part.count, 1);
    ck_assert(hit_domain_equal(&part.part[0], &expected));
    ck_assert_int_eq(hit_split_followed(&l.split), 1);
    hit_region_clear(&part);
    drop_line(&l);
}
END_TEST

START_TEST(a_range_on_one_side_belongs_to_its_nearest_element)
{
    hit_index from = -4;
    hit_index to = 9;
    hit_domain wide = hit_domain_box(1, &from, &to);
    line l;

    ck_assert_int_eq(split_line(hit_range_follow(0, -4, -2), wide, &l), HIT_OK);
    ck_assert_int_eq(l.split.offset[0], -2);
    drop_line(&l);
    ck_assert_int_eq(split_line(hit_range_follow(0, 3, 5), hit_domain_of(20), &l),
                     HIT_OK);
    ck_assert_int_eq(l.split.offset[0], 3);
    drop_line(&l);
}
END_TEST

START_TEST(indices_beyond_the_tile_are_refused)
{
    line l;

    ck_assert_int_eq(split_line(hit_range_follow(0, 1, 1), hit_domain_of(12), &l),
                     HIT_OK);
    ck_assert_int_eq(l.split.offset[0], 0); /* not 1, which leaves the tile */
    drop_line(&l);
    ck_assert_int_eq(split_line(hit_range_follow(0, 1, 1), hit_domain_of(11), &l),
                     HIT_E_PATTERN);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "touch no element"));
    drop_line(&l);
    ck_assert_int_eq(split_line(hit_range_fixed(12, 12), hit_domain_of(12), &l),
                     HIT_E_PATTERN);
    drop_line(&l);
}
END_TEST

START_TEST(many_indices_of_one_element_are_refused)
{
    const hit_domain index = hit_domain_of(3, 3);
    hit_access access = {.range = {hit_range_follow(0, 0, 0)}};
    hit_layout *layout = NULL;
    hit_pattern pattern;
    hit_domain tile = hit_domain_of(5);
    hit_split split;

    access.range[0].begin.coef[1] = 1;
    access.range[0].end.coef[1] = 1; /* "[i+j]" */
    ck_assert_int_eq(hit_pattern_init(2, 1, &pattern), HIT_OK);
    ck_assert_int_eq(hit_pattern_add(&pattern, &access), HIT_OK);
    ck_assert_int_eq(hit_layout_plan(hit_layout_table[0], tile, 3, NULL, &layout),
                     HIT_OK);
    ck_assert_int_eq(hit_split_by_pattern(layout, &tile, &pattern, &index, &split),
                     HIT_E_PATTERN);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "more than one index"));
    hit_pattern_clear(&pattern);
    hit_layout_destroy(&layout);
}
END_TEST

START_TEST(a_layout_splits_only_indices_of_its_domain)
{
    const hit_domain larger = hit_domain_of(5, 7);
    const hit_domain flat = hit_domain_of(5);
    hit_layout *layout = NULL;
    hit_split split;

    ck_assert_int_eq(
        hit_layout_plan(hit_layout_table[0], hit_domain_of(5, 6), 2, NULL, &layout),
        HIT_OK);
    ck_assert_int_eq(hit_split_by_layout(layout, &larger, &split), HIT_E_ARG);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "0:4 x 0:5 but found 0:4 x 0:6"));
    ck_assert_int_eq(hit_split_by_layout(layout, &flat, &split), HIT_E_ARG);
    hit_layout_destroy(&layout);
}
END_TEST

START_TEST(a_part_for_which_there_is_no_memory_is_empty)
{
    const hit_domain all = hit_domain_of(64);
    hit_status status = HIT_E_NOMEM;
    hit_layout *layout = NULL;
    hit_split split;
    long at = 1;

    HIT_MUST(hit_layout_plan(hit_layout_table[2], all, 2, "block=2", &layout));
    HIT_MUST(hit_split_by_layout(layout, &all, &split));
    for (; status != HIT_OK && at < 100; at++) {
        hit_region part = {0};
        long held;

        test_fault.held = 0;
        test_fault.fail_at = at;
        test_fault_begin();
        status = hit_split_part(&split, 0, &part);
        test_fault.on = false;
        held = test_fault.held; /* assertions allocate, too */
        ck_assert(status == HIT_OK || (part.part == NULL && held == 0));
        ck_assert_int_eq(part.count, status == HIT_OK ? 16 : 0);
        hit_region_clear(&part);
    }
    ck_assert_int_gt(at, 5); /* were they made to fail? */
    hit_layout_destroy(&layout);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("split");
    TCase *random = tcase_create("random");
    TCase *small = tcase_create("small");

    tcase_add_test(random, parts_are_disjoint_and_their_union_is_the_launch_domain);
    tcase_add_test(random, each_index_belongs_to_an_element_in_its_range);
    tcase_add_test(small, a_halo_belongs_to_the_index_in_its_middle);
    tcase_add_test(small, a_range_on_one_side_belongs_to_its_nearest_element);
    tcase_add_test(small, indices_beyond_the_tile_are_refused);
    tcase_add_test(small, many_indices_of_one_element_are_refused);
    tcase_add_test(small, a_layout_splits_only_indices_of_its_domain);
    tcase_add_test(small, a_part_for_which_there_is_no_memory_is_empty);
    tcase_set_timeout(random, 120);
    suite_add_tcase(made, random);
    suite_add_tcase(made, small);
    return made;
}

int main(void)
{
    return check_run(suite());
}
