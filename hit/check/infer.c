/* SPDX-License-Identifier: MIT
 * Inference: tries the kernel on an index in the middle, its neighbours in each
 * dimension, the corners and some others, and fits what they touch. */
#include "hit/base/kind.h"
#include "hit/base/memory.h"
#include "hit/base/text.h"
#include "hit/check/check_impl.h"
#include "patterns/parse.h"

#include <stdio.h>
#include <string.h>

enum {
    MAX_SAMPLES = 256,
    MAX_PROBED = 16, /* of kernels that are probed, which takes many runs each */
    MAX_LOOKED = 24, /* ... whose mode is found out */
    MAX_ALONG = 3,   /* neighbours of the middle, each way */
    MAX_WALKED = 1024,
    MAX_DRAWN = 16, /* times the samples, where few indices are run */
    MAX_ELEMENTS = 1 << 21
};

typedef struct inference {
    hit_replica *replica;
    int k;
    hit_recorder recorder;
    int most;
    int count;
    hit_check_shape *shape;
    hit_index elements; /* touched by all samples together */
    uint64_t random;
} inference;

/* ---- samples ---- */

static bool is_known(const inference *f, const hit_index at[])
{
    const size_t size = (size_t)f->replica->kernel->dims * sizeof(at[0]);

    for (int s = 0; s < f->count; s++) {
        if (memcmp(f->shape[s].at, at, size) == 0) return true;
    }
    return false;
}

static hit_status try_at(inference *f, const hit_index at[])
{
    hit_check_shape *shape;

    if (f->count == f->most || f->elements > MAX_ELEMENTS || is_known(f, at)) {
        return HIT_OK;
    }
    if (!hit_replica_has(f->replica, at)) return HIT_OK;
    if (f->replica->kernel->checked != NULL) {
        HIT_TRY(hit_recorder_run(&f->recorder, at));
        hit_recorder_restore(&f->recorder);
    } else {
        HIT_TRY(hit_probe(&f->recorder, f->k, at));
    }
    shape = &f->shape[f->count++];
    memcpy(shape->at, at, (size_t)f->replica->kernel->dims * sizeof(at[0]));
    f->elements += f->recorder.of[f->k].count;
    return hit_check_shape_make(&f->recorder.of[f->k], &f->replica->arg[f->k].domain,
                                shape);
}

static void draw(inference *f, hit_index at[])
{
    const hit_domain *domain = &f->replica->index;

    for (int d = 0; d < domain->dims; d++) {
        const hit_index count = hit_sig_count(domain->sig[d]);

        at[d] = hit_sig_at(domain->sig[d], hit_sample_below(&f->random, count));
    }
}

/* An index in the middle of those that are run; where data says which ones, one of them.
 */
static void find_middle(inference *f, hit_index middle[])
{
    hit_domain left = f->replica->index;

    for (int d = 0; d < left.dims; d++) {
        const hit_sig sig = left.sig[d];
        hit_domain one = left;

        middle[d] = hit_sig_at(sig, hit_sig_count(sig) / 2);
        one.sig[d] = hit_sig_make(middle[d], middle[d], 1);
        one = hit_where_clip(f->replica->where, &one);
        if (!hit_domain_is_empty(&one)) left = one;
    }
    for (int k = 0; k < MAX_WALKED && !hit_replica_has(f->replica, middle); k++) {
        draw(f, middle);
    }
}

/* The @p n-th index from the middle in dimension @p d that is run; @p step -1 or 1: which
 * way. */
static hit_status try_along(inference *f, const hit_index middle[], int d, int step,
                            int n)
{
    const hit_domain *domain = &f->replica->index;
    const hit_sig sig = domain->sig[d];
    hit_index at[HIT_MAX_DIMS] = {0};

    memcpy(at, middle, (size_t)domain->dims * sizeof(at[0]));
    for (int k = 0; k < MAX_WALKED && n > 0; k++) {
        if (at[d] == (step > 0 ? sig.end : sig.begin)) return HIT_OK;
        at[d] += step * sig.stride;
        n -= hit_replica_has(f->replica, at);
    }
    return n == 0 ? try_at(f, at) : HIT_OK;
}

static hit_status try_corners(inference *f)
{
    const hit_domain *domain = &f->replica->index;
    hit_index at[HIT_MAX_DIMS] = {0};

    for (unsigned corner = 0; corner < 1u << domain->dims; corner++) {
        for (int d = 0; d < domain->dims; d++) {
            at[d] = corner >> d & 1u ? domain->sig[d].end : domain->sig[d].begin;
        }
        HIT_TRY(try_at(f, at));
    }
    return HIT_OK;
}

/* The middle and its neighbours: the nearest ones first. */
static hit_status try_cross(inference *f)
{
    const int dims = f->replica->index.dims;
    hit_index middle[HIT_MAX_DIMS] = {0};

    find_middle(f, middle);
    HIT_TRY(try_at(f, middle));
    for (int k = 0; k < 2 * MAX_ALONG * dims; k++) {
        const int turn = k / dims;

        HIT_TRY(try_along(f, middle, k % dims, turn % 2 == 0 ? 1 : -1, turn / 2 + 1));
    }
    return HIT_OK;
}

static hit_status try_samples(inference *f)
{
    const hit_domain *domain = &f->replica->index;
    const int draws = f->replica->where == NULL ? f->most : MAX_DRAWN * f->most;
    hit_index at[HIT_MAX_DIMS] = {0};

    HIT_TRY(try_cross(f));
    HIT_TRY(try_corners(f));
    if (hit_domain_count(domain) <= f->most && hit_domain_first(domain, at)) {
        do {
            HIT_TRY(try_at(f, at));
        } while (hit_domain_next(domain, at));
        return HIT_OK;
    }
    for (int k = 0; k < draws && f->count < f->most; k++) {
        draw(f, at);
        HIT_TRY(try_at(f, at));
    }
    return HIT_OK;
}

/* If the index in the middle touches nothing, let the one that touches most be the first.
 */
static void choose_base(inference *f)
{
    int best = 0;
    hit_check_shape kept;

    if (f->count == 0 || f->shape[0].elements > 0) return;
    for (int s = 1; s < f->count; s++) {
        if (f->shape[s].elements > f->shape[best].elements) best = s;
    }
    kept = f->shape[0];
    f->shape[0] = f->shape[best];
    f->shape[best] = kept;
}

/* ---- modes ---- */

/* Do two of the samples touch the same element? */
static bool is_shared(const inference *f)
{
    for (int s = 0; s < f->count; s++) {
        for (int o = 0; o < s; o++) {
            const hit_domain both =
                hit_domain_intersect(&f->shape[s].hull, &f->shape[o].hull);

            if (!hit_domain_is_empty(&both)) return true;
        }
    }
    return false;
}

static hit_status find_mode(inference *f, hit_inferred *inferred)
{
    const hit_mode declared = f->replica->kernel->arg[f->k].mode;
    hit_mode_seen seen = {0};

    inferred->mode = declared;
    if (declared == HIT_MODE_IN) return HIT_OK;     /* its body cannot write it */
    if (declared == HIT_MODE_REDUCE) return HIT_OK; /* what combining does is not known */
    for (int s = 0; s < f->count && s < MAX_LOOKED; s++) {
        HIT_TRY(hit_mode_look(&f->recorder, f->k, f->shape[s].at, &seen));
    }
    inferred->shared = is_shared(f);
    inferred->mode =
        hit_mode_decide(&seen, !hit_kernel_is_ordered(f->replica->kernel) &&
                                   (hit_mode_reduces(declared) || inferred->shared));
    if (inferred->shared && inferred->mode == HIT_MODE_INOUT) {
        HIT_TRY(hit_infer_own(&f->recorder, f->k, f->count, f->shape, inferred));
    }
    /* out promises all that the pattern says, but where data says it */
    if (inferred->mode == HIT_MODE_OUT && (inferred->less || !inferred->affine) &&
        hit_kernel_looks_in(f->replica->kernel, f->k) == 0) {
        inferred->mode = HIT_MODE_INOUT;
    }
    return HIT_OK;
}

/* ---- one argument ---- */

static hit_status infer(inference *f, hit_inferred *inferred)
{
    f->most = f->replica->kernel->checked != NULL ? MAX_SAMPLES : MAX_PROBED;
    HIT_TRY(hit_recorder_init(f->replica, &f->recorder));
    HIT_TRY(hit_memory_zeroed((size_t)f->most, sizeof(hit_check_shape), &f->shape));
    if (!hit_domain_is_empty(&f->replica->index)) HIT_TRY(try_samples(f));
    choose_base(f);
    HIT_TRY(hit_fit(f->replica, f->k, f->count, f->shape, inferred));
    return find_mode(f, inferred);
}

hit_status hit_infer_arg(hit_replica *replica, int k, hit_inferred *inferred)
{
    inference f = {.replica = replica, .k = k, .random = 1};
    hit_status status;

    *inferred = (hit_inferred){0};
    HIT_TRY(hit_replica_ready(replica));
    status = infer(&f, inferred);
    hit_recorder_clear(&f.recorder);
    free(f.shape);
    if (status != HIT_OK) hit_inferred_clear(inferred);
    return status;
}

void hit_inferred_clear(hit_inferred *inferred)
{
    hit_pattern_clear(&inferred->pattern);
}

/* ---- text ---- */

static const char *type_name(const hit_kernel *kernel, int k)
{
    if (kernel->c_type[k] != NULL) return kernel->c_type[k];
    return hit_kind_find(kernel->arg[k].type.kind)->c_name;
}

static const char *mode_name(hit_mode mode)
{
    static const char *const name[] = {
        [HIT_MODE_IN] = "in",         [HIT_MODE_OUT] = "out",
        [HIT_MODE_INOUT] = "inout",   [HIT_MODE_SUM] = "sum",
        [HIT_MODE_MIN] = "min",       [HIT_MODE_MAX] = "max",
        [HIT_MODE_REDUCE] = "reduce", [HIT_MODE_VALUE] = "value"};

    return name[mode];
}

/* The declared pattern, with the numbers of the launch for its values. */
static void print_declared(const hit_replica *replica, int k, char *text, size_t size)
{
    const hit_kernel *kernel = replica->kernel;
    hit_index number[HIT_MAX_ARGS] = {0};
    hit_pattern pattern;

    text[0] = '\0';
    for (int v = 0; v < kernel->args; v++) {
        if (replica->arg[v].value == NULL) continue;
        (void)hit_type_convert(kernel->arg[v].type, replica->arg[v].value, HIT_INT64,
                               &number[v]);
    }
    if (hit_kernel_pattern(kernel, k, number, &pattern) != HIT_OK) return;
    hit_pattern_print(&pattern, kernel->index, text, size);
    hit_pattern_clear(&pattern);
}

/* Where what was found is what is declared with the numbers of this launch, print the
 * declaration: it names the values. */
static void print_pattern(const hit_replica *replica, int k, const hit_inferred *inferred,
                          char *text, size_t size)
{
    const char *written = replica->kernel->arg[k].pattern;
    const bool looks = hit_kernel_looks_in(replica->kernel, k) != 0 ||
                       (hit_where_looks_in(replica->where) >> k & 1u) != 0;
    char declared[300];

    if (inferred->touched && !looks) { /* of others samples say little */
        hit_pattern_print(&inferred->pattern, replica->kernel->index, text, size);
        if (written == NULL || hit_kernel_names(replica->kernel, k) == 0) return;
        print_declared(replica, k, declared, sizeof(declared));
        if (strcmp(text, declared) != 0) return;
    }
    (void)snprintf(text, size, "%s", written != NULL ? written : "");
}

void hit_infer_print(const hit_replica *replica, int k, const hit_inferred *inferred,
                     char *text, size_t size)
{
    const hit_kernel_arg *arg = &replica->kernel->arg[k];
    char pattern[300];

    print_pattern(replica, k, inferred, pattern, sizeof(pattern));
    if (replica->arg[k].value != NULL) {
        (void)snprintf(text, size, "(value, %s, %s)", type_name(replica->kernel, k),
                       arg->name);
    } else {
        (void)snprintf(text, size, "(%s, %s, %s, \"%s\")",
                       mode_name(inferred->touched ? inferred->mode : arg->mode),
                       type_name(replica->kernel, k), arg->name, pattern);
    }
}

/* No pattern allows it: the elements that indices write must not overlap. */
static bool is_scatter(const hit_inferred *inferred)
{
    const bool writes =
        inferred->mode == HIT_MODE_OUT || inferred->mode == HIT_MODE_INOUT;

    return writes && (inferred->shared || !inferred->affine);
}

/* What a body that reduces may do with its element. */
static void reduce_only(hit_mode mode, const char *name, char *text, size_t size)
{
    if (mode == HIT_MODE_SUM) {
        (void)snprintf(text, size, "; change %s by += and -= only", name);
    } else {
        (void)snprintf(text, size, "; change %s by if (x %c hit(%s)) hit(%s) = x only",
                       name, mode == HIT_MODE_MIN ? '<' : '>', name, name);
    }
}

void hit_infer_suggest(hit_replica *replica, int k, char *text, size_t size)
{
    const hit_mode declared = replica->kernel->arg[k].mode;
    hit_inferred inferred;
    char argument[400];

    text[0] = '\0';
    if (hit_infer_arg(replica, k, &inferred) != HIT_OK) return;
    hit_infer_print(replica, k, &inferred, argument, sizeof(argument));
    if (inferred.touched && is_scatter(&inferred) && hit_mode_reduces(declared)) {
        reduce_only(declared, replica->kernel->arg[k].name, text, size);
    } else if (inferred.touched && is_scatter(&inferred)) {
        (void)snprintf(
            text, size,
            "; several indices write the same elements of %s, or data says "
            "which: write where it says, as in \"[place]\", let each index write "
            "elements of its own and read what it needs, or reduce with sum, min or max",
            replica->kernel->arg[k].name);
    } else if (inferred.touched) {
        (void)snprintf(text, size, "; write %s%s", argument,
                       inferred.affine ? "" : ", which holds all that is touched");
    }
    hit_inferred_clear(&inferred);
}

static hit_status add_arg(hit_replica *replica, int k, hit_growing *text)
{
    const char *after = k + 1 < replica->kernel->args ? ")," : "))";
    hit_inferred inferred = {0};
    char argument[400];

    if (replica->arg[k].value == NULL) {
        const hit_status status = hit_infer_arg(replica, k, &inferred);

        if (status == HIT_E_ABSENT) {
            hit_growing_add(text, "    /* %s: %s */\n", replica->kernel->arg[k].name,
                            hit_status_text());
            return HIT_OK;
        }
        HIT_TRY(status);
    }
    hit_infer_print(replica, k, &inferred, argument, sizeof(argument));
    argument[strlen(argument) - 1] = '\0'; /* the parenthesis comes with what follows */
    hit_growing_add(text, "    %s%s", argument, after);
    if (replica->arg[k].value == NULL && !inferred.touched) {
        hit_growing_add(text, "  /* no index touched it: as declared */");
    }
    if (inferred.note[0] != '\0') {
        hit_growing_add(text, "  /* %s */", inferred.note);
    } else if (inferred.touched && is_scatter(&inferred)) {
        hit_growing_add(text, "  /* several indices write the same elements */");
    }
    hit_growing_add(text, "\n");
    hit_inferred_clear(&inferred);
    return HIT_OK;
}

hit_status hit_infer_kernel(hit_replica *replica, char **text)
{
    const hit_kernel *kernel = replica->kernel;
    hit_growing made = {.text = NULL};
    hit_status status = HIT_OK;

    hit_growing_add(&made, "HIT_%sKERNEL(%s, (",
                    hit_kernel_is_ordered(kernel) ? "ORDERED_"
                    : kernel->whole_box           ? "BOX_"
                                                  : "",
                    kernel->name);
    for (int d = 0; d < kernel->dims; d++) {
        hit_growing_add(&made, "%s%s", d > 0 ? ", " : "", kernel->index[d]);
    }
    for (int d = 0; d < kernel->dims && hit_kernel_is_ordered(kernel); d++) {
        hit_growing_add(&made, "%s%s", d > 0 ? ", " : "), (",
                        kernel->order[d] > 0 ? "up" : "down");
    }
    hit_growing_add(&made, "),\n");
    for (int k = 0; k < kernel->args && status == HIT_OK; k++) {
        status = add_arg(replica, k, &made);
    }
    if (status == HIT_OK) return hit_growing_end(&made, text);
    free(made.text);
    return status;
}
