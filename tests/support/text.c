/* SPDX-License-Identifier: MIT
 * Reading what was written. */
#define _POSIX_C_SOURCE 200809L /* mkdtemp */
#include "tests/support/text.h"

#include "hit/base/context.h"
#include "hit/base/file.h"
#include "hit/comm/comm.h"
#include "hit/hit.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST = 1 << 20
};

void text_of_stream(FILE *file, char *text, size_t size)
{
    rewind(file);
    text[fread(text, 1, size - 1, file)] = '\0';
    (void)fclose(file);
}

char *text_of_file(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = calloc(1, MOST);

    if (file == NULL || text == NULL) {
        perror(path);
        exit(1);
    }
    text_of_stream(file, text, MOST);
    return text;
}

int text_count(const char *text, const char *word)
{
    int found = 0;

    for (const char *at = strstr(text, word); at != NULL; at = strstr(at + 1, word)) {
        found++;
    }
    return found;
}

void text_folder_open(hit_context *hit, char folder[TEXT_FOLDER])
{
    (void)snprintf(folder, TEXT_FOLDER, "/tmp/hit-test-XXXXXX");
    if (hit_rank(hit) == 0 && mkdtemp(folder) == NULL) {
        perror(folder);
        exit(1);
    }
    HIT_MUST(hit_comm_broadcast(hit->comm, 0, folder, TEXT_FOLDER));
}

int text_folder_close(hit_context *hit, const char folder[TEXT_FOLDER])
{
    int files = 0;
    DIR *open = NULL;

    HIT_MUST(hit_barrier(hit)); /* all have written */
    open = opendir(folder);
    while (open != NULL && readdir(open) != NULL) {
        files++;
    }
    if (open != NULL) (void)closedir(open);
    HIT_MUST(hit_barrier(hit));
    if (hit_rank(hit) == 0) hit_folder_remove(folder);
    return files - 2; /* without "." and ".." */
}
