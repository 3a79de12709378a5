/* SPDX-License-Identifier: MIT
 * Pictures of traces: processes and their lanes one below the other, time to the right,
 * a box for everything that took some, its colour says what. Boxes that are narrower than
 * what can be seen are drawn as one with those beside them. */
#define _POSIX_C_SOURCE 200809L /* open_memstream */
#include "hit/base/quote.h"
#include "hit/tool/tool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    LEFT = 150, /* pixels, as all of these: names of lanes */
    WIDTH = 1000,
    RIGHT = 20,
    TOP = 8,
    HEADER = 24, /* the name of a process */
    LANE = 26,
    BOX = 20,
    AXIS = 40,
    LETTER = 7, /* width of one of the text in boxes, at most */
    LEGEND = 22,
    SWATCH = 12,
    TICKS = 8 /* at least */
};

static const double hair = 0.4; /* pixels: the narrowest box and the narrowest gap */

typedef struct canvas {
    const hit_tool_timeline *trace;
    hit_tool_span span;
    FILE *file;
    double y; /**< of what comes next */
} canvas;

static double x_of(const canvas *c, double time_s)
{
    const double part = (time_s - c->span.from_s) / (c->span.to_s - c->span.from_s);

    return LEFT + WIDTH * fmin(1.0, fmax(0.0, part));
}

static bool is_seen(const canvas *c, const hit_tool_event *event)
{
    return event->end_s > c->span.from_s && event->start_s < c->span.to_s;
}

static void write_at(const canvas *c, double x, double y, const char *style,
                     const char *text)
{
    (void)fprintf(c->file, "<text x=\"%.2f\" y=\"%.2f\" dy=\"0.35em\"", x, y);
    (void)fputs(style, c->file);
    hit_quote_write(c->file, HIT_LANGUAGE_XML, ">%s</text>\n", text);
}

/* ---- lanes ---- */

/* Something that took from `from` to `to` in pixels; its name where there is room. Wide
 * boxes leave a pixel, so that one ends where the next begins. */
static void draw_box(const canvas *c, int name, double from, double to)
{
    const char *text = c->trace->name[name];
    const double width = to - from > LETTER ? to - from - 1 : fmax(hair, to - from);
    char colour[8];

    hit_quote_write(c->file, HIT_LANGUAGE_XML,
                    "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%d\" "
                    "fill=\"%s\"/>\n",
                    from, c->y, width, BOX, hit_tool_colour(name, 0.6, 180, colour));
    if ((double)strlen(text) * LETTER > to - from) return;
    write_at(c, (from + to) / 2, c->y + BOX / 2.0,
             " text-anchor=\"middle\" font-size=\"11\"", text);
}

/* The events of one lane, from @p first to before @p end. */
static void draw_events(const canvas *c, size_t first, size_t end)
{
    int name = -1; /* of the box that is not drawn yet; -1: none */
    double from = 0;
    double to = 0;

    for (size_t k = first; k < end; k++) {
        const hit_tool_event *event = &c->trace->event[k];
        const double start = x_of(c, event->start_s);
        const double stop = x_of(c, event->end_s);
        const bool is_thin = stop - start < hair || to - from < hair;

        if (!is_seen(c, event)) continue;
        if (name == event->name && is_thin && start - to < hair) {
            to = fmax(to, stop);
            continue;
        }
        if (name >= 0) draw_box(c, name, from, to);
        name = event->name;
        from = start;
        to = stop;
    }
    if (name >= 0) draw_box(c, name, from, to);
}

/* The name of a lane; lane -1: of a process. */
static const char *name_of(const hit_tool_timeline *trace, int process, int lane)
{
    for (size_t k = 0; k < trace->lanes; k++) {
        if (trace->lane[k].process == process && trace->lane[k].lane == lane) {
            return trace->lane[k].name;
        }
    }
    return "";
}

/* Lanes in which nothing happened are left out. */
static void draw_lanes(canvas *c)
{
    const hit_tool_timeline *trace = c->trace;
    bool has_header = false;
    size_t end;

    for (size_t first = 0; first < trace->events; first = end) {
        const hit_tool_event *begin = &trace->event[first];
        bool seen = false;

        if (first == 0 || begin[-1].process != begin->process) has_header = false;
        for (end = first; end < trace->events && trace->event[end].lane == begin->lane &&
                          trace->event[end].process == begin->process;
             end++) {
            seen = seen || is_seen(c, &trace->event[end]);
        }
        if (!seen) continue;
        if (!has_header) {
            write_at(c, TOP, c->y + HEADER / 2.0,
                     " font-weight=\"bold\" stroke=\"white\" stroke-width=\"3\" "
                     "paint-order=\"stroke\"",
                     name_of(trace, begin->process, -1));
            c->y += HEADER;
            has_header = true;
        }
        write_at(c, LEFT - TOP, c->y + BOX / 2.0, " text-anchor=\"end\"",
                 name_of(trace, begin->process, begin->lane));
        draw_events(c, first, end);
        c->y += LANE;
    }
}

/* ---- what is around them ---- */

/* 1, 2 or 5 times a power of ten. */
static double round_step(double step)
{
    const double ten = pow(10, floor(log10(step)));

    return step / ten < 2 ? ten : step / ten < 5 ? 2 * ten : 5 * ten;
}

/* Below the lanes, which end at @p bottom; ticks count from the begin of the picture. */
static void draw_axis(const canvas *c, double bottom)
{
    const double span_s = c->span.to_s - c->span.from_s;
    const double unit_s = span_s >= 2 ? 1 : span_s >= 2e-3 ? 1e-3 : 1e-6;
    const char *unit = span_s >= 2 ? " s" : span_s >= 2e-3 ? " ms" : " us";
    const double step_s = round_step(span_s / TICKS);
    char text[64];

    for (int k = 0; k * step_s <= span_s; k++) {
        const double x = x_of(c, c->span.from_s + k * step_s);

        (void)fprintf(c->file,
                      "<path d=\"M%.2f %dV%.2f\" stroke=\"#bbb\" "
                      "stroke-width=\"0.5\"/>\n",
                      x, TOP, bottom);
        (void)snprintf(text, sizeof(text), "%.10g%s", k * step_s / unit_s,
                       k == 0 ? unit : "");
        write_at(c, x, bottom + SWATCH, " text-anchor=\"middle\" font-size=\"11\"", text);
    }
    (void)snprintf(text, sizeof(text), "from %.6g s on", c->span.from_s);
    write_at(c, LEFT - SWATCH - TOP, bottom + SWATCH,
             " text-anchor=\"end\" font-size=\"11\"", text);
}

/* What the colours mean: of the names that are drawn. */
static void draw_legend(canvas *c)
{
    double x = LEFT;

    for (int name = 0; name < c->trace->names; name++) {
        const double width =
            SWATCH + 6 + LETTER * (double)strlen(c->trace->name[name]) + 20;
        char colour[8];
        bool seen = false;

        for (size_t k = 0; k < c->trace->events && !seen; k++) {
            seen = c->trace->event[k].name == name && is_seen(c, &c->trace->event[k]);
        }
        if (!seen) continue;
        if (x > LEFT && x + width > LEFT + WIDTH) {
            x = LEFT;
            c->y += LEGEND;
        }
        hit_quote_write(c->file, HIT_LANGUAGE_XML,
                        "<rect x=\"%.2f\" y=\"%.2f\" width=\"%d\" height=\"%d\" "
                        "fill=\"%s\"/>\n",
                        x, c->y - SWATCH / 2.0, SWATCH, SWATCH,
                        hit_tool_colour(name, 0.6, 180, colour));
        write_at(c, x + SWATCH + 6, c->y, "", c->trace->name[name]);
        x += width;
    }
    c->y += LEGEND;
}

/* Where the picture ends is known when its lanes are drawn, and is written before them;
 * so are the lines of the axis, which are behind the boxes. */
static hit_status draw_around(canvas *c, FILE *file)
{
    char *lanes = NULL;
    size_t size = 0;
    double bottom;

    c->file = open_memstream(&lanes, &size);
    if (c->file == NULL) return HIT_FAIL(HIT_E_NOMEM, "no memory for a picture");
    c->y = TOP;
    draw_lanes(c);
    bottom = c->y;
    c->y += AXIS;
    draw_legend(c);
    if (fclose(c->file) != 0) {
        free(lanes);
        return HIT_FAIL(HIT_E_NOMEM, "no memory for a picture");
    }
    c->file = file;
    (void)fprintf(file,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
                  "height=\"%.0f\" font-family=\"sans-serif\" font-size=\"12\">\n"
                  "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
                  LEFT + WIDTH + RIGHT, c->y);
    draw_axis(c, bottom);
    (void)fputs(lanes, file);
    (void)fputs("</svg>\n", file);
    free(lanes);
    return HIT_OK;
}

hit_status hit_tool_timeline_draw(const hit_tool_timeline *trace, hit_tool_span span,
                                  FILE *file)
{
    canvas c = {.trace = trace, .span = span};
    bool seen = false;

    for (size_t k = 0; k < trace->events && !seen; k++) {
        seen = is_seen(&c, &trace->event[k]);
    }
    if (!seen) {
        const hit_tool_span all = hit_tool_timeline_all(trace);

        return HIT_FAIL(HIT_E_ARG,
                        "nothing happened from %g s to %g s; the trace goes from %g s to "
                        "%g s",
                        span.from_s, span.to_s, all.from_s, all.to_s);
    }
    return draw_around(&c, file);
}
