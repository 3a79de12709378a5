/* SPDX-License-Identifier: MIT
 * Whole-box kernels of three arguments, b = 2 a + c with b and c "[i, j]" and a "[i, :]":
 * one that is right, and some that do something else. */
#include "hit/kernel.h"
#include "tests/hit/check/bank.h"

typedef struct box_fault {
    hit_index past;  /* writes so many rows more */
    hit_index above; /* reads rows so far above */
    bool skips;      /* leaves the last element out */
    bool adds;       /* adds to what is there */
    bool compares;   /* adds one to what is there already */
    bool writes_a;
} box_fault;

static int64_t *at(const hit_run *run, int arg, hit_index i, hit_index j)
{
    return hit_run_address(run, arg, 2, (const hit_index[]){i, j}, sizeof(int64_t));
}

static hit_status run_box(const hit_run *run, const box_fault *fault)
{
    const hit_index columns[] = {run->slot[1].begin[1], run->slot[1].end[1]};

    for (hit_index i = run->begin[0]; i <= run->end[0] + fault->past; i++) {
        for (hit_index j = run->begin[1]; j <= run->end[1]; j++) {
            int64_t sum = *at(run, 2, i, j);

            for (hit_index k = columns[0]; k <= columns[1]; k++) {
                sum += 2 * *at(run, 1, i - fault->above, k);
            }
            if (fault->adds) sum += *at(run, 0, i, j);
            if (fault->skips && i == run->end[0] && j == run->end[1]) continue;
            if (fault->compares && *at(run, 0, i, j) == sum) sum++;
            *at(run, 0, i, j) = sum;
        }
    }
    if (fault->writes_a) *at(run, 1, run->begin[0], columns[0]) += 1;
    return HIT_OK;
}

/* clang-format off */
#define BOX(name, ...)                                                                   \
    HIT_BOX_KERNEL(name, (i, j),                                                         \
        (out, int64_t, b, "[i, j]"), (in, int64_t, a, "[i, :]"), (in, int64_t, c, "[i, j]")) \
    {                                                                                    \
        return run_box(run, &(const box_fault){__VA_ARGS__});                            \
    }

BOX(right_box, .past = 0)
BOX(wrong_box_past, .past = 1)
BOX(wrong_box_above, .above = 1)
BOX(wrong_box_skips, .skips = true)
BOX(wrong_box_adds, .adds = true)
BOX(wrong_box_compares, .compares = true)
BOX(wrong_box_writes, .writes_a = true)
