/* SPDX-License-Identifier: MIT
 * SEG-Y there and back, in both formats, and what is no such file. */
#include "hit/hit.h"
#include "tests/hit/io/io_case.h"
#include "tests/support/check_main.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "examples/segy.h"

static hit_context *hit;
static hit_tile *traces; /* 50 samples of 13 receivers */

static void refused(hit_status status, const char *text)
{
    io_claim(status != HIT_OK, "is refused", text);
    if (hit_rank(hit) == 0) {
        io_claim(strstr(hit_status_text(), text) != NULL, text, "file");
    }
}

START_TEST(traces_come_back_in_both_formats)
{
    static const char *const how[] = {"buffer=1", "format=segy-ibm", NULL};

    /* io_case's numbers have few bits: IBM's floats have them */
    for (int k = 0; k < 3; k++) {
        io_fill(traces);
        io_claim(hit_tile_write(traces, io_path("t.sgy"), how[k]) == HIT_OK, "is written",
                 "t");
        HIT_MUST(hit_tile_fill(traces, &(const float){0}));
        io_claim(hit_tile_read(traces, io_path("t.sgy"), NULL) == HIT_OK, "is read", "t");
        io_claim(io_filled(traces), "has all", "t");
    }
    io_assert();
}
END_TEST

/* Of any size, to 21 bits at least. */
START_TEST(ibm_floats_are_near)
{
    unsigned random = 7;
    float found;

    for (int k = 0; k < 30; k++) {
        float value;

        random = random * 1103515245u + 12345u;
        value = (float)ldexp((double)random / 4294967296.0 - 0.5, k * 8 - 120);
        HIT_MUST(hit_tile_fill(traces, &value));
        io_claim(hit_tile_write(traces, io_path("i.sgy"), "format=segy-ibm") == HIT_OK,
                 "is written", "i");
        HIT_MUST(hit_tile_read(traces, io_path("i.sgy"), NULL));
        HIT_MUST(hit_tile_get(traces, (const hit_index[]){49, 12}, &found));
        io_claim(fabs((double)found - (double)value) <= ldexp(fabs((double)value), -21),
                 "is near", "i");
    }
    io_assert();
}
END_TEST

START_TEST(an_ibm_float_has_its_known_bytes)
{
    static const char right[] = "\xc2\x76\xa0\x00";
    char found[4] = "";

    HIT_MUST(hit_tile_fill(traces, &(const float){-118.625f}));
    HIT_MUST(hit_tile_write(traces, io_path("k.sgy"), "format=segy-ibm"));
    if (hit_rank(hit) == 0) {
        FILE *file = fopen(io_path("k.sgy"), "rb");

        if (file == NULL || fseek(file, 3600 + 240, SEEK_SET) != 0) abort();
        io_claim(fread(found, 1, 4, file) == 4 && memcmp(found, right, 4) == 0,
                 "is right", "k");
        (void)fclose(file);
    }
    io_assert();
}
END_TEST

static void damage(long at, const char *bytes, size_t size, const char *text)
{
    HIT_MUST(hit_tile_write(traces, io_path("d.sgy"), NULL));
    if (hit_rank(hit) == 0) {
        FILE *file = fopen(io_path("d.sgy"), "r+b");

        if (file == NULL || fseek(file, at, SEEK_SET) != 0) abort();
        (void)fwrite(bytes, 1, size, file);
        (void)fclose(file);
    }
    HIT_MUST(hit_barrier(hit));
    refused(hit_tile_read(traces, io_path("d.sgy"), NULL), text);
    HIT_MUST(hit_barrier(hit));
}

START_TEST(what_is_no_such_file_is_refused)
{
    damage(3224, "\0\3", 2, "expected samples of format 1 or 5 but found 3");
    damage(3220, "\0\x33", 2, "but found 51 samples");
    damage(3220, "\xff\xff", 2, "but found 65535 samples");
    damage(3504, "\0\1", 2, "expected 13 traces of 50 samples");
    damage(9400, "x", 1, "expected 13 traces of 50 samples");
    HIT_MUST(hit_tile_set_axis(traces, 0, NULL));
    refused(hit_tile_write(traces, io_path("n.sgy"), NULL),
            "an axis of dimension 0 with a step");
    HIT_MUST(hit_tile_set_axis(traces, 0, &(hit_axis){.name = "t", .step = 0.004}));
    io_claim(io_drafts(hit) == 0, "leaves no draft", "n");
    io_assert();
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("segy");
    TCase *tests = tcase_create("all");

    tcase_add_test(tests, traces_come_back_in_both_formats);
    tcase_add_test(tests, ibm_floats_are_near);
    tcase_add_test(tests, an_ibm_float_has_its_known_bytes);
    tcase_add_test(tests, what_is_no_such_file_is_refused);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    int failed;

    HIT_MUST(hit_open(&argc, &argv, &hit));
    HIT_MUST(hit_format_register(hit, &segy));
    HIT_MUST(hit_format_register(hit, &segy_ibm));
    io_begin(hit);
    traces = io_tile(hit, "cyclic", hit_domain_of(50, 13), HIT_FLOAT);
    HIT_MUST(hit_tile_set_axis(traces, 0,
                               &(hit_axis){.name = "t", .units = "s", .step = 0.004}));
    HIT_MUST(hit_tile_set_axis(traces, 1,
                               &(hit_axis){.name = "x", .units = "m", .step = 7.5}));
    failed = check_run(suite());
    hit_tile_destroy(&traces);
    io_end(hit);
    hit_close(&hit);
    return failed;
}
