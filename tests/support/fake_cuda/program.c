/* SPDX-License-Identifier: MIT
 * Random programs run on the GPU that is played, too. */
#include "tests/programs/program.h"

#include "late.h"

static hit_status run_late(const hit_run *run, const hit_kernel_arg *value,
                           hit_kernel_function body)
{
    return fake_run_late(run, 1, value, body);
}

program_gpu *const program_on_gpu = run_late;
