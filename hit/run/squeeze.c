/* SPDX-License-Identifier: MIT
 * Superblocks one at a time, for memory so small, or needs so different from place to
 * place, that two of them do not fit side by side: what is needed is moved in, the kernel
 * runs, what it wrote is moved out. */
#include "hit/run/runner.h"

/* The largest power of two that divides the size of an element: what its address must be
 * a multiple of. */
static size_t alignment(size_t size_bytes)
{
    return size_bytes & (~size_bytes + 1);
}

/* Lay the pieces of a superblock out in the arena: each at a multiple of 64 bytes if that
 * fits, else without a gap, in the order of falling alignment. */
static void lay_out(const hit_runner *r, const hit_domain need[], hit_view on_device[])
{
    const size_t room = r->device->arena_bytes;
    size_t bytes[HIT_MAX_ARGS];
    size_t padded = 0;
    size_t offset = 0;
    bool roomy;

    for (int u = 0; u < r->plan->uses; u++) {
        const size_t size = r->plan->use[u].user[0].size_bytes;

        bytes[u] = (size_t)hit_domain_count(&need[u]) * size;
        padded += (bytes[u] + 63) / 64 * 64;
    }
    roomy = padded <= room;
    for (size_t align = (size_t)1 << 62; align > 0; align /= 2) {
        for (int u = 0; u < r->plan->uses; u++) {
            const size_t size = r->plan->use[u].user[0].size_bytes;

            if (alignment(size) != align) continue;
            on_device[u] = hit_view_make(&need[u], size, r->device->arena + offset);
            offset += roomy ? (bytes[u] + 63) / 64 * 64 : bytes[u];
        }
    }
}

/* Move the pieces of all arguments to the device, or back from it. */
static hit_status move(hit_runner *r, const hit_part *part, const hit_plan_arg arg[],
                       const hit_domain *box, const hit_view on_device[], bool in)
{
    hit_residents *residents = &r->station->residents;

    for (int u = 0; u < r->plan->uses; u++) {
        const hit_domain *need = &on_device[u].domain;
        const hit_view *host = part->claim[u].host;
        const uint64_t bytes = (uint64_t)hit_domain_count(need) * host->size_bytes;

        if (in ? !hit_plan_moves_in(&arg[u], box) : !hit_plan_moves_out(&arg[u])) {
            continue;
        }
        if (in) {
            HIT_TRY(hit_device_copy(r->device, HIT_LANE_RUN, HIT_WAY_IN, host,
                                    &on_device[u], need));
            residents->bytes_in += bytes;
        } else {
            HIT_TRY(hit_device_copy(r->device, HIT_LANE_RUN, HIT_WAY_OUT, &on_device[u],
                                    host, need));
            residents->bytes_out += bytes;
        }
    }
    return HIT_OK;
}

static hit_status run_superblock(hit_runner *r, const hit_part *part,
                                 const hit_plan_arg arg[], hit_index k)
{
    const hit_plan *plan = &part->superblocks.plan;
    const hit_domain box = hit_plan_piece(plan, k);
    hit_domain need[HIT_MAX_ARGS];
    hit_view on_device[HIT_MAX_ARGS];

    for (int u = 0; u < r->plan->uses; u++) {
        need[u] = hit_plan_need(&arg[u], &box);
    }
    lay_out(r, need, on_device);
    HIT_TRY(move(r, part, arg, &box, on_device, true));
    for (int u = 0; u < r->plan->uses; u++) {
        hit_runner_set_slot(r, u, &on_device[u]);
    }
    HIT_TRY(hit_runner_superblock(r, plan, k, &box));
    r->station->superblocks++;
    return move(r, part, arg, &box, on_device, false);
}

hit_status hit_runner_squeeze(hit_runner *r, const hit_part *part)
{
    const hit_plan *plan = &part->superblocks.plan;
    hit_plan_arg arg[HIT_MAX_ARGS];

    hit_runner_plan_args(r, part, arg);
    for (hit_index k = 0; k < plan->pieces; k++) {
        HIT_TRY(run_superblock(r, part, arg, k));
    }
    return hit_device_wait(r->device);
}
