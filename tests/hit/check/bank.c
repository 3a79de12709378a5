/* SPDX-License-Identifier: MIT
 * Tiles for the cases of the bank. */
#include "tests/hit/check/bank.h"

#include "patterns/kernel.h"

#include <string.h>

static const int64_t two = 2;
static const float half = 0.5f;

static void put(hit_type type, int number, void *element)
{
    const float f = (float)number;
    const double d = number;
    const int64_t l = number;

    if (type.kind == HIT_KIND_FLOAT) memcpy(element, &f, sizeof(f));
    if (type.kind == HIT_KIND_DOUBLE) memcpy(element, &d, sizeof(d));
    if (type.kind == HIT_KIND_INT64) memcpy(element, &l, sizeof(l));
    if (type.kind == HIT_KIND_BYTES) memset(element, number, type.size_bytes);
}

static void fill(hit_tile *tile, int salt)
{
    for (int piece = 0; piece < hit_tile_pieces(tile); piece++) {
        hit_index at[HIT_MAX_DIMS];
        hit_view view;
        bool more;

        HIT_MUST(hit_tile_map(tile, piece, HIT_WRITE, &view));
        for (more = hit_domain_first(&view.domain, at); more;
             more = hit_domain_next(&view.domain, at)) {
            int number = salt;

            for (int d = 0; d < view.domain.dims; d++) {
                number = (number * 5 + (int)at[d] * 3) % 97;
            }
            put(hit_tile_type(tile), number % 7 + 1, hit_view_at(&view, at));
        }
    }
}

static hit_arg open_tile(hit_context *hit, const bank_case *one, int k)
{
    const hit_kernel_arg *arg = &one->kernel->arg[k];
    hit_layout *layout;
    hit_tile *tile;

    HIT_MUST(hit_layout_create(hit, one->tile[k], "block", &layout));
    HIT_MUST(hit_tile_create(layout, arg->type, arg->name, &tile));
    hit_layout_destroy(&layout);
    fill(tile, k + 1);
    return hit_arg_tile(tile);
}

void bank_open(hit_context *hit, const bank_case *one, hit_arg args[])
{
    for (int k = 0; k < one->kernel->args; k++) {
        const hit_kernel_arg *arg = &one->kernel->arg[k];

        if (arg->mode != HIT_MODE_VALUE) {
            args[k] = open_tile(hit, one, k);
        } else {
            const bool single = arg->type.kind == HIT_KIND_FLOAT;

            args[k] = (hit_arg){NULL, single ? (const void *)&half : &two, arg->type};
        }
    }
}

void bank_close(const bank_case *one, hit_arg args[])
{
    for (int k = 0; k < one->kernel->args; k++) {
        hit_tile_destroy(&args[k].tile);
    }
}
