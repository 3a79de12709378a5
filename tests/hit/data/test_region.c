/* SPDX-License-Identifier: MIT
 * Regions against a cube of counters: random sequences of additions, subtractions and
 * clips are done to both, and after each step every point must be held by exactly as many
 * parts as it should: 0 or 1. */
#include "hit/data/region.h"
#include "tests/support/check_main.h"

enum {
    LOW = -6,
    HIGH = 6,
    SIDE = HIGH - LOW + 1,
    POINTS = SIDE * SIDE * SIDE
};
enum {
    SEQUENCES = 600,
    STEPS = 8
};

typedef struct cube {
    int dims;
    bool set[POINTS];
} cube;

static size_t point_of(int dims, const hit_index x[])
{
    size_t point = 0;
    for (int d = 0; d < dims; d++) {
        point = point * SIDE + (size_t)(x[d] - LOW);
    }
    return point;
}

/* What an operation with this domain does to the oracle. */
static void apply(cube *oracle, char operation, const hit_domain *domain)
{
    bool inside[POINTS] = {false};
    hit_index x[HIT_MAX_DIMS];

    for (bool more = hit_domain_first(domain, x); more;
         more = hit_domain_next(domain, x)) {
        inside[point_of(oracle->dims, x)] = true;
    }
    for (size_t i = 0; i < POINTS; i++) {
        if (operation == '+') oracle->set[i] = oracle->set[i] || inside[i];
        if (operation == '-') oracle->set[i] = oracle->set[i] && !inside[i];
        if (operation == '&') oracle->set[i] = oracle->set[i] && inside[i];
    }
}

/* Is every point of the cube in as many parts as it should be? */
static bool same(const hit_region *region, const cube *oracle)
{
    int parts[POINTS] = {0};
    hit_index count = 0;

    for (int i = 0; i < region->count; i++) {
        const hit_domain *part = &region->part[i];
        hit_index x[HIT_MAX_DIMS];
        if (hit_domain_is_empty(part) || part->dims != oracle->dims) return false;
        if (hit_domain_check(part) != HIT_OK) return false;
        bool more = hit_domain_first(part, x);
        for (; more; more = hit_domain_next(part, x)) {
            parts[point_of(oracle->dims, x)]++;
            if (!hit_region_has(region, x)) return false;
        }
    }
    for (size_t i = 0; i < POINTS; i++) {
        if (parts[i] != oracle->set[i]) return false;
        count += parts[i];
    }
    return hit_region_count(region) == count;
}

static bool covered(const cube *oracle, const hit_domain *domain)
{
    hit_index x[HIT_MAX_DIMS];
    bool more = hit_domain_first(domain, x);

    for (; more; more = hit_domain_next(domain, x)) {
        if (!oracle->set[point_of(oracle->dims, x)]) return false;
    }
    return true;
}

START_TEST(any_sequence_of_operations_keeps_the_right_elements)
{
    hit_random random = hit_random_start(301);
    int most = 0;
    for (int n = 0; n < SEQUENCES; n++) {
        cube oracle = {.dims = n % 4};
        hit_region region = {0};
        for (int step = 0; step < STEPS; step++) {
            hit_domain domain = hit_random_domain(&random, oracle.dims, LOW, HIGH, 5);
            char operation = "+++++----&"[hit_random_index(&random, 0, 9)];
            hit_status st = HIT_OK;
            if (operation == '+') st = hit_region_add(&region, &domain);
            if (operation == '-') st = hit_region_subtract(&region, &domain);
            if (operation == '&') hit_region_clip(&region, &domain);
            ck_assert_int_eq(st, HIT_OK);
            apply(&oracle, operation, &domain);
            most = region.count > most ? region.count : most;
            ck_assert_msg(same(&region, &oracle), "sequence %d, step %d", n, step);
        }
        hit_region_clear(&region);
    }
    ck_assert_int_gt(most, 10);
}
END_TEST

START_TEST(covers_says_whether_all_elements_are_there)
{
    hit_random random = hit_random_start(302);
    int yes_answers = 0;
    for (int n = 0; n < 4 * SEQUENCES; n++) {
        cube oracle = {.dims = 1 + n % 2};
        hit_region region = {0};
        bool yes = false;
        for (int k = 0; k < 4; k++) {
            hit_domain domain = hit_random_domain(&random, oracle.dims, LOW, HIGH, 3);
            ck_assert_int_eq(hit_region_add(&region, &domain), HIT_OK);
            apply(&oracle, '+', &domain);
        }
        hit_domain asked = hit_random_domain(&random, oracle.dims, LOW, HIGH, 3);
        ck_assert_int_eq(hit_region_covers(&region, &asked, &yes), HIT_OK);
        ck_assert_int_eq(yes, covered(&oracle, &asked));
        yes_answers += yes;
        hit_region_clear(&region);
    }
    ck_assert_int_gt(yes_answers, SEQUENCES / 4);
    ck_assert_int_lt(yes_answers, 4 * SEQUENCES - SEQUENCES / 4);
}
END_TEST

START_TEST(a_frame_is_four_boxes_with_whole_rows)
{
    hit_domain plate = hit_domain_of(100, 200);
    hit_domain inner = hit_domain_grow(plate, -1);
    hit_region frame = {0};
    const char *wanted[] = {"0:0 x 0:199", "99:99 x 0:199", "1:98 x 0:0",
                            "1:98 x 199:199"};

    ck_assert_int_eq(hit_region_append(&frame, &plate), HIT_OK);
    ck_assert_int_eq(hit_region_subtract(&frame, &inner), HIT_OK);
    ck_assert_int_eq(frame.count, 4);
    for (int i = 0; i < 4; i++) {
        char text[64];
        hit_domain_print(&frame.part[i], text, sizeof(text));
        ck_assert_str_eq(text, wanted[i]);
    }
    hit_region_clear(&frame);
}
END_TEST

START_TEST(a_part_of_the_region_may_be_the_operand)
{
    hit_domain a = hit_domain_of(4, 4);
    hit_domain b = hit_domain_box(2, (hit_index[]){10, 0}, (hit_index[]){12, 3});
    hit_region region = {0};

    ck_assert_int_eq(hit_region_append(&region, &a), HIT_OK);
    ck_assert_int_eq(hit_region_append(&region, &b), HIT_OK);
    ck_assert_int_eq(hit_region_add(&region, &region.part[0]), HIT_OK);
    ck_assert_int_eq(hit_region_count(&region), 28);
    ck_assert_int_eq(hit_region_subtract(&region, &region.part[0]), HIT_OK);
    ck_assert_int_eq(hit_region_count(&region), 12);
    hit_region_clip(&region, &region.part[0]);
    ck_assert_int_eq(hit_region_count(&region), 12);
    hit_region_clear(&region);
}
END_TEST

START_TEST(a_copy_is_independent)
{
    hit_domain a = hit_domain_of(4, 4);
    hit_domain b = hit_domain_of(2, 2);
    hit_region from = {0};
    hit_region to = {0};

    ck_assert_int_eq(hit_region_append(&from, &a), HIT_OK);
    ck_assert_int_eq(hit_region_append(&to, &b), HIT_OK);
    ck_assert_int_eq(hit_region_copy(&from, &to), HIT_OK);
    ck_assert_int_eq(hit_region_subtract(&from, &b), HIT_OK);
    ck_assert_int_eq(hit_region_count(&from), 12);
    ck_assert_int_eq(hit_region_count(&to), 16);
    hit_region_clear(&from);
    ck_assert_int_eq(hit_region_copy(&from, &to), HIT_OK);
    ck_assert_int_eq(hit_region_count(&to), 0);
    hit_region_clear(&to);
    hit_region_clear(&to);
}
END_TEST

START_TEST(empty_domains_and_scalars_have_no_special_case)
{
    hit_domain empty = hit_domain_empty(2);
    hit_domain scalar = hit_domain_scalar();
    hit_region region = {0};
    bool yes = false;

    ck_assert_int_eq(hit_region_append(&region, &empty), HIT_OK);
    ck_assert_int_eq(hit_region_add(&region, &empty), HIT_OK);
    ck_assert_int_eq(hit_region_subtract(&region, &empty), HIT_OK);
    ck_assert_int_eq(hit_region_covers(&region, &empty, &yes), HIT_OK);
    ck_assert(yes);
    ck_assert_int_eq(region.count, 0);
    ck_assert_int_eq(hit_region_add(&region, &scalar), HIT_OK);
    ck_assert_int_eq(hit_region_add(&region, &scalar), HIT_OK);
    ck_assert_int_eq(hit_region_count(&region), 1);
    ck_assert_int_eq(hit_region_subtract(&region, &scalar), HIT_OK);
    ck_assert_int_eq(hit_region_count(&region), 0);
    hit_region_clear(&region);
}
END_TEST

START_TEST(large_regions_count_without_overflow)
{
    hit_domain a = hit_domain_of(INT64_MAX - 1);
    hit_domain b =
        hit_domain_box(1, (hit_index[]){INT64_MIN}, (hit_index[]){INT64_MIN + 9});
    hit_region region = {0};

    ck_assert_int_eq(hit_region_append(&region, &a), HIT_OK);
    ck_assert_int_eq(hit_region_append(&region, &b), HIT_OK);
    ck_assert_int_eq(hit_region_count(&region), INT64_MAX);
    hit_region_clear(&region);
}
END_TEST

static Suite *suite(void)
{
    Suite *all = suite_create("region");
    TCase *region = tcase_create("region");

    tcase_add_test(region, any_sequence_of_operations_keeps_the_right_elements);
    tcase_add_test(region, covers_says_whether_all_elements_are_there);
    tcase_add_test(region, a_frame_is_four_boxes_with_whole_rows);
    tcase_add_test(region, a_part_of_the_region_may_be_the_operand);
    tcase_add_test(region, a_copy_is_independent);
    tcase_add_test(region, empty_domains_and_scalars_have_no_special_case);
    tcase_add_test(region, large_regions_count_without_overflow);
    suite_add_tcase(all, region);
    return all;
}

int main(void)
{
    return check_run(suite());
}
