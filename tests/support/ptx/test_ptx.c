/* SPDX-License-Identifier: MIT
 * The executor of PTX on kernels that are written here: what they compute, and that each
 * wrong access is told. */
#include "tests/support/fake_cuda/fake_streams.h"

#include <check.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx.h"

#define HEAD                                                                             \
    ".version 9.0\n.target sm_90\n.address_size 64\n"                                    \
    ".visible .entry k(\n.param .u64 p0,\n.param .u32 p1\n)\n{\n"                        \
    ".reg .pred %p<4>;\n.reg .b32 %r<8>;\n.reg .f32 %f<4>;\n.reg .b64 %rd<8>;\n"         \
    "ld.param.u64 %rd1, [p0];\ncvta.to.global.u64 %rd2, %rd1;\n"                         \
    "mov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\nmov.u32 %r3, %tid.x;\n"              \
    "mad.lo.s32 %r4, %r1, %r2, %r3;\nmul.wide.s32 %rd3, %r4, 4;\n"                       \
    "add.s64 %rd4, %rd2, %rd3;\n"
#define TAIL "ret;\n}\n"

enum {
    THREADS = 80, /* two blocks of 40: a warp and a part of one */
    BYTES = 4 * THREADS
};

typedef struct params {
    uint32_t *data;
    uint32_t number;
} params;

static char said[1400];
static int faults;

static void listen(const char *text)
{
    if (faults++ == 0) snprintf(said, sizeof(said), "%s", text);
}

/* Run `body` on BYTES of the GPU, of which the first `known` were written: 0, 1, 2 ... */
static void run_on(const char *body, size_t known, ptx_change change, uint32_t out[])
{
    uint32_t host[THREADS];
    char text[4096];
    ptx_module module;
    cudaStream_t stream;
    void *there;

    snprintf(text, sizeof(text), "%s%s%s", HEAD, body, TAIL);
    ck_assert_msg(ptx_module_read(text, strlen(text), change, &module), "%s", module.why);
    for (uint32_t k = 0; k < THREADS; k++) {
        host[k] = k;
    }
    ck_assert_int_eq(cudaMalloc(&there, BYTES), 0);
    ck_assert_int_eq(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), 0);
    ck_assert_int_eq(cudaMemcpyAsync(there, host, known, cudaMemcpyHostToDevice, stream),
                     0);
    ck_assert_int_eq(cudaStreamSynchronize(stream), 0);
    faults = 0;
    said[0] = '\0';
    ptx_on_fault(listen);
    for (int order = 0; order < 3; order++) {
        const params actual = {there, 3};
        ptx_grid_run(&module.entry[0], (ptx_dim3){2, 1, 1}, (ptx_dim3){THREADS / 2, 1, 1},
                     (const char *)&actual, order);
    }
    if (out != NULL) memcpy(out, there, BYTES);
    ck_assert_int_eq(cudaFree(there), 0);
    ck_assert_int_eq(cudaStreamDestroy(stream), 0);
    ptx_module_clear(&module);
}

START_TEST(threads_that_part_meet_again)
{
    uint32_t found[THREADS];

    /* 5 * (i & 3) by a loop, and 100 more where i is odd: the same in each of the runs */
    run_on("and.b32 %r5, %r4, 3;\nmov.u32 %r6, 0;\n$L1:\n"
           "setp.eq.s32 %p1, %r5, 0;\n@%p1 bra $L2;\n"
           "add.s32 %r6, %r6, 5;\nadd.s32 %r5, %r5, -1;\nbra.uni $L1;\n$L2:\n"
           "and.b32 %r5, %r4, 1;\nsetp.ne.s32 %p2, %r5, 0;\n"
           "@!%p2 bra $L3;\nadd.s32 %r6, %r6, 100;\n$L3:\n"
           "st.global.u32 [%rd4], %r6;\n",
           BYTES, (ptx_change){0}, found);
    for (uint32_t k = 0; k < THREADS; k++) {
        ck_assert_uint_eq(found[k], 5 * (k & 3) + 100 * (k & 1));
    }
    ck_assert_msg(faults == 0, "%s", said);
}
END_TEST

START_TEST(barrier_lets_warps_see_each_other)
{
    static const char body[] = ".shared .align 4 .b8 room[160];\nmov.u64 %rd5, room;\n"
                               "mul.wide.u32 %rd6, %r3, 4;\nadd.s64 %rd6, %rd5, %rd6;\n"
                               "st.shared.u32 [%rd6], %r3;\nbar.sync 0;\n"
                               "sub.s32 %r5, 39, %r3;\nmul.wide.u32 %rd6, %r5, 4;\n"
                               "add.s64 %rd6, %rd5, %rd6;\nld.shared.u32 %r6, [%rd6];\n"
                               "st.global.u32 [%rd4], %r6;\n";
    uint32_t found[THREADS];
    bool same = true;
    int line = 0;

    run_on(body, BYTES, (ptx_change){0}, found);
    for (uint32_t k = 0; k < THREADS; k++) {
        ck_assert_uint_eq(found[k], 39 - k % 40);
    }
    for (const char *at = HEAD; at != strstr(HEAD "bar", "bar") && *at != '\0'; at++) {
        line += *at == '\n';
    }
    run_on(body, BYTES, (ptx_change){"k", line + 6, ""}, found); /* without it */
    for (uint32_t k = 0; k < THREADS; k++) {
        same = same && found[k] == 39 - k % 40;
    }
    ck_assert(!same);
}
END_TEST

typedef struct wrong {
    const char *body;
    size_t known;
    const char *says;
} wrong;

static const wrong wrongs[] = {
    {"st.global.u32 [%rd4+4], %r4;\n", BYTES, "outside of the GPU's"},
    {"ld.global.u32 %r5, [%rd4+-4];\n", BYTES, "outside of the GPU's"},
    {"ld.global.u32 %r5, [%rd2+2];\n", BYTES, "misaligned"},
    {"ld.global.v2.u32 {%r5, %r6}, [%rd2+4];\n", BYTES, "misaligned"},
    {"ld.global.u32 %r5, [%rd4];\n", BYTES - 4, "nobody has written there"},
    {"st.global.u32 [%rd2], %r4;\n", BYTES, "two threads write there"},
    {"ld.global.u32 %r5, [%rd2];\nst.global.u32 [%rd4], %r5;\n", BYTES, "another thread"},
    {"ld.global.nc.u32 %r5, [%rd4];\nst.global.u32 [%rd4], %r5;\n", BYTES, "read-only"},
    {"ld.param.u64 %rd5, [p0+8];\nld.param.u64 %rd5, [p0+16];\n", BYTES,
     "outside of the"},
    {"mov.u64 %rd5, p0;\nst.u32 [%rd5], %r4;\n", BYTES, "a parameter is written"},
    {"add.u32 %r5, %r6, 1;\nst.global.u32 [%rd4], %r5;\n", BYTES,
     "a register that nothing wrote"},
    {"st.global.u32 [%rd4], %r6;\n", BYTES, "a register that nothing wrote"},
    {"@%p1 st.global.u32 [%rd4], %r4;\n", BYTES, "a predicate that nothing wrote"},
    {"setp.lt.u32 %p1, %r4, 5;\n@%p1 mov.u32 %r5, 1;\nst.global.u32 [%rd4], %r5;\n",
     BYTES, "a register that nothing wrote"},
    {".shared .align 4 .b8 room[8];\nmov.u64 %rd5, room;\nld.shared.u32 %r5, [%rd5];\n",
     BYTES, "nobody has written there"},
    {"$L1:\nsetp.eq.s32 %p1, %r4, 79;\n@%p1 bra $L1;\n", BYTES, "it does not end"},
    {"setp.eq.s32 %p1, %r4, 7;\n@%p1 bra $L1;\nbar.sync 0;\n$L1:\n", BYTES, "barrier"},
};

START_TEST(wrong_access_is_told)
{
    run_on(wrongs[_i].body, wrongs[_i].known, (ptx_change){0}, NULL);
    ck_assert_int_gt(faults, 0);
    ck_assert_msg(strstr(said, wrongs[_i].says) != NULL, "it says: %s", said);
}
END_TEST

static const char *const unknown[] = {
    "tanh.approx.f32 %f1, %f2;\n", "add.s64 %rd5, %rd5;\n", "bra $L9;\n",
    "ld.global.volatile.u32 %r1, [%rd4];\n", "mov.u32 %r1, %laneid;\n"};

START_TEST(what_is_not_known_is_refused_by_its_name)
{
    char text[2048];
    ptx_module module;

    snprintf(text, sizeof(text), "%s%s%s", HEAD, unknown[_i], TAIL);
    ck_assert(!ptx_module_read(text, strlen(text), (ptx_change){0}, &module));
    ck_assert_msg(strncmp(module.why, "line ", 5) == 0, "%s", module.why);
    ptx_module_clear(&module);
}
END_TEST

int main(void)
{
    Suite *all = suite_create("executor of PTX");
    TCase *kernels = tcase_create("kernels");
    SRunner *runner;
    int failed;

    tcase_add_test(kernels, threads_that_part_meet_again);
    tcase_add_test(kernels, barrier_lets_warps_see_each_other);
    tcase_add_loop_test(kernels, wrong_access_is_told, 0,
                        (int)(sizeof(wrongs) / sizeof(wrongs[0])));
    tcase_add_loop_test(kernels, what_is_not_known_is_refused_by_its_name, 0,
                        (int)(sizeof(unknown) / sizeof(unknown[0])));
    suite_add_tcase(all, kernels);
    runner = srunner_create(all);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
