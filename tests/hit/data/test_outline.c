/* SPDX-License-Identifier: MIT
 * Outlines against the boxes themselves: what may have an element in common is never
 * passed over, and what lies apart in one of the first dimensions is. */
#include "hit/data/fence.h"
#include "hit/data/sig.h"
#include "tests/support/check_main.h"
#include "tests/support/random.h"

#include <stdlib.h>

enum {
    BOXES = 70 /* not a multiple of those that are compared at a time */
};

static hit_domain random_box(hit_random *r, int dims, hit_index far)
{
    hit_domain box = {.dims = dims};

    for (int d = 0; d < dims; d++) {
        const hit_index base = hit_random_index(r, 0, 3) == 0 ? far : 0;
        const hit_index begin = base + hit_random_index(r, -20, 20);

        box.sig[d] = hit_sig_make(begin, begin + hit_random_index(r, 0, 15), 1);
    }
    return box;
}

/* Do they meet in all dimensions that outlines have? */
static bool is_near(const hit_domain *a, const hit_domain *b)
{
    for (int d = 0; d < a->dims && d < HIT_OUTLINE_DIMS; d++) {
        if (a->sig[d].begin > b->sig[d].end || a->sig[d].end < b->sig[d].begin) {
            return false;
        }
    }
    return true;
}

/* One of @p far must not meet one near 0; boxes beyond 32 bits may count as near each
 * other. */
static void compare(hit_random *r, hit_index far, bool exact)
{
    const int dims = (int)hit_random_index(r, 0, HIT_MAX_DIMS);
    const int count = (int)hit_random_index(r, 0, BOXES);
    hit_outlines *outlines = NULL;
    hit_domain box[BOXES];

    HIT_MUST(hit_outlines_resize(0, count / 2 + 1, &outlines));
    HIT_MUST(hit_outlines_resize(count / 2 + 1, BOXES, &outlines));
    for (int turn = 0; turn < 2; turn++) { /* also one over another */
        for (int k = 0; k < count; k++) {
            box[k] = random_box(r, dims, far);
            hit_outlines_set(outlines, k, &box[k]);
        }
    }
    for (int turn = 0; turn < 20; turn++) {
        const hit_domain asked = random_box(r, dims, far);
        const hit_outline near = hit_outline_of(&asked);
        int at = -1;

        for (int k = 0; k < count; k++) {
            if (!is_near(&box[k], &asked)) continue;
            do {
                at = hit_outlines_next(outlines, at + 1, count, &near);
            } while (at >= 0 && at < k && !exact);
            ck_assert_int_eq(at, k);
        }
        at = hit_outlines_next(outlines, at + 1, count, &near);
        ck_assert(at == -1 || !exact);
    }
    free(outlines);
}

START_TEST(what_may_meet_is_found_from_the_first_to_the_last)
{
    hit_random r = hit_random_start(73);

    for (int k = 0; k < hit_random_cases(500); k++) {
        compare(&r, 1000, true);
        compare(&r, INT64_C(-70000000000), false);
        compare(&r, INT64_C(70000000000), false);
    }
}
END_TEST

START_TEST(all_elements_meet_every_box)
{
    const hit_outline all = hit_outline_of(NULL);
    const hit_domain far = hit_domain_box(1, (hit_index[]){INT64_C(1) << 60},
                                          (hit_index[]){INT64_C(1) << 61});
    hit_outlines *outlines = NULL;

    HIT_MUST(hit_outlines_resize(0, 1, &outlines));
    hit_outlines_set(outlines, 0, &far);
    ck_assert_int_eq(hit_outlines_next(outlines, 0, 1, &all), 0);
    ck_assert_int_eq(hit_outlines_next(outlines, 1, 1, &all), -1);
    ck_assert_int_eq(hit_outlines_next(NULL, 0, 0, &all), -1);
    free(outlines);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("outline");
    TCase *tc = tcase_create("outline");

    tcase_add_test(tc, what_may_meet_is_found_from_the_first_to_the_last);
    tcase_add_test(tc, all_elements_meet_every_box);
    suite_add_tcase(suite, tc);
    return suite;
}

int main(void)
{
    return check_run(suite());
}
