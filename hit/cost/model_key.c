/* SPDX-License-Identifier: MIT
 * Keys of models: which file of the store holds the times of a kernel, or of a link, on
 * this process's device. */
#include "hit/cost/model_key.h"

#include "hit/base/context.h"
#include "hit/base/text.h"
#include "hit/base/version.h"
#include "hit/comm/comm.h"
#include "hit/data/hash.h"
#include "hit/device/device.h"
#include "hit/launch/catalogue.h"
#include "patterns/parse.h"

#include <stdio.h>
#include <string.h>

enum {
    KERNEL_TEXT = 1024,
    DEVICE_TEXT = 512 * (HIT_MAX_DEVICES + 1)
};

/* As it is, or, where that is too long, its beginning and a number of all: what differs
 * behind the beginning is another model, too. */
static void keep(const char *text, char field[], size_t size)
{
    const size_t length = strlen(text);

    if (length < size) {
        memcpy(field, text, length + 1);
    } else {
        (void)snprintf(field, size, "%.*s #%016llx", (int)size - 19, text,
                       (unsigned long long)hit_hash(HIT_HASH_START, text, length));
    }
}

/* Does an argument traverse a dimension of its tile? */
static hit_status any_traversed(const hit_kernel *kernel, bool *traversed)
{
    *traversed = false;
    for (int k = 0; k < kernel->args; k++) {
        hit_pattern pattern;

        if (kernel->arg[k].mode == HIT_MODE_VALUE) continue;
        HIT_TRY(hit_kernel_pattern(kernel, k, NULL, &pattern));
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
    char one[256];

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

    hit_comm_beside(context->comm, &rank, &processes);
    hit_text_add(text, size, ", %d process%s", processes, processes == 1 ? "" : "es");
}

/* @p device beside the others; NULL: all of them. */
static void set_device(const hit_context *context, hit_device *device, hit_model_key *key)
{
    char text[DEVICE_TEXT];

    hit_device_identity(device != NULL ? 1 : context->devices,
                        device != NULL ? &device : context->device, text, sizeof(text));
    hit_text_add(text, sizeof(text), ", %s", context->processor);
    if (device != NULL) add_others(context, device, text, sizeof(text));
    add_processes(context, text, sizeof(text));
    keep(text, key->device, sizeof(key->device));
}

hit_status hit_model_key_subject(const hit_subject *subject, const bool cut[],
                                 hit_model_key *key)
{
    const bool none[HIT_MAX_DIMS] = {false};
    char text[KERNEL_TEXT];
    bool traversed;

    HIT_TRY(any_traversed(subject->kernel, &traversed));
    (void)snprintf(text, sizeof(text), "%s", subject->kernel->name);
    add_sizes(&subject->whole, cut, text, sizeof(text));
    if (traversed && subject->extent > 0) {
        hit_text_add(text, sizeof(text), " k=%lld", (long long)subject->extent);
    } else if (traversed) {
        hit_text_add(text, sizeof(text), " k=");
        add_sizes(&subject->whole, none, text, sizeof(text));
    }
    if (subject->piece > 0) hit_text_add(text, sizeof(text), " by pieces");
    keep(text, key->kernel, sizeof(key->kernel));
    return HIT_OK;
}

hit_status hit_model_key_make(const hit_context *context, const hit_subject *subject,
                              const bool cut[], hit_model_key *key)
{
    HIT_TRY(hit_model_key_subject(subject, cut, key));
    set_device(context, subject->device, key);
    hit_build_text(key->build, sizeof(key->build));
    return HIT_OK;
}

void hit_model_key_of_link(const hit_context *context, const hit_device *device,
                           hit_link_name link, size_t run_bytes, hit_model_key *key)
{
    char text[KERNEL_TEXT];

    (void)snprintf(key->kernel, sizeof(key->kernel), "link_%s", hit_link_text(link));
    if (run_bytes > 0) hit_text_add(key->kernel, sizeof(key->kernel), "_%zu", run_bytes);
    if (link == HIT_LINK_MESSAGE) {
        (void)snprintf(text, sizeof(text), "%s, %.96s", context->processor,
                       hit_comm_library(context->comm));
    } else {
        hit_device_link_identity(device, text, sizeof(text));
        hit_text_add(text, sizeof(text), ", %s", context->processor);
        add_processes(context, text, sizeof(text));
    }
    keep(text, key->device, sizeof(key->device));
    (void)snprintf(key->build, sizeof(key->build), "hit %s", hit_version());
}

void hit_model_key_of_devices(const hit_context *context, hit_model_key *key)
{
    key->kernel[0] = '\0';
    set_device(context, NULL, key);
    hit_build_text(key->build, sizeof(key->build));
}
