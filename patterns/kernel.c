/* SPDX-License-Identifier: MIT
 * Calls of a kernel's functions. */
#include "patterns/kernel.h"

hit_status hit_kernel_call(const hit_kernel *kernel, hit_kernel_function function,
                           const hit_run *run)
{
    const uint64_t failures = hit_status_failures();
    const hit_status status = function(run);

    if (status == HIT_OK || hit_status_failures() != failures) return status;
    return HIT_FAIL(status,
                    "kernel %s returned %s without a text: return HIT_FAIL(%s, \"...\")",
                    kernel->name, hit_status_name(status), hit_status_name(status));
}
