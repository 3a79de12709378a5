/* SPDX-License-Identifier: MIT
 * One line of JSON, whose last member is the CRC-32C of all that is before it. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "hit/base/input.h"
#include "hit/base/json.h"
#include "hit/base/kind.h"
#include "hit/base/memory.h"
#include "hit/base/text.h"
#include "hit/checkpoint/checkpoint_impl.h"
#include "hit/io/codec/codec.h"

#include <string.h>

#define LAST ",\"crc32c\":"

enum {
    VERSION = 1,
    MOST_ARRAYS = 10000
};

hit_status hit_manifest_make(int count, hit_manifest *manifest)
{
    HIT_TRY(
        hit_memory_zeroed((size_t)count, sizeof(manifest->array[0]), &manifest->array));
    manifest->count = count;
    return HIT_OK;
}

uint64_t hit_manifest_bytes(const hit_checkpoint_array *array)
{
    return (uint64_t)hit_domain_count(&array->domain) * array->type.size_bytes;
}

hit_status hit_manifest_size(hit_checkpoint_array *array)
{
    array->blocks = hit_sums_blocks(hit_manifest_bytes(array));
    return hit_memory_zeroed((size_t)array->blocks, sizeof(array->crc[0]), &array->crc);
}

void hit_manifest_clear(hit_manifest *manifest)
{
    for (int k = 0; k < manifest->count; k++) {
        free(manifest->array[k].crc);
    }
    free(manifest->array);
    manifest->array = NULL;
    manifest->count = 0;
}

/* ---- writing ---- */

static void print_array(hit_json *json, const hit_checkpoint_array *array)
{
    hit_json_object(json, NULL);
    hit_json_text(json, "name", array->name);
    hit_json_text(json, "is", array->is_value ? "value" : "tile");
    hit_json_text(json, "type", hit_kind_name(array->type.kind));
    hit_json_count(json, "element_bytes", array->type.size_bytes);
    hit_json_list(json, "domain");
    for (int d = 0; d < array->domain.dims; d++) {
        const hit_sig *sig = &array->domain.sig[d];

        hit_json_indices(json, NULL, 3,
                         (const hit_index[]){sig->begin, sig->end, sig->stride});
    }
    hit_json_end(json);
    hit_json_text(json, "layout", array->layout);
    hit_json_text(json, "file", array->file);
    hit_json_count(json, "begin_bytes", array->begin_bytes);
    hit_json_count(json, "block_bytes", HIT_STORED_BLOCK);
    hit_json_list(json, "crc32c");
    for (hit_index k = 0; k < array->blocks; k++) {
        hit_json_count(json, NULL, array->crc[k]);
    }
    hit_json_end(json);
    hit_json_end(json);
}

static void print_all(FILE *file, const hit_manifest *manifest)
{
    hit_json json = {.file = file};

    hit_json_object(&json, NULL);
    hit_json_whole(&json, "hit_checkpoint", VERSION);
    hit_json_text(&json, "program", manifest->program);
    hit_json_whole(&json, "run", manifest->run);
    hit_json_whole(&json, "step", manifest->step);
    hit_json_whole(&json, "written", manifest->written);
    hit_json_whole(&json, "processes", manifest->processes);
    hit_json_list(&json, "arrays");
    for (int k = 0; k < manifest->count; k++) {
        print_array(&json, &manifest->array[k]);
    }
    hit_json_end_line(&json);
}

hit_status hit_manifest_print(const hit_manifest *manifest, char **text)
{
    size_t size = 0;
    FILE *file = open_memstream(text, &size);

    if (file != NULL) {
        print_all(file, manifest);
        (void)fflush(file);
        if (size > 2) {
            size -= 2; /* what ends the object, and the line */
            (void)fseek(file, -2, SEEK_CUR);
            (void)fprintf(file, LAST "%u}\n", hit_crc32c(*text, size));
        }
        if (fclose(file) == 0 && size > 2) return HIT_OK;
        free(*text);
    }
    *text = NULL;
    return HIT_FAIL(HIT_E_NOMEM, "no memory for what a checkpoint holds");
}

/* ---- reading ---- */

static hit_status damaged(const char *name, const char *what)
{
    return HIT_FAIL(HIT_E_IO, "%s: expected what a checkpoint holds but found %s", name,
                    what);
}

/* Is the text what was written? */
static hit_status check_sum(const char *name, const char *text)
{
    const char *last = NULL;
    const char *at = text;
    char expected[64];

    while ((at = strstr(at, LAST)) != NULL) {
        last = at;
        at++;
    }
    if (last == NULL) return damaged(name, "no checksum: it is cut off, or another file");
    (void)hit_text_print(expected, sizeof(expected), LAST "%u}\n",
                         hit_crc32c(text, (size_t)(last - text)));
    if (strcmp(last, expected) == 0) return HIT_OK;
    return damaged(name, "another checksum than that of its text");
}

static bool read_kind(hit_json_value value, hit_kind *kind)
{
    for (int k = HIT_KIND_BYTES; k < HIT_KIND_COUNT; k++) {
        *kind = (hit_kind)k;
        if (hit_json_is(value, hit_kind_name(*kind))) return true;
    }
    return false;
}

static bool read_domain(hit_json_value value, hit_domain *domain)
{
    hit_json_items items = {.of = value};

    while (hit_json_next(&items)) {
        hit_index number[3];

        if (domain->dims == HIT_MAX_DIMS ||
            hit_json_read_list(items.value, 3, number) != 3) {
            return false;
        }
        domain->sig[domain->dims++] = hit_sig_make(number[0], number[1], number[2]);
    }
    return true;
}

static hit_status read_sums(hit_json_value value, hit_checkpoint_array *array, bool *good)
{
    hit_json_items items = {.of = value};
    hit_index k = 0;

    HIT_TRY(hit_manifest_size(array));
    for (; hit_json_next(&items); k++) {
        hit_index number;

        *good = *good && k < array->blocks && hit_json_read_whole(items.value, &number);
        if (!*good) return HIT_OK;
        array->crc[k] = (uint64_t)number;
    }
    *good = *good && k == array->blocks;
    return HIT_OK;
}

static hit_status read_array(const char *name, hit_json_value from,
                             hit_checkpoint_array *array)
{
    hit_index size = 0;
    hit_index begin = 0;
    bool good = hit_json_read_text(hit_json_member(from, "name"), array->name,
                                   sizeof(array->name)) &&
                hit_json_read_text(hit_json_member(from, "file"), array->file,
                                   sizeof(array->file)) &&
                strchr(array->file, '/') == NULL &&
                read_kind(hit_json_member(from, "type"), &array->type.kind) &&
                hit_json_read_whole(hit_json_member(from, "element_bytes"), &size) &&
                hit_json_read_whole(hit_json_member(from, "begin_bytes"), &begin) &&
                size > 0 && begin >= 0 &&
                read_domain(hit_json_member(from, "domain"), &array->domain);

    (void)hit_json_read_text(hit_json_member(from, "layout"), array->layout,
                             sizeof(array->layout));
    array->is_value = hit_json_is(hit_json_member(from, "is"), "value");
    array->type.size_bytes = (size_t)size;
    array->begin_bytes = (uint64_t)begin;
    if (good) HIT_TRY(read_sums(hit_json_member(from, "crc32c"), array, &good));
    return good ? HIT_OK : damaged(name, "an array that is not described");
}

static hit_status read_all(const char *name, hit_json_value from, hit_manifest *manifest)
{
    const hit_json_value arrays = hit_json_member(from, "arrays");
    hit_json_items items = {.of = arrays};
    hit_index version = 0;
    int count = 0;

    if (!hit_json_read_whole(hit_json_member(from, "hit_checkpoint"), &version) ||
        !hit_json_read_text(hit_json_member(from, "program"), manifest->program,
                            sizeof(manifest->program)) ||
        !hit_json_read_whole(hit_json_member(from, "run"), &manifest->run) ||
        !hit_json_read_whole(hit_json_member(from, "step"), &manifest->step) ||
        !hit_json_read_whole(hit_json_member(from, "written"), &manifest->written) ||
        !hit_json_read_whole(hit_json_member(from, "processes"), &manifest->processes)) {
        return damaged(name, "other members");
    }
    if (version != VERSION) {
        return damaged(name, "that of another version of the library");
    }
    while (count < MOST_ARRAYS && hit_json_next(&items)) {
        count++;
    }
    HIT_TRY(hit_manifest_make(count, manifest));
    items.at = NULL;
    for (int k = 0; k < count && hit_json_next(&items); k++) {
        HIT_TRY(read_array(name, items.value, &manifest->array[k]));
    }
    return HIT_OK;
}

hit_status hit_manifest_read(const char *name, const char *text, hit_manifest *manifest)
{
    hit_json_value all;

    *manifest = (hit_manifest){.count = 0};
    HIT_TRY(check_sum(name, text));
    HIT_TRY(hit_json_check(name, text, &all));
    return read_all(name, all, manifest);
}
