/* SPDX-License-Identifier: MIT
 * A chain that is imagined: its launches differ in the tiles that have changed places. */
#include "hit/base/memory.h"
#include "hit/base/quote.h"
#include "hit/chain/chain.h"
#include "hit/chain/spread.h"
#include "hit/tool/tool.h"
#include "patterns/transform.h"

#include <inttypes.h>
#include <stdlib.h>

typedef struct imagined {
    hit_chain_cut *cut; /* one device */
    hit_chain_launch launch[HIT_CHAIN_LAUNCHES];
    const hit_chain_launch *list[HIT_CHAIN_LAUNCHES];
    hit_skew chain;
    hit_chain_stream alone; /* one launch */
    hit_chain_stream together;
} imagined;

/* The argument that takes turns with the one that is written; -1: there is none. */
static int partner(const hit_plan_request *request, int written)
{
    const hit_plan_arg *to = &request->arg[written];

    for (int u = 0; u < request->args; u++) {
        const hit_plan_arg *from = &request->arg[u];

        if (from->mode == HIT_MODE_IN && from->tile.dims == to->tile.dims &&
            from->size_bytes == to->size_bytes) {
            return u;
        }
    }
    return -1;
}

static int written_arg(const hit_plan_request *request)
{
    for (int u = 0; u < request->args; u++) {
        if (request->arg[u].mode != HIT_MODE_IN) return u;
    }
    return -1;
}

static void set_launch(const hit_plan_request *request, int step,
                       hit_chain_launch *launch)
{
    const int to = written_arg(request);
    const int from = to < 0 ? -1 : partner(request, to);

    *launch = (hit_chain_launch){
        .kernel = request->kernel, .domain = request->index, .uses = request->args};
    for (int u = 0; u < request->args; u++) {
        const hit_plan_arg *arg = &request->arg[u];
        int storage = u;

        if (step % 2 == 1 && from >= 0 && (u == to || u == from)) {
            storage = u == to ? from : to;
        }
        launch->use[u] = (hit_chain_use){
            .name = arg->name,
            .storage = storage,
            .writes = arg->mode != HIT_MODE_IN,
            .pattern = arg->pattern,
            .tile = arg->tile,
            .cover = hit_pattern_cover(arg->pattern, &arg->tile, &request->index),
            .size_bytes = arg->size_bytes,
            .overwrites =
                arg->mode == HIT_MODE_OUT &&
                hit_pattern_is_exact(arg->pattern, &arg->tile, &request->index)};
    }
}

static hit_status join(const hit_plan_request *request, int steps, imagined *made)
{
    char why[300];

    made->chain.line = 1;
    for (int l = 0; l < steps; l++) {
        set_launch(request, l, &made->launch[l]);
        made->list[l] = &made->launch[l];
        if (!hit_skew_join(&made->chain, made->list, why, sizeof(why))) {
            return HIT_FAIL(HIT_E_PATTERN, "chain ends at %s", why);
        }
    }
    return HIT_OK;
}

static hit_status choose(const hit_plan_request *request, int steps, imagined *made)
{
    hit_chain_stream_request asked = {.chain = &made->chain,
                                      .launch = made->list,
                                      .launches = 1,
                                      .limit_bytes = request->limit_bytes};
    hit_domain fresh[HIT_CHAIN_STORAGES];
    uint64_t alone_bytes[HIT_CHAIN_LAUNCHES];
    char needed[32];

    if (!hit_chain_stream_plan(&asked, &made->alone)) {
        hit_memory_print(made->alone.memory_bytes, needed, sizeof(needed));
        return HIT_FAIL(HIT_E_LIMIT, "kernel %s: a row of each band takes %s",
                        request->kernel, needed);
    }
    for (int l = 0; l < steps; l++) {
        alone_bytes[l] = made->alone.bytes_in + made->alone.bytes_out;
    }
    asked.alone_bytes = alone_bytes;
    asked.launches = steps;
    asked.launches = hit_chain_cut_group(made->cut, &asked, 1);
    hit_chain_stream_fresh(&asked, fresh);
    asked.dead = fresh;
    if (hit_chain_stream_plan(&asked, &made->together)) return HIT_OK;
    return HIT_FAIL(HIT_E_INTERNAL, "the chain does not fit");
}

static void print_table(const hit_plan_request *request, const imagined *made)
{
    const hit_chain_stream *s = &made->together;
    char limit[32];
    char memory[32];

    hit_memory_print(request->limit_bytes, limit, sizeof(limit));
    hit_memory_print(s->memory_bytes, memory, sizeof(memory));
    hit_say(stdout, "kernel      %s\nmemory      %s, of which %s are used\n",
            request->kernel, limit, memory);
    printf("chain       %d launches at a time\n", s->launches);
    printf("pieces      %" PRId64 " of %" PRId64 " rows\n", (int64_t)s->pieces,
           (int64_t)s->height);
    printf("bytes in    %" PRIu64 ", one after the other %" PRIu64 "\n", s->bytes_in,
           made->alone.bytes_in * (uint64_t)s->launches);
    printf("bytes out   %" PRIu64 ", one after the other %" PRIu64 "\n", s->bytes_out,
           made->alone.bytes_out * (uint64_t)s->launches);
}

static void print_json(const imagined *made)
{
    const hit_chain_stream *s = &made->together;
    const uint64_t launches = (uint64_t)s->launches;
    hit_json line = hit_tool_ok();

    hit_json_count(&line, "launches", launches);
    hit_json_whole(&line, "pieces", s->pieces);
    hit_json_whole(&line, "rows", s->height);
    hit_json_count(&line, "memory_bytes", s->memory_bytes);
    hit_json_count(&line, "bytes_in", s->bytes_in);
    hit_json_count(&line, "bytes_out", s->bytes_out);
    hit_json_count(&line, "alone_bytes_in", made->alone.bytes_in * launches);
    hit_json_count(&line, "alone_bytes_out", made->alone.bytes_out * launches);
    hit_json_end_line(&line);
}

hit_status hit_tool_plan_chain(const hit_kernel *kernel, const hit_plan_request *request,
                               int steps, bool json)
{
    imagined *made = NULL;
    hit_status status;

    if (kernel->whole_box != 0) {
        return HIT_FAIL(HIT_E_PATTERN,
                        "chain ends at kernel %s: it is a kernel of whole boxes",
                        kernel->name);
    }
    for (int u = 0; u < request->args; u++) {
        if (!hit_mode_reduces(request->arg[u].mode)) continue;
        return HIT_FAIL(HIT_E_PATTERN, "chain ends at kernel %s: it reduces",
                        kernel->name);
    }
    HIT_TRY(hit_memory_zeroed(1, sizeof(*made), &made));
    status = join(request, steps, made);
    if (status == HIT_OK) status = hit_chain_cut_create(1, &made->cut);
    if (status == HIT_OK) status = choose(request, steps, made);
    if (status == HIT_OK && json) print_json(made);
    if (status == HIT_OK && !json) print_table(request, made);
    hit_chain_cut_destroy(&made->cut);
    free(made);
    return status;
}
