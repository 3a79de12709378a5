/* SPDX-License-Identifier: MIT
 * The energy of a GPU, by NVIDIA's management library, which comes with the driver. It is
 * loaded when it is asked for first, so that neither a build nor a machine needs it; what
 * it declares is said here. */
#include "hit/cuda/cuda_impl.h"

#include <dlfcn.h>
#include <stdio.h>

typedef int nvml_init(void);
typedef int nvml_find(const char *bus, void **gpu);
typedef int nvml_energy(void *gpu, unsigned long long *millijoules);

typedef union symbol {
    void *address;
    nvml_init *init;
    nvml_find *find;
    nvml_energy *energy;
} symbol;

/* GPUs are numbered in another way there: by the bus both know them. */
static void open_meter(hit_cuda *self)
{
    void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    symbol init;
    symbol find;
    symbol energy;

    if (library == NULL) return;
    init.address = dlsym(library, "nvmlInit_v2");
    find.address = dlsym(library, "nvmlDeviceGetHandleByPciBusId_v2");
    energy.address = dlsym(library, "nvmlDeviceGetTotalEnergyConsumption");
    if (init.address == NULL || find.address == NULL || energy.address == NULL) return;
    if (cudaDeviceGetPCIBusId(self->bus, (int)sizeof(self->bus), self->device) !=
        cudaSuccess) {
        (void)cudaGetLastError();
        return;
    }
    if (init.init() != 0 || find.find(self->bus, &self->gpu) != 0) return;
    self->energy = energy.address;
}

bool hit_cuda_meter(void *state, char name[32], double *joules)
{
    hit_cuda *self = state;
    unsigned long long millijoules = 0;
    symbol energy;

    if (!self->meter_tried) {
        self->meter_tried = true;
        open_meter(self);
    }
    energy.address = self->energy;
    if (energy.energy == NULL || energy.energy(self->gpu, &millijoules) != 0) {
        return false;
    }
    (void)snprintf(name, 32, "%s", self->bus);
    *joules = (double)millijoules * 1e-3;
    return true;
}
