/* SPDX-License-Identifier: MIT
 * usage: hit.io.npy_heads: for each path on standard input a line of what is in the .npy
 * file: "refused" and the reason, "another type", "columns", or the extents and all
 * elements, as a tile has them, in hexadecimal. Beside NumPy: npy_heads.sh. */
#include "hit/hit.h"
#include "hit/io/npy_impl.h"

#include <stdio.h>
#include <string.h>

static hit_context *hit;

#define TYPE(KIND, name, c_type, letter) {HIT_KIND_##KIND, sizeof(c_type)},
static const hit_type types[] = {HIT_KINDS(TYPE){HIT_KIND_BYTES, 12}};

enum {
    TYPES = sizeof(types) / sizeof(types[0])
};

/* The head, for what kind of tile to make. */
static hit_status read_head(const char *path, hit_npy_head *head)
{
    static char text[HIT_NPY_MOST];
    FILE *file = fopen(path, "rb");
    size_t found = 0;
    size_t size = 0;

    if (file != NULL) {
        found = fread(text, 1, sizeof(text), file);
        (void)fclose(file);
    }
    if (found < HIT_NPY_FIRST) return HIT_FAIL(HIT_E_IO, "it is too short");
    HIT_TRY(hit_npy_size(path, text, &size));
    return hit_npy_parse(path, text, size < found ? size : found, head);
}

static void print_elements(hit_tile *tile)
{
    const size_t size_bytes = hit_tile_type(tile).size_bytes;
    hit_index x[HIT_MAX_DIMS];
    hit_view view;

    if (hit_tile_pieces(tile) == 0) return;
    HIT_MUST(hit_tile_map(tile, 0, HIT_READ, &view));
    for (bool more = hit_domain_first(&view.domain, x); more;
         more = hit_domain_next(&view.domain, x)) {
        const unsigned char *element = hit_view_at(&view, x);

        for (size_t k = 0; k < size_bytes; k++) {
            printf("%02x", element[k]);
        }
    }
}

static hit_status print_tile(const char *path, const hit_npy_head *head, hit_type type)
{
    hit_domain domain = hit_domain_scalar();
    hit_tile *tile = NULL;
    hit_status status;

    domain.dims = head->dims;
    for (int d = 0; d < head->dims; d++) {
        domain.sig[d] = (hit_sig){0, head->extent[d] - 1, 1};
    }
    HIT_TRY(hit_tile_make(hit, domain, head->dims > 0 ? "block" : "single", type, "t",
                          &tile)); /* some are too large */
    status = hit_tile_read(tile, path, "format=npy");
    if (status == HIT_OK) {
        printf("(");
        for (int d = 0; d < head->dims; d++) {
            printf("%lld,", (long long)head->extent[d]);
        }
        printf(") ");
        print_elements(tile);
        printf("\n");
    }
    hit_tile_destroy(&tile);
    return status;
}

static void print_file(const char *path)
{
    hit_npy_head head;
    hit_status status = read_head(path, &head);
    int k = 0;

    if (status == HIT_OK) {
        while (k < TYPES && !hit_npy_type_is(types[k], head.type)) {
            k++;
        }
        if (k == TYPES || head.dims > HIT_MAX_DIMS) {
            printf("another type\n");
            return;
        }
        if (head.fortran && head.dims > 1) {
            printf("columns\n");
            return;
        }
        status = print_tile(path, &head, types[k]);
    }
    if (status != HIT_OK) printf("refused: %s\n", hit_status_text());
}

int main(int argc, char **argv)
{
    char path[512];

    HIT_MUST(hit_open(&argc, &argv, &hit));
    while (fgets(path, sizeof(path), stdin) != NULL) {
        path[strcspn(path, "\n")] = '\0';
        print_file(path);
    }
    hit_close(&hit);
    return 0;
}
