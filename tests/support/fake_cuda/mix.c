/* SPDX-License-Identifier: MIT
 * The kernel `mix_int64`, which works on whole boxes. */
#include "patterns/kernel.h"

#include "late.h"

extern const hit_kernel mix_int64;
hit_status mix_int64_cuda(const hit_run *run);

hit_status mix_int64_cuda(const hit_run *run)
{
    return fake_run_late(run, mix_int64.args, mix_int64.arg, mix_int64.host);
}
