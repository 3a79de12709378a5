/* SPDX-License-Identifier: MIT
 * Products on the played GPU, by a cuBLAS that is loaded when the first one is launched.
 * usage: fake_cuda.products [without]: the library can be loaded, or cannot. */
#include "hit/hit.h"
#include "kernels/kernels.h"
#include "tests/support/check_main.h"

#include <string.h>

enum {
    ROWS = 13,
    COLUMNS = 9,
    DEPTH = 21
};

/* Small, so that sums are exact in a float, too. */
static double number(hit_index i, hit_index j)
{
    return (double)((3 * i + 5 * j) % 7 - 3);
}

static void set(hit_tile *tile, bool single)
{
    const hit_domain all = hit_tile_domain(tile);
    hit_view view;

    HIT_MUST(hit_tile_map(tile, 0, HIT_WRITE, &view));
    for (hit_index i = 0; i <= all.sig[0].end; i++) {
        for (hit_index j = 0; j <= all.sig[1].end; j++) {
            if (single) {
                HIT_AT(view, float, i, j) = (float)number(i, j);
            } else {
                HIT_AT(view, double, i, j) = number(i, j);
            }
        }
    }
}

static double get(hit_tile *tile, hit_index i, hit_index j, bool single)
{
    double value = 0;
    float small = 0;

    HIT_MUST(hit_tile_get(tile, (const hit_index[]){i, j},
                          single ? (void *)&small : (void *)&value));
    return single ? (double)small : value;
}

/* c = 2 a b + 3 c, for elements of one type or the other */
typedef struct bench {
    hit_context *hit;
    bool single;
    hit_tile *a;
    hit_tile *b;
    hit_tile *c;
} bench;

static hit_tile *make(const bench *b, hit_index rows, hit_index columns)
{
    hit_layout *layout;
    hit_tile *tile;

    HIT_MUST(hit_layout_create(b->hit, hit_domain_of(rows, columns), "single", &layout));
    HIT_MUST(hit_tile_create(layout, b->single ? HIT_FLOAT : HIT_DOUBLE, "t", &tile));
    hit_layout_destroy(&layout);
    set(tile, b->single);
    return tile;
}

static bench bench_open(bool single)
{
    bench b = {.single = single};

    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = "cuda:0"}, &b.hit));
    b.a = make(&b, ROWS, DEPTH);
    b.b = make(&b, DEPTH, COLUMNS);
    b.c = make(&b, ROWS, COLUMNS);
    return b;
}

static hit_status multiply(const bench *b)
{
    const hit_domain box = hit_tile_domain(b->c);
    hit_status status;

    if (b->single) {
        status = hit_launch(b->hit, &gemm_float, box, b->c, b->a, b->b, HIT_VALUE(2.0f),
                            HIT_VALUE(3.0f));
    } else {
        status = hit_launch(b->hit, &gemm_double, box, b->c, b->a, b->b, HIT_VALUE(2.0),
                            HIT_VALUE(3.0));
    }
    return status == HIT_OK ? hit_wait(b->hit) : status;
}

static void bench_close(bench *b)
{
    hit_tile_destroy(&b->a);
    hit_tile_destroy(&b->b);
    hit_tile_destroy(&b->c);
    hit_close(&b->hit);
}

START_TEST(products_are_those_of_plain_loops)
{
    bench b = bench_open(_i == 1);
    bool equal = true;

    for (int round = 0; round < 2; round++) { /* the second finds it loaded */
        set(b.c, b.single);
        ck_assert_msg(multiply(&b) == HIT_OK, "%s", hit_status_text());
        for (hit_index i = 0; i < ROWS; i++) {
            for (hit_index j = 0; j < COLUMNS; j++) {
                double sum = 0;

                for (hit_index k = 0; k < DEPTH; k++) {
                    sum += number(i, k) * number(k, j);
                }
                sum = 2 * sum + 3 * number(i, j);
                equal = equal && get(b.c, i, j, b.single) == sum;
            }
        }
    }
    ck_assert(equal);
    bench_close(&b);
}
END_TEST

START_TEST(without_cublas_a_product_names_what_is_missing_and_all_else_goes_on)
{
    bench b = bench_open(_i == 1);
    const double nine = 9;
    const float nine_small = 9;

    for (int round = 0; round < 2; round++) {
        ck_assert_int_eq(multiply(&b), HIT_E_ABSENT);
        ck_assert_msg(strstr(hit_status_text(), "expected libcublas.so.0") != NULL, "%s",
                      hit_status_text());
        ck_assert_msg(strstr(hit_status_text(), "cannot open shared object") != NULL,
                      "%s", hit_status_text());
    }
    HIT_MUST(
        hit_tile_fill(b.c, b.single ? (const void *)&nine_small : (const void *)&nine));
    ck_assert_double_eq(get(b.c, 3, 4, b.single), 9);
    bench_close(&b);
}
END_TEST

static Suite *suite(bool there)
{
    Suite *made = suite_create("products");
    TCase *tests = tcase_create("products");

    if (there) {
        tcase_add_loop_test(tests, products_are_those_of_plain_loops, 0, 2);
    } else {
        tcase_add_loop_test(
            tests, without_cublas_a_product_names_what_is_missing_and_all_else_goes_on, 0,
            2);
    }
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    const bool there = argc < 2 || strcmp(argv[1], "without") != 0;
    hit_context *base;

    return check_run_open(&argc, &argv, suite(there), &base);
}
