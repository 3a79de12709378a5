/* SPDX-License-Identifier: MIT
 * What the programs of ./run gpu share, in C and CUDA: a line of a table, the same random
 * elements on all sides, and what tells results apart. */
#ifndef TESTS_GPU_ROW_H
#define TESTS_GPU_ROW_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static inline double row_now_s(void)
{
    struct timespec now;

    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int row_compare(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;

    return (x > y) - (x < y);
}

static inline double row_median(double value[], int count)
{
    qsort(value, (size_t)count, sizeof(double), row_compare);
    return value[count / 2];
}

/** Numbers in [-0.5, 0.5): doubles or floats, as @p size says. */
static inline void row_fill(void *memory, size_t count, size_t size, unsigned seed)
{
    uint32_t state = seed;

    for (size_t k = 0; k < count; k++) {
        state = state * 1664525u + 1013904223u;
        const double x = (double)(state >> 8) / 16777216.0 - 0.5;
        const float f = (float)x;
        memcpy((char *)memory + k * size, size == 8 ? (const void *)&x : (const void *)&f,
               size);
    }
}

/** Weighted, so that elements that change places are seen. */
static inline double row_sum(const void *memory, size_t count, size_t size)
{
    double sum = 0;

    for (size_t k = 0; k < count; k++) {
        const double x =
            size == 8 ? ((const double *)memory)[k] : (double)((const float *)memory)[k];
        sum += x * (double)(k % 7 + 1);
    }
    return sum;
}

static inline unsigned long long row_hash(const void *memory, size_t bytes)
{
    uint64_t hash = 14695981039346656037u;

    for (size_t k = 0; k + 4 <= bytes; k += 4) {
        uint32_t word;
        memcpy(&word, (const char *)memory + k, sizeof(word));
        hash = (hash ^ word) * 1099511628211u;
    }
    return hash;
}

/** All of a line but its last column, what tells results apart. @p units points or
 * operations and @p bytes in @p step_s. */
static inline void row_print(const char *name, long long n, const char *devices,
                             double step_s, double units, double bytes)
{
    printf("%s\t%lld\t%s\t%.2f\t%.2f\t%.1f\t", name, n, devices, 1e6 * step_s,
           1e-9 * units / step_s, 1e-9 * bytes / step_s);
}

#endif
