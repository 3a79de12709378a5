/* SPDX-License-Identifier: MIT
 * Searches, the part of process 0: models of the store, the plug-in's search, and the
 * log. Models are kept after every round, so that nothing is lost with the program. */
#include "hit/base/context.h"
#include "hit/base/memory.h"
#include "hit/base/quote.h"
#include "hit/device/nodes.h"
#include "hit/model/fpm_time.h"
#include "hit/topo/layout_text.h"
#include "layouts/partition/algorithms.h"
#include "layouts/search/search.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Relative distances of points and speeds. A point stands for loads nearby, as far as the
 * error that is allowed goes. */
static const double exact = 0.01;
static const double near = 0.1;
static const double alike = 0.25;
static const double cliff = 2; /* speeds of neighbours that differ by more are one */

static hit_status open_log(hit_search *s)
{
    const char *path = hit_layout_option(s->spec, "log", NULL);

    if (path == NULL) return HIT_OK;
    s->root.log =
        strcmp(path, "-") == 0 ? hit_context_notes(s->context) : fopen(path, "a");
    if (s->root.log != NULL) return HIT_OK;
    return HIT_FAIL(HIT_E_IO, "layout %s: cannot write %s: %s", s->spec->ops->name, path,
                    strerror(errno));
}

hit_status hit_search_root_open(hit_search *s)
{
    const size_t ranks = (size_t)s->spec->ranks;
    hit_search_root *root = &s->root;

    root->start_s = hit_clock_now(&s->context->clock);
    HIT_TRY(hit_memory_zeroed(ranks, sizeof(hit_fpm *), &root->seed));
    HIT_TRY(HIT_TAKE(&root->arrays, ranks, root->all));
    HIT_TRY(HIT_TAKE(&root->arrays, ranks, root->seconds));
    HIT_TRY(HIT_TAKE(&root->arrays, ranks, root->local));
    return open_log(s);
}

void hit_search_root_close(hit_search *s)
{
    hit_search_root *root = &s->root;

    if (root->state != NULL) s->spec->ops->search->destroy(root->state);
    hit_partition_models_clear(s->spec->ranks, &root->seed);
    if (root->log != NULL && root->log != hit_context_notes(s->context)) {
        (void)fclose(root->log);
    }
    hit_arrays_free(&root->arrays);
}

/* Where times jump from one point to the next, the jump may be just behind the first one:
 * a seed says so, or partitions would be tempted to the line between the two. */
static hit_status mark_cliffs(hit_fpm *seed)
{
    for (size_t k = 0; k + 1 < hit_fpm_count(seed); k++) {
        const hit_fpm_point below = hit_fpm_point_at(seed, k);
        const hit_fpm_point above = hit_fpm_point_at(seed, k + 1);
        const double at = fmax(below.units + 1, below.units * (1 + exact / 2));

        if (below.value < cliff * above.value || at >= above.units) continue;
        HIT_TRY(hit_fpm_add(seed, at, at / above.value, above.reps));
        k++;
    }
    return HIT_OK;
}

static hit_status find_seed(const hit_model_key *key, hit_fpm **seed)
{
    const hit_status st = hit_store_find(key, seed);

    if (st == HIT_E_NOMEM) return st; /* what cannot be read is measured again */
    return *seed != NULL ? mark_cliffs(*seed) : HIT_OK;
}

static hit_status find_seeds(hit_search_root *root, int ranks)
{
    for (int k = 0; k < ranks; k++) {
        root->local[k] = root->all[k].local_rank;
        HIT_TRY(find_seed(&root->all[k].key, &root->seed[k]));
    }
    return HIT_OK;
}

hit_status hit_search_begin(hit_search *s)
{
    hit_search_root *root = &s->root;

    root->spec = *s->spec;
    root->spec.local = root->local;
    if (hit_nodes_machine(s->context) != NULL) {
        HIT_TRY(hit_search_nodes(s));
    } else {
        HIT_TRY(find_seeds(root, s->spec->ranks));
    }
    if (root->log != NULL) {
        hit_say(root->log, "layout %s, kernel %s, %d ranks\n", s->spec->ops->name,
                s->key.kernel, s->spec->ranks);
    }
    return s->spec->ops->search->create(&root->spec, (const hit_fpm *const *)root->seed,
                                        s->error, &root->state);
}

/* Does a model know about so many units? Then *seconds is what they take. It does if it
 * has a point there, or points nearby on both sides whose speeds are alike; a cliff may
 * lie between points whose speeds are not, and above the last one. */
static bool knows(const hit_fpm *fpm, double error, hit_index units, double *seconds)
{
    const double same = fmax(exact, error / 2);
    const double wanted = (double)units;
    hit_fpm_point below = {.units = 0};
    hit_fpm_point above = {.units = INFINITY};
    size_t count = fpm != NULL ? hit_fpm_count(fpm) : 0;

    *seconds = 0;
    if (units == 0) return true;
    for (size_t p = 0; p < count; p++) {
        const hit_fpm_point point = hit_fpm_point_at(fpm, p);

        if (point.units <= wanted) below = point;
        if (point.units >= wanted && above.units > point.units) above = point;
    }
    if (count > 0) *seconds = hit_fpm_time(fpm, units);
    if (wanted - below.units <= same * wanted) return true;
    if (above.units - wanted <= same * wanted) return true;
    if (above.units - wanted > near * wanted) return false;
    return below.units < 1 || fabs(below.value - above.value) <= alike * above.value;
}

/* Answer an offer by the models of the store, if they know about every rank's part. */
static hit_status answer(hit_search *s, const char *options, bool *known)
{
    hit_search_root *root = &s->root;
    hit_layout *layout;
    hit_status st = HIT_OK;

    HIT_TRY(
        hit_layout_plan(s->spec->ops, s->spec->domain, s->spec->ranks, options, &layout));
    *known = true;
    for (int k = 0; k < s->spec->ranks && st == HIT_OK; k++) {
        hit_region part = {0};

        st = hit_layout_part(layout, k, &part);
        if (root->complete) {
            root->seconds[k] = hit_fpm_time(root->seed[k], hit_region_count(&part));
        } else {
            *known = *known && knows(root->seed[k], s->error, hit_region_count(&part),
                                     &root->seconds[k]);
        }
        hit_region_clear(&part);
    }
    hit_layout_destroy(&layout);
    return st;
}

static void log_offer(const hit_search *s, const hit_layout_offer *offer)
{
    if (s->root.log == NULL) return;
    if (offer->reason != NULL) {
        hit_say(s->root.log, "%s, %d rounds measured, %.4g s\n", offer->reason,
                s->root.rounds, hit_clock_now(&s->context->clock) - s->root.start_s);
    }
    hit_say(s->root.log, "%s%s%s\n", offer->note, offer->note[0] != '\0' ? ": " : "",
            offer->options);
    (void)fflush(s->root.log);
}

hit_status hit_search_next(hit_search *s, hit_layout_offer *offer)
{
    hit_search_root *root = &s->root;
    bool known = true;

    for (int k = 0; k < s->spec->ranks; k++) {
        root->seconds[k] = root->all[k].result.seconds;
    }
    while (known) {
        free(offer->options);
        offer->options = NULL;
        HIT_TRY(s->spec->ops->search->next(root->state,
                                           root->begun ? root->seconds : NULL, offer));
        root->begun = true;
        log_offer(s, offer);
        known = false;
        if (offer->reason != NULL || (s->always && !root->complete)) break;
        HIT_TRY(answer(s, offer->options, &known));
        if (known && root->log != NULL) hit_say(root->log, "as the models know\n");
    }
    return HIT_OK;
}

static void log_round(const hit_search *s)
{
    double least = INFINITY;
    double most = 0;

    if (s->root.log == NULL) return;
    hit_say(s->root.log, "%7s %12s %12s %11s %5s\n", "rank", "units", "seconds",
            "half-width", "reps");
    for (int k = 0; k < s->spec->ranks; k++) {
        const hit_measure *m = &s->root.all[k].result;

        if (m->units == 0) continue;
        least = fmin(least, m->seconds);
        most = fmax(most, m->seconds);
        hit_say(s->root.log, "%7d %12lld %12.4g %9.1f %% %5d\n", k, (long long)m->units,
                m->seconds, 100 * m->half_width_s / m->seconds, m->reps);
    }
    hit_say(s->root.log, "round %d: makespan %.4g s, imbalance %.2f\n", s->root.rounds,
            most, isfinite(most) ? (most - least) / most : 1.0);
}

hit_status hit_search_keep(hit_search *s)
{
    s->root.rounds++;
    log_round(s);
    /* a program without a place for models works all the same */
    if (hit_models_save(&s->context->clock, s->spec->ranks, s->root.all) == HIT_E_NOMEM) {
        return HIT_E_NOMEM;
    }
    return HIT_OK;
}
