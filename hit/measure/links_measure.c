/* SPDX-License-Identifier: MIT
 * Timing copies and messages. A copy is asked for and waited for, as often as makes a
 * repetition long enough for the clock. The host's side walks through more memory than a
 * cache holds, as tiles do that do not fit a device; the device's side stays where it is,
 * as its buffers do. */
#include "hit/base/alloc.h"
#include "hit/base/context.h"
#include "hit/comm/comm.h"
#include "hit/measure/measure_impl.h"

#include <math.h>
#include <string.h>

enum {
    HOST_BYTES = 64 << 20,
    MOST_COPIES = 4096 /* per repetition */
};

/* Seconds that a repetition takes at least. */
static const double sample_s = 2e-4;

typedef struct bench {
    hit_context *context;
    hit_device *timed; /* NULL: this process only waits */
    const hit_link_shape *shape;
    hit_view from; /* of copies: as if at the host's first byte */
    hit_view to;
    hit_domain box;
    void *host; /* also what messages are sent from */
    void *device[2];
    size_t host_bytes;
    size_t device_bytes; /* of each of the two */
    size_t stretch;      /* of the host's memory, for one copy */
    size_t at;
    hit_requests *requests;
    int partner;
    bool idle;  /* only waits for the others */
    int copies; /* per repetition */
} bench;

static bool is_message(const bench *b)
{
    return b->shape->link == HIT_LINK_MESSAGE;
}

/* ---- copies ---- */

static bool is_packed(const bench *b)
{
    return b->shape->link == HIT_LINK_IN_PACKED || b->shape->link == HIT_LINK_OUT_PACKED;
}

/* Can this device be timed: has it a memory with room, and a choice of ways? */
static bool has_link(const bench *b)
{
    const hit_device *device = b->timed;
    const size_t places = b->shape->link == HIT_LINK_WITHIN ? 3 : 1; /* with gaps */

    if (device == NULL || hit_device_in_place(device)) return false;
    if (is_packed(b) && !hit_device_packs(device)) return false;
    return b->shape->bytes <= (device->limit_bytes - device->used_bytes) / places;
}

static bool goes_out(const bench *b)
{
    return b->shape->link == HIT_LINK_OUT || b->shape->link == HIT_LINK_OUT_PACKED;
}

static hit_way way_of(const bench *b)
{
    if (b->shape->link == HIT_LINK_WITHIN) return HIT_WAY_WITHIN;
    return goes_out(b) ? HIT_WAY_OUT : HIT_WAY_IN;
}

/* Make every strided copy go the way that is timed. */
static void force(const bench *b)
{
    const hit_device *device = b->timed;
    const bool packed = is_packed(b);
    hit_links links = {.known = (1u << HIT_LINK_NAMES) - 1};

    if (!hit_device_packs(device)) return;
    links.link[HIT_LINK_IN].latency_s = links.link[HIT_LINK_OUT].latency_s = packed;
    links.link[HIT_LINK_IN_PACKED].latency_s = !packed;
    links.link[HIT_LINK_OUT_PACKED].latency_s = !packed;
    hit_device_set_links(device, &links);
}

static hit_status open_copies(bench *b)
{
    const size_t run = b->shape->run_bytes > 0 ? b->shape->run_bytes : b->shape->bytes;
    const hit_index rows = (hit_index)(b->shape->bytes / run);
    const hit_index gap = rows > 1 ? 2 : 1;
    const hit_domain wide = hit_domain_of(rows, gap * (hit_index)run);
    const bool within = b->shape->link == HIT_LINK_WITHIN;
    hit_device *device = b->timed;
    char *strided;

    b->idle = !has_link(b);
    if (b->idle) return HIT_OK;
    b->box = hit_domain_of(rows, (hit_index)run);
    b->stretch = (size_t)gap * b->shape->bytes;
    b->host_bytes = HOST_BYTES;
    HIT_TRY(hit_memory_take(b->host_bytes, "copies to be timed", &b->host));
    memset(b->host, 1, b->host_bytes);
    hit_device_pin(device, b->host, b->host_bytes); /* as tiles are */
    b->device_bytes = within ? b->stretch : b->shape->bytes;
    HIT_TRY(hit_device_take(device, b->device_bytes, &b->device[0]));
    if (within) HIT_TRY(hit_device_take(device, b->shape->bytes, &b->device[1]));
    strided = within ? b->device[0] : b->host;
    b->from = hit_view_make(&wide, 1, strided);
    b->to = hit_view_make(&b->box, 1, within ? b->device[1] : b->device[0]);
    if (goes_out(b)) {
        const hit_view swap = b->from;

        b->from = b->to;
        b->to = swap;
    }
    force(b);
    return HIT_OK;
}

static hit_status copy_once(bench *b)
{
    hit_device *device = b->timed;
    hit_view from = b->from;
    hit_view to = b->to;

    if (way_of(b) != HIT_WAY_WITHIN) {
        if (b->at + b->stretch > b->host_bytes) b->at = 0;
        *(goes_out(b) ? &to.data : &from.data) += b->at;
        b->at += b->stretch;
    }
    HIT_TRY(hit_device_copy(device, goes_out(b) ? HIT_LANE_OUT : HIT_LANE_IN, way_of(b),
                            &from, &to, &b->box));
    return hit_device_wait(device);
}

/* ---- messages ---- */

static hit_status open_messages(bench *b)
{
    const int half = hit_comm_present(b->context->comm) / 2;
    const int rank = hit_comm_rank(b->context->comm);

    b->partner = rank < half ? rank + half : rank - half;
    b->idle = rank >= 2 * half;
    if (b->idle) return HIT_OK;
    b->host_bytes = b->shape->bytes;
    HIT_TRY(hit_memory_take(b->host_bytes, "messages to be timed", &b->host));
    memset(b->host, 1, b->host_bytes);
    return hit_requests_create(b->context->comm, 1, &b->requests);
}

static hit_status transmit(bench *b, bool sends)
{
    hit_requests_reset(b->requests);
    if (sends) {
        HIT_TRY(hit_requests_send(b->requests, 0, b->partner, 0, b->host, b->host_bytes));
    } else {
        HIT_TRY(
            hit_requests_receive(b->requests, 0, b->partner, 0, b->host, b->host_bytes));
    }
    return hit_requests_wait_all(b->requests);
}

/* There and back. */
static hit_status message_twice(bench *b)
{
    const bool first = hit_comm_rank(b->context->comm) < b->partner;

    HIT_TRY(transmit(b, first));
    return transmit(b, !first);
}

/* ---- repetitions ---- */

/* The seconds of one copy or message. */
static hit_status repeat(bench *b, double *seconds)
{
    const double start_s = hit_clock_now(&b->context->clock);

    for (int k = 0; k < b->copies && !b->idle; k++) {
        HIT_TRY(is_message(b) ? message_twice(b) : copy_once(b));
    }
    *seconds = (hit_clock_now(&b->context->clock) - start_s) / b->copies;
    if (is_message(b)) *seconds /= 2;
    return HIT_OK;
}

/* The first ones are dropped; they tell how many make a repetition, on all processes. */
static hit_status warm_up(bench *b)
{
    double seconds = 0;
    uint64_t copies;

    b->copies = 4;
    HIT_TRY(hit_comm_agree(b->context->comm, repeat(b, &seconds)));
    copies = (uint64_t)fmin(sample_s / fmax(seconds, 1e-8) + 1, MOST_COPIES);
    if (b->idle) copies = 1;
    HIT_TRY(hit_comm_max_u64(b->context->comm, &copies, 1));
    b->copies = (int)copies;
    return HIT_OK;
}

static hit_status measure(bench *b, hit_measure *result)
{
    uint64_t verdict = HIT_MEASURE_CONTINUE;

    HIT_TRY(warm_up(b));
    while (verdict == HIT_MEASURE_CONTINUE) {
        double seconds = 0;
        hit_status status;

        HIT_TRY(hit_comm_barrier(b->context->comm));
        status = repeat(b, &seconds);
        verdict = HIT_MEASURE_EXACT;
        if (!b->idle) verdict = hit_measure_add(result, fmax(seconds, 1e-10));
        HIT_TRY(hit_comm_agree(b->context->comm, status));
        HIT_TRY(hit_comm_max_u64(b->context->comm, &verdict, 1));
    }
    return HIT_OK;
}

static void close_bench(bench *b)
{
    hit_device *device = b->timed;

    for (int k = 0; k < 2; k++) {
        const size_t bytes = k == 0 ? b->device_bytes : b->shape->bytes;

        if (b->device[k] != NULL) hit_device_give(device, b->device[k], bytes);
    }
    hit_requests_destroy(&b->requests);
    if (b->host != NULL && !is_message(b)) {
        hit_device_unpin(device, b->host, b->host_bytes);
    }
    hit_memory_release(&b->host);
    hit_links_install(b->context);
}

hit_status hit_links_measure(hit_context *context, struct hit_device *device,
                             const hit_link_shape *shape,
                             const hit_measure_options *options, hit_measure *result)
{
    bench b = {.context = context, .timed = device, .shape = shape};
    hit_measure found;
    hit_status status = hit_measure_init(&found, (hit_index)shape->bytes, options);

    if (device != NULL) hit_device_set_counting(device, false);
    if (status == HIT_OK) status = is_message(&b) ? open_messages(&b) : open_copies(&b);
    status = hit_comm_agree(context->comm, status);
    if (status == HIT_OK) status = measure(&b, &found);
    close_bench(&b);
    if (device != NULL) hit_device_set_counting(device, true);
    if (status == HIT_OK) *result = found;
    return status;
}
