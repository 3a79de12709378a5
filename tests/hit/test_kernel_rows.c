/* SPDX-License-Identifier: MIT
 * Rows of elements of every size, of all lengths about those of blocks and wherever they
 * begin, are what their indices are one by one, bit by bit; and nothing else is written.
 */
#include "hit/hit.h"
#include "patterns/kernel.h"
#include "tests/hit/kernel_rows.h"
#include "tests/support/check_main.h"
#include "tests/support/random.h"

#include <string.h>

extern const hit_kernel rows_bytes, rows_shorts, rows_floats, rows_doubles, rows_longs,
    rows_structs;

enum {
    TILES = 5, /* y, x, side, turned, deep */
    ROWS = 5,
    LONGEST = 150,
    RIM = 1,
    MOST = 2 * (ROWS + 2 * RIM) * (LONGEST + 2 * RIM + 70) /* elements of a tile */
};

typedef void (*writer)(void *elements, int at, int value);

#define WRITER(type)                                                                     \
    static void write_##type(void *elements, int at, int value)                          \
    {                                                                                    \
        ((type *)elements)[at] = (type)value;                                            \
    }
WRITER(uint8_t)
WRITER(uint16_t)
WRITER(float)
WRITER(double)
WRITER(int64_t)

static void write_struct(void *elements, int at, int value)
{
    const float a = (float)value;

    ((rows_struct *)elements)[at] = (rows_struct){a, 2 * a, 3 * a};
}

typedef struct rows_case {
    const hit_kernel *kernel;
    writer write[2]; /* elements of the first type, and of the second */
    size_t size[2];
} rows_case;

static const rows_case cases[] = {{&rows_bytes, {write_uint8_t, write_uint8_t}, {1, 1}},
                                  {&rows_shorts, {write_uint16_t, write_uint8_t}, {2, 1}},
                                  {&rows_floats, {write_float, write_float}, {4, 4}},
                                  {&rows_doubles, {write_double, write_float}, {8, 4}},
                                  {&rows_longs, {write_int64_t, write_uint16_t}, {8, 2}},
                                  {&rows_structs,
                                   {write_struct, write_struct},
                                   {sizeof(rows_struct), sizeof(rows_struct)}}};

/* of which type each tile is */
static const int type_of[TILES] = {0, 1, 0, 1, 0};

/* The memory of the tiles; bytes, so that all types may lie in it. */
static _Alignas(64) unsigned char memory[TILES][MOST * sizeof(rows_struct)];
static unsigned char one_by_one[MOST * sizeof(rows_struct)];

static void fill(const rows_case *c)
{
    for (int t = 0; t < TILES; t++) {
        for (int e = 0; e < MOST; e++) {
            c->write[type_of[t]](memory[t], e, (e * 7 + t * 13) % 29);
        }
    }
}

/* Tiles whose index (0, 0) has rims and @p shift elements before it. */
static hit_run run_of(const rows_case *c, hit_index count, hit_index shift)
{
    const hit_index row = count + 2 * RIM + shift % 5;
    const hit_index stride[TILES][3] = {
        {row, 1}, {row, 1}, {1}, {ROWS, 1}, {row * (ROWS + 2 * RIM), row, 1}};
    hit_run run = {.end = {ROWS - 1, count - 1}, .stride = {1, 1}, .threads = 1};

    for (int t = 0; t < TILES; t++) {
        const hit_index first = shift + (t < 2 ? RIM * row + RIM : 0);
        hit_slot *slot = &run.slot[t];

        slot->base = memory[t] + (size_t)first * c->size[type_of[t]];
        slot->dense = 1;
        for (int d = 0; d < 3; d++) {
            slot->stride[d] = stride[t][d];
            slot->step[d] = 1;
        }
    }
    return run;
}

static bool right(const rows_case *c, hit_index count, hit_index shift)
{
    hit_run run = run_of(c, count, shift);
    const hit_run box = run;

    fill(c);
    for (hit_index i = 0; i < ROWS; i++) {
        for (hit_index j = 0; j < count; j++) {
            run.begin[0] = run.end[0] = i;
            run.begin[1] = run.end[1] = j;
            HIT_MUST(c->kernel->host(&run));
        }
    }
    memcpy(one_by_one, memory[0], sizeof(one_by_one));
    fill(c);
    HIT_MUST(c->kernel->host(&box));
    return memcmp(one_by_one, memory[0], sizeof(one_by_one)) == 0;
}

START_TEST(rows_are_what_their_indices_are_one_by_one)
{
    const rows_case *c = &cases[_i];

    for (hit_index count = 1; count <= LONGEST; count += count < 36 ? 1 : 7) {
        for (hit_index shift = 0; shift < 65; shift += shift < 18 ? 1 : 15) {
            ck_assert_msg(right(c, count, shift), "%s: rows of %d, %d elements behind",
                          c->kernel->name, (int)count, (int)shift);
        }
    }
}
END_TEST

/* ---- beside plain loops ---- */

extern const hit_kernel rows_cells, rows_deep;

enum {
    WIDE = 5 * 17 * 17 * 5 /* elements of an array, at most */
};

/* A tile of floats that begins anywhere. */
typedef struct array {
    int dims;
    hit_index begin[HIT_MAX_DIMS], extent[HIT_MAX_DIMS], stride[HIT_MAX_DIMS];
    float element[WIDE];
} array;

static array arrays[3];
static float plain[WIDE];

static void make_array(hit_random *random, array *a, int dims, const hit_index begin[],
                       const hit_index extent[])
{
    hit_index stride = 1;

    a->dims = dims;
    for (int d = dims - 1; d >= 0; d--) {
        a->begin[d] = begin[d];
        a->extent[d] = extent[d];
        a->stride[d] = stride;
        stride *= extent[d];
    }
    for (int e = 0; e < WIDE; e++) {
        a->element[e] = (float)hit_random_index(random, 0, 99);
    }
}

static size_t offset_of(const array *a, const hit_index index[])
{
    hit_index at = 0;

    for (int d = 0; d < a->dims; d++) {
        at += (index[d] - a->begin[d]) * a->stride[d];
    }
    return (size_t)at;
}

static float at(const array *a, hit_index i, hit_index j, hit_index k, hit_index l)
{
    return a->element[offset_of(a, (hit_index[]){i, j, k, l})];
}

static void set_slot(hit_slot *slot, array *a)
{
    hit_index before = 0;

    *slot = (hit_slot){.dense = 1};
    for (int d = 0; d < a->dims; d++) {
        slot->stride[d] = a->stride[d];
        slot->step[d] = 1;
        slot->begin[d] = a->begin[d];
        slot->end[d] = a->begin[d] + a->extent[d] - 1;
        before += a->begin[d] * a->stride[d];
    }
    slot->base = (char *)a->element - before * (hit_index)sizeof(float);
}

/* Run the kernel on indices from begin on, each stride[d]-th of extent[d]. */
static void run_kernel(const hit_kernel *kernel, hit_random *random, int dims,
                       const hit_index begin[], const hit_index extent[], hit_run *run)
{
    *run = (hit_run){.threads = 1};
    for (int k = 0; k < 3; k++) {
        set_slot(&run->slot[k], &arrays[k]);
    }
    for (int d = 0; d < dims; d++) {
        const hit_index stride = hit_random_index(random, 1, 4) / 3 + 1;

        run->begin[d] = begin[d];
        run->stride[d] = stride;
        run->end[d] = begin[d] + (extent[d] - 1) / stride * stride;
    }
    HIT_MUST(kernel->host(run));
}

START_TEST(cells_are_what_plain_loops_compute)
{
    hit_random random = hit_random_start(71);

    for (int n = 0; n < 300; n++) {
        const hit_index b = hit_random_index(&random, -9, 9);
        const hit_index e[] = {hit_random_index(&random, 1, 5),
                               hit_random_index(&random, 1, 17)};
        hit_run run;

        make_array(&random, &arrays[0], 3, (hit_index[]){b, b, 0},
                   (hit_index[]){e[0], e[1], 2});
        make_array(&random, &arrays[1], 3, (hit_index[]){b, 0, b},
                   (hit_index[]){e[0], 3, e[1]});
        make_array(&random, &arrays[2], 4, (hit_index[]){b, b, b, b},
                   (hit_index[]){e[0], e[1], e[1], e[0]});
        memcpy(plain, arrays[0].element, sizeof(plain));
        run_kernel(&rows_cells, &random, 2, (hit_index[]){b, b}, e, &run);
        for (hit_index i = b; i <= run.end[0]; i += run.stride[0]) {
            for (hit_index j = b; j <= run.end[1]; j += run.stride[1]) {
                float *cell = &plain[offset_of(&arrays[0], (hit_index[]){i, j, 0})];

                cell[0] = at(&arrays[1], i, 0, j, 0) + at(&arrays[2], i, j, j, i);
                cell[1] = at(&arrays[1], i, 1, j, 0) - at(&arrays[1], i, 2, j, 0);
            }
        }
        ck_assert_mem_eq(plain, arrays[0].element, sizeof(plain));
    }
}
END_TEST

START_TEST(deep_tiles_are_what_plain_loops_compute)
{
    hit_random random = hit_random_start(72);

    for (int n = 0; n < 300; n++) {
        const hit_index b = hit_random_index(&random, -9, 9);
        const hit_index e[] = {hit_random_index(&random, 1, 4),
                               hit_random_index(&random, 1, 4),
                               hit_random_index(&random, 1, 80)};
        hit_run run;

        make_array(&random, &arrays[0], 3, (hit_index[]){b, b, b}, e);
        make_array(&random, &arrays[1], 4, (hit_index[]){b, b, b, 0},
                   (hit_index[]){e[0], e[1], e[2], 2});
        make_array(&random, &arrays[2], 2, (hit_index[]){b, b},
                   (hit_index[]){e[0], e[2]});
        memcpy(plain, arrays[0].element, sizeof(plain));
        run_kernel(&rows_deep, &random, 3, (hit_index[]){b, b, b}, e, &run);
        for (hit_index i = b; i <= run.end[0]; i += run.stride[0]) {
            for (hit_index j = b; j <= run.end[1]; j += run.stride[1]) {
                for (hit_index k = b; k <= run.end[2]; k += run.stride[2]) {
                    plain[offset_of(&arrays[0], (hit_index[]){i, j, k})] =
                        at(&arrays[1], i, j, k, 0) - 2 * at(&arrays[1], i, j, k, 1) +
                        at(&arrays[2], i, k, 0, 0);
                }
            }
        }
        ck_assert_mem_eq(plain, arrays[0].element, sizeof(plain));
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *made = suite_create("hit.kernel_rows");
    TCase *tests = tcase_create("kernel_rows");

    tcase_add_loop_test(tests, rows_are_what_their_indices_are_one_by_one, 0,
                        sizeof(cases) / sizeof(cases[0]));
    tcase_add_test(tests, cells_are_what_plain_loops_compute);
    tcase_add_test(tests, deep_tiles_are_what_plain_loops_compute);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    hit_context *base; /* keeps MPI open */

    return check_run_open(&argc, &argv, suite(), &base);
}
