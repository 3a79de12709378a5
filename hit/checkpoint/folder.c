/* SPDX-License-Identifier: MIT
 * A folder of checkpoints. Runs are numbered, so that one that begins anew needs to
 * remove nothing before its first checkpoint is whole. The system drops the lock of a
 * process that is killed. */
#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier): flock */
#include "hit/base/alloc.h"
#include "hit/base/file.h"
#include "hit/base/input.h"
#include "hit/base/text.h"
#include "hit/checkpoint/checkpoint_impl.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static void path_in(const char *folder, const char *file, char path[HIT_CHECKPOINT_ROOM])
{
    (void)hit_text_print(path, HIT_CHECKPOINT_ROOM, "%s/%s", folder, file);
}

void hit_checkpoint_path(const char *folder, hit_checkpoint_key key, const char *file,
                         char path[HIT_CHECKPOINT_ROOM])
{
    (void)hit_text_print(path, HIT_CHECKPOINT_ROOM, "%s/checkpoint-%" PRId64 "-%" PRId64,
                         folder, key.run, key.step);
    if (file != NULL) hit_text_add(path, HIT_CHECKPOINT_ROOM, "/%s", file);
}

/* ---- one run at a time ---- */

/* Another run has the lock: which one, as it wrote into it. */
static hit_status refuse(const char *folder, int handle)
{
    char text[128] = "";
    const ssize_t size = pread(handle, text, sizeof(text) - 1, 0);

    if (size > 0) text[strcspn(text, "\n")] = '\0';
    return HIT_FAIL(HIT_E_IO, "%s: another run is in this folder%s%s", folder,
                    size > 0 ? ": " : "", size > 0 ? text : "");
}

static hit_status write_owner(const char *path, int handle)
{
    char host[64] = "";
    char text[128];
    int size;

    (void)gethostname(host, sizeof(host) - 1);
    size =
        hit_text_print(text, sizeof(text), "process %ld on %s\n", (long)getpid(), host);
    if (ftruncate(handle, 0) == 0 && pwrite(handle, text, (size_t)size, 0) == size) {
        return HIT_OK;
    }
    return hit_io_cannot(path, "written");
}

hit_status hit_checkpoint_lock(const char *folder, int *handle)
{
    char path[HIT_CHECKPOINT_ROOM];
    hit_status status;

    if (mkdir(folder, 0777) != 0 && errno != EEXIST) return hit_io_cannot(folder, "made");
    path_in(folder, "lock", path);
    *handle = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (*handle < 0) return hit_io_cannot(path, "written");
    if (flock(*handle, LOCK_EX | LOCK_NB) != 0) {
        status = errno == EWOULDBLOCK ? refuse(folder, *handle)
                                      : hit_io_cannot(path, "locked");
    } else {
        status = write_owner(path, *handle);
    }
    if (status != HIT_OK) hit_checkpoint_unlock(handle);
    return status;
}

void hit_checkpoint_unlock(int *handle)
{
    if (*handle >= 0) (void)close(*handle);
    *handle = -1;
}

/* ---- which ones are there ---- */

static bool read_name(const char *name, hit_checkpoint_key *key)
{
    int end = 0;

    (void)hit_text_scan(name, "checkpoint-%" SCNd64 "-%" SCNd64 "%n", &key->run,
                        &key->step, &end);
    return end > 0 && name[end] == '\0' && key->run > 0 && key->step >= 0;
}

static int newest_first(const void *a, const void *b)
{
    const hit_checkpoint_key *x = a;
    const hit_checkpoint_key *y = b;

    if (x->run != y->run) return x->run > y->run ? -1 : 1;
    return (x->step < y->step) - (x->step > y->step);
}

static hit_status list_all(DIR *all, const char *folder, int *count,
                           hit_checkpoint_key **key)
{
    const struct dirent *entry;
    hit_checkpoint_key found;
    size_t room = 0;

    for (;;) {
        errno = 0;
        entry = readdir(all);
        if (entry == NULL) break;
        if (!read_name(entry->d_name, &found)) continue;
        HIT_TRY(hit_memory_grow((size_t)*count + 1, &room, sizeof(found), folder, key));
        (*key)[(*count)++] = found;
    }
    if (errno != 0) return hit_io_cannot(folder, "read");
    if (*count > 0) qsort(*key, (size_t)*count, sizeof(found), newest_first);
    return HIT_OK;
}

hit_status hit_checkpoint_list(const char *folder, int *count, hit_checkpoint_key **key)
{
    DIR *all = opendir(folder);
    hit_status status;

    *count = 0;
    *key = NULL;
    if (all == NULL) return hit_io_cannot(folder, "read");
    status = list_all(all, folder, count, key);
    (void)closedir(all);
    if (status == HIT_OK) return HIT_OK;
    free(*key);
    *key = NULL;
    *count = 0;
    return status;
}

hit_status hit_checkpoint_text(const char *path, char **text)
{
    char file[HIT_CHECKPOINT_ROOM];

    path_in(path, HIT_CHECKPOINT_JSON, file);
    return hit_lines_load(file, "what a checkpoint holds", text);
}

/* ---- the end of a run ---- */

hit_status hit_checkpoint_ended(const char *folder, hit_index *run)
{
    char path[HIT_CHECKPOINT_ROOM];
    FILE *file;
    int count;

    *run = 0;
    path_in(folder, "ended", path);
    file = fopen(path, "r");
    if (file == NULL) return errno == ENOENT ? HIT_OK : hit_io_cannot(path, "read");
    count = fscanf(file, "run %" SCNd64, run);
    (void)fclose(file);
    if (count == 1) return HIT_OK;
    *run = 0;
    return HIT_FAIL(HIT_E_IO,
                    "%s: expected the number of a run that came to its end; "
                    "without the file the newest checkpoint goes on",
                    path);
}

hit_status hit_checkpoint_end(const char *folder, hit_index run)
{
    char path[HIT_CHECKPOINT_ROOM];
    hit_draft draft;

    path_in(folder, "ended", path);
    HIT_TRY(hit_draft_open(path, &draft));
    (void)fprintf(draft.stream, "run %" PRId64 " came to its end\n", run);
    HIT_TRY(hit_draft_close(&draft, HIT_OK));
    return hit_folder_sync(folder);
}

/* ---- older ones ---- */

/* What is half removed is a draft: no list has it, and the next draft removes it. */
static void remove_one(const char *folder, hit_checkpoint_key key)
{
    char path[HIT_CHECKPOINT_ROOM];
    char *draft = NULL;

    hit_checkpoint_path(folder, key, NULL, path);
    if (hit_folder_draft(folder, &draft) != HIT_OK) return;
    (void)rename(path, draft);
    hit_folder_remove(draft);
    free(draft);
}

void hit_checkpoint_clean(const char *folder, hit_checkpoint_key newest, hit_index keep)
{
    hit_checkpoint_key *key = NULL;
    int count = 0;

    if (hit_checkpoint_list(folder, &count, &key) != HIT_OK) return;
    for (int k = 0; k < count; k++) {
        if (newest_first(&key[k], &newest) >= 0 && keep > 0) {
            keep--;
        } else {
            remove_one(folder, key[k]);
        }
    }
    free(key);
}
