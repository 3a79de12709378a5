/* SPDX-License-Identifier: MIT
 * Opening with wrong words, devices that are not there, and memory that is too small, on
 * all processes or on one. */
#define _POSIX_C_SOURCE 200809L /* setenv */

#include "hit/io/png.h"
#include "hit/mpi.h"
#include "hit/tile/array.h"
#include "hit/tile/axis.h"
#include "hit/tile/hold.h"
#include "tests/hit/launch/expect.h"

extern const hit_kernel star;

/* Keeps MPI open while the tests open and close contexts of their own. */
static hit_context *base;

/* Open with the variable set to @p value; NULL: unset. */
static hit_status open_with_variable(const char *name, const char *value,
                                     const hit_options *options)
{
    const char *before = getenv(name);
    char kept[200] = "";
    hit_context *made = NULL;
    hit_status status;

    if (before != NULL) snprintf(kept, sizeof(kept), "%s", before);
    (void)(value != NULL ? setenv(name, value, 1) : unsetenv(name));
    status = hit_open_with(NULL, NULL, options, &made);
    (void)(before != NULL ? setenv(name, kept, 1) : unsetenv(name));
    if (status == HIT_OK) hit_close(&made);
    ck_assert_ptr_null(made);
    return status;
}

START_TEST(garbage_in_HIT_DEVICES_is_told)
{
    static const char *const texts[] = {"toaster",
                                        "host:banana",
                                        "cuda:x",
                                        "host:memory=12parsec",
                                        "host:memory=-1",
                                        "host;;host",
                                        ":",
                                        "host:cores=3-1",
                                        "host:threads=0",
                                        "host:staged:memory=1MiB:threads=two"};
    expectations e = expect_open(NULL);

    for (size_t k = 0; k < sizeof(texts) / sizeof(texts[0]); k++) {
        const bool list = strchr(texts[k], ';') != NULL; /* its second item is wrong */
        const char *item = list ? "device 2, \"\"" : texts[k];

        expect_failure(&e, open_with_variable("HIT_DEVICES", texts[k], NULL), HIT_E_ARG,
                       texts[k], "expected|found");
        expect_true(&e, strstr(hit_status_text(), item) != NULL, texts[k]);
        expect_failure(&e,
                       open_with_variable("HIT_DEVICES", "host",
                                          &(hit_options){.devices = texts[k]}),
                       HIT_E_ARG, texts[k], "expected|found");
    }
    expect_failure(
        &e,
        open_with_variable("HIT_DEVICES", "toaster", &(hit_options){.devices = "host"}),
        HIT_OK, "options are stronger than the environment", "");
    expect_close(&e);
}
END_TEST

START_TEST(garbage_in_HIT_THREADS_is_told)
{
    static const char *const texts[] = {"0",      "-3",  "many", "1e3", "2x",
                                        "999999", "2 3", "0x2",  " "};
    const hit_options host = {.devices = "host"};
    expectations e = expect_open(NULL);

    for (size_t k = 0; k < sizeof(texts) / sizeof(texts[0]); k++) {
        expect_failure(&e, open_with_variable("HIT_THREADS", texts[k], &host), HIT_E_ARG,
                       texts[k], "HIT_THREADS|expected a whole number from 1 to");
        expect_true(&e, strstr(hit_status_text(), texts[k]) != NULL, texts[k]);
    }
    expect_failure(&e, open_with_variable("HIT_THREADS", "2", &host), HIT_OK, "two", "");
    for (int k = 0; k < 2; k++) {
        const hit_options wrong = {.devices = "host", .threads = k == 0 ? -1 : 99999};

        expect_failure(&e, open_with_variable("HIT_THREADS", NULL, &wrong), HIT_E_ARG,
                       "threads in the options", "threads but found");
    }
    expect_close(&e);
}
END_TEST

START_TEST(devices_that_are_not_there_are_told_with_the_reason)
{
    expectations e = expect_open(NULL);

    expect_failure(
        &e,
        open_with_variable("HIT_DEVICES", NULL, &(hit_options){.devices = "cuda:999"}),
        HIT_E_ABSENT, "a GPU of a high number", "no device cuda:999: ");
    expect_failure(&e,
                   open_with_variable("HIT_DEVICES", NULL,
                                      &(hit_options){.devices = "host:cores=100000"}),
                   HIT_E_ABSENT, "a core of a high number", "100000");
    expect_failure(&e, hit_open_from(NULL, NULL, &e.hit), HIT_E_ARG, "no communicator",
                   "communicator|NULL");
    expect_failure(&e, hit_open_with(NULL, NULL, NULL, NULL), HIT_E_ARG,
                   "no place for the context", "expected a place");
    expect_failure(&e, hit_open(NULL, NULL, NULL), HIT_E_ARG, "no place for the context",
                   "expected a place");
    expect_close(&e);
}
END_TEST

START_TEST(one_process_that_cannot_open_is_told_to_all)
{
    expectations e = expect_open(NULL);
    const int failing = hit_size(e.hit) - 1;
    const bool mine = hit_rank(e.hit) == failing;
    const hit_options wrong = {.devices = mine ? "host:banana" : "host", .threads = 1};
    char words[100];

    snprintf(words, sizeof(words), "process %d failed: |banana", failing);
    expect_failure(&e, open_with_variable("HIT_DEVICES", NULL, &wrong),
                   mine ? HIT_E_ARG : HIT_E_PEER, "one process is wrong",
                   mine ? "banana" : words);
    expect_close(&e);
}
END_TEST

typedef struct planes {
    hit_tile *now;
    hit_tile *next;
} planes;

static planes make_planes(hit_context *hit, hit_domain box)
{
    hit_layout *layout = NULL;
    planes made = {0};

    HIT_MUST(hit_layout_create(hit, box, "block", &layout));
    HIT_MUST(hit_tile_create(layout, HIT_INT64, "before", &made.now));
    HIT_MUST(hit_tile_create(layout, HIT_INT64, "after", &made.next));
    HIT_MUST(hit_tile_set_boundary(made.now, -1, HIT_BOUNDARY_PERIODIC, NULL));
    hit_layout_destroy(&layout);
    return made;
}

static void drop_planes(planes *made)
{
    hit_tile_destroy(&made->now);
    hit_tile_destroy(&made->next);
}

/* An index of star needs 8 bytes of next and 4 x 5 x 8 of now, one of line only 8 + 48:
 * what fits goes on. */
enum {
    LIMIT_BYTES = 100
};

START_TEST(an_index_that_does_not_fit_is_told_byte_by_byte)
{
    const hit_domain box = hit_domain_of(9, 8);
    expectations e = expect_open(&(hit_options){
        .devices = "host", .threads = 1, .device_memory_bytes = LIMIT_BYTES});
    planes p = make_planes(e.hit, box);

    for (int round = 0; round < 2; round++) {
        expect_failure(
            &e, hit_launch(e.hit, &star, box, p.next, p.now, HIT_VALUE((int64_t){1})),
            HIT_E_LIMIT, "one index does not fit",
            "kernel star|device host|100 B|next 8 B|now 160 B|168 B");
    }
    drop_planes(&p);
    expect_close(&e);
}
END_TEST

START_TEST(a_limit_of_one_process_stops_all_with_its_text)
{
    const int last = hit_size(base) - 1;
    const bool mine = hit_rank(base) == last;
    const hit_domain box = hit_domain_of(30, 8); /* so that all have indices */
    expectations e = expect_open(&(hit_options){
        .threads = 1, .device_memory_bytes = mine ? LIMIT_BYTES : 0, .devices = "host"});
    planes p = make_planes(e.hit, box);
    char words[200];

    snprintf(words, sizeof(words), "process %d failed: |kernel star|now 160 B|100 B",
             last);
    for (int round = 0; round < 2; round++) {
        expect_failure(
            &e, hit_launch(e.hit, &star, box, p.next, p.now, HIT_VALUE((int64_t){1})),
            mine ? HIT_E_LIMIT : HIT_E_PEER, "one process has too little memory",
            mine ? "kernel star|now 160 B|100 B" : words);
    }
    drop_planes(&p);
    expect_close(&e);
}
END_TEST

static void expect_closed(hit_status found)
{
    ck_assert_int_eq(found, HIT_E_ARG);
    ck_assert_ptr_nonnull(
        strstr(hit_status_text(), "tile late: its context has been closed"));
}

START_TEST(a_tile_that_outlives_its_context_can_be_destroyed)
{
    const hit_domain ten = hit_domain_of(10);
    hit_context *hit = NULL;
    hit_layout *layout = NULL;
    hit_tile *tile = NULL;
    hit_tile *part = NULL;
    hit_tile *again = NULL;
    hit_view view;
    float value = 0;

    ck_assert_int_eq(hit_open_with(NULL, NULL, NULL, &hit), HIT_OK);
    ck_assert_int_eq(hit_layout_create(hit, ten, "block", &layout), HIT_OK);
    ck_assert_int_eq(hit_tile_create(layout, HIT_FLOAT, "late", &tile), HIT_OK);
    ck_assert_int_eq(hit_tile_select(tile, hit_domain_of(5), &part), HIT_OK);
    hit_layout_destroy(&layout);
    hit_close(&hit);
    expect_closed(hit_tile_get(tile, (const hit_index[]){0}, &value));
    expect_closed(hit_tile_fill(tile, &value));
    expect_closed(hit_tile_map(tile, 0, HIT_READ, &view));
    expect_closed(hit_tile_map_around(tile, "[i]", &view));
    expect_closed(hit_tile_select(tile, hit_domain_of(5), &again));
    expect_closed(hit_tile_set_boundary(tile, 0, HIT_BOUNDARY_CLAMP, NULL));
    expect_closed(hit_tile_set_axis(tile, 0, NULL));
    expect_closed(hit_tile_hold(tile));
    expect_closed(hit_tile_gather(tile, 0, &value));
    expect_closed(hit_tile_scatter(tile, 0, &value));
    expect_closed(hit_tile_copy(tile, tile));
    expect_closed(hit_tile_relayout(tile, hit_tile_layout(tile)));
    expect_closed(hit_tile_write(tile, "/tmp/hit-never.npy", NULL));
    expect_closed(hit_tile_read(tile, "/tmp/hit-never.npy", NULL));
    expect_closed(hit_tile_write_png(tile, "/tmp/hit-never.png", NULL));
    hit_tile_swap(&tile, &part);
    expect_closed(hit_tile_fill(tile, &value));
    hit_tile_swap(&tile, &part);
    hit_tile_destroy(&tile);
    hit_tile_destroy(&part);
}
END_TEST

START_TEST(a_layout_that_outlives_its_context_makes_no_tile)
{
    hit_context *hit = NULL;
    hit_layout *layout = NULL;
    hit_tile *tile = NULL;

    ck_assert_int_eq(hit_open_with(NULL, NULL, NULL, &hit), HIT_OK);
    ck_assert_int_eq(hit_layout_create(hit, hit_domain_of(10), "block", &layout), HIT_OK);
    hit_close(&hit);
    ck_assert_int_eq(hit_tile_create(layout, HIT_FLOAT, "late", &tile), HIT_E_ARG);
    ck_assert_ptr_nonnull(
        strstr(hit_status_text(), "layout block: its context has been closed"));
    ck_assert_ptr_null(tile);
    ck_assert_int_eq(hit_layout_ranks(layout), hit_size(base));
    hit_layout_destroy(&layout);
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("errors of opening");
    TCase *tests = tcase_create("open");

    tcase_add_test(tests, garbage_in_HIT_DEVICES_is_told);
    tcase_add_test(tests, garbage_in_HIT_THREADS_is_told);
    tcase_add_test(tests, devices_that_are_not_there_are_told_with_the_reason);
    tcase_add_test(tests, one_process_that_cannot_open_is_told_to_all);
    tcase_add_test(tests, an_index_that_does_not_fit_is_told_byte_by_byte);
    tcase_add_test(tests, a_limit_of_one_process_stops_all_with_its_text);
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, a_tile_that_outlives_its_context_can_be_destroyed);
    tcase_add_test(tests, a_layout_that_outlives_its_context_makes_no_tile);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
