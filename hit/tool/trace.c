/* SPDX-License-Identifier: MIT
 * `hit trace`: what a run did when, from the file that HIT_TRACE made, as a picture. */
#include "hit/base/file.h"
#include "hit/base/input.h"
#include "hit/tool/tool.h"

#include <errno.h>
#include <float.h>
#include <string.h>

static const char USAGE[] =
    "usage: hit trace draw FILE [OPTION...]\n"
    "\n"
    "  draw             a picture, as SVG: processes and their lanes one below the "
    "other,\n"
    "                   time to the right\n"
    "  FILE             what a program wrote that was run with HIT_TRACE=FILE\n"
    "  --launches A[:B] draw launches A to B, the first is 0; default: all that "
    "happened\n"
    "  --from S         draw from this second on, counted as in the file\n"
    "  --to S           draw up to this second\n"
    "  --out FILE       write there; default: standard output\n";

/** What the command line says; NULL where it does not. */
typedef struct request {
    const char *command;
    const char *file;
    const char *launches;
    const char *from;
    const char *to;
    const char *out;
} request;

/* ---- the command line ---- */

static hit_status read_request(int argc, char **argv, request *r)
{
    const hit_tool_option known[] = {{"--launches", &r->launches, NULL},
                                     {"--from", &r->from, NULL},
                                     {"--to", &r->to, NULL},
                                     {"--out", &r->out, NULL},
                                     {NULL, NULL, NULL}};
    const char **const plain[] = {&r->command, &r->file};

    HIT_TRY(hit_tool_read_words(argc, argv, known, 2, plain, "file"));
    if (r->command == NULL || strcmp(r->command, "draw") != 0) {
        return HIT_FAIL(HIT_E_ARG, "expected draw but found %s",
                        r->command != NULL ? r->command : "nothing");
    }
    if (r->file == NULL) return HIT_FAIL(HIT_E_ARG, "expected a file");
    return hit_tool_check_svg(r->out);
}

/* "A" or "A:B" */
static hit_status read_launches(const char *text, size_t *first, size_t *last)
{
    hit_index range[2] = {0};
    int count = 0;

    if (hit_number_list("--launches", text, &(hit_number_shape){':', 0, 2}, &count,
                        range) != HIT_OK ||
        range[count - 1] < range[0]) {
        return HIT_FAIL(
            HIT_E_ARG,
            "expected a number or a range A:B after --launches but found \"%s\"", text);
    }
    *first = (size_t)range[0];
    *last = (size_t)range[count - 1];
    return HIT_OK;
}

static hit_status read_seconds(const char *name, const char *text, double *seconds)
{
    return hit_number_read_real(name, text, -DBL_MAX, DBL_MAX, seconds);
}

static hit_status find_span(const request *r, const hit_tool_timeline *trace,
                            hit_tool_span *span)
{
    size_t first = 0;
    size_t last = 0;

    *span = hit_tool_timeline_all(trace);
    if (r->launches != NULL) {
        HIT_TRY(read_launches(r->launches, &first, &last));
        HIT_TRY(hit_tool_timeline_launches(trace, first, last, span));
    }
    if (r->from != NULL) HIT_TRY(read_seconds("--from", r->from, &span->from_s));
    if (r->to != NULL) HIT_TRY(read_seconds("--to", r->to, &span->to_s));
    if (span->from_s < span->to_s) return HIT_OK;
    return HIT_FAIL(HIT_E_ARG, "expected an end after %g s but found %g s", span->from_s,
                    span->to_s);
}

/* ---- the answer ---- */

static hit_status read_trace(const char *path, hit_tool_timeline *trace)
{
    FILE *file = fopen(path, "r");
    hit_status st;

    if (file == NULL) {
        return HIT_FAIL(HIT_E_IO, "cannot read %s: %s", path, strerror(errno));
    }
    st = hit_tool_timeline_read(file, path, trace);
    (void)fclose(file);
    return st;
}

static hit_status write_picture(const request *r, const hit_tool_timeline *trace,
                                hit_tool_span span)
{
    hit_draft draft;

    HIT_TRY(hit_draft_open(r->out, &draft));
    return hit_draft_close(&draft, hit_tool_timeline_draw(trace, span, draft.stream));
}

static hit_status answer(const request *r)
{
    hit_tool_timeline trace = {0};
    hit_tool_span span;
    hit_status st = read_trace(r->file, &trace);

    if (st == HIT_OK) st = find_span(r, &trace, &span);
    if (st == HIT_OK) st = write_picture(r, &trace, span);
    hit_tool_timeline_clear(&trace);
    return st;
}

int hit_tool_trace(int argc, char **argv)
{
    request r = {NULL, NULL, NULL, NULL, NULL, NULL};
    hit_status st;

    if (hit_tool_helps(argc, argv, USAGE)) return 0;
    st = read_request(argc, argv, &r);
    if (st == HIT_OK) st = answer(&r);
    return hit_tool_end("trace", st, ~(1u << HIT_E_ARG));
}
