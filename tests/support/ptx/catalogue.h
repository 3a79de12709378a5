/* SPDX-License-Identifier: MIT
 * The parts of the test ptx.catalogue. */
#ifndef TESTS_SUPPORT_PTX_CATALOGUE_H
#define TESTS_SUPPORT_PTX_CATALOGUE_H

#include <check.h>

TCase *catalogue_partial(void);

#endif
