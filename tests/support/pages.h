/* SPDX-License-Identifier: MIT
 * Memory between two pages that must not be read. */
#ifndef TESTS_SUPPORT_PAGES_H
#define TESTS_SUPPORT_PAGES_H

#include <stddef.h>

/** @p count pages of zeros. @owner guarded_unmap() */
char *guarded_map(size_t count);
void guarded_unmap(char *pages, size_t count);

#endif
