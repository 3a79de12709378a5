/* SPDX-License-Identifier: MIT
 * The product of two double matrices through a launch, against cblas_dgemm called
 * directly on as many threads. */
#include "tests/bench/bench.h"
#include "tests/bench/product.h"

enum {
    SIZE = 2048,
    THREADS = 2
};

int main(int argc, char **argv)
{
    hit_context *base = NULL;
    product p;
    product_tiles tiles;
    const bench_turn turn[2] = {{product_launch, &tiles}, {product_blas, &p}};
    double seconds[2][BENCH_ROUNDS];

    HIT_MUST(hit_open(&argc, &argv, &base));
    product_make(&p, SIZE, THREADS);
    product_open(&tiles, &p, "host:threads=2", 0);
    bench_turns(turn, 2, BENCH_ROUNDS, seconds);
    product_compare(&tiles, "gemm-in-place");
    bench_ratio("gemm-in-place", seconds[0], seconds[1], BENCH_ROUNDS);
    product_close(&tiles);
    product_free(&p);
    hit_close(&base);
    return 0;
}
