/* SPDX-License-Identifier: MIT
 * The smallest kind of device: it calls kernel->host for the whole box. */
#include "tests/support/own_device.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct own {
    char name[64];
    int runs;
} own;

static hit_status check_field(const char *field)
{
    if (strncmp(field, "name=", 5) == 0) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG, "expected name= but found \"%s\"", field);
}

static hit_status own_open(const hit_device_spec *spec, void **state)
{
    own *made = calloc(1, sizeof(*made));

    if (made == NULL) return HIT_FAIL(HIT_E_NOMEM, "no memory for a device");
    memcpy(made->name, spec->own, sizeof(made->name));
    *state = made;
    return HIT_OK;
}

static void own_close(void *state)
{
    free(state);
}

static int own_count(const char **why)
{
    if (why != NULL) *why = "";
    return 1;
}

static void own_describe(const void *state, char *text, size_t size)
{
    const own *self = state;

    (void)snprintf(text, size, "a device of the program %s", self->name);
}

static hit_status own_run(void *state, const hit_kernel *kernel, const hit_run *run,
                          const hit_domain need[])
{
    own *self = state;
    hit_run mine;

    (void)need;
    for (int d = 0; d < kernel->dims; d++) {
        if (run->end[d] < run->begin[d]) return HIT_OK;
    }
    memcpy(&mine, run, offsetof(hit_run, slot) + (size_t)kernel->args * sizeof(hit_slot));
    mine.threads = 1;
    self->runs++;
    return kernel->host(&mine);
}

static int own_threads(const void *state)
{
    (void)state;
    return 1;
}

static hit_kernel_function own_function(const hit_kernel *kernel)
{
    return kernel->host;
}

static const hit_processor_ops processor = {
    .run = own_run, .threads = own_threads, .function = own_function};

const hit_device_ops own_device = {
    .kind = "own",
    .processor = &processor,
    .check_field = check_field,
    .open = own_open,
    .close = own_close,
    .count = own_count,
    .describe = own_describe,
};

int own_device_runs(const hit_device *device)
{
    return ((const own *)device->state)->runs;
}
