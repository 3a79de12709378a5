/* SPDX-License-Identifier: MIT
 * Stretches of any size at any place, written by a thread that has room for none, some or
 * all of them: the file has each byte at its place, and each was told of once. */
#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier): pread, mkstemp */
#include "hit/base/memory.h"
#include "hit/checkpoint/checkpoint_impl.h"
#include "hit/io/io_impl.h"
#include "tests/support/check_main.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    STRETCHES = 24,
    MOST = 5 << 20 /* bytes of a stretch */
};

static const size_t rooms[] = {0, 1, 7 << 20, 1 << 30};

/* Adds each byte times its place: stretches may come in any order. */
static void note(void *to_moved, uint64_t offset, const void *data, size_t size)
{
    uint64_t *told = to_moved;
    const unsigned char *byte = data;

    for (size_t k = 0; k < size; k++) {
        *told += (offset + k + 1) * byte[k];
    }
}

static void fill(hit_random *random, unsigned char *data, size_t size)
{
    const uint64_t start = hit_random_next(random);

    for (size_t k = 0; k < size; k++) {
        data[k] = (unsigned char)((start + k * k) >> 3);
    }
}

/* Large ones and small ones, some of whole pages. */
static size_t next_size(hit_random *random)
{
    const size_t most = hit_random_index(random, 0, 2) == 0 ? 9000 : MOST;
    const size_t size = (size_t)hit_random_index(random, 1, (hit_index)most);

    return hit_random_index(random, 0, 2) == 0 ? (size + 4095) / 4096 * 4096 : size;
}

static void write_all(hit_random *random, hit_writer *writer, hit_file *file,
                      uint64_t begin, unsigned char *wanted,
                      uint64_t *told) /* NOLINT: note() writes it */
{
    const hit_sink sink = hit_writer_sink(writer);
    uint64_t at = 0;

    for (int k = 0; k < STRETCHES; k++) {
        hit_stretch s = {.file = file,
                         .place_bytes = begin + at,
                         .size_bytes = next_size(random),
                         .moved = note,
                         .to_moved = told,
                         .offset_bytes = at};
        void *memory = NULL;

        HIT_MUST(sink.take(sink.of, &s, &memory));
        fill(random, memory, s.size_bytes);
        memcpy(wanted + at, memory, s.size_bytes);
        s.data = memory;
        sink.write(sink.of, &s);
        at += s.size_bytes;
    }
    sink.end_file(sink.of, &file);
    (void)hit_writer_end(writer);
    HIT_MUST(hit_writer_wait(writer));
    ck_assert_uint_eq(hit_writer_written(writer), at);
}

START_TEST(stretches_lie_at_their_places)
{
    hit_random random = hit_random_start((uint64_t)_i + 1);
    const uint64_t unit = _i % 3 == 0 ? 1 : 16; /* pages may go past the system */
    const uint64_t begin = unit * (uint64_t)hit_random_index(&random, 0, 600);
    char path[] = "writer-XXXXXX";
    const int handle = mkstemp(path);
    const hit_array array = {.path = path, .opened = path};
    unsigned char *wanted = NULL;
    unsigned char *found = NULL;
    hit_writer *writer = NULL;
    hit_file *file = NULL;
    uint64_t told = 0;
    uint64_t sum = 0;
    uint64_t size;

    ck_assert_int_ge(handle, 0);
    HIT_MUST(hit_memory_zeroed(STRETCHES, MOST + 4096, &wanted));
    HIT_MUST(hit_memory_zeroed(STRETCHES, MOST + 4096, &found));
    HIT_MUST(hit_file_open(&array, true, &file));
    HIT_MUST(hit_writer_open(rooms[_i % 4], &writer));
    write_all(&random, writer, file, begin, wanted, &told);
    size = hit_writer_written(writer);
    hit_writer_close(&writer);
    ck_assert_int_eq(pread(handle, found, size + 1, (off_t)begin), (ssize_t)size);
    ck_assert(memcmp(found, wanted, size) == 0);
    note(&sum, 0, wanted, size);
    ck_assert_uint_eq(told, sum);
    (void)close(handle);
    (void)unlink(path);
    free(wanted);
    free(found);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("checkpoint writer");
    TCase *tests = tcase_create("all");

    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, stretches_lie_at_their_places, 0, 12);
    suite_add_tcase(suite, tests);
    return check_run(suite);
}
