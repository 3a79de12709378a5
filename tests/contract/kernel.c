/* SPDX-License-Identifier: MIT
 * What every kernel of the catalogue promises: it has patterns that parse and a host
 * implementation, and computes the same in place, in several memory limits, on several
 * devices, and in plain C. A new kernel is covered as soon as it is in kernels/table.c;
 * an oracle in tests/support/oracles.c adds the comparison with plain C. */
#include "hit/device/device.h"
#include "hit/hit.h"
#include "kernels/kernels.h"
#include "patterns/parse.h"
#include "patterns/transform.h"
#include "tests/support/check_main.h"
#include "tests/support/oracles.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define HOST_PLACES 8
#define PLACES 12

/** Contexts: the first works in place on one device, the last ones are for machines with
 * a GPU, which may be one that is played by the processor (tests/support/fake_cuda). */
static const struct {
    const char *devices;
    bool ample; /* a kernel must fit */
    bool only_gpu;
} place[PLACES] = {{"host", true, false},
                   {"host:memory=1024", false, false},
                   {"host:memory=4096", false, false},
                   {"host:memory=16384", false, false},
                   {"host:memory=1MiB", true, false},
                   {"host+host:share=2", true, false},
                   {"host:memory=4096+host", false, false},
                   {"host:memory=1MiB+host:memory=2MiB:share=3+host", true, false},
                   {"cuda:0", true, true},
                   {"cuda:0:memory=1MiB", true, true},
                   {"cuda:0:memory=16384", false, true},
                   {"cuda:0:memory=1MiB:share=3+host", true, false}};
static int places; /* are there */
static hit_context *context[PLACES];

/** One launch: buffers hold what the tiles hold, in row-major order. */
typedef struct trial {
    const hit_kernel *kernel;
    hit_domain index;
    hit_domain domain[HIT_MAX_ARGS];
    void *before[HIT_MAX_ARGS]; /**< a value's bytes, or a tile's elements */
    void *in_place[HIT_MAX_ARGS];
    void *staged[HIT_MAX_ARGS];
} trial;

static bool is_value(const hit_kernel_arg *arg)
{
    return arg->mode == HIT_MODE_VALUE;
}

static size_t buffer_bytes(const trial *t, int a)
{
    const hit_kernel_arg *arg = &t->kernel->arg[a];
    hit_index count = is_value(arg) ? 1 : hit_domain_count(&t->domain[a]);

    return (size_t)count * arg->type.size_bytes;
}

/** Random numbers of 0.5 to 1.5: sums do not cancel, so that errors stay relative. */
static void fill_random(hit_random *random, hit_type type, size_t bytes, void *buffer)
{
    for (size_t k = 0; k < bytes / type.size_bytes; k++) {
        double number = (double)hit_random_index(random, 0, 1 << 20) / (1 << 20) + 0.5;

        switch (type.kind) {
        case HIT_KIND_FLOAT:
            ((float *)buffer)[k] = (float)number;
            break;
        case HIT_KIND_DOUBLE:
            ((double *)buffer)[k] = number;
            break;
        case HIT_KIND_INT32:
            ((int32_t *)buffer)[k] = (int32_t)(number * 1000);
            break;
        case HIT_KIND_INT64:
            ((int64_t *)buffer)[k] = (int64_t)(number * 1000);
            break;
        case HIT_KIND_COMPLEX_FLOAT:
            ((hit_complex_float *)buffer)[k] =
                hit_complexf((float)number, (float)(0.75 * number));
            break;
        case HIT_KIND_COMPLEX_DOUBLE:
            ((hit_complex_double *)buffer)[k] = hit_complex(number, 0.75 * number);
            break;
        default: /* bytes stay 0 unless there is an oracle */
            break;
        }
    }
}

/** What the index domain touches, and a little more where no ":" says which indices must
 * agree; ":" is 0..most. */
static hit_domain choose_domain(hit_random *random, const trial *t, int a, hit_index most)
{
    const hit_kernel *kernel = t->kernel;
    const hit_oracle *oracle = hit_oracle_find(kernel->name);
    hit_index size[HIT_MAX_DIMS];
    hit_pattern pattern;
    hit_domain domain;
    bool limits = false;

    ck_assert_int_eq(hit_kernel_pattern(kernel, a, NULL, &pattern), HIT_OK);
    for (int d = 0; d < pattern.tile_dims; d++) {
        const bool row = oracle != NULL && oracle->row_arg == a && a > 0 && d == 0;

        size[d] = row ? 1 : most + 1;
        for (int k = 0; k < pattern.count; k++) {
            limits = limits || pattern.access[k].range[d].begin.infinite ||
                     pattern.access[k].range[d].end.infinite;
        }
    }
    domain = hit_domain_of_sizes(pattern.tile_dims, size);
    domain = hit_pattern_cover(&pattern, &domain, &t->index);
    if (!limits) domain = hit_domain_grow(domain, hit_random_index(random, 0, 3));
    hit_pattern_clear(&pattern);
    return domain;
}

static void make_buffers(trial *t, int a)
{
    size_t bytes = buffer_bytes(t, a);

    HIT_MUST(hit_memory_zeroed(bytes, 1, &t->before[a]));
    HIT_MUST(hit_memory_zeroed(bytes, 1, &t->in_place[a]));
    HIT_MUST(hit_memory_zeroed(bytes, 1, &t->staged[a]));
}

static bool has_one_index(const hit_kernel *kernel)
{
    const hit_oracle *oracle = hit_oracle_find(kernel->name);

    return oracle != NULL && oracle->one_index;
}

/** Of a complex number. */
static hit_type part_of(hit_type type)
{
    return type.kind == HIT_KIND_COMPLEX_FLOAT    ? HIT_FLOAT
           : type.kind == HIT_KIND_COMPLEX_DOUBLE ? HIT_DOUBLE
                                                  : type;
}

/** The arguments for an oracle: they lie in `before`. */
static void oracle_args(const trial *t, hit_oracle_arg arg[])
{
    for (int a = 0; a < t->kernel->args; a++) {
        const hit_kernel_arg *of = &t->kernel->arg[a];

        arg[a] = (hit_oracle_arg){.single = part_of(of->type).kind == HIT_KIND_FLOAT};
        if (is_value(of)) {
            arg[a].value = t->before[a];
        } else {
            arg[a].view = hit_view_make(&t->domain[a], of->type.size_bytes, t->before[a]);
        }
    }
}

static void trial_make(hit_random *random, const hit_kernel *kernel, trial *t)
{
    static const hit_index most[] = {3000, 50, 14, 7};
    const hit_oracle *oracle = hit_oracle_find(kernel->name);
    /* blocks of factorisations are larger than the parts they are computed in */
    const bool factors = oracle != NULL && oracle->arrange != NULL;
    const hit_index traversed = hit_random_index(random, 0, factors ? 80 : 40);

    *t = (trial){.kernel = kernel, .index = {.dims = kernel->dims}};
    for (int d = 0; d < kernel->dims; d++) {
        hit_index begin = hit_random_index(random, -5, 5);
        hit_index size = hit_random_index(random, 1, most[kernel->dims - 1]);

        if (has_one_index(kernel)) size = 1;

        t->index.sig[d] = hit_sig_make(begin, begin + size - 1, 1);
    }
    for (int a = 0; a < kernel->args; a++) {
        const hit_kernel_arg *arg = &kernel->arg[a];

        if (!is_value(arg)) t->domain[a] = choose_domain(random, t, a, traversed);
        make_buffers(t, a);
        fill_random(random, arg->type, buffer_bytes(t, a), t->before[a]);
        if (is_value(arg) && oracle != NULL && oracle->value != NULL) {
            oracle->value(random, &t->index, t->before[a]);
        }
    }
    if (oracle != NULL && oracle->arrange != NULL) {
        hit_oracle_arg arg[HIT_MAX_ARGS];

        oracle_args(t, arg);
        oracle->arrange(arg);
    }
}

static void trial_clear(trial *t)
{
    for (int a = 0; a < t->kernel->args; a++) {
        free(t->before[a]);
        free(t->in_place[a]);
        free(t->staged[a]);
    }
}

/** A tile that holds what buffer @p a holds. */
static hit_tile *make_tile(const trial *t, hit_context *c, int a)
{
    const hit_kernel_arg *arg = &t->kernel->arg[a];
    hit_layout *layout;
    hit_tile *tile;

    HIT_MUST(hit_layout_create(c, t->domain[a], "block", &layout));
    HIT_MUST(hit_tile_create(layout, arg->type, arg->name, &tile));
    HIT_MUST(hit_tile_scatter(tile, 0, t->before[a]));
    hit_layout_destroy(&layout);
    return tile;
}

/** Launch on context @p c; *pieces is the number of superblocks. */
static hit_status trial_run(const trial *t, hit_context *c, void *const result[],
                            uint64_t *pieces)
{
    const hit_kernel *kernel = t->kernel;
    hit_tile *tile[HIT_MAX_ARGS] = {NULL};
    hit_arg arg[HIT_MAX_ARGS];
    hit_stats before;
    hit_stats after;
    hit_status st;

    for (int a = 0; a < kernel->args; a++) {
        arg[a] = (hit_arg){.value = t->before[a], .type = kernel->arg[a].type};
        if (is_value(&kernel->arg[a])) continue;
        tile[a] = make_tile(t, c, a);
        arg[a] = hit_arg_tile(tile[a]);
    }
    hit_context_stats(c, &before);
    st = hit_launch_args(c, NULL, kernel, t->index, kernel->args, arg);
    if (st == HIT_OK) st = hit_wait(c);
    hit_context_stats(c, &after);
    *pieces = after.superblocks - before.superblocks;
    for (int a = 0; a < kernel->args; a++) {
        if (tile[a] != NULL && st == HIT_OK) st = hit_tile_gather(tile[a], 0, result[a]);
        hit_tile_destroy(&tile[a]);
    }
    return st;
}

/** How far two buffers of numbers are apart, relative to 1 + size. */
static double distance(hit_type of, size_t bytes, const void *found, const void *expected)
{
    const hit_type type = part_of(of);
    double worst = 0;

    if (type.kind != HIT_KIND_FLOAT && type.kind != HIT_KIND_DOUBLE) {
        return memcmp(found, expected, bytes) == 0 ? 0 : INFINITY;
    }
    for (size_t k = 0; k < bytes / type.size_bytes; k++) {
        bool single = type.kind == HIT_KIND_FLOAT;
        double x = single ? ((const float *)found)[k] : ((const double *)found)[k];
        double y = single ? ((const float *)expected)[k] : ((const double *)expected)[k];
        double apart = fabs(x - y) / (1 + fabs(y));

        if (!(apart <= worst)) worst = isnan(apart) ? INFINITY : apart;
    }
    return worst;
}

/** May pieces, or another kind of device, give other bits than the whole? */
static bool is_exact(const hit_kernel *kernel, bool other_kind)
{
    if (other_kind && !kernel->strict) return false;
    for (int a = 0; a < kernel->args; a++) {
        if (hit_mode_reduces(kernel->arg[a].mode)) return false;
    }
    return !kernel->whole_box;
}

static double tolerance(const hit_kernel *kernel)
{
    for (int a = 0; a < kernel->args; a++) {
        if (part_of(kernel->arg[a].type).kind == HIT_KIND_FLOAT) return 1e-4;
    }
    return 1e-12;
}

static void compare(const trial *t, void *const found[], void *const expected[],
                    double most)
{
    for (int a = 0; a < t->kernel->args; a++) {
        const hit_kernel_arg *arg = &t->kernel->arg[a];
        double apart = 0;

        if (is_value(arg)) continue;
        ck_assert(found[a] != NULL && expected[a] != NULL);
        if (most == 0) {
            apart = memcmp(found[a], expected[a], buffer_bytes(t, a)) == 0 ? 0 : 1;
        } else {
            apart = distance(arg->type, buffer_bytes(t, a), found[a], expected[a]);
        }
        ck_assert_msg(apart <= most, "%s: argument %s is off by %g (allowed %g)",
                      t->kernel->name, arg->name, apart, most);
    }
}

/** Bring @p t->before to what the oracle makes of it. */
static void run_oracle(trial *t, const hit_oracle *oracle)
{
    hit_oracle_arg arg[HIT_MAX_ARGS];
    hit_index x[HIT_MAX_DIMS] = {0};

    oracle_args(t, arg);
    for (int a = 0; a < t->kernel->args; a++) {
        /* 0 is below all of max |x|, too */
        if (hit_mode_reduces(t->kernel->arg[a].mode)) {
            memset(t->before[a], 0, buffer_bytes(t, a));
        }
    }
    for (bool more = hit_domain_first(&t->index, x); more;
         more = hit_domain_next(&t->index, x)) {
        oracle->at(x, arg);
    }
}

static void check_patterns(const hit_kernel *kernel)
{
    for (int a = 0; a < kernel->args; a++) {
        const hit_kernel_arg *arg = &kernel->arg[a];
        hit_pattern pattern;

        if (is_value(arg)) continue;
        ck_assert_msg(hit_pattern_parse(arg->pattern, kernel->dims, kernel->index,
                                        &pattern) == HIT_OK,
                      "%s: %s", kernel->name, hit_status_text());
        hit_pattern_clear(&pattern);
    }
}

START_TEST(kernel_is_complete)
{
    const hit_kernel *kernel = hit_kernel_table[_i];

    ck_assert_msg(kernel->host != NULL, "%s has no host implementation", kernel->name);
    for (int other = 0; other < _i; other++) {
        ck_assert_str_ne(kernel->name, hit_kernel_table[other]->name);
    }
    check_patterns(kernel);
}
END_TEST

/** Write " | i, j | next, now, c | ", the cells of @p kernel in the table of the docs. */
static void print_cells(const hit_kernel *kernel, char *text, size_t size)
{
    size_t used = 0;

    for (int k = 0; k < kernel->dims; k++) {
        used += (size_t)snprintf(text + used, size - used, "%s%s", k == 0 ? " | " : ", ",
                                 kernel->index[k]);
    }
    for (int k = 0; k < kernel->args; k++) {
        used += (size_t)snprintf(text + used, size - used, "%s%s", k == 0 ? " | " : ", ",
                                 kernel->arg[k].name);
    }
    (void)snprintf(text + used, size - used, " | ");
}

START_TEST(kernel_is_in_the_docs_with_its_indices_and_arguments)
{
    const hit_kernel *kernel = hit_kernel_table[_i];
    FILE *page = fopen("docs/kernel.md", "r");
    char name[64];
    char cells[256];
    char line[1024];
    bool found = false;

    ck_assert_ptr_nonnull(page);
    (void)snprintf(name, sizeof(name), "`%.*s`",
                   (int)(strrchr(kernel->name, '_') - kernel->name), kernel->name);
    print_cells(kernel, cells, sizeof(cells));
    while (!found && fgets(line, sizeof(line), page) != NULL) {
        found = strncmp(line, "| `", 3) == 0 && strstr(line, name) != NULL &&
                strstr(line, cells) != NULL;
    }
    (void)fclose(page);
    ck_assert_msg(found, "expected a row with %s%sin docs/kernel.md", name, cells);
}
END_TEST

/* Sanitizers see a kernel in every place by a few. */
static int tries(void)
{
    return hit_random_is_slow() ? 3 : 12;
}

START_TEST(kernel_equals_its_oracle)
{
    const hit_kernel *kernel = hit_kernel_table[_i];
    const hit_oracle *oracle = hit_oracle_find(kernel->name);
    hit_random random = hit_random_start(1000 + (uint64_t)_i);
    uint64_t pieces;
    trial t;

    if (oracle == NULL) return;
    for (int k = 0; k < tries(); k++) {
        trial_make(&random, kernel, &t);
        ck_assert_msg(trial_run(&t, context[0], t.in_place, &pieces) == HIT_OK, "%s: %s",
                      kernel->name, hit_status_text());
        run_oracle(&t, oracle);
        compare(&t, t.in_place, t.before, tolerance(kernel));
        trial_clear(&t);
    }
}
END_TEST

START_TEST(kernel_is_the_same_on_any_devices_in_any_memory_limit)
{
    const hit_kernel *kernel = hit_kernel_table[_i];
    hit_random random = hit_random_start(2000 + (uint64_t)_i);
    uint64_t pieces;
    int cut = 0;
    trial t;

    for (int k = 0; k < tries(); k++) {
        trial_make(&random, kernel, &t);
        ck_assert_msg(trial_run(&t, context[0], t.in_place, &pieces) == HIT_OK, "%s: %s",
                      kernel->name, hit_status_text());
        for (int c = 1; c < places; c++) {
            const bool exact = is_exact(kernel, c >= HOST_PLACES);
            hit_status st = trial_run(&t, context[c], t.staged, &pieces);

            if (st == HIT_E_LIMIT && !place[c].ample) continue;
            if (st == HIT_E_ABSENT && place[c].only_gpu && kernel->cuda == NULL) continue;
            ck_assert_msg(st == HIT_OK, "%s on %s: %s", kernel->name, place[c].devices,
                          hit_status_text());
            compare(&t, t.staged, t.in_place, exact ? 0 : tolerance(kernel));
            cut += pieces > 1;
        }
        trial_clear(&t);
    }
    ck_assert_msg(cut > 0 || has_one_index(kernel), "%s was never cut into superblocks",
                  kernel->name);
}
END_TEST

static Suite *suite(void)
{
    Suite *all = suite_create("contract of kernels");
    TCase *each = tcase_create("each");

    tcase_set_timeout(each, 60);
    tcase_add_loop_test(each, kernel_is_complete, 0, hit_kernel_table_count);
    tcase_add_loop_test(each, kernel_is_in_the_docs_with_its_indices_and_arguments, 0,
                        hit_kernel_table_count);
    tcase_add_loop_test(each, kernel_equals_its_oracle, 0, hit_kernel_table_count);
    tcase_add_loop_test(each, kernel_is_the_same_on_any_devices_in_any_memory_limit, 0,
                        hit_kernel_table_count);
    suite_add_tcase(all, each);
    return all;
}

int main(int argc, char **argv)
{
    int code;

    places = hit_device_cuda.count(NULL) > 0 ? PLACES : HOST_PLACES;
    for (int c = 0; c < places; c++) {
        hit_options options = {.devices = place[c].devices, .threads = 2};

        HIT_MUST(hit_open_with(&argc, &argv, &options, &context[c]));
    }
    code = check_run(suite());
    for (int c = places - 1; c >= 0; c--) {
        hit_close(&context[c]);
    }
    return code;
}
