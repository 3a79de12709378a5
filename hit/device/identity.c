/* SPDX-License-Identifier: MIT
 * What a device is, in words that are the same whenever it is the same one. What a
 * program asks of it, memory and threads, changes its kernels' times but not its links'.
 */
#include "hit/device/device.h"

#include <stdio.h>
#include <string.h>

/* "model name : NAME" of the first processor, where the system says so. */
void hit_device_processor(char *text, size_t size)
{
    FILE *file = fopen("/proc/cpuinfo", "r");
    char line[256];

    (void)snprintf(text, size, "unknown processor");
    while (file != NULL && fgets(line, sizeof(line), file) != NULL) {
        const char *colon = strchr(line, ':');

        if (colon == NULL || strncmp(line, "model name", 10) != 0) continue;
        (void)snprintf(text, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
        break;
    }
    if (file != NULL) (void)fclose(file);
}

void hit_device_identity(const hit_device *device, char *text, size_t size)
{
    char asked[96];
    char found[96];
    char processor[96];

    hit_device_print(&device->spec, asked, sizeof(asked));
    device->ops->describe(device->state, found, sizeof(found));
    hit_device_processor(processor, sizeof(processor));
    (void)snprintf(text, size, "%s, %s, %s", asked, found, processor);
}

void hit_device_link_identity(const hit_device *device, char *text, size_t size)
{
    const hit_device_spec *spec = &device->spec;
    const bool host = strcmp(spec->kind, "host") == 0;
    hit_device_spec asked = {.index = spec->index,
                             .first_core = spec->first_core,
                             .last_core = spec->last_core,
                             .staged = host && (spec->staged || spec->memory_bytes > 0)};
    char which[96];
    char found[96];
    char processor[96];

    memcpy(asked.kind, spec->kind, sizeof(asked.kind));
    hit_device_print(&asked, which, sizeof(which));
    device->ops->describe(device->state, found, sizeof(found));
    found[strcspn(found, ",")] = '\0';
    hit_device_processor(processor, sizeof(processor));
    (void)snprintf(text, size, "%s, %s, %s", which, found, processor);
}
