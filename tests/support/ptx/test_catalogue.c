/* SPDX-License-Identifier: MIT
 * Every grid of the library on the played GPU: the catalogue's kernels with and without
 * strides, on whole boxes and in chunks, copies, boundaries, and what combines partial
 * results. Each gives what plain C gives, and none is left out. */
#include "hit/base/kind.h"
#include "hit/chain/chain.h"
#include "hit/cuda/cuda_impl.h"
#include "kernels/kernels.h"
#include "patterns/kernel_impl.h"
#include "patterns/reduce.h"
#include "patterns/slot.h"
#include "tests/support/check_main.h"
#include "tests/support/device_case.h"
#include "tests/support/ptx/catalogue.h"
#include "tests/support/ptx/numbers.h"
#include "tests/support/ptx/runtime.h"
#include "tests/support/ptx/twin.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const hit_kernel *const catalogue[] = {
    &vector_add_float, &vector_add_double, &axpy_float,  &axpy_double,
    &fill_float,       &fill_double,       &scale_float, &scale_double,
    &dot_float,        &dot_double,        &norm2_float, &norm2_double,
    &max_abs_float,    &max_abs_double,    &heat_float,  &heat_double,
    &stencil7_float,   &stencil7_double,   &wave_float,  &wave_source_float};

enum {
    KERNELS = sizeof(catalogue) / sizeof(catalogue[0]),
    TRIALS = 28,
    LONG_LINES = 24, /* and more trials, of kernels of one dimension */
    LINE = 256,      /* threads of a block, */
    GROUP = 8,       /* and indices of one: HIT_CUDA_LINE and HIT_CUDA_GROUP */
    ROOM = 1 << 17
};

static const float floats[] = {0.25f, 0.3f};
static const double doubles[] = {0.3, 1.7};
static const hit_wave_shot shot = {.centre = {3, 4}, .radius = 60, .sample = 0.3f};

static hit_device *open_device(const char *text)
{
    hit_device_spec spec;
    hit_device *device = NULL;
    int count = 0;

    ck_assert_int_eq(hit_device_parse(text, NULL, 1, &spec, &count), HIT_OK);
    ck_assert_msg(hit_device_open(&spec, &device) == HIT_OK, "%s", hit_status_text());
    return device;
}

static const void *value_of(const hit_kernel *kernel)
{
    const void *value = floats;

    for (int a = 0; a < kernel->args; a++) {
        const hit_kernel_arg *arg = &kernel->arg[a];
        if (arg->mode != HIT_MODE_VALUE) continue;
        if (arg->type.kind == HIT_KIND_DOUBLE) value = doubles;
        if (arg->type.size_bytes == sizeof(shot)) value = &shot;
    }
    return value;
}

/* Indices of which one is -1: its number in a tile with strides is rounded down. */
static hit_sig around_minus_one(hit_random *random, hit_sig sig)
{
    const hit_index count = hit_sig_count(sig);
    const hit_index low = -1 - sig.stride * hit_random_index(random, 0, count - 1);

    return hit_sig_make(low, low + sig.stride * (count - 1), sig.stride);
}

/* A line of three rounds of two blocks, with strides. */
static hit_domain long_line(hit_random *random, int trial)
{
    const hit_index stride = hit_random_index(random, 2, 4);
    const hit_index count = hit_random_index(random, 4 * LINE + 1, 5 * LINE);
    const hit_index low = twin_low(random, trial);
    hit_domain line = {.dims = 1};

    line.sig[0] = hit_sig_make(low, low + stride * (count - 1), stride);
    if (llabs(low) <= 20) line.sig[0] = around_minus_one(random, line.sig[0]);
    return line;
}

/* A line of `blocks`, of which some threads of the last one lack but the last of their
 * indices. */
static hit_domain just_too_short(hit_random *random, hit_index blocks)
{
    return hit_domain_of(LINE * (blocks * GROUP - 1) +
                         hit_random_index(random, 0, LINE - 1));
}

/* Every other box has strides; two of a reduction are long, so that chunks have many
 * indices. */
static hit_domain random_box(hit_random *random, const hit_kernel *kernel, int trial)
{
    const hit_index most[] = {0, 3000, 80, 20, 9};
    const hit_index low = twin_low(random, trial);
    hit_domain box;

    if (trial < 2 && hit_kernel_reduces(kernel)) return hit_domain_of(400001 + trial);
    if (trial == 2 && kernel->dims == 1) return hit_domain_of(4096); /* full blocks */
    if (trial == 3 && kernel->dims == 1) return just_too_short(random, 4);
    if (trial % 4 == 1 && kernel->dims == 1) return long_line(random, trial);
    if (trial >= TRIALS) return long_line(random, trial);
    do {
        box = hit_random_domain(random, kernel->dims, low,
                                low + hit_random_index(random, 0, most[kernel->dims]),
                                trial % 2 == 0 ? 1 : 4);
    } while (hit_domain_is_empty(&box));
    for (int d = 0; d < box.dims && trial % 4 == 3 && llabs(low) <= 20; d++) {
        box.sig[d] = around_minus_one(random, box.sig[d]);
    }
    for (int d = 0; kernel->dims == 2 && d < 2 && (trial % 12 == 9 || trial % 12 == 11);
         d++) { /* rounds with strides */
        const hit_index stride = hit_random_index(random, 2, 3);
        box.sig[d] = around_minus_one(random, hit_sig_make(0, stride * 79, stride));
    }
    if (trial == 10 && kernel->dims == 2) return hit_domain_of(100, 130); /* in rounds */
    if (trial == 4 &&
        kernel->dims > 1) { /* rows that begin in front of their first index */
        box.sig[kernel->dims - 1] =
            hit_sig_make(low, low + hit_random_index(random, 128, 300), 1);
    }
    return box;
}

static double largest(hit_type type, const case_arg *arg)
{
    double most = 1;

    for (size_t at = 0; at < arg->size_bytes; at += type.size_bytes) {
        most = fmax(most, fabs(hit_type_get(type, arg->host.data + at)));
    }
    return most;
}

static bool is_apart(int trial)
{
    return trial % 6 == 5;
}

/* A maximum shows which elements were looked at where all are unlike. */
static void make_case(hit_random *random, const hit_kernel *kernel, int trial,
                      device_case *made)
{
    const hit_domain box = random_box(random, kernel, trial);

    device_case_make(random, kernel, &box, value_of(kernel), made);
    if (is_apart(trial)) device_case_apart(random, made);
    for (int a = 0; a < kernel->args; a++) {
        if (kernel->arg[a].mode != HIT_MODE_MAX) continue;
        device_case_fractions(random, made);
        return;
    }
}

/* Products may be fused with additions. Sums of whole numbers are exact in any order. */
static void compare(const device_case *found, const device_case *expected)
{
    for (int a = 0; a < found->kernel->args; a++) {
        const hit_type type = found->kernel->arg[a].type;
        double most = type.kind == HIT_KIND_FLOAT ? 1e-5 : 1e-12;
        if (found->arg[a].value != NULL) continue;
        most *= hit_kernel_reduces(found->kernel) ? 0 : largest(type, &expected->arg[a]);
        for (size_t at = 0; at < found->arg[a].size_bytes; at += type.size_bytes) {
            const double x = hit_type_get(type, found->arg[a].host.data + at);
            const double y = hit_type_get(type, expected->arg[a].host.data + at);
            if (fabs(x - y) <= most) continue;
            ck_abort_msg("%s, argument %d: %g where %g was expected", found->kernel->name,
                         a, x, y);
        }
    }
}

START_TEST(kernel_gives_what_the_host_gives)
{
    const hit_kernel *kernel = catalogue[_i];
    hit_random random = hit_random_start((uint64_t)_i);
    hit_device *host = open_device("host:threads=1");
    hit_device *gpu = open_device("cuda:0:memory=64MiB");

    for (int k = 0; k < TRIALS + (kernel->dims == 1 ? LONG_LINES : 0); k++) {
        device_case one;
        device_case two;
        twin_limit(&random, k / 3, kernel->dims == 1 ? 1 : 2 + 4);
        make_case(&random, kernel, k, &one);
        device_case_copy(&one, &two);
        ck_assert_msg(device_case_run(gpu, &one) == HIT_OK, "%s", hit_status_text());
        ck_assert_msg(device_case_run(host, &two) == HIT_OK, "%s", hit_status_text());
        compare(&one, &two);
        /* nvcc divides once in front of the rows of wave_source, and does not ask; so do
         * copies of elements that lie apart */
        ck_assert(twin_divides_little(!hit_kernel_reduces(kernel) && !is_apart(k) &&
                                      kernel != &wave_source_float));
        device_case_clear(&one);
        device_case_clear(&two);
    }
    hit_device_close(&gpu);
    hit_device_close(&host);
}
END_TEST

/* y = A x for rows `step` apart, on the host, or there. The twin has A, x and y. */
static hit_status multiply(const twin *t, const hit_kernel *kernel, hit_index rows,
                           hit_index columns, hit_index step, bool there)
{
    const size_t size = kernel->arg[0].type.size_bytes;
    const hit_domain line = hit_domain_of(rows);
    const hit_domain row = hit_domain_of(columns);
    const hit_domain all = hit_domain_of(rows, columns);
    const hit_index bytes = rows * columns * (hit_index)size;
    hit_cuda_call call = {.queue = t->stream};
    hit_run run = {.dense = step == 1, .threads = 1};
    hit_view y = hit_view_make(&line, size, twin_at(t, there, bytes + columns * 8));
    hit_view a = hit_view_make(&all, size, twin_at(t, there, 0));
    hit_view x = hit_view_make(&row, size, twin_at(t, there, bytes));

    run.end[0] = (rows - 1) / step * step;
    run.stride[0] = step;
    hit_slot_set(&run.slot[0], &y, &line, false);
    hit_slot_set(&run.slot[1], &a, &all, false);
    hit_slot_set(&run.slot[2], &x, &row, false);
    run.device = there ? &call : NULL;
    return there ? kernel->cuda(&run) : kernel->host(&run);
}

START_TEST(matvec_gives_what_the_host_gives)
{
    const hit_kernel *kernel = _i == 0 ? &matvec_float : &matvec_double;
    const hit_type type = kernel->arg[0].type;
    hit_random random = hit_random_start((uint64_t)_i);
    const hit_domain short_line = just_too_short(&random, 2);

    for (int k = 0; k < 20; k++) { /* those from 12 on have a full block */
        const hit_index rows = k == 4   ? hit_domain_count(&short_line)
                               : k < 12 ? hit_random_index(&random, 1, 70)
                                        : LINE * GROUP + hit_random_index(&random, 1, 70);
        const hit_index columns = k < 2     ? 1
                                  : k == 4  ? hit_random_index(&random, 1, 3)
                                  : k >= 12 ? k - 11
                                            : hit_random_index(&random, 1, 50);
        const hit_index step = k < 12 ? 1 + k % 2 * 2 : 1;
        const hit_index count = rows * columns + rows + columns;
        const size_t bytes = (size_t)count * 8;
        char *found = malloc(bytes);
        twin t = twin_make(&random, bytes);
        twin_limit(&random, k / 2, 1);
        ck_assert_ptr_nonnull(found);
        numbers_small(&random, type, t.host,
                      (hit_index)(bytes / (size_t)type.size_bytes));
        twin_send(&t);
        ck_assert_int_eq(multiply(&t, kernel, rows, columns, step, true), HIT_OK);
        twin_fetch(&t, found);
        ck_assert_int_eq(multiply(&t, kernel, rows, columns, step, false), HIT_OK);
        ck_assert(memcmp(found, t.host, bytes) == 0);
        ck_assert(twin_divides_little(true));
        twin_clear(&t);
        free(found);
    }
}
END_TEST

/* A tile of up to 4 dimensions in the twin's memory, and layers of its rim. */
static hit_rim_fill random_rim(hit_random *random, int trial, hit_domain *tile,
                               hit_run *run)
{
    static const size_t sizes[] = {1, 2, 4, 8, 12, 16, 20, 24};
    static const hit_index most[] = {0, 1500, 50, 13, 7};
    hit_rim_fill fill = {.dims = 1 + trial % 4, .sign = 1};
    const hit_index layers = hit_random_index(random, 1, 3);

    fill.axis = (int)hit_random_index(random, 0, fill.dims - 1);
    fill.size_bytes = sizes[trial / 4 % 8];
    for (int w = 0; w < 8; w++) {
        fill.element[w] = 0x0123456789abcdefu * (uint64_t)(w + 3);
    }
    *tile = (hit_domain){.dims = fill.dims};
    for (int d = 0; d < fill.dims; d++) {
        const hit_index low = hit_random_index(random, -6, 6);
        const hit_index n = hit_random_index(random, 7, most[fill.dims]);
        tile->sig[d] = hit_sig_make(low, low + n - 1, 1);
        run->stride[d] = 1;
        run->begin[d] = low + hit_random_index(random, 0, 2);
        run->end[d] = low + n - 1 - hit_random_index(random, 0, 2);
    }
    const hit_sig along = tile->sig[fill.axis];
    const bool before = hit_random_index(random, 0, 1) == 1;
    fill.begin = before ? along.begin : along.end - layers + 1;
    fill.end = fill.begin + layers - 1;
    run->begin[fill.axis] = run->end[fill.axis] = fill.begin;
    fill.constant = trial % 3 == 0;
    fill.sign = trial % 3 == 1 ? -1 : 1; /* mirrored, or from the other end */
    fill.offset = fill.sign == 1 ? (before ? 1 : -1) * (hit_sig_count(along) - layers)
                  : before       ? 2 * fill.end + 1
                                 : 2 * fill.begin - 1;
    return fill;
}

START_TEST(boundary_gives_what_the_host_gives)
{
    hit_random random = hit_random_start(99);
    char *found = malloc(ROOM);

    for (int k = 0; k < 192; k++) {
        hit_cuda_call call = {.queue = NULL};
        hit_run run = {.dense = 1};
        hit_domain tile;
        hit_rim_fill fill = random_rim(&random, k, &tile, &run);
        twin t = twin_make(&random, (size_t)hit_domain_count(&tile) * fill.size_bytes);
        hit_view view = hit_view_make(&tile, fill.size_bytes, t.there);

        ck_assert(t.size_bytes <= ROOM);
        twin_limit(&random, k, 1);
        twin_send(&t);
        hit_slot_set(&run.slot[0], &view, &tile, false);
        run.slot[1].base = &fill;
        call.queue = t.stream;
        run.device = &call;
        ck_assert_int_eq(hit_rim_fill_cuda(&run), HIT_OK);
        twin_fetch(&t, found);
        view = hit_view_make(&tile, fill.size_bytes, t.host);
        hit_slot_set(&run.slot[0], &view, &tile, false);
        ck_assert_int_eq(hit_rim_kernel[fill.dims - 1].host(&run), HIT_OK);
        ck_assert(memcmp(found, t.host, t.size_bytes) == 0);
        ck_assert(twin_divides_little(false));
        twin_clear(&t);
    }
    free(found);
}
END_TEST

START_TEST(move_gives_what_the_host_gives)
{
    static const size_t units[] = {1, 4, 8, 12, 16, 48};
    hit_random random = hit_random_start(7);
    char *found = malloc(ROOM);

    for (int k = 0; k < 120; k++) {
        hit_ndcopy copy = {.dims = (int)hit_random_index(&random, 0, HIT_MAX_DIMS)};
        const hit_index most = copy.dims > 3 ? 2 : 4;
        const hit_index unit = (hit_index)units[k % 6];
        hit_index from = unit * hit_random_index(&random, 1, 6);
        twin t = twin_make(&random, ROOM);

        copy.run_bytes = (size_t)from;
        for (int d = copy.dims - 1; d >= 0; d--) {
            copy.count[d] = hit_random_index(&random, 1, d == 2 ? 2 * most + 3 : most);
            copy.from_stride[d] = from + unit * hit_random_index(&random, 0, 2);
            copy.to_stride[d] = from + unit * hit_random_index(&random, 0, 2);
            from = copy.count[d] * (copy.from_stride[d] > copy.to_stride[d]
                                        ? copy.from_stride[d]
                                        : copy.to_stride[d]);
        }
        ck_assert(from <= ROOM / 2 - 48);
        copy.to_offset = ROOM / 2;
        copy.from_offset = unit % 16 == 0 ? 16 : unit;
        twin_limit(&random, k / 6, 1);
        twin_send(&t);
        ck_assert_int_eq(hit_cuda_move(t.stream, &copy, t.there, t.there), HIT_OK);
        twin_fetch(&t, found);
        hit_ndcopy_run(&copy, t.host, t.host);
        ck_assert(memcmp(found, t.host, ROOM) == 0);
        ck_assert(twin_divides_little(false));
        twin_clear(&t);
    }
    free(found);
}
END_TEST

static void tell(const char *name)
{
    printf("not launched: %s\n", name);
}

START_TEST(no_grid_of_the_library_is_left_out)
{
    ck_assert_int_eq(ptx_not_launched(tell), 0);
}
END_TEST

static Suite *suite(void)
{
    Suite *all = suite_create("catalogue on the played GPU");
    TCase *grids = tcase_create("grids");
    TCase *last = tcase_create("all grids");

    tcase_add_loop_test(grids, kernel_gives_what_the_host_gives, 0, KERNELS);
    tcase_add_loop_test(grids, matvec_gives_what_the_host_gives, 0, 2);
    tcase_add_test(grids, boundary_gives_what_the_host_gives);
    tcase_add_test(grids, move_gives_what_the_host_gives);
    tcase_add_test(last, no_grid_of_the_library_is_left_out);
    suite_add_tcase(all, grids);
    suite_add_tcase(all, catalogue_partial());
    suite_add_tcase(all, last);
    return all;
}

int main(void)
{
    return check_run(suite());
}
