/* SPDX-License-Identifier: MIT
 * The numbers in tiles that lead to others. */
#include "hit/data/sig.h"
#include "tests/programs/program.h"
#include "tests/support/random.h"

bool program_is_scatter(const step *s)
{
    bool looks = false;

    for (int t = 0; t < s->tile_dims[0]; t++) {
        looks = looks || s->use[0].box[0][t].looks > 0;
    }
    return looks;
}

int64_t program_number(const hit_sig *numbers, int64_t any)
{
    hit_index count;

    if (numbers->stride == 0) return any;
    count = hit_sig_count(*numbers);
    return numbers->begin + any - count * hit_index_floor_div(any, count);
}

static hit_index near_to(hit_random *r, hit_index k, hit_index most, hit_index near)
{
    const hit_index found = k + hit_random_index(r, -near, near);

    return found < 0 ? 0 : found > most ? most : found;
}

void program_numbers(const tile *t, int version, int64_t number[])
{
    const hit_index count = hit_domain_count(&t->domain);
    const hit_index most = hit_sig_count(t->numbers) - 1;
    const hit_index near = t->near < 0 ? most : t->near;
    hit_random random = {(uint64_t)(1000 * version + most + 100000 * count)};
    hit_index any[100];

    for (hit_index k = 0; k <= most; k++) {
        any[k] = k;
    }
    for (hit_index k = 0; k <= most && near > 0; k++) {
        const hit_index other = near_to(&random, k, most, near);
        const hit_index kept = any[k];

        any[k] = any[other];
        any[other] = kept;
    }
    for (hit_index k = 0; k < count; k++) {
        number[k] = t->numbers.begin +
                    (t->distinct ? any[k % (most + 1)]
                                 : near_to(&random, most * k / count, most, near));
    }
}
