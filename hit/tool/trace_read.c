/* SPDX-License-Identifier: MIT
 * Reads traces, as hit/trace/trace_write.c makes them: one object on a line. Other
 * programs' traces, in which the same may be said in other ways, are refused. */
#define _POSIX_C_SOURCE 200809L /* getline */
#include "hit/base/alloc.h"
#include "hit/base/text.h"
#include "hit/base/trace.h"
#include "hit/tool/tool.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Lines of a trace up to a name, and behind it, as scanf() reads them. */
#define PROCESS                                                                          \
    "{\"name\": \"process_name\", \"ph\": \"M\", \"pid\": %d, \"args\": {\"name\": "
#define THREAD                                                                           \
    "{\"name\": \"thread_name\", \"ph\": \"M\", \"pid\": %d, \"tid\": %d, \"args\": "    \
    "{\"name\": "
#define EVENT                                                                            \
    ", \"ph\": \"X\", \"pid\": %d, \"tid\": %d, \"ts\": %lf, \"dur\": %lf, \"args\": {"

static hit_status find_name(hit_tool_timeline *trace, const char *text, int *found)
{
    for (int k = 0; k < trace->names; k++) {
        if (strcmp(trace->name[k], text) == 0) {
            *found = k;
            return HIT_OK;
        }
    }
    HIT_TRY(HIT_ONE_MORE(trace->name, trace->names, trace->name_room, "a trace"));
    *found = trace->names++;
    (void)snprintf(trace->name[*found], sizeof(*trace->name), "%s", text);
    return HIT_OK;
}

/* ---- lines ---- */

/* The character U+@p code, which is not 0, as UTF-8. */
static void add_code(char *text, size_t size, unsigned code)
{
    const char bytes[] = {(char)(code < 0x80    ? code
                                 : code < 0x800 ? 0xc0 | code >> 6
                                                : 0xe0 | code >> 12),
                          (char)(0x80 | (code < 0x800 ? code : code >> 6) % 64),
                          (char)(0x80 | code % 64)};

    hit_text_add(text, size, "%.*s", code < 0x80 ? 1 : code < 0x800 ? 2 : 3, bytes);
}

/* A string of JSON, as hit/base/json.h writes them; what is too long is cut. */
static bool read_string(const char **at, char *text, size_t size)
{
    text[0] = '\0';
    if (!hit_text_skip(at, "\"")) return false;
    while (**at != '"' && **at != '\0') {
        unsigned code = 0;

        if (**at == '\\' && hit_text_scan(*at, "\\u%4x", &code) == 1 && code > 0) {
            add_code(text, size, code);
            *at += strlen("\\uffff");
            continue;
        }
        if (**at == '\\') ++*at;
        if (**at == '\0') return false;
        hit_text_add(text, size, "%c", **at);
        ++*at;
    }
    return hit_text_skip(at, "\"");
}

/* What stands behind @p key, a name and what it is of: "process_name". */
static bool read_lane(const char *line, hit_tool_lane *lane)
{
    int length = 0;

    lane->lane = -1;
    if ((sscanf(line, PROCESS "%n", &lane->process, &length) != 1 || length == 0) &&
        (sscanf(line, THREAD "%n", &lane->process, &lane->lane, &length) != 2 ||
         length == 0)) {
        return false;
    }
    line += length;
    return read_string(&line, lane->name, sizeof(lane->name));
}

static bool read_event(const char *line, hit_tool_event *event, char *name, size_t size)
{
    double start_us = 0;
    double length_us = 0;

    if (!hit_text_skip(&line, "{\"name\": ") || !read_string(&line, name, size) ||
        hit_text_scan(line, EVENT, &event->process, &event->lane, &start_us,
                      &length_us) != 4 ||
        !isfinite(start_us) || !isfinite(length_us) || length_us < 0) {
        return false;
    }
    event->start_s = start_us * 1e-6;
    event->end_s = (start_us + length_us) * 1e-6;
    return true;
}

/* One line of the list. *known: it is one that a trace may have. */
static hit_status read_line(hit_tool_timeline *trace, const char *line, bool *known)
{
    hit_tool_lane lane;
    hit_tool_event event = {0};
    char name[sizeof(*trace->name)];

    *known = true;
    if (read_lane(line, &lane)) {
        HIT_TRY(HIT_ONE_MORE(trace->lane, trace->lanes, trace->lane_room, "a trace"));
        trace->lane[trace->lanes++] = lane;
        return HIT_OK;
    }
    if (read_event(line, &event, name, sizeof(name))) {
        HIT_TRY(find_name(trace, name, &event.name));
        HIT_TRY(HIT_ONE_MORE(trace->event, trace->events, trace->event_room, "a trace"));
        trace->event[trace->events++] = event;
        return HIT_OK;
    }
    /* events that were lost, and watts: said in the file, nothing to be drawn */
    *known =
        strstr(line, "\"ph\": \"i\"") != NULL || strstr(line, "\"ph\": \"C\"") != NULL;
    return HIT_OK;
}

static hit_status refuse(const char *path, size_t number, const char *line)
{
    return HIT_FAIL(HIT_E_ARG,
                    "%s:%zu: expected a trace as HIT_TRACE writes it but found \"%.40s\"",
                    path, number, line);
}

static hit_status read_lines(FILE *file, const char *path, hit_tool_timeline *trace,
                             char **line, size_t *room)
{
    bool known = true;
    bool ended = false;
    size_t number = 0;

    for (; getline(line, room, file) >= 0; number++) {
        (*line)[strcspn(*line, "\n")] = '\0';
        if (number == 0) {
            known = strstr(*line, "\"traceEvents\": [") != NULL;
        } else if (strcmp(*line, "]}") == 0) {
            ended = true;
        } else {
            HIT_TRY(read_line(trace, *line, &known));
        }
        if (!known) return refuse(path, number + 1, *line);
    }
    if (ferror(file)) {
        return HIT_FAIL(HIT_E_IO, "%s: cannot be read: %s", path, strerror(errno));
    }
    return ended ? HIT_OK : refuse(path, number + 1, "the end of the file");
}

static int by_place(const void *a, const void *b)
{
    const hit_tool_event *x = a;
    const hit_tool_event *y = b;

    if (x->process != y->process) return x->process < y->process ? -1 : 1;
    if (x->lane != y->lane) return x->lane < y->lane ? -1 : 1;
    return (x->start_s > y->start_s) - (x->start_s < y->start_s);
}

hit_status hit_tool_timeline_read(FILE *file, const char *path, hit_tool_timeline *trace)
{
    char *line = NULL;
    size_t room = 0;
    hit_status st;

    *trace = (hit_tool_timeline){0};
    st = read_lines(file, path, trace, &line, &room);
    free(line);
    HIT_TRY(st);
    if (trace->events == 0) {
        return HIT_FAIL(HIT_E_ARG, "%s: expected events but found none", path);
    }
    qsort(trace->event, trace->events, sizeof(*trace->event), by_place);
    return HIT_OK;
}

void hit_tool_timeline_clear(hit_tool_timeline *trace)
{
    free(trace->event);
    free(trace->lane);
    free(trace->name);
    *trace = (hit_tool_timeline){0};
}

static void widen(hit_tool_span *span, const hit_tool_event *event)
{
    span->from_s = fmin(span->from_s, event->start_s);
    span->to_s = fmax(span->to_s, event->end_s);
}

hit_tool_span hit_tool_timeline_all(const hit_tool_timeline *trace)
{
    hit_tool_span span = {HUGE_VAL, -HUGE_VAL};

    for (size_t k = 0; k < trace->events; k++) {
        widen(&span, &trace->event[k]);
    }
    return span;
}

hit_status hit_tool_timeline_launches(const hit_tool_timeline *trace, size_t first,
                                      size_t last, hit_tool_span *span)
{
    hit_tool_span found = {HUGE_VAL, -HUGE_VAL};
    size_t most = 0; /* launches of one process */
    size_t number = 0;

    for (size_t k = 0; k < trace->events; k++) {
        const hit_tool_event *event = &trace->event[k];

        if (event->lane != HIT_TRACE_LAUNCH) continue;
        number =
            k > 0 && event[-1].process == event->process && event[-1].lane == event->lane
                ? number + 1
                : 0;
        if (number >= first && number <= last) widen(&found, event);
        if (number + 1 > most) most = number + 1;
    }
    if (last >= most) {
        return HIT_FAIL(HIT_E_ARG, "expected launches 0 to %zu but found %zu",
                        most - (most > 0), last);
    }
    *span = found;
    return HIT_OK;
}
