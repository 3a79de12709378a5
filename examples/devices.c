/* SPDX-License-Identifier: MIT
 * Devices of the examples: limits on memory, and processes that are made slower so that
 * unlike devices can be shown on any machine. */
#include "hit/dry/dry_run.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "examples/common.h"

/** A fraction of a small need would be too small for any block. */
#define LEAST_MEMORY_BYTES 8192.0

enum {
    MOST_PROCESSES = 64,
    WORD_BYTES = 32,
    DEVICES_BYTES = 8192
};

/** A word for each process of a host; "" where there is none. */
typedef char words[MOST_PROCESSES][WORD_BYTES];

/** Read "WORD", for all, and "PROCESS:WORD", with ',' between them. */
static void read_words(const example *e, const char *option, const char *text, words word)
{
    memset(word, 0, sizeof(words));
    while (text != NULL) {
        const char *end = text + strcspn(text, ",");
        const char *colon = memchr(text, ':', (size_t)(end - text));
        const char *from = colon != NULL ? colon + 1 : text;
        const size_t length = (size_t)(end - from);
        char *after = NULL;
        const long process = colon != NULL ? strtol(text, &after, 10) : -1;

        if (length == 0 || length >= WORD_BYTES || process >= MOST_PROCESSES ||
            (colon != NULL && (after != colon || after == text || process < 0))) {
            example_mistake(
                e,
                "%s: expected VALUE, or PROCESS:VALUE with a process from 0 to "
                "%d, but found \"%.*s\"",
                option, MOST_PROCESSES - 1, (int)(end - text), text);
        }
        for (int p = 0; p < MOST_PROCESSES; p++) {
            if (process >= 0 && p != process) continue;
            memcpy(word[p], from, length);
            word[p][length] = '\0';
        }
        text = *end == ',' ? end + 1 : NULL;
    }
}

/** "16MiB" or "1/10" of @p share_bytes in bytes. */
static size_t read_memory(const example *e, const char *text, double share_bytes)
{
    intmax_t top;
    intmax_t bottom;
    char rest;
    size_t bytes;

    if (strchr(text, '/') == NULL) {
        if (hit_memory_parse(text, &bytes) == HIT_OK) return bytes;
        example_mistake(e, "--device-memory: %s", hit_status_text());
    }
    if (sscanf(text, "%" SCNdMAX "/%" SCNdMAX "%c", &top, &bottom, &rest) != 2 ||
        top < 1 || top > bottom) {
        example_mistake(e, "--device-memory: expected 16MiB or 1/10 but found \"%s\"",
                        text);
    }
    share_bytes *= (double)top / (double)bottom;
    return (size_t)fmax(share_bytes, LEAST_MEMORY_BYTES);
}

/** The list of devices that the options ask for, one item per process of a host. */
static void list_devices(const example *e, double share_bytes, char list[DEVICES_BYTES])
{
    words slow;
    words cliff;
    words memory;
    size_t used = 0;

    read_words(e, "--slow", e->slow, slow);
    read_words(e, "--cliff", e->cliff, cliff);
    read_words(e, "--device-memory", e->memory, memory);
    for (int p = 0; p < MOST_PROCESSES; p++) {
        char bytes[WORD_BYTES] = "";

        if (memory[p][0] != '\0') {
            (void)snprintf(bytes, sizeof(bytes), "%zu",
                           read_memory(e, memory[p], share_bytes));
        }
        used += (size_t)snprintf(list + used, DEVICES_BYTES - used, "%shost%s%s%s%s%s%s",
                                 p > 0 ? ";" : "", slow[p][0] != '\0' ? ":slow=" : "",
                                 slow[p], cliff[p][0] != '\0' ? ":cliff=" : "", cliff[p],
                                 bytes[0] != '\0' ? ":memory=" : "", bytes);
    }
}

hit_context *example_open(example *e, int *argc, char ***argv, double tile_bytes)
{
    hit_options options = {.threads = (int)e->threads};
    char list[DEVICES_BYTES];
    int processes = 1;
    hit_status st;

    if (e->threads > 1024) example_mistake(e, "expected at most 1024 threads");
    if (e->memory != NULL) {
        list_devices(e, tile_bytes, list); /* mistakes are found before anything opens */
        HIT_MUST(hit_open(argc, argv, &e->probe));
        processes = hit_size(e->probe);
    }
    tile_bytes = ceil(tile_bytes / processes);
    if (e->slow != NULL || e->cliff != NULL ||
        (e->memory != NULL && strpbrk(e->memory, ",:") != NULL)) {
        list_devices(e, tile_bytes, list);
        options.devices = list;
    } else if (e->memory != NULL) {
        options.device_memory_bytes = read_memory(e, e->memory, tile_bytes);
    }
    st = hit_open_with(argc, argv, &options, &e->hit);
    /* process 0 knows what is wrong with the devices, the others that something is */
    if (st == HIT_E_ARG || st == HIT_E_PEER) example_mistake(e, "%s", hit_status_text());
    HIT_MUST(st);
    example_plans = hit_is_dry_run(e->hit);
    /* examples write tiles on all processes at the same places: halos may be deep */
    HIT_MUST(hit_chain(e->hit, HIT_CHAIN_ANY));
    return e->hit;
}
