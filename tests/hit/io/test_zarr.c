/* SPDX-License-Identifier: MIT
 * Stores of Zarr: chunks, shards and steps of any layout, what is refused, and stores
 * that are damaged. */
#include "hit/data/sig.h"
#include "hit/hit.h"
#include "hit/io/codec/codec.h"
#include "tests/hit/io/io_case.h"
#include "tests/support/check_main.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static hit_context *hit;
static hit_tile *field; /* 6 x 8 floats */

static void written(hit_tile *tile, const char *path, const char *options)
{
    io_claim(hit_tile_write(tile, io_path(path), options) == HIT_OK, "is written",
             options != NULL ? options : path);
}

static void refused(hit_status status, const char *text, const char *where)
{
    io_claim(status != HIT_OK, "is refused", where);
    if (hit_rank(hit) != 0 && status == HIT_E_PEER) return; /* told where it was seen */
    io_claim(strstr(hit_status_text(), text) != NULL, text, where);
}

/* ---- chunks and shards ---- */

START_TEST(any_chunks_and_shards_are_read_into_any_layout)
{
    static const char *const how[] = {
        "chunks=2x3x5",
        "chunks=2x3x5,shards=4x9x10",
        "chunks=100x1x7,buffer=600",
        "chunks=1x1x1,shards=5x7x11,buffer=1kB",
        "chunks=5x7x11",
        "compress=zstd,chunks=3x3x3",
        "compress=zstd,chunks=2x2x2,shards=4x4x4",
    };
    static const char *const layout[] = {"cyclic", "block", "blockcyclic:block=3",
                                         "cyclic:dim=2"};
    const hit_domain domain = {.dims = 3, .sig = {{-5, 22, 3}, {2, 37, 5}, {0, 10, 1}}};

    for (int k = 0; k < (int)(sizeof(how) / sizeof(how[0])); k++) {
        hit_tile *a = io_tile(hit, layout[k % 4], domain, HIT_DOUBLE);
        hit_tile *b = io_tile(hit, layout[(k + 1) % 4], domain, HIT_DOUBLE);

        if (strstr(how[k], "zstd") == NULL || hit_zstd_check("") == HIT_OK) {
            io_fill(a);
            written(a, "chunks.zarr", how[k]);
            io_claim(hit_tile_read(b, io_path("chunks.zarr"), "buffer=2kB") == HIT_OK,
                     "is read", how[k]);
            io_claim(io_filled(b), "has all", how[k]);
        } else {
            refused(hit_tile_write(a, io_path("chunks.zarr"), how[k]), "zstd is ",
                    how[k]);
        }
        hit_tile_destroy(&a);
        hit_tile_destroy(&b);
    }
    io_claim(io_drafts(hit) == 0, "leaves no draft", "chunks");
    io_assert();
}
END_TEST

/* ---- steps ---- */

static void set_all(float value)
{
    HIT_MUST(hit_tile_fill(field, &value));
}

static void step_is(const char *options, float value)
{
    float found = -1;

    set_all(-1);
    io_claim(hit_tile_read(field, io_path("steps.zarr"), options) == HIT_OK, "is read",
             options);
    HIT_MUST(hit_tile_get(field, (const hit_index[]){5, 7}, &found));
    io_claim(found == value, "has its value", options);
}

START_TEST(steps_are_added_found_and_replaced)
{
    set_all(1);
    written(field, "steps.zarr", "dataset=a,time=0");
    written(field, "steps.zarr", "dataset=b,time=0");
    set_all(2);
    written(field, "steps.zarr", "dataset=a,time=0.5");
    set_all(3);
    written(field, "steps.zarr", "dataset=a,time=0.5"); /* the same step again */
    refused(hit_tile_write(field, io_path("steps.zarr"), "dataset=c,time=0.5"),
            "expected its step 0 next but found time=0.5, which is step 1", "c");
    step_is("dataset=a,step=0", 1);
    step_is("dataset=a,step=1", 3);
    step_is("dataset=a,step=-2", 1);
    step_is("dataset=b,step=-1", 1);
    refused(hit_tile_read(field, io_path("steps.zarr"), "dataset=a,step=2"),
            "expected step= from 0 to 1 but found 2", "step=2");
    refused(hit_tile_read(field, io_path("steps.zarr"), "dataset=a"),
            "expected an array of 6 x 8 but found 2 x 6 x 8", "a");
    written(field, "steps.zarr", "dataset=b,time=0.5");
    written(field, "steps.zarr", "dataset=d,add=yes"); /* without time */
    step_is("dataset=a,step=1", 3);
    written(field, "steps.zarr", "dataset=a");
    refused(hit_tile_read(field, io_path("steps.zarr"), "dataset=b,step=0"),
            "has no array b", "b");
    io_claim(io_drafts(hit) == 0, "leaves no draft", "steps");
    io_assert();
}
END_TEST

/* ---- what is refused ---- */

START_TEST(what_is_wrong_is_told)
{
    static const struct {
        const char *options;
        const char *text;
    } wrong[] = {
        {"chunks=2x2x2", "expected chunks= of 2 sizes but found 3"},
        {"chunks=0x2", "chunks="},
        {"shards=4x4", "expected shards= whole multiples of chunks="},
        {"chunks=3x3,shards=4x6", "dimension 0 has 4 and 3"},
        {"chunks=3x3,shards=6", "expected as many chunks= as shards="},
        {"chunks=100000x100000", "at most 1 GiB"},
        {"compress=gzip", "expected compress=zstd or compress=no"},
        {"time=soon", "time="},
        {"dataset=a/b", "without '/'"},
        {"dataset=..", "without '/'"},
        {"dataset=zarr.json", "without '/'"},
        {"dataset=a\"b", "without '/'"},
        {"dataset=a\\b", "without '/'"},
        {"step=1", "expected an option format"},
    };

    for (size_t k = 0; k < sizeof(wrong) / sizeof(wrong[0]); k++) {
        refused(hit_tile_write(field, io_path("wrong.zarr"), wrong[k].options),
                wrong[k].text, wrong[k].options);
    }
    refused(hit_tile_write(field, io_path("w.npy"), "chunks=2x2"), "has no chunks",
            "npy");
    refused(hit_tile_read(field, io_path("wrong.zarr"), NULL),
            "cannot be read: No such file", "read");
    refused(hit_tile_write(field, io_path("no/where.zarr"), NULL), "No such file",
            "folder");
    io_assert();
}
END_TEST

START_TEST(arrays_of_a_store_have_the_same_dimensions)
{
    io_fill(field);
    HIT_MUST(hit_tile_set_axis(field, 0, &(hit_axis){.name = "y"}));
    HIT_MUST(
        hit_tile_set_axis(field, 1, &(hit_axis){.name = "x", .first = 1, .step = 0.5}));
    written(field, "axes.zarr", "dataset=a");
    written(field, "axes.zarr", "dataset=b,add=yes");
    HIT_MUST(
        hit_tile_set_axis(field, 1, &(hit_axis){.name = "x", .first = 1, .step = 0.25}));
    refused(hit_tile_write(field, io_path("axes.zarr"), "dataset=c,add=yes"),
            "dimension x: expected 1.5 at element 1, as the store has it", "c");
    HIT_MUST(hit_tile_set_axis(field, 1, &(hit_axis){.name = "time"}));
    refused(hit_tile_write(field, io_path("axes.zarr"), "dataset=c,time=0"),
            "expected another name for dimension 1", "time");
    HIT_MUST(hit_tile_set_axis(field, 0, NULL));
    HIT_MUST(hit_tile_set_axis(field, 1, NULL));
    set_all(0);
    io_claim(hit_tile_read(field, io_path("axes.zarr"), "dataset=b") == HIT_OK, "is read",
             "b");
    io_claim(io_filled(field), "is whole", "b");
    io_assert();
}
END_TEST

/* ---- damage ---- */

/* Read the store with zarr.json as @p from becomes @p to. */
static void metadata_is_refused(const char *from, const char *to, const char *text)
{
    static char kept[8192];

    if (hit_rank(hit) == 0) io_change("hostile.zarr/field/zarr.json", from, to, kept);
    HIT_MUST(hit_barrier(hit));
    refused(hit_tile_read(field, io_path("hostile.zarr"), NULL), text, to);
    if (hit_rank(hit) == 0) io_put("hostile.zarr/field/zarr.json", kept, strlen(kept));
    HIT_MUST(hit_barrier(hit));
}

START_TEST(hostile_metadata_is_refused)
{
    io_fill(field);
    written(field, "hostile.zarr", "chunks=2x2,shards=4x4");
    metadata_is_refused("[6, 8]", "[6, 9]", "expected an array of 6 x 8 but found 6 x 9");
    metadata_is_refused("[6, 8]", "[6, -8]", "expected a shape of few dimensions");
    metadata_is_refused("[6, 8]", "[6, 8, 1, 1, 1, 1, 1]",
                        "expected a shape of few dimensions");
    metadata_is_refused("[6, 8]", "[6, 99999999999999999999]", "expected a shape");
    metadata_is_refused("[6, 8]", "[[[[", "expected JSON but found");
    metadata_is_refused("[4, 4]", "[0, 4]", "expected a chunk_shape");
    metadata_is_refused("[4, 4]", "[1000000000000, 4]",
                        "shards of at most 1048576 chunks");
    metadata_is_refused("[4, 4]", "[4611686018427387904, 4611686018427387904]",
                        "shards of at most");
    metadata_is_refused("[2, 2]", "[3, 2]", "shards of whole chunks");
    metadata_is_refused("[2, 2]", "[2]", "a chunk_shape of shards");
    metadata_is_refused("\"bytes\"", "\"blosc\"",
                        "little-endian bytes as the first codec");
    metadata_is_refused("\"little\"", "\"big\"",
                        "little-endian bytes as the first codec");
    metadata_is_refused("float32", "float16",
                        "expected elements of type float (float32)");
    metadata_is_refused("\"end\"", "\"middle\"", "index_location start or end");
    metadata_is_refused("\"fill_value\": 0", "\"fill_value\": \"x\"",
                        "a number as fill_value");
    metadata_is_refused("\"zarr_format\": 3", "\"zarr_format\": 2", "Zarr, version 3");
    metadata_is_refused("\"regular\"", "\"rectilinear\"", "expected chunk_grid regular");
    io_claim(hit_tile_read(field, io_path("hostile.zarr"), NULL) == HIT_OK &&
                 io_filled(field),
             "is read", "as it was");
    io_assert();
}
END_TEST

/* Offsets and sizes of an index with a checksum that is right. */
static void index_is_refused(uint64_t offset, uint64_t size, const char *text)
{
    char data[1024];
    char changed[1024];
    uint32_t crc;
    size_t length = 0;

    if (hit_rank(hit) == 0) {
        length = io_get("index.zarr/field/c/0/0", data, sizeof(data));
        memcpy(changed, data, length);
        memcpy(changed + length - 68, &offset, 8);
        memcpy(changed + length - 60, &size, 8);
        crc = hit_crc32c(changed + length - 68, 64);
        memcpy(changed + length - 4, &crc, 4);
        io_put("index.zarr/field/c/0/0", changed, length);
    }
    HIT_MUST(hit_barrier(hit));
    io_claim(hit_tile_read(field, io_path("index.zarr"), NULL) != HIT_OK, text, "index");
    HIT_MUST(hit_barrier(hit));
    if (hit_rank(hit) == 0) io_put("index.zarr/field/c/0/0", data, length);
}

START_TEST(hostile_indices_of_shards_are_refused)
{
    io_fill(field);
    written(field, "index.zarr", "chunks=2x2,shards=4x4");
    index_is_refused(0, 17, "a chunk that is too long");
    index_is_refused(0, 0, "a chunk that is empty");
    index_is_refused(1u << 30, 16, "a chunk behind the end");
    index_is_refused(UINT64_MAX - 8, 16, "an offset that overflows");
    index_is_refused(8, UINT64_MAX - 4, "a size that overflows");
    HIT_MUST(hit_barrier(hit));
    io_claim(hit_tile_read(field, io_path("index.zarr"), NULL) == HIT_OK &&
                 io_filled(field),
             "is read", "as it was");
    io_assert();
}
END_TEST

/* A small frame that says it is a large one, and a small one that is. */
START_TEST(compressed_bombs_do_not_go_off)
{
    static const char what[] = "bomb";
    char *large = NULL;
    char packed[4096];
    size_t size = 0;

    if (hit_zstd_check("") != HIT_OK) return;
    HIT_MUST(hit_memory_zeroed(1 << 16, 1, &large));
    HIT_MUST(hit_zstd_pack(what, large, 1 << 16, packed, sizeof(packed), &size));
    free(large);
    io_fill(field);
    written(field, "bomb.zarr", "compress=zstd");
    if (hit_rank(hit) == 0) io_put("bomb.zarr/field/c/0/0", packed, size);
    HIT_MUST(hit_barrier(hit));
    io_claim(hit_tile_read(field, io_path("bomb.zarr"), NULL) != HIT_OK, "is refused",
             what);
    io_assert();
}
END_TEST

/* Files with a few bytes changed, or cut off: an error or a field, never more. */
START_TEST(damaged_stores_are_survived)
{
    static const char *const name[] = {"field/zarr.json", "zarr.json", "field/c/0/0",
                                       "field/c/1/1"};
    static char data[8192];
    static char changed[8192];
    unsigned random = 39;
    int failures = 0;

    io_fill(field);
    written(field, "damage.zarr",
            hit_zstd_check("") == HIT_OK ? "chunks=2x2,shards=4x4,compress=zstd"
                                         : "chunks=2x2,shards=4x4");
    for (int round = 0; round < 300; round++) {
        char path[64];
        size_t size = 0;
        const bool adds = round % 8 == 1; /* which reads the group */

        (void)snprintf(path, sizeof(path), "damage.zarr/%s", name[adds ? 1 : round % 4]);
        if (hit_rank(hit) == 0) {
            size = io_get(path, data, sizeof(data));
            memcpy(changed, data, size);
            for (int k = 0; k < 3; k++) {
                random = random * 1103515245u + 12345u;
                changed[(random >> 8) % size] = (char)(random >> 20);
            }
            io_put(path, changed, round % 3 == 0 ? (random >> 8) % size : size);
        }
        HIT_MUST(hit_barrier(hit));
        if (adds) {
            failures += hit_tile_write(field, io_path("damage.zarr"),
                                       "dataset=b,add=yes") != HIT_OK;
        } else {
            failures += hit_tile_read(field, io_path("damage.zarr"), NULL) != HIT_OK;
        }
        HIT_MUST(hit_barrier(hit));
        if (hit_rank(hit) == 0) io_put(path, data, size);
        HIT_MUST(hit_barrier(hit));
    }
    io_claim(failures > 50, "finds damage", "damage");
    io_claim(hit_tile_read(field, io_path("damage.zarr"), NULL) == HIT_OK, "is read",
             "as it was");
    io_assert();
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("zarr");
    TCase *c = tcase_create("all");

    tcase_add_test(c, any_chunks_and_shards_are_read_into_any_layout);
    tcase_add_test(c, steps_are_added_found_and_replaced);
    tcase_add_test(c, what_is_wrong_is_told);
    tcase_add_test(c, arrays_of_a_store_have_the_same_dimensions);
    tcase_add_test(c, hostile_metadata_is_refused);
    tcase_add_test(c, hostile_indices_of_shards_are_refused);
    tcase_add_test(c, compressed_bombs_do_not_go_off);
    tcase_add_test(c, damaged_stores_are_survived);
    suite_add_tcase(s, c);
    return s;
}

int main(int argc, char **argv)
{
    return io_run(&argc, &argv, suite(), &hit, &field, hit_domain_of(6, 8), HIT_FLOAT);
}
