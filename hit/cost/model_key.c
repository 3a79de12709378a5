/* SPDX-License-Identifier: MIT
 * Keys of models: which file of the store holds the times of a kernel, or of a link, on
 * this process's device. */
#include "hit/cost/model_key.h"

#include "hit/base/context.h"
#include "hit/base/text.h"
#include "hit/base/version.h"
#include "hit/comm/comm.h"
#include "hit/device/device.h"
#include "hit/device/identity.h"
#include "hit/launch/catalogue.h"
#include "patterns/parse.h"

#include <stdio.h>

/* Does an argument traverse a dimension of its tile? */
static hit_status any_traversed(const hit_kernel *kernel, bool *traversed)
{
    *traversed = false;
    for (int k = 0; k < kernel->args; k++) {
        hit_pattern pattern;

        if (kernel->arg[k].mode == HIT_MODE_VALUE) continue;
        HIT_TRY(hit_pattern_parse(kernel->arg[k].pattern, kernel->dims, kernel->index,
                                  &pattern));
        for (int t = 0; t < pattern.tile_dims; t++) {
            *traversed = *traversed || hit_pattern_traverses(&pattern, t);
        }
        hit_pattern_clear(&pattern);
    }
    return HIT_OK;
}

/* "*x2000": each dimension is cut, or has so many indices. */
static void add_sizes(const hit_domain *whole, const bool cut[], char *text, size_t size)
{
    for (int d = 0; d < whole->dims; d++) {
        const char *between = d > 0 ? "x" : " ";

        if (cut == NULL || cut[d]) {
            hit_text_add(text, size, "%s*", between);
        } else {
            hit_text_add(text, size, "%s%lld", between,
                         (long long)hit_sig_count(whole->sig[d]));
        }
    }
}

/* The devices of the process that are busy while @p device is measured. */
static void add_others(const hit_context *context, const hit_device *device, char *text,
                       size_t size)
{
    const char *between = ", beside ";
    char one[96];

    for (int d = 0; d < context->devices; d++) {
        if (context->device[d] == device) continue;
        hit_device_print(&context->device[d]->spec, one, sizeof(one));
        hit_text_add(text, size, "%s%s", between, one);
        between = " + ";
    }
}

/* How many compete for the host. */
static void add_processes(const hit_context *context, char *text, size_t size)
{
    int rank = 0;
    int processes = 1;

    hit_comm_local(context->comm, &rank, &processes);
    hit_text_add(text, size, ", %d process%s", processes, processes == 1 ? "" : "es");
}

hit_status hit_model_key_make(const hit_context *context, const hit_subject *subject,
                              const bool cut[], hit_model_key *key)
{
    const bool none[HIT_MAX_DIMS] = {false};
    hit_model_key made;
    bool traversed;

    HIT_TRY(any_traversed(subject->kernel, &traversed));
    (void)snprintf(made.kernel, sizeof(made.kernel), "%.64s", subject->kernel->name);
    add_sizes(&subject->whole, cut, made.kernel, sizeof(made.kernel));
    if (traversed && subject->extent > 0) {
        hit_text_add(made.kernel, sizeof(made.kernel), " k=%lld",
                     (long long)subject->extent);
    } else if (traversed) {
        hit_text_add(made.kernel, sizeof(made.kernel), " k=");
        add_sizes(&subject->whole, none, made.kernel, sizeof(made.kernel));
    }
    if (subject->piece > 0) {
        hit_text_add(made.kernel, sizeof(made.kernel), " by pieces");
    }
    hit_device_identity(subject->device != NULL ? 1 : context->devices,
                        subject->device != NULL ? &subject->device : context->device,
                        made.device, sizeof(made.device));
    if (subject->device != NULL) {
        add_others(context, subject->device, made.device, sizeof(made.device));
    }
    add_processes(context, made.device, sizeof(made.device));
    hit_build_text(made.build, sizeof(made.build));
    *key = made;
    return HIT_OK;
}

void hit_model_key_of_link(const hit_context *context, const hit_device *device,
                           hit_link_name link, size_t run_bytes, hit_model_key *key)
{
    char processor[96];

    if (run_bytes > 0) {
        (void)snprintf(key->kernel, sizeof(key->kernel), "link_%s_%zu",
                       hit_link_text(link), run_bytes);
    } else {
        (void)snprintf(key->kernel, sizeof(key->kernel), "link_%s", hit_link_text(link));
    }
    if (link == HIT_LINK_MESSAGE) {
        hit_device_processor(processor, sizeof(processor));
        (void)snprintf(key->device, sizeof(key->device), "%s, %.96s", processor,
                       hit_comm_library(context->comm));
    } else {
        hit_device_link_identity(device, key->device, sizeof(key->device));
        add_processes(context, key->device, sizeof(key->device));
    }
    (void)snprintf(key->build, sizeof(key->build), "hit %s", hit_version());
}

void hit_model_key_of_devices(const hit_context *context, hit_model_key *key)
{
    key->kernel[0] = '\0';
    hit_device_identity(context->devices, context->device, key->device,
                        sizeof(key->device));
    add_processes(context, key->device, sizeof(key->device));
    hit_build_text(key->build, sizeof(key->build));
}
