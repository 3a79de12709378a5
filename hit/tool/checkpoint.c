/* SPDX-License-Identifier: MIT
 * `hit checkpoint`: what a checkpoint of HIT_CHECKPOINT holds, and whether it is whole.
 */
#define _POSIX_C_SOURCE 200809L /* gmtime_r */
#include "hit/base/kind.h"
#include "hit/base/memory.h"
#include "hit/base/quote.h"
#include "hit/checkpoint/checkpoint_impl.h"
#include "hit/tool/tool.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

static const char USAGE[] =
    "usage: hit checkpoint show FOLDER\n"
    "\n"
    "  FOLDER  a checkpoint, checkpoint-RUN-STEP: what it holds, and its checksums are\n"
    "          compared with its elements; or the folder of HIT_CHECKPOINT: those in it\n"
    "\n"
    "exit codes: 0 all is whole, 1 something is damaged or cannot be read, 2 an error\n";

/* ---- one ---- */

static void print_head(const char *path, const hit_manifest *found)
{
    const time_t written = (time_t)found->written;
    struct tm parts = {0};
    char text[64] = "";

    if (gmtime_r(&written, &parts) != NULL) {
        (void)strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &parts);
    }
    hit_say(stdout, "%s: %s after step %" PRId64 ", by %" PRId64 " process%s, %s UTC\n",
            path, found->program, found->step, found->processes,
            found->processes == 1 ? "" : "es", text);
}

/* The number, of a value that is one. */
static void print_number(hit_type type, const void *value)
{
    int64_t whole;

    if (type.kind == HIT_KIND_INT64) {
        memcpy(&whole, value, sizeof(whole));
        hit_say(stdout, " %" PRId64, whole);
    } else if (type.kind != HIT_KIND_BYTES) {
        hit_say(stdout, " %.17g", hit_type_get(type, value));
    }
}

/* Compare with the checksums, and print what is short. */
static hit_status check_array(const hit_checkpoint_array *array, const char *file)
{
    const hit_stored stored = {.path = file,
                               .name = array->name,
                               .begin_bytes = array->begin_bytes,
                               .blocks = array->blocks,
                               .crc = array->crc};
    void *value = NULL;
    hit_status status;

    if (!array->is_value) return hit_stored_check(&stored, hit_manifest_bytes(array));
    HIT_TRY(hit_memory_zeroed(1, array->type.size_bytes, &value));
    status = hit_stored_read_value(array->type, value, &stored);
    if (status == HIT_OK) print_number(array->type, value);
    free(value);
    return status;
}

static hit_status print_array(const char *path, const hit_checkpoint_array *array)
{
    char file[HIT_CHECKPOINT_ROOM];
    char domain[128] = "value";
    char size[32];
    hit_status status;

    (void)snprintf(file, sizeof(file), "%s/%s", path, array->file);
    hit_memory_print(hit_manifest_bytes(array), size, sizeof(size));
    if (!array->is_value) hit_domain_print(&array->domain, domain, sizeof(domain));
    hit_say(stdout, "  %-16s %-11s %s %s%s%s, in %s,", array->name,
            hit_kind_name(array->type.kind), domain, size,
            array->is_value ? "" : ", layout ", array->layout, array->file);
    status = check_array(array, file);
    hit_say(stdout, "%s\n", status == HIT_OK ? " whole" : " damaged");
    if (status == HIT_E_IO) hit_say(stdout, "    %s\n", hit_status_text());
    return status;
}

static hit_status print_one(const char *path, const char *text)
{
    hit_manifest found;
    hit_status status = hit_manifest_read(path, text, &found);

    if (status == HIT_OK) print_head(path, &found);
    for (int k = 0; k < found.count; k++) {
        const hit_status of_array = print_array(path, &found.array[k]);

        if (status == HIT_OK) status = of_array;
    }
    hit_manifest_clear(&found);
    return status;
}

/* ---- a folder of them ---- */

static hit_status print_folder(const char *folder)
{
    hit_checkpoint_key *key = NULL;
    hit_status status = HIT_OK;
    int count = 0;

    HIT_TRY(hit_checkpoint_list(folder, &count, &key));
    for (int k = 0; k < count; k++) {
        char path[HIT_CHECKPOINT_ROOM];
        char *text = NULL;
        hit_status of_one;

        hit_checkpoint_path(folder, key[k], NULL, path);
        of_one = hit_checkpoint_text(path, &text);
        if (of_one == HIT_OK) of_one = print_one(path, text);
        if (of_one != HIT_OK) hit_say(stdout, "%s: damaged\n", path);
        free(text);
        if (status == HIT_OK) status = of_one;
    }
    free(key);
    if (count > 0) return status;
    return HIT_FAIL(HIT_E_IO, "%s: expected %s, or folders checkpoint-RUN-STEP", folder,
                    HIT_CHECKPOINT_JSON);
}

static hit_status answer(const char *path)
{
    char *text = NULL;
    hit_status status = hit_checkpoint_text(path, &text);

    status = status == HIT_OK ? print_one(path, text) : print_folder(path);
    free(text);
    return status;
}

int hit_tool_checkpoint(int argc, char **argv)
{
    static const hit_tool_option none[] = {{NULL, NULL, NULL}};
    const char *command = NULL;
    const char *path = NULL;
    const char **const plain[] = {&command, &path};
    hit_status status;

    if (hit_tool_helps(argc, argv, USAGE)) return 0;
    status = hit_tool_read_words(argc, argv, none, 2, plain, "folder");
    if (status == HIT_OK && (command == NULL || strcmp(command, "show") != 0)) {
        status = HIT_FAIL(HIT_E_ARG, "expected show but found %s",
                          command != NULL ? command : "nothing");
    }
    if (status == HIT_OK && path == NULL) {
        status = HIT_FAIL(HIT_E_ARG, "expected a folder");
    }
    if (status == HIT_OK) status = answer(path);
    return hit_tool_end("checkpoint", status, 1u << HIT_E_IO);
}
