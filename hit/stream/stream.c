/* SPDX-License-Identifier: MIT
 * Superblocks in three lanes: while one runs, the next one's elements come in and those
 * of the one before go out. Each argument has a ring of buffers. What the next superblock
 * needs the same of stays in its buffer; what both need a part of is copied on the
 * device; only the rest crosses. A launch does not wait at its end: the first superblocks
 * of the next launch follow the last ones of this.
 *
 * What a superblock needs is found once, when it is looked at, and kept until the one
 * after it has been looked at. Nothing is allocated here. */
#include "hit/stream/stream.h"

#include "hit/base/alloc.h"

/* Lay out the buffers of each argument in the arena, from ring[u].data on: at multiples
 * of 64 bytes if there is room, to which ring[u].each_bytes is rounded up, else without a
 * gap, in the order of falling alignment. */
static void lay_out(const hit_stream *s, hit_ring ring[])
{
    size_t sum = 0;
    size_t offset = 0;
    bool roomy;

    for (int u = 0; u < s->args; u++) {
        sum += (size_t)ring[u].buffers * hit_memory_padded(ring[u].each_bytes);
    }
    roomy = sum <= s->device->arena_bytes;
    for (int k = 0; k < s->args; k++) {
        hit_ring *of = &ring[s->superblocks->order[k]];

        if (roomy) of->each_bytes = hit_memory_padded(of->each_bytes);
        of->data = s->device->arena + offset;
        offset += (size_t)of->buffers * of->each_bytes;
    }
}

/* ---- superblocks one at a time ----
 * For memory so small, or needs so different from place to place, that two of them do not
 * fit side by side: what is needed is moved in, the kernel runs, what it wrote is moved
 * out. */

static void place(const hit_stream *s, hit_superblock *of)
{
    hit_domain need[HIT_MAX_ARGS];
    hit_ring ring[HIT_MAX_ARGS];

    for (int u = 0; u < s->args; u++) {
        need[u] = hit_plan_need(&s->arg[u], &of->box);
        ring[u].buffers = 1;
        ring[u].each_bytes = (size_t)hit_domain_count(&need[u]) * s->arg[u].size_bytes;
    }
    lay_out(s, ring);
    for (int u = 0; u < s->args; u++) {
        of->view[u] = hit_view_make(&need[u], s->arg[u].size_bytes, ring[u].data);
        of->writes[u] = hit_plan_writes(&s->arg[u], &of->box, &need[u]);
    }
}

static hit_status next_alone(hit_stream *s)
{
    hit_superblock *of = &s->superblock[0];

    of->k = s->next;
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
    s->next = hit_plan_next(&s->superblocks->plan, of->k + 1);
    for (int u = 0; u < s->args; u++) {
        const hit_view *from = &of->view[u];

        if (s->arg[u].mode == HIT_MODE_IN) continue;
        HIT_TRY(hit_stream_copy(s, HIT_LANE_RUN, HIT_WAY_OUT, from, s->host[u],
                                &of->writes[u]));
    }
    return HIT_OK;
}

/* Of the one that comes after @p n others. */
static hit_superblock *place_of(hit_stream *s, hit_index n)
{
    return &s->superblock[n % 3];
}

static hit_status after(const hit_stream *s, hit_lane lane, hit_lane of, uint64_t mark)
{
    return hit_device_after(s->device, lane, of, mark);
}

static uint64_t mark(const hit_stream *s, hit_lane lane)
{
    return hit_device_mark(s->device, lane);
}

/* ---- bringing ---- */

/* Superblock k, which comes after n others, and what it needs, before anything is done
 * for it. */
static void look_at(hit_stream *s, hit_index n, hit_index k)
{
    hit_superblock *of = place_of(s, n);
    const hit_superblock *before = n > 0 ? place_of(s, n - 1) : NULL;

    of->k = k;
    of->sent = false;
    of->box = hit_plan_piece(&s->superblocks->plan, k);
    for (int u = 0; u < s->args; u++) {
        of->view[u].domain = hit_plan_need(&s->arg[u], &of->box);
        of->writes[u] = hit_plan_writes(&s->arg[u], &of->box, &of->view[u].domain);
        of->same[u] = before != NULL &&
                      hit_domain_equal(&of->view[u].domain, &before->view[u].domain) &&
                      hit_domain_equal(&of->writes[u], &before->writes[u]);
    }
}

/* Bring the elements of argument u to its buffer: from the buffer `held`, and the rest
 * from the host. Some may be on their way there: results of this launch, or of the one
 * before. */
static hit_status load(hit_stream *s, int u, const hit_view *held, const hit_view *to)
{
    const hit_view *host = s->host[u];
    uint64_t event[HIT_MAX_SOURCES];
    hit_domain box;
    hit_rest rest;

    if (hit_fence_find(s->log[u], s->piece[u], &to->domain, false, event)) {
        HIT_TRY(after(s, HIT_LANE_IN, HIT_LANE_OUT, event[s->source[u] + HIT_LANE_OUT]));
    }
    if (held == NULL) {
        return hit_stream_copy(s, HIT_LANE_IN, HIT_WAY_IN, host, to, &to->domain);
    }
    rest = hit_rest_of(&to->domain, &held->domain);
    HIT_TRY(hit_stream_copy(s, HIT_LANE_IN, HIT_WAY_WITHIN, held, to, &rest.hole));
    while (hit_rest_next(&rest, &box)) {
        HIT_TRY(hit_stream_copy(s, HIT_LANE_IN, HIT_WAY_IN, host, to, &box));
    }
    return HIT_OK;
}

/* Let argument u go on to its next buffer. */
static hit_status turn(hit_stream *s, int u, hit_superblock *of, const hit_view *held)
{
    hit_ring *ring = &s->tail->ring[u];
    const int next = (ring->at + 1) % ring->buffers;
    hit_view *to = &of->view[u];

    *to = hit_view_make(&to->domain, s->arg[u].size_bytes,
                        ring->data + (size_t)next * ring->each_bytes);
    of->buffer[u] = ring->at = next;
    if (!hit_plan_moves_in(&s->arg[u], &of->box)) { /* nothing writes before the kernel */
        if (ring->sent[next] > s->freed) s->freed = ring->sent[next];
        return HIT_OK;
    }
    HIT_TRY(after(s, HIT_LANE_IN, HIT_LANE_RUN, ring->run[next]));
    HIT_TRY(after(s, HIT_LANE_IN, HIT_LANE_OUT, ring->sent[next]));
    return load(s, u, ring->buffers > 1 ? held : NULL, to);
}

/* It has been looked at. */
static hit_status prepare(hit_stream *s, hit_index n)
{
    hit_superblock *of = place_of(s, n);
    const hit_superblock *before = n > 0 ? place_of(s, n - 1) : NULL;

    for (int u = 0; u < s->args; u++) {
        if (before != NULL && of->same[u]) {
            of->view[u] = before->view[u];
            of->buffer[u] = before->buffer[u];
        } else {
            HIT_TRY(turn(s, u, of, before != NULL ? &before->view[u] : NULL));
        }
    }
    return HIT_OK;
}

/* Must a superblock have run before anything of the next one can be brought? Where an
 * argument has one buffer only, or the next one needs some of what this one writes. */
static bool is_tied(const hit_stream *s, const hit_superblock *of,
                    const hit_superblock *next)
{
    for (int u = 0; u < s->args; u++) {
        if (next->same[u]) continue;
        if (s->tail->ring[u].buffers == 1) return true;
        if (s->arg[u].mode == HIT_MODE_IN) continue;
        if (hit_domain_meets(&next->view[u].domain, &of->writes[u])) return true;
    }
    return false;
}

/* ---- running, and sending back ---- */

static hit_status run(hit_stream *s, const hit_superblock *of)
{
    uint64_t done;

    HIT_TRY(after(s, HIT_LANE_RUN, HIT_LANE_IN, of->loaded));
    HIT_TRY(after(s, HIT_LANE_RUN, HIT_LANE_OUT, of->freed));
    HIT_TRY(s->run(s->caller, of));
    s->done++;
    done = mark(s, HIT_LANE_RUN);
    for (int u = 0; u < s->args; u++) {
        s->tail->ring[u].run[of->buffer[u]] = done;
    }
    return HIT_OK;
}

/* Older results than the last few count as all elements: they have arrived long before
 * any of them is brought again. */
static hit_status log_result(hit_stream *s, int u, const hit_domain *box, uint64_t sent)
{
    hit_fence *log = s->log[u];
    const int source = s->source[u] + HIT_LANE_OUT;

    s->recent[s->results % HIT_STREAM_RECENT] = sent;
    if (s->results++ >= HIT_STREAM_RECENT) {
        hit_fence_fold(log, source, s->recent[s->results % HIT_STREAM_RECENT]);
    }
    return hit_fence_add(log, s->piece[u], box, true, source, sent);
}

/* The host's elements are read until the last copy is done. */
static hit_status log_operands(hit_stream *s)
{
    const hit_domain *index = &s->superblocks->plan.index;
    const uint64_t read = mark(s, HIT_LANE_IN);

    for (int u = 0; u < s->args; u++) {
        const hit_domain need = hit_plan_need(&s->arg[u], index);

        if (!hit_plan_moves_in(&s->arg[u], index)) continue;
        HIT_TRY(hit_fence_add(s->log[u], s->piece[u], &need, false,
                              s->source[u] + HIT_LANE_IN, read));
    }
    return HIT_OK;
}

/* Send back what the superblock after n others wrote and the next one, if there is one,
 * does not go on with. */
static hit_status send(hit_stream *s, hit_index n, bool last)
{
    hit_superblock *of = place_of(s, n);
    const hit_superblock *next = last ? NULL : place_of(s, n + 1);

    if (of->sent) return HIT_OK;
    of->sent = true;
    for (int u = 0; u < s->args; u++) {
        const hit_view *view = &of->view[u];
        hit_ring *ring = &s->tail->ring[u];
        uint64_t *sent = &ring->sent[of->buffer[u]];

        if (s->arg[u].mode == HIT_MODE_IN) continue;
        if (next != NULL && next->same[u]) continue;
        HIT_TRY(after(s, HIT_LANE_OUT, HIT_LANE_RUN, ring->run[of->buffer[u]]));
        HIT_TRY(hit_stream_copy(s, HIT_LANE_OUT, HIT_WAY_OUT, view, s->host[u],
                                &of->writes[u]));
        *sent = mark(s, HIT_LANE_OUT);
        HIT_TRY(log_result(s, u, &of->writes[u], *sent));
    }
    return HIT_OK;
}

/* A host runs kernels itself: copies are asked for before. A device that runs them by
 * itself is given the next one first: copies of pageable memory block the caller. */
static hit_status next_in_lanes(hit_stream *s)
{
    const hit_index n = s->done;
    const bool async = hit_device_async(s->device);
    hit_superblock *now = place_of(s, n);
    bool last;
    bool tied = false;

    s->next = hit_plan_next(&s->superblocks->plan, now->k + 1);
    last = s->next >= s->until;

    now->loaded = mark(s, HIT_LANE_IN);
    now->freed = s->freed;
    if (!last) {
        look_at(s, n + 1, s->next);
        tied = is_tied(s, now, place_of(s, n + 1));
    }
    if (!async && !last && !tied) HIT_TRY(prepare(s, n + 1));
    HIT_TRY(run(s, now));
    if (async && n > 0) HIT_TRY(send(s, n - 1, false));
    if (!async || last || tied) HIT_TRY(send(s, n, last));
    if (!last && (async || tied)) HIT_TRY(prepare(s, n + 1));
    return HIT_OK;
}

/* ---- all of it ---- */

/* Behind the launch before. */
static void go_on(hit_stream *s)
{
    hit_ring ring[HIT_MAX_ARGS];

    for (int u = 0; u < s->args; u++) {
        ring[u] = (hit_ring){.buffers = s->superblocks->buffers[u],
                             .each_bytes = s->superblocks->plan.arg_bytes[u]};
    }
    lay_out(s, ring);
    hit_tail_go_on(s->tail, s->args, ring, mark(s, HIT_LANE_RUN), mark(s, HIT_LANE_OUT));
}

hit_status hit_stream_begin(hit_stream *s)
{
    s->bytes_in = s->bytes_out = 0;
    s->done = 0;
    s->next = hit_plan_next(&s->superblocks->plan, s->from);
    s->freed = 0;
    s->results = 0;
    if (!hit_stream_in_lanes(s->superblocks)) return HIT_OK;
    go_on(s);
    if (s->next >= s->until) return HIT_OK;
    look_at(s, 0, s->next);
    return prepare(s, 0);
}

hit_status hit_stream_next(hit_stream *s)
{
    return hit_stream_in_lanes(s->superblocks) ? next_in_lanes(s) : next_alone(s);
}

hit_status hit_stream_flush(hit_stream *s)
{
    if (!hit_stream_in_lanes(s->superblocks) || s->done == 0) return HIT_OK;
    return send(s, s->done - 1, s->next >= s->until);
}

hit_status hit_stream_run(hit_stream *s)
{
    HIT_TRY(hit_stream_begin(s));
    while (s->next < s->until) {
        HIT_TRY(hit_stream_next(s));
    }
    return hit_stream_in_lanes(s->superblocks) ? log_operands(s) : HIT_OK;
}
