/* SPDX-License-Identifier: MIT
 * A program as C: two files in one text, the kernels and the program. */
#include "hit/base/text.h"
#include "tests/programs/program.h"
#include "tests/support/random.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The index, or what is left of it: in a pattern, or in C. */
static void write_index(char *text, size_t size, const span *of, bool c)
{
    const char *index = program_index[of->follows];
    const hit_index by = of->by < 0 ? -of->by : of->by;
    char rest[2 * TEXT];

    (void)snprintf(rest, sizeof(rest), "(%s %% %" PRId64 " + %" PRId64 ") %% %" PRId64,
                   index, by, by, by);
    if (by == 0) {
        hit_text_add(text, size, "%s", index);
    } else if (!c) {
        hit_text_add(text, size, "%s%c%" PRId64, index, of->by > 0 ? '/' : '%', by);
    } else if (of->by < 0) {
        hit_text_add(text, size, "%s", rest);
    } else {
        hit_text_add(text, size, "(%s - %s) / %" PRId64, index, rest, by);
    }
}

static void write_box(const step *s, int k, int b, char *text, size_t size);

/* The argument in which an end stands; in C a variable. */
static void write_lookup(const step *s, const span *of, bool end, char *text, size_t size)
{
    hit_text_add(text, size, "%s", program_name[of->looks]);
    if (of->ends) write_box(s, of->looks, end, text, size);
}

/* "i+s+1" */
static void write_sum(const span *of, hit_index offset, char *text, size_t size)
{
    const bool alone = of->follows < 0 && of->looks == 0;

    if (of->shifts) hit_text_add(text, size, "%s", alone ? "s" : "+s");
    if (alone && !of->shifts) {
        hit_text_add(text, size, "%" PRId64, offset);
    } else if (offset != 0) {
        hit_text_add(text, size, "%+" PRId64, offset);
    }
}

static void write_end(const step *s, const span *of, bool end, char *text, size_t size)
{
    if (of->looks > 0) write_lookup(s, of, end, text, size);
    if (of->follows >= 0) write_index(text, size, of, false);
    write_sum(of, end ? of->to : of->from, text, size);
}

static void write_box(const step *s, int k, int b, char *text, size_t size)
{
    hit_text_add(text, size, "[");
    for (int t = 0; t < s->tile_dims[k]; t++) {
        const span *of = &s->use[k].box[b][t];

        if (t > 0) hit_text_add(text, size, ", ");
        if (of->all) {
            hit_text_add(text, size, ":");
            continue;
        }
        write_end(s, of, false, text, size);
        if (of->from == of->to && !of->ends) continue;
        hit_text_add(text, size, ":");
        write_end(s, of, true, text, size);
    }
    hit_text_add(text, size, "]");
}

void program_pattern(const step *s, int k, char *text, size_t size)
{
    const use *u = &s->use[k];

    text[0] = '\0';
    for (int b = 0; b < u->boxes; b++) {
        if (b > 0) hit_text_add(text, size, u->mode == HIT_MODE_IN ? " " : " <- ");
        write_box(s, k, b, text, size);
    }
}

/* Of an inequality. */
static const char *side(int of)
{
    if (of >= HIT_MAX_DIMS) return program_name[of - HIT_MAX_DIMS];
    return of < 0 ? "0" : program_index[of];
}

void program_where(const step *s, char *text, size_t size)
{
    text[0] = '\0';
    for (int k = 0; k < s->bounds; k++) {
        const bound *b = &s->bound[k];

        if (k > 0) hit_text_add(text, size, b->other ? " or " : ", ");
        hit_text_add(text, size, "%s <= %s%+" PRId64 "%s", side(b->less), side(b->more),
                     b->apart, b->shifts ? " + s" : "");
    }
}

static void print_domain(const hit_domain *domain)
{
    if (domain->dims == 0) {
        printf("hit_domain_scalar()");
        return;
    }
    printf("(hit_domain){%d, {", domain->dims);
    for (int d = 0; d < domain->dims; d++) {
        printf("%s{%" PRId64 ", %" PRId64 ", %" PRId64 "}", d > 0 ? ", " : "",
               domain->sig[d].begin, domain->sig[d].end, domain->sig[d].stride);
    }
    printf("}}");
}

/* An end of a loop. */
static void print_end(const span *of, bool end)
{
    char text[4 * TEXT] = "";

    if (of->looks > 0) {
        hit_text_add(text, sizeof(text), "%s_%s", end ? "high" : "low",
                     program_name[of->looks]);
        if (of->ends) hit_text_add(text, sizeof(text), "_%d", end);
    }
    if (of->follows >= 0) write_index(text, sizeof(text), of, true);
    write_sum(of, end ? of->to : of->from, text, sizeof(text));
    printf("%s", text);
}

/* "for (hit_index y0 = i-1; ...)" over a box of argument @p name, and the element. */
static void print_loops(const use *u, int box, int dims, char name)
{
    for (int t = 0; t < dims; t++) {
        const span *s = &u->box[box][t];

        if (s->all) {
            printf("    for (hit_index y%d = hit_begin(%c, %d); y%d <= hit_end(%c, %d); "
                   "y%d++)\n",
                   t, name, t, t, name, t, t);
            continue;
        }
        printf("    for (hit_index y%d = ", t);
        print_end(s, false);
        printf("; y%d <= ", t);
        print_end(s, true);
        printf("; y%d++)\n", t);
    }
    printf("        ");
}

static void print_element(int dims, char name)
{
    printf("hit(%c", name);
    for (int t = 0; t < dims; t++) {
        printf(", y%d", t);
    }
    printf(")");
}

/* The least and the greatest of what an index touches of argument @p k: of all boxes, if
 * @p b is -1. */
static void print_numbers(const step *s, int k, int b)
{
    char of[TEXT] = "";

    hit_text_add(of, sizeof(of), "%s", program_name[k]);
    if (b >= 0) hit_text_add(of, sizeof(of), "_%d", b);
    printf("    hit_index low_%s = INT64_MAX / 2, high_%s = INT64_MIN / 2;\n", of, of);
    for (int n = 0; n < s->use[k].boxes; n++) {
        if (b >= 0 && n != b) continue;
        print_loops(&s->use[k], n, s->tile_dims[k], program_name[k][0]);
        printf("{\n            const hit_index number = ");
        print_element(s->tile_dims[k], program_name[k][0]);
        printf(";\n            if (number < low_%s) low_%s = number;\n"
               "            if (number > high_%s) high_%s = number;\n        }\n",
               of, of, of, of);
    }
}

/* Those in which ends stand: a box may look at arguments behind its own. */
static void print_all_numbers(const step *s)
{
    for (int k = s->uses; k-- > 1;) {
        bool looked = false;

        for (int n = 0; n < k; n++) {
            for (int b = 0; b < s->use[n].boxes; b++) {
                for (int t = 0; t < s->tile_dims[n]; t++) {
                    looked = looked || s->use[n].box[b][t].looks == k;
                }
            }
        }
        for (int b = -1; b < s->use[k].boxes && looked; b++) {
            print_numbers(s, k, b);
        }
    }
}

static void print_kernel(const step *s, int number)
{
    static const char *const mode[] = {"in", "out", "inout", "sum", "min", "max"};

    printf("HIT_%sKERNEL(step%d, (", s->order[0] != 0 ? "ORDERED_" : "", number);
    for (int d = 0; d < s->domain.dims; d++) {
        printf("%s%s", d > 0 ? ", " : "", program_index[d]);
    }
    for (int d = 0; d < s->domain.dims && s->order[0] != 0; d++) {
        printf("%s%s", d > 0 ? ", " : "), (", s->order[d] > 0 ? "up" : "down");
    }
    printf(")");
    for (int k = 0; k < s->uses; k++) {
        char text[MOST_PATTERN];

        program_pattern(s, k, text, sizeof(text));
        printf(",\n    (%s, int64_t, %c, \"%s\")", mode[s->use[k].mode], 'a' + k, text);
    }
    printf(",\n    (value, int64_t, n), (value, hit_index, s))\n{\n    int64_t sum = 7 + "
           "n;\n");
    print_all_numbers(s);
    for (int k = 0; k < s->uses; k++) {
        for (int b = k == 0; b < s->use[k].boxes; b++) {
            print_loops(&s->use[k], b, s->tile_dims[k], (char)('a' + k));
            printf("sum = (3 * sum + ");
            print_element(s->tile_dims[k], (char)('a' + k));
            printf(") %% 1000003;\n");
        }
    }
    print_loops(&s->use[0], 0, s->tile_dims[0], 'a');
    if (s->use[0].mode == HIT_MODE_MIN || s->use[0].mode == HIT_MODE_MAX) {
        printf("if (sum %c ", s->use[0].mode == HIT_MODE_MIN ? '<' : '>');
        print_element(s->tile_dims[0], 'a');
        printf(") ");
    }
    print_element(s->tile_dims[0], 'a');
    printf(s->use[0].mode == HIT_MODE_INOUT || s->use[0].mode == HIT_MODE_SUM ? " += sum"
                                                                              : " = sum");
    for (int t = 0; t < s->tile_dims[0] && s->use[0].mode == HIT_MODE_OUT; t++) {
        printf(" + %d * y%d", 5 + t, t);
    }
    printf(";\n}\n");
}

static void print_numbers_of(const tile *t, const int64_t value[], int number)
{
    const hit_index count = hit_domain_count(&t->domain);

    printf("    HIT_MUST(hit_tile_scatter(t[%d], 0, (int64_t[]){", number);
    for (hit_index k = 0; k < count; k++) {
        printf("%s%" PRId64, k > 0 ? ", " : "", value[k]);
    }
    printf("}));\n");
}

static void print_version(const tile *t, int version, int number)
{
    int64_t *value = calloc((size_t)hit_domain_count(&t->domain) + 1, sizeof(*value));

    program_numbers(t, version, value);
    print_numbers_of(t, value, number);
    free(value);
}

/* The content that a run begins with: make_field() draws it in the same order. */
static void print_content(const tile *t, int number, hit_random *random)
{
    const hit_index count = hit_domain_count(&t->domain);
    int64_t *value = calloc((size_t)count + 1, sizeof(*value));

    for (hit_index k = 0; k < count; k++) {
        value[k] = hit_random_index(random, -50, 50);
    }
    if (t->numbers.stride > 0) {
        print_version(t, 0, number);
    } else {
        print_numbers_of(t, value, number);
    }
    free(value);
}

static void print_boundaries(const tile *t, const hit_boundary boundary[],
                             int64_t constant, int number)
{
    for (int d = 0; d < t->domain.dims; d++) {
        printf("    HIT_MUST(hit_tile_set_boundary(t[%d], %d, %d, &(int64_t){%" PRId64
               "}));\n",
               number, d, (int)boundary[d], constant);
    }
}

static void print_tile(const tile *t, int number, hit_random *random)
{
    printf("    HIT_MUST(hit_layout_create(hit, ");
    print_domain(&t->domain);
    printf(", \"%s\", &layout));\n", t->layout);
    printf("    HIT_MUST(hit_tile_create(layout, HIT_INT64, \"t%d\", &t[%d]));\n", number,
           number);
    if (t->ghosts >= 0) {
        printf("    /* or adopted, up to %d ghosts in a dimension */\n", t->ghosts);
    }
    print_boundaries(t, t->boundary, 77, number);
    printf("    hit_layout_destroy(&layout);\n");
    print_content(t, number, random);
}

static void print_step(const program *p, const step *s, int number)
{
    const int to = s->use[0].tile;

    if (s->kind == COPY) {
        printf("    HIT_MUST(hit_tile_copy(t[%d], t[%d]));\n", s->use[1].tile, to);
        return;
    }
    if (s->kind == SWAP) {
        printf("    hit_tile_swap(&t[%d], &t[%d]);\n", to, s->use[1].tile);
        return;
    }
    if (s->kind == FILL) {
        printf("    HIT_MUST(hit_tile_fill(t[%d], &(int64_t){%d}));\n", to, FILLED);
        return;
    }
    if (s->kind == NUMBERS) {
        print_version(&p->tile[to], s->version, to);
        return;
    }
    if (s->kind == BOUNDARY) {
        print_boundaries(&p->tile[to], s->boundary, s->constant, to);
        return;
    }
    if (s->kind == LOOK) {
        printf("    if (hit_rank(hit) == 0) HIT_MUST(hit_tile_map(t[%d], 0, HIT_READ, "
               "&(hit_view){0}));\n",
               to);
        return;
    }
    if (s->kind == RELAYOUT) {
        printf("    HIT_MUST(hit_layout_create(hit, ");
        print_domain(&p->tile[to].domain);
        printf(", \"%s\", &layout));\n    HIT_MUST(hit_tile_relayout(t[%d], layout));\n",
               s->layout, to);
        printf("    hit_layout_destroy(&layout);\n");
        return;
    }
    for (int k = 0; k < s->uses; k++) {
        if (s->use[k].part.dims == 0) continue;
        printf("    HIT_MUST(hit_tile_select(t[%d], ", s->use[k].tile);
        print_domain(&s->use[k].part);
        printf(", &part[%d]));\n", k);
    }
    printf("    HIT_MUST(hit_launch_args(hit, NULL, &step%d, ", number);
    print_domain(&s->domain);
    printf(", %d,\n        (hit_arg[]){", s->uses + 2 + (s->bounds > 0));
    for (int k = 0; k < s->uses; k++) {
        const bool all = s->use[k].part.dims == 0;

        printf("%shit_arg_tile(%s[%d])", k > 0 ? ", " : "", all ? "t" : "part",
               all ? s->use[k].tile : k);
    }
    printf(", HIT_VALUE((int64_t){%s}), HIT_VALUE((hit_index){%s})",
           p->counts ? "launched++" : "0", p->shifts && p->repeats > 1 ? "t % 3" : "0");
    if (s->bounds > 0) {
        char where[MOST_PATTERN];

        program_where(s, where, sizeof(where));
        printf(", HIT_WHERE(\"%s\")", where);
    }
    printf("}));\n");
    for (int k = 0; k < s->uses; k++) {
        if (s->use[k].part.dims > 0) printf("    hit_tile_destroy(&part[%d]);\n", k);
    }
}

void program_print(const program *p)
{
    hit_random random = {p->seed};

    printf("/* program %" PRIu64 " on HIT_DEVICES=\"%s\"", p->seed, p->devices);
    if (p->chain_steps > 0) {
        printf(", in chains of %d launches, tiles of %d, %s lines", p->chain_steps,
               p->chain_width, p->chain_lines ? "whole" : "no");
    }
    printf(": kernels */\n");
    printf("#include \"hit/kernel.h\"\n");
    for (int k = 0; k < p->steps; k++) {
        if (p->step[k].kind == LAUNCH) print_kernel(&p->step[k], k);
    }
    printf("/* main */\n#include \"hit/hit.h\"\n");
    for (int k = 0; k < p->steps; k++) {
        if (p->step[k].kind == LAUNCH) printf("extern const hit_kernel step%d;\n", k);
    }
    printf("int main(int argc, char **argv)\n{\n    hit_context *hit;\n"
           "    hit_layout *layout;\n    hit_tile *t[%d], *part[5];\n\n"
           "    HIT_MUST(hit_open(&argc, &argv, &hit));\n",
           p->tiles);
    if (p->counts) printf("    int64_t launched = 0;\n");
    if (p->chain != HIT_CHAIN_OFF) {
        printf("    HIT_MUST(hit_chain(hit, %d));\n", p->chain);
    }
    for (int k = 0; k < p->tiles; k++) {
        print_tile(&p->tile[k], k, &random);
    }
    if (p->repeats > 1) printf("    for (int t = 0; t < %d; t++) {\n", p->repeats);
    for (int k = 0; k < p->steps; k++) {
        print_step(p, &p->step[k], k);
    }
    if (p->repeats > 1) printf("    }\n");
    printf("    for (int k = 0; k < %d; k++) hit_tile_destroy(&t[k]);\n"
           "    hit_close(&hit);\n    return 0;\n}\n",
           p->tiles);
}
