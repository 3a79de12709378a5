/* SPDX-License-Identifier: MIT
 * Tuners as text. Numbers are checked where they are read, since anybody may have changed
 * the file. */
#include "hit/base/input.h"
#include "hit/base/text.h"
#include "hit/chain/tuner.h"

#include <math.h>
#include <string.h>

enum {
    WIDTH_MOST = 1 << 30,
    TRIES_MOST = 2 /* as a tuner counts them */
};

static const char end_line[] = "end";

/* ---- writing ---- */

static void add_line(const hit_choice *choice, double seconds, int tries, char text[])
{
    const size_t size = HIT_TUNER_TEXT_BYTES;
    int widths = HIT_MAX_DIMS;

    while (widths > 1 && choice->width[widths - 1] == 0) {
        widths--;
    }
    hit_text_add(text, size, "%d ", choice->steps);
    hit_text_add_numbers(text, size, "x", widths, choice->width);
    hit_text_add(text, size, "%s%s %.17g %d\n", choice->plain ? " plain" : "",
                 choice->lines ? " lines" : "", seconds, tries);
}

void hit_tuner_write(const hit_tuner *tuner, char text[])
{
    text[0] = '\0';
    for (int k = 0; k < tuner->choices; k++) {
        if (tuner->tries[k] == 0) continue;
        add_line(&tuner->choice[k], tuner->least[k], tuner->tries[k], text);
    }
    hit_text_add(text, HIT_TUNER_TEXT_BYTES, "%s\n", end_line);
}

/* ---- reading ---- */

/* Past one blank; false: there is none. */
static bool skip_blank(const char **at)
{
    if (**at != ' ') return false;
    (*at)++;
    return true;
}

static bool read_whole(const char **at, hit_index most, int *number)
{
    hit_index found;

    if (!hit_number_next(at, 1, most, &found)) return false;
    *number = (int)found;
    return true;
}

static bool read_widths(const char **at, hit_index width[])
{
    for (int c = 0; c < HIT_MAX_DIMS; c++) {
        if (!hit_number_next(at, 0, WIDTH_MOST, &width[c])) return false;
        if (**at != 'x') return true;
        (*at)++;
    }
    return false;
}

/* A line; *at: its end. */
static bool read_tried(const char **at, hit_tried *tried)
{
    const char *after;

    *tried = (hit_tried){.tries = 0};
    if (!read_whole(at, HIT_CHAIN_LAUNCHES, &tried->choice.steps)) return false;
    if (!skip_blank(at) || !read_widths(at, tried->choice.width)) return false;
    tried->choice.plain = hit_text_skip(at, " plain");
    tried->choice.lines = hit_text_skip(at, " lines");
    if (!skip_blank(at)) return false;
    tried->seconds = hit_text_real(*at, &after);
    if (after == *at || !isfinite(tried->seconds) || tried->seconds <= 0) return false;
    *at = after;
    return skip_blank(at) && read_whole(at, TRIES_MOST, &tried->tries) && **at == '\n';
}

hit_status hit_tuner_parse(const char *text, const char *name, int *count,
                           hit_tried tried[])
{
    hit_tried found[HIT_CHOICES];
    int number = 0;

    for (int line = 1;; line++) {
        const size_t length = strcspn(text, "\n");
        const char *at = text;

        if (strcmp(text, "end\n") == 0) break;
        if (*text != '#') {
            if (number == HIT_CHOICES || !read_tried(&at, &found[number])) {
                return HIT_FAIL(HIT_E_ARG,
                                "%s:%d: expected \"STEPS WIDTHS SECONDS TRIES\", or "
                                "\"end\", but found \"%.*s\"%s",
                                name, line, length < 60 ? (int)length : 60, text,
                                *text == '\0' ? ": is it whole?" : "");
            }
            number++;
        }
        text += length;
        if (*text == '\n') text++;
    }
    memcpy(tried, found, (size_t)number * sizeof(*tried));
    *count = number;
    return HIT_OK;
}

/* ---- taking it over ---- */

void hit_tuner_adopt(hit_tuner *tuner, int count, const hit_tried tried[])
{
    for (int t = 0; t < count; t++) {
        for (int k = 0; k < tuner->choices; k++) {
            if (!hit_choice_equal(&tuner->choice[k], &tried[t].choice)) continue;
            tuner->seconds[k] = tuner->least[k] = tried[t].seconds;
            tuner->tries[k] = tried[t].tries;
        }
    }
    hit_tuner_choose(tuner);
}
