/* SPDX-License-Identifier: MIT
 * What the tests of files share. */
#define _XOPEN_SOURCE 700 /* NOLINT(bugprone-reserved-identifier): mkdtemp, nftw */

#include "tests/hit/io/io_case.h"

#include "hit/base/context.h"
#include "hit/base/kind.h"
#include "hit/comm/comm.h"
#include "hit/data/sig.h"

#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    LONG = 256,
    MOST_BYTES = 64 /* of an element */
};

static char folder[LONG];
static char wrong[2 * LONG];

void io_begin(hit_context *hit)
{
    const char *above = getenv("TMPDIR");

    if (hit_rank(hit) == 0) {
        (void)snprintf(folder, sizeof(folder), "%s/hit-io-XXXXXX",
                       above != NULL ? above : "/tmp");
        if (mkdtemp(folder) == NULL) abort();
    }
    HIT_MUST(hit_comm_broadcast(hit->comm, 0, folder, sizeof(folder)));
}

static int remove_one(const char *path, const struct stat *s, int kind, struct FTW *at)
{
    (void)s;
    (void)kind;
    (void)at;
    return remove(path);
}

void io_end(hit_context *hit)
{
    HIT_MUST(hit_barrier(hit));
    if (hit_rank(hit) == 0) (void)nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

int io_drafts(hit_context *hit)
{
    DIR *all;
    const struct dirent *entry;
    int count = 0;

    HIT_MUST(hit_barrier(hit));
    all = opendir(folder);
    if (all == NULL) abort();
    while ((entry = readdir(all)) != NULL) {
        if (strstr(entry->d_name, ".tmp") != NULL) count++;
    }
    (void)closedir(all);
    return count;
}

const char *io_path(const char *name)
{
    static char path[4 * LONG];

    (void)snprintf(path, sizeof(path), "%s/%s", folder, name);
    return path;
}

void io_claim(bool right, const char *what, const char *where)
{
    if (right || wrong[0] != '\0') return;
    (void)snprintf(wrong, sizeof(wrong), "%s: %s (%s)", where, what, hit_status_text());
}

void io_assert(void)
{
    char found[sizeof(wrong)];

    memcpy(found, wrong, sizeof(wrong));
    wrong[0] = '\0';
    ck_assert_msg(found[0] == '\0', "%s", found);
}

void io_element(hit_type type, hit_index position, void *element)
{
    const hit_index x = 3 * position - 7;

    if (hit_kind_is_real(type.kind)) {
        hit_type_set(type, (double)x / (type.kind == HIT_KIND_DOUBLE ? 4 : 1), element);
        return;
    }
    if (type.kind == HIT_KIND_BOOL) {
        hit_type_set(type, (double)(x % 2), element);
        return;
    }
    if (hit_type_convert(HIT_INT64, &x, type, element)) return;
    for (size_t k = 0; k < type.size_bytes; k++) {
        ((unsigned char *)element)[k] = (unsigned char)(x + (hit_index)k * 5);
    }
}

hit_tile *io_tile(hit_context *hit, const char *text, hit_domain domain, hit_type type)
{
    hit_layout *layout;
    hit_tile *tile;

    HIT_MUST(hit_layout_create(hit, domain, text, &layout));
    HIT_MUST(hit_tile_create(layout, type, "field", &tile));
    hit_layout_destroy(&layout);
    return tile;
}

/* Where the element with an index stands in the array. */
static hit_index position(const hit_domain *domain, const hit_index index[])
{
    hit_index at = 0;

    for (int d = 0; d < domain->dims; d++) {
        at = at * hit_sig_count(domain->sig[d]) +
             hit_sig_position(domain->sig[d], index[d]);
    }
    return at;
}

/* Set or compare all elements of this process. */
static bool visit(hit_tile *tile, bool sets)
{
    const hit_domain domain = hit_tile_domain(tile);
    const hit_type type = hit_tile_type(tile);
    bool same = true;

    for (int k = 0; k < hit_tile_pieces(tile); k++) {
        hit_index x[HIT_MAX_DIMS];
        unsigned char element[MOST_BYTES];
        hit_view view;

        HIT_MUST(hit_tile_map(tile, k, sets ? HIT_WRITE : HIT_READ, &view));
        for (bool more = hit_domain_first(&view.domain, x); more;
             more = hit_domain_next(&view.domain, x)) {
            io_element(type, position(&domain, x), element);
            if (sets) {
                memcpy(hit_view_at(&view, x), element, type.size_bytes);
            } else {
                same =
                    same && memcmp(hit_view_at(&view, x), element, type.size_bytes) == 0;
            }
        }
    }
    return same;
}

void io_fill(hit_tile *tile)
{
    (void)visit(tile, true);
}

bool io_filled(hit_tile *tile)
{
    return visit(tile, false);
}

/* ---- files that others change ---- */

void io_put(const char *name, const char *data, size_t size)
{
    FILE *file = fopen(io_path(name), "wb");

    if (file == NULL || fwrite(data, 1, size, file) != size) abort();
    (void)fclose(file);
}

size_t io_get(const char *name, char *data, size_t room)
{
    FILE *file = fopen(io_path(name), "rb");
    size_t size;

    if (file == NULL) abort();
    size = fread(data, 1, room, file);
    (void)fclose(file);
    return size;
}

void io_change(const char *name, const char *from, const char *to, char kept[8192])
{
    static char changed[8192];
    const size_t size = io_get(name, kept, 8191);
    const char *at;

    kept[size] = '\0';
    at = strstr(kept, from);
    if (at == NULL) abort();
    (void)snprintf(changed, sizeof(changed), "%.*s%s%s", (int)(at - kept), kept, to,
                   at + strlen(from));
    io_put(name, changed, strlen(changed));
}

int io_run(int *argc, char ***argv, Suite *suite, hit_context **hit, hit_tile **field,
           hit_domain domain, hit_type type)
{
    int failed;

    HIT_MUST(hit_open(argc, argv, hit));
    io_begin(*hit);
    *field = io_tile(*hit, "block", domain, type);
    failed = check_run(suite);
    hit_tile_destroy(field);
    io_end(*hit);
    hit_close(hit);
    return failed;
}
