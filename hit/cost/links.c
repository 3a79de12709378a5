/* SPDX-License-Identifier: MIT
 * Which copies are timed, and what their times say. The store has one model per link and
 * length of runs, of bytes per second as a function of bytes: the same files as those of
 * kernels, so that they are listed, plotted, merged and cleared alike. */
#include "hit/cost/cost.h"

enum {
    RUNS = 3,
    SIZES = 4,
    POINTS = 64 /* of one link that are looked at */
};

/* Two lengths of runs tell the cost of a run from that of a byte. */
static const size_t run_bytes[RUNS] = {0, 64, 2048};
static const size_t copy_bytes[RUNS][SIZES] = {
    {4 << 10, 64 << 10, 1 << 20, 8 << 20}, {64 << 10, 1 << 20}, {64 << 10, 1 << 20}};
static const size_t message_bytes[SIZES] = {64, 4 << 10, 64 << 10, 1 << 20};

static bool is_packed(hit_link_name link)
{
    return link == HIT_LINK_IN_PACKED || link == HIT_LINK_OUT_PACKED;
}

int hit_links_shapes(hit_link_shape shape[HIT_LINK_SHAPES])
{
    int count = 0;

    for (int link = 0; link < HIT_LINK_MESSAGE; link++) {
        for (int r = is_packed((hit_link_name)link) ? 1 : 0; r < RUNS; r++) {
            for (int s = 0; s < SIZES && copy_bytes[r][s] > 0; s++) {
                shape[count++] =
                    (hit_link_shape){(hit_link_name)link, run_bytes[r], copy_bytes[r][s]};
            }
        }
    }
    for (int s = 0; s < SIZES; s++) {
        shape[count++] = (hit_link_shape){HIT_LINK_MESSAGE, 0, message_bytes[s]};
    }
    return count;
}

/* ---- the store ---- */

static void add_samples(const hit_fpm *fpm, size_t run, int *count,
                        hit_link_sample sample[])
{
    for (size_t k = 0; k < hit_fpm_count(fpm) && *count < POINTS; k++) {
        const hit_fpm_point point = hit_fpm_point_at(fpm, k);

        if (!(point.value > 0)) continue;
        sample[(*count)++] = (hit_link_sample){run > 0 ? point.units / (double)run : 1,
                                               point.units, hit_fpm_point_time(fpm, k)};
    }
}

static bool load_link(const hit_context *context, const hit_device *device,
                      hit_link_name name, hit_link *link)
{
    hit_link_sample sample[POINTS];
    int count = 0;

    for (int r = is_packed(name) ? 1 : 0; r < RUNS; r++) {
        hit_model_key key;
        hit_fpm *fpm = NULL;

        hit_model_key_of_link(context, device, name, run_bytes[r], &key);
        if (hit_store_find(&key, &fpm) != HIT_OK || fpm == NULL) continue;
        add_samples(fpm, run_bytes[r], &count, sample);
        hit_fpm_destroy(&fpm);
    }
    return count > 0 && hit_link_fit(count, sample, link) == HIT_OK;
}

void hit_links_load(const hit_context *context, const hit_device *device,
                    hit_links *links)
{
    const bool in_place = hit_device_in_place(device);

    *links = (hit_links){.known = 0};
    for (int name = 0; name < HIT_LINK_NAMES; name++) {
        if (in_place && name != HIT_LINK_MESSAGE) continue;
        if (is_packed((hit_link_name)name) && !hit_device_packs(device)) continue;
        if (load_link(context, device, (hit_link_name)name, &links->link[name])) {
            links->known |= 1u << name;
        }
    }
}

void hit_links_install(const hit_context *context)
{
    for (int d = 0; d < context->devices; d++) {
        const hit_device *device = context->device[d];
        hit_links links;

        if (!hit_device_packs(device)) continue;
        hit_links_load(context, device, &links);
        hit_device_set_links(device, &links);
    }
}
