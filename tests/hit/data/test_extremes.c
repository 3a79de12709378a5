/* SPDX-License-Identifier: MIT
 * Extremes of boxes against looking at each element, from tables with a cell for each
 * element and from smaller ones, also put together from several. */
#include "hit/data/domain_set.h"
#include "hit/data/extremes.h"
#include "hit/data/sig.h"
#include "tests/support/check_main.h"

#include <stdlib.h>

typedef struct scene {
    hit_domain domain;
    hit_index *number;
    hit_index count;
    hit_extremes *table;
} scene;

static hit_index number_of(const scene *s, const hit_index at[])
{
    hit_index place = 0;

    for (int d = 0; d < s->domain.dims; d++) {
        place = place * hit_sig_count(s->domain.sig[d]) +
                hit_sig_position(s->domain.sig[d], at[d]);
    }
    return s->number[place];
}

static hit_index random_number(hit_random *random)
{
    static const hit_index far[] = {INT64_MIN, INT64_MAX, -1, 0};

    return hit_random_index(random, 0, 15) == 0 ? far[hit_random_index(random, 0, 3)]
                                                : hit_random_index(random, -99, 99);
}

/* Each element is noted in one of two tables, which are put together. */
static scene make_scene(hit_random *random, hit_index most)
{
    const int dims = (int)hit_random_index(random, 0, 3);
    scene s = {.domain = hit_random_domain(random, dims, -9, 12, 3)};
    hit_extremes *other = NULL;
    uint64_t *words[2];
    int count;

    s.count = hit_domain_count(&s.domain);
    s.number = calloc((size_t)s.count + 1, sizeof(hit_index));
    HIT_MUST(hit_extremes_create(&s.domain, most, &s.table));
    HIT_MUST(hit_extremes_create(&s.domain, most, &other));
    for (hit_index k = 0; k < s.count; k++) {
        s.number[k] = random_number(random);
    }
    HIT_FOR_EACH (at, s.domain) {
        hit_extremes_note(hit_random_index(random, 0, 1) ? s.table : other, at,
                          number_of(&s, at));
    }
    words[0] = hit_extremes_words(s.table, &count);
    words[1] = hit_extremes_words(other, &count);
    ck_assert_int_le(count, 2 * (most > 1 ? most : 1));
    for (int k = 0; k < count; k++) {
        if (words[1][k] > words[0][k]) words[0][k] = words[1][k];
    }
    hit_extremes_release(&other);
    hit_extremes_finish(s.table);
    return s;
}

static void drop_scene(scene *s)
{
    hit_extremes_release(&s->table);
    free(s->number);
}

/* By the elements. False: there are none. */
static bool expect(const scene *s, const hit_domain *box, hit_index *least,
                   hit_index *greatest)
{
    const hit_domain common = hit_domain_intersect(box, &s->domain);
    bool any = false;

    HIT_FOR_EACH (at, common) {
        const hit_index number = number_of(s, at);

        if (!any || number < *least) *least = number;
        if (!any || number > *greatest) *greatest = number;
        any = true;
    }
    return any;
}

START_TEST(a_cell_for_each_element_is_exact)
{
    const int cases = hit_random_cases(2000);
    hit_random random = hit_random_start(65);

    for (int n = 0; n < cases; n++) {
        scene s = make_scene(&random, 20000);
        bool right = true;

        for (int k = 0; k < 8; k++) {
            const hit_domain box = hit_random_domain(&random, s.domain.dims, -12, 15, 1);
            hit_index want[2] = {0, 0};
            hit_index found[2] = {0, 0};
            const bool any = expect(&s, &box, &want[0], &want[1]);

            right =
                right && hit_extremes_find(s.table, &box, &found[0], &found[1]) == any;
            right = right && (!any || (want[0] == found[0] && want[1] == found[1]));
        }
        ck_assert(right);
        drop_scene(&s);
    }
}
END_TEST

START_TEST(fewer_cells_hold_more_and_grow_with_the_box)
{
    const int cases = hit_random_cases(2000);
    hit_random random = hit_random_start(66);
    int wider = 0;

    for (int n = 0; n < cases; n++) {
        scene s = make_scene(&random, hit_random_index(&random, 1, 40));
        const hit_domain box = hit_random_domain(&random, s.domain.dims, -12, 15, 1);
        const hit_domain some = hit_random_domain(&random, s.domain.dims, -12, 15, 1);
        const hit_domain inner = hit_domain_intersect(&box, &some);
        hit_index want[2];
        hit_index in_box[2];
        hit_index in_inner[2];

        if (expect(&s, &box, &want[0], &want[1])) {
            ck_assert(hit_extremes_find(s.table, &box, &in_box[0], &in_box[1]));
            ck_assert(in_box[0] <= want[0] && in_box[1] >= want[1]);
            wider += in_box[0] < want[0] || in_box[1] > want[1];
            if (hit_extremes_find(s.table, &inner, &in_inner[0], &in_inner[1])) {
                ck_assert(in_box[0] <= in_inner[0] && in_box[1] >= in_inner[1]);
            }
        }
        drop_scene(&s);
    }
    ck_assert_int_gt(wider, 0);
}
END_TEST

START_TEST(of_a_table_that_was_forgotten_elements_are_any_number)
{
    const hit_domain all = hit_domain_of(9);
    hit_extremes *table = NULL;
    hit_extremes *shared;
    hit_index least = 0;
    hit_index greatest = 0;

    HIT_MUST(hit_extremes_create(&all, 4, &table));
    hit_extremes_finish(table);
    ck_assert(!hit_extremes_find(table, &all, &least, &greatest));
    shared = hit_extremes_share(table);
    hit_extremes_forget(table);
    hit_extremes_release(&table);
    ck_assert_ptr_null(table);
    ck_assert(hit_extremes_find(shared, &all, &least, &greatest));
    ck_assert(least == INT64_MIN && greatest == INT64_MAX);
    hit_extremes_release(&shared);
    hit_extremes_release(&shared);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("hit/data/extremes");
    TCase *tests = tcase_create("extremes");

    tcase_add_test(tests, a_cell_for_each_element_is_exact);
    tcase_add_test(tests, fewer_cells_hold_more_and_grow_with_the_box);
    tcase_add_test(tests, of_a_table_that_was_forgotten_elements_are_any_number);
    suite_add_tcase(made, tests);
    return made;
}

int main(void)
{
    return check_run(suite());
}
