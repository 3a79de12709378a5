/* SPDX-License-Identifier: MIT
 * What several scheduler plug-ins need. */
#include "hit/sched/sched.h"

#include "hit/base/memory.h"
#include "hit/base/registry.h"
#include "hit/base/text.h"

#include <math.h>
#include <string.h>

/* ---- options ---- */

/** The value of an option, of *length characters, of which there are none where it has no
 * value; NULL: the option is not given. */
static const char *find(const char *options, const char *key, size_t *length)
{
    const size_t of_key = strlen(key);

    while (*options != '\0') {
        const size_t all = strcspn(options, ",");

        if (strcspn(options, ",=") == of_key && memcmp(options, key, of_key) == 0) {
            options += of_key + (options[of_key] == '=');
            *length = strcspn(options, ",");
            return options;
        }
        options += all + (options[all] == ',');
    }
    return NULL;
}

hit_status hit_sched_option_flag(const char *scheduler, const char *options,
                                 const char *key, bool *is_there)
{
    size_t length = 0;
    const char *value = find(options, key, &length);

    *is_there = value != NULL;
    if (length == 0) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG,
                    "scheduler %s: expected %s without a value but found \"%.*s\"",
                    scheduler, key, (int)length, value);
}

hit_status hit_sched_option_word(const char *scheduler, const char *options,
                                 const char *key, const char *const known[], int *number)
{
    size_t length;
    const char *value = find(options, key, &length);
    hit_names names;

    if (value == NULL) return HIT_OK;
    hit_names_begin(&names, value, length);
    for (int k = 0; known[k] != NULL; k++) {
        hit_names_add(&names, known[k]);
        if (strlen(known[k]) != length || memcmp(known[k], value, length) != 0) continue;
        *number = k;
        return HIT_OK;
    }
    return HIT_FAIL(HIT_E_ARG, "scheduler %s: expected %s=%s but found \"%.*s\"",
                    scheduler, key, hit_names_list(&names), (int)length, value);
}

hit_status hit_sched_option_hundredths(const char *scheduler, const char *options,
                                       const char *key, int64_t most, int64_t *hundredths)
{
    size_t length;
    const char *text = find(options, key, &length);
    const char *end = text;
    double number;

    if (text == NULL) return HIT_OK;
    number = 100.0 * hit_text_real(text, &end);
    if (length == 0 || end != text + length || strspn(text, "0123456789.") != length ||
        number > (double)most || fabs(number - round(number)) > 1e-9) {
        return HIT_FAIL(HIT_E_ARG,
                        "scheduler %s: expected %s= a number from 0 to %g with at most "
                        "2 decimals but found \"%.*s\"",
                        scheduler, key, (double)most / 100.0, (int)length, text);
    }
    *hundredths = llround(number);
    return HIT_OK;
}

/* ---- devices ---- */

int64_t hit_sched_end_ns(const hit_sched_view *view, int task, int device,
                         int64_t bring_ns)
{
    const int64_t run = view->run_ns(view->self, task, device);
    const int64_t now = view->now_ns(view->self);
    const int64_t is_free = view->free_ns(view->self, device);
    const int64_t there = now + bring_ns;

    if (run < 0) return -1;
    return (is_free > there ? is_free : there) + run;
}

int hit_sched_first_to_end(const hit_sched_view *view, int task, bool host_only,
                           int64_t *end_ns)
{
    int best = -1;

    for (int d = host_only ? view->accelerators : 0; d < view->devices; d++) {
        const int64_t end =
            hit_sched_end_ns(view, task, d, view->bring_ns(view->self, task, d));

        if (end < 0 || (best >= 0 && end >= *end_ns)) continue;
        best = d;
        *end_ns = end;
    }
    return best;
}

hit_sched_speedup hit_sched_speedup_of(const hit_sched_view *view, int task)
{
    hit_sched_speedup s = {task, -1, -1};

    for (int d = 0; d < view->devices; d++) {
        const int64_t ns = view->run_ns(view->self, task, d);
        int64_t *least = d < view->accelerators ? &s.accelerator_ns : &s.host_ns;

        if (ns >= 0 && (*least < 0 || ns < *least)) *least = ns;
    }
    return s;
}

/** The sign of a/b - c/d, without rounding or overflow; b and d are > 0. */
static int compare_fractions(int64_t a, int64_t b, int64_t c, int64_t d)
{
    int sign = 1;

    for (;;) {
        const int64_t whole_a = a / b;
        const int64_t whole_c = c / d;
        int64_t swap;

        if (whole_a != whole_c) return whole_a > whole_c ? sign : -sign;
        a %= b;
        c %= d;
        if (a == 0 || c == 0) return a == c ? 0 : a > c ? sign : -sign;
        swap = a; /* a/b against c/d is d/c against b/a */
        a = b;
        b = swap;
        swap = c;
        c = d;
        d = swap;
        sign = -sign;
    }
}

int hit_sched_speedup_compare(const void *one, const void *other)
{
    const hit_sched_speedup *a = one;
    const hit_sched_speedup *b = other;
    /* 0: accelerators only, 1: both, 2: host only */
    const int class_a = a->host_ns < 0 ? 0 : a->accelerator_ns < 0 ? 2 : 1;
    const int class_b = b->host_ns < 0 ? 0 : b->accelerator_ns < 0 ? 2 : 1;
    int order = class_a - class_b;

    if (order == 0 && class_a == 1) { /* a kernel may take 0 ns */
        order =
            compare_fractions(b->host_ns, b->accelerator_ns + (b->accelerator_ns == 0),
                              a->host_ns, a->accelerator_ns + (a->accelerator_ns == 0));
    }
    return order != 0 ? order : (a->task > b->task) - (a->task < b->task);
}

hit_status hit_sched_open_state(const hit_sched_view *view, size_t size_bytes,
                                void *state_pointer)
{
    const hit_sched_view **made;

    HIT_TRY(hit_memory_zeroed(1, size_bytes, &made));
    *made = view;
    memcpy(state_pointer, &made, sizeof made);
    return HIT_OK;
}

hit_status hit_sched_open_view(const char *options, const hit_sched_view *view,
                               void **state)
{
    (void)options;
    *state = (void *)view;
    return HIT_OK;
}

void hit_sched_close_view(void *state)
{
    (void)state;
}
