/* SPDX-License-Identifier: MIT
 * The ranks that may own some of a box, against all elements of it; and that they are
 * found without a look at all of them. */
#include "hit/data/domain_set.h"
#include "hit/topo/layout_impl.h"
#include "hit/topo/layout_plugin.h"
#include "tests/support/check_main.h"

static const char *const texts[] = {"block",  "blockcyclic", "blockcyclic block=3",
                                    "cyclic", "single",      "columns"};

static hit_layout *plan(hit_domain domain, int ranks, const char *text)
{
    hit_layout *layout = NULL;

    if (hit_layout_plan_text(NULL, domain, ranks, text, &layout) != HIT_OK) return NULL;
    return layout;
}

/* Two boxes, the second of which may lie beyond the domain. */
static void expect_owners(const hit_layout *layout, const hit_domain box[2])
{
    const hit_domain domain = hit_layout_domain(layout);
    hit_owners owners = {0};
    hit_index x[HIT_MAX_DIMS];

    for (int k = 0; k < 2; k++) {
        const hit_hull hull = hit_hull_of(&box[k]);

        HIT_MUST(hit_owners_add(layout, &hull, &owners));
    }
    hit_owners_sort(&owners);
    for (int k = 1; k < owners.count; k++) {
        ck_assert_int_lt(owners.rank[k - 1], owners.rank[k]);
    }
    for (bool more = hit_domain_first(&domain, x); more && !owners.all;
         more = hit_domain_next(&domain, x)) {
        if (!hit_domain_has(&box[0], x) && !hit_domain_has(&box[1], x)) continue;
        ck_assert(hit_owners_has(&owners, hit_layout_owner(layout, x)));
    }
    hit_owners_clear(&owners);
}

START_TEST(owners_are_found)
{
    hit_random random = hit_random_start(1);
    const int cases = hit_random_cases(2000);
    int planned = 0;

    for (int k = 0; k < cases; k++) {
        const int dims = (int)hit_random_index(&random, 1, 3);
        const int ranks = (int)hit_random_index(&random, 1, 40);
        const hit_domain domain = hit_random_domain(&random, dims, -9, 9, 2);
        const size_t text = (size_t)hit_random_index(&random, 0, 5);
        hit_layout *layout = plan(domain, ranks, texts[text]);
        hit_domain box[2];

        if (layout == NULL) continue;
        planned++;
        box[0] = hit_random_subdomain(&random, &domain, 1);
        box[1] = hit_random_domain(&random, dims, -12, 12, 1);
        expect_owners(layout, box);
        hit_layout_destroy(&layout);
    }
    ck_assert_int_gt(planned, cases / 2);
}
END_TEST

/* One block of 300 x 300 on 10,000 ranks, and its neighbours. */
START_TEST(few_of_many)
{
    const hit_domain domain = hit_domain_of(30000, 30000);
    hit_layout *layout = plan(domain, 10000, "block");
    const hit_hull hull = {.begin = {299, 0}, .end = {600, 299}};
    hit_owners owners = {0};

    HIT_MUST(hit_owners_add(layout, &hull, &owners));
    hit_owners_sort(&owners);
    ck_assert(!owners.all);
    ck_assert_int_eq(owners.walked, 3);
    ck_assert_int_eq(owners.count, 3);
    for (int k = 0; k < 3; k++) {
        ck_assert_int_eq(owners.rank[k], 100 * k);
    }
    hit_owners_clear(&owners);
    hit_layout_destroy(&layout);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("owners");
    TCase *tcase = tcase_create("owners");

    tcase_add_test(tcase, owners_are_found);
    tcase_add_test(tcase, few_of_many);
    suite_add_tcase(made, tcase);
    return made;
}

int main(void)
{
    return check_run(suite());
}
