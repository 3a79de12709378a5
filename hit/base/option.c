/* SPDX-License-Identifier: MIT
 * Texts of options. They are copied once and cut in the copy; options are sorted by key,
 * so that the same options in another order give the same keys of layouts. */
#include "hit/base/input.h"
#include "hit/base/memory.h"

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

/** The comma that ends the option at @p text, or the end of the text. */
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
static hit_status add(const char *whose, const char *key, const char *value,
                      hit_option_list *options)
{
    int at = options->count;

    while (at > 0 && strcmp(options->key[at - 1], key) > 0) {
        at--;
    }
    if (at > 0 && strcmp(options->key[at - 1], key) == 0) {
        return HIT_FAIL(HIT_E_ARG, "%s: option %s is given twice", whose, key);
    }
    for (int i = options->count; i > at; i--) {
        options->key[i] = options->key[i - 1];
        options->value[i] = options->value[i - 1];
    }
    options->key[at] = key;
    options->value[at] = value;
    options->count++;
    return HIT_OK;
}

static hit_status read_one(const char *whose, char *text, char *end,
                           hit_option_list *options)
{
    char *equals;
    const char *key;
    const char *value;

    *end = '\0';
    equals = strchr(text, '=');
    if (equals == NULL) {
        return HIT_FAIL(HIT_E_ARG, "%s: expected option=value but found \"%s\"", whose,
                        text);
    }
    value = trim(equals + 1, end);
    key = trim(text, equals);
    if (*key == '\0' || *value == '\0') {
        return HIT_FAIL(HIT_E_ARG, "%s: expected option=value but found \"%s=%s\"", whose,
                        key, value);
    }
    return add(whose, key, value, options);
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

hit_status hit_option_read(const char *whose, const char *text, hit_option_list *options)
{
    size_t size;
    size_t most;
    char *at;

    *options = (hit_option_list){0};
    if (text == NULL || text[strspn(text, " ")] == '\0') return HIT_OK;
    size = strlen(text) + 1;
    most = most_options(text);
    HIT_TRY(hit_memory_zeroed(size, 1, &options->text));
    HIT_TRY(hit_memory_zeroed(2 * most, sizeof *options->key, &options->key));
    options->value = options->key + most;
    memcpy(options->text, text, size);

    at = options->text;
    for (bool more = true; more; at++) {
        char *end = option_end(at);

        more = *end != '\0';
        HIT_TRY(read_one(whose, at, end, options));
        at = end;
    }
    return HIT_OK;
}

void hit_option_clear(hit_option_list *options)
{
    free(options->key);
    free(options->text);
    *options = (hit_option_list){0};
}

hit_status hit_option_each(const char *whose, const char *text,
                           hit_status (*take)(void *of, const char *key,
                                              const char *value),
                           void *of)
{
    hit_option_list given;
    hit_status st = hit_option_read(whose, text, &given);

    for (int k = 0; st == HIT_OK && k < given.count; k++) {
        st = take(of, given.key[k], given.value[k]);
    }
    hit_option_clear(&given);
    return st;
}

bool hit_option_is(const char *text, const char *key, const char **value)
{
    const size_t length = strlen(key);

    if (strncmp(text, key, length) != 0 || text[length] != '=') return false;
    *value = text + length + 1;
    return true;
}
