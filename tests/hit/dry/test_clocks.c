/* SPDX-License-Identifier: MIT
 * Clocks of narrow launches against their definition, launch by launch and process by
 * process. */
#include "hit/dry/dry_impl.h"
#include "tests/support/check_main.h"
#include "tests/support/random.h"

#include <math.h>

enum {
    PROCESSES = 7,
    LAUNCHES = 12,
    MESSAGES = 5,
    CASES = 1000
};

typedef struct drawn {
    hit_preview_parts parts;
    hit_preview_message message[MESSAGES];
    hit_preview_turn turn[PROCESSES];
} drawn;

static double some_seconds(hit_random *random)
{
    return (double)hit_random_index(random, 0, 1000) / 100;
}

static void draw(hit_random *random, drawn *made)
{
    *made = (drawn){.parts = {.narrow = true}};
    made->parts.message = made->message;
    made->parts.turn = made->turn;
    made->parts.count = (int)hit_random_index(random, 0, MESSAGES);
    for (int k = 0; k < made->parts.count; k++) {
        hit_preview_message *one = &made->message[k];
        const double seconds = some_seconds(random);

        one->from = (int)hit_random_index(random, 0, PROCESSES - 1);
        one->to =
            (one->from + (int)hit_random_index(random, 1, PROCESSES - 1)) % PROCESSES;
        one->sent = hit_random_index(random, 0, 3) > 0;
        one->result = hit_random_index(random, 0, 1) == 1;
        one->time = (hit_forecast){seconds, seconds, 0};
    }
    for (int rank = 0; rank < PROCESSES; rank++) {
        const double again = some_seconds(random);

        if (hit_random_index(random, 0, 2) > 0) continue;
        made->turn[made->parts.turns++] =
            (hit_preview_turn){rank, {again + some_seconds(random), again, 0}};
    }
}

/* When @p rank is done with what the messages of @p d bring it, if all were done @p with
 * what was before. */
static double with_messages(const drawn *d, bool results, const double *before, int rank)
{
    double then = before[rank];

    for (int k = 0; k < d->parts.count; k++) {
        const hit_preview_message *one = &d->message[k];

        if (one->sent && one->result == results && one->to == rank) {
            then = fmax(then, before[one->from]);
        }
    }
    for (int k = 0; k < d->parts.count; k++) {
        const hit_preview_message *one = &d->message[k];

        if (!one->sent || one->result != results) continue;
        then += (one->to == rank) * one->time.first_s;
        then += (one->from == rank) * one->time.first_s;
    }
    return then;
}

static double run_time(const drawn *d, bool again, int rank)
{
    for (int k = 0; k < d->parts.turns; k++) {
        if (d->turn[k].rank != rank) continue;
        return again ? d->turn[k].time.again_s : d->turn[k].time.first_s;
    }
    return 0;
}

static void step(const drawn *d, bool again, double now[])
{
    double ran[PROCESSES];

    for (int rank = 0; rank < PROCESSES; rank++) {
        ran[rank] = with_messages(d, false, now, rank) + run_time(d, again, rank);
    }
    for (int rank = 0; rank < PROCESSES; rank++) {
        now[rank] = with_messages(d, true, ran, rank);
    }
}

static double last_of(const double now[])
{
    double last = 0;

    for (int rank = 0; rank < PROCESSES; rank++) {
        last = fmax(last, now[rank]);
    }
    return last;
}

START_TEST(each_process_waits_for_what_it_gets)
{
    for (int k = 0; k < CASES; k++) {
        hit_random random = hit_random_start((uint64_t)k);
        double now[PROCESSES] = {0};
        double all = 0;
        hit_dry_clocks clocks;

        ck_assert_int_eq(hit_dry_clocks_create(PROCESSES, &clocks), HIT_OK);
        for (int l = 0; l < LAUNCHES; l++) {
            const bool again = hit_random_index(&random, 0, 1) == 1;
            drawn d;

            draw(&random, &d);
            hit_dry_clocks_add(&clocks, &d.parts, again);
            step(&d, again, now);
            if (hit_random_index(&random, 0, 4) > 0 && l < LAUNCHES - 1) continue;
            all += last_of(now);
            for (int rank = 0; rank < PROCESSES; rank++) {
                now[rank] = 0;
            }
            ck_assert_double_eq_tol(hit_dry_clocks_meet(&clocks).first_s, all, 1e-9);
        }
        hit_dry_clocks_clear(&clocks);
    }
}
END_TEST

int main(void)
{
    Suite *all = suite_create("clocks of dry runs");
    TCase *clocks = tcase_create("clocks");

    tcase_add_test(clocks, each_process_waits_for_what_it_gets);
    suite_add_tcase(all, clocks);
    return check_run(all);
}
