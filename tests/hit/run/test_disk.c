/* SPDX-License-Identifier: MIT
 * Tiles on a disk (HIT_DISK): the bits of the same program in memory, launch by launch,
 * in chains, with messages, reductions and looks of the program; what is moved; the disk
 * that fails, on one process. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier): setenv */
#include "hit/base/context.h"
#include "hit/data/disk.h"
#include "hit/hit.h"
#include "tests/support/check_main.h"
#include "tests/support/faults.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const hit_kernel plain; /* link_kernels.k.c: int64_t, 5 points */

enum {
    PART = 384 << 10, /* elements of a process, at least: 3 MiB, twice */
    COLUMNS = 512,
    STEPS = 12
};

static hit_context *base;

typedef struct outcome {
    uint64_t sum; /* of what all processes have, by place */
    uint64_t moved[2];
    int64_t looked; /* element of the middle, in the middle of the run */
} outcome;

static uint64_t sum_of(const hit_tile *tile)
{
    uint64_t sum = 0;
    hit_view view;

    HIT_MUST(hit_tile_map((hit_tile *)(uintptr_t)tile, 0, HIT_READ, &view));
    HIT_FOR_EACH (x, view.domain) {
        const uint64_t place = (uint64_t)(x[0] * COLUMNS + x[1]) | 1;

        sum += place * (uint64_t)HIT_AT(view, int64_t, x[0], x[1]);
    }
    return sum;
}

static void fill(hit_tile *tile)
{
    hit_view view;

    HIT_MUST(hit_tile_map(tile, 0, HIT_WRITE, &view));
    HIT_FOR_EACH (x, view.domain) {
        HIT_AT(view, int64_t, x[0], x[1]) = x[0] * 7 + x[1] * 3;
    }
}

/* @p disk and @p chain are of HIT_DISK and HIT_CHAIN; NULL: not set. */
static outcome run(const char *disk, const char *chain)
{
    const hit_index rows = (hit_index)PART / COLUMNS * hit_size(base);
    const hit_domain whole = hit_domain_of(rows, COLUMNS);
    const hit_domain inner = hit_domain_grow(whole, -1);
    const hit_index middle[2] = {rows / 2, COLUMNS / 2};
    hit_tile *now = NULL;
    hit_tile *next = NULL;
    hit_tile *small = NULL;
    hit_context *hit = NULL;
    outcome made = {0};

    if (disk != NULL) setenv("HIT_DISK", disk, 1);
    if (chain != NULL) setenv("HIT_CHAIN", chain, 1);
    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.threads = 1}, &hit));
    unsetenv("HIT_DISK");
    unsetenv("HIT_CHAIN");
    if (chain == NULL) HIT_MUST(hit_chain(hit, HIT_CHAIN_ANY));
    HIT_MUST(hit_tile_make(hit, whole, "block", HIT_INT64, "now", &now));
    HIT_MUST(hit_tile_make(hit, whole, "block", HIT_INT64, "next", &next));
    HIT_MUST(hit_tile_make(hit, hit_domain_of(9), "block", HIT_INT64, "small", &small));
    fill(now);
    fill(next);
    for (int t = 0; t < STEPS; t++) {
        HIT_MUST(hit_launch(hit, &plain, inner, next, now));
        hit_tile_swap(&now, &next);
        if (t != STEPS / 2) continue;
        HIT_MUST(hit_tile_get(now, middle, &made.looked));
    }
    made.sum = sum_of(now);
    HIT_MUST(hit_wait(hit));
    hit_disk_moved(hit->disk, made.moved);
    hit_tile_destroy(&now);
    hit_close(&hit);
    hit_tile_destroy(&next);  /* also after the context ... */
    hit_tile_destroy(&small); /* ... and after the last on the disk */
    return made;
}

START_TEST(bits_are_those_of_memory)
{
    const outcome memory = run(NULL, "off");
    const outcome steps = run("path=/tmp,memory=2MiB", "off");
    const outcome chain = run("path=/tmp,memory=2MiB", NULL);
    const outcome large = run("path=/tmp,memory=1GiB", NULL);

    ck_assert(memory.moved[0] + memory.moved[1] == 0);
    ck_assert(steps.sum == memory.sum && steps.looked == memory.looked);
    ck_assert(chain.sum == memory.sum && chain.looked == memory.looked);
    ck_assert(large.sum == memory.sum && large.looked == memory.looked);
    /* step by step each step moves the whole part, both ways */
    ck_assert_uint_ge(steps.moved[0], (uint64_t)STEPS * PART * 8 * 9 / 10);
    ck_assert_uint_ge(steps.moved[1], (uint64_t)STEPS * PART * 8 * 9 / 10);
    /* in chains a visit has several steps, and what fits in memory crosses once */
    ck_assert_uint_le(5 * chain.moved[0], 4 * steps.moved[0]);
    ck_assert_uint_le(5 * chain.moved[1], 4 * steps.moved[1]);
    ck_assert_uint_le(large.moved[0], (uint64_t)3 * PART * 8);
}
END_TEST

/* Reads fail on the last process from some moment on: nobody hangs, somebody is told, and
 * nobody takes what is lost for a result. */
START_TEST(a_disk_that_fails_is_told)
{
    const hit_index rows = (hit_index)PART / COLUMNS * hit_size(base);
    const hit_domain whole = hit_domain_of(rows, COLUMNS);
    const bool mine = hit_rank(base) == hit_size(base) - 1;
    hit_context *hit = NULL;
    hit_tile *now = NULL;
    hit_tile *next = NULL;
    hit_status status = HIT_OK;
    char text[200] = "";

    setenv("HIT_DISK", "path=/tmp,memory=2MiB", 1);
    setenv("HIT_CHAIN", "off", 1);
    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.threads = 1}, &hit));
    unsetenv("HIT_DISK");
    unsetenv("HIT_CHAIN");
    HIT_MUST(hit_tile_make(hit, whole, "block", HIT_INT64, "now", &now));
    HIT_MUST(hit_tile_make(hit, whole, "block", HIT_INT64, "next", &next));
    fill(now);
    test_fault.kind = FAULT_FILE;
    test_fault.fail_at = mine ? 20 : 0;
    test_fault.sticky = true;
    test_fault_begin();
    for (int t = 0; t < STEPS; t++) { /* all go on: others wait for messages */
        hit_status one = hit_launch(hit, &plain, hit_domain_grow(whole, -1), next, now);

        if (one == HIT_OK) one = hit_wait(hit);
        if (status == HIT_OK && one != HIT_OK) {
            status = one;
            (void)snprintf(text, sizeof(text), "%s", hit_status_text());
        }
        hit_tile_swap(&now, &next);
    }
    test_fault.on = false;
    test_fault.sticky = false;
    if (mine) {
        ck_assert_int_eq(status, HIT_E_IO);
        ck_assert_ptr_nonnull(strstr(text, "HIT_DISK"));
    } else {
        ck_assert_msg(status == HIT_OK || status == HIT_E_PEER, "%s", text);
    }
    hit_tile_destroy(&now);
    hit_tile_destroy(&next);
    hit_close(&hit);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("disk");
    TCase *all = tcase_create("all");

    tcase_set_timeout(all, 0);
    tcase_add_test(all, bits_are_those_of_memory);
    tcase_add_test(all, a_disk_that_fails_is_told);
    suite_add_tcase(made, all);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
