/* SPDX-License-Identifier: MIT
 * The metadata of an array, by the specification of Zarr's core, version 3, and of its
 * sharding codec. */
#include "hit/base/kind.h"
#include "hit/base/text.h"
#include "hit/io/codec/codec.h"
#include "hit/io/zarr_impl.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *type_name(hit_type type, char text[32])
{
    hit_kind_numpy_name(type.kind, text);
    if (text[0] == '\0') (void)snprintf(text, 32, "r%zu", 8 * type.size_bytes);
    return text;
}

size_t hit_zarr_chunk_bytes(const hit_zarr_meta *meta)
{
    size_t bytes = meta->type.size_bytes;

    for (int d = 0; d < meta->dims; d++) {
        bytes *= (size_t)meta->chunk[d];
    }
    return bytes;
}

hit_index hit_zarr_chunks_of_file(const hit_zarr_meta *meta)
{
    hit_index count = 1;

    for (int d = 0; d < meta->dims; d++) {
        count *= meta->file[d] / meta->chunk[d];
    }
    return count;
}

/* ---- writing ---- */

/* {"name": NAME, "configuration": { ... what follows */
static void begin_named(hit_json *json, const char *key, const char *name)
{
    hit_json_object(json, key);
    hit_json_text(json, "name", name);
    hit_json_object(json, "configuration");
}

static void end_named(hit_json *json)
{
    hit_json_end(json);
    hit_json_end(json);
}

static void print_bytes(hit_json *json)
{
    begin_named(json, NULL, "bytes");
    hit_json_text(json, "endian", "little");
    end_named(json);
}

static void print_crc(hit_json *json)
{
    hit_json_object(json, NULL);
    hit_json_text(json, "name", "crc32c");
    hit_json_end(json);
}

static void print_chain(hit_json *json, const hit_zarr_meta *meta)
{
    hit_json_list(json, "codecs");
    print_bytes(json);
    if (meta->chain.zstd) {
        begin_named(json, NULL, "zstd");
        hit_json_whole(json, "level", HIT_ZSTD_LEVEL);
        hit_json_truth(json, "checksum", false);
        end_named(json);
    }
    if (meta->chain.crc) print_crc(json);
    hit_json_end(json);
}

static void print_codecs(hit_json *json, const hit_zarr_meta *meta)
{
    if (!meta->sharded) {
        print_chain(json, meta);
        return;
    }
    hit_json_list(json, "codecs");
    begin_named(json, NULL, "sharding_indexed");
    hit_json_indices(json, "chunk_shape", meta->dims, meta->chunk);
    print_chain(json, meta);
    hit_json_list(json, "index_codecs");
    print_bytes(json);
    if (meta->index_crc) print_crc(json);
    hit_json_end(json);
    hit_json_text(json, "index_location", meta->index_first ? "start" : "end");
    end_named(json);
    hit_json_end(json);
}

static void print_fill(hit_json *json, const hit_zarr_meta *meta)
{
    const bool complex = hit_kind_is_complex(meta->type.kind);

    if (meta->type.kind == HIT_KIND_BYTES || complex) { /* a list of bytes, or parts */
        hit_json_list(json, "fill_value");
        for (size_t k = 0; k < (complex ? 2 : meta->type.size_bytes); k++) {
            hit_json_whole(json, NULL, 0);
        }
        hit_json_end(json);
    } else if (meta->type.kind == HIT_KIND_BOOL) {
        hit_json_truth(json, "fill_value", false);
    } else {
        hit_json_whole(json, "fill_value", 0);
    }
}

void hit_zarr_print(hit_json *json, const char *key, const hit_zarr_meta *meta)
{
    char text[32];

    hit_json_object(json, key);
    hit_json_whole(json, "zarr_format", 3);
    hit_json_text(json, "node_type", "array");
    hit_json_indices(json, "shape", meta->dims, meta->shape);
    hit_json_text(json, "data_type", type_name(meta->type, text));
    begin_named(json, "chunk_grid", "regular");
    hit_json_indices(json, "chunk_shape", meta->dims, meta->file);
    end_named(json);
    begin_named(json, "chunk_key_encoding", "default");
    hit_json_text(json, "separator", (const char[]){meta->separator, '\0'});
    end_named(json);
    print_fill(json, meta);
    print_codecs(json, meta);
    hit_json_object(json, "attributes");
    if (meta->units[0] != '\0') hit_json_text(json, "units", meta->units);
    hit_json_end(json);
    if (meta->dims > 0 && meta->name[0][0] != '\0') {
        hit_json_list(json, "dimension_names");
        for (int d = 0; d < meta->dims; d++) {
            hit_json_text(json, NULL, meta->name[d]);
        }
        hit_json_end(json);
    }
    hit_json_end(json);
}

/* ---- reading ---- */

static hit_status differs(const char *path, const char *expected, hit_json_value found)
{
    if (found.text == NULL) found = (hit_json_value){"nothing", 7};
    return HIT_FAIL(HIT_E_IO, "%s: zarr.json: expected %s but found %.*s", path, expected,
                    found.size < 60 ? (int)found.size : 60, found.text);
}

/* The configuration of what is to have that name. */
static hit_status read_named(const char *path, hit_json_value in, const char *key,
                             const char *name, hit_json_value *configuration)
{
    const hit_json_value found = hit_json_member(in, key);
    char expected[96];

    (void)snprintf(expected, sizeof(expected), "%s %s", key, name);
    if (!hit_json_is(hit_json_member(found, "name"), name)) {
        return differs(path, expected, found);
    }
    *configuration = hit_json_member(found, "configuration");
    return HIT_OK;
}

static hit_status read_sizes(const char *path, hit_json_value list, const char *what,
                             const hit_zarr_meta *meta, hit_index size[])
{
    const int count = hit_json_read_list(list, HIT_ZARR_DIMS, size);
    bool right = count == meta->dims;

    for (int d = 0; right && d < count; d++) {
        right = size[d] >= 1;
    }
    return right ? HIT_OK : differs(path, what, list);
}

static bool is_codec(hit_json_value codec, const char *name)
{
    return hit_json_is(codec, name) || hit_json_is(hit_json_member(codec, "name"), name);
}

/* bytes, then zstd, then crc32c, the last two where they are there. */
static hit_status read_chain(const char *path, hit_json_value list, size_t size_bytes,
                             hit_zarr_chain *chain)
{
    hit_json_items codecs = {.of = list};
    int count = 0;

    *chain = (hit_zarr_chain){0};
    while (hit_json_next(&codecs)) {
        const hit_json_value codec = codecs.value;
        const hit_json_value endian =
            hit_json_member(hit_json_member(codec, "configuration"), "endian");

        if (count++ == 0) {
            if (is_codec(codec, "bytes") && (size_bytes == 1 || endian.text == NULL ||
                                             hit_json_is(endian, "little"))) {
                continue;
            }
            return differs(path, "little-endian bytes as the first codec", codec);
        }
        if (is_codec(codec, "zstd") && !chain->zstd && !chain->crc) {
            chain->zstd = true;
        } else if (is_codec(codec, "crc32c") && !chain->crc) {
            chain->crc = true;
        } else {
            return differs(path, "codecs bytes, zstd, crc32c", codec);
        }
    }
    return count > 0 ? HIT_OK : differs(path, "codecs", list);
}

static hit_status read_shards(const char *path, hit_json_value shards,
                              hit_zarr_meta *meta)
{
    const hit_json_value location = hit_json_member(shards, "index_location");
    hit_zarr_chain index;

    meta->sharded = true;
    HIT_TRY(read_sizes(path, hit_json_member(shards, "chunk_shape"),
                       "a chunk_shape of shards", meta, meta->chunk));
    for (int d = 0; d < meta->dims; d++) {
        if (meta->file[d] % meta->chunk[d] != 0) {
            return differs(path, "shards of whole chunks",
                           hit_json_member(shards, "chunk_shape"));
        }
    }
    HIT_TRY(read_chain(path, hit_json_member(shards, "codecs"), meta->type.size_bytes,
                       &meta->chain));
    HIT_TRY(read_chain(path, hit_json_member(shards, "index_codecs"), 8, &index));
    if (index.zstd) {
        return differs(path, "an index that is not compressed",
                       hit_json_member(shards, "index_codecs"));
    }
    meta->index_crc = index.crc;
    meta->index_first = hit_json_is(location, "start");
    if (location.text != NULL && !meta->index_first && !hit_json_is(location, "end")) {
        return differs(path, "index_location start or end", location);
    }
    return HIT_OK;
}

static hit_status read_codecs(const char *path, hit_json_value value, hit_zarr_meta *meta)
{
    hit_json_items more = {.of = hit_json_member(value, "storage_transformers")};
    hit_json_items codecs = {.of = hit_json_member(value, "codecs")};
    hit_json_value first;

    if (hit_json_next(&more)) return differs(path, "no storage_transformers", more.of);
    memcpy(meta->chunk, meta->file, sizeof(meta->chunk));
    if (!hit_json_next(&codecs)) return differs(path, "codecs", codecs.of);
    first = codecs.value;
    if (!is_codec(first, "sharding_indexed")) {
        return read_chain(path, codecs.of, meta->type.size_bytes, &meta->chain);
    }
    if (hit_json_next(&codecs)) {
        return differs(path, "shards as the only codec", codecs.value);
    }
    return read_shards(path, hit_json_member(first, "configuration"), meta);
}

/* A number, or a word for one that is none. */
static bool read_real(hit_json_value text, double *real)
{
    static const char *const word[] = {"NaN", "Infinity", "-Infinity"};
    static const double special[] = {NAN, INFINITY, -INFINITY};
    const char *end = NULL;

    if (text.text == NULL) return false;
    for (int k = 0; k < 3; k++) {
        if (!hit_json_is(text, word[k])) continue;
        *real = special[k];
        return true;
    }
    *real = hit_text_real(text.text, &end);
    return end == text.text + text.size;
}

/* [real part, imaginary part] */
static bool read_complex(hit_json_value list, hit_type type, unsigned char *fill)
{
    const hit_type part = type.size_bytes == 2 * sizeof(float) ? HIT_FLOAT : HIT_DOUBLE;
    hit_json_items parts = {.of = list};
    double real;
    int count = 0;

    while (hit_json_next(&parts)) {
        if (count == 2 || !read_real(parts.value, &real)) return false;
        hit_type_set(part, real, fill + (size_t)count++ * part.size_bytes);
    }
    return count == 2;
}

/* Of chunks that are not there. */
static hit_status read_fill(const char *path, hit_json_value value, hit_zarr_meta *meta)
{
    const hit_json_value fill = hit_json_member(value, "fill_value");
    const hit_type type = meta->type;
    hit_index whole = 0;
    double real = 0;
    bool known = false;

    if (type.kind == HIT_KIND_BYTES) return HIT_OK; /* zeros */
    if (hit_kind_is_real(type.kind)) {
        known = read_real(fill, &real);
        hit_type_set(type, real, meta->fill);
    } else if (hit_kind_is_complex(type.kind)) {
        known = read_complex(fill, type, meta->fill);
    } else if (type.kind == HIT_KIND_BOOL) {
        meta->fill[0] = fill.size == 4; /* of "true" and "false" */
        known = fill.text != NULL && (strncmp(fill.text, "true", 4) == 0 ||
                                      strncmp(fill.text, "false", 5) == 0);
    } else { /* one that does not fit has no meaning */
        known = hit_json_read_whole(fill, &whole) &&
                hit_type_convert(HIT_INT64, &whole, type, meta->fill);
    }
    return known ? HIT_OK : differs(path, "a number as fill_value", fill);
}

static void read_names(hit_json_value value, hit_zarr_meta *meta)
{
    hit_json_items names = {.of = hit_json_member(value, "dimension_names")};

    for (int d = 0; d < meta->dims && hit_json_next(&names); d++) {
        (void)hit_json_read_text(names.value, meta->name[d], sizeof(meta->name[d]));
    }
    (void)hit_json_read_text(
        hit_json_member(hit_json_member(value, "attributes"), "units"), meta->units,
        sizeof(meta->units));
}

static hit_status check_sizes(const char *path, const hit_zarr_meta *meta,
                              hit_json_value value)
{
    double chunk = (double)meta->type.size_bytes;
    double chunks = 1;

    for (int d = 0; d < meta->dims; d++) {
        const hit_index along = meta->file[d] / meta->chunk[d];

        chunk *= (double)meta->chunk[d];
        chunks *= (double)along;
    }
    if (chunk > HIT_ZARR_MOST_CHUNK) {
        return differs(path, "chunks of at most 1 GiB",
                       hit_json_member(value, "chunk_grid"));
    }
    return chunks <= 1 << 20 ? HIT_OK
                             : differs(path, "shards of at most 1048576 chunks",
                                       hit_json_member(value, "chunk_grid"));
}

static hit_status read_grid(const char *path, hit_json_value value, hit_zarr_meta *meta)
{
    hit_json_value found;
    char separator[2];

    HIT_TRY(read_named(path, value, "chunk_grid", "regular", &found));
    HIT_TRY(read_sizes(path, hit_json_member(found, "chunk_shape"), "a chunk_shape", meta,
                       meta->file));
    HIT_TRY(read_named(path, value, "chunk_key_encoding", "default", &found));
    found = hit_json_member(found, "separator");
    meta->separator = '/';
    if (found.text == NULL) return HIT_OK;
    if (!hit_json_read_text(found, separator, sizeof(separator)) ||
        strchr("/.", separator[0]) == NULL) {
        return differs(path, "separator / or .", found);
    }
    meta->separator = separator[0];
    return HIT_OK;
}

hit_status hit_zarr_parse(const char *path, hit_json_value value, hit_type type,
                          hit_zarr_meta *meta)
{
    const hit_json_value shape = hit_json_member(value, "shape");
    const hit_json_value found = hit_json_member(value, "data_type");
    char text[32];
    char expected[96];
    char name[32];
    hit_index format = 0;

    *meta = (hit_zarr_meta){.type = type};
    (void)hit_json_read_whole(hit_json_member(value, "zarr_format"), &format);
    if (format != 3 || !hit_json_is(hit_json_member(value, "node_type"), "array")) {
        return differs(path, "an array of Zarr, version 3",
                       hit_json_member(value, format != 3 ? "zarr_format" : "node_type"));
    }
    if (!hit_json_is(found, type_name(type, text))) {
        (void)snprintf(expected, sizeof(expected), "elements of type %s (%s)",
                       hit_kind_type_name(type, name), type_name(type, text));
        return differs(path, expected, found);
    }
    meta->dims = hit_json_read_list(shape, HIT_ZARR_DIMS, meta->shape);
    for (int d = 0; d < meta->dims; d++) {
        if (meta->shape[d] < 0) meta->dims = -1;
    }
    if (meta->dims < 0) return differs(path, "a shape of few dimensions", shape);
    HIT_TRY(read_grid(path, value, meta));
    HIT_TRY(read_codecs(path, value, meta));
    HIT_TRY(check_sizes(path, meta, value));
    read_names(value, meta);
    return read_fill(path, value, meta);
}
