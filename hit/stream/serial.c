/* SPDX-License-Identifier: MIT
 * Superblocks one at a time, for memory so small, or needs so different from place to
 * place, that two of them do not fit side by side: what is needed is moved in, the kernel
 * runs, what it wrote is moved out. */
#include "hit/stream/stream.h"

static void place(const hit_stream *s, hit_superblock *of)
{
    hit_domain need[HIT_MAX_ARGS];
    int buffers[HIT_MAX_ARGS];
    size_t bytes[HIT_MAX_ARGS];
    char *data[HIT_MAX_ARGS];

    for (int u = 0; u < s->args; u++) {
        need[u] = hit_plan_need(&s->arg[u], &of->box);
        buffers[u] = 1;
        bytes[u] = (size_t)hit_domain_count(&need[u]) * s->arg[u].size_bytes;
    }
    hit_arena_lay_out(s->device, s->superblocks, s->args, buffers, bytes, data);
    for (int u = 0; u < s->args; u++) {
        of->view[u] = hit_view_make(&need[u], s->arg[u].size_bytes, data[u]);
    }
}

hit_status hit_serial_next(hit_stream *s)
{
    hit_superblock *of = &s->superblock[0];

    of->k = s->done;
    of->box = hit_plan_piece(&s->superblocks->plan, of->k);
    place(s, of);
    for (int u = 0; u < s->args; u++) {
        const hit_view *to = &of->view[u];

        if (!hit_plan_moves_in(&s->arg[u], &of->box)) continue;
        HIT_TRY(
            hit_stream_copy(s, HIT_LANE_RUN, HIT_WAY_IN, s->host[u], to, &to->domain));
    }
    HIT_TRY(s->run(s->caller, of));
    s->done++;
    for (int u = 0; u < s->args; u++) {
        const hit_view *from = &of->view[u];

        if (!hit_plan_moves_out(&s->arg[u])) continue;
        HIT_TRY(hit_stream_copy(s, HIT_LANE_RUN, HIT_WAY_OUT, from, s->host[u],
                                &from->domain));
    }
    return HIT_OK;
}
