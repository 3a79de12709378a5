/* SPDX-License-Identifier: MIT
 * What devices are, in words that are the same whenever they are the same ones. */
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

/* Go on with @p more, after " + " but for the first. */
static void append(char *text, size_t size, const char *more, bool first)
{
    const size_t used = strlen(text);

    (void)snprintf(text + used, size - used, "%s%s", first ? "" : " + ", more);
}

void hit_device_identity(int count, hit_device *const device[], char *text, size_t size)
{
    char found[256] = "";
    char one[96];

    text[0] = '\0';
    for (int k = 0; k < count; k++) {
        hit_device_print(&device[k]->spec, one, sizeof(one));
        append(text, size, one, k == 0);
        device[k]->ops->describe(device[k]->state, one, sizeof(one));
        append(found, sizeof(found), one, k == 0);
    }
    read_processor(one, sizeof(one));
    append(text, size, ", ", true);
    append(text, size, found, true);
    append(text, size, ", ", true);
    append(text, size, one, true);
}
