/* SPDX-License-Identifier: MIT
 * Pieces of random domains: they tile the domain, one after the other, and are of one
 * size where the domain allows it. */
#include "hit/data/sig.h"
#include "hit/measure/measure_impl.h"
#include "tests/support/check_main.h"

#include <math.h>

enum {
    CASES = 2000
};

/* A domain that is not empty, of @p dims dimensions. */
static hit_domain random_domain(hit_random *random, int dims, hit_index most)
{
    hit_domain made = {.dims = dims};

    for (int d = 0; d < dims; d++) {
        const hit_index begin = hit_random_index(random, -50, 50);
        const hit_index stride = hit_random_index(random, 1, 3);
        const hit_index count = hit_random_index(random, 1, most);

        made.sig[d] = hit_sig_make(begin, begin + (count - 1) * stride, stride);
    }
    return made;
}

START_TEST(pieces_tile_the_domain_in_turn)
{
    hit_random random = hit_random_start(11);

    for (int n = 0; n < CASES; n++) {
        const hit_domain whole = random_domain(&random, 1 + n % 3, n % 3 == 0 ? 300 : 12);
        const double wanted = (double)hit_random_index(&random, 1, 400);
        hit_pieces pieces = hit_pieces_cut(&whole, wanted);
        const hit_index count = hit_pieces_count(&pieces);
        hit_domain first;
        hit_index sum = 0;

        for (hit_index k = 0; k < count; k++) {
            const hit_domain piece = hit_pieces_take(&pieces);
            hit_domain both;

            if (k == 0) first = piece;
            both = hit_domain_intersect(&piece, &whole);
            ck_assert(hit_domain_equal(&both, &piece));
            both = hit_domain_intersect(&piece, &first);
            ck_assert(k == 0 || hit_domain_is_empty(&both));
            ck_assert_int_ge(hit_domain_count(&piece), 1);
            sum += hit_domain_count(&piece);
        }
        ck_assert_int_eq(sum, hit_domain_count(&whole));
        {
            const hit_domain again = hit_pieces_take(&pieces);

            ck_assert(hit_domain_equal(&again, &first));
        }
    }
}
END_TEST

START_TEST(pieces_of_unlike_domains_are_alike)
{
    hit_random random = hit_random_start(12);

    for (int n = 0; n < CASES; n++) {
        const hit_domain whole = hit_domain_of(hit_random_index(&random, 400, 5000),
                                               hit_random_index(&random, 400, 5000));
        hit_pieces pieces = hit_pieces_cut(&whole, 64 * 64);
        const hit_domain piece = hit_pieces_take(&pieces);

        for (int d = 0; d < 2; d++) {
            ck_assert(fabs((double)hit_sig_count(piece.sig[d]) - 64) <= 8);
        }
    }
}
END_TEST

START_TEST(a_piece_is_the_whole_where_that_is_small)
{
    const hit_domain whole = hit_domain_of(30, 20);
    hit_pieces pieces = hit_pieces_cut(&whole, 600);
    hit_domain piece = hit_pieces_take(&pieces);

    ck_assert(hit_domain_equal(&piece, &whole));
    pieces = hit_pieces_cut(&whole, INFINITY);
    piece = hit_pieces_take(&pieces);
    ck_assert(hit_domain_equal(&piece, &whole));
    /* narrow ones are cut along the long dimension */
    pieces = hit_pieces_cut(&whole, 100);
    ck_assert_int_eq(hit_pieces_count(&pieces), 6);
    piece = hit_domain_of(1000, 2);
    pieces = hit_pieces_cut(&piece, 200);
    ck_assert_int_eq(pieces.count[0], 10);
    ck_assert_int_eq(pieces.count[1], 1);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("hit.launch.pieces");
    TCase *tests = tcase_create("all");

    tcase_add_test(tests, pieces_tile_the_domain_in_turn);
    tcase_add_test(tests, pieces_of_unlike_domains_are_alike);
    tcase_add_test(tests, a_piece_is_the_whole_where_that_is_small);
    suite_add_tcase(made, tests);
    return made;
}

int main(void)
{
    return check_run(suite());
}
