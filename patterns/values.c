/* SPDX-License-Identifier: MIT
 * Arguments in the patterns of kernels: which ones a text names, and its pattern with the
 * numbers of values in place, and what is known of tiles in which ends stand. */
#include "hit/base/kind.h"
#include "patterns/parse_impl.h"

#include <string.h>

static bool is_named(const char *is, const char *name, size_t length)
{
    return is != NULL && strncmp(is, name, length) == 0 && is[length] == '\0';
}

/* The value argument of that name, or the tile argument; -1: it is none, or an index. */
static int find(const hit_kernel *kernel, bool values, const char *name, size_t length)
{
    for (int d = 0; d < kernel->dims && d < HIT_MAX_DIMS; d++) {
        if (is_named(kernel->index[d], name, length)) return -1;
    }
    for (int k = 0; k < kernel->args && k < HIT_MAX_ARGS; k++) {
        if ((kernel->arg[k].mode == HIT_MODE_VALUE) != values) continue;
        if (is_named(kernel->arg[k].name, name, length)) return k;
    }
    return -1;
}

/* Each new plan asks: this is several times as fast as strspn() on texts this short. */
unsigned hit_kernel_names_in(const hit_kernel *kernel, bool values, const char *text)
{
    unsigned named = 0;

    while (*text != '\0') {
        size_t length = 0;
        int k = -1;

        while (hit_parse_is_letter(text[length]) || hit_parse_is_digit(text[length])) {
            length++;
        }
        if (hit_parse_is_letter(*text)) {
            k = find(kernel, values, text, length);
        }
        if (k >= 0) named |= 1u << k;
        text += length > 0 ? length : 1;
    }
    return named;
}

static unsigned names_of(const hit_kernel *kernel, bool values, int arg)
{
    unsigned named = 0;

    for (int k = 0; k < kernel->args && k < HIT_MAX_ARGS; k++) {
        const char *text = kernel->arg[k].pattern;

        if ((arg < 0 || arg == k) && text != NULL) {
            named |= hit_kernel_names_in(kernel, values, text);
        }
    }
    return named;
}

unsigned hit_kernel_names(const hit_kernel *kernel, int arg)
{
    return names_of(kernel, true, arg);
}

unsigned hit_kernel_looks_in(const hit_kernel *kernel, int arg)
{
    return names_of(kernel, false, arg);
}

bool hit_kernel_is_source(const hit_kernel *kernel, int arg)
{
    const hit_kernel_arg *of = &kernel->arg[arg];

    return of->mode == HIT_MODE_IN && hit_kind_is_whole(of->type.kind);
}

/* One that is no whole number has no place in a pattern: its name is unknown there. */
static void add_value(const hit_kernel *kernel, int k, const hit_index number[],
                      hit_pattern_value value[], int *values)
{
    const hit_kernel_arg *arg = &kernel->arg[k];

    if (arg->mode != HIT_MODE_VALUE || !hit_kind_is_whole(arg->type.kind)) return;
    value[(*values)++] = (hit_pattern_value){arg->name, number != NULL ? number[k] : 1};
}

hit_status hit_kernel_parse(const hit_kernel *kernel, const char *text,
                            const hit_index number[], const hit_pattern_source known[],
                            hit_pattern *pattern)
{
    hit_pattern_value value[HIT_MAX_ARGS];
    hit_pattern_source source[HIT_MAX_ARGS];
    hit_pattern_names names = {
        .dims = kernel->dims, .index = kernel->index, .value = value, .source = source};

    for (int k = 0; k < kernel->args; k++) {
        add_value(kernel, k, number, value, &names.values);
        if (!hit_kernel_is_source(kernel, k)) continue;
        source[names.sources] = (hit_pattern_source){.values = NULL};
        if (known != NULL) source[names.sources] = known[k];
        source[names.sources].name = kernel->arg[k].name;
        source[names.sources].pattern = kernel->arg[k].pattern;
        source[names.sources++].arg = k;
    }
    return hit_pattern_parse_with(text, &names, pattern);
}

hit_status hit_kernel_pattern(const hit_kernel *kernel, int arg, const hit_index number[],
                              hit_pattern *pattern)
{
    return hit_kernel_parse(kernel, kernel->arg[arg].pattern, number, NULL, pattern);
}
