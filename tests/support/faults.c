/* SPDX-License-Identifier: MIT
 * Faults, and what the linker puts in the place of the C library's allocations. */
#define _POSIX_C_SOURCE 200809L /* NOLINT(bugprone-reserved-identifier): strnlen */
#include "tests/support/faults.h"

#include <malloc.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

const char *const test_fault_name[FAULT_KINDS] = {"allocation", "copy", "late copy",
                                                  "kernel", "file call"};

test_faults test_fault;

void test_fault_begin(void)
{
    for (int k = 0; k < FAULT_KINDS; k++) {
        test_fault.count[k] = 0;
    }
    test_fault.on = true;
}

/* No thread waits for another one here, also not for the thread sanitizer: it would see
 * fewer races of the library. */
#define SEEN(what) atomic_load_explicit(&test_fault.what, memory_order_relaxed)
#define ADD(what, more)                                                                  \
    atomic_fetch_add_explicit(&test_fault.what, (more), memory_order_relaxed)

bool test_fault_hits(test_fault_kind kind)
{
    long number;
    long fail_at;
    bool hits;

    if (!SEEN(on)) return false;
    number = ADD(count[kind], 1) + 1;
    fail_at = SEEN(fail_at);
    if (fail_at == 0 || SEEN(kind) != kind) return false;
    hits = SEEN(sticky) ? number >= fail_at : number == fail_at;
    if (hits && SEEN(kills)) (void)raise(SIGKILL);
    return hits;
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
char *__wrap_strndup(const char *text, size_t most);
void __wrap_free(void *memory);
/* NOLINTEND(bugprone-reserved-identifier,readability-identifier-naming) */

static bool refused(void)
{
    return test_fault_hits(FAULT_ALLOCATION);
}

static void *given(void *memory)
{
    ADD(held, memory != NULL);
    ADD(held_bytes, (long)malloc_usable_size(memory));
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
    const long before = (long)malloc_usable_size(old);
    void *made = refused() ? NULL : __real_realloc(old, size);

    if (made == NULL) return NULL;
    ADD(held, old == NULL);
    ADD(held_bytes, (long)malloc_usable_size(made) - before);
    return made;
}

char *__wrap_strdup(const char *text)
{
    char *made = __wrap_malloc(strlen(text) + 1);

    return made == NULL ? NULL : strcpy(made, text);
}

char *__wrap_strndup(const char *text, size_t most)
{
    const size_t size = strnlen(text, most);
    char *made = __wrap_calloc(size + 1, 1);

    return made == NULL ? NULL : memcpy(made, text, size);
}

void __wrap_free(void *memory)
{
    ADD(held, -(memory != NULL));
    ADD(held_bytes, -(long)malloc_usable_size(memory));
    __real_free(memory);
}
