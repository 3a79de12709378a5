/* SPDX-License-Identifier: MIT
 * Options of layouts. They are sorted by key, so that the same
 * options in another order give the same layout key. */
#include "hit/topo/layout_text.h"

#include "hit/base/memory.h"
#include "hit/topo/layout_text_impl.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** Cut blanks off both ends of the text from @p from to before @p end. */
static char *trim(char *from, char *end)
{
    while (*from == ' ') {
        from++;
    }
    while (end > from && end[-1] == ' ') {
        end--;
    }
    *end = '\0';
    return from;
}

/** The comma that ends the option at @p text, or the end of the text. Commas also
 * separate the numbers of a list: the one that counts is the last one before the '=' of
 * the next option. */
static char *option_end(char *text)
{
    char *comma = NULL;
    char *at = text;

    for (; *at != '\0'; at++) {
        if (*at == '=' && comma != NULL) return comma;
        if (*at == ',') comma = at;
    }
    return at;
}

/** Insert key and value where they belong in the sorted arrays. */
static hit_status add_option(hit_layout *layout, int capacity, const char *key,
                             const char *value)
{
    const char **keys = layout->words;
    const char **values = layout->words + capacity;
    int at = layout->spec.options;

    while (at > 0 && strcmp(keys[at - 1], key) > 0) {
        at--;
    }
    if (at > 0 && strcmp(keys[at - 1], key) == 0) {
        return HIT_FAIL(HIT_E_ARG, "layout %s: option %s is given twice",
                        layout->ops->name, key);
    }
    for (int i = layout->spec.options; i > at; i--) {
        keys[i] = keys[i - 1];
        values[i] = values[i - 1];
    }
    keys[at] = key;
    values[at] = value;
    layout->spec.options++;
    return HIT_OK;
}

static hit_status read_option(hit_layout *layout, int capacity, char *text, char *end)
{
    char *equals;
    const char *key;
    const char *value;

    *end = '\0';
    equals = strchr(text, '=');
    if (equals == NULL) {
        return HIT_FAIL(HIT_E_ARG, "layout %s: expected option=value but found \"%s\"",
                        layout->ops->name, text);
    }
    value = trim(equals + 1, end);
    key = trim(text, equals);
    if (*key == '\0' || *value == '\0') {
        return HIT_FAIL(HIT_E_ARG, "layout %s: expected option=value but found \"%s=%s\"",
                        layout->ops->name, key, value);
    }
    return add_option(layout, capacity, key, value);
}

/** At least as many as there are options: each has a '='. */
static size_t most_options(const char *text)
{
    size_t most = 1;

    for (; *text != '\0'; text++) {
        if (*text == '=') most++;
    }
    return most;
}

hit_status hit_layout_options_read(const char *text, hit_layout *layout)
{
    size_t size;
    size_t capacity;
    char *at;

    if (text == NULL || text[strspn(text, " ")] == '\0') return HIT_OK;
    size = strlen(text) + 1;
    capacity = most_options(text);
    HIT_TRY(hit_memory_zeroed(size, 1, &layout->text));
    HIT_TRY(hit_memory_zeroed(2 * capacity, sizeof *layout->words, &layout->words));
    memcpy(layout->text, text, size);
    layout->spec.key = layout->words;
    layout->spec.value = layout->words + capacity;

    at = layout->text;
    for (bool more = true; more; at++) {
        char *end = option_end(at);

        more = *end != '\0';
        HIT_TRY(read_option(layout, (int)capacity, at, end));
        at = end;
    }
    return HIT_OK;
}

const char *hit_layout_option(const hit_layout_spec *spec, const char *key,
                              const char *otherwise)
{
    for (int i = 0; i < spec->options; i++) {
        if (strcmp(spec->key[i], key) == 0) return spec->value[i];
    }
    return otherwise;
}

hit_status hit_layout_only(const hit_layout_spec *spec, const char *const known[])
{
    for (int i = 0; i < spec->options; i++) {
        int k = 0;

        while (known[k] != NULL && strcmp(known[k], spec->key[i]) != 0) {
            k++;
        }
        if (known[k] == NULL) {
            return HIT_FAIL(HIT_E_ARG, "layout %s: unknown option %s; options: %s",
                            spec->ops->name, spec->key[i], spec->ops->help);
        }
    }
    return HIT_OK;
}

hit_status hit_layout_option_index(const hit_layout_spec *spec, const char *key,
                                   hit_index low, hit_index high, hit_index *value)
{
    const char *text = hit_layout_option(spec, key, NULL);
    char *end;
    long long number;

    if (text == NULL) return HIT_OK;
    errno = 0;
    number = strtoll(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || number < low || number > high) {
        return HIT_FAIL(
            HIT_E_ARG,
            "layout %s: expected %s= a whole number from %lld to %lld but found "
            "\"%s\"",
            spec->ops->name, key, (long long)low, (long long)high, text);
    }
    *value = number;
    return HIT_OK;
}

hit_status hit_layout_option_list(const hit_layout_spec *spec, const char *key,
                                  char separator, int *count, hit_index value[])
{
    const char *text = hit_layout_option(spec, key, NULL);
    const char *at = text;
    int found = 0;

    *count = 0;
    while (at != NULL) {
        char *end;
        long long number;

        errno = 0;
        number = strtoll(at, &end, 10);
        if (end == at || errno != 0 || number < 0 || found == HIT_MAX_DIMS ||
            (*end != '\0' && *end != separator)) {
            return HIT_FAIL(
                HIT_E_ARG,
                "layout %s: expected %s= at most %d whole numbers >= 0 with '%c' "
                "between them but found \"%s\"",
                spec->ops->name, key, HIT_MAX_DIMS, separator, text);
        }
        value[found++] = number;
        at = *end == '\0' ? NULL : end + 1;
    }
    *count = found;
    return HIT_OK;
}
