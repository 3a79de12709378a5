/* SPDX-License-Identifier: MIT
 * Sets of elements, beside arrays of flags. */
#include "hit/data/domain_set.h"
#include "hit/data/marks.h"
#include "hit/data/ndcopy.h"
#include "hit/data/sig.h"
#include "tests/support/check_main.h"
#include "tests/support/random.h"

#include <string.h>

enum {
    MOST = 7 * 6 * 5
};

static hit_domain random_domain(hit_random *random)
{
    hit_domain made = {.dims = (int)hit_random_index(random, 0, 3)};

    for (int d = 0; d < made.dims; d++) {
        const hit_index begin = hit_random_index(random, -9, 9);
        const hit_index stride = hit_random_index(random, 1, 3);

        made.sig[d] =
            hit_sig_make(begin, begin + stride * hit_random_index(random, 0, 4), stride);
    }
    return made;
}

START_TEST(marked_elements_become_zero_and_no_others)
{
    hit_random random = hit_random_start(771);

    for (int t = 0; t < 300; t++) {
        const hit_domain domain = random_domain(&random);
        int32_t element[MOST];
        bool in[MOST] = {false};
        uint64_t count = 0;
        uint64_t place = 0;
        hit_marks *marks;
        hit_marks *other;
        const hit_view view = hit_view_make(&domain, sizeof(element[0]), element);

        HIT_MUST(hit_marks_create(&domain, &marks));
        other = hit_marks_share(marks);
        HIT_FOR_EACH (at, domain) {
            hit_index found[HIT_MAX_DIMS] = {0};

            hit_domain_at_place(&domain, place, found);
            ck_assert_int_eq(memcmp(found, at, (size_t)domain.dims * sizeof(hit_index)),
                             0);
            ck_assert_uint_eq(hit_domain_place(&domain, at), place);
            element[place] = 7;
            in[place] = hit_random_index(&random, 0, 1) != 0;
            count += in[place];
            if (in[place]) hit_marks_add(marks, at);
            place++;
        }
        ck_assert_uint_eq(hit_marks_count(marks), count);
        hit_marks_release(&marks);
        hit_marks_zero(other, &view, &domain);
        for (uint64_t k = 0; k < place; k++) {
            ck_assert_int_eq(element[k], in[k] ? 0 : 7);
        }
        hit_marks_release(&other);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("hit/data/marks");
    TCase *tests = tcase_create("marks");

    tcase_add_test(tests, marked_elements_become_zero_and_no_others);
    suite_add_tcase(suite, tests);
    return check_run(suite);
}
