/* SPDX-License-Identifier: MIT
 * A management library with one GPU, at the place of the played runtime's. It has used
 * 1234 mJ, and 500 mJ more at each reading. */
#include <string.h>

/* NOLINTBEGIN(readability-identifier-naming): names of NVIDIA's */
int nvmlInit_v2(void);
int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **gpu);
int nvmlDeviceGetTotalEnergyConsumption(void *gpu, unsigned long long *millijoules);

static unsigned long long used_mj = 1234;
static int started;

int nvmlInit_v2(void)
{
    started = 1;
    return 0;
}

int nvmlDeviceGetHandleByPciBusId_v2(const char *bus, void **gpu)
{
    if (!started) return 1;                         /* uninitialized */
    if (strcmp(bus, "0000:17:00.0") != 0) return 6; /* not found */
    *gpu = &used_mj;
    return 0;
}

int nvmlDeviceGetTotalEnergyConsumption(void *gpu, unsigned long long *millijoules)
{
    if (gpu != &used_mj) return 2; /* invalid argument */
    *millijoules = used_mj;
    used_mj += 500;
    return 0;
}
/* NOLINTEND(readability-identifier-naming) */
