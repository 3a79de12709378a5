/* SPDX-License-Identifier: MIT
 * The fastest choice is found by trying: the model's answers and one launch after the
 * other first, twice, since a busy machine disturbs. Where one after the other is the
 * fastest of these it stays. Else the others are tried, those that are near to the best
 * twice. Afterwards the best one runs; its time is
 * followed, so that another one takes its place when it gets slower than that was. */
#include "hit/chain/tuner.h"

enum {
    FIRST = 3
};

static const double near_best = 1.2;
static const double better = 0.97; /* by less, it is not worth a change */

hit_tuner hit_tuner_make(const hit_choose_request *request)
{
    hit_tuner made = {.current = 0};

    made.choices = hit_choose(request, made.choice);
    return made;
}

static int best_of(const hit_tuner *tuner)
{
    int best = tuner->current;

    for (int k = 0; k < tuner->choices; k++) {
        if (tuner->tries[k] == 0) continue;
        if (tuner->seconds[k] < better * tuner->seconds[best]) best = k;
    }
    return best;
}

/* Of the first @p count choices, one that was tried less often; -1: none. */
static int tried_less(const hit_tuner *tuner, int count, int tries)
{
    for (int k = 0; k < count && k < tuner->choices; k++) {
        if (tuner->tries[k] < tries) return k;
    }
    return -1;
}

/* The choice that has to be tried next; -1: none. */
static int next_try(const hit_tuner *tuner)
{
    double least = tuner->seconds[0];
    int next = tried_less(tuner, FIRST, 1);

    if (next < 0) next = tried_less(tuner, FIRST, 2);
    if (next >= 0) return next;
    if (tuner->choice[best_of(tuner)].plain) return -1;
    next = tried_less(tuner, tuner->choices, 1);
    if (next >= 0) return next;
    for (int k = 1; k < tuner->choices; k++) {
        if (tuner->seconds[k] < least) least = tuner->seconds[k];
    }
    for (int k = 0; k < tuner->choices; k++) {
        if (tuner->tries[k] == 1 && tuner->seconds[k] <= near_best * least) return k;
    }
    return -1;
}

void hit_tuner_choose(hit_tuner *tuner)
{
    const int next = next_try(tuner);

    tuner->current = next >= 0 ? next : best_of(tuner);
}

bool hit_tuner_is_settled(const hit_tuner *tuner)
{
    return tuner->warm && next_try(tuner) < 0;
}

void hit_tuner_note(hit_tuner *tuner, double seconds)
{
    const int now = tuner->current;
    double *known = &tuner->seconds[now];

    if (!tuner->warm && tuner->choices > 1) {
        tuner->warm = true;
        return;
    }
    tuner->warm = true;
    if (tuner->tries[now] == 0 || seconds < tuner->least[now]) {
        tuner->least[now] = seconds;
    }
    if (tuner->tries[now] < 2) {
        if (tuner->tries[now] == 0 || seconds < *known) *known = seconds;
        tuner->tries[now]++;
    } else {
        *known += (seconds - *known) / 4;
    }
    hit_tuner_choose(tuner);
}
