/* SPDX-License-Identifier: MIT
 * Device specs as text, and the accounting of a device's memory, which never passes the
 * limit. */
#include "hit/device/device.h"

#include "hit/base/memory.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_NUMBER = 1 << 20,
    FIELD_BYTES = 64,
    PIN_LEAST_BYTES = 1 << 20 /* pinning takes a call to the system per page */
};

static const hit_device_ops *find_ops(const char *kind)
{
    for (int k = 0; k < hit_device_table_count; k++) {
        if (strcmp(hit_device_table[k]->kind, kind) == 0) return hit_device_table[k];
    }
    return NULL;
}

/* Digits only: no sign, no blanks; false if there are none or the number is too large. */
static bool read_number(const char **at, int *number)
{
    int value = 0;

    if (!isdigit((unsigned char)**at)) return false;
    for (; isdigit((unsigned char)**at); (*at)++) {
        value = value * 10 + (**at - '0');
        if (value > MAX_NUMBER) return false;
    }
    *number = value;
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
    bool good = read_number(&at, &spec->slow) && spec->slow >= 1;

    if (good && *at == '@') {
        at++;
        good = read_number(&at, &spec->slow_from);
    }
    if (good && *at == '\0') return HIT_OK;
    return HIT_FAIL(
        HIT_E_ARG, "expected a factor such as \"4\" or \"4@100\" but found \"%s\"", text);
}

/* "4000000*8": from more than so many indices on, so many times as long. */
static hit_status read_cliff(const char *text, hit_device_spec *spec)
{
    char *end = NULL;
    const char *at;
    long long from;
    bool good;

    errno = 0;
    from = *text >= '0' && *text <= '9' ? strtoll(text, &end, 10) : -1;
    good = from >= 0 && errno == 0 && *end == '*';
    at = good ? end + 1 : text;
    good = good && read_number(&at, &spec->cliff) && spec->cliff >= 1 && *at == '\0';
    if (!good) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected indices and a factor such as \"4000000*8\" but found "
                        "\"%s\"",
                        text);
    }
    spec->cliff_from = from;
    return HIT_OK;
}

static hit_status read_share(const char *text, hit_device_spec *spec)
{
    const char *at = text;
    int share = 0;

    spec->share = 0;
    spec->follows = strcmp(text, "auto") == 0;
    if (spec->follows) return HIT_OK;
    if (!read_number(&at, &share) || *at != '\0' || share < 1) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected a share of 1 to %d, or auto, but found \"%s\"",
                        MAX_NUMBER, text);
    }
    spec->share = share;
    return HIT_OK;
}

static hit_status read_host_field(const char *field, hit_device_spec *spec)
{
    if (strcmp(field, "staged") == 0) {
        spec->staged = true;
        return HIT_OK;
    }
    if (strncmp(field, "cores=", 6) == 0) return read_cores(field + 6, spec);
    if (strncmp(field, "threads=", 8) == 0) return read_threads(field + 8, spec);
    if (strncmp(field, "slow=", 5) == 0) return read_slow(field + 5, spec);
    if (strncmp(field, "cliff=", 6) == 0) return read_cliff(field + 6, spec);
    if (strncmp(field, "share=", 6) == 0) return read_share(field + 6, spec);
    if (strncmp(field, "memory=", 7) == 0) {
        spec->staged = true; /* only a device with memory of its own can have a limit */
        return hit_memory_parse(field + 7, &spec->memory_bytes);
    }
    return HIT_FAIL(HIT_E_ARG,
                    "expected staged, cores=, threads=, slow=, cliff=, share= or memory= "
                    "but found \"%s\"",
                    field);
}

static hit_status read_cuda_field(const char *field, hit_device_spec *spec)
{
    const char *at = field;

    if (strncmp(field, "memory=", 7) == 0) {
        return hit_memory_parse(field + 7, &spec->memory_bytes);
    }
    if (strncmp(field, "share=", 6) == 0) return read_share(field + 6, spec);
    if (read_number(&at, &spec->index) && *at == '\0') return HIT_OK;
    return HIT_FAIL(HIT_E_ARG,
                    "expected the number of a GPU, share= or memory= but found \"%s\"",
                    field);
}

static hit_status read_field(const char *field, int position, hit_device_spec *spec)
{
    if (position > 0) {
        return strcmp(spec->kind, "host") == 0 ? read_host_field(field, spec)
                                               : read_cuda_field(field, spec);
    }
    const hit_device_ops *ops = find_ops(field);
    if (ops == NULL) {
        return HIT_FAIL(HIT_E_ARG, "expected the kind host or cuda but found \"%s\"",
                        field);
    }
    snprintf(spec->kind, sizeof(spec->kind), "%s", ops->kind);
    return HIT_OK;
}

/* Copy the text up to one of `stops` without blanks around it, and go past it. */
static hit_status next_field(const char **at, const char *stops, char field[FIELD_BYTES])
{
    size_t skip = strspn(*at, " \t\n");
    size_t length = strcspn(*at, stops);
    size_t last = length;

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

/* One device, up to ';', '+' or the end. */
static hit_status read_item(const char **at, hit_device_spec *out)
{
    hit_device_spec spec = {.first_core = -1, .last_core = -1};
    char field[FIELD_BYTES] = "";

    for (int position = 0;; position++) {
        HIT_TRY(next_field(at, ":;+", field));
        HIT_TRY(read_field(field, position, &spec));
        if (**at != ':') break;
        (*at)++;
    }
    *out = spec;
    return HIT_OK;
}

hit_status hit_device_parse(const char *text, int capacity, hit_device_spec spec[],
                            int *count)
{
    const char *at = text;
    bool joins = false;
    int items = 0;

    for (;;) {
        hit_device_spec item;
        const char *from = at;
        hit_status st = read_item(&at, &item);
        if (st != HIT_OK) {
            return HIT_FAIL(st, "device %d, \"%.*s\": %s", items + 1,
                            (int)strcspn(from, ";+"), from, hit_status_text());
        }
        if (items == capacity) {
            return HIT_FAIL(HIT_E_ARG,
                            "expected at most %d devices but found \"%.60s\"...",
                            capacity, text);
        }
        item.joins = joins;
        spec[items++] = item;
        if (*at == '\0') break;
        joins = *at++ == '+';
    }
    *count = items;
    return HIT_OK;
}

/* hit_memory_print() rounds; this does not. */
static void print_memory(size_t bytes, char *text, size_t size)
{
    if (bytes % ((size_t)1 << 20) == 0) {
        snprintf(text, size, ":memory=%zuMiB", bytes >> 20);
    } else {
        snprintf(text, size, ":memory=%zu", bytes);
    }
}

void hit_device_print(const hit_device_spec *spec, char *text, size_t size)
{
    char index[16] = "";
    char cores[32] = "";
    char threads[24] = "";
    char memory[48] = "";
    char slow[40] = "";
    char cliff[48] = "";
    char share[24] = "";

    if (strcmp(spec->kind, "host") != 0) {
        snprintf(index, sizeof(index), ":%d", spec->index);
    }
    if (spec->first_core >= 0) {
        snprintf(cores, sizeof(cores), ":cores=%d-%d", spec->first_core, spec->last_core);
    }
    if (spec->threads > 0) {
        snprintf(threads, sizeof(threads), ":threads=%d", spec->threads);
    }
    if (spec->memory_bytes > 0) print_memory(spec->memory_bytes, memory, sizeof(memory));
    if (spec->slow > 1) {
        snprintf(slow, sizeof(slow), ":slow=%d@%d", spec->slow, spec->slow_from);
    }
    if (spec->cliff > 1) {
        snprintf(cliff, sizeof(cliff), ":cliff=%lld*%d", (long long)spec->cliff_from,
                 spec->cliff);
    }
    if (spec->share > 1) snprintf(share, sizeof(share), ":share=%d", spec->share);
    if (spec->follows) snprintf(share, sizeof(share), ":share=auto");
    snprintf(text, size, "%s%s%s%s%s%s%s%s%s", spec->kind, index,
             spec->staged ? ":staged" : "", cores, threads, slow, cliff, share, memory);
}

hit_status hit_device_open(const hit_device_spec *spec, hit_device **out)
{
    hit_device *device = NULL;
    hit_status st = HIT_OK;
    const hit_device_ops *ops = find_ops(spec->kind);

    if (ops == NULL) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected a device of kind host or cuda but found \"%s\"",
                        spec->kind);
    }
    HIT_TRY_GOTO(st, hit_memory_zeroed(1, sizeof(*device), &device), fail);
    device->ops = ops;
    device->spec = *spec;
    HIT_TRY_GOTO(st, ops->open(spec, &device->state), free_device);
    device->limit_bytes =
        ops->in_place(device->state) ? SIZE_MAX : ops->memory_bytes(device->state);
    *out = device;
    return HIT_OK;

free_device:
    free(device);
fail:
    return st;
}

void hit_device_close(hit_device **out)
{
    hit_device *device = *out;

    if (device == NULL) return;
    hit_device_release_arena(device);
    device->ops->close(device->state);
    free(device);
    *out = NULL;
}

hit_status hit_device_take(hit_device *device, size_t size_bytes, void **memory)
{
    char asked[32];
    char limit[32];
    char used[32];

    if (device->ops->in_place(device->state)) {
        return HIT_FAIL(HIT_E_INTERNAL,
                        "a device that works in place has no memory of its "
                        "own to reserve");
    }
    if (size_bytes > device->limit_bytes - device->used_bytes) {
        hit_memory_print(size_bytes, asked, sizeof(asked));
        hit_memory_print(device->limit_bytes, limit, sizeof(limit));
        hit_memory_print(device->used_bytes, used, sizeof(used));
        return HIT_FAIL(HIT_E_LIMIT,
                        "asked for %s of the memory of a %s device, its limit "
                        "is %s, and %s are in use",
                        asked, device->ops->kind, limit, used);
    }
    HIT_TRY(device->ops->allocate(device->state, size_bytes, memory));
    device->used_bytes += size_bytes;
    if (device->used_bytes > device->peak_bytes) device->peak_bytes = device->used_bytes;
    return HIT_OK;
}

void hit_device_give(hit_device *device, void *memory, size_t size_bytes)
{
    device->ops->release(device->state, memory);
    device->used_bytes -= size_bytes;
}

void hit_device_release_arena(hit_device *device)
{
    if (device->arena == NULL) return;
    hit_device_give(device, device->arena, device->arena_bytes);
    device->arena = NULL;
    device->arena_bytes = 0;
}

hit_status hit_device_reserve(hit_device *device, size_t size_bytes)
{
    const size_t held = device->arena_bytes;
    const size_t others = device->used_bytes - held;
    void *arena = NULL;
    char limit[32];
    hit_status st;

    if (size_bytes <= held && size_bytes > 0) return HIT_OK;
    /* the old arena goes first: both together might not fit the limit; what cannot be had
     * anyhow does not cost it */
    if (size_bytes <= device->limit_bytes - others) hit_device_release_arena(device);
    st = hit_device_take(device, size_bytes, &arena);
    if (st == HIT_E_NOMEM) {
        hit_memory_print(device->limit_bytes, limit, sizeof(limit));
        return HIT_FAIL(st, "%s (limit %s, %zu bytes were held before)",
                        hit_status_text(), limit, held);
    }
    HIT_TRY(st);
    device->arena = arena;
    device->arena_bytes = size_bytes;
    return HIT_OK;
}

void hit_device_pin(const hit_device *device, void *memory, size_t size_bytes)
{
    if (device->ops->pin == NULL || size_bytes < PIN_LEAST_BYTES) return;
    device->ops->pin(device->state, memory, size_bytes);
}

void hit_device_unpin(const hit_device *device, void *memory, size_t size_bytes)
{
    if (device->ops->unpin == NULL || size_bytes < PIN_LEAST_BYTES) return;
    device->ops->unpin(device->state, memory);
}

void hit_device_describe_all(int count, hit_device *const device[], char *text,
                             size_t size)
{
    text[0] = '\0';
    for (int k = 0; k < count; k++) {
        size_t used;

        if (k > 0) strncat(text, " + ", size - strlen(text) - 1);
        used = strlen(text);
        device[k]->ops->describe(device[k]->state, text + used, size - used);
    }
}

const hit_device *hit_device_that_pins(int count, hit_device *const device[])
{
    for (int d = 0; d < count; d++) {
        if (device[d] != NULL && device[d]->ops->pin != NULL) return device[d];
    }
    return NULL;
}
