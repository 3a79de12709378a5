/* SPDX-License-Identifier: MIT
 * What answers for GPUs in a build without CUDA: there are none, and the reason. */
#include "hit/device/device.h"

static const char reason[] = "built without CUDA, configure with -DHIT_CUDA=ON";

static hit_status absent_open(const hit_device_spec *spec, void **state)
{
    (void)state;
    return HIT_FAIL(HIT_E_ABSENT, "no device cuda:%d: %s", spec->index, reason);
}

static int absent_count(const char **why)
{
    if (why != NULL) *why = reason;
    return 0;
}

/* only to accept memory=: nothing else is called before open has succeeded */
static const hit_memory_ops memory_ops = {.pin = NULL};

const hit_device_ops hit_device_cuda = {
    .kind = "cuda",
    .memory = &memory_ops,
    .numbered = true,
    .preferred = true,
    .open = absent_open,
    .count = absent_count,
};
