/* SPDX-License-Identifier: MIT
 * What "simulated:FILE:gpus=2,noise=5" says. */
#include "hit/base/option.h"
#include "hit/sched/machine_file.h"
#include "hit/scheduled/schedule_impl.h"

#include <stdio.h>
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

static hit_status set(hit_virtual *v, hit_machine *machine, const char *key,
                      const char *value)
{
    char name[32];
    bool known;

    (void)snprintf(name, sizeof(name), "%s=", key);
    HIT_TRY(hit_simulate_options_set(&v->options, name, key, value, &known));
    return known ? HIT_OK : set_of_machine(machine, key, value);
}

/* "FILE:key=value": options are behind the last ':' if there is a '=' behind it. */
static const char *options_of(const char *text)
{
    const char *last = strrchr(text, ':');

    return last != NULL && strchr(last, '=') != NULL ? last : text + strlen(text);
}

static hit_status set_options(hit_virtual *v, hit_machine *machine, const char *text)
{
    hit_option_list list = {0};
    hit_status status = hit_option_read("HIT_DEVICES simulated", text, &list);

    for (int k = 0; k < list.count && status == HIT_OK; k++) {
        status = set(v, machine, list.key[k], list.value[k]);
    }
    hit_option_clear(&list);
    return status;
}

hit_status hit_virtual_read(hit_virtual *v, hit_machine *machine, const char *text)
{
    const char *options = options_of(text);
    const size_t length = (size_t)(options - text);
    char file[sizeof v->text];

    if (length == 0 || strlen(text) >= sizeof v->text) {
        return HIT_FAIL(HIT_E_ARG,
                        "HIT_DEVICES: expected simulated: and a machine, 1 to %zu "
                        "characters, but found \"%.40s\"",
                        sizeof v->text - 1, text);
    }
    memcpy(file, text, length);
    file[length] = '\0';
    memcpy(v->text, text, strlen(text) + 1);
    HIT_TRY(hit_machine_find(file, machine));
    if (*options != '\0') HIT_TRY(set_options(v, machine, options + 1));
    v->speeds = machine->speeds;
    return HIT_OK;
}
