/* SPDX-License-Identifier: MIT
 * What the examples share: options, a progress bar, and the time. Mistakes of the user
 * end a program with exit code 2, before it computes anything. */
#include "examples/common.h"

#include "hit/plugin.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/** More elements than this in one tile, or indices of a product, are taken for a slip of
 * the pen. */
#define MOST_CELLS ((hit_index)1 << 52)

_Noreturn void example_mistake(const example *e, const char *format, ...)
{
    hit_context *hit = e->hit;
    char text[1024]; /* hit_status_text(), before hit_open() fails at something else */
    va_list args;

    va_start(args, format);
    (void)vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    if (hit == NULL && hit_open(NULL, NULL, &hit) != HIT_OK) hit = NULL;
    if (hit == NULL || hit_rank(hit) == 0) {
        fprintf(stderr, "%s: %s; see %s --help\n", e->name, text, e->name);
    }
    hit_close(&hit);
    exit(2);
}

/** A whole number 1..MOST_CELLS at the start of @p text; NULL if there is none. */
static const char *read_count(const char *text, hit_index *value)
{
    char *end;
    intmax_t number;

    if (*text < '0' || *text > '9') return NULL;
    number = strtoimax(text, &end, 10);
    if (number < 1 || number > MOST_CELLS) return NULL;
    *value = number;
    return end;
}

static void read_sizes(example *e, const char *text)
{
    const char *rest = text;
    hit_index cells = 1;
    int given = 0;

    while (rest != NULL && given < e->dims) {
        rest = read_count(rest, &e->size[given]);
        if (rest != NULL) given++;
        if (rest == NULL || *rest != 'x' || given == e->dims) break;
        rest++;
    }
    for (int d = given; d < e->dims; d++) {
        e->size[d] = e->follows != NULL ? 0 : e->size[0];
    }
    for (int d = 0; d < e->dims && rest != NULL; d++) {
        const hit_index size = e->size[d] > 0 ? e->size[d] : e->size[0];

        if (size > MOST_CELLS / cells) rest = NULL;
        cells *= size;
    }
    if (rest == NULL || *rest != '\0') {
        example_mistake(
            e,
            "expected after --size 1 to %d whole numbers such as %s, at least 1 "
            "each and at most 2^52 elements, but found \"%s\"",
            e->dims, e->dims == 1 ? "512" : "512x256", text);
    }
}

static void read_value(example *e, const example_option *option, const char *text)
{
    const char *end;

    if (text == NULL) example_mistake(e, "expected a value after %s", option->name);
    switch (option->kind) {
    case EXAMPLE_FLAG: /* has none */
        break;
    case EXAMPLE_COUNT:
        end = read_count(text, option->value);
        if (end == NULL || *end != '\0') {
            example_mistake(e, "expected a whole number >= 1 after %s but found \"%s\"",
                            option->name, text);
        }
        break;
    case EXAMPLE_SIZES:
        read_sizes(e, text);
        break;
    case EXAMPLE_TEXT:
        *(const char **)option->value = text;
        break;
    }
}

static void print_help(const example *e, const example_option *const table[])
{
    printf("%s: %s\n\n", e->name, e->what);
    for (int t = 0; t < 2; t++) {
        for (const example_option *o = table[t]; o->name != NULL; o++) {
            printf("  %-16s %s\n", o->name, o->what);
        }
    }
    printf("  %-16s %s\n", "--help", "this text");
}

static const example_option *find_option(const example_option *const table[],
                                         const char *name, size_t length)
{
    for (int t = 0; t < 2; t++) {
        for (const example_option *o = table[t]; o->name != NULL; o++) {
            if (strncmp(o->name, name, length) == 0 && o->name[length] == '\0') return o;
        }
    }
    return NULL;
}

void example_read(example *e, int argc, char **argv, const example_option extra[])
{
    const char *sizes = e->dims == 1 ? "N     size" : "N     size, or NxM";
    const example_option common[] = {
        {"--size", e->follows != NULL ? e->follows : sizes, EXAMPLE_SIZES, e->size},
        {"--steps", "N     how often", EXAMPLE_COUNT, &e->steps},
        {"--layout",
         "TEXT  who owns what: even, fpm2d, hierarchical, single-cpm, multiple-cpm, or "
         "weighted:weights=1,2",
         EXAMPLE_TEXT, &e->layout},
        {"--device-memory",
         "SIZE  limit: 16MiB, or 1/10 of what the tiles need; 64MiB,1:8MiB: process 1 "
         "less",
         EXAMPLE_TEXT, &e->memory},
        {"--slow",
         "TEXT  make processes slower: 1:4,3:2, or 1:4@100 from the 100th run on",
         EXAMPLE_TEXT, &e->slow},
        {"--cliff", "TEXT  1:4000000*8: process 1 is 8 times slower on larger tiles",
         EXAMPLE_TEXT, &e->cliff},
        {"--threads", "N     threads per process", EXAMPLE_COUNT, &e->threads},
        {"--check", "      compare with a sequential reference", EXAMPLE_FLAG, &e->check},
        {"--json", "      end with one line of JSON", EXAMPLE_FLAG, &e->json},
        {e->rebalances ? "--rebalance" : NULL, "      move elements to faster processes",
         EXAMPLE_FLAG, &e->rebalance},
        {NULL, NULL, EXAMPLE_FLAG, NULL},
    };
    const example_option *const table[] = {common, extra};

    if (e->layout == NULL) e->layout = "block";
    for (int k = 1; k < argc; k++) {
        const size_t length = strcspn(argv[k], "=");
        const example_option *option = find_option(table, argv[k], length);
        const bool joined = argv[k][length] == '=';

        if (strcmp(argv[k], "--help") == 0) {
            print_help(e, table);
            exit(0);
        }
        if (option == NULL) example_mistake(e, "there is no option %s", argv[k]);
        if (option->kind == EXAMPLE_FLAG) {
            if (joined) example_mistake(e, "%s takes no value", option->name);
            *(bool *)option->value = true;
        } else {
            read_value(e, option, joined ? argv[k] + length + 1 : argv[++k]);
        }
    }
}

void example_start(example *e)
{
    HIT_MUST(hit_wait(e->hit));
    HIT_MUST(hit_barrier(e->hit));
    e->start_s = hit_time(e->hit);
}

void example_stop(example *e)
{
    HIT_MUST(hit_wait(e->hit));
    HIT_MUST(hit_barrier(e->hit));
    e->time_s = hit_time(e->hit) - e->start_s;
    example_progress(e, 0, 0);
}

void example_progress(const example *e, hit_index done, hit_index all)
{
    enum {
        WIDTH = 50
    };
    hit_index now;

    if (hit_rank(e->hit) != 0 || !isatty(STDERR_FILENO)) return;
    if (all == 0) {
        fprintf(stderr, "\r%*s\r", WIDTH + 10, "");
        return;
    }
    now = done * 100 / all;
    if (done > 1 && now == (done - 1) * 100 / all) return;
    fprintf(stderr, "\r[%-*.*s] %3" PRId64 " %%", WIDTH, (int)(now * WIDTH / 100),
            "##################################################", now);
}

double example_random(hit_index seed, hit_index i, hit_index j)
{
    uint64_t x = (uint64_t)seed * 0x9e3779b97f4a7c15u + (uint64_t)i;

    for (int k = 0; k < 2; k++) { /* the finalizer of splitmix64, once per index */
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
        x ^= x >> 31;
        if (k == 0) x += (uint64_t)j;
    }
    return (double)(x >> 11) / (double)(1ull << 52) - 1;
}

bool example_plans;

void example_set(hit_tile *tile, double (*value)(const void *what, const hit_index x[]),
                 const void *what)
{
    const bool single = hit_tile_type(tile).size_bytes == sizeof(float);
    hit_view view;

    if (example_plans) return; /* elements that nobody reads would take memory */
    for (int piece = 0; piece < hit_tile_pieces(tile); piece++) {
        HIT_MUST(hit_tile_map(tile, piece, HIT_WRITE, &view));
        HIT_FOR_EACH (x, view.domain) {
            void *element = hit_view_at(&view, x);

            if (single) {
                *(float *)element = (float)value(what, x);
            } else {
                *(double *)element = value(what, x);
            }
        }
    }
}

void *example_gather(const example *e, hit_tile *tile, hit_domain domain)
{
    hit_tile *selection;
    void *all = NULL;

    HIT_MUST(hit_tile_select(tile, domain, &selection));
    if (hit_rank(e->hit) == 0) {
        HIT_MUST(hit_memory_zeroed((size_t)hit_domain_count(&domain),
                                   hit_tile_type(tile).size_bytes, &all));
    }
    HIT_MUST(hit_tile_gather(selection, 0, all));
    hit_tile_destroy(&selection);
    return all;
}

void example_check(example *e, hit_tile *tile, hit_domain domain,
                   double (*check)(const example *e, const void *found))
{
    void *found;

    if (!e->check) return;
    found = example_gather(e, tile, domain);
    if (found != NULL) e->error = check(e, found);
    free(found);
}

/** Those of @p all that are in block @p k along a dimension. */
static hit_sig block_of(hit_sig all, hit_index k, hit_index width)
{
    const hit_index begin = all.begin + k * width;
    const hit_index end = begin + width - 1;

    return hit_sig_make(begin, end < all.end ? end : all.end, 1);
}

hit_tile **example_blocks(hit_tile *tile, hit_index height, hit_index width)
{
    const hit_domain all = hit_tile_domain(tile);
    const hit_index rows = (hit_sig_count(all.sig[0]) + height - 1) / height;
    const hit_index columns = (hit_sig_count(all.sig[1]) + width - 1) / width;
    hit_tile **blocks;

    HIT_MUST(
        hit_memory_zeroed((size_t)(rows * columns + 1), sizeof(hit_tile *), &blocks));
    for (hit_index i = 0; i < rows; i++) {
        for (hit_index j = 0; j < columns; j++) {
            const hit_domain box = {
                .dims = 2,
                .sig = {block_of(all.sig[0], i, height), block_of(all.sig[1], j, width)}};

            HIT_MUST(hit_tile_select(tile, box, &blocks[i * columns + j]));
        }
    }
    return blocks;
}

void example_blocks_destroy(hit_tile ***blocks)
{
    for (hit_tile **block = *blocks; block != NULL && *block != NULL; block++) {
        hit_tile_destroy(block);
    }
    free(*blocks);
    *blocks = NULL;
}

hit_domain example_thin(hit_domain domain, hit_index most)
{
    for (int d = 0; d < domain.dims; d++) {
        hit_sig *sig = &domain.sig[d];

        *sig =
            hit_sig_make(sig->begin, sig->end, (hit_sig_count(*sig) + most - 1) / most);
    }
    return domain;
}
