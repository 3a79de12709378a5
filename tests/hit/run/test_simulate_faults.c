/* SPDX-License-Identifier: MIT
 * Every allocation and every kernel of a small program on a simulated machine fails in
 * turn, once, or from then on: its results are right, or it is told of an error with a
 * text, and in the end all memory has been given back. Allocations are counted and
 * refused by the linker's --wrap. */
#include "hit/hit.h"
#include "hit/plugin.h"
#include "hit/run/simulate.h"
#include "tests/support/check_main.h"

#include <stdlib.h>
#include <string.h>

enum {
    BLOCKS = 3,
    EDGE = 3,
    N = BLOCKS * EDGE
};

static hit_context *base; /* keeps MPI open */

/* A test program has no context to hang this on. */
static struct {
    bool on;
    bool kernels; /* it is kernels that fail */
    bool sticky;
    long fail_at; /* from 1; 0: none */
    long count[2];
    long held; /* not freed yet, on or off */
} fault;

static bool fails(bool kernel)
{
    long number;

    if (!fault.on) return false;
    number = ++fault.count[kernel];
    if (fault.fail_at == 0 || fault.kernels != kernel) return false;
    return fault.sticky ? number >= fault.fail_at : number == fault.fail_at;
}

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

static void *given(void *memory)
{
    fault.held += memory != NULL;
    return memory;
}

void *__wrap_malloc(size_t size)
{
    return fails(false) ? NULL : given(__real_malloc(size));
}

void *__wrap_calloc(size_t count, size_t size)
{
    return fails(false) ? NULL : given(__real_calloc(count, size));
}

void *__wrap_aligned_alloc(size_t align, size_t size)
{
    return fails(false) ? NULL : given(__real_aligned_alloc(align, size));
}

void *__wrap_realloc(void *old, size_t size)
{
    void *made = fails(false) ? NULL : __real_realloc(old, size);

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

/* ---- the program ---- */

static hit_status mix_or_fail(const hit_run *run)
{
    int64_t *c[3];

    if (fails(true)) return HIT_FAIL(HIT_E_DEVICE, "a kernel was made to fail");
    for (int i = 0; i < EDGE; i++) {
        for (int k = 0; k < 3; k++) {
            const hit_slot *slot = &run->slot[k];

            c[k] = (int64_t *)slot->base + (slot->begin[0] + i) * slot->stride[0] +
                   slot->begin[1] * slot->stride[1];
        }
        for (int j = 0; j < EDGE; j++) {
            c[0][j] = (3 * c[0][j] + c[1][j] + 2 * c[2][j] + 1) % 1000003;
        }
    }
    return HIT_OK;
}

static const hit_kernel_arg args[] = {
    {HIT_MODE_INOUT, {HIT_KIND_INT64, sizeof(int64_t)}, "c", "[:, :]"},
    {HIT_MODE_IN, {HIT_KIND_INT64, sizeof(int64_t)}, "a", "[:, :]"},
    {HIT_MODE_IN, {HIT_KIND_INT64, sizeof(int64_t)}, "b", "[:, :]"}};
static const hit_kernel mix = {.name = "mix",
                               .dims = 1,
                               .index = {"k"},
                               .args = 3,
                               .arg = args,
                               .whole_box = 1,
                               .host = mix_or_fail};

typedef struct program {
    hit_context *hit;
    hit_layout *layout;
    hit_tile *all;
    hit_tile *block[BLOCKS * BLOCKS];
    int64_t found[N][N];
} program;

static hit_status launch_all(program *p)
{
    for (int k = 0; k < 3 * BLOCKS * BLOCKS; k++) {
        HIT_TRY(hit_launch(p->hit, &mix, hit_domain_of(1), p->block[(5 * k) % 9],
                           p->block[(5 * k + 2 + k % 3) % 9], p->block[(5 * k + 7) % 9]));
    }
    return HIT_OK;
}

static hit_status run_all(program *p)
{
    hit_view view;

    HIT_TRY(hit_layout_create(p->hit, hit_domain_of(N, N), "block", &p->layout));
    HIT_TRY(hit_tile_create(p->layout, HIT_INT64, "A", &p->all));
    for (int k = 0; k < BLOCKS * BLOCKS; k++) {
        const hit_index i = k / BLOCKS * EDGE;
        const hit_index j = k % BLOCKS * EDGE;
        const hit_domain box = {.dims = 2,
                                .sig = {{i, i + EDGE - 1, 1}, {j, j + EDGE - 1, 1}}};

        HIT_TRY(hit_tile_select(p->all, box, &p->block[k]));
    }
    HIT_TRY(launch_all(p));
    HIT_TRY(hit_tile_map(p->block[4], 0, HIT_READ_WRITE, &view));
    HIT_AT(view, int64_t, EDGE, EDGE) += 3;
    HIT_TRY(hit_schedule(p->hit, "mct:beta=2"));
    HIT_TRY(launch_all(p));
    HIT_TRY(hit_wait(p->hit));
    HIT_TRY(launch_all(p));
    HIT_TRY(hit_tile_gather(p->all, 0, p->found));
    return hit_wait(p->hit);
}

/* The memory that is held afterwards and was not before: *more. */
static hit_status run(const char *devices, program *p, long *more)
{
    const long before = fault.held;
    hit_status status;

    *p = (program){.hit = NULL};
    HIT_MUST(hit_open_with(NULL, NULL, &(hit_options){.devices = devices}, &p->hit));
    fault.count[0] = fault.count[1] = 0;
    fault.on = true;
    status = run_all(p);
    for (int k = 0; k < BLOCKS * BLOCKS; k++) {
        hit_tile_destroy(&p->block[k]);
    }
    hit_tile_destroy(&p->all);
    hit_layout_destroy(&p->layout);
    hit_close(&p->hit);
    fault.on = false;
    *more = fault.held - before;
    return status;
}

static void fail_in_turn(const char *devices, bool kernels, bool sticky)
{
    static program want;
    static program found;
    long held;
    long more;
    int told = 0;
    long count;

    fault.fail_at = 0;
    HIT_MUST(run(devices, &want, &held));
    count = fault.count[kernels];
    fault.kernels = kernels;
    fault.sticky = sticky;
    for (long k = 1; k <= count; k++) {
        hit_status status;

        fault.fail_at = k;
        status = run(devices, &found, &more);
        ck_assert_msg(more == held, "%s %ld: %ld pieces of memory are held, not %ld",
                      kernels ? "kernel" : "allocation", k, more, held);
        if (status == HIT_OK) {
            ck_assert_msg(memcmp(found.found, want.found, sizeof want.found) == 0,
                          "%s %ld: wrong and not told", kernels ? "kernel" : "allocation",
                          k);
        } else {
            ck_assert_int_gt((int)strlen(hit_status_text()), 0);
            told++;
        }
    }
    fault.fail_at = 0;
    ck_assert_int_gt(told, 0);
    if (kernels) ck_assert_int_eq(told, count);
}

static const char *const machines[] = {
    "simulated:machines/idgraf.machine:gpus=2,cpus=1,memory=300",
    "simulated:machines/sirocco.machine:gpus=3,cpus=0,memory=250"};

START_TEST(each_allocation_that_fails_is_told_or_does_not_matter)
{
    for (int k = 0; k < 2; k++) {
        fail_in_turn(machines[k], false, false);
        fail_in_turn(machines[k], false, true);
    }
}
END_TEST

START_TEST(each_kernel_that_fails_is_told)
{
    for (int k = 0; k < 2; k++) {
        fail_in_turn(machines[k], true, false);
        fail_in_turn(machines[k], true, true);
    }
}
END_TEST

static Suite *suite(void)
{
    Suite *s = suite_create("simulate_faults");
    TCase *tc = tcase_create("in turn");

    tcase_set_timeout(tc, 240);
    tcase_add_test(tc, each_allocation_that_fails_is_told_or_does_not_matter);
    tcase_add_test(tc, each_kernel_that_fails_is_told);
    suite_add_tcase(s, tc);
    return s;
}

int main(int argc, char **argv)
{
    return check_run_open(&argc, &argv, suite(), &base);
}
