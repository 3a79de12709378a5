/* SPDX-License-Identifier: MIT
 * Benchmarks without StarPU measure the rest. */
#include "tests/bench/starpu_side.h"

#include <stdio.h>

bool starpu_side_open(const char *name, int workers)
{
    (void)workers;
    printf("%s: no StarPU beside it: install libstarpu-dev and build anew\n", name);
    return false;
}

void starpu_side_close(void) {}

double starpu_side_empty(void *context)
{
    (void)context;
    return 0;
}

double starpu_side_tasks(void *context)
{
    (void)context;
    return 0;
}

double starpu_side_product(void *context)
{
    (void)context;
    return 0;
}

void starpu_side_begin(int data)
{
    (void)data;
}

void starpu_side_add(const starpu_step *step, int writes, int reads, const int read[])
{
    (void)step;
    (void)writes;
    (void)reads;
    (void)read;
}

void starpu_side_wait(void) {}

void starpu_side_end(void) {}
