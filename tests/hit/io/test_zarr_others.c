/* SPDX-License-Identifier: MIT
 * Stores of Zarr that other programs have had, too: what they have said of an array
 * stays.
 */
#include "hit/hit.h"
#include "tests/hit/io/io_case.h"
#include "tests/support/check_main.h"

#include <string.h>

static hit_context *hit;
static hit_tile *field; /* 6 x 8 floats */

static void set_all(float value)
{
    HIT_MUST(hit_tile_fill(field, &value));
}

static void written(const char *options)
{
    io_claim(hit_tile_write(field, io_path("others.zarr"), options) == HIT_OK,
             "is written", options);
}

static void step_is(const char *options, float value)
{
    float found = -1;

    set_all(-1);
    io_claim(hit_tile_read(field, io_path("others.zarr"), options) == HIT_OK, "is read",
             options);
    HIT_MUST(hit_tile_get(field, (const hit_index[]){5, 7}, &found));
    io_claim(found == value, "has its value", options);
}

static void has(const char *name, const char *text)
{
    char data[8192];

    if (hit_rank(hit) != 0) return;
    data[io_get(name, data, sizeof(data) - 1)] = '\0';
    io_claim(strstr(data, text) != NULL, text, name);
}

START_TEST(a_step_leaves_what_others_have_said_of_an_array)
{
    static char kept[8192];

    set_all(1);
    written("dataset=a");
    written("dataset=said,time=0");
    if (hit_rank(hit) == 0) {
        io_change("others.zarr/said/zarr.json", "\"attributes\": {",
                  "\"attributes\": {\"title\": [1, \"of mine\"]", kept);
        io_change("others.zarr/said/zarr.json", "\"fill_value\": 0",
                  "\"fill_value\": 7.5", kept);
        io_change("others.zarr/time/zarr.json", "\"attributes\": {",
                  "\"attributes\": {\"units\": \"days since 1970-01-01\"", kept);
    }
    HIT_MUST(hit_barrier(hit));
    set_all(2);
    written("dataset=said,time=1");
    step_is("dataset=said,step=0", 1);
    step_is("dataset=said,step=1", 2);
    has("others.zarr/said/zarr.json", "\"title\": [1, \"of mine\"]");
    has("others.zarr/said/zarr.json", "\"fill_value\": 7.5");
    has("others.zarr/said/zarr.json", "\"shape\": [2, 6, 8]");
    has("others.zarr/time/zarr.json", "days since 1970-01-01");
    has("others.zarr/time/zarr.json", "\"shape\": [2]");
    has("others.zarr/zarr.json", "\"of mine\"");
    has("others.zarr/zarr.json", "days since 1970-01-01");
    io_assert();
}
END_TEST

/* zarr-python writes names so that are not ASCII. */
START_TEST(arrays_with_names_in_escapes_stay_in_the_store)
{
    static char kept[8192];

    set_all(1);
    written("dataset=a");
    if (hit_rank(hit) == 0) {
        io_change("others.zarr/zarr.json", "\"metadata\": {",
                  "\"metadata\": {\"t\\u00e9\" : {\"node_type\": \"group\"}, ", kept);
    }
    HIT_MUST(hit_barrier(hit));
    written("dataset=b,add=yes");
    has("others.zarr/zarr.json", "\"t\\u00e9\" : {\"node_type\": \"group\"}, \"a\": {");
    io_claim(hit_tile_read(field, io_path("others.zarr"), "dataset=a") == HIT_OK,
             "is read", "a");
    written("dataset=a");
    io_assert();
}
END_TEST

START_TEST(a_step_has_the_index_of_its_shards_where_the_array_says)
{
    static const char *const crc = ", {\"name\": \"crc32c\"}";
    static char kept[8192];

    for (int k = 0; k < 4; k++) {
        set_all(1);
        written("dataset=a");
        written("dataset=shards,time=0,chunks=2x2,shards=4x4");
        if (hit_rank(hit) == 0) {
            const char *const name = "others.zarr/shards/zarr.json";

            if (k % 2 == 1) io_change(name, "\"end\"", "\"start\"", kept);
            if (k / 2 == 1) io_change(name, crc, "", kept);
        }
        HIT_MUST(hit_barrier(hit));
        set_all(2);
        written("dataset=shards,time=1");
        step_is("dataset=shards,step=1", 2);
    }
    io_assert();
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("stores of others");
    TCase *c = tcase_create("all");

    tcase_add_test(c, a_step_leaves_what_others_have_said_of_an_array);
    tcase_add_test(c, arrays_with_names_in_escapes_stay_in_the_store);
    tcase_add_test(c, a_step_has_the_index_of_its_shards_where_the_array_says);
    suite_add_tcase(s, c);
    return s;
}

int main(int argc, char **argv)
{
    return io_run(&argc, &argv, suite(), &hit, &field, hit_domain_of(6, 8), HIT_FLOAT);
}
