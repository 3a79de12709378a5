/* SPDX-License-Identifier: MIT
 * What stands around a picture: axes with round numbers, a title, and what the colours
 * mean. Letters are those of the usual 5 x 7 dots. */
#include "hit/hit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "examples/picture.h"

enum {
    LEFT = 70, /* pixels, as all of these */
    RIGHT = 110,
    TOP = 34,
    BOTTOM = 56,
    DOT = 2, /* of a letter */
    LETTER = 6 * DOT,
    LINE = 7 * DOT,
    TICK = 6,
    BAR = 18,  /* width of the bar of colours */
    APART = 16 /* from the picture */
};

static const colour black = {0, 0, 0};
static const colour white = {1, 1, 1};

/** Columns from the left, the lowest bit is at the top. */
static const struct {
    char letter;
    unsigned char column[5];
} font[] = {
    {'0', {0x3e, 0x51, 0x49, 0x45, 0x3e}}, {'1', {0x00, 0x42, 0x7f, 0x40, 0x00}},
    {'2', {0x42, 0x61, 0x51, 0x49, 0x46}}, {'3', {0x21, 0x41, 0x45, 0x4b, 0x31}},
    {'4', {0x18, 0x14, 0x12, 0x7f, 0x10}}, {'5', {0x27, 0x45, 0x45, 0x45, 0x39}},
    {'6', {0x3c, 0x4a, 0x49, 0x49, 0x30}}, {'7', {0x01, 0x71, 0x09, 0x05, 0x03}},
    {'8', {0x36, 0x49, 0x49, 0x49, 0x36}}, {'9', {0x06, 0x49, 0x49, 0x29, 0x1e}},
    {'.', {0x00, 0x60, 0x60, 0x00, 0x00}}, {',', {0x00, 0x50, 0x30, 0x00, 0x00}},
    {'-', {0x08, 0x08, 0x08, 0x08, 0x08}}, {'+', {0x08, 0x08, 0x3e, 0x08, 0x08}},
    {'a', {0x20, 0x54, 0x54, 0x54, 0x78}}, {'b', {0x7f, 0x48, 0x44, 0x44, 0x38}},
    {'c', {0x38, 0x44, 0x44, 0x44, 0x20}}, {'d', {0x38, 0x44, 0x44, 0x48, 0x7f}},
    {'e', {0x38, 0x54, 0x54, 0x54, 0x18}}, {'f', {0x08, 0x7e, 0x09, 0x01, 0x02}},
    {'g', {0x0c, 0x52, 0x52, 0x52, 0x3e}}, {'h', {0x7f, 0x08, 0x04, 0x04, 0x78}},
    {'i', {0x00, 0x44, 0x7d, 0x40, 0x00}}, {'j', {0x20, 0x40, 0x44, 0x3d, 0x00}},
    {'k', {0x7f, 0x10, 0x28, 0x44, 0x00}}, {'l', {0x00, 0x41, 0x7f, 0x40, 0x00}},
    {'m', {0x7c, 0x04, 0x18, 0x04, 0x78}}, {'n', {0x7c, 0x08, 0x04, 0x04, 0x78}},
    {'o', {0x38, 0x44, 0x44, 0x44, 0x38}}, {'p', {0x7c, 0x14, 0x14, 0x14, 0x08}},
    {'q', {0x08, 0x14, 0x14, 0x18, 0x7c}}, {'r', {0x7c, 0x08, 0x04, 0x04, 0x08}},
    {'s', {0x48, 0x54, 0x54, 0x54, 0x20}}, {'t', {0x04, 0x3f, 0x44, 0x40, 0x20}},
    {'u', {0x3c, 0x40, 0x40, 0x20, 0x7c}}, {'v', {0x1c, 0x20, 0x40, 0x20, 0x1c}},
    {'w', {0x3c, 0x40, 0x30, 0x40, 0x3c}}, {'x', {0x44, 0x28, 0x10, 0x28, 0x44}},
    {'y', {0x0c, 0x50, 0x50, 0x50, 0x3c}}, {'z', {0x44, 0x64, 0x54, 0x4c, 0x44}},
};

static void fill(picture *p, int x, int y, int width, int height, colour c)
{
    for (int i = x < 0 ? 0 : x; i < x + width && i < p->width; i++) {
        for (int j = y < 0 ? 0 : y; j < y + height && j < p->height; j++) {
            picture_set(p, i, j, c);
        }
    }
}

static void draw_letter(picture *p, int x, int y, char letter)
{
    size_t k = 0;

    while (k < sizeof(font) / sizeof(font[0]) && font[k].letter != letter) {
        k++;
    }
    if (k == sizeof(font) / sizeof(font[0])) return;
    for (int dot = 0; dot < 5 * 7; dot++) {
        if ((font[k].column[dot / 7] >> dot % 7 & 1) == 0) continue;
        fill(p, x + dot / 7 * DOT, y + dot % 7 * DOT, DOT, DOT, black);
    }
}

/** @p y is the upper end, @p x where the part @p before of the text ends: 0, 0.5, 1. */
static void draw_text(picture *p, int x, int y, double before, const char *text)
{
    x -= (int)(before * LETTER * (double)strlen(text));
    for (; *text != '\0'; text++) {
        draw_letter(p, x, y, *text);
        x += LETTER;
    }
}

/** 1, 2 or 5 times a power of ten: some eight steps. */
static double step_of(double length)
{
    const double ten = pow(10, floor(log10(length / 8)));
    const double times = length / 8 / ten;

    return times <= 1 ? ten : times <= 2 ? 2 * ten : times <= 5 ? 5 * ten : 10 * ten;
}

static void draw_axes(picture *p, int width, int height, const picture_frame *frame)
{
    const double step_x = step_of(frame->width);
    const double step_y = step_of(frame->height) * (height < 300 ? 2 : 1);
    char text[32];

    for (int k = 0; k * step_x <= frame->width * (1 + 1e-9); k++) {
        const int x = LEFT + (int)(k * step_x / frame->width * (width - 1));

        fill(p, x, TOP + height, DOT, TICK, black);
        (void)snprintf(text, sizeof(text), "%g", k * step_x);
        draw_text(p, x, TOP + height + TICK + 3, 0.5, text);
    }
    for (int k = 0; k * step_y <= frame->height * (1 + 1e-9); k++) {
        const int y = TOP + (int)(k * step_y / frame->height * (height - 1));

        fill(p, LEFT - TICK, y, TICK, DOT, black);
        (void)snprintf(text, sizeof(text), "%g", k * step_y);
        draw_text(p, LEFT - TICK - 3, y - LINE / 2, 1, text);
    }
    draw_text(p, LEFT + width / 2, TOP + height + TICK + 6 + LINE, 0.5, frame->across);
    draw_text(p, LEFT - TICK - 3, TOP - LINE - 10, 1, frame->down);
}

static void draw_scale(picture *p, int width, int height, const picture_frame *frame)
{
    const int x = LEFT + width + APART;
    char text[32];

    for (int y = 0; y < height; y++) {
        const double t = 1 - 2.0 * y / (height > 1 ? height - 1 : 1);

        fill(p, x, TOP + y, BAR, 1, picture_blue_red(t, white));
    }
    for (int end = -1; end <= 1; end++) {
        (void)snprintf(text, sizeof(text), end == 0 ? "%.0f" : "%+.2g",
                       end * frame->scale);
        draw_text(p, x + BAR + 4, TOP + (1 - end) * (height - LINE) / 2, 0, text);
    }
}

hit_status picture_frame_draw(const picture *inner, const picture_frame *frame,
                              picture *p)
{
    HIT_TRY(picture_create(inner->width + LEFT + RIGHT, inner->height + TOP + BOTTOM, p));
    fill(p, 0, 0, p->width, p->height, white);
    for (int y = 0; y < inner->height; y++) {
        memcpy(p->pixel + 3 * ((ptrdiff_t)(y + TOP) * p->width + LEFT),
               inner->pixel + 3 * (ptrdiff_t)y * inner->width, 3 * (size_t)inner->width);
    }
    draw_text(p, LEFT + inner->width / 2, TOP - LINE - 10, 0.5, frame->title);
    draw_axes(p, inner->width, inner->height, frame);
    draw_scale(p, inner->width, inner->height, frame);
    return HIT_OK;
}
