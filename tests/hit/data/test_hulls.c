/* SPDX-License-Identifier: MIT
 * What a tree of hulls answers is what a look at all of them answers. */
#include "hit/data/nearby.h"
#include "tests/support/check_main.h"

enum {
    MOST = 300
};

static hit_domain random_box(hit_random *random, int dims, hit_index far)
{
    hit_domain box = {.dims = dims};

    for (int d = 0; d < dims; d++) {
        const hit_index begin = hit_random_index(random, -far, far);
        const hit_index length = hit_random_index(random, 0, far / 8 + 1);

        box.sig[d].begin = begin;
        box.sig[d].end = begin + length;
        box.sig[d].stride = 1;
    }
    return box;
}

static bool near_each_other(const hit_domain *box, const hit_hull *near)
{
    const hit_hull hull = hit_hull_of(box);

    return hit_hull_meets(&hull, near, box->dims);
}

START_TEST(a_tree_finds_what_a_look_at_all_finds)
{
    hit_random random = hit_random_start((uint64_t)_i);
    const int dims = (int)hit_random_index(&random, 1, HIT_MAX_DIMS);
    const int count = (int)hit_random_index(&random, 0, MOST);
    const hit_index far = hit_random_index(&random, 1, 200);
    hit_domain box[MOST];
    hit_hulls hulls;
    bool right = true;

    for (int k = 0; k < count; k++) {
        box[k] = random_box(&random, dims, far);
    }
    HIT_MUST(hit_hulls_make(box, count, &hulls));
    for (int turn = 0; turn < 30; turn++) {
        const hit_domain some = random_box(&random, dims, far);
        const hit_hull near = hit_hull_of(&some);
        int found = hit_hulls_next(&hulls, 0, &near);

        for (int k = 0; k < count; k++) {
            if (!near_each_other(&box[k], &near)) continue;
            right = right && found == k;
            found = hit_hulls_next(&hulls, k + 1, &near);
        }
        right = right && found == -1;
    }
    ck_assert(right);
    hit_hulls_clear(&hulls);
}
END_TEST

START_TEST(nothing_is_near_nothing)
{
    const hit_domain box = hit_domain_of(10);
    const hit_hull nothing = hit_hull_of_nothing();
    hit_hulls hulls;

    HIT_MUST(hit_hulls_make(&box, 1, &hulls));
    ck_assert_int_eq(hit_hulls_next(&hulls, 0, &nothing), -1);
    ck_assert_int_eq(hit_hulls_next(&hulls, 1, &nothing), -1);
    hit_hulls_clear(&hulls);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("hit.data.hulls");
    TCase *tests = tcase_create("hulls");

    tcase_add_loop_test(tests, a_tree_finds_what_a_look_at_all_finds, 0, 40);
    tcase_add_test(tests, nothing_is_near_nothing);
    suite_add_tcase(made, tests);
    return made;
}

int main(void)
{
    return check_run(suite());
}
