/* SPDX-License-Identifier: MIT
 * Superblocks in three lanes: while one runs, the next one's elements come in and those
 * of the one before go out. Each argument has a ring of buffers. What the next superblock
 * needs the same of stays in its buffer; what both need a part of is copied on the
 * device; only the rest crosses. Nobody waits at the end: the first superblocks of the
 * next launch follow the last ones of this. */
#include "hit/run/runner.h"

/* A superblock that runs, or has run. */
typedef struct frame {
    hit_index k;
    hit_view view[HIT_MAX_ARGS];
    int at[HIT_MAX_ARGS]; /* its buffers */
    uint64_t loaded;      /* the mark after which all it needs is there ... */
    uint64_t freed;       /* ... and that after which it may write */
    bool sent;
} frame;

typedef struct stream {
    hit_runner *r;
    const hit_part *part;
    const hit_plan *plan;
    hit_plan_arg arg[HIT_MAX_ARGS];
    hit_tail *tail;
    hit_ring *ring; /* the tail's */
    uint64_t freed; /* for the next superblock */
} stream;

static hit_view view_of(const stream *s, int u)
{
    const hit_ring *of = &s->ring[u];

    return hit_view_make(&of->box, s->arg[u].size_bytes,
                         of->data + (size_t)of->at * of->each_bytes);
}

static hit_status copy(stream *s, hit_lane lane, hit_way way, const hit_view *from,
                       const hit_view *to, const hit_domain *box)
{
    const uint64_t bytes = (uint64_t)hit_domain_count(box) * from->size_bytes;
    hit_residents *counters = &s->r->station->residents;
    hit_device *device = s->r->device;

    if (bytes == 0) return HIT_OK;
    HIT_TRY(hit_device_copy(device, lane, way, from, to, box));
    if (way == HIT_WAY_IN) counters->bytes_in += bytes;
    if (way == HIT_WAY_OUT) counters->bytes_out += bytes;
    return HIT_OK;
}

static hit_status after(stream *s, hit_lane lane, hit_lane of, uint64_t mark)
{
    return hit_device_after(s->r->device, lane, of, mark);
}

static uint64_t mark(stream *s, hit_lane lane)
{
    return hit_device_mark(s->r->device, lane);
}

/* What is brought may be on its way to the host: a result of this launch, or of the one
 * before. */
static hit_status after_arrivals(stream *s, const hit_view *host, const hit_domain *box)
{
    const hit_when *arrives = hit_arrivals_find(&s->tail->arrivals, host->data, box);

    if (arrives == NULL) return HIT_OK;
    return after(s, HIT_LANE_IN, HIT_LANE_OUT, arrives->mark);
}

/* Bring the elements of argument u to its buffer: from the buffer `held`, and the rest
 * from the host. */
static hit_status load(stream *s, int u, const hit_view *held)
{
    const hit_view *host = s->part->claim[u].host;
    const hit_view to = view_of(s, u);
    hit_region rest = {0};
    hit_status status;

    HIT_TRY(after_arrivals(s, host, &to.domain));
    HIT_TRY_GOTO(status, hit_region_append(&rest, &to.domain), done);
    if (held != NULL) {
        const hit_domain common = hit_domain_intersect(&held->domain, &to.domain);

        HIT_TRY_GOTO(status, copy(s, HIT_LANE_IN, HIT_WAY_WITHIN, held, &to, &common),
                     done);
        HIT_TRY_GOTO(status, hit_region_subtract(&rest, &common), done);
    }
    for (int k = 0; k < rest.count; k++) {
        HIT_TRY_GOTO(status, copy(s, HIT_LANE_IN, HIT_WAY_IN, host, &to, &rest.part[k]),
                     done);
    }
done:
    hit_region_clear(&rest);
    return status;
}

/* Let argument u go on to the next buffer, and to the elements @p need. */
static hit_status turn(stream *s, int u, const hit_domain *need, const hit_domain *box)
{
    hit_ring *of = &s->ring[u];
    const int next = (of->at + 1) % of->buffers;
    const bool keeps = of->holds && of->buffers > 1;
    const hit_view held = of->holds ? view_of(s, u) : (hit_view){0};
    of->at = next;
    of->box = *need;
    of->holds = true;
    if (!hit_plan_moves_in(&s->arg[u], box)) { /* nobody writes before the kernel does */
        if (of->sent[next] > s->freed) s->freed = of->sent[next];
        return HIT_OK;
    }
    HIT_TRY(after(s, HIT_LANE_IN, HIT_LANE_RUN, of->run[next]));
    HIT_TRY(after(s, HIT_LANE_IN, HIT_LANE_OUT, of->sent[next]));
    return load(s, u, keeps ? &held : NULL);
}

static hit_status prepare(stream *s, hit_index k)
{
    const hit_domain box = hit_plan_piece(s->plan, k);

    for (int u = 0; u < s->r->plan->uses; u++) {
        const hit_domain need = hit_plan_need(&s->arg[u], &box);

        if (s->ring[u].holds && hit_domain_equal(&need, &s->ring[u].box)) continue;
        HIT_TRY(turn(s, u, &need, &box));
    }
    return HIT_OK;
}

/* Must superblock k have run before anything of the next one can be brought? Where an
 * argument has one buffer only, or the next one needs some of what k writes. */
static bool is_tied(const stream *s, hit_index k)
{
    const hit_domain box = hit_plan_piece(s->plan, k + 1);

    for (int u = 0; u < s->r->plan->uses; u++) {
        const hit_ring *of = &s->ring[u];
        const hit_domain need = hit_plan_need(&s->arg[u], &box);
        const hit_domain common = hit_domain_intersect(&need, &of->box);

        if (hit_domain_equal(&need, &of->box)) continue;
        if (of->buffers == 1) return true;
        if (s->arg[u].mode != HIT_MODE_IN && !hit_domain_is_empty(&common)) return true;
    }
    return false;
}

static frame frame_of(stream *s, hit_index k)
{
    frame f = {.k = k, .loaded = mark(s, HIT_LANE_IN), .freed = s->freed};

    for (int u = 0; u < s->r->plan->uses; u++) {
        f.view[u] = view_of(s, u);
        f.at[u] = s->ring[u].at;
    }
    return f;
}

static hit_status run(stream *s, const frame *f)
{
    const hit_domain box = hit_plan_piece(s->plan, f->k);
    uint64_t done;

    HIT_TRY(after(s, HIT_LANE_RUN, HIT_LANE_IN, f->loaded));
    HIT_TRY(after(s, HIT_LANE_RUN, HIT_LANE_OUT, f->freed));
    for (int u = 0; u < s->r->plan->uses; u++) {
        hit_runner_set_slot(s->r, u, &f->view[u]);
    }
    HIT_TRY(hit_runner_superblock(s->r, s->plan, f->k, &box));
    s->r->station->superblocks++;
    done = mark(s, HIT_LANE_RUN);
    for (int u = 0; u < s->r->plan->uses; u++) {
        s->ring[u].run[f->at[u]] = done;
    }
    return HIT_OK;
}

/* Send back what a superblock wrote and the next one does not go on with. */
static hit_status send(stream *s, frame *f)
{
    const bool last = f->k + 1 == s->plan->pieces;
    const hit_domain box = hit_plan_piece(s->plan, last ? f->k : f->k + 1);

    if (f->sent) return HIT_OK;
    f->sent = true;
    for (int u = 0; u < s->r->plan->uses; u++) {
        const hit_view *host = s->part->claim[u].host;
        const hit_domain next = hit_plan_need(&s->arg[u], &box);
        hit_ring *of = &s->ring[u];

        if (!hit_plan_moves_out(&s->arg[u])) continue;
        if (!last && hit_domain_equal(&next, &f->view[u].domain)) continue;
        HIT_TRY(after(s, HIT_LANE_OUT, HIT_LANE_RUN, of->run[f->at[u]]));
        HIT_TRY(
            copy(s, HIT_LANE_OUT, HIT_WAY_OUT, &f->view[u], host, &f->view[u].domain));
        of->sent[f->at[u]] = mark(s, HIT_LANE_OUT);
        hit_arrivals_add(&s->tail->arrivals, host->data, &f->view[u].domain,
                         (hit_when){.mark = of->sent[f->at[u]]});
    }
    return HIT_OK;
}

/* The host runs kernels itself: copies are asked for before. */
static hit_status pass(stream *s)
{
    HIT_TRY(prepare(s, 0));
    for (hit_index k = 0; k < s->plan->pieces; k++) {
        frame now = frame_of(s, k);
        const bool last = k + 1 == s->plan->pieces;
        const bool tied = !last && is_tied(s, k);

        if (!last && !tied) HIT_TRY(prepare(s, k + 1));
        HIT_TRY(run(s, &now));
        HIT_TRY(send(s, &now));
        if (tied) HIT_TRY(prepare(s, k + 1));
    }
    return HIT_OK;
}

/* A device that runs them by itself is given the next one first: copies of pageable
 * memory block the caller. */
static hit_status pass_async(stream *s)
{
    frame before = {.sent = true};

    HIT_TRY(prepare(s, 0));
    for (hit_index k = 0; k < s->plan->pieces; k++) {
        frame now = frame_of(s, k);
        const bool last = k + 1 == s->plan->pieces;
        const bool tied = !last && is_tied(s, k);

        HIT_TRY(run(s, &now));
        HIT_TRY(send(s, &before));
        if (last || tied) HIT_TRY(send(s, &now));
        if (!last) HIT_TRY(prepare(s, k + 1));
        before = now;
    }
    return HIT_OK;
}

/* The largest power of two that divides the size of an element: what its address must be
 * a multiple of. */
static size_t alignment(size_t size_bytes)
{
    return size_bytes & (~size_bytes + 1);
}

/* Buffers at multiples of 64 bytes if there is room, else without a gap, in the order of
 * falling alignment. */
static void lay_out(const stream *s, const hit_superblocks *superblocks, hit_ring ring[])
{
    const int uses = s->r->plan->uses;
    size_t padded = 0;
    size_t offset = 0;
    bool roomy;

    for (int u = 0; u < uses; u++) {
        hit_ring *of = &ring[u];

        of->buffers = superblocks->buffers[u];
        of->each_bytes = (superblocks->plan.arg_bytes[u] + 63) / 64 * 64;
        padded += (size_t)of->buffers * of->each_bytes;
    }
    roomy = padded <= s->r->device->arena_bytes;
    for (size_t align = (size_t)1 << 62; align > 0; align /= 2) {
        for (int u = 0; u < uses; u++) {
            hit_ring *of = &ring[u];

            if (alignment(s->arg[u].size_bytes) != align) continue;
            if (!roomy) of->each_bytes = superblocks->plan.arg_bytes[u];
            of->data = s->r->device->arena + offset;
            offset += (size_t)of->buffers * of->each_bytes;
        }
    }
}

/* Behind the launch before. */
static void go_on(stream *s)
{
    hit_ring ring[HIT_MAX_ARGS] = {{0}};

    lay_out(s, &s->part->superblocks, ring);
    hit_tail_go_on(s->tail, s->r->plan->uses, ring, mark(s, HIT_LANE_RUN),
                   mark(s, HIT_LANE_OUT));
    s->r->station->in_flight = true;
    s->r->station->streams = true;
}

hit_status hit_runner_stream(hit_runner *r, const hit_part *part)
{
    hit_tail *tail = &r->station->tail;
    stream s = {.r = r,
                .part = part,
                .plan = &part->superblocks.plan,
                .tail = tail,
                .ring = tail->ring};
    hit_status status;

    hit_runner_plan_args(r, part, s.arg);
    go_on(&s);
    status = hit_device_async(r->device) ? pass_async(&s) : pass(&s);
    if (status != HIT_OK) (void)hit_station_wait(r->station); /* nobody else will */
    return status;
}
