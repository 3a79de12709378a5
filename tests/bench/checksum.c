/* SPDX-License-Identifier: MIT
 * CRC-32C of 64 MiB: by the processor's instruction, where it has one, against tables. */
#include "hit/base/memory.h"
#include "hit/hit.h"
#include "hit/io/codec/codec.h"
#include "tests/bench/bench.h"

#include <stdlib.h>

enum {
    BYTES = 64 << 20,
    ROUNDS = 11
};

typedef struct setting {
    unsigned char *data;
    uint32_t found[2];
} setting;

static double run_ours(void *context)
{
    setting *s = context;
    const double start = bench_time();

    s->found[0] = hit_crc32c(s->data, BYTES);
    return bench_time() - start;
}

static double run_tables(void *context)
{
    setting *s = context;
    const double start = bench_time();

    s->found[1] = ~hit_crc32c_add(UINT32_MAX, s->data, BYTES);
    return bench_time() - start;
}

int main(void)
{
    const int rounds = bench_rounds(ROUNDS);
    setting s = {.data = NULL};
    const bench_turn turn[2] = {{run_ours, &s}, {run_tables, &s}};
    double seconds[2][BENCH_ROUNDS];

    HIT_MUST(hit_memory_zeroed(BYTES, 1, &s.data));
    for (size_t k = 0; k < BYTES; k++) {
        s.data[k] = (unsigned char)(k * 7 + k / 251);
    }
    bench_turns(turn, 2, rounds, seconds);
    if (s.found[0] != s.found[1]) bench_stop(1, "checksum", "the sums differ");
    bench_ratio("checksum", seconds[0], seconds[1], rounds);
    bench_rates("checksum", seconds[0], rounds, BYTES / 1e9, "GB/s");
    free(s.data);
    return 0;
}
