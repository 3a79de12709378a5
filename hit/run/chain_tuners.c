/* SPDX-License-Identifier: MIT
 * What is in the store is a hint: a tuner takes times from it, and knows itself what may
 * be run. So a file that is wrong costs time at most; it is told, and replaced. Files are
 * written when the context is closed, not between the steps of a program; those of a
 * program that was too short to try all choices are gone on with by the next one. */
#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/base/quote.h"
#include "hit/base/text.h"
#include "hit/comm/comm.h"
#include "hit/cost/model_key.h"
#include "hit/data/hash.h"
#include "hit/run/run_impl.h"

#include <stdlib.h>

/* ---- names ---- */

static uint64_t hash_indices(uint64_t hash, int count, const hit_index number[])
{
    for (int c = 0; c < count; c++) {
        hash = hit_hash_word(hash, (uint64_t)number[c]);
    }
    return hash;
}

static uint64_t hash_launch(uint64_t hash, const hit_chain_launch *launch)
{
    hash = hit_hash_text(hash, launch->kernel);
    hash = hit_hash_extents(hash, &launch->domain);
    for (int u = 0; u < launch->uses; u++) {
        const hit_chain_use *use = &launch->use[u];

        hash = hit_hash_word(hash, (uint64_t)use->storage * 2 + use->writes);
        hash = hit_hash_word(hash, use->size_bytes);
        hash = hit_hash_extents(hash, &use->cover);
    }
    return hash;
}

/* The same in every run: kernels by their names, memory by its number in the chain. */
static uint64_t hash_chain(const hit_chains *chains, int count,
                           const hit_choose_request *r)
{
    const hit_index more[] = {r->line_shift, r->line, (hit_index)r->position_bytes,
                              (hit_index)r->cache_bytes, r->most_steps};
    uint64_t hash = HIT_HASH_START;

    for (int l = 0; l < count; l++) {
        hash = hash_launch(hash, chains->launch[l]);
    }
    hash = hash_indices(hash, r->axes, r->shift);
    hash = hash_indices(hash, r->axes, r->growth);
    return hash_indices(hash, (int)(sizeof(more) / sizeof(more[0])), more);
}

/* "tiles_heat_float+1 8190x8190, 2 threads, 0123456789abcdef": a step of two launches. */
static void print_chain(const hit_chains *chains, int count, int period,
                        const hit_choose_request *r, char text[], size_t size)
{
    (void)snprintf(text, size, "tiles_%.40s", chains->launch[0]->kernel);
    if (period > 1) hit_text_add(text, size, "+%d", period - 1);
    hit_text_add(text, size, " ");
    hit_text_add_numbers(text, size, "x", r->axes, r->extent);
    if (r->only_steps > 0) hit_text_add(text, size, ", %d steps", r->only_steps);
    hit_text_add(text, size, ", %d thread%s, %016llx", r->threads,
                 r->threads == 1 ? "" : "s",
                 (unsigned long long)hash_chain(chains, count, r));
}

/* Devices and the build are asked for once. */
static hit_model_key name_of(hit_chains *chains, int count, int period,
                             const hit_choose_request *r)
{
    hit_model_key made;

    if (chains->place.build[0] == '\0') {
        hit_model_key_of_devices(chains->context, &chains->place);
    }
    made = chains->place;
    print_chain(chains, count, period, r, made.kernel, sizeof(made.kernel));
    return made;
}

/* ---- the store ---- */

static int sum_of_tries(const hit_tuner *tuner)
{
    int sum = 0;

    for (int k = 0; k < tuner->choices; k++) {
        sum += tuner->tries[k];
    }
    return sum;
}

/* Where there is no folder for models nothing is kept, and where a file is wrong that is
 * told if HIT_CHAIN=say. */
static void load(hit_chain_tuned *one)
{
    hit_tried tried[HIT_CHOICES];
    char *folder;
    char *text = NULL;
    hit_status status;
    int count = 0;

    if (hit_store_folder(&folder) != HIT_OK) {
        one->name.kernel[0] = '\0';
        return;
    }
    free(folder);
    status = hit_store_find_tiles(&one->name, &text);
    if (status == HIT_OK && text != NULL) {
        status = hit_tuner_parse(text, one->name.kernel, &count, tried);
    }
    free(text);
    if (status != HIT_OK && one->says != NULL) {
        hit_say(one->says, "%s; tiles are tried again\n", hit_status_text());
    }
    hit_tuner_adopt(&one->tuner, count, tried);
}

/* One process of each host does, since all of a cluster end at the same time. */
static void keep(const hit_context *context, const hit_chain_tuned *one)
{
    char text[HIT_TUNER_TEXT_BYTES];

    int rank;
    int processes;

    hit_comm_local(context->comm, &rank, &processes);
    if (rank > 0 || one->name.kernel[0] == '\0') return;
    if (sum_of_tries(&one->tuner) == one->kept_tries &&
        one->tuner.current == one->kept_choice) {
        return;
    }
    hit_tuner_write(&one->tuner, text);
    if (hit_store_put_tiles(&context->clock, &one->name, text) != HIT_OK &&
        one->says != NULL) {
        hit_say(one->says, "tiles are not kept: %s\n", hit_status_text());
    }
}

static void make(hit_chains *chains, int count, int period,
                 const hit_choose_request *request, hit_chain_tuned *one)
{
    *one = (hit_chain_tuned){.tuner = hit_tuner_make(request),
                             .says = chains->launcher->chain_says
                                         ? hit_context_reports(chains->context)
                                         : NULL};
    if (one->tuner.choices > 1) {
        one->name = name_of(chains, count, period, request);
        load(one);
    }
    one->kept_tries = sum_of_tries(&one->tuner);
    one->kept_choice = one->tuner.current;
}

hit_tuner *hit_chain_tuners_make(hit_chains *chains, int count, int period,
                                 const hit_choose_request *request, uint64_t key)
{
    bool fresh;
    const int k = hit_recent_meet(chains->recent_tuner, HIT_CHAIN_TUNERS, key,
                                  chains->blocks, &fresh);
    hit_chain_tuned **one = &chains->tuners[k];

    if (*one != NULL) {
        keep(chains->context, *one);
    } else if (hit_memory_zeroed(1, sizeof(hit_chain_tuned), one) != HIT_OK) {
        chains->recent_tuner[k].key = 0;
        return NULL;
    }
    make(chains, count, period, request, *one);
    (*one)->tuner.recent = &chains->recent_tuner[k];
    return &(*one)->tuner;
}

void hit_chain_tuners_close(hit_chains *chains)
{
    for (int k = 0; k < HIT_CHAIN_TUNERS; k++) {
        if (chains->tuners[k] == NULL) continue;
        keep(chains->context, chains->tuners[k]);
        free(chains->tuners[k]);
    }
}
