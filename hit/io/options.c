/* SPDX-License-Identifier: MIT
 * Options of reading and writing as text. */
#define _POSIX_C_SOURCE 200809L /* open */
#include "hit/base/input.h"
#include "hit/base/memory.h"
#include "hit/base/text.h"
#include "hit/io/io_impl.h"

#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool ends_with(const char *text, const char *ending)
{
    const size_t length = strlen(text);
    const size_t of_ending = strlen(ending);

    return length > of_ending && strcmp(text + length - of_ending, ending) == 0;
}

/* " or " between what is there already and one more. */
static void add_choice(char *text, size_t size, const char *before, const char *name)
{
    hit_text_add(text, size, "%s%s%s", text[0] != '\0' ? " or " : "", before, name);
}

static hit_status find_by_ending(const hit_context *context, const char *path,
                                 hit_io_options *options)
{
    const hit_format *format;
    char endings[128] = "";
    char names[128] = "";

    for (int f = 0; (format = hit_format_number(context, f)) != NULL; f++) {
        for (const char *const *e = format->ending; *e != NULL; e++) {
            if (ends_with(path, *e)) options->format = format;
            add_choice(endings, sizeof(endings), "", *e);
        }
        add_choice(names, sizeof(names), "format=", format->name);
    }
    if (options->format != NULL) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG, "%s: expected a path that ends in %s, or the option %s",
                    path, endings, names);
}

static hit_status read_sizes(const char *what, const char *value, hit_index size[],
                             hit_io_options *options)
{
    const hit_number_shape shape = {'x', 1, HIT_MAX_DIMS};
    int count;

    HIT_TRY(hit_number_list(what, value, &shape, &count, size));
    if (options->sizes != 0 && options->sizes != count) {
        return HIT_FAIL(HIT_E_ARG,
                        "expected as many chunks= as shards= but found %d and %d",
                        options->sizes, count);
    }
    options->sizes = count;
    return HIT_OK;
}

/* Options of formats with chunks; *known: it is one. */
static hit_status read_of_chunks(const char *key, const char *value, bool writes,
                                 hit_io_options *options, bool *known)
{
    *known = true;
    if (!writes && strcmp(key, "step") == 0) {
        options->has_step = true;
        return hit_number_read("step=", value, INT64_MIN / 2, INT64_MAX / 2,
                               &options->step);
    }
    if (writes && strcmp(key, "chunks") == 0) {
        return read_sizes("chunks=", value, options->chunks, options);
    }
    if (writes && strcmp(key, "shards") == 0) {
        return read_sizes("shards=", value, options->shards, options);
    }
    if (writes && strcmp(key, "time") == 0) {
        options->timed = true;
        return hit_number_read_real("time=", value, -DBL_MAX, DBL_MAX, &options->time);
    }
    if (writes && strcmp(key, "compress") == 0) {
        options->compress = strcmp(value, "zstd") == 0;
        if (options->compress || strcmp(value, "no") == 0) return HIT_OK;
        return HIT_FAIL(HIT_E_ARG,
                        "expected compress=zstd or compress=no but found \"%s\"", value);
    }
    *known = false;
    return HIT_OK;
}

static hit_status read_one(const char *key, const char *value, bool writes,
                           hit_io_options *options)
{
    const size_t most = (size_t)1 << 30; /* counts of MPI are 32 bits wide */

    if (strcmp(key, "dataset") == 0) {
        const size_t room = sizeof(options->dataset);

        if ((size_t)snprintf(options->dataset, room, "%s", value) < room) return HIT_OK;
        return HIT_FAIL(HIT_E_ARG,
                        "expected dataset= a name of less than %zu characters but found "
                        "\"%.20s...\"",
                        room, value);
    }
    if (strcmp(key, "buffer") == 0) {
        HIT_TRY(hit_memory_parse(value, &options->buffer_bytes));
        if (options->buffer_bytes <= most) return HIT_OK;
        return HIT_FAIL(HIT_E_ARG, "expected buffer= at most 1GiB but found \"%s\"",
                        value);
    }
    if (strcmp(key, "add") == 0 && writes) {
        options->add = strcmp(value, "yes") == 0;
        if (options->add || strcmp(value, "no") == 0) return HIT_OK;
        return HIT_FAIL(HIT_E_ARG, "expected add=yes or add=no but found \"%s\"", value);
    }
    return HIT_FAIL(HIT_E_ARG,
                    "expected an option format, dataset, buffer%s but found \"%s\"",
                    writes ? ", add, chunks, shards, compress or time" : " or step", key);
}

hit_status hit_io_options_read(const hit_context *context, const char *path,
                               const char *text, bool writes, hit_io_options *options)
{
    hit_option_list given;
    hit_status st = hit_option_read(path, text, &given);

    *options = (hit_io_options){.buffer_bytes = (size_t)32 << 20};
    for (int k = 0; st == HIT_OK && k < given.count; k++) {
        if (strcmp(given.key[k], "format") == 0) {
            st = hit_format_find(context, given.value[k], &options->format);
        } else {
            bool known;

            st = read_of_chunks(given.key[k], given.value[k], writes, options, &known);
            options->of_chunks =
                options->of_chunks || options->sizes > 0 || options->compress;
            if (!known) st = read_one(given.key[k], given.value[k], writes, options);
        }
    }
    hit_option_clear(&given);
    HIT_TRY(st);
    if (options->format == NULL) HIT_TRY(find_by_ending(context, path, options));
    if ((!options->format->chunked && options->of_chunks) ||
        (!options->format->timed && (options->timed || options->has_step))) {
        return HIT_FAIL(HIT_E_ARG, "%s: format %s has no %s do not apply", path,
                        options->format->name,
                        options->of_chunks ? "chunks: chunks=, shards= and compress="
                                           : "steps: time= and step=");
    }
    if (!options->format->named && (options->add || options->dataset[0] != '\0')) {
        return HIT_FAIL(HIT_E_ARG,
                        "%s: format %s has no datasets: dataset= and add= do not apply",
                        path, options->format->name);
    }
    return HIT_OK;
}

hit_status hit_io_check_readable(const char *path)
{
    const int handle = open(path, O_RDONLY | O_CLOEXEC);
    hit_status status = HIT_OK;
    char first;

    /* a folder can be opened */
    if (handle < 0 || (pread(handle, &first, 1, 0) < 0 && errno != ESPIPE)) {
        status = HIT_FAIL(HIT_E_IO, "%s: cannot be read: %s", path, strerror(errno));
    }
    if (handle >= 0) (void)close(handle);
    return status;
}
