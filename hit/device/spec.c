/* SPDX-License-Identifier: MIT
 * Device specs as text. */
#include "hit/base/input.h"
#include "hit/base/memory.h"
#include "hit/base/registry.h"
#include "hit/base/text.h"
#include "hit/device/cores.h"
#include "hit/device/device.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum {
    MAX_NUMBER = 1 << 20,
    FIELD_BYTES = 64
};

/* ---- values ---- */

/* Digits only: no sign, no blanks; false if there are none or the number is too large. */
static bool read_number(const char **at, int *number)
{
    hit_index value;

    if (**at == '-' || !hit_number_next(at, 0, MAX_NUMBER, &value)) return false;
    *number = (int)value;
    return true;
}

static hit_status read_cores(const char *text, hit_device_spec *spec)
{
    const char *at = text;
    int first = 0;
    bool good = read_number(&at, &first);
    int last = first;

    if (good && *at == '-') {
        at++;
        good = read_number(&at, &last);
    }
    if (!good || *at != '\0' || last < first) {
        return HIT_FAIL(HIT_E_ARG, "expected cores such as \"0-3\" but found \"%s\"",
                        text);
    }
    spec->first_core = first;
    spec->last_core = last;
    return HIT_OK;
}

/* Each group of cores that have so much in common is a device. */
static hit_status read_per(const char *text, hit_device_spec *spec)
{
    static const char *const level[] = {"socket", "numa", "l3", "l2", "core"};
    hit_names known;

    hit_names_begin(&known, text, strlen(text));
    for (size_t k = 0; k < sizeof(level) / sizeof(level[0]); k++) {
        hit_names_add(&known, level[k]);
        if (strcmp(text, level[k]) != 0) continue;
        spec->groups = (int)k + 1;
        return HIT_OK;
    }
    return HIT_FAIL(HIT_E_ARG, "expected a device per %s but found \"%s\"%s",
                    hit_names_list(&known), text, hit_names_hint(&known));
}

static hit_status read_threads(const char *text, hit_device_spec *spec)
{
    const char *at = text;
    int threads = 0;

    if (!read_number(&at, &threads) || *at != '\0' || threads < 1) {
        return HIT_FAIL(HIT_E_ARG, "expected a number of threads >= 1 but found \"%s\"",
                        text);
    }
    spec->threads = threads;
    return HIT_OK;
}

/* "4", or "4@100": from the 100th run on. */
static hit_status read_slow(const char *text, hit_device_spec *spec)
{
    const char *at = text;
    bool good = read_number(&at, &spec->slow.factor) && spec->slow.factor >= 1;

    if (good && *at == '@') {
        at++;
        good = read_number(&at, &spec->slow.from);
    }
    if (good && *at == '\0') return HIT_OK;
    return HIT_FAIL(
        HIT_E_ARG, "expected a factor such as \"4\" or \"4@100\" but found \"%s\"", text);
}

/* "4000000*8": from more than so many indices on, so many times as long. */
static hit_status read_cliff(const char *text, hit_device_spec *spec)
{
    const char *at = text;
    const bool good = *at != '-' &&
                      hit_number_next(&at, 0, INT64_MAX, &spec->slow.cliff_from) &&
                      *at++ == '*' && read_number(&at, &spec->slow.cliff) &&
                      spec->slow.cliff >= 1 && *at == '\0';

    if (good) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG,
                    "expected indices and a factor such as \"4000000*8\" but found "
                    "\"%s\"",
                    text);
}

static hit_status read_share(const char *text, hit_device_spec *spec)
{
    const char *at = text;
    int share = 0;

    spec->share = 0;
    spec->spare = false;
    spec->follows = strcmp(text, "auto") == 0;
    if (spec->follows) return HIT_OK;
    if (!read_number(&at, &share) || *at != '\0') {
        return HIT_FAIL(HIT_E_ARG,
                        "expected a share of 0 to %d, or auto, but found \"%s\"",
                        MAX_NUMBER, text);
    }
    spec->share = share;
    spec->spare = share == 0;
    return HIT_OK;
}

void hit_device_limit_memory(hit_device_spec *spec, size_t size_bytes)
{
    spec->memory_bytes = size_bytes;
    /* only a device with memory of its own can have a limit */
    spec->staged = spec->kind->in_place != NULL;
}

static hit_status read_memory(const char *text, hit_device_spec *spec)
{
    size_t size_bytes = 0;

    HIT_TRY(hit_memory_parse(text, &size_bytes));
    hit_device_limit_memory(spec, size_bytes);
    return HIT_OK;
}

static hit_status read_staged(const char *text, hit_device_spec *spec)
{
    (void)text;
    spec->staged = true;
    return HIT_OK;
}

/* ---- fields ---- */

/* What a kind has that knows a field. */
typedef enum trait {
    ANY,
    STAGES,
    CORES,
    SLOW,
    MEMORY
} trait;

/* The fields that the library reads, in the order in which messages list them. */
static const struct field {
    const char *name; /* ends with "=" if a value follows */
    trait of;
    hit_status (*read)(const char *value, hit_device_spec *spec);
} fields[] = {
    {"staged", STAGES, read_staged}, {"cores=", CORES, read_cores},
    {"per=", CORES, read_per},       {"threads=", CORES, read_threads},
    {"slow=", SLOW, read_slow},      {"cliff=", SLOW, read_cliff},
    {"share=", ANY, read_share},     {"memory=", MEMORY, read_memory},
};

enum {
    FIELDS = sizeof(fields) / sizeof(fields[0])
};

static bool has_field(const hit_device_ops *kind, int k)
{
    const bool has[] = {[ANY] = true,
                        [STAGES] = kind->in_place != NULL,
                        [CORES] = kind->uses_cores,
                        [SLOW] = kind->processor != NULL && !kind->processor->async,
                        [MEMORY] = kind->memory != NULL};

    return has[fields[k].of];
}

/* What follows the name of the field; NULL: the text is another field. */
static const char *value_of(const char *text, int k)
{
    const size_t length = strlen(fields[k].name);
    const bool takes_value = fields[k].name[length - 1] == '=';

    if (strncmp(text, fields[k].name, length) != 0) return NULL;
    return takes_value || text[length] == '\0' ? text + length : NULL;
}

static hit_status fail_field(const char *text, const hit_device_ops *kind)
{
    const size_t name = strcspn(text, "=");
    hit_names known;

    hit_names_begin(&known, text, text[name] == '=' ? name + 1 : name);
    if (kind->numbered) hit_names_add(&known, "a number");
    for (int k = 0; k < FIELDS; k++) {
        if (has_field(kind, k)) hit_names_add(&known, fields[k].name);
    }
    return HIT_FAIL(HIT_E_ARG, "expected %s but found \"%s\"%s", hit_names_list(&known),
                    text, hit_names_hint(&known));
}

/* A field that only this kind has is kept as it is. */
static hit_status keep_field(const char *text, hit_device_spec *spec)
{
    const size_t used = strlen(spec->own);
    int length;

    HIT_TRY(spec->kind->check_field(text));
    length = snprintf(spec->own + used, sizeof(spec->own) - used, "%s%s",
                      used > 0 ? ":" : "", text);
    if ((size_t)length < sizeof(spec->own) - used) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG,
                    "expected at most %zu characters of fields of the kind %s "
                    "but found \"%s\" in addition",
                    sizeof(spec->own) - 1, spec->kind->kind, text);
}

static hit_status read_field(const char *text, hit_device_spec *spec)
{
    const hit_device_ops *kind = spec->kind;
    const char *at = text;

    if (kind->numbered && read_number(&at, &spec->index) && *at == '\0') return HIT_OK;
    for (int k = 0; k < FIELDS; k++) {
        const char *value = has_field(kind, k) ? value_of(text, k) : NULL;

        if (value != NULL) return fields[k].read(value, spec);
    }
    if (kind->check_field != NULL) return keep_field(text, spec);
    return fail_field(text, kind);
}

static hit_status read_kind(const char *text, const hit_device_ops *const more[],
                            hit_device_spec *spec)
{
    const hit_device_ops *kind;
    hit_names known;

    hit_names_begin(&known, text, strlen(text));
    for (int k = 0; (kind = hit_device_kind(k, more)) != NULL; k++) {
        if (strcmp(kind->kind, text) == 0) {
            spec->kind = kind;
            return HIT_OK;
        }
        hit_names_add(&known, kind->kind);
    }
    return HIT_FAIL(HIT_E_ARG, "expected the kind %s but found \"%s\"%s",
                    hit_names_list(&known), text, hit_names_hint(&known));
}

/* ---- lists ---- */

/* Copy the text up to a stop without blanks around it, and go past it. */
static hit_status next_field(const char **at, char field[FIELD_BYTES])
{
    static const char stops[] = ":*;+";
    size_t skip = strspn(*at, " \t\n");
    size_t length = strcspn(*at, stops);
    size_t last;

    /* the one field whose value has a star */
    if ((*at)[length] == '*' && strncmp(*at + skip, "cliff=", strlen("cliff=")) == 0) {
        length += 1 + strcspn(*at + length + 1, stops);
    }
    last = length;

    while (last > skip && isspace((unsigned char)(*at)[last - 1])) {
        last--;
    }
    size_t used = last > skip ? last - skip : 0;
    if (used >= FIELD_BYTES) {
        return HIT_FAIL(HIT_E_ARG, "expected at most %d characters but found \"%.*s\"",
                        FIELD_BYTES - 1, (int)used, *at + skip);
    }
    memcpy(field, *at + skip, used);
    field[used] = '\0';
    *at += length;
    return HIT_OK;
}

/* "* 3" behind a device; without: 1. */
static hit_status read_times(const char **at, int *times)
{
    char field[FIELD_BYTES] = "";
    const char *digits = field;

    *times = 1;
    if (**at != '*') return HIT_OK;
    (*at)++;
    HIT_TRY(next_field(at, field));
    if (read_number(&digits, times) && *digits == '\0' && *times >= 1) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG, "expected a number of devices >= 1 but found \"%s\"",
                    field);
}

/* One device, up to '*', ';', '+' or the end. */
static hit_status read_item(const char **at, const hit_device_ops *const more[],
                            hit_device_spec *out)
{
    hit_device_spec spec = {.first_core = -1, .last_core = -1};
    char field[FIELD_BYTES] = "";

    HIT_TRY(next_field(at, field));
    HIT_TRY(read_kind(field, more, &spec));
    while (**at == ':') {
        (*at)++;
        HIT_TRY(next_field(at, field));
        HIT_TRY(read_field(field, &spec));
    }
    *out = spec;
    return HIT_OK;
}

/* Devices that are listed, of which there may be so many. */
typedef struct listed {
    const char *text;
    hit_device_spec *spec;
    int capacity;
    int count;
} listed;

static hit_status add(listed *all, const hit_device_spec *item)
{
    if (all->count == all->capacity) {
        return HIT_FAIL(HIT_E_ARG, "expected at most %d devices but found \"%.60s\"...",
                        all->capacity, all->text);
    }
    all->spec[all->count++] = *item;
    return HIT_OK;
}

/* The same device several times, of one process; each takes the cores that follow. */
static hit_status add_times(listed *all, hit_device_spec item, int times)
{
    const int width = item.last_core - item.first_core + 1;

    for (int k = 0; k < times; k++) {
        HIT_TRY(add(all, &item));
        item.joins = true;
        if (item.first_core < 0) continue;
        item.first_core += width;
        item.last_core += width;
    }
    return HIT_OK;
}

static hit_status add_groups(listed *all, hit_device_spec item, int times)
{
    const hit_cores_level level = (hit_cores_level)(item.groups - 1);
    hit_cores *cores = NULL;
    hit_status status = HIT_OK;

    if (times > 1 || item.first_core >= 0) {
        return HIT_FAIL(HIT_E_ARG, "expected per= without cores= and without a star");
    }
    HIT_TRY(hit_cores_open(&cores));
    item.groups = 0;
    for (int k = 0; k < hit_cores_count(cores) && status == HIT_OK;
         k = item.last_core + 1) {
        const int group = hit_cores_group(cores, k, level);

        item.first_core = k;
        item.last_core = k;
        while (item.last_core + 1 < hit_cores_count(cores) &&
               hit_cores_group(cores, item.last_core + 1, level) == group) {
            item.last_core++;
        }
        status = add(all, &item);
        item.joins = true;
    }
    hit_cores_close(&cores);
    return status;
}

hit_status hit_device_parse(const char *text, const hit_device_ops *const more[],
                            int capacity, hit_device_spec spec[], int *count)
{
    listed all = {text, spec, capacity, 0};
    const char *at = text;
    bool joins = false;

    for (int number = 1;; number++) {
        hit_device_spec item;
        const char *from = at;
        int times = 1;
        hit_status st = read_item(&at, more, &item);

        if (st == HIT_OK) st = read_times(&at, &times);
        item.joins = joins;
        if (st == HIT_OK) {
            st = item.groups > 0 ? add_groups(&all, item, times)
                                 : add_times(&all, item, times);
        }
        if (st != HIT_OK) {
            return HIT_FAIL(st, "device %d, \"%.*s\": %s", number,
                            (int)strcspn(from, ";+"), from, hit_status_text());
        }
        if (*at == '\0') break;
        if (*at != '+' && *at != ';') {
            return HIT_FAIL(HIT_E_ARG, "expected + or ; behind \"%.*s\" but found \"%s\"",
                            (int)(at - from), from, at);
        }
        joins = *at++ == '+';
    }
    *count = all.count;
    return HIT_OK;
}

void hit_device_print(const hit_device_spec *spec, char *text, size_t size)
{
    const hit_slow_spec *of = &spec->slow;
    const size_t bytes = spec->memory_bytes;

    (void)snprintf(text, size, "%s", spec->kind->kind);
    if (spec->kind->numbered) hit_text_add(text, size, ":%d", spec->index);
    if (spec->staged) hit_text_add(text, size, ":staged");
    if (spec->first_core >= 0) {
        hit_text_add(text, size, ":cores=%d-%d", spec->first_core, spec->last_core);
    }
    if (spec->threads > 0) hit_text_add(text, size, ":threads=%d", spec->threads);
    if (of->factor > 1) {
        hit_text_add(text, size, ":slow=%d@%d", of->factor, of->from);
    }
    if (of->cliff > 1) {
        hit_text_add(text, size, ":cliff=%lld*%d", (long long)of->cliff_from, of->cliff);
    }
    if (spec->follows) {
        hit_text_add(text, size, ":share=auto");
    } else if (spec->share > 1 || spec->spare) {
        hit_text_add(text, size, ":share=%d", spec->share);
    }
    /* hit_memory_print() rounds; this does not */
    if (bytes > 0 && bytes % ((size_t)1 << 20) == 0) {
        hit_text_add(text, size, ":memory=%zuMiB", bytes >> 20);
    } else if (bytes > 0) {
        hit_text_add(text, size, ":memory=%zu", bytes);
    }
    if (spec->own[0] != '\0') hit_text_add(text, size, ":%s", spec->own);
}
