/* SPDX-License-Identifier: MIT
 * Flipped bits of every file of a checkpoint, and checksums. */
#include "hit/checkpoint/checkpoint_impl.h"
#include "hit/io/io_impl.h"
#include "tests/hit/checkpoint/run_case.h"
#include "tests/support/random.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Flip a bit of a byte of file @p name of checkpoint 1-4, by process 0. */
static void flip(const char *name, hit_random *random)
{
    const uint64_t place = hit_random_next(random);
    const int bit = (int)hit_random_index(random, 0, 7);
    char path[700];
    FILE *file;
    long size;
    long at;
    int byte;

    if (hit_rank(run_base()) != 0) return;
    (void)snprintf(path, sizeof(path), "%s/checkpoint-1-4/%s", run_folder(), name);
    file = fopen(path, "r+b");
    ck_assert_ptr_nonnull(file);
    (void)fseek(file, 0, SEEK_END);
    size = ftell(file);
    at = (long)(place % (uint64_t)size);
    (void)fseek(file, at, SEEK_SET);
    byte = fgetc(file);
    (void)fseek(file, at, SEEK_SET);
    (void)fputc(byte ^ 1 << bit, file);
    (void)fclose(file);
}

/* One flipped bit: the run is refused, or has right elements and values. */
static bool survives(const char *options, const char *name, hit_random *random)
{
    hit_status status;
    run r;

    run_other_folder();
    run_goes(options, "block", 0, 5);
    flip(name, random);
    HIT_MUST(hit_barrier(run_base()));
    run_open(&r, "cyclic");
    status = steps_do(&r.s, 6);
    if (status == HIT_OK) {
        io_claim(r.s.went_on && steps_right(&r.s) && r.s.first == 4, "is right", name);
    } else {
        const char *text = hit_status_text();

        io_claim(status == HIT_E_IO, "is damaged", name);
        io_claim(strstr(text, "dataset ") != NULL || strstr(text, ".json") != NULL,
                 "names what is damaged", text);
    }
    run_close(&r, false);
    return status == HIT_OK;
}

START_TEST(every_flipped_bit_is_refused_or_changes_nothing)
{
    static const char *const npy[] = {"now.npy", "t.npy", "seed.npy",
                                      HIT_CHECKPOINT_JSON};
    static const char *const hdf5[] = {"arrays.h5", HIT_CHECKPOINT_JSON, "arrays.h5",
                                       "arrays.h5"};
    hit_random random = hit_random_start(3);
    const int tries = hit_size(run_base()) == 1 ? 60 : 12;
    int right = 0;

    if (_i == 1 && !hit_hdf5_is_there()) return;
    for (int k = 0; k < tries; k++) {
        right += survives(_i == 0 ? "every=4steps,keep=1,format=npy"
                                  : "every=4steps,keep=1,format=hdf5",
                          (_i == 0 ? npy : hdf5)[k % 4], &random);
        io_assert();
    }
    ck_assert_int_lt(right, tries * 3 / 4);
}
END_TEST

START_TEST(what_is_damaged_is_left_out)
{
    hit_random random = hit_random_start(4);

    run_other_folder();
    run_goes("every=2steps,keep=2", "block", 0, 5);
    flip(HIT_CHECKPOINT_JSON, &random);
    HIT_MUST(hit_barrier(run_base()));
    run_goes("every=2steps,keep=2", "block", 2, 3);
    io_claim(run_says("hit: left out: "), "says so", "flipped");
    io_claim(run_says("goes on after step 2"), "goes on", "flipped");
    io_assert();
}
END_TEST

START_TEST(checksums_do_not_depend_on_stretches)
{
    enum {
        SIZE = 2 * HIT_STORED_BLOCK + 12345
    };
    hit_random random = hit_random_start(5);
    unsigned char *data = NULL;
    uint64_t crc[2][3] = {{0}};
    const hit_stored whole = {.path = "p", .name = "n", .blocks = 3, .crc = crc[0]};
    uint64_t at = 0;

    HIT_MUST(hit_memory_zeroed(SIZE, 1, &data));
    for (int k = 0; k < SIZE; k += 97) {
        data[k] = (unsigned char)hit_random_next(&random);
    }
    if (hit_rank(run_base()) == 0) hit_sums_add(crc[0], SIZE, 0, data, SIZE);
    HIT_MUST(hit_sums_join(run_base()->comm, crc[0], SIZE));
    for (int k = 0; at < SIZE; k++) { /* the processes in turn */
        const uint64_t most = (uint64_t)hit_random_index(&random, 1, SIZE / 5);
        const uint64_t size = most < SIZE - at ? most : SIZE - at;

        if (k % hit_size(run_base()) == hit_rank(run_base())) {
            hit_sums_add(crc[1], SIZE, at, data + at, (size_t)size);
        }
        at += size;
    }
    HIT_MUST(hit_sums_join(run_base()->comm, crc[1], SIZE));
    io_claim(hit_sums_check(&whole, crc[1]) == HIT_OK, "are equal", "stretches");
    crc[1][2] ^= 1;
    run_refused(hit_sums_check(&whole, crc[1]), HIT_E_IO, "in block 2 of 3");
    ck_assert_int_eq(hit_sums_blocks(SIZE), 3);
    free(data);
    io_assert();
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("damage");
    TCase *tests = tcase_create("all");

    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, every_flipped_bit_is_refused_or_changes_nothing, 0, 2);
    tcase_add_test(tests, what_is_damaged_is_left_out);
    tcase_add_test(tests, checksums_do_not_depend_on_stretches);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return run_main(&argc, &argv, suite());
}
