/* SPDX-License-Identifier: MIT
 * Signatures against the definition of a set: every claim is compared element by element
 * over a window that is larger than the operands; then values where 64 bits would
 * overflow on the way. */
#include "hit/data/sig.h"
#include "tests/support/check_main.h"

#include <inttypes.h>

enum {
    CASES = 20000,
    LOW = -40,
    HIGH = 40,
    WINDOW = 100
};

#define SIG "(%" PRId64 ", %" PRId64 ", %" PRId64 ")"
#define OF(sig) (sig).begin, (sig).end, (sig).stride

/* The definition; independent of sig.c. */
static bool in(hit_sig sig, hit_index x)
{
    return x >= sig.begin && x <= sig.end && (x - sig.begin) % sig.stride == 0;
}

static bool canonical(hit_sig sig)
{
    if (sig.begin > sig.end) return sig.begin == 0 && sig.end == -1 && sig.stride == 1;
    if (sig.begin == sig.end) return sig.stride == 1;
    return sig.stride >= 1 && in(sig, sig.end);
}

static hit_sig random_sig(hit_random *random)
{
    return hit_random_sig(random, LOW, HIGH, 6);
}

static hit_sig sig_of(hit_index begin, hit_index end, hit_index stride)
{
    return (hit_sig){begin, end, stride};
}

static void expect(hit_sig found, hit_sig wanted)
{
    ck_assert_msg(hit_sig_equal(found, wanted), "found " SIG ", wanted " SIG, OF(found),
                  OF(wanted));
}

START_TEST(make_keeps_the_elements_and_is_canonical)
{
    hit_random random = hit_random_start(101);
    for (int n = 0; n < CASES; n++) {
        hit_sig raw = {hit_random_index(&random, LOW, HIGH),
                       hit_random_index(&random, LOW, HIGH),
                       hit_random_index(&random, 1, 20)};
        hit_sig sig = hit_sig_make(raw.begin, raw.end, raw.stride);
        hit_index count = 0;
        ck_assert_msg(canonical(sig), SIG " became " SIG, OF(raw), OF(sig));
        bool same = true;
        for (hit_index x = -WINDOW; x <= WINDOW; x++) {
            same = same && in(sig, x) == in(raw, x) && hit_sig_has(sig, x) == in(raw, x);
            count += in(raw, x);
        }
        ck_assert_msg(same, SIG " became " SIG, OF(raw), OF(sig));
        ck_assert_int_eq(hit_sig_count(sig), count);
        ck_assert_int_eq(hit_sig_is_empty(sig), count == 0);
    }
    expect(hit_sig_make(5, 9, 0), sig_of(0, -1, 1));
}
END_TEST

START_TEST(positions_number_the_elements_in_order)
{
    hit_random random = hit_random_start(102);
    for (int n = 0; n < CASES; n++) {
        hit_sig sig = random_sig(&random);
        hit_index k = 0;
        bool right = true;
        for (hit_index x = LOW; x <= HIGH; x++) {
            if (!in(sig, x)) continue;
            right = right && hit_sig_at(sig, k) == x && hit_sig_position(sig, x) == k;
            k++;
        }
        ck_assert_msg(right && hit_sig_count(sig) == k, "elements of " SIG, OF(sig));
    }
}
END_TEST

START_TEST(slices_are_clipped_to_the_signature)
{
    hit_random random = hit_random_start(103);
    for (int n = 0; n < CASES; n++) {
        hit_sig sig = random_sig(&random);
        hit_index first = hit_random_index(&random, -5, 30);
        hit_index last = hit_random_index(&random, -5, 30);
        hit_sig slice = hit_sig_slice(sig, first, last);
        hit_index k = 0;
        bool right = canonical(slice);
        for (hit_index x = LOW; x <= HIGH; x++) {
            bool inside = in(sig, x) && k >= first && k <= last;
            right = right && in(slice, x) == inside;
            k += in(sig, x);
        }
        ck_assert_msg(right, "elements %d..%d of " SIG " are " SIG, (int)first, (int)last,
                      OF(sig), OF(slice));
    }
}
END_TEST

START_TEST(intersections_have_the_elements_of_both)
{
    hit_random random = hit_random_start(104);
    for (int n = 0; n < CASES; n++) {
        hit_sig a = hit_random_sig(&random, LOW, HIGH, 12);
        hit_sig b = hit_random_sig(&random, LOW, HIGH, 12);
        hit_sig both = hit_sig_intersect(a, b);
        bool right = canonical(both) && hit_sig_equal(both, hit_sig_intersect(b, a));
        for (hit_index x = -WINDOW; x <= WINDOW; x++) {
            right = right && in(both, x) == (in(a, x) && in(b, x));
        }
        ck_assert_msg(right, SIG " with " SIG " is " SIG, OF(a), OF(b), OF(both));
    }
}
END_TEST

START_TEST(covers_hold_both_and_nothing_smaller_does)
{
    hit_random random = hit_random_start(105);
    for (int n = 0; n < CASES; n++) {
        hit_sig a = random_sig(&random);
        hit_sig b = random_sig(&random);
        hit_sig cover = hit_sig_cover(a, b);
        hit_index low = WINDOW;
        hit_index high = -WINDOW;
        hit_index stride = 0;
        bool holds = true;
        for (hit_index x = LOW; x <= HIGH; x++) {
            if (!in(a, x) && !in(b, x)) continue;
            holds = holds && in(cover, x);
            if (low <= high) stride = hit_index_gcd(stride, x - high);
            if (x < low) low = x;
            high = x;
        }
        ck_assert_msg(holds, SIG " and " SIG " give " SIG, OF(a), OF(b), OF(cover));
        /* no set with a larger stride than the gcd of the distances holds all elements */
        if (low > high) expect(cover, sig_of(0, -1, 1));
        if (low == high) expect(cover, sig_of(low, low, 1));
        if (low < high) expect(cover, sig_of(low, high, stride));
        expect(hit_sig_cover(b, a), cover);
    }
}
END_TEST

START_TEST(the_cover_that_is_printed_wrong_keeps_odd_elements)
{
    expect(hit_sig_cover(sig_of(0, 10, 2), sig_of(1, 11, 2)), sig_of(0, 11, 1));
    expect(hit_sig_cover(sig_of(0, 10, 2), sig_of(14, 14, 1)), sig_of(0, 14, 2));
    expect(hit_sig_cover(sig_of(0, 0, 1), sig_of(14, 14, 1)), sig_of(0, 14, 14));
}
END_TEST

START_TEST(inside_means_that_all_elements_are)
{
    hit_random random = hit_random_start(106);
    int yes = 0;
    for (int n = 0; n < 4 * CASES; n++) {
        hit_sig outer = random_sig(&random);
        hit_sig inner = hit_random_sig(&random, outer.begin, outer.begin + 12, 6);
        bool all = true;
        for (hit_index x = -WINDOW; x <= WINDOW; x++) {
            all = all && (!in(inner, x) || in(outer, x));
        }
        ck_assert_msg(hit_sig_inside(inner, outer) == all, SIG " in " SIG, OF(inner),
                      OF(outer));
        yes += all;
    }
    ck_assert_int_gt(yes, CASES / 4);
}
END_TEST

START_TEST(shifting_moves_every_element)
{
    hit_random random = hit_random_start(107);
    for (int n = 0; n < CASES; n++) {
        hit_sig sig = random_sig(&random);
        hit_index by = hit_random_index(&random, LOW, HIGH);
        hit_sig shifted = hit_sig_shift(sig, by);
        bool right = canonical(shifted);
        for (hit_index x = -WINDOW; x <= WINDOW; x++) {
            right = right && in(shifted, x + by) == in(sig, x);
        }
        ck_assert_msg(right, SIG " by %d is " SIG, OF(sig), (int)by, OF(shifted));
    }
}
END_TEST

START_TEST(growing_adds_elements_of_the_same_stride)
{
    expect(hit_sig_grow(sig_of(0, 9, 1), 2), sig_of(-2, 11, 1));
    expect(hit_sig_grow(sig_of(0, 9, 3), 2), sig_of(-6, 15, 3));
    expect(hit_sig_grow(sig_of(0, 9, 3), -1), sig_of(3, 6, 3));
    expect(hit_sig_grow(sig_of(0, 8, 4), -1), sig_of(4, 4, 1));
    expect(hit_sig_grow(sig_of(0, 9, 1), -5), sig_of(0, -1, 1));
    expect(hit_sig_grow(sig_of(7, 7, 1), 1), sig_of(6, 8, 1));
    expect(hit_sig_grow(sig_of(0, -1, 1), 3), sig_of(0, -1, 1));
}
END_TEST

START_TEST(preimages_are_exact_for_any_coefficient)
{
    hit_random random = hit_random_start(108);
    for (int n = 0; n < CASES; n++) {
        hit_sig sig = hit_random_sig(&random, LOW, HIGH, 12);
        hit_index coef = hit_random_index(&random, -7, 7);
        hit_index offset = hit_random_index(&random, LOW, HIGH);
        hit_sig image = hit_sig_preimage(sig, coef, offset);
        bool right = coef == 0 || canonical(image);
        for (hit_index x = -WINDOW; x <= WINDOW; x++) {
            right = right && hit_sig_has(image, x) == in(sig, coef * x + offset);
        }
        ck_assert_msg(right, "{x : %d x + %d in " SIG "} is " SIG, (int)coef, (int)offset,
                      OF(sig), OF(image));
    }
}
END_TEST

START_TEST(differences_are_disjoint_and_complete)
{
    hit_random random = hit_random_start(109);
    for (int n = 0; n < CASES; n++) {
        hit_sig a = random_sig(&random);
        hit_sig b = hit_random_sig(&random, LOW, HIGH, 40);
        hit_index pieces = hit_sig_minus_count(a, b);
        int holds[2 * WINDOW + 1] = {0};
        for (hit_index k = 0; k < pieces; k++) {
            hit_sig piece = hit_sig_minus(a, b, k);
            ck_assert_msg(canonical(piece) && !hit_sig_is_empty(piece),
                          SIG " minus " SIG " has the piece " SIG, OF(a), OF(b),
                          OF(piece));
            for (hit_index x = -WINDOW; x <= WINDOW; x++) {
                holds[x + WINDOW] += in(piece, x);
            }
        }
        bool right = true;
        for (hit_index x = -WINDOW; x <= WINDOW; x++) {
            right = right && holds[x + WINDOW] == (in(a, x) && !in(b, x));
        }
        ck_assert_msg(right, SIG " minus " SIG " in %d pieces", OF(a), OF(b),
                      (int)pieces);
    }
}
END_TEST

START_TEST(differences_have_few_pieces)
{
    hit_sig all = {0, 1000000, 1};
    ck_assert_int_eq(hit_sig_minus_count(all, sig_of(10, 20, 1)), 2);
    ck_assert_int_eq(hit_sig_minus_count(all, sig_of(0, 1000000, 2)), 1);
    ck_assert_int_eq(hit_sig_minus_count(all, sig_of(3, 999999, 3)), 4);
    /* two holes far apart: one gap between them, not 1000 residue classes */
    ck_assert_int_eq(hit_sig_minus_count(all, sig_of(500, 1501, 1001)), 3);
    ck_assert_int_eq(hit_sig_minus_count(all, all), 0);
    ck_assert_int_eq(hit_sig_minus_count(all, sig_of(-5, -1, 1)), 1);
}
END_TEST

START_TEST(divisions_round_as_they_are_called)
{
    for (hit_index a = -50; a <= 50; a++) {
        for (hit_index b = 1; b <= 12; b++) {
            hit_index low = hit_index_floor_div(a, b);
            hit_index high = hit_index_ceil_div(a, b);
            ck_assert(low * b <= a && a < (low + 1) * b);
            ck_assert(high * b >= a && a > (high - 1) * b);
        }
    }
    ck_assert_int_eq(hit_index_floor_div(INT64_MIN, 2), INT64_MIN / 2);
    ck_assert_int_eq(hit_index_ceil_div(INT64_MAX, INT64_MAX), 1);
}
END_TEST

START_TEST(gcd_is_the_greatest_common_divisor)
{
    for (hit_index a = -30; a <= 30; a++) {
        for (hit_index b = -30; b <= 30; b++) {
            hit_index best = 0;
            for (hit_index d = 1; d <= 30; d++) {
                if (a % d == 0 && b % d == 0) best = d;
            }
            if (a == 0 && b == 0) best = 0;
            ck_assert_int_eq(hit_index_gcd(a, b), best);
        }
    }
}
END_TEST

START_TEST(large_values_do_not_overflow)
{
    const hit_index e15 = 1000000000000000;
    const hit_index top = INT64_MAX;
    const hit_index bottom = INT64_MIN;
    const hit_index p = 2147483647; /* primes whose product is near 2^62 */
    const hit_index q = 2147483629;

    ck_assert_int_eq(hit_sig_count(hit_sig_make(-e15, e15, 1)), 2 * e15 + 1);
    ck_assert_int_eq(hit_sig_count(hit_sig_make(bottom, top, 1)), top);
    ck_assert_int_eq(hit_sig_count(hit_sig_make(bottom, top, 2)), top);
    ck_assert_int_eq(hit_sig_count(hit_sig_make(bottom, top, 4)), top / 2 + 1);
    expect(hit_sig_make(bottom, top, top), sig_of(bottom, top - 1, top));
    ck_assert(hit_sig_has(sig_of(bottom, top - 1, top), -1));

    expect(hit_sig_intersect(sig_of(0, p * q, p), sig_of(0, p * q, q)),
           sig_of(0, p * q, p * q));
    expect(hit_sig_intersect(hit_sig_make(-7, top, p), hit_sig_make(-7, top, q)),
           hit_sig_make(-7, top, p * q));
    expect(
        hit_sig_intersect(hit_sig_make(0, top, top - 1), hit_sig_make(1, top, top - 2)),
        sig_of(top - 1, top - 1, 1));
    expect(hit_sig_intersect(hit_sig_make(bottom, top, 2), hit_sig_make(bottom, top, 3)),
           hit_sig_make(bottom, top, 6));
    expect(hit_sig_intersect(hit_sig_make(e15, 3 * e15, 1000003),
                             hit_sig_make(e15 + 1, 3 * e15, 1000033)),
           hit_sig_make(e15 + 1000003 * INT64_C(233341), 3 * e15,
                        INT64_C(1000003) * 1000033));

    expect(hit_sig_cover(sig_of(-e15, -e15, 1), sig_of(e15, e15, 1)),
           sig_of(-e15, e15, 2 * e15));
    expect(hit_sig_cover(sig_of(bottom, bottom, 1), sig_of(top, top, 1)),
           sig_of(bottom, top, 1));
    expect(hit_sig_shift(sig_of(top - 4, top, 2), 3), sig_of(top - 1, top - 1, 1));
    expect(hit_sig_shift(sig_of(bottom, bottom + 4, 2), -1),
           sig_of(bottom + 1, bottom + 3, 2));
    expect(hit_sig_shift(sig_of(top, top, 1), 1), sig_of(0, -1, 1));
    expect(hit_sig_grow(sig_of(0, top - 1, 2), 1), sig_of(-2, top - 1, 2));
    expect(hit_sig_preimage(sig_of(-e15, e15, 1), e15, 0), sig_of(-1, 1, 1));
    expect(hit_sig_preimage(sig_of(bottom, top, 1), -1, 0), sig_of(bottom + 1, top, 1));
    expect(hit_sig_preimage(sig_of(bottom, bottom, 1), bottom, 0), sig_of(1, 1, 1));
    ck_assert_int_eq(hit_sig_minus_count(sig_of(bottom, top, 1), sig_of(0, 0, 1)), 2);
}
END_TEST

START_TEST(large_strides_meet_where_the_remainders_say)
{
    const hit_index far = INT64_C(1) << 60;
    hit_random random = hit_random_start(110);
    for (int n = 0; n < CASES; n++) {
        /* both hold x, so they meet in x and then every lcm of the strides */
        hit_index x = hit_random_index(&random, -far, far);
        hit_index s = hit_random_index(&random, 2, INT64_C(1) << 30);
        hit_index t = hit_random_index(&random, 2, INT64_C(1) << 30);
        hit_sig a =
            hit_sig_make(x - s * hit_random_index(&random, 0, INT64_C(1) << 30),
                         x + s * hit_random_index(&random, 0, INT64_C(1) << 30), s);
        hit_sig b =
            hit_sig_make(x - t * hit_random_index(&random, 0, INT64_C(1) << 30),
                         x + t * hit_random_index(&random, 0, INT64_C(1) << 30), t);
        hit_sig both = hit_sig_intersect(a, b);
        hit_index lcm = s / hit_index_gcd(s, t) * t;
        hit_index low = a.begin > b.begin ? a.begin : b.begin;
        hit_index high = a.end < b.end ? a.end : b.end;
        hit_index first = x - (x - low) / lcm * lcm;
        if (a.begin == a.end || b.begin == b.end) first = x;
        expect(both, a.begin == a.end || b.begin == b.end
                         ? sig_of(x, x, 1)
                         : hit_sig_make(first, high, lcm));
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *all = suite_create("sig");
    TCase *sig = tcase_create("sig");

    tcase_add_test(sig, make_keeps_the_elements_and_is_canonical);
    tcase_add_test(sig, positions_number_the_elements_in_order);
    tcase_add_test(sig, slices_are_clipped_to_the_signature);
    tcase_add_test(sig, intersections_have_the_elements_of_both);
    tcase_add_test(sig, covers_hold_both_and_nothing_smaller_does);
    tcase_add_test(sig, the_cover_that_is_printed_wrong_keeps_odd_elements);
    tcase_add_test(sig, inside_means_that_all_elements_are);
    tcase_add_test(sig, shifting_moves_every_element);
    tcase_add_test(sig, growing_adds_elements_of_the_same_stride);
    tcase_add_test(sig, preimages_are_exact_for_any_coefficient);
    tcase_add_test(sig, differences_are_disjoint_and_complete);
    tcase_add_test(sig, differences_have_few_pieces);
    tcase_add_test(sig, divisions_round_as_they_are_called);
    tcase_add_test(sig, gcd_is_the_greatest_common_divisor);
    tcase_add_test(sig, large_values_do_not_overflow);
    tcase_add_test(sig, large_strides_meet_where_the_remainders_say);
    suite_add_tcase(all, sig);
    return all;
}

int main(void)
{
    return check_run(suite());
}
