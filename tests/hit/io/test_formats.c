/* SPDX-License-Identifier: MIT
 * A file format of a program's own: found by its ending and by its name. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier): pwrite */
#include "hit/base/context.h"
#include "hit/comm/comm.h"
#include "hit/hit.h"
#include "hit/io/formats.h"
#include "tests/support/check_main.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    N = 1000
};

static hit_context *hit;

/* ---- "raw": the elements of one dimension and nothing else ---- */

static hit_status raw_open(hit_array *array)
{
    const int file = open(array->opened, O_RDWR | O_CREAT, 0666);

    array->handle = NULL;
    if (file < 0) return HIT_FAIL(HIT_E_IO, "%s: cannot be opened", array->path);
    array->handle = (void *)((intptr_t)file + 1);
    return HIT_OK;
}

static int file_of(const hit_array *array)
{
    return (int)((intptr_t)array->handle - 1);
}

static hit_status raw_write(hit_array *array, const hit_index start[],
                            const hit_index count[], const void *data)
{
    const size_t bytes = (size_t)count[0] * array->type.size_bytes;
    const off_t at = (off_t)start[0] * (off_t)array->type.size_bytes;

    if (pwrite(file_of(array), data, bytes, at) == (ssize_t)bytes) return HIT_OK;
    return HIT_FAIL(HIT_E_IO, "%s: cannot be written", array->path);
}

static hit_status raw_read(hit_array *array, const hit_index start[],
                           const hit_index count[], void *data)
{
    const size_t bytes = (size_t)count[0] * array->type.size_bytes;
    const off_t at = (off_t)start[0] * (off_t)array->type.size_bytes;

    if (pread(file_of(array), data, bytes, at) == (ssize_t)bytes) return HIT_OK;
    return HIT_FAIL(HIT_E_IO, "%s: cannot be read", array->path);
}

static hit_status raw_close(hit_array *array)
{
    if (array->handle != NULL) (void)close(file_of(array));
    return HIT_OK;
}

static const hit_format raw = {.name = "raw",
                               .ending = {".raw", NULL},
                               .create = raw_open,
                               .open = raw_open,
                               .write = raw_write,
                               .read = raw_read,
                               .close = raw_close};

/* ---- tests ---- */

static hit_status make_tile(hit_context *in, const char *layout_text, hit_tile **tile)
{
    hit_layout *layout = NULL;

    HIT_TRY(hit_layout_create(in, hit_domain_of(N), layout_text, &layout));
    HIT_TRY(hit_tile_create(layout, HIT_INT64, "t", tile));
    hit_layout_destroy(&layout);
    return HIT_OK;
}

/* Are all elements of the tile their own squares? The same answer on all processes. */
static bool is_right(hit_tile *tile)
{
    static int64_t found[N];
    bool right = true;

    HIT_MUST(hit_tile_gather(tile, 0, found));
    for (int64_t k = 0; hit_rank(hit) == 0 && k < N; k++) {
        right = right && found[k] == k * k;
    }
    return hit_comm_agree(hit->comm, right ? HIT_OK : HIT_E_INTERNAL) == HIT_OK;
}

START_TEST(tiles_go_through_a_format_of_the_program)
{
    static int64_t square[N];
    hit_tile *from = NULL;
    hit_tile *to = NULL;
    bool right;

    for (int64_t k = 0; k < N; k++) {
        square[k] = k * k;
    }
    HIT_MUST(hit_format_register(hit, &raw));
    HIT_MUST(make_tile(hit, "block", &from));
    HIT_MUST(make_tile(hit, "cyclic", &to));
    HIT_MUST(hit_tile_scatter(from, 0, square));
    HIT_MUST(hit_tile_write(from, "test_formats.raw", "buffer=1kB"));
    HIT_MUST(hit_tile_read(to, "test_formats.raw", "format=raw"));
    right = is_right(to);
    hit_tile_destroy(&from);
    hit_tile_destroy(&to);
    HIT_MUST(hit_barrier(hit));
    if (hit_rank(hit) == 0) (void)remove("test_formats.raw");
    ck_assert(right);
}
END_TEST

START_TEST(what_is_no_new_format_is_refused)
{
    hit_format half = raw;
    hit_format second = raw;

    second.name = "npy";
    ck_assert_int_eq(hit_format_register(hit, &second), HIT_E_ARG);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "\"npy\" exists"));
    half.read = NULL;
    half.name = "half";
    ck_assert_int_eq(hit_format_register(hit, &half), HIT_E_ARG);
    ck_assert_int_eq(hit_format_register(hit, NULL), HIT_E_ARG);
    ck_assert_int_eq(hit_format_register(NULL, &raw), HIT_E_ARG);
    ck_assert_int_eq(hit_format_register(hit, &raw), HIT_E_ARG); /* a second time */
}
END_TEST

START_TEST(mistakes_list_the_formats_of_the_program)
{
    hit_tile *tile = NULL;
    hit_status status;
    bool listed;

    HIT_MUST(make_tile(hit, "block", &tile));
    status = hit_tile_write(tile, "t.dat", "format=csv");
    listed = strstr(hit_status_text(), "or raw) but found \"csv\"") != NULL;
    hit_tile_destroy(&tile);
    ck_assert_int_eq(status, HIT_E_ARG);
    ck_assert(listed);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("formats");
    TCase *tests = tcase_create("of the program");

    tcase_add_test(tests, tiles_go_through_a_format_of_the_program);
    tcase_add_test(tests, what_is_no_new_format_is_refused);
    tcase_add_test(tests, mistakes_list_the_formats_of_the_program);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &hit);
}
