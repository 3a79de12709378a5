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

static hit_status find_by_ending(const hit_context *context, hit_array *array)
{
    const hit_format *format;
    char endings[128] = "";
    char names[128] = "";

    for (int f = 0; (format = hit_format_number(context, f)) != NULL; f++) {
        for (const char *const *e = format->ending; *e != NULL; e++) {
            if (ends_with(array->path, *e)) array->format = format;
            add_choice(endings, sizeof(endings), "", *e);
        }
        add_choice(names, sizeof(names), "format=", format->name);
    }
    if (array->format != NULL) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG, "%s: expected a path that ends in %s, or the option %s",
                    array->path, endings, names);
}

/* As many sizes as the options before this one had, *sizes. */
static hit_status read_sizes(const char *what, const char *value, int *sizes,
                             hit_index size[])
{
    const hit_number_shape shape = {'x', 1, HIT_MAX_DIMS};
    const int before = *sizes;

    HIT_TRY(hit_number_list(what, value, &shape, sizes, size));
    if (before == 0 || before == *sizes) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG, "expected as many chunks= as shards= but found %d and %d",
                    before, *sizes);
}

/* One of two words; *is: the first of them. */
static hit_status read_choice(const char *key, const char *value, const char *first,
                              bool *is)
{
    *is = strcmp(value, first) == 0;
    if (*is || strcmp(value, "no") == 0) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG, "expected %s=%s or %s=no but found \"%s\"", key, first,
                    key, value);
}

/* Options of writing alone. */
static hit_status read_of_writing(hit_file_transfer *t, const char *key,
                                  const char *value)
{
    hit_array *array = &t->array;

    if (strcmp(key, "chunks") == 0) {
        return read_sizes("chunks=", value, &t->sizes, array->chunks);
    }
    if (strcmp(key, "shards") == 0) {
        return read_sizes("shards=", value, &t->sizes, array->shards);
    }
    if (strcmp(key, "time") == 0) {
        array->timed = true;
        return hit_number_read_real("time=", value, -DBL_MAX, DBL_MAX, &array->time);
    }
    if (strcmp(key, "compress") == 0) {
        return read_choice(key, value, "zstd", &array->compress);
    }
    if (strcmp(key, "add") == 0) return read_choice(key, value, "yes", &array->add);
    return HIT_FAIL(HIT_E_ARG,
                    "expected an option format, dataset, buffer, add, chunks, shards, "
                    "compress or time but found \"%s\"",
                    key);
}

static hit_status read_one(void *of, const char *key, const char *value)
{
    hit_file_transfer *t = of;
    const size_t most = (size_t)1 << 30; /* counts of MPI are 32 bits wide */
    const size_t room = sizeof(t->dataset);

    if (strcmp(key, "format") == 0) {
        return hit_format_find(t->context, value, &t->array.format);
    }
    if (strcmp(key, "dataset") == 0) {
        if ((size_t)snprintf(t->dataset, room, "%s", value) < room) return HIT_OK;
        return HIT_FAIL(HIT_E_ARG,
                        "expected dataset= a name of less than %zu characters but found "
                        "\"%.20s...\"",
                        room, value);
    }
    if (strcmp(key, "buffer") == 0) {
        HIT_TRY(hit_memory_parse(value, &t->buffer_bytes));
        if (t->buffer_bytes <= most) return HIT_OK;
        return HIT_FAIL(HIT_E_ARG, "expected buffer= at most 1GiB but found \"%s\"",
                        value);
    }
    if (t->writes) return read_of_writing(t, key, value);
    if (strcmp(key, "step") == 0) {
        t->array.has_step = true;
        return hit_number_read("step=", value, INT64_MIN / 2, INT64_MAX / 2,
                               &t->array.step);
    }
    return HIT_FAIL(HIT_E_ARG,
                    "expected an option format, dataset, buffer or step but found "
                    "\"%s\"",
                    key);
}

/* Does the format know what was asked for? */
static hit_status check_format(const hit_file_transfer *t)
{
    const hit_array *array = &t->array;
    const hit_format *format = array->format;
    const bool of_chunks = t->sizes > 0 || array->compress;

    if ((!format->chunked && of_chunks) ||
        (!format->timed && (array->timed || array->has_step))) {
        return HIT_FAIL(HIT_E_ARG, "%s: format %s has no %s do not apply", array->path,
                        format->name,
                        of_chunks ? "chunks: chunks=, shards= and compress="
                                  : "steps: time= and step=");
    }
    if (!format->named && (array->add || t->dataset[0] != '\0')) {
        return HIT_FAIL(HIT_E_ARG,
                        "%s: format %s has no datasets: dataset= and add= do not apply",
                        array->path, format->name);
    }
    if (t->sizes == 0 || t->sizes == array->dims) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG, "%s: expected chunks= of %d sizes but found %d",
                    array->path, array->dims, t->sizes);
}

hit_status hit_io_options_read(const char *text, hit_file_transfer *t)
{
    t->buffer_bytes = HIT_TRANSFER_BUFFER;
    HIT_TRY(hit_option_each(t->array.path, text, read_one, t));
    if (t->array.format == NULL) HIT_TRY(find_by_ending(t->context, &t->array));
    return check_format(t);
}

hit_status hit_io_check_readable(const char *path)
{
    const int handle = open(path, O_RDONLY | O_CLOEXEC);
    hit_status status = HIT_OK;
    char first;

    /* a folder can be opened */
    if (handle < 0 || (pread(handle, &first, 1, 0) < 0 && errno != ESPIPE)) {
        status = hit_io_cannot(path, "read");
    }
    if (handle >= 0) (void)close(handle);
    return status;
}
