/* SPDX-License-Identifier: MIT
 * In a block processes run without messages, so that one which leaves it alone, since it
 * alone wrote a tile, would wait for messages that are not sent. So all processes leave
 * blocks together: each compares itself with the others before it does anything in which
 * others take part but beginning the same block again. Those who do that wait for
 * messages of neighbours, which say that these have left, and then compare themselves,
 * too. So none waits for ever, and all know of a difference. */
#include "hit/deep/deep_impl.h"
#include "hit/tile/station.h"

#include <string.h>

/* Over all processes, by one maximum: the greatest number, and the complement of the
 * least. */
typedef struct span {
    uint64_t most;
    uint64_t least_inverted;
} span;

typedef struct numbers {
    span launches;
    span cause; /* of 0: the number of a tile that some process left the block for */
    span writes[HIT_DEEP_TILES]; /* one, if several come before a launch: a process may
                                     write again what could not be waited for */
    uint64_t poor;               /* hit_deep.poor */
    uint64_t told;               /* hit_deep.told */
} numbers;

static span span_of(uint64_t number)
{
    return (span){number, ~number};
}

/* No process: none has the tile any more. */
static const span nowhere = {0, 0};

static bool differs(const span *of)
{
    return of->least_inverted != 0 && of->most != ~of->least_inverted;
}

static const char *name_of(const hit_deep_tile *tile)
{
    return tile->storage != NULL ? tile->storage->name : "that is gone";
}

static hit_status fail_at_tile(const hit_deep *deep, int k, const numbers *all)
{
    const hit_deep_tile *tile = &deep->tile[k];
    const span *writes = &all->writes[k];

    if (differs(writes)) {
        return HIT_FAIL(HIT_E_COMM,
                        "tile %s: expected all processes to write it at the same places "
                        "among the launches, as chains over processes want, but one "
                        "wrote it %llu times and another %llu times; write it on all, or "
                        "call hit_chain() with HIT_CHAIN_OFF",
                        name_of(tile), (unsigned long long)~writes->least_inverted,
                        (unsigned long long)writes->most);
    }
    return HIT_FAIL(
        HIT_E_COMM,
        "tile %s: expected all processes to write it at the same places among "
        "the launches, as chains over processes want, but one wrote it before "
        "launch %llu and another did not; write it on all, or call "
        "hit_chain() with HIT_CHAIN_OFF",
        name_of(tile), (unsigned long long)~all->launches.least_inverted);
}

static hit_status judge(const hit_deep *deep, const numbers *all)
{
    for (int k = 0; k < HIT_DEEP_TILES; k++) {
        if (differs(&all->writes[k])) return fail_at_tile(deep, k, all);
    }
    if (!differs(&all->launches) && all->told == 0) return HIT_OK;
    if (all->cause.most > 0) return fail_at_tile(deep, (int)all->cause.most - 1, all);
    return HIT_FAIL(HIT_E_COMM,
                    "expected all processes to make the same calls, but one is at launch "
                    "%llu and another at launch %llu",
                    (unsigned long long)~all->launches.least_inverted,
                    (unsigned long long)all->launches.most);
}

/* From here on processes may be at different launches: they go on as if there had been
 * none. */
static void give_up(hit_deep *deep)
{
    deep->told = deep->interrupted = false;
    /* all of them sent what the last block needs before they compared themselves */
    hit_stations_keep_failure(deep->context->stations, hit_deep_arrive(deep));
    deep->context->launcher->chain_room = 0;
    deep->now = deep->last = deep->open = NULL;
    deep->launches = deep->compared = deep->recorded = 0;
    memset(deep->held, 0, sizeof(deep->held));
    deep->period = 0;
    deep->run = deep->last_run = deep->hopeless = 0;
    memset(deep->tile, 0, sizeof(deep->tile));
    memset(deep->recent_tile, 0, sizeof(deep->recent_tile));
    memset(deep->recent_home, 0, sizeof(deep->recent_home));
    memset(deep->recent_layout, 0, sizeof(deep->recent_layout));
    for (int k = 0; k < HIT_DEEP_PLANS; k++) {
        deep->recent_plan[k].used = 0;
    }
}

/* Is there a launch of the history that had no memory, or none to plan? */
static bool is_poor(const hit_deep *deep)
{
    bool poor = deep->planning == NULL;

    for (int k = 0; k < HIT_DEEP_HISTORY; k++) {
        poor |= deep->held[k] > 0 && deep->form[k].launch == NULL;
    }
    return poor;
}

hit_status hit_deep_compare(hit_deep *deep)
{
    hit_status status;
    numbers all;

    deep->poor = is_poor(deep);
    hit_deep_note_vote(deep, sizeof(all) / sizeof(uint64_t));
    if (deep->dry) return HIT_OK; /* there, all processes agree on every launch */
    hit_deep_end_messages(deep);
    all.poor = deep->poor;
    all.told = deep->told;
    all.launches = span_of(deep->launches);
    all.cause = (span){(uint64_t)deep->written, 0};
    for (int k = 0; k < HIT_DEEP_TILES; k++) {
        const hit_deep_tile *tile = &deep->tile[k];

        /* one that is gone on this process only is not compared */
        all.writes[k] =
            tile->storage == NULL
                ? nowhere
                : span_of(tile->writes + (tile->looks != tile->storage->looks));
    }
    deep->written = 0;
    /* as many from all of them: those at different launches may know unlike tiles */
    HIT_TRY(hit_comm_max_u64(deep->context->comm, (void *)&all,
                             (int)(sizeof(all) / sizeof(uint64_t))));
    deep->poor = all.poor != 0;
    status = judge(deep, &all);
    if (status != HIT_OK) {
        hit_deep_watch(deep, false);
        give_up(deep);
    }
    return status;
}

/* The head of what is collective; the comparison is so itself. */
static hit_status enter(void *of)
{
    hit_deep *deep = of;
    hit_status status;

    hit_comm_guard(deep->context->comm, NULL, NULL);
    deep->interrupted = true;
    status = hit_deep_compare(deep);
    if (status == HIT_OK) hit_deep_watch(deep, true);
    return status;
}

void hit_deep_watch(hit_deep *deep, bool inside)
{
    deep->inside = inside;
    if (deep->dry) return;
    hit_comm_guard(deep->context->comm, inside ? enter : NULL, deep);
}
