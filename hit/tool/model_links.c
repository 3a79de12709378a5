/* SPDX-License-Identifier: MIT
 * `hit model measure links`: times copies and messages of this machine, keeps what it
 * finds in the store, and says what follows. */
#include "hit/base/context.h"
#include "hit/base/json.h"
#include "hit/base/memory.h"
#include "hit/base/quote.h"
#include "hit/comm/comm.h"
#include "hit/cost/model_key.h"
#include "hit/device/device.h"
#include "hit/measure/links_measure.h"
#include "hit/model/measured.h"
#include "hit/tool/tool.h"

#include <stdio.h>
#include <stdlib.h>

/* The slowest of those that took part: what all wait for. */
static const hit_measure *slowest(int count, const hit_measured all[])
{
    const hit_measure *found = &all[0].result;

    for (int p = 1; p < count; p++) {
        if (all[p].result.seconds > found->seconds) found = &all[p].result;
    }
    return found;
}

static void print_head(void)
{
    hit_say(stdout, "%-10s %10s %10s %12s %11s %5s %12s\n", "link", "run bytes", "bytes",
            "seconds", "half-width", "reps", "bytes/s");
}

static void print_shape(const hit_link_shape *shape, const hit_measure *m, bool json)
{
    const size_t run = shape->run_bytes > 0 ? shape->run_bytes : shape->bytes;
    const double speed = (double)shape->bytes / m->seconds;

    if (json) {
        hit_json line = {.file = stdout};

        hit_json_object(&line, NULL);
        hit_json_text(&line, "status", "ok");
        hit_json_text(&line, "link", hit_link_text(shape->link));
        hit_json_count(&line, "run_bytes", run);
        hit_json_count(&line, "bytes", shape->bytes);
        hit_json_real(&line, "seconds", "%.9g", m->seconds);
        hit_json_real(&line, "half_width_s", "%.9g",
                      m->half_width_s < 1e308 ? m->half_width_s : 1e308);
        hit_json_whole(&line, "repetitions", m->reps);
        hit_json_end_line(&line);
    } else {
        hit_say(stdout, "%-10s %10zu %10zu %12.4g %9.1f %% %5d %12.4g\n",
                hit_link_text(shape->link), run, shape->bytes, m->seconds,
                100 * m->half_width_s / m->seconds, m->reps, speed);
    }
    (void)fflush(stdout);
}

static hit_status measure(hit_context *hit, const hit_link_shape *shape,
                          const hit_tool_measure *how, bool *any)
{
    hit_measured mine = {.result = {.reps = 0}};
    hit_measured *all = NULL;
    hit_status st = hit_memory_zeroed((size_t)hit->size, sizeof(mine), &all);

    hit_model_key_of_link(hit, hit->device[0], shape->link, shape->run_bytes, &mine.key);
    st = hit_comm_agree(hit->comm, st);
    if (st == HIT_OK) {
        st = hit_links_measure(hit, hit->device[0], shape, &how->options, &mine.result);
    }
    if (st == HIT_OK) st = hit_comm_gather(hit->comm, &mine, sizeof(mine), all);
    if (st == HIT_OK && hit->rank == 0 && slowest(hit->size, all)->reps > 0) {
        if (!*any && !how->json) print_head();
        *any = true;
        print_shape(shape, slowest(hit->size, all), how->json);
        if (!how->forget) st = hit_models_save(&hit->clock, hit->size, all);
    }
    free(all);
    return hit_comm_agree(hit->comm, st);
}

static void print_links(const hit_context *hit, bool json)
{
    hit_links links;

    hit_links_load(hit, hit->device[0], &links);
    for (int name = 0; name < HIT_LINK_NAMES; name++) {
        const hit_link *link = &links.link[name];

        if ((links.known >> name & 1u) == 0) continue;
        if (json) {
            hit_json line = {.file = stdout};

            hit_json_object(&line, NULL);
            hit_json_text(&line, "status", "ok");
            hit_json_text(&line, "link", hit_link_text((hit_link_name)name));
            hit_json_real(&line, "latency_s", "%.9g", link->latency_s);
            hit_json_real(&line, "run_s", "%.9g", link->run_s);
            hit_json_real(&line, "byte_s", "%.9g", link->byte_s);
            hit_json_end_line(&line);
        } else {
            hit_say(stdout, "%s: %.3g s + %.3g s per run + %.3g s per MiB\n",
                    hit_link_text((hit_link_name)name), link->latency_s, link->run_s,
                    link->byte_s * 1048576);
        }
    }
}

static hit_status expect_one_device(const hit_context *hit)
{
    if (hit_device_sharing(hit->devices, hit->device) == 1) return HIT_OK;
    return HIT_FAIL(
        HIT_E_ARG,
        "links are measured one device at a time: expected one device of this "
        "process but found %d",
        hit->devices);
}

hit_status hit_tool_measure_links(hit_context *hit, const hit_tool_measure *how)
{
    hit_link_shape shape[HIT_LINK_SHAPES];
    const int count = hit_links_shapes(shape);
    hit_status st = HIT_OK;
    bool any = false;

    HIT_TRY(hit_comm_agree(hit->comm, expect_one_device(hit)));
    for (int k = 0; k < count; k++) {
        HIT_TRY(measure(hit, &shape[k], how, &any));
    }
    if (hit->rank == 0 && !any) {
        st = HIT_FAIL(HIT_E_ARG,
                      "there is no link: the device works on the tiles' own memory, and "
                      "there is one process. Name a device with memory of its own "
                      "(--devices host:staged), or start several processes");
    }
    if (hit->rank == 0 && any && !how->forget) print_links(hit, how->json);
    return hit_comm_agree(hit->comm, st);
}
