/* SPDX-License-Identifier: MIT
 * Kernels that are made while a program runs have no half for GPUs. */
#include "tests/programs/program.h"

program_gpu *const program_on_gpu = NULL;
