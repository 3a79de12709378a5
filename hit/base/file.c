/* SPDX-License-Identifier: MIT
 * Drafts: rename() puts a file in the place of another in one step, if both lie in the
 * same folder. The name of a draft is short, since the file's own may be as long as the
 * system allows; it tells which process writes it, so that the next one removes what a
 * killed one left. */
#define _GNU_SOURCE /* NOLINT(bugprone-reserved-identifier): fallocate, renameat2 */
#include "hit/base/file.h"

#include "hit/base/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

enum {
    MOST_NAMES = 100 /* that may be taken */
};

static hit_status cannot(const char *name, int error)
{
    return HIT_FAIL(HIT_E_IO, "%s: cannot be written: %s", name,
                    error != 0 ? strerror(error) : "some of it is lost");
}

static hit_status no_memory(const char *name)
{
    return HIT_FAIL(HIT_E_NOMEM, "%s: no memory for its name", name);
}

hit_status hit_file_check(FILE *stream, const char *name)
{
    errno = 0;
    if (fflush(stream) == 0 && !ferror(stream)) return HIT_OK;
    if (errno == 0) { /* a stream knows that it failed, not why: meet the reason again */
        (void)fputc('\n', stream);
        (void)fflush(stream);
    }
    return cannot(name, errno);
}

/* Take room from the end of the file to @p size; the error number. */
static int take_room(int handle, const struct stat *file, uint64_t size)
{
    struct rlimit most;

    if (size > INT64_MAX) return EFBIG;
    if (getrlimit(RLIMIT_FSIZE, &most) == 0 && most.rlim_cur != RLIM_INFINITY &&
        size > most.rlim_cur) {
        return EFBIG; /* for which the system would send a signal */
    }
    if (size <= (uint64_t)file->st_size ||
        fallocate(handle, 0, file->st_size, (off_t)size - file->st_size) == 0) {
        return 0;
    }
    return errno == ENOSPC || errno == EDQUOT || errno == EFBIG ? errno : 0;
}

hit_status hit_file_reserve(int handle, uint64_t size_bytes, const char *name)
{
    struct stat file;
    int error;

    if (fstat(handle, &file) != 0) return cannot(name, errno);
    if (!S_ISREG(file.st_mode)) return HIT_OK;
    error = take_room(handle, &file, size_bytes);
    if (error == 0 && ftruncate(handle, (off_t)size_bytes) != 0) error = errno;
    return error == 0 ? HIT_OK : cannot(name, error);
}

/* Links in these folders stand for what is open (/dev/stdout), not for a file's name. */
static bool is_of_system(const char *path)
{
    return strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0;
}

/* What a draft is to replace; NULL in *place if the file itself is to be written. */
static hit_status find_place(const char *path, char **place)
{
    struct stat found;
    bool is_link;

    *place = NULL;
    if (lstat(path, &found) != 0) {
        if (errno != ENOENT) return cannot(path, errno);
        *place = strdup(path);
        return *place != NULL ? HIT_OK : no_memory(path);
    }
    is_link = S_ISLNK(found.st_mode);
    if (is_link && (is_of_system(path) || stat(path, &found) != 0)) return HIT_OK;
    if (!S_ISREG(found.st_mode)) return HIT_OK;
    *place = is_link ? realpath(path, NULL) : strdup(path);
    return *place != NULL ? HIT_OK : no_memory(path);
}

/* ---- the names of drafts: hit-MARK-PID-NUMBER.tmp ---- */

static uint64_t hash_file(uint64_t hash, const char *path)
{
    char text[64];
    const int handle = open(path, O_RDONLY | O_CLOEXEC);
    const ssize_t size = handle < 0 ? 0 : read(handle, text, sizeof(text));

    if (handle >= 0) (void)close(handle);
    for (ssize_t k = 0; k < size; k++) {
        hash = (hash ^ (unsigned char)text[k]) * UINT64_C(1099511628211);
    }
    return hash;
}

/* A number for the processes that this one can see by their ids: this boot of this
 * machine, and the same container. 0: not known. */
static uint32_t mark_of_machine(void)
{
    struct stat ids;
    uint64_t hash = hash_file(0, "/proc/sys/kernel/random/boot_id");

    if (hash == 0 || stat("/proc/self/ns/pid", &ids) != 0) return 0;
    hash ^= (uint64_t)ids.st_ino * UINT64_C(11400714819323198485);
    return (uint32_t)(hash >> 32);
}

/* Remove the drafts in @p folder whose programs were killed. */
static void remove_orphans(const char *folder, uint32_t mark)
{
    DIR *all = opendir(folder);
    const struct dirent *entry;

    while (all != NULL && (entry = readdir(all)) != NULL) {
        uint32_t other = 0;
        long pid = 0;
        int end = 0;

        (void)sscanf(entry->d_name, "hit-%8" SCNx32 "-%ld-%*16[0-9a-f].tmp%n", &other,
                     &pid, &end);
        if (end == 0 || entry->d_name[end] != '\0' || other != mark) continue;
        if (pid < 1 || kill((pid_t)pid, 0) == 0 || errno != ESRCH) continue;
        if (unlinkat(dirfd(all), entry->d_name, 0) != 0 && errno == EISDIR) {
            char path[PATH_MAX];

            if (hit_text_print(path, sizeof(path), "%s/%s", folder, entry->d_name) <
                (int)sizeof(path)) {
                hit_folder_remove(path);
            }
        }
    }
    if (all != NULL) (void)closedir(all);
}

/* Make a file with a name of its own in @p folder, or a folder: 0. */
static int create_in(const char *folder, bool is_folder, char **path)
{
    const size_t size = strlen(folder) + 64;
    const uint32_t mark = mark_of_machine();
    int handle = -1;

    *path = malloc(size);
    errno = ENOMEM;
    for (int k = 0; *path != NULL && handle < 0 && k < MOST_NAMES; k++) {
        struct timespec now = {0};

        (void)clock_gettime(CLOCK_REALTIME, &now);
        (void)snprintf(*path, size, "%s/hit-%08" PRIx32 "-%ld-%016" PRIx64 ".tmp", folder,
                       mark, (long)getpid(),
                       (uint64_t)now.tv_sec << 30 ^ (uint64_t)now.tv_nsec);
        handle = is_folder ? mkdir(*path, 0777)
                           : open(*path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (handle < 0 && errno != EEXIST) break;
    }
    if (handle >= 0 && mark != 0) remove_orphans(folder, mark);
    return handle;
}

/* Beside what it is to replace. */
static int create(hit_draft *draft)
{
    const char *slash = strrchr(draft->place, '/');
    char *folder = slash != NULL ? strndup(draft->place, (size_t)(slash - draft->place))
                                 : strdup(".");
    int handle = -1;
    int error;

    errno = ENOMEM;
    if (folder != NULL) handle = create_in(folder, false, &draft->path);
    error = errno;
    free(folder);
    errno = error;
    return handle;
}

/* ---- folders ---- */

static int remove_one(const char *path, const struct stat *s, int kind, struct FTW *at)
{
    (void)s;
    (void)kind;
    (void)at;
    (void)remove(path);
    return 0;
}

void hit_folder_remove(const char *path)
{
    (void)nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

hit_status hit_folder_draft(const char *folder, char **path)
{
    const int made = create_in(folder, true, path);
    const int error = errno;

    if (made == 0) return HIT_OK;
    free(*path);
    *path = NULL;
    return cannot(folder, error);
}

hit_status hit_folder_place(const char *name, const char *draft, const char *place)
{
    if (rename(draft, place) == 0) return HIT_OK; /* there was none, or an empty one */
    if (renameat2(AT_FDCWD, draft, AT_FDCWD, place, RENAME_EXCHANGE) != 0) {
        if (errno != EINVAL && errno != ENOSYS) return cannot(name, errno);
        hit_folder_remove(place); /* a file system that cannot exchange */
        return rename(draft, place) == 0 ? HIT_OK : cannot(name, errno);
    }
    hit_folder_remove(draft);
    return HIT_OK;
}

hit_status hit_folder_sync(const char *path)
{
    const int handle = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int error = 0;

    if (handle < 0 || (fsync(handle) != 0 && errno != EINVAL)) error = errno;
    if (handle >= 0) (void)close(handle);
    return error == 0 ? HIT_OK : cannot(path, error);
}

/* ---- drafts ---- */

static void forget(hit_draft *draft)
{
    free(draft->place);
    free(draft->path);
    *draft = (hit_draft){0};
}

/* The new file, with the permissions of the old one. */
static hit_status begin(hit_draft *draft)
{
    struct stat old;
    const int handle = create(draft);
    int error;

    if (handle < 0) return cannot(draft->name, errno);
    if (stat(draft->place, &old) == 0) (void)fchmod(handle, old.st_mode & 0777);
    draft->stream = fdopen(handle, "w");
    if (draft->stream != NULL) return HIT_OK;
    error = errno;
    (void)close(handle);
    (void)unlink(draft->path);
    return cannot(draft->name, error);
}

static hit_status begin_itself(hit_draft *draft)
{
    draft->path = strdup(draft->name);
    if (draft->path == NULL) return no_memory(draft->name);
    draft->stream = fopen(draft->path, "w");
    return draft->stream != NULL ? HIT_OK : cannot(draft->name, errno);
}

hit_status hit_draft_open(const char *path, hit_draft *draft)
{
    hit_draft made = {.name = path};
    hit_status status;

    if (path == NULL) {
        *draft = (hit_draft){.name = "standard output", .stream = stdout};
        return HIT_OK;
    }
    HIT_TRY(find_place(path, &made.place));
    status = made.place != NULL ? begin(&made) : begin_itself(&made);
    if (status == HIT_OK) {
        *draft = made;
    } else {
        forget(&made);
    }
    return status;
}

int hit_file_put(int handle, const void *data, size_t size, uint64_t at)
{
    for (size_t done = 0; done < size;) {
        const ssize_t now =
            pwrite(handle, (const char *)data + done, size - done, (off_t)(at + done));

        if (now < 0 && errno != EINTR) return errno;
        if (now > 0) done += (size_t)now;
    }
    return 0;
}

int hit_file_fetch(int handle, void *data, size_t size, uint64_t at, size_t *found)
{
    ssize_t now = 1;

    for (*found = 0; *found < size && now != 0;) {
        now = pread(handle, (char *)data + *found, size - *found, (off_t)(at + *found));
        if (now < 0 && errno != EINTR) return errno;
        if (now > 0) *found += (size_t)now;
    }
    return 0;
}

/* Copy @p size bytes, in the file system itself where it can; the error number. */
static int copy_all(int from, int to, off_t size)
{
    char block[1 << 16];
    loff_t in = 0;
    loff_t out = 0;
    ssize_t now = 1;
    size_t found;
    int error = 0;

    while (in < size && now > 0) {
        now = copy_file_range(from, &in, to, &out, (size_t)(size - in), 0);
    }
    while (in < size && error == 0) {
        error = hit_file_fetch(from, block, sizeof(block), (uint64_t)in, &found);
        if (error == 0 && found == 0) error = EIO; /* it became shorter */
        if (error == 0) error = hit_file_put(to, block, found, (uint64_t)in);
        in += (loff_t)found;
    }
    return error;
}

hit_status hit_draft_copy(hit_draft *draft)
{
    const int to = fileno(draft->stream);
    struct stat old = {0};
    hit_status status = HIT_OK;
    int error = 0;
    int from;

    if (draft->place == NULL) {
        return HIT_FAIL(HIT_E_IO, "%s: is no file to which something can be added",
                        draft->name);
    }
    from = open(draft->place, O_RDONLY | O_CLOEXEC);
    if (from < 0 || fstat(from, &old) != 0) error = errno;
    if (error == 0) status = hit_file_reserve(to, (uint64_t)old.st_size, draft->name);
    if (error == 0 && status == HIT_OK) error = copy_all(from, to, old.st_size);
    if (from >= 0) (void)close(from);
    if (error == 0) return status;
    return HIT_FAIL(HIT_E_IO, "%s: cannot be %s: %s", draft->name,
                    from < 0 ? "read" : "copied", strerror(error));
}

/* Bring it to disk, close it, and put it in its place. */
static hit_status put_in_place(const hit_draft *draft)
{
    const bool replaces = draft->place != NULL;
    int error = 0;

    if (replaces && !draft->spare && fsync(fileno(draft->stream)) != 0 &&
        errno != EINVAL) {
        error = errno;
    }
    if (fclose(draft->stream) != 0 && error == 0) error = errno;
    if (error != 0) return cannot(draft->name, error);
    if (!replaces || rename(draft->path, draft->place) == 0) return HIT_OK;
    return HIT_FAIL(HIT_E_IO, "%s: cannot be replaced: %s", draft->name, strerror(errno));
}

hit_status hit_draft_close(hit_draft *draft, hit_status status)
{
    const hit_status written = hit_file_check(draft->stream, draft->name);

    if (written != HIT_OK) status = written;
    if (draft->path == NULL) return status; /* standard output stays open */
    if (status == HIT_OK) {
        status = put_in_place(draft);
    } else {
        (void)fclose(draft->stream);
    }
    if (status != HIT_OK && draft->place != NULL) (void)unlink(draft->path);
    forget(draft);
    return status;
}
