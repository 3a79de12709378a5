/* SPDX-License-Identifier: MIT
 * Values in the patterns of kernels: which arguments a text names, and its pattern with
 * their numbers in place. */
#include "hit/base/kind.h"
#include "patterns/parse.h"

#include <string.h>

/* The value argument of that name; -1: it is none, or an index. */
static int find_value(const hit_kernel *kernel, const char *name, size_t length)
{
    for (int d = 0; d < kernel->dims && d < HIT_MAX_DIMS; d++) {
        const char *index = kernel->index[d];

        if (index == NULL) continue; /* kernels are asked before they are checked */
        if (strncmp(index, name, length) == 0 && index[length] == '\0') return -1;
    }
    for (int k = 0; k < kernel->args && k < HIT_MAX_ARGS; k++) {
        const char *value = kernel->arg[k].name;

        if (kernel->arg[k].mode != HIT_MODE_VALUE || value == NULL) continue;
        if (strncmp(value, name, length) == 0 && value[length] == '\0') return k;
    }
    return -1;
}

unsigned hit_kernel_names_in(const hit_kernel *kernel, const char *text)
{
    static const char signs[] = "0123456789_ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "abcdefghijklmnopqrstuvwxyz";
    unsigned named = 0;

    while (*text != '\0') {
        const size_t length = strspn(text, signs);
        const bool name = length > 0 && (*text < '0' || *text > '9');
        const int k = name ? find_value(kernel, text, length) : -1;

        if (k >= 0) named |= 1u << k;
        text += length > 0 ? length : 1;
    }
    return named;
}

unsigned hit_kernel_names(const hit_kernel *kernel, int arg)
{
    unsigned named = 0;

    for (int k = 0; k < kernel->args && k < HIT_MAX_ARGS; k++) {
        const char *text = kernel->arg[k].pattern;

        if ((arg < 0 || arg == k) && text != NULL) {
            named |= hit_kernel_names_in(kernel, text);
        }
    }
    return named;
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
                            const hit_index number[], hit_pattern *pattern)
{
    hit_pattern_value value[HIT_MAX_ARGS];
    hit_pattern_names names = {
        .dims = kernel->dims, .index = kernel->index, .value = value};

    for (int k = 0; k < kernel->args; k++) {
        add_value(kernel, k, number, value, &names.values);
    }
    return hit_pattern_parse_with(text, &names, pattern);
}

hit_status hit_kernel_pattern(const hit_kernel *kernel, int arg, const hit_index number[],
                              hit_pattern *pattern)
{
    return hit_kernel_parse(kernel, kernel->arg[arg].pattern, number, pattern);
}
