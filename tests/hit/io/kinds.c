/* SPDX-License-Identifier: MIT
 * usage: kinds write|read FOLDER FORMAT...: a tile of each kind of elements,
 * FOLDER/NAME.FORMAT, which a reader that is not hit looks at, or has written (kinds.sh).
 * Written tiles are reduced, too. Element number k is 3 k - 7, or the nearest that the
 * kind has. */
#include "hit/base/kind.h"
#include "hit/hit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    ROWS = 5,
    COLUMNS = 7
};

extern const hit_kernel turn;
#define DECLARE(KIND, name, c_type, letter)                                              \
    extern const hit_kernel sum_of_##name, least_of_##name, most_of_##name;
HIT_KINDS(DECLARE)

static const struct {
    hit_type type;
    const hit_kernel *reduce[3];
} kinds[] = {
#define ORDERED_f(least, most) (least), (most)
#define ORDERED_i(least, most) (least), (most)
#define ORDERED_u(least, most) (least), (most)
#define ORDERED_b(least, most) (least), (most)
#define ORDERED_e(least, most) (least), (most)
#define ORDERED_E(least, most) (least), (most)
#define ORDERED_c(least, most) NULL, NULL
#define LINE(KIND, name, c_type, letter)                                                 \
    {{HIT_KIND_##KIND, sizeof(c_type)},                                                  \
     {&sum_of_##name, ORDERED_##letter(&least_of_##name, &most_of_##name)}},
    HIT_KINDS(LINE)};

enum {
    KINDS = sizeof(kinds) / sizeof(kinds[0])
};

static void make(hit_type type, int k, char element[HIT_MAX_NUMBER_BYTES])
{
    const hit_type part = type.kind == HIT_KIND_COMPLEX_FLOAT ? HIT_FLOAT : HIT_DOUBLE;

    hit_type_set(type, 3 * k - 7, element);
    if (hit_kind_is_complex(type.kind)) hit_type_set(part, k, element + part.size_bytes);
}

/* Set the elements, or count those that are wrong. */
static int visit(hit_tile *tile, bool sets)
{
    const hit_type type = hit_tile_type(tile);
    int wrong = 0;

    for (int piece = 0; piece < hit_tile_pieces(tile); piece++) {
        hit_view view;
        hit_index x[HIT_MAX_DIMS];

        HIT_MUST(hit_tile_map(tile, piece, sets ? HIT_WRITE : HIT_READ, &view));
        for (bool more = hit_domain_first(&view.domain, x); more;
             more = hit_domain_next(&view.domain, x)) {
            char right[HIT_MAX_NUMBER_BYTES];

            make(type, (int)(COLUMNS * x[0] + x[1]), right);
            if (sets) memcpy(hit_view_at(&view, x), right, type.size_bytes);
            wrong += memcmp(hit_view_at(&view, x), right, type.size_bytes) != 0;
        }
    }
    return wrong;
}

/* What one process finds of all elements. */
static double reduced(hit_type type, int how)
{
    double all = 0;

    for (int k = 0; k < ROWS * COLUMNS; k++) {
        char element[HIT_MAX_NUMBER_BYTES];
        double x;

        make(type, k, element);
        x = hit_type_get(type, element);
        if (k == 0) all = x;
        if (k > 0 && how == 0) all += x;
        if ((how == 1 && x < all) || (how == 2 && x > all)) all = x;
    }
    if (type.kind == HIT_KIND_BOOL) return all > 0;
    if (type.kind == HIT_KIND_INT8) return (int8_t)(int)all; /* a sum wraps around */
    return type.kind == HIT_KIND_UINT8 ? (uint8_t)(int)all : all;
}

static int reduce(hit_context *hit, int k, hit_tile *tile)
{
    const hit_type type = kinds[k].type;
    int wrong = 0;

    for (int how = 0; how < 3 && kinds[k].reduce[how] != NULL; how++) {
        hit_tile *all;
        char found[HIT_MAX_NUMBER_BYTES];

        HIT_MUST(hit_tile_make(hit, hit_domain_scalar(), "single", type, "all", &all));
        HIT_MUST(hit_launch(hit, kinds[k].reduce[how], hit_tile_domain(tile), all, tile));
        HIT_MUST(hit_tile_gather(all, 0, found));
        if (hit_rank(hit) == 0) {
            const double all_k = ROWS * COLUMNS * (ROWS * COLUMNS - 1) / 2.0;
            const bool complex = hit_kind_is_complex(type.kind);

            const double right = reduced(type, how);
            const double off = fabs(hit_type_get(type, found) - right);

            /* sums of 8 digits are rounded in each step */
            wrong += off > (type.kind == HIT_KIND_BFLOAT16 ? 0.05 * fabs(right) : 0) ||
                     hit_type_imaginary(type, found) != (complex ? all_k : 0);
        }
        hit_tile_destroy(&all);
    }
    return wrong;
}

/* The arithmetic of kernels, beside C's. */
static int turned(hit_context *hit)
{
    const hit_complex_float by = hit_complexf(2, -3);
    const float _Complex i = hit_complexf(0, 1);
    hit_tile *tile;
    int wrong = 0;

    HIT_MUST(hit_tile_make(hit, hit_domain_of(ROWS, COLUMNS), "block", HIT_COMPLEX_FLOAT,
                           "turned", &tile));
    (void)visit(tile, true);
    HIT_MUST(hit_launch(hit, &turn, hit_tile_domain(tile), tile, HIT_VALUE(by)));
    for (int piece = 0; piece < hit_tile_pieces(tile); piece++) {
        hit_view view;
        hit_index x[HIT_MAX_DIMS];

        HIT_MUST(hit_tile_map(tile, piece, HIT_READ, &view));
        for (bool more = hit_domain_first(&view.domain, x); more;
             more = hit_domain_next(&view.domain, x)) {
            const float k = (float)(COLUMNS * x[0] + x[1]);
            const float re = 3 * k - 7;
            const float _Complex made = (re - k * i) * (2 - 3 * i) - 2 * (re + k * i);
            const float _Complex found = HIT_AT(view, float _Complex, x[0], x[1]);

            wrong += found != made - 3 + 0.5f * hit_re(made) * i;
        }
    }
    hit_tile_destroy(&tile);
    return wrong;
}

int main(int argc, char **argv)
{
    const bool writes = argc > 2 && strcmp(argv[1], "write") == 0;
    hit_context *hit;
    int wrong = 0;

    HIT_MUST(hit_open(&argc, &argv, &hit));
    for (int k = 0; k < KINDS; k++) {
        const char *name = hit_kind_name(kinds[k].type.kind);
        hit_tile *tile;

        HIT_MUST(hit_tile_make(hit, hit_domain_of(ROWS, COLUMNS), "cyclic", kinds[k].type,
                               name, &tile));
        if (writes) {
            (void)visit(tile, true);
            wrong += reduce(hit, k, tile);
        }
        for (int f = 3; f < argc; f++) {
            char path[1024];

            (void)snprintf(path, sizeof(path), "%s/%s.%s", argv[2], name, argv[f]);
            if (writes) HIT_MUST(hit_tile_write(tile, path, NULL));
            if (!writes) HIT_MUST(hit_tile_read(tile, path, NULL));
            wrong += visit(tile, false);
        }
        hit_tile_destroy(&tile);
    }
    wrong += turned(hit);
    if (wrong > 0) (void)fprintf(stderr, "%d numbers are wrong\n", wrong);
    hit_close(&hit);
    return wrong > 0;
}
