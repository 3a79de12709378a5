/* SPDX-License-Identifier: MIT
 * Memory between two pages that must not be read. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "tests/support/pages.h"

#include <check.h>

#include <sys/mman.h>
#include <unistd.h>

char *guarded_map(size_t count)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *all = mmap(NULL, (count + 2) * page, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    ck_assert_ptr_ne(all, MAP_FAILED);
    ck_assert_int_eq(mprotect(all, page, PROT_NONE), 0);
    ck_assert_int_eq(mprotect(all + (count + 1) * page, page, PROT_NONE), 0);
    return all + page;
}

void guarded_unmap(char *pages, size_t count)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);

    ck_assert_int_eq(munmap(pages - page, (count + 2) * page), 0);
}
