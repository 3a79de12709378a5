/* SPDX-License-Identifier: MIT
 * A glider on a torus, by hit/hit.h alone: periodic boundaries, cells that process 0
 * gives to all, tiles that are distributed anew half-way. After 4 N generations the
 * glider is where it began.
 *
 *     life [LAYOUT [LAYOUT]]     two texts of docs/layout.md, default block, cyclic:dim=1
 */
#include "hit/hit.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

enum {
    N = 24,
    GENERATIONS = 4 * N
};

extern const hit_kernel life; /* life.k.c */

static const uint8_t glider[3][3] = {{0, 1, 0}, {0, 0, 1}, {1, 1, 1}};

/** A mistake in a text is the user's: name it, and go on with another one. */
static hit_layout *make_layout(hit_context *hit, hit_domain torus, const char *text)
{
    hit_layout *layout = NULL;
    hit_status st = hit_layout_create(hit, torus, text, &layout);

    if (st != HIT_OK) {
        if (hit_rank(hit) == 0) {
            fprintf(stderr, "%s: %s\n", hit_status_name(st), hit_status_text());
        }
        HIT_MUST(hit_layout_create(hit, torus, "block", &layout));
    }
    return layout;
}

/** Cells that live on this process, inside @p box. */
static int living(hit_tile *tile, const hit_domain *box)
{
    int count = 0;

    for (int k = 0; k < hit_tile_pieces(tile); k++) {
        hit_domain seen;
        hit_view view;

        HIT_MUST(hit_tile_map(tile, k, HIT_READ, &view));
        seen = hit_domain_intersect(&view.domain, box);
        HIT_FOR_EACH (x, seen) {
            count += HIT_AT(view, uint8_t, x[0], x[1]);
        }
    }
    return count;
}

static void describe(const hit_tile *tile, const char *layout_text)
{
    const hit_index middle[] = {N / 2, N / 2};
    const hit_layout *layout = hit_tile_layout(tile);
    hit_domain domain = hit_layout_domain(layout);
    char text[1024];

    hit_domain_print(&domain, text, sizeof text);
    printf("tile %s: %s as %s (%s)\n", hit_tile_name(tile), text, hit_layout_name(layout),
           layout_text);
    if (hit_layout_box(layout, middle, &domain)) {
        hit_domain_print(&domain, text, sizeof text);
        printf("its middle is on process %d, in %s\n", hit_layout_owner(layout, middle),
               text);
    }
    HIT_MUST(hit_layout_print(layout, text, sizeof text));
    fputs(text, stdout);
}

static void run(hit_context *hit, hit_tile **now, hit_tile **next)
{
    for (int t = 0; t < GENERATIONS / 2; t++) {
        HIT_MUST(hit_launch(hit, &life, hit_tile_domain(*now), *next, *now));
        hit_tile_swap(now, next);
    }
}

int main(int argc, char **argv)
{
    static uint8_t cells[N][N]; /* this and found: of process 0 */
    static uint8_t found[N][N];
    const hit_domain torus = hit_domain_of(N, N);
    const char *text[2];
    hit_context *hit;
    hit_layout *layout[2];
    hit_tile *now;
    hit_tile *next;
    hit_stats stats;
    bool same;

    HIT_MUST(hit_open(&argc, &argv, &hit));
    text[0] = argc > 1 ? argv[1] : "block";
    text[1] = argc > 2 ? argv[2] : "cyclic:dim=1";
    for (int k = 0; k < 2; k++) {
        layout[k] = make_layout(hit, torus, text[k]);
    }
    HIT_MUST(hit_tile_create(layout[0], HIT_UINT8, "now", &now));
    HIT_MUST(hit_tile_create(layout[0], HIT_UINT8, "next", &next));
    HIT_MUST(hit_tile_set_boundary(now, -1, HIT_BOUNDARY_PERIODIC, NULL));
    HIT_MUST(hit_tile_set_boundary(next, -1, HIT_BOUNDARY_PERIODIC, NULL));
    for (int i = 0; i < 3; i++) {
        memcpy(&cells[i][0], glider[i], sizeof glider[i]);
    }
    HIT_MUST(hit_tile_scatter(now, 0, cells));
    if (hit_rank(hit) == 0) describe(now, text[0]);
    run(hit, &now, &next);
    HIT_MUST(hit_tile_relayout(now, layout[1]));
    HIT_MUST(hit_tile_relayout(next, layout[1]));
    if (hit_rank(hit) == 0) describe(now, text[1]);
    run(hit, &now, &next);

    hit_context_stats(hit, &stats);
    printf("hit %s, process %d: %d cells live, %" PRIu64 " launches, %" PRIu64
           " messages sent\n",
           hit_version(), hit_rank(hit), living(now, &torus), stats.launches,
           stats.messages_sent);
    HIT_MUST(hit_tile_gather(now, 0, found));
    same = hit_rank(hit) != 0 || memcmp(cells, found, sizeof cells) == 0;
    hit_tile_destroy(&next);
    hit_tile_destroy(&now);
    hit_layout_destroy(&layout[1]);
    hit_layout_destroy(&layout[0]);
    hit_close(&hit);
    return same ? 0 : 1;
}
