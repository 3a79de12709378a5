/* SPDX-License-Identifier: MIT
 * What "simulated:FILE:gpus=2,noise=5" says. */
#include "hit/base/input.h"
#include "hit/base/memory.h"
#include "hit/sched/machine_file.h"
#include "hit/scheduled/schedule_impl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static hit_status set_of_machine(hit_machine *machine, const char *key, const char *value)
{
    static const char *const known[] = {"bus",       "cpus",   "gpus",      "groups",
                                        "host-only", "memory", "predicted", "window"};

    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++) {
        if (strcmp(key, known[k]) == 0) return hit_machine_set(machine, key, value);
    }
    return HIT_FAIL(HIT_E_ARG,
                    "HIT_DEVICES simulated: expected gpus, cpus, groups, memory, bus, "
                    "window, host-only, predicted, back, noise or seed but found \"%s\"",
                    key);
}

static hit_status set(void *of, const char *key, const char *value)
{
    hit_virtual_machine *made = of;
    char name[32];
    bool known;

    (void)snprintf(name, sizeof(name), "%s=", key);
    HIT_TRY(hit_simulate_options_set(&made->options, name, key, value, &known));
    return known ? HIT_OK : set_of_machine(&made->machine, key, value);
}

/* "FILE:key=value": options are behind the last ':' if there is a '=' behind it. */
static const char *options_of(const char *text)
{
    const char *last = strrchr(text, ':');

    return last != NULL && strchr(last, '=') != NULL ? last : text + strlen(text);
}

static hit_status read_all(const char *text, hit_virtual_machine *made)
{
    const char *options = options_of(text);
    const size_t length = (size_t)(options - text);
    char file[HIT_SIMULATED_TEXT];

    if (length == 0 || strlen(text) >= HIT_SIMULATED_TEXT) {
        return HIT_FAIL(HIT_E_ARG,
                        "HIT_DEVICES: expected simulated: and a machine, 1 to %d "
                        "characters, but found \"%.40s\"",
                        HIT_SIMULATED_TEXT - 1, text);
    }
    memcpy(made->text, text, strlen(text) + 1);
    memcpy(file, text, length);
    file[length] = '\0';
    HIT_TRY(hit_machine_find(file, &made->machine));
    if (*options == '\0') return HIT_OK;
    if (made->machine.nodes > 0) {
        return HIT_FAIL(HIT_E_ARG,
                        "HIT_DEVICES: expected nothing behind %s, which has nodes, but "
                        "found \"%.40s\"",
                        file, options);
    }
    return hit_option_each("HIT_DEVICES simulated", options + 1, set, made);
}

hit_status hit_virtual_machine_read(const char *text, hit_virtual_machine **made)
{
    hit_virtual_machine *read_one = NULL;
    hit_status status;

    HIT_TRY(hit_memory_zeroed(1, sizeof(*read_one), &read_one));
    status = read_all(text, read_one);
    if (status != HIT_OK) hit_virtual_machine_destroy(&read_one);
    *made = read_one;
    return status;
}

void hit_virtual_machine_destroy(hit_virtual_machine **made)
{
    if (*made == NULL) return;
    hit_machine_clear(&(*made)->machine);
    free(*made);
    *made = NULL;
}
