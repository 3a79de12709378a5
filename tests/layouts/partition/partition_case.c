/* SPDX-License-Identifier: MIT
 * Trying partition algorithms. */
#include "tests/layouts/partition/partition_case.h"

#include "hit/model/fpm_time.h"
#include "layouts/partition/algorithms.h"
#include "tests/support/check_main.h"

#include <math.h>
#include <stdlib.h>

static bool near(double a, double b)
{
    if (isinf(a) || isinf(b)) return isinf(a) && isinf(b);
    return fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b));
}

partition_result partition_try(hit_partition_function *algorithm, hit_index n, int parts,
                               const hit_fpm *const model[])
{
    partition_result result = {.sound = true};
    hit_partition_info info = {-1.0, -1, NULL};
    hit_index *share = malloc((size_t)parts * sizeof *share);
    double most = 0.0;
    hit_index left = n;

    if (share == NULL) abort();
    for (int i = 0; i < parts; i++) {
        share[i] = -7;
    }
    result.status = algorithm(n, parts, model, share, &info);
    for (int i = 0; i < parts; i++) {
        if (result.status != HIT_OK) {
            result.sound = result.sound && share[i] == -7;
            continue;
        }
        result.sound = result.sound && share[i] >= 0 && share[i] <= left;
        left -= share[i];
        most = fmax(most, hit_fpm_time(model[i], share[i]));
    }
    if (result.status == HIT_OK) {
        result.sound = result.sound && left == 0 && isfinite(info.makespan_s) &&
                       !(most < info.makespan_s) && !(most > info.makespan_s) &&
                       info.algorithm != NULL && info.iterations >= 0;
        result.makespan_s = info.makespan_s;
    } else {
        result.sound = result.sound && info.iterations == -1;
    }
    free(share);
    return result;
}

hit_index partition_case(hit_random *random, fpm_case_shape low, fpm_case_shape high,
                         int *parts, fpm_case cases[], hit_fpm *model[])
{
    hit_index n = hit_random_index(random, 0, 30);
    fpm_case_shape shape = (fpm_case_shape)hit_random_index(random, low, high);
    bool mixed = hit_random_index(random, 0, 2) == 0;

    *parts = (int)hit_random_index(random, 1, 6);
    for (int i = 0; i < *parts; i++) {
        if (mixed) shape = (fpm_case_shape)hit_random_index(random, low, high);
        cases[i] = fpm_case_random(random, shape, 1 + n);
        model[i] = fpm_case_model(&cases[i]);
    }
    return n;
}

void partition_check_best(hit_partition_function *algorithm, fpm_case_shape low,
                          fpm_case_shape high, int count, uint64_t seed)
{
    hit_random random = hit_random_start(seed);
    int feasible = 0;

    for (int k = 0; k < count; k++) {
        fpm_case cases[6];
        hit_fpm *model[6];
        int parts;
        hit_index n = partition_case(&random, low, high, &parts, cases, model);
        double best = fpm_case_best(n, parts, cases);
        partition_result found =
            partition_try(algorithm, n, parts, (const hit_fpm *const *)model);

        for (int i = 0; i < parts; i++) {
            hit_fpm_destroy(&model[i]);
        }
        ck_assert_msg(found.sound, "case %d", k);
        ck_assert_msg(found.status == (isinf(best) ? HIT_E_LIMIT : HIT_OK),
                      "case %d: %s %s", k, hit_status_name(found.status),
                      hit_status_text());
        if (isinf(best)) continue;
        feasible++;
        ck_assert_msg(near(found.makespan_s, best),
                      "case %d: %.17g but %.17g is possible", k, found.makespan_s, best);
    }
    ck_assert_int_gt(feasible, count / 4);
}

void partition_check_sound(hit_partition_function *algorithm, hit_index n, int parts,
                           const hit_fpm *const model[], double worst)
{
    partition_result found = partition_try(algorithm, n, parts, model);
    bool better = false;

    ck_assert_msg(found.status == HIT_OK, "%s", hit_status_text());
    ck_assert(found.sound);
    if (found.makespan_s > 0.0) {
        HIT_MUST(hit_partition_feasible(
            n, parts, model, found.makespan_s / worst * (1.0 - 1e-12), &better));
    }
    ck_assert(!better);
}
