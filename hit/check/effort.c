/* SPDX-License-Identifier: MIT
 * A launch of a million indices takes seconds to check, and a program has thousands of
 * them. So each kernel has a number of elements that its indices may touch while they are
 * looked at: a launch takes a quarter of what is left, and a few thousand in any case.
 * The number does not depend on measured times: the same indices are looked at in each
 * run. */
#include "hit/base/quote.h"
#include "hit/base/trace.h"
#include "hit/check/check.h"
#include "patterns/transform.h"

#include <inttypes.h>

enum {
    ALL_ELEMENTS = 1 << 22,   /* of a kernel, some seconds */
    LEAST_ELEMENTS = 1 << 13, /* of a launch, some milliseconds */
    LEAST_INDICES = 64
};
static const double first_s = 1;
static const double between_s = 10;

/* How many digits a number of seconds is worth. */
static int digits(double seconds)
{
    return seconds < 10 ? 1 : 0;
}

hit_status hit_effort_begin(hit_efforts *efforts, const void *key,
                            const hit_replica *replica, hit_effort **effort)
{
    if (efforts->tell_s == 0) efforts->tell_s = hit_trace_now() + first_s;
    for (int k = 0; k < efforts->count; k++) {
        if (efforts->of[k].key != key) continue;
        *effort = &efforts->of[k];
        return HIT_OK;
    }
    HIT_TRY(hit_memory_resize((size_t)efforts->count + 1, sizeof(*efforts->of),
                              "a list of kernels", &efforts->of));
    *effort = &efforts->of[efforts->count++];
    **effort = (hit_effort){.all = efforts, .key = key, .left = ALL_ELEMENTS};
    (void)snprintf((*effort)->name, sizeof((*effort)->name), "%s", replica->kernel->name);
    return HIT_OK;
}

/* The elements that one index touches, going by the patterns at one in the middle; the
 * index itself counts as one more. */
static hit_index elements_of(const hit_replica *replica)
{
    hit_index middle[HIT_MAX_DIMS] = {0};
    hit_domain point;
    hit_index elements = 1;

    for (int d = 0; d < replica->index.dims; d++) {
        const hit_sig sig = replica->index.sig[d];

        middle[d] = hit_sig_at(sig, hit_sig_count(sig) / 2);
    }
    point = hit_domain_box(replica->index.dims, middle, middle);
    for (int k = 0; k < replica->kernel->args; k++) {
        const hit_replica_arg *arg = &replica->arg[k];

        for (int a = 0; arg->value == NULL && a < replica->pattern[k].count; a++) {
            const hit_domain box =
                hit_access_apply(&replica->pattern[k].access[a], &arg->domain, &point);
            const hit_domain inside = hit_domain_intersect(&box, &arg->view.domain);

            elements += hit_domain_count(&inside);
        }
    }
    return elements;
}

hit_index hit_effort_most(const hit_effort *effort, const hit_replica *replica)
{
    hit_index elements = effort->left / 4;
    hit_index most;

    if (effort->all->whole) return INT64_MAX;
    if (elements < LEAST_ELEMENTS) elements = LEAST_ELEMENTS;
    most = elements / elements_of(replica);
    return most > LEAST_INDICES ? most : LEAST_INDICES;
}

void hit_effort_tell(hit_effort *effort, double start_s, hit_index done, hit_index all)
{
    const double now_s = hit_trace_now();
    const double share = (double)done / (double)all;
    const double whole_s = (now_s - start_s) / share;

    if (now_s < effort->all->tell_s) return;
    effort->all->tell_s = now_s + between_s;
    hit_say(effort->all->out, "HIT_CHECK: progress: launch %" PRIu64 " of %s",
            effort->launches + 1, effort->name);
    if (whole_s > first_s) {
        hit_say(effort->all->out,
                ": %.0f %% of the %lld indices that are looked at; the launch takes "
                "some %.*f s",
                100 * share, (long long)all, digits(whole_s), whole_s);
    }
    (void)fputc('\n', effort->all->out);
}

void hit_effort_end(hit_effort *effort, const hit_replica *replica, double seconds,
                    hit_index looked)
{
    const hit_index elements = looked * elements_of(replica);

    effort->left = effort->left > elements ? effort->left - elements : 0;
    effort->launches++;
    effort->indices += (double)hit_where_count(replica->where, &replica->index);
    effort->looked += (double)looked;
    effort->seconds += seconds;
}

void hit_efforts_close(hit_efforts *efforts)
{
    for (int k = 0; k < efforts->count; k++) {
        const hit_effort *effort = &efforts->of[k];
        const double all_s = effort->seconds / effort->looked * effort->indices;

        if (effort->looked >= effort->indices) continue;
        hit_say(efforts->out,
                "HIT_CHECK: %s: looked at %.0f of %.0f indices, in %" PRIu64
                " launches, in %.*f s; HIT_CHECK=whole looks at all, in some %.*f s\n",
                effort->name, effort->looked, effort->indices, effort->launches,
                digits(effort->seconds), effort->seconds, digits(all_s), all_s);
    }
    free(efforts->of);
    *efforts = (hit_efforts){0};
}
