/* SPDX-License-Identifier: MIT
 * What a device is, in words that are the same whenever it is the same one. */
#include "hit/device/device.h"

#include <stdio.h>
#include <string.h>

/* "model name : NAME" of the first processor, where the system says so. */
static void read_processor(char *text, size_t size)
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
    read_processor(processor, sizeof(processor));
    (void)snprintf(text, size, "%s, %s, %s", asked, found, processor);
}
