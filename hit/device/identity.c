/* SPDX-License-Identifier: MIT
 * What devices are, in words that are the same whenever they are the same ones. What a
 * program asks of them, memory and threads, changes their kernels' times but not their
 * links'. */
#include "hit/base/text.h"
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

void hit_device_identity(int count, hit_device *const device[], char *text, size_t size)
{
    char one[256];

    text[0] = '\0';
    for (int k = 0; k < count; k++) {
        hit_device_print(&device[k]->spec, one, sizeof(one));
        hit_text_add(text, size, "%s%s", k > 0 ? " + " : "", one);
    }
    for (int k = 0; k < count; k++) {
        hit_device_describe(device[k], one, sizeof(one));
        one[strcspn(one, ";")] = '\0';
        hit_text_add(text, size, "%s%s", k > 0 ? " + " : ", ", one);
    }
}

void hit_device_link_identity(const hit_device *device, char *text, size_t size)
{
    const hit_device_spec *spec = &device->spec;
    const bool may_stage = device->ops->in_place != NULL;
    hit_device_spec asked = {.kind = spec->kind,
                             .index = spec->index,
                             .first_core = spec->first_core,
                             .last_core = spec->last_core,
                             .staged = may_stage && !hit_device_in_place(device)};
    char one[256];

    hit_device_print(&asked, text, size);
    hit_device_describe(device, one, sizeof(one));
    one[strcspn(one, ",")] = '\0';
    hit_text_add(text, size, ", %s", one);
}
