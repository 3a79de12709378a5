/* SPDX-License-Identifier: MIT
 * Boxes of indices that run in order: each index is in one box, and an index that needs
 * another one is in the same box or in a later wave. */
#include "hit/data/sig.h"
#include "hit/launch/launch_impl.h"
#include "tests/support/check_main.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST = 400 /* indices */
};

typedef struct seen {
    const hit_waves *waves;
    hit_domain index;
    int visited[MOST]; /* by the number of the index, which is the number of its box */
    hit_index wave[MOST];
    int boxes;
    bool falls; /* a box is of a wave before that of the last one, or at a rim behind one
                   that is not */
    hit_index last;
    bool inner; /* the last one was not at a rim */
} seen;

static hit_index number_of(const hit_domain *index, const hit_index x[])
{
    hit_index number = 0;

    for (int d = 0; d < index->dims; d++) {
        number =
            number * hit_sig_count(index->sig[d]) + hit_sig_position(index->sig[d], x[d]);
    }
    return number;
}

static hit_index wave_of(const hit_waves *waves, const hit_domain *box, bool *inner)
{
    hit_index wave = 0;

    *inner = true;

    for (int d = 0; d < box->dims; d++) {
        const hit_index at = hit_sig_position(waves->index.sig[d], box->sig[d].begin);
        hit_index c = 0;

        while (waves->begin[d][c] != at) {
            c++;
        }
        *inner = *inner && !waves->rim[d][c];
        if (waves->order[d] < 0) c = waves->boxes[d] - 1 - c;
        wave += c * waves->weight[d];
    }
    return wave;
}

static bool see(void *of, const hit_domain *box)
{
    seen *s = of;
    bool inner;
    const hit_index wave = wave_of(s->waves, box, &inner);
    hit_index x[HIT_MAX_DIMS];

    s->falls = s->falls || wave < s->last || (wave == s->last && s->inner && !inner);
    s->last = wave;
    s->inner = inner;
    s->boxes++;
    for (bool go = hit_domain_first(box, x); go; go = hit_domain_next(box, x)) {
        const hit_index k = number_of(&s->index, x);

        s->falls = s->falls || s->visited[k] != 0; /* twice */
        s->visited[k] = s->boxes;
        s->wave[k] = wave;
    }
    return true;
}

/* Does an index that needs one of another box run in a later wave? */
static bool keeps_order(const seen *s, const hit_sig of[])
{
    const hit_domain *index = &s->index;
    hit_index x[HIT_MAX_DIMS];
    hit_index y[HIT_MAX_DIMS];

    for (bool go = hit_domain_first(index, x); go; go = hit_domain_next(index, x)) {
        for (bool on = hit_domain_first(index, y); on; on = hit_domain_next(index, y)) {
            int before = 0; /* 1: x is, -1: y is */
            bool need = true;

            for (int d = 0; d < index->dims; d++) {
                const hit_index by = (y[d] - x[d]) * s->waves->order[d];

                need = need && hit_sig_has(of[d], y[d] - x[d]);
                if (before == 0) before = (by > 0) - (by < 0);
            }
            if (!need || before == 0) continue;
            const hit_index a = number_of(index, x);
            const hit_index b = number_of(index, y);

            if (s->visited[a] == s->visited[b]) continue;
            if ((s->wave[b] - s->wave[a]) * before <= 0) return false;
        }
    }
    return true;
}

static hit_sig random_range(hit_random *random, hit_sig along)
{
    const hit_index a = hit_random_index(random, -2, 2);
    const hit_index b = hit_random_index(random, -2, 2);

    if (hit_random_index(random, 0, 9) == 0) {
        return hit_sig_make(-(along.end - along.begin), along.end - along.begin, 1);
    }
    return hit_sig_make((a < b ? a : b) * along.stride, (a < b ? b : a) * along.stride,
                        along.stride);
}

static void cut_anyhow(hit_random *random, hit_waves *waves)
{
    hit_index cut[HIT_MAX_DIMS][3];
    hit_index most[HIT_MAX_DIMS];
    bool is_cut[HIT_MAX_DIMS];
    bool thin[HIT_MAX_DIMS];

    for (int d = 0; d < waves->index.dims; d++) {
        const hit_index extent = hit_sig_count(waves->index.sig[d]);

        most[d] = hit_random_index(random, 1, 2 * extent);
        is_cut[d] = most[d] < extent;
        for (int k = 0; k < 3; k++) {
            cut[d][k] =
                hit_random_index(random, 0, 1) * hit_random_index(random, 0, extent);
            is_cut[d] = is_cut[d] || (cut[d][k] > 0 && cut[d][k] < extent);
        }
    }
    hit_waves_thin(waves, is_cut, thin);
    for (int d = 0; d < waves->index.dims; d++) {
        ck_assert_int_eq(hit_waves_cut(waves, d, 3, cut[d], thin[d] ? 1 : most[d]),
                         HIT_OK);
    }
    hit_waves_weigh(waves);
}

START_TEST(what_an_index_needs_is_in_its_box_or_in_an_earlier_wave)
{
    hit_random random = hit_random_start(17);
    const int cases = hit_random_cases(2000);

    for (int t = 0; t < cases; t++) {
        hit_waves waves = {.index = {.dims = (int)hit_random_index(&random, 1, 3)}};
        seen s = {.waves = &waves, .last = 0};
        hit_sig of[2][HIT_MAX_DIMS];

        for (int d = 0; d < waves.index.dims; d++) {
            const hit_index stride = hit_random_index(&random, 1, 2);

            waves.order[d] = hit_random_index(&random, 0, 1) ? 1 : -1;
            waves.index.sig[d] =
                hit_sig_make(3, 3 + stride * hit_random_index(&random, 0, 6), stride);
            of[0][d] = random_range(&random, waves.index.sig[d]);
            of[1][d] = random_range(&random, waves.index.sig[d]);
        }
        s.index = waves.index;
        hit_waves_carry(&waves, of[0]);
        hit_waves_carry(&waves, of[1]);
        cut_anyhow(&random, &waves);
        hit_waves_each(&waves, see, &s);
        for (hit_index k = 0; k < hit_domain_count(&waves.index); k++) {
            s.falls = s.falls || s.visited[k] == 0;
        }
        ck_assert_msg(!s.falls, "case %d: an index runs twice, late or never", t);
        ck_assert_msg(keeps_order(&s, of[0]) && keeps_order(&s, of[1]), "case %d", t);
        hit_waves_clear(&waves);
    }
}
END_TEST

static bool count_two(void *of, const hit_domain *box)
{
    (void)box;
    return ++*(int *)of < 2;
}

START_TEST(a_visit_that_says_no_is_the_last_one)
{
    hit_waves waves = {.index = hit_domain_of(4, 4), .order = {1, 1}};
    int visits = 0;

    for (int d = 0; d < 2; d++) {
        ck_assert_int_eq(hit_waves_cut(&waves, d, 0, NULL, 2), HIT_OK);
    }
    hit_waves_weigh(&waves);
    hit_waves_each(&waves, count_two, &visits);
    ck_assert_int_eq(visits, 2);
    hit_waves_clear(&waves);
}
END_TEST

static Suite *suite(void)
{
    Suite *all = suite_create("waves");
    TCase *waves = tcase_create("waves");

    tcase_add_test(waves, what_an_index_needs_is_in_its_box_or_in_an_earlier_wave);
    tcase_add_test(waves, a_visit_that_says_no_is_the_last_one);
    suite_add_tcase(all, waves);
    return all;
}

int main(void)
{
    return check_run(suite());
}
