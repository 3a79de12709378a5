/* SPDX-License-Identifier: MIT
 * Boxes that meet, against a look at all pairs. */
#include "hit/comm/message.h"
#include "hit/data/domain_set.h"
#include "tests/support/check_main.h"
#include "tests/support/faults.h"

enum {
    MOST_RANKS = 40,
    MANY_RANKS = 600 /* where all meet, more than lists are kept for */
};

typedef struct hulls {
    int ranks;
    int dims;
    hit_hull one[MANY_RANKS];
    hit_hull other[MANY_RANKS];
} hulls;

static hit_hull hull_random(hit_random *random, int dims, hit_index width)
{
    hit_hull made = hit_hull_of_nothing();

    if (hit_random_index(random, 0, 7) == 0) return made;
    for (hit_index boxes = hit_random_index(random, 1, 2); boxes > 0; boxes--) {
        hit_domain box = hit_domain_empty(dims);

        for (int d = 0; d < dims; d++) {
            const hit_index begin = hit_random_index(random, -30, 30);

            box.sig[d] = (hit_sig){begin, begin + hit_random_index(random, 0, width), 1};
        }
        hit_hull_widen(&made, &box);
    }
    return made;
}

static void hulls_random(uint64_t seed, hulls *made)
{
    hit_random random = {seed};

    made->ranks = (int)hit_random_index(&random, 1, MOST_RANKS);
    made->dims = (int)hit_random_index(&random, 1, 3);
    for (int r = 0; r < made->ranks; r++) {
        const hit_index width = hit_random_index(&random, 0, 1) * 20;

        made->one[r] = hull_random(&random, made->dims, width);
        made->other[r] = hull_random(&random, made->dims, 3);
    }
}

static bool meet(const hit_hull *a, const hit_hull *b, int dims)
{
    for (int d = 0; d < dims; d++) {
        const hit_index from = a->begin[d] > b->begin[d] ? a->begin[d] : b->begin[d];
        const hit_index to = a->end[d] < b->end[d] ? a->end[d] : b->end[d];

        if (from > to) return false;
    }
    return true;
}

/* Does @p peers list, in ascending order, those of @p others that each of @p of meets? */
static bool lists_are_right(const hit_peers *peers, const hit_hull of[],
                            const hit_hull others[], const hulls *h)
{
    size_t at = 0;

    for (int p = 0; p < h->ranks; p++) {
        if (peers->first[p] != at) return false;
        for (int q = 0; q < h->ranks; q++) {
            if (!meet(&of[p], &others[q], h->dims)) continue;
            if (at >= peers->first[p + 1] || peers->rank[at] != q) return false;
            at++;
        }
    }
    return peers->first[h->ranks] == at;
}

START_TEST(each_meets_those_that_a_look_at_all_pairs_finds)
{
    const int cases = hit_random_cases(2000);
    static hulls h;

    for (uint64_t seed = 1; seed <= (uint64_t)cases; seed++) {
        hit_peers of_one;
        hit_peers of_other;

        hulls_random(seed, &h);
        ck_assert_int_eq(
            hit_peers_find(h.one, h.other, h.ranks, h.dims, &of_one, &of_other), HIT_OK);
        if (!lists_are_right(&of_one, h.one, h.other, &h) ||
            !lists_are_right(&of_other, h.other, h.one, &h)) {
            ck_abort_msg("seed %d: %d ranks, %d dimensions", (int)seed, h.ranks, h.dims);
        }
        hit_peers_clear(&of_one);
        hit_peers_clear(&of_other);
    }
}
END_TEST

/* Two sets of ranks, each of which meets all of its own set. */
static void hulls_in_sets(int sets, hulls *made)
{
    made->ranks = MANY_RANKS;
    made->dims = 2;
    for (int r = 0; r < made->ranks; r++) {
        const hit_domain box = hit_domain_of(4, 4 + 4 * sets);
        hit_hull hull = hit_hull_of_nothing();

        hit_hull_widen(&hull, &box);
        hull.begin[1] = hull.end[1] = r % sets;
        made->one[r] = hull;
        made->other[r] = hull;
    }
}

START_TEST(lists_are_kept_unless_nearly_all_meet)
{
    static hulls h;

    for (int sets = 1; sets <= 4; sets++) {
        hit_peers of_one;
        hit_peers of_other;

        hulls_in_sets(sets, &h);
        ck_assert_int_eq(
            hit_peers_find(h.one, h.other, h.ranks, h.dims, &of_one, &of_other), HIT_OK);
        ck_assert((of_one.first == NULL) == (sets <= 2));
        ck_assert((of_other.first == NULL) == (sets <= 2));
        if (sets > 2) ck_assert(lists_are_right(&of_one, h.one, h.other, &h));
        if (sets > 2) ck_assert(lists_are_right(&of_other, h.other, h.one, &h));
        hit_peers_clear(&of_one);
        hit_peers_clear(&of_other);
    }
}
END_TEST

START_TEST(without_dimensions_all_meet)
{
    static hulls h;
    hit_peers of_one;
    hit_peers of_other;

    hulls_in_sets(1, &h);
    ck_assert_int_eq(hit_peers_find(h.one, h.other, 3, 0, &of_one, &of_other), HIT_OK);
    ck_assert(of_one.first == NULL && of_other.first == NULL);
}
END_TEST

START_TEST(without_memory_there_are_no_lists)
{
    static hulls h;
    hit_status status = HIT_E_NOMEM;
    long at = 0;

    hulls_random(1, &h);
    while (status != HIT_OK) {
        hit_peers of_one;
        hit_peers of_other;
        long held;

        test_fault.kind = FAULT_ALLOCATION;
        test_fault.held = 0;
        test_fault.fail_at = ++at;
        test_fault_begin();
        status = hit_peers_find(h.one, h.other, h.ranks, h.dims, &of_one, &of_other);
        hit_peers_clear(&of_one);
        hit_peers_clear(&of_other);
        test_fault.on = false;
        held = test_fault.held; /* assertions allocate, too */
        ck_assert_int_eq(held, 0);
        ck_assert(status == HIT_OK || status == HIT_E_NOMEM);
    }
    ck_assert_int_gt(at, 6);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("hit.comm.peers");
    TCase *all = tcase_create("peers");

    tcase_add_test(all, each_meets_those_that_a_look_at_all_pairs_finds);
    tcase_add_test(all, lists_are_kept_unless_nearly_all_meet);
    tcase_add_test(all, without_dimensions_all_meet);
    tcase_add_test(all, without_memory_there_are_no_lists);
    tcase_set_timeout(all, 120);
    suite_add_tcase(made, all);
    return made;
}

int main(void)
{
    return check_run(suite());
}
