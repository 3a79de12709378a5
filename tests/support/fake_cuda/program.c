/* SPDX-License-Identifier: MIT
 * Random programs run on the GPU that is played, too. */
#include "tests/programs/program.h"

#include "late.h"

static hit_status run_late(const hit_run *run, hit_kernel_function body)
{
    const hit_kernel_arg todo = {HIT_MODE_VALUE, HIT_BYTES(void *), "todo", NULL};

    return fake_run_late(run, 1, &todo, body);
}

program_gpu *const program_on_gpu = run_late;
