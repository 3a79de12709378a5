/* SPDX-License-Identifier: MIT
 * Every allocation and every copy of a small program fails in turn, once, or from then
 * on: its results are right, or it is told of an error with a text, and in the end all
 * memory has been given back. Allocations are counted and refused by the linker's --wrap.
 */
#include "hit/base/context.h"
#include "hit/device/device.h"
#include "hit/hit.h"
#include "tests/support/check_main.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const hit_kernel blend, bump, multiply, columns;

/* Keeps MPI open while the tests open and close contexts of their own. */
static hit_context *base;

/* A test program has no context to hang this on. */
static struct {
    bool on;
    bool sticky;             /* all that follow fail, too */
    long fail_at;            /* from 1; 0: none */
    atomic_long allocations; /* asked for while on */
    atomic_long held;        /* not freed yet, on or off */
    atomic_long copies;
    long fail_copy;
    size_t cap_bytes; /* the device has no more in one piece; 0: what it has */
    hit_device_ops ops;
    const hit_device_ops *real;
} fault;

/* ---- what the linker puts in the place of the C library's ---- */

/* names that the linker asks for */
/* NOLINTBEGIN(bugprone-reserved-identifier,readability-identifier-naming) */
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *old, size_t size);
void *__real_aligned_alloc(size_t align, size_t size);
void __real_free(void *memory);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *old, size_t size);
void *__wrap_aligned_alloc(size_t align, size_t size);
char *__wrap_strdup(const char *text);
void __wrap_free(void *memory);
/* NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming) */

static bool refused(void)
{
    long number;

    if (!fault.on) return false;
    number = ++fault.allocations;
    return fault.fail_at > 0 &&
           (fault.sticky ? number >= fault.fail_at : number == fault.fail_at);
}

static void *given(void *memory)
{
    fault.held += memory != NULL;
    return memory;
}

void *__wrap_malloc(size_t size)
{
    return refused() ? NULL : given(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return refused() ? NULL : given(__real_calloc(count, size));
}

void *__wrap_aligned_alloc(size_t align, size_t size)
{
    return refused() ? NULL : given(__real_aligned_alloc(align, size));
}

void *__wrap_realloc(void *old, size_t size)
{
    void *made = refused() ? NULL : __real_realloc(old, size);

    fault.held += made != NULL && old == NULL;
    return made;
}

char *__wrap_strdup(const char *text)
{
    char *made = __wrap_malloc(strlen(text) + 1);

    return made == NULL ? NULL : strcpy(made, text);
}

void __wrap_free(void *memory)
{
    fault.held -= memory != NULL;
    __real_free(memory);
}

static hit_status faulty_copy(void *state, hit_lane lane, hit_way way,
                              const hit_view *from, const hit_view *to,
                              const hit_domain *domain)
{
    const long number = ++fault.copies;

    if (fault.fail_copy > 0 &&
        (fault.sticky ? number >= fault.fail_copy : number == fault.fail_copy)) {
        return HIT_FAIL(HIT_E_DEVICE, "copy %ld was made to fail", number);
    }
    return fault.real->copy(state, lane, way, from, to, domain);
}

static hit_status capped_allocate(void *state, size_t size_bytes, void **memory)
{
    if (fault.cap_bytes > 0 && size_bytes > fault.cap_bytes) {
        return HIT_FAIL(HIT_E_NOMEM, "%zu bytes are not there", size_bytes);
    }
    return fault.real->allocate(state, size_bytes, memory);
}

/* ---- the program ---- */

enum {
    N = 14
};

typedef struct program {
    hit_context *hit;
    hit_layout *layout;
    hit_layout *row;
    hit_tile *a, *b, *c, *total;
    int64_t found[2 * N * N + N];
    hit_stats stats;
} program;

static hit_status make_tiles(program *p)
{
    const hit_domain square = hit_domain_of(N, N);
    int64_t value = 3;

    HIT_TRY(hit_layout_create(p->hit, square, "block", &p->layout));
    HIT_TRY(hit_layout_create(p->hit, hit_domain_of(N), "block", &p->row));
    HIT_TRY(hit_tile_create(p->layout, HIT_INT64, "a", &p->a));
    HIT_TRY(hit_tile_create(p->layout, HIT_INT64, "b", &p->b));
    HIT_TRY(hit_tile_create(p->layout, HIT_INT64, "c", &p->c));
    HIT_TRY(hit_tile_create(p->row, HIT_INT64, "total", &p->total));
    HIT_TRY(hit_tile_set_boundary(p->a, -1, HIT_BOUNDARY_PERIODIC, NULL));
    return hit_tile_fill(p->a, &value);
}

static hit_status run(program *p)
{
    const hit_domain square = hit_domain_of(N, N);
    hit_view view;

    for (int k = 0; k < 2; k++) {
        HIT_TRY(hit_launch(p->hit, &blend, square, p->b, p->a));
        HIT_TRY(hit_launch(p->hit, &bump, square, p->a, HIT_VALUE((int64_t)5)));
    }
    HIT_TRY(hit_launch(p->hit, &multiply, square, p->c, p->a, p->b));
    HIT_TRY(hit_launch(p->hit, &columns, square, p->total, p->c));
    HIT_TRY(hit_tile_map(p->a, 0, HIT_READ_WRITE, &view));
    HIT_AT(view, int64_t, 1, 1) += 1;
    HIT_TRY(hit_launch(p->hit, &blend, square, p->b, p->a));
    HIT_TRY(hit_tile_gather(p->b, 0, p->found));
    HIT_TRY(hit_tile_gather(p->c, 0, p->found + N * N));
    return hit_tile_gather(p->total, 0, p->found + 2 * N * N);
}

static hit_status whole(program *p, const char *devices)
{
    hit_status status = hit_open_with(
        NULL, NULL, &(hit_options){.threads = 1, .devices = devices}, &p->hit);

    if (status != HIT_OK) return status;
    fault.real = p->hit->device[0]->ops;
    fault.ops = *fault.real;
    fault.ops.copy = faulty_copy;
    fault.ops.allocate = capped_allocate;
    for (int d = 0; d < p->hit->devices; d++) {
        p->hit->device[d]->ops = &fault.ops;
    }
    status = make_tiles(p);
    if (status == HIT_OK) status = run(p);
    hit_context_stats(p->hit, &p->stats);
    hit_tile_destroy(&p->a);
    hit_tile_destroy(&p->b);
    hit_tile_destroy(&p->c);
    hit_tile_destroy(&p->total);
    hit_layout_destroy(&p->layout);
    hit_layout_destroy(&p->row);
    hit_close(&p->hit);
    return status;
}

/* ---- the trials ---- */

typedef struct outcome {
    long right;
    long told;
} outcome;

static hit_status try_once(const char *devices, program *p)
{
    hit_status status;

    memset(p, 0, sizeof(*p));
    fault.allocations = 0;
    fault.copies = 0;
    fault.on = true;
    status = whole(p, devices);
    fault.on = false;
    return status;
}

static void judge(hit_status status, const program *p, const program *good, long held,
                  outcome *all)
{
    const char *where = fault.fail_at > 0 ? "allocation" : "copy";
    const long number = fault.fail_at > 0 ? fault.fail_at : fault.fail_copy;

    ck_assert_msg(fault.held == held, "%s %ld%s: %ld pieces of memory are not given back",
                  where, number, fault.sticky ? " and all that follow" : "",
                  fault.held - held);
    if (status == HIT_OK) {
        ck_assert_msg(memcmp(p->found, good->found, sizeof(p->found)) == 0,
                      "%s %ld: wrong results", where, number);
        all->right++;
        return;
    }
    ck_assert_msg(status == HIT_E_NOMEM || status == HIT_E_DEVICE || status == HIT_E_COMM,
                  "%s %ld: %s: %s", where, number, hit_status_name(status),
                  hit_status_text());
    ck_assert_int_gt((int)strlen(hit_status_text()), 10);
    all->told++;
}

/* A few superblocks, one at a time and in lanes; tiles that give way to each other; all
 * that fits; on two devices. */
static const char *const places[] = {
    "host:memory=1000",
    "host:memory=3000",
    "host:memory=4200",
    "host:memory=100000",
    "host:memory=1000+host:memory=100000",
};
static const char *const roomy = "host:memory=100000";

START_TEST(every_allocation_may_fail)
{
    static program good;
    static program p;
    outcome all = {0};
    long held;
    long count;

    ck_assert_msg(try_once(places[_i], &good) == HIT_OK, "%s", hit_status_text());
    held = fault.held;
    count = fault.allocations;
    for (long n = 1; n <= 2 * count; n++) {
        fault.sticky = n > count;
        fault.fail_at = n > count ? n - count : n;
        judge(try_once(places[_i], &p), &p, &good, held, &all);
    }
    fault.fail_at = 0;
    printf("%s: %ld allocations failed in turn: %ld right, %ld told\n", places[_i],
           2 * count, all.right, all.told);
    ck_assert_int_gt(all.told, 0);
}
END_TEST

START_TEST(every_copy_may_fail)
{
    static program good;
    static program p;
    outcome all = {0};
    long held;
    long count;

    ck_assert_msg(try_once(places[_i], &good) == HIT_OK, "%s", hit_status_text());
    held = fault.held;
    count = fault.copies;
    for (long n = 1; n <= 2 * count; n++) {
        fault.sticky = n > count;
        fault.fail_copy = n > count ? n - count : n;
        judge(try_once(places[_i], &p), &p, &good, held, &all);
    }
    fault.fail_copy = 0;
    printf("%s: %ld copies failed in turn: %ld right, %ld told\n", places[_i], 2 * count,
           all.right, all.told);
    ck_assert_int_eq(all.right, 0);
}
END_TEST

/* Somebody else has taken the device's memory. */
START_TEST(less_memory_than_the_limit_gives_a_smaller_plan)
{
    static program good;
    static program p;
    const long held = fault.held;

    ck_assert_int_eq(try_once(roomy, &good), HIT_OK);
    ck_assert_uint_eq(good.stats.replans, 0);
    for (fault.cap_bytes = 4000; fault.cap_bytes >= 900; fault.cap_bytes -= 100) {
        ck_assert_msg(try_once(roomy, &p) == HIT_OK, "%s", hit_status_text());
        ck_assert(memcmp(p.found, good.found, sizeof(p.found)) == 0);
    }
    ck_assert_uint_gt(p.stats.replans, 0);
    ck_assert_uint_le(p.stats.replans, 6); /* once per plan */
    fault.cap_bytes = 20;
    ck_assert_int_eq(try_once(roomy, &p), HIT_E_NOMEM);
    fault.cap_bytes = 0;
    ck_assert_int_eq(fault.held, held);
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "kernel blend asked for"));
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "bytes are not there"));
    ck_assert_ptr_nonnull(strstr(hit_status_text(), "are missing"));
}
END_TEST

static Suite *suite(void)
{
    const int count = (int)(sizeof(places) / sizeof(places[0]));
    Suite *made = suite_create("faults");
    TCase *tests = tcase_create("faults");

    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, every_allocation_may_fail, 0, count);
    tcase_add_loop_test(tests, every_copy_may_fail, 0, count);
    tcase_add_test(tests, less_memory_than_the_limit_gives_a_smaller_plan);
    suite_add_tcase(made, tests);
    return made;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
