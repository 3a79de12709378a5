/* SPDX-License-Identifier: MIT
 * Process grids, against all factorisations. */
#include "hit/data/sig.h"
#include "hit/topo/topology.h"
#include "tests/support/check_main.h"

static hit_topology fit(hit_domain domain, int ranks)
{
    return hit_topology_fit(&domain, ranks, NULL);
}

static void expect(hit_topology grid, int dims, const int size[])
{
    ck_assert_int_eq(grid.dims, dims);
    for (int d = 0; d < dims; d++) {
        ck_assert_int_eq(grid.size[d], size[d]);
    }
}

START_TEST(grids_are_as_square_as_the_domain)
{
    expect(fit(hit_domain_of(100, 100, 100), 8), 3, (const int[]){2, 2, 2});
    expect(fit(hit_domain_of(100, 100), 6), 2, (const int[]){3, 2});
    expect(fit(hit_domain_of(1000, 10), 6), 2, (const int[]){6, 1});
    expect(fit(hit_domain_of(10, 1000), 6), 2, (const int[]){1, 6});
    expect(fit(hit_domain_of(100, 400), 16), 2, (const int[]){2, 8});
    expect(fit(hit_domain_of(7), 5), 1, (const int[]){5});
}
END_TEST

START_TEST(a_grid_leaves_no_rank_without_a_part_if_it_can)
{
    expect(fit(hit_domain_of(3, 100), 7), 2, (const int[]){1, 7});
    expect(fit(hit_domain_of(2, 2, 2), 8), 3, (const int[]){2, 2, 2});
    expect(fit(hit_domain_of(4, 3), 12), 2, (const int[]){4, 3});
    expect(fit(hit_domain_of(1, 1), 4), 2, (const int[]){4, 1});
    expect(fit(hit_domain_of(0, 9), 4), 2, (const int[]){4, 1});
}
END_TEST

START_TEST(strides_and_begins_do_not_matter)
{
    hit_domain domain = {.dims = 2,
                         .sig = {hit_sig_make(-5, 994, 100), hit_sig_make(7, 1006, 1)}};

    expect(fit(domain, 6), 2, (const int[]){1, 6});
}
END_TEST

START_TEST(a_scalar_has_a_grid_of_one_rank)
{
    hit_topology grid = fit(hit_domain_scalar(), 5);

    ck_assert_int_eq(grid.dims, 0);
    ck_assert_int_eq(hit_topology_ranks(&grid), 1);
    ck_assert_int_eq(hit_topology_rank(&grid, NULL), 0);
}
END_TEST

START_TEST(dimensions_that_may_not_be_cut_are_not)
{
    hit_domain domain = hit_domain_of(3, 1000, 1000);

    expect(hit_topology_fit(&domain, 12, (const bool[]){true, false, false}), 3,
           (const int[]){12, 1, 1});
    expect(hit_topology_fit(&domain, 12, (const bool[]){false, true, false}), 3,
           (const int[]){1, 12, 1});
    expect(hit_topology_fit(&domain, 12, (const bool[]){true, false, true}), 3,
           (const int[]){1, 1, 12});
    expect(hit_topology_fit(&domain, 12, (const bool[]){false, false, false}), 3,
           (const int[]){12, 1, 1});
}
END_TEST

START_TEST(large_numbers_of_ranks_are_factored)
{
    expect(fit(hit_domain_of(INT64_C(1) << 31, INT64_C(1) << 31), 1 << 30), 2,
           (const int[]){1 << 15, 1 << 15});
    expect(fit(hit_domain_of(1000, 1000), 2147483647), 2, (const int[]){2147483647, 1});
    expect(fit(hit_domain_of(5000, 5000), 10000), 2, (const int[]){100, 100});
}
END_TEST

/** Non-empty parts, and the faces between them: both exact. */
typedef struct cost {
    hit_index parts;
    hit_index faces;
} cost;

static cost cost_of(const hit_domain *domain, const int size[])
{
    cost c = {1, 0};
    hit_index count[HIT_MAX_DIMS];

    for (int d = 0; d < domain->dims; d++) {
        count[d] = hit_sig_count(domain->sig[d]);
        c.parts *= size[d] < count[d] ? size[d] : count[d];
    }
    for (int d = 0; d < domain->dims; d++) {
        hit_index face = 1;

        for (int e = 0; e < domain->dims; e++) {
            if (e != d) face *= count[e];
        }
        c.faces += ((size[d] < count[d] ? size[d] : count[d]) - 1) * face;
    }
    return c;
}

/** The best cost of all grids of @p rest ranks along the dimensions from @p dim on. */
static void all_grids(const hit_domain *domain, int dim, int rest, int size[], cost *best)
{
    cost c;

    if (dim < domain->dims) {
        for (size[dim] = 1; size[dim] <= rest; size[dim]++) {
            if (rest % size[dim] == 0) {
                all_grids(domain, dim + 1, rest / size[dim], size, best);
            }
        }
        return;
    }
    if (rest != 1) return;
    c = cost_of(domain, size);
    if (c.parts > best->parts || (c.parts == best->parts && c.faces < best->faces)) {
        *best = c;
    }
}

START_TEST(no_other_grid_has_more_parts_or_less_surface)
{
    hit_random random = hit_random_start(11);

    for (int i = 0; i < 4000; i++) {
        int ranks = (int)hit_random_index(&random, 1, 72);
        hit_domain domain = {.dims = (int)hit_random_index(&random, 1, HIT_MAX_DIMS)};
        int size[HIT_MAX_DIMS];
        cost best = {0, 0};
        cost found;
        hit_topology grid;

        for (int d = 0; d < domain.dims; d++) {
            domain.sig[d] = hit_sig_make(0, hit_random_index(&random, 0, 40), 1);
        }
        all_grids(&domain, 0, ranks, size, &best);
        grid = hit_topology_fit(&domain, ranks, NULL);
        ck_assert_int_eq(hit_topology_ranks(&grid), ranks);
        found = cost_of(&domain, grid.size);
        ck_assert_int_eq(found.parts, best.parts);
        ck_assert_int_eq(found.faces, best.faces);
    }
}
END_TEST

START_TEST(ranks_are_numbered_in_row_major_order)
{
    hit_topology grid = {.dims = 3, .size = {2, 3, 4}};
    int rank = 0;

    for (int i = 0; i < 2; i++) {
        for (int j = 0; j < 3; j++) {
            for (int k = 0; k < 4; k++, rank++) {
                int coord[3];

                ck_assert_int_eq(hit_topology_rank(&grid, (const int[]){i, j, k}), rank);
                hit_topology_coords(&grid, rank, coord);
                ck_assert_int_eq(coord[0], i);
                ck_assert_int_eq(coord[1], j);
                ck_assert_int_eq(coord[2], k);
            }
        }
    }
    ck_assert_int_eq(hit_topology_ranks(&grid), rank);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("topology");
    TCase *tcase = tcase_create("topology");

    tcase_add_test(tcase, grids_are_as_square_as_the_domain);
    tcase_add_test(tcase, a_grid_leaves_no_rank_without_a_part_if_it_can);
    tcase_add_test(tcase, strides_and_begins_do_not_matter);
    tcase_add_test(tcase, a_scalar_has_a_grid_of_one_rank);
    tcase_add_test(tcase, dimensions_that_may_not_be_cut_are_not);
    tcase_add_test(tcase, large_numbers_of_ranks_are_factored);
    tcase_add_test(tcase, no_other_grid_has_more_parts_or_less_surface);
    tcase_add_test(tcase, ranks_are_numbered_in_row_major_order);
    suite_add_tcase(made, tcase);
    return made;
}

int main(void)
{
    return check_run(suite());
}
