/* SPDX-License-Identifier: MIT
 * Plans that are moved from place to place equal plans that are made for the place, in
 * all that they say: random kernels, values in their patterns, tiles, selections and
 * domains, inside and at the edges. Nothing is run. */
#include "hit/base/context.h"
#include "hit/hit.h"
#include "hit/launch/launcher.h"
#include "tests/support/check_main.h"
#include "tests/support/message_print.h"

#include <stdio.h>
#include <string.h>

enum {
    PLACES = 10000,
    FEWEST = 1000, /* so that some move, also under a sanitizer */
    PLACES_PER_KERNEL = 100,
    MOST_ARGS = 3,
    TEXT = 96
};

/* Base keeps MPI open. */
static hit_context *base;

typedef struct counts {
    int same;  /* plans that equal a fresh one */
    int moved; /* of these, plans that had been made for another place */
    int told;  /* errors, the same as those of a fresh one */
} counts;

typedef struct scene {
    hit_random random;
    hit_context *hit;
    hit_kernel kernel;
    int tiles; /* arguments; one more may be a value */
    hit_kernel_arg arg[MOST_ARGS + 1];
    char text[MOST_ARGS][TEXT];
    int dims[MOST_ARGS]; /* of the tiles */
    hit_tile *tile[MOST_ARGS];
    bool one; /* arguments are parts of the first tile */
    counts count;
} scene;

static int choose(scene *s, int most)
{
    return (int)hit_random_index(&s->random, 0, most);
}

static hit_status never(const hit_run *run)
{
    (void)run;
    return HIT_FAIL(HIT_E_CHECK, "nothing is run here");
}

/* ---- random kernels ---- */

static const char *const range_text[] = {
    "%s", "%s",  "%s", "%s-1:%s+1", "%s:%s+2",     "%s+1",        "%s-2", ":",    ":",
    "2",  "1:3", "3:", "15-%s",     "14-%s:16-%s", "%s-2:%s+2:2", "2*%s", "0:%s", "::2"};
/* with a value v */
static const char *const value_text[] = {"%s+v",  "v",      "%s-v:%s",   "2*v:2*v+1",
                                         "0:v-1", "%s-v*v", "%s:%s+2:v", "v*%s"};

static const char *pick_range(scene *s, int most)
{
    const int texts = (int)(sizeof(value_text) / sizeof(value_text[0]));
    const bool valued = s->kernel.args > s->tiles && choose(s, 2) == 0;

    return valued ? value_text[choose(s, most > 11 ? texts - 1 : texts - 4)]
                  : range_text[choose(s, most)];
}

/* Of some that are read and written it is one element that is written. */
static void make_pattern(scene *s, int k, hit_mode mode)
{
    static const char *const name[] = {"i", "j"};
    const int ranges = (int)(sizeof(range_text) / sizeof(range_text[0]));
    const bool apart =
        mode == HIT_MODE_INOUT && s->dims[k] == s->kernel.dims && choose(s, 1) == 0;
    const int expressions = 1 + apart + (choose(s, 3) == 0);
    const int most = choose(s, 3) > 0 ? 11 : ranges - 1; /* mostly the first kinds */
    const int start = choose(s, 1);
    int used = 0;

    for (int e = 0; e < expressions; e++) {
        const bool whole = apart && e == 0;

        used += snprintf(s->text[k] + used, (size_t)(TEXT - used), "%s[",
                         e == 0            ? ""
                         : apart && e == 1 ? " <- "
                                           : " ");
        for (int t = 0; t < s->dims[k]; t++) {
            const int index =
                !whole && choose(s, 5) == 0 ? choose(s, 1) : (start + t) % 2;
            const char *of = name[index % s->kernel.dims];
            const char *range = "%s";

            if (!whole) range = pick_range(s, most);
            if (t > 0) used += snprintf(s->text[k] + used, (size_t)(TEXT - used), ", ");
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
            used += snprintf(s->text[k] + used, (size_t)(TEXT - used), range, of, of);
#pragma GCC diagnostic pop
        }
        used += snprintf(s->text[k] + used, (size_t)(TEXT - used), "]");
    }
    ck_assert_int_lt(used, TEXT);
}

static void make_kernel(scene *s)
{
    static const char *const name[MOST_ARGS] = {"a", "b", "c"};
    static const hit_mode mode[] = {HIT_MODE_IN,    HIT_MODE_IN,  HIT_MODE_OUT,
                                    HIT_MODE_INOUT, HIT_MODE_OUT, HIT_MODE_SUM};

    s->tiles = 1 + choose(s, MOST_ARGS - 1);
    s->kernel = (hit_kernel){.name = "random",
                             .dims = 1 + choose(s, 1),
                             .index = {"i", "j"},
                             .args = s->tiles + choose(s, 1),
                             .arg = s->arg,
                             .host = never};
    s->arg[s->tiles] =
        (hit_kernel_arg){.name = "v", .mode = HIT_MODE_VALUE, .type = HIT_INT64};
    for (int k = 0; k < s->tiles; k++) {
        const hit_mode of = k == 0 ? mode[2 + choose(s, 1)] : mode[choose(s, 5)];

        s->dims[k] = 1 + choose(s, 1);
        make_pattern(s, k, of);
        s->arg[k] = (hit_kernel_arg){
            .name = name[k], .mode = of, .type = HIT_FLOAT, .pattern = s->text[k]};
    }
}

/* A product, whose sum may be cut as well. */
static void make_product(scene *s)
{
    static const char *const name[MOST_ARGS] = {"c", "a", "b"};
    static const char *const pattern[MOST_ARGS] = {"[i, j]", "[i, :]", "[:, j]"};
    static const hit_along along[] = {{1, 1}, {2, 0}};

    s->tiles = MOST_ARGS;
    s->kernel = (hit_kernel){.name = "product",
                             .dims = 2,
                             .index = {"i", "j"},
                             .args = MOST_ARGS,
                             .arg = s->arg,
                             .alongs = 2,
                             .along = along,
                             .host = never};
    for (int k = 0; k < MOST_ARGS; k++) {
        s->dims[k] = 2;
        snprintf(s->text[k], sizeof(s->text[k]), "%s", pattern[k]);
        s->arg[k] = (hit_kernel_arg){.name = name[k],
                                     .mode = k == 0 ? HIT_MODE_INOUT : HIT_MODE_IN,
                                     .type = HIT_FLOAT,
                                     .pattern = s->text[k]};
    }
}

/* ---- random tiles and places ---- */

static void make_tiles(scene *s)
{
    static const char *const text[] = {"block", "weighted", "blockcyclic:block=10",
                                       "blockcyclic:block=1", "single"};
    const bool alike = choose(s, 1) == 0;
    hit_index size[2] = {20, 20};
    int kind = choose(s, 4);

    s->one = choose(s, 3) == 0;
    for (int k = 0; k < s->tiles; k++) {
        hit_layout *layout = NULL;

        for (int d = 0; d < 2 && !alike; d++) {
            size[d] = 18 + choose(s, 4);
        }
        if (!alike) kind = choose(s, 4);
        HIT_MUST(hit_layout_create(s->hit, hit_domain_of_sizes(s->dims[k], size),
                                   text[kind], &layout));
        HIT_MUST(hit_tile_create(layout, HIT_FLOAT, "tile", &s->tile[k]));
        if (choose(s, 7) == 0) {
            HIT_MUST(hit_tile_set_boundary(s->tile[k], -1, HIT_BOUNDARY_PERIODIC, NULL));
        }
        hit_layout_destroy(&layout);
    }
}

static void drop_tiles(scene *s)
{
    for (int k = 0; k < s->tiles; k++) {
        hit_tile_destroy(&s->tile[k]);
    }
}

/* A box of few extents, so that many places are of one class. */
static hit_domain random_box(scene *s, int dims, hit_index low, hit_index extent)
{
    hit_domain box = {.dims = dims};

    for (int d = 0; d < dims; d++) {
        const hit_index begin = hit_random_index(&s->random, low, 16 - extent / 2);
        const hit_index stride = choose(s, 7) == 0 ? 2 : 1;

        box.sig[d] = hit_sig_make(begin, begin + extent - 1 - choose(s, 1), stride);
    }
    return box;
}

static void choose_tile(scene *s, int k, hit_tile **tile)
{
    hit_tile *of = s->tile[s->one && s->dims[k] == s->dims[0] ? 0 : k];
    const hit_domain whole = hit_tile_domain(of);
    hit_domain part = whole;

    if (choose(s, 2) == 0) {
        const hit_domain box = random_box(s, whole.dims, 0, 10);

        part = hit_domain_intersect(&whole, &box);
    }
    HIT_MUST(hit_tile_select(of, part, tile));
}

/* ---- what is compared ---- */

static bool same_domain(const hit_domain *a, const hit_domain *b)
{
    return a->dims == b->dims && hit_domain_equal(a, b);
}

static bool same_exchange(const hit_exchange *a, const hit_exchange *b)
{
    char x[4000];
    char y[4000];

    if (a == NULL || b == NULL) return a == b;
    hit_message_plan_print(hit_exchange_plan(a), x, sizeof(x));
    hit_message_plan_print(hit_exchange_plan(b), y, sizeof(y));
    return strcmp(x, y) == 0;
}

static bool same_use(const hit_use *a, const hit_use *b, int pieces)
{
    bool same =
        a->arg == b->arg && a->mode == b->mode && a->pattern == b->pattern &&
        same_domain(&a->tile, &b->tile) && a->shape == b->shape &&
        a->retained == b->retained && a->gather_offset_bytes == b->gather_offset_bytes &&
        a->return_offset_bytes == b->return_offset_bytes && a->homes == b->homes &&
        same_exchange(a->gather, b->gather) && same_exchange(a->give_back, b->give_back);

    for (int k = 0; k < pieces; k++) {
        same = same && same_domain(&a->need[k], &b->need[k]) &&
               a->piece[k] == b->piece[k] && a->offset_bytes[k] == b->offset_bytes[k];
    }
    return same;
}

static bool same_pieces(const hit_plan *a, const hit_plan *b)
{
    bool same = same_domain(&a->index, &b->index) && a->pieces == b->pieces &&
                a->peak_bytes == b->peak_bytes && a->bytes_in == b->bytes_in &&
                a->bytes_out == b->bytes_out &&
                memcmp(a->arg_bytes, b->arg_bytes, sizeof(a->arg_bytes)) == 0;

    for (int d = 0; d < a->index.dims; d++) {
        same = same && a->shape[d] == b->shape[d] && a->blocks[d] == b->blocks[d] &&
               a->grid[d] == b->grid[d] && a->order[d] == b->order[d];
    }
    return same;
}

static bool same_superblocks(const hit_superblocks *a, const hit_superblocks *b)
{
    return same_pieces(&a->plan, &b->plan) && a->arena_bytes == b->arena_bytes &&
           memcmp(a->buffers, b->buffers, sizeof(a->buffers)) == 0 &&
           a->sum.args == b->sum.args;
}

static bool same_part(const hit_launch_plan *of_a, const hit_part *a,
                      const hit_launch_plan *of_b, const hit_part *b)
{
    bool same = a->piece == b->piece && a->device == b->device &&
                same_domain(&a->index, &b->index) && a->rims == b->rims &&
                a->replanned == b->replanned &&
                same_superblocks(&a->superblocks, &b->superblocks);

    for (int u = 0; u < of_a->uses; u++) {
        const hit_claim *x = &a->claim[u];
        const hit_claim *y = &b->claim[u];

        same = same && same_domain(&x->need, &y->need) && same_domain(&x->box, &y->box) &&
               x->loads == y->loads && x->partial == y->partial &&
               x->offset_bytes == y->offset_bytes &&
               (x->partial || x->host - of_a->use[u].user == y->host - of_b->use[u].user);
    }
    return same;
}

static bool same_plan(const hit_launch_plan *a, const hit_launch_plan *b)
{
    bool same =
        a->known == b->known && same_domain(&a->domain, &b->domain) &&
        a->pieces == b->pieces && a->indices == b->indices &&
        hit_launch_plan_touched(a) == hit_launch_plan_touched(b) && a->uses == b->uses &&
        a->reduces == b->reduces && a->overlaps == b->overlaps && a->stays == b->stays &&
        a->border.count == b->border.count && a->parts == b->parts &&
        a->shared == b->shared && a->cut_dim == b->cut_dim && a->shares == b->shares &&
        a->partials == b->partials && a->scratch_bytes == b->scratch_bytes;

    for (int k = 0; k < a->pieces && same; k++) {
        same = same_domain(&a->index[k], &b->index[k]);
    }
    for (int u = 0; u < a->uses && same; u++) {
        same = same_use(&a->use[u], &b->use[u], a->pieces);
    }
    for (int p = 0; p < a->parts && same; p++) {
        same = same_part(a, &a->part[p], b, &b->part[p]);
    }
    return same;
}

static void say(const scene *s, const hit_call *call)
{
    char text[128];

    hit_domain_print(&call->domain, text, sizeof(text));
    printf("on %s:", text);
    for (int k = 0; k < s->tiles; k++) {
        const hit_domain tile = hit_tile_domain(call->args[k].tile);

        hit_domain_print(&tile, text, sizeof(text));
        printf(" mode %d \"%s\" of %s;", (int)s->arg[k].mode, s->text[k], text);
    }
    if (call->count > s->tiles) {
        printf(" v = %lld", (long long)*(const int64_t *)call->args[s->tiles].value);
    }
    printf("\n");
}

/* Processes do not know the same calls: one that looks the plan up finds the same. */
static void find_again(const hit_call *call)
{
    hit_call again = *call;
    hit_launch_plan *plan = NULL;

    again.known = NULL;
    HIT_MUST(hit_launcher_find_plan(&again, HIT_OK, &plan));
    ck_assert_ptr_eq(plan, call->known->plan);
}

static void compare(scene *s, hit_call *call)
{
    hit_launcher *launcher = s->hit->launcher;
    const hit_known_kernel *known = NULL;
    const uint64_t made = launcher->plans_made;
    hit_launch_plan *fresh = NULL;
    hit_launch_plan *plan = NULL;
    hit_status expected;
    hit_status found;
    bool same;

    if (call->known != NULL) find_again(call);
    HIT_MUST(hit_launcher_know(call, &known));
    found = hit_launcher_plan(call, HIT_OK, &plan);
    if (found == HIT_OK) hit_parts_claim(plan, call);
    if (found == HIT_OK) found = hit_launch_plan_finish(plan, call);
    expected = hit_launch_plan_make(call, known, &fresh);
    if (expected == HIT_OK) expected = hit_launch_plan_finish(fresh, call);
    same = found == expected && (found != HIT_OK || same_plan(plan, fresh));
    if (!same) say(s, call);
    ck_assert_msg(same, "the plan is not what a fresh one is (%s, %s)",
                  hit_status_name(found), hit_status_name(expected));
    if (found == HIT_OK) {
        s->count.same++;
        s->count.moved += launcher->plans_made == made && plan->moves;
    } else {
        s->count.told++;
    }
    hit_launch_plan_destroy(&fresh);
}

/* Is it well formed? One that is known as it stands is, and is not checked again. */
static bool is_well_formed(hit_call *call)
{
    hit_call checked = *call;
    const bool is = hit_call_check(&checked) == HIT_OK;

    call->known = hit_known_call_find(call);
    if (call->known == NULL) {
        *call = checked;
        return is;
    }
    ck_assert(is);
    ck_assert_uint_eq(call->alias, checked.alias);
    return true;
}

static void try_places(scene *s)
{
    const hit_index extent = hit_random_index(&s->random, 1, 9);

    for (int n = 0; n < PLACES_PER_KERNEL; n++) {
        hit_tile *tile[MOST_ARGS] = {NULL};
        const int64_t number = 1 + choose(s, 2);
        hit_arg args[MOST_ARGS + 1];
        hit_call call = {.context = s->hit,
                         .kernel = &s->kernel,
                         .domain = random_box(s, s->kernel.dims, -1, extent),
                         .count = s->kernel.args,
                         .args = args};

        for (int k = 0; k < s->tiles; k++) {
            choose_tile(s, k, &tile[k]);
            args[k] = hit_arg_tile(!s->one && choose(s, 1) == 0 ? s->tile[k] : tile[k]);
        }
        args[s->tiles] = (hit_arg){.value = &number, .type = HIT_INT64};
        if (is_well_formed(&call)) compare(s, &call);
        for (int k = 0; k < s->tiles; k++) {
            hit_tile_destroy(&tile[k]);
        }
    }
}

static const char *const place[] = {"host:threads=1",
                                    "host:threads=1:memory=400",
                                    "host:threads=1:memory=2KiB",
                                    "host:threads=1:memory=1MiB",
                                    "host:threads=1 * 2",
                                    "host:threads=1:memory=2KiB * 3",
                                    "host:threads=1:memory=400 + host:threads=2:share=3"};

START_TEST(a_plan_that_was_moved_equals_one_that_is_made)
{
    const int few = hit_random_cases(PLACES) / hit_size(base);
    const int places = few < FEWEST ? FEWEST : few;
    const int kernels = places / PLACES_PER_KERNEL + 1;
    scene s = {.random = hit_random_start(42 + (uint64_t)_i)};

    /* on several processes plans move on one device in place only */
    if (hit_size(base) > 1 && _i > 0) return;
    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = place[_i]}, &s.hit));
    for (int n = 0; n < kernels; n++) {
        if (n % 6 == 5) {
            make_product(&s);
        } else {
            make_kernel(&s);
        }
        make_tiles(&s);
        try_places(&s);
        drop_tiles(&s);
    }
    printf("%s: %d plans as made for the place, %d of them moved; %d errors alike\n",
           place[_i], s.count.same, s.count.moved, s.count.told);
    ck_assert_int_gt(s.count.moved, s.count.same / (hit_size(base) == 1 ? 8 : 50));
    ck_assert_int_gt(s.count.told, 0);
    hit_close(&s.hit);
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("hit/launch/move");
    TCase *t = tcase_create("move");

    tcase_set_timeout(t, 0);
    tcase_add_loop_test(t, a_plan_that_was_moved_equals_one_that_is_made, 0,
                        sizeof(place) / sizeof(place[0]));
    suite_add_tcase(s, t);
    return s;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
