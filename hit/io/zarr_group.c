/* SPDX-License-Identifier: MIT
 * A store: a folder with zarr.json and a folder for each array. The group's zarr.json
 * repeats those of the arrays ("consolidated metadata", as zarr-python has it), so that
 * readers open one file, and see either what was there before or what is there now. */
#define _POSIX_C_SOURCE 200809L /* mkdir */
#include "hit/base/file.h"
#include "hit/base/memory.h"
#include "hit/io/zarr_impl.h"
#include "hit/tile/tile_impl.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    MOST_TEXT = 64 << 20 /* bytes of a zarr.json */
};

void hit_zarr_join(char path[HIT_ZARR_PATH], const hit_array *array, const char *name,
                   const char *file)
{
    (void)snprintf(path, HIT_ZARR_PATH, "%s%s%s%s%s", array->path,
                   name[0] != '\0' ? "/" : "", name, file[0] != '\0' ? "/" : "", file);
}

/* ---- reading ---- */

/* All of a zarr.json. @owner *text: free(); NULL: it is not there */
static hit_status read_text(const hit_array *array, const char *name, char **text)
{
    char path[HIT_ZARR_PATH];
    hit_status status;
    FILE *file;
    long size = -1;

    *text = NULL;
    hit_zarr_join(path, array, name, "zarr.json");
    file = fopen(path, "rb");
    if (file == NULL && errno == ENOENT) return HIT_OK;
    if (file == NULL) return hit_io_cannot(array->path, "read");
    if (fseek(file, 0, SEEK_END) == 0) size = ftell(file);
    if (size < 0 || size > MOST_TEXT || fseek(file, 0, SEEK_SET) != 0) {
        status = HIT_FAIL(HIT_E_IO, "%s: %.200s: expected at most 64 MiB but found %ld",
                          array->path, path + strlen(array->path) + 1, size);
    } else {
        status = hit_memory_zeroed((size_t)size + 1, 1, text);
        if (status == HIT_OK && fread(*text, 1, (size_t)size, file) != (size_t)size) {
            status = hit_io_cannot(array->path, "read");
        }
    }
    (void)fclose(file);
    return status;
}

/* The same, as a value. */
static hit_status read_json(const hit_array *array, const char *name, char **text,
                            hit_json_value *value)
{
    char where[512];

    *value = (hit_json_value){0};
    HIT_TRY(read_text(array, name, text));
    if (*text == NULL) return HIT_OK;
    (void)snprintf(where, sizeof(where), "%s: %.200s%szarr.json", array->path, name,
                   name[0] != '\0' ? "/" : "");
    return hit_json_check(where, *text, value);
}

hit_status hit_zarr_group_read(const hit_array *array, const char *name, hit_type type,
                               hit_zarr_meta *meta)
{
    char *text = NULL;
    hit_json_value value;
    hit_status status = read_json(array, name, &text, &value);

    if (status == HIT_OK && text == NULL) {
        status = HIT_FAIL(HIT_E_IO, "%s: has no array %s", array->path, name);
    }
    if (status == HIT_OK) status = hit_zarr_parse(array->path, value, type, meta);
    free(text);
    return status;
}

/* Is it in JSON as it is? Others are not found again. */
static bool is_plain(const char *name)
{
    for (const char *c = name; *c != '\0'; c++) {
        const bool is_control = (unsigned char)*c < 0x20 || *c == 0x7f;

        if (is_control || *c == '"' || *c == '\\') return false;
    }
    return true;
}

/* Names of arrays that are read may have '/', but stay inside of the store. */
static hit_status check_name(const hit_array *array, const char *name, bool writes)
{
    const bool away =
        name[0] == '\0' || name[0] == '/' || name[0] == '.' || strstr(name, "/.") != NULL;

    if (!away && !(writes && (strchr(name, '/') != NULL || strncmp(name, "__", 2) == 0 ||
                              strcmp(name, "zarr.json") == 0 || !is_plain(name)))) {
        return HIT_OK;
    }
    return HIT_FAIL(
        HIT_E_ARG,
        "%s: expected dataset= a name without '/', '.' or '__' in front%s but "
        "found \"%s\"",
        array->path, writes ? ", and without '/', '\"', '\\' or control characters" : "",
        name);
}

hit_status hit_zarr_group_find(const hit_array *array, char *folder, size_t size,
                               hit_zarr_meta *meta)
{
    char *text = NULL;
    hit_json_value value;
    hit_status status = read_json(array, "", &text, &value);
    const bool itself =
        status == HIT_OK && hit_json_is(hit_json_member(value, "node_type"), "array");

    if (status == HIT_OK && text == NULL && access(array->path, F_OK) != 0) {
        status = hit_io_cannot(array->path, "read");
    }
    free(text);
    HIT_TRY(status);
    if (!itself) HIT_TRY(check_name(array, array->dataset, false));
    (void)snprintf(folder, size, "%s%s%s", array->path, itself ? "" : "/",
                   itself ? "" : array->dataset);
    return hit_zarr_group_read(array, itself ? "" : array->dataset, array->type, meta);
}

/* An array of the store: the text of its metadata, and where its shape is in it. */
typedef struct stored {
    char *text; /* NULL: it is not there */
    hit_json_value value;
    hit_json_value shape;
    hit_index steps; /* how many it has; -1: it has no time */
} stored;

/* @owner found->text: free(), also on failure */
static hit_status look_at(const hit_array *array, const char *name, stored *found)
{
    hit_json_items names;
    hit_json_items extents;

    found->steps = -1;
    HIT_TRY(read_json(array, name, &found->text, &found->value));
    found->shape = hit_json_member(found->value, "shape");
    names = (hit_json_items){.of = hit_json_member(found->value, "dimension_names")};
    extents = (hit_json_items){.of = found->shape};
    if (hit_json_next(&names) && hit_json_is(names.value, "time") &&
        hit_json_next(&extents) && !hit_json_read_whole(extents.value, &found->steps)) {
        found->steps = -1;
    }
    return HIT_OK;
}

static bool stays_inside(hit_json_value key, char name[256])
{
    return hit_json_read_text(key, name, 256) && name[0] != '\0' && name[0] != '.' &&
           name[0] != '/' && strstr(name, "/.") == NULL;
}

/* The longest array in time, or the shortest. */
static hit_status find_steps(const hit_array *array, const hit_zarr_group *group,
                             bool longest, hit_index *steps)
{
    hit_json_items members = {.of = group->members};
    char name[256];

    while (hit_json_next(&members)) {
        stored found;
        hit_status status;

        if (!stays_inside(members.key, name) || strcmp(name, "time") == 0) continue;
        status = look_at(array, name, &found);
        free(found.text);
        HIT_TRY(status);
        if (found.steps >= 0 && (longest ? found.steps > *steps : found.steps < *steps)) {
            *steps = found.steps;
        }
    }
    return HIT_OK;
}

/* ---- the store ---- */

bool hit_zarr_group_keeps(const hit_array *array, const hit_zarr_group *group,
                          const char *name)
{
    return (array->add || array->timed) &&
           hit_json_member(group->members, name).text != NULL;
}

hit_status hit_zarr_group_open(const hit_array *array, hit_zarr_group *group)
{
    hit_json_value value;

    HIT_TRY(check_name(array, array->dataset, true));
    group->made = mkdir(array->path, 0777) == 0;
    if (!group->made && errno != EEXIST) return hit_io_cannot(array->path, "written");
    HIT_TRY(read_json(array, "", &group->text, &value));
    if (group->text == NULL) return HIT_OK;
    if (!hit_json_is(hit_json_member(value, "node_type"), "group")) {
        return HIT_FAIL(HIT_E_IO,
                        "%s: expected a group of Zarr, version 3, to write into",
                        array->path);
    }
    group->members =
        hit_json_member(hit_json_member(value, "consolidated_metadata"), "metadata");
    if (group->members.text == NULL && (array->add || array->timed)) {
        return HIT_FAIL(HIT_E_IO,
                        "%s: expected consolidated metadata to add to but found none; "
                        "zarr.consolidate_metadata() makes it",
                        array->path);
    }
    if (!array->timed) return HIT_OK;
    return find_steps(array, group, true, &group->steps);
}

void hit_zarr_group_close(const hit_array *array, hit_zarr_group *group)
{
    if (group->made && group->text == NULL) (void)rmdir(array->path); /* if it is empty */
    free(group->text);
}

/* ---- writing ---- */

hit_status hit_zarr_group_write_meta(const char *path, const hit_zarr_meta *meta)
{
    hit_draft draft;
    hit_json json = {0};

    HIT_TRY(hit_draft_open(path, &draft));
    json.file = draft.stream;
    hit_zarr_print(&json, NULL, meta);
    hit_json_end_line(&json);
    return hit_draft_close(&draft, HIT_OK);
}

hit_status hit_zarr_group_write_array(const hit_array *array, const char *name,
                                      const hit_zarr_meta *meta)
{
    char path[HIT_ZARR_PATH];

    hit_zarr_join(path, array, name, "zarr.json");
    return hit_zarr_group_write_meta(path, meta);
}

/* The text of an array in time, but with so many steps. */
static void write_text(FILE *file, const stored *found, hit_index steps)
{
    const hit_json_value value = found->value;
    const char *shape = found->shape.text;
    const char *rest = shape + strcspn(shape, ",]");

    (void)fwrite(value.text, 1, (size_t)(shape - value.text), file);
    (void)fprintf(file, "[%lld", (long long)steps);
    (void)fwrite(rest, 1, (size_t)(value.text + value.size - rest), file);
}

hit_status hit_zarr_group_write_steps(const hit_array *array, const char *name,
                                      hit_index steps)
{
    char path[HIT_ZARR_PATH];
    stored found;
    hit_draft draft;
    hit_status status = look_at(array, name, &found);

    if (status == HIT_OK && found.steps < 0) {
        status = HIT_FAIL(HIT_E_IO, "%s: array %s: expected time as its first dimension",
                          array->path, name);
    }
    hit_zarr_join(path, array, name, "zarr.json");
    if (status == HIT_OK) status = hit_draft_open(path, &draft);
    if (status == HIT_OK) {
        write_text(draft.stream, &found, steps);
        (void)fputc('\n', draft.stream);
        status = hit_draft_close(&draft, HIT_OK);
    }
    free(found.text);
    return status;
}

/* A member as its own zarr.json has it, but with so many steps. */
static hit_status print_member(const hit_array *array, hit_json *json, const char *name,
                               hit_index steps)
{
    stored found;
    const hit_status status = look_at(array, name, &found);

    if (status == HIT_OK && found.text != NULL && found.steps < 0) {
        hit_json_raw(json, name, found.value.text, found.value.size);
    } else if (status == HIT_OK && found.text != NULL) {
        hit_json_raw(json, name, "", 0);
        write_text(json->file, &found, steps);
    }
    free(found.text);
    return status;
}

static hit_status print_members(const hit_array *array, const hit_zarr_group *group,
                                hit_json *json, hit_index steps)
{
    const bool adds = array->add || array->timed;
    hit_json_items members = {.of = group->members};
    char name[256];

    while (adds && hit_json_next(&members)) {
        const char *key = members.key.text;

        if (!stays_inside(members.key, name)) { /* it is copied unread */
            hit_json_raw(json, NULL, key, (size_t)(members.at - key));
        } else if (strcmp(name, array->dataset) != 0) {
            HIT_TRY(print_member(array, json, name, steps));
        }
    }
    HIT_TRY(print_member(array, json, array->dataset, steps));
    for (int d = 0; d < array->dims; d++) {
        const hit_axis *axis = &array->axis[d];

        if (axis->name != NULL && hit_axis_has_coordinates(axis) &&
            !hit_zarr_group_keeps(array, group, axis->name)) {
            HIT_TRY(print_member(array, json, axis->name, steps));
        }
    }
    if (array->timed && !hit_zarr_group_keeps(array, group, "time")) {
        HIT_TRY(print_member(array, json, "time", steps));
    }
    return HIT_OK;
}

static hit_status print_group(const hit_array *array, const hit_zarr_group *group,
                              FILE *file, hit_index steps)
{
    hit_json json = {.file = file};
    hit_json_value value = {0};

    if (group->text != NULL) (void)hit_json_check(array->path, group->text, &value);
    value = hit_json_member(value, "attributes");
    if (value.text == NULL) value = (hit_json_value){"{}", 2};
    hit_json_object(&json, NULL);
    hit_json_whole(&json, "zarr_format", 3);
    hit_json_text(&json, "node_type", "group");
    hit_json_raw(&json, "attributes", value.text, value.size);
    hit_json_object(&json, "consolidated_metadata");
    hit_json_text(&json, "kind", "inline");
    hit_json_truth(&json, "must_understand", false);
    hit_json_object(&json, "metadata");
    HIT_TRY(print_members(array, group, &json, steps));
    hit_json_end_line(&json);
    return HIT_OK;
}

/* Arrays that the store had, and which are no part of it any more. */
static void remove_others(const hit_array *array, const hit_zarr_group *group)
{
    hit_json_items members = {.of = group->members};
    char name[256];

    while (hit_json_next(&members)) {
        char path[HIT_ZARR_PATH];
        bool keeps = !stays_inside(members.key, name) || strchr(name, '/') != NULL ||
                     strcmp(name, array->dataset) == 0;

        for (int d = 0; d < array->dims; d++) {
            keeps = keeps || (array->axis[d].name != NULL &&
                              strcmp(array->axis[d].name, name) == 0);
        }
        if (keeps) continue;
        hit_zarr_join(path, array, name, "");
        hit_folder_remove(path);
    }
}

hit_status hit_zarr_group_write(const hit_array *array, const hit_zarr_group *group)
{
    hit_index steps = INT64_MAX;
    stored found;
    char path[HIT_ZARR_PATH];
    hit_draft draft;
    hit_status status = look_at(array, array->dataset, &found);

    free(found.text);
    HIT_TRY(status);
    if (found.steps >= 0) steps = found.steps;
    HIT_TRY(find_steps(array, group, false, &steps));
    hit_zarr_join(path, array, "", "zarr.json");
    HIT_TRY(hit_draft_open(path, &draft));
    status = print_group(array, group, draft.stream, steps);
    HIT_TRY(hit_draft_close(&draft, status));
    if (!array->add && !array->timed) remove_others(array, group);
    return HIT_OK;
}
