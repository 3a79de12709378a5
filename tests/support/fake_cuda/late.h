/* SPDX-License-Identifier: MIT
 * What a file for nvcc would give a kernel whose body is only there for the host: that
 * body, in the stream. */
#ifndef TESTS_SUPPORT_FAKE_LATE_H
#define TESTS_SUPPORT_FAKE_LATE_H

#include "patterns/kernel.h"

/** Let the stream of @p run call @p body. Values, as @p arg says which those are, are
 * read before this returns. Where a reduction is cut into chunks, all goes to the first
 * one. */
hit_status fake_run_late(const hit_run *run, int args, const hit_kernel_arg arg[],
                         hit_kernel_function body);

#endif
