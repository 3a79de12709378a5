/* SPDX-License-Identifier: MIT
 * Texts that name devices. */
#include "hit/base/input.h"
#include "hit/base/text.h"

#include <ctype.h>
#include <string.h>

enum {
    MAX_DIGITS = 4
};

/* "kind" or "kind:12": its length; 0: it is not that. *number is -1 for the former. */
static size_t read_item(const char *text, size_t *kind, int *number)
{
    size_t length = 0;
    size_t digits = 0;

    while (isalnum((unsigned char)text[length]) ||
           (text[length] != '\0' && strchr("_-.*", text[length]) != NULL)) {
        length++;
    }

    *kind = length;
    *number = -1;
    if (text[length] == ',' || text[length] == '\0') return length;
    if (length == 0 || text[length] != ':') return 0;
    for (*number = 0; isdigit((unsigned char)text[length + 1 + digits]); digits++) {
        if (digits == MAX_DIGITS) return 0;
        *number = *number * 10 + (text[length + 1 + digits] - '0');
    }
    length += 1 + digits;
    return digits > 0 && (text[length] == ',' || text[length] == '\0') ? length : 0;
}

hit_status hit_on_check(const char *kernel, const char *text)
{
    const char *at = text;

    for (;;) {
        size_t kind;
        int number;
        const size_t length = read_item(at, &kind, &number);

        if (length == 0) break;
        at += length;
        if (*at == '\0') return HIT_OK;
        at++;
    }
    return HIT_FAIL(HIT_E_ARG,
                    "kernel %s: expected devices such as \"host\", \"cuda:0\" or "
                    "\"gpu,core\" but found \"%.60s\"",
                    kernel, text);
}

static bool is_kind(const hit_on_device *device, const char *kind, size_t length)
{
    static const char host[] = "host";

    if (strlen(device->kind) == length && memcmp(device->kind, kind, length) == 0) {
        return true;
    }
    return device->is_host && length == strlen(host) && memcmp(host, kind, length) == 0;
}

/* Does @p text name device number @p which? */
static bool names(const char *text, int which, const hit_on_device device[])
{
    while (*text != '\0') {
        size_t kind;
        int number;
        const size_t length = read_item(text, &kind, &number);
        int before = 0;

        for (int d = 0; d < which && number >= 0; d++) {
            before += is_kind(&device[d], text, kind);
        }
        if (is_kind(&device[which], text, kind) && (number < 0 || number == before)) {
            return true;
        }
        text += length + (text[length] == ',');
    }
    return false;
}

/* "2 gpu, 3 core" */
static void print_devices(int devices, const hit_on_device device[], char *text,
                          size_t size)
{
    text[0] = '\0';
    for (int d = 0; d < devices; d++) {
        const size_t length = strlen(device[d].kind);
        int count = 0;
        int earlier = 0;

        for (int e = 0; e < devices; e++) {
            if (!is_kind(&device[e], device[d].kind, length)) continue;
            count++;
            earlier += e < d;
        }
        if (earlier > 0) continue;
        hit_text_add(text, size, "%s%d %s", text[0] != '\0' ? ", " : "", count,
                     device[d].kind);
    }
}

static hit_status fail(const hit_on *on, int devices, const hit_on_device device[])
{
    char there[200];

    print_devices(devices, device, there, sizeof(there));
    if (on->of_kernel == NULL) {
        return HIT_FAIL(HIT_E_ABSENT,
                        "kernel %s: expected a device \"%.60s\", as the launch says by "
                        "HIT_ON(), but there are %s",
                        on->kernel, on->of_launch, there);
    }
    return HIT_FAIL(
        HIT_E_ABSENT,
        "kernel %s: expected a device \"%.60s\", as the kernel says by "
        "HIT_RUNS_ON()%s%.60s%s, but there are %s",
        on->kernel, on->of_kernel, on->of_launch != NULL ? ", that is also \"" : "",
        on->of_launch != NULL ? on->of_launch : "",
        on->of_launch != NULL ? "\", as the launch says by HIT_ON()" : "", there);
}

hit_status hit_on_find(const hit_on *on, int devices, const hit_on_device device[],
                       hit_device_set *set)
{
    bool any = false;

    *set = (hit_device_set){{0}};
    for (int d = 0; d < devices; d++) {
        if (on->of_kernel != NULL && !names(on->of_kernel, d, device)) continue;
        if (on->of_launch != NULL && !names(on->of_launch, d, device)) continue;
        hit_device_set_add(set, d);
        any = true;
    }
    return any ? HIT_OK : fail(on, devices, device);
}
