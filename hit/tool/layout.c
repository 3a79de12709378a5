/* SPDX-License-Identifier: MIT
 * `hit layout`: who owns what, as text or as a picture, for any number of ranks and
 * without running anything. */

#include "hit/base/file.h"
#include "hit/base/input.h"
#include "hit/base/quote.h"
#include "hit/tool/tool.h"
#include "hit/topo/layout_impl.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char USAGE[] =
    "usage: hit layout print|draw LAYOUT --domain NxM --ranks P [--out FILE]\n"
    "\n"
    "  print         one line of text for each rank\n"
    "  draw          a picture, as SVG\n"
    "  LAYOUT        as in a program: block, block:grid=2x2, fpm:models=FILE,FILE, ...\n"
    "  --domain NxM  sizes of 1 to 4 dimensions\n"
    "  --ranks P     processes\n"
    "  --out FILE    write there; default: standard output\n"
    "\n"
    "layouts:\n";

/** What the command line says; NULL where it does not. */
typedef struct request {
    const char *command;
    const char *layout;
    const char *domain;
    const char *ranks;
    const char *out;
} request;

/* ---- the command line ---- */

static hit_status read_request(int argc, char **argv, request *r)
{
    const hit_tool_option known[] = {{"--domain", &r->domain, NULL},
                                     {"--ranks", &r->ranks, NULL},
                                     {"--out", &r->out, NULL},
                                     {NULL, NULL, NULL}};
    const char **const plain[] = {&r->command, &r->layout};
    const hit_layout_ops *ops;
    const char *options;

    HIT_TRY(hit_tool_read_words(argc, argv, known, 2, plain, "layout"));
    if (r->command == NULL ||
        (strcmp(r->command, "print") != 0 && strcmp(r->command, "draw") != 0)) {
        return HIT_FAIL(HIT_E_ARG, "expected print or draw but found %s",
                        r->command != NULL ? r->command : "nothing");
    }
    if (r->layout == NULL) return HIT_FAIL(HIT_E_ARG, "expected a layout");
    /* a wrong name is told before what else is missing */
    HIT_TRY(hit_layout_read(NULL, r->layout, &ops, &options));
    if (r->domain == NULL) return HIT_FAIL(HIT_E_ARG, "expected --domain");
    if (r->ranks == NULL) return HIT_FAIL(HIT_E_ARG, "expected --ranks");
    return strcmp(r->command, "draw") == 0 ? hit_tool_check_svg(r->out) : HIT_OK;
}

/* ---- the answer ---- */

static hit_status print(const hit_layout *layout, FILE *file)
{
    hit_growing text = {.text = NULL};
    hit_status st = hit_layout_add_text(layout, SIZE_MAX, &text);

    if (st == HIT_OK) hit_say_lines(file, text.text); /* the draft finds out */
    free(text.text);
    return st;
}

static hit_status write_to(const request *r, const hit_layout *layout)
{
    const bool picture = strcmp(r->command, "draw") == 0;
    hit_draft draft;
    hit_status st;

    HIT_TRY(hit_draft_open(r->out, &draft));
    st = picture ? hit_tool_layout_draw(layout, draft.stream)
                 : print(layout, draft.stream);
    return hit_draft_close(&draft, st);
}

static hit_status answer(const request *r)
{
    hit_index size[HIT_MAX_DIMS];
    hit_index ranks = 1;
    hit_layout *layout;
    int dims;
    hit_status st;

    HIT_TRY(hit_number_list("--domain", r->domain,
                            &(hit_number_shape){'x', 0, HIT_MAX_DIMS}, &dims, size));
    HIT_TRY(hit_number_read("--ranks", r->ranks, 1, INT_MAX, &ranks));
    HIT_TRY(hit_layout_plan_text(NULL, hit_domain_of_sizes(dims, size), (int)ranks,
                                 r->layout, &layout));
    st = write_to(r, layout);
    hit_layout_destroy(&layout);
    return st;
}

static void print_lists(void)
{
    for (int k = 0; k < hit_layout_table_count; k++) {
        hit_tool_print_item(12, hit_layout_table[k]->name, hit_layout_table[k]->help);
    }
}

int hit_tool_layout(int argc, char **argv)
{
    request r = {NULL, NULL, NULL, NULL, NULL};
    hit_status st;

    if (hit_tool_helps(argc, argv, USAGE)) {
        print_lists();
        return 0;
    }
    st = read_request(argc, argv, &r);
    if (st == HIT_OK) st = answer(&r);
    return hit_tool_end("layout", st, 1u << HIT_E_LIMIT);
}
