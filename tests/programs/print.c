/* SPDX-License-Identifier: MIT
 * A program as C: two files in one text, the kernels and the program. */
#include "tests/programs/program.h"
#include "tests/support/random.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The index, or what is left of it: in a pattern, or in C. */
static void write_index(char *text, size_t size, const span *of, bool c)
{
    const char *index = of->follows >= 0 ? program_index[of->follows] : "";
    const hit_index by = of->by < 0 ? -of->by : of->by;
    char rest[2 * TEXT];

    (void)snprintf(rest, sizeof(rest), "(%s %% %" PRId64 " + %" PRId64 ") %% %" PRId64,
                   index, by, by, by);
    if (by == 0) {
        (void)snprintf(text, size, "%s", index);
    } else if (!c) {
        (void)snprintf(text, size, "%s%c%" PRId64, index, of->by > 0 ? '/' : '%', by);
    } else if (of->by < 0) {
        (void)snprintf(text, size, "%s", rest);
    } else {
        (void)snprintf(text, size, "(%s - %s) / %" PRId64, index, rest, by);
    }
}

static size_t add_end(char *text, size_t size, const span *of, hit_index offset, bool c)
{
    char index[3 * TEXT];
    const char *s = !of->shifts ? "" : of->follows >= 0 ? "+s" : "s";

    write_index(index, sizeof(index), of, c);
    if (*index == '\0' && *s == '\0') {
        return (size_t)snprintf(text, size, "%" PRId64, offset);
    }
    if (offset == 0) return (size_t)snprintf(text, size, "%s%s", index, s);
    return (size_t)snprintf(text, size, "%s%s%+" PRId64, index, s, offset);
}

void program_pattern(const use *u, int tile_dims, char *text, size_t size)
{
    size_t used = 0;

    for (int b = 0; b < u->boxes; b++) {
        const char *between = u->mode == HIT_MODE_IN ? " [" : " <- [";

        used += (size_t)snprintf(text + used, size - used, "%s", b > 0 ? between : "[");
        for (int t = 0; t < tile_dims; t++) {
            const span *s = &u->box[b][t];

            if (t > 0) used += (size_t)snprintf(text + used, size - used, ", ");
            if (s->all) {
                used += (size_t)snprintf(text + used, size - used, ":");
                continue;
            }
            used += add_end(text + used, size - used, s, s->from, false);
            if (s->from == s->to) continue;
            used += (size_t)snprintf(text + used, size - used, ":");
            used += add_end(text + used, size - used, s, s->to, false);
        }
        used += (size_t)snprintf(text + used, size - used, "]");
    }
}

void program_where(const step *s, char *text, size_t size)
{
    size_t used = 0;

    text[0] = '\0';
    for (int k = 0; k < s->bounds; k++) {
        const bound *b = &s->bound[k];

        used += (size_t)snprintf(text + used, size - used, "%s%s <= %s%+" PRId64 "%s",
                                 k == 0     ? ""
                                 : b->other ? " or "
                                            : ", ",
                                 b->less < 0 ? "0" : program_index[b->less],
                                 b->more < 0 ? "0" : program_index[b->more], b->apart,
                                 b->shifts ? " + s" : "");
    }
}

static void print_domain(const hit_domain *domain)
{
    printf("(hit_domain){%d, {", domain->dims);
    for (int d = 0; d < domain->dims; d++) {
        printf("%s{%" PRId64 ", %" PRId64 ", %" PRId64 "}", d > 0 ? ", " : "",
               domain->sig[d].begin, domain->sig[d].end, domain->sig[d].stride);
    }
    printf("}}");
}

/* "for (hit_index y0 = i-1; ...)" over a box of argument @p name, and the element. */
static void print_loops(const use *u, int box, int dims, char name)
{
    char end[4 * TEXT];

    for (int t = 0; t < dims; t++) {
        const span *s = &u->box[box][t];

        if (s->all) {
            printf("    for (hit_index y%d = hit_begin(%c, %d); y%d <= hit_end(%c, %d); "
                   "y%d++)\n",
                   t, name, t, t, name, t, t);
            continue;
        }
        add_end(end, sizeof(end), s, s->from, true);
        printf("    for (hit_index y%d = %s; ", t, end);
        add_end(end, sizeof(end), s, s->to, true);
        printf("y%d <= %s; y%d++)\n", t, end, t);
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

static void print_kernel(const step *s, int number)
{
    static const char *const mode[] = {"in", "out", "inout", "sum", "min", "max"};

    printf("HIT_KERNEL(step%d, (", number);
    for (int d = 0; d < s->domain.dims; d++) {
        printf("%s%s", d > 0 ? ", " : "", program_index[d]);
    }
    printf(")");
    for (int k = 0; k < s->uses; k++) {
        char text[200];

        program_pattern(&s->use[k], s->tile_dims[k], text, sizeof(text));
        printf(",\n    (%s, int64_t, %c, \"%s\")", mode[s->use[k].mode], 'a' + k, text);
    }
    printf(",\n    (value, int64_t, n), (value, hit_index, s))\n{\n    int64_t sum = 7 + "
           "n;\n");
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

/* The content that a run begins with: make_field() draws it in the same order. */
static void print_content(const tile *t, int number, hit_random *random)
{
    const hit_index count = hit_domain_count(&t->domain);

    printf("    static const int64_t value%d[] = {", number);
    for (hit_index k = 0; k < count; k++) {
        printf("%s%" PRId64, k > 0 ? ", " : "", hit_random_index(random, -50, 50));
    }
    printf("};\n    HIT_MUST(hit_tile_scatter(t[%d], 0, value%d));\n", number, number);
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
        char where[2 * TEXT];

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
           "    hit_layout *layout;\n    hit_tile *t[%d], *part[3];\n\n"
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
