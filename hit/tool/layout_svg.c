/* SPDX-License-Identifier: MIT
 * Pictures of layouts: a coloured box for each box of elements, with the rank's number
 * where there is room. Positions are drawn, not values, so that strided domains have no
 * gaps. */
#include "hit/base/quote.h"
#include "hit/data/region.h"
#include "hit/tool/tool.h"

#include <math.h>

enum {
    LONGER_SIDE = 800, /* pixels */
    SHORTER_SIDE = 60, /* at least */
    MOST_BOXES = 200000,
    LABEL_SIDE = 14 /* pixels: smaller boxes have no number */
};

typedef struct canvas {
    FILE *file;
    hit_domain domain;
    int down;   /**< the dimension of rows; -1: there is one row */
    int across; /**< the dimension of columns; -1: there is one column */
    double height;
    double width;
    int boxes;
} canvas;

/** Positions from first to before end in one dimension, as fractions of all. */
typedef struct extent {
    double first;
    double end;
} extent;

/** The number of boxes that @p part is along dimension @p dim: one for each run of
 * neighbours. */
static hit_index runs_of(const canvas *c, const hit_domain *part, int dim)
{
    if (dim < 0 || part->sig[dim].stride == c->domain.sig[dim].stride) return 1;
    return hit_sig_count(part->sig[dim]);
}

/** Run number @p k along dimension @p dim. */
static extent run(const canvas *c, const hit_domain *part, int dim, hit_index k)
{
    double all;
    double first;
    double count = 1.0;

    if (dim < 0) return (extent){0.0, 1.0};
    all = (double)hit_sig_count(c->domain.sig[dim]);
    first = (double)hit_sig_position(c->domain.sig[dim], hit_sig_at(part->sig[dim], k));
    if (runs_of(c, part, dim) == 1) count = (double)hit_sig_count(part->sig[dim]);
    return (extent){first / all, (first + count) / all};
}

/** Does the part reach what is drawn: the first index of all other dimensions? */
static bool is_seen(const canvas *c, const hit_domain *part)
{
    for (int d = 0; d < part->dims; d++) {
        if (d == c->down || d == c->across) continue;
        if (!hit_sig_has(part->sig[d], c->domain.sig[d].begin)) return false;
    }
    return true;
}

static void draw_box(canvas *c, extent rows, extent columns)
{
    (void)fprintf(
        c->file, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"/>\n",
        columns.first * c->width, rows.first * c->height,
        (columns.end - columns.first) * c->width, (rows.end - rows.first) * c->height);
    c->boxes++;
}

/** The larger of two boxes, of which @p rows and @p columns is one. */
static void keep_larger(extent rows, extent columns, extent kept[2])
{
    const double area = (rows.end - rows.first) * (columns.end - columns.first);
    const double other = (kept[0].end - kept[0].first) * (kept[1].end - kept[1].first);

    if (area <= other) return;
    kept[0] = rows;
    kept[1] = columns;
}

static hit_status draw_part(canvas *c, const hit_domain *part, extent largest[2])
{
    const hit_index down = runs_of(c, part, c->down);
    const hit_index across = runs_of(c, part, c->across);

    if (down > MOST_BOXES || across > MOST_BOXES ||
        down * across > MOST_BOXES - c->boxes) {
        return HIT_FAIL(HIT_E_ARG, "expected at most %d boxes to draw but found more",
                        MOST_BOXES);
    }
    for (hit_index i = 0; i < down; i++) {
        const extent rows = run(c, part, c->down, i);

        for (hit_index j = 0; j < across; j++) {
            const extent columns = run(c, part, c->across, j);

            draw_box(c, rows, columns);
            keep_larger(rows, columns, largest);
        }
    }
    return HIT_OK;
}

static void draw_label(const canvas *c, int rank, const extent box[2])
{
    const double height = (box[0].end - box[0].first) * c->height;
    const double width = (box[1].end - box[1].first) * c->width;

    if (height < LABEL_SIDE || width < LABEL_SIDE) return;
    (void)fprintf(c->file,
                  "<text x=\"%.2f\" y=\"%.2f\" font-size=\"%.0f\" fill=\"black\" "
                  "stroke=\"none\">%d</text>\n",
                  (box[1].first + box[1].end) / 2.0 * c->width,
                  (box[0].first + box[0].end) / 2.0 * c->height,
                  fmin(20.0, fmin(height, width) * 0.6), rank);
}

/** The boxes of one rank. */
static hit_status draw_rank(canvas *c, const hit_layout *layout, int rank)
{
    extent largest[2] = {{0.0, 0.0}, {0.0, 0.0}};
    hit_region part = {0};
    char colour[8];
    hit_status st;

    HIT_TRY(hit_layout_part(layout, rank, &part));
    if (part.count == 0) return HIT_OK;
    hit_quote_write(c->file, HIT_LANGUAGE_XML,
                    "<g fill=\"%s\"><title>rank %d: %lld elements</title>\n",
                    hit_tool_colour(rank, 0, 195, colour), rank,
                    (long long)hit_region_count(&part));
    st = HIT_OK;
    for (int k = 0; st == HIT_OK && k < part.count; k++) {
        if (is_seen(c, &part.part[k])) st = draw_part(c, &part.part[k], largest);
    }
    draw_label(c, rank, largest);
    (void)fprintf(c->file, "</g>\n");
    hit_region_clear(&part);
    return st;
}

static double count_of(const hit_domain *domain, int dim)
{
    return dim < 0 ? 1.0 : fmax(1.0, (double)hit_sig_count(domain->sig[dim]));
}

hit_status hit_tool_layout_draw(const hit_layout *layout, FILE *file)
{
    canvas c = {
        .file = file, .domain = hit_layout_domain(layout), .down = 0, .across = 1};
    double longer;
    char text[256];

    if (c.domain.dims < 2) {
        c.across = c.domain.dims - 1;
        c.down = -1;
    }
    c.height = count_of(&c.domain, c.down);
    c.width = count_of(&c.domain, c.across);
    longer = fmax(c.height, c.width);
    c.height = fmax(SHORTER_SIDE, c.height / longer * LONGER_SIDE);
    c.width = fmax(SHORTER_SIDE, c.width / longer * LONGER_SIDE);
    hit_domain_print(&c.domain, text, sizeof text);
    (void)fprintf(file,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" "
                  "height=\"%.0f\" viewBox=\"-1 -1 %.2f %.2f\" stroke=\"#444\" "
                  "stroke-width=\"0.5\" font-family=\"sans-serif\" "
                  "text-anchor=\"middle\" dominant-baseline=\"central\">\n",
                  c.width + 2.0, c.height + 2.0, c.width + 2.0, c.height + 2.0);
    hit_quote_write(file, HIT_LANGUAGE_XML, "<title>%s: %s over %d ranks</title>\n",
                    hit_layout_name(layout), text, hit_layout_ranks(layout));
    for (int rank = 0; rank < hit_layout_ranks(layout); rank++) {
        HIT_TRY(draw_rank(&c, layout, rank));
    }
    (void)fprintf(file, "</svg>\n");
    return HIT_OK;
}
