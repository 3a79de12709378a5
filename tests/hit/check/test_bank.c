/* SPDX-License-Identifier: MIT
 * The annotation checker against the bank, in place and staged, on any number of
 * processes: every wrong kernel is found, with the right words, on all processes, and
 * changes nothing; no right one is. */
#define _POSIX_C_SOURCE 200809L /* setenv */

#include "hit/device/device.h"
#include "tests/hit/check/bank.h"
#include "tests/support/check_main.h"

#include <stdio.h>
#include <string.h>

static hit_context *base;
static const char *const device[] = {"host:threads=1", "host:threads=2",
                                     "host:staged:memory=2KiB", "cuda:0:memory=64KiB"};
enum {
    DEVICES = sizeof(device) / sizeof(device[0]),
    CUDA = DEVICES - 1
};

static char note[4000]; /* kept until the end of a test: nobody may leave early */

static void complain(const bank_case *one, const char *what, const char *text)
{
    const size_t used = strlen(note);

    snprintf(note + used, sizeof(note) - used, "%s: %s: %s\n", one->name, what, text);
}

static void expect_words(const bank_case *one, const char *words)
{
    for (const char *word = words; *word != '\0';) {
        const size_t length = strcspn(word, "|");
        char expected[300];
        char text[1600];

        snprintf(expected, sizeof(expected), "%.*s", (int)length, word);
        snprintf(text, sizeof(text), "no \"%s\" in \"%s\"", expected, hit_status_text());
        if (strstr(hit_status_text(), expected) == NULL) complain(one, "words", text);
        word += length + (word[length] == '|');
    }
}

/* Is there such a device, and is the kernel for it? */
static bool runs_on(int device_number, const hit_kernel *kernel)
{
    const char *why = NULL;

    if (device_number != CUDA) return true;
    return hit_device_cuda.count(&why) > 0 && kernel->cuda != NULL;
}

static hit_context *open_on(const char *devices)
{
    const hit_options options = {.devices = devices};
    hit_context *hit = NULL;

    HIT_MUST(hit_open_with(NULL, NULL, &options, &hit));
    return hit;
}

/* All elements of the tile on process 0. */
static void *copy_of(hit_context *hit, hit_tile *tile, size_t *bytes)
{
    const hit_domain domain = hit_tile_domain(tile);
    void *copy = NULL;

    *bytes = (size_t)hit_domain_count(&domain) * hit_tile_type(tile).size_bytes;
    if (hit_rank(hit) == 0) copy = calloc(1, *bytes + 1);
    HIT_MUST(hit_tile_gather(tile, 0, copy));
    return copy;
}

static void launch_wrong(hit_context *hit, const bank_case *one)
{
    hit_arg args[BANK_ARGS];
    hit_status status;
    void *before;
    void *after;
    size_t bytes = 0;

    bank_open(hit, one, args);
    before = copy_of(hit, args[0].tile, &bytes);
    status = hit_launch_args(hit, NULL, one->kernel, one->index, one->kernel->args, args);
    if (status == HIT_E_CHECK) {
        expect_words(one, one->words);
    } else {
        complain(one, hit_status_name(status),
                 status == HIT_OK ? "not found" : hit_status_text());
    }
    after = copy_of(hit, args[0].tile, &bytes);
    if (before != NULL && memcmp(before, after, bytes) != 0) {
        complain(one, "tile", "it has changed");
    }
    free(before);
    free(after);
    bank_close(one, args);
}

START_TEST(every_wrong_annotation_is_found)
{
    hit_context *hit = NULL;

    if (!runs_on(_i, bank_right[0].kernel)) return;
    hit = open_on(device[_i]);
    note[0] = '\0';
    for (int c = 0; c < bank_wrong_count; c++) {
        if (runs_on(_i, bank_wrong[c].kernel)) launch_wrong(hit, &bank_wrong[c]);
    }
    hit_close(&hit);
    ck_assert_msg(note[0] == '\0', "%s", note);
}
END_TEST

static void launch_right(hit_context *hit, const bank_case *one)
{
    hit_arg args[BANK_ARGS];
    hit_status status;

    bank_open(hit, one, args);
    status = hit_launch_args(hit, NULL, one->kernel, one->index, one->kernel->args, args);
    if (status != HIT_OK) complain(one, hit_status_name(status), hit_status_text());
    bank_close(one, args);
}

START_TEST(no_right_annotation_is_reported)
{
    hit_context *hit = NULL;

    if (!runs_on(_i, bank_right[0].kernel)) return;
    hit = open_on(device[_i]);
    note[0] = '\0';
    for (int c = 0; c < bank_right_count; c++) {
        if (runs_on(_i, bank_right[c].kernel)) launch_right(hit, &bank_right[c]);
    }
    hit_close(&hit);
    ck_assert_msg(note[0] == '\0', "%s", note);
}
END_TEST

static Suite *suite(void)
{
    Suite *suite = suite_create("annotation checker");
    TCase *bank = tcase_create("bank");

    tcase_set_timeout(bank, 0);
    tcase_add_loop_test(bank, every_wrong_annotation_is_found, 0, DEVICES);
    tcase_add_loop_test(bank, no_right_annotation_is_reported, 0, DEVICES);
    suite_add_tcase(suite, bank);
    return suite;
}

int main(int argc, char **argv)
{
    setenv("HIT_CHECK", "1", 1);
    setenv("HIT_COMPARE", "1", 1);
    return check_run_open(&argc, &argv, suite(), &base);
}
