/* SPDX-License-Identifier: MIT
 * Memory for elements. Large buffers start at a huge page: streaming kernels then miss
 * the TLB less. */
#define _DEFAULT_SOURCE /* NOLINT(bugprone-reserved-identifier): madvise */
#include "hit/base/alloc.h"

#include "hit/base/input.h"
#include "hit/base/memory.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__unix__) || defined(__APPLE__)
#define HAVE_POSIX 1
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#endif

enum {
    LINE_BYTES = 64,
    PINNED_BYTES = 1 << 20, /* memory from this size on may be pinned, page by page ... */
    PAGE_BYTES = 64 << 10,  /* ... and shares no page then; the largest usual one */
    HUGE_BYTES = 2 << 20
};

static size_t alignment_of(size_t size_bytes)
{
    if (size_bytes >= HUGE_BYTES) return HUGE_BYTES;
    return size_bytes >= PINNED_BYTES ? PAGE_BYTES : LINE_BYTES;
}

hit_status hit_memory_take(size_t size_bytes, const char *what, void **memory)
{
    size_t align = alignment_of(size_bytes);
    size_t rounded = size_bytes == 0 ? align : (size_bytes + align - 1) / align * align;
    void *taken = rounded < size_bytes ? NULL : aligned_alloc(align, rounded);

    if (taken == NULL) {
        char text[32];
        hit_memory_print(size_bytes, text, sizeof(text));
        return HIT_FAIL(HIT_E_NOMEM, "no memory for %s: asked for %s (%zu bytes)", what,
                        text, size_bytes);
    }
#if defined(HAVE_POSIX) && defined(MADV_HUGEPAGE)
    /* a wish: a system without huge pages works as well; none for a small rest */
    if (align == HUGE_BYTES) {
        (void)madvise(taken, (size_bytes + align / 2) / align * align, MADV_HUGEPAGE);
    }
#endif
    *memory = taken;
    return HIT_OK;
}

void hit_memory_release(void **memory)
{
    free(*memory);
    *memory = NULL;
}

/* Small memory is not worth a mapping of its own, of which a process has some 65,000. */
static bool is_mapped(size_t size_bytes)
{
#if defined(HAVE_POSIX) && defined(MAP_ANONYMOUS) && defined(MAP_NORESERVE)
    return size_bytes >= HUGE_BYTES;
#else
    (void)size_bytes;
    return false;
#endif
}

hit_status hit_memory_reserve(size_t size_bytes, const char *what, void **memory)
{
    void *taken = NULL;

    if (!is_mapped(size_bytes)) {
        taken = calloc(size_bytes == 0 ? 1 : size_bytes, 1);
#if defined(HAVE_POSIX) && defined(MAP_ANONYMOUS) && defined(MAP_NORESERVE)
    } else {
        taken = mmap(NULL, size_bytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (taken == MAP_FAILED) taken = NULL;
#endif
    }
    if (taken == NULL) {
        return HIT_FAIL(HIT_E_NOMEM, "no memory for %s: asked for %zu bytes", what,
                        size_bytes);
    }
    *memory = taken;
    return HIT_OK;
}

void hit_memory_unreserve(void **memory, size_t size_bytes)
{
    if (!is_mapped(size_bytes)) free(*memory);
#if defined(HAVE_POSIX)
    if (is_mapped(size_bytes) && *memory != NULL) (void)munmap(*memory, size_bytes);
#endif
    *memory = NULL;
}

void hit_memory_forget(void *memory, size_t size_bytes)
{
#if defined(__linux__) && defined(MADV_DONTNEED)
    const long page = sysconf(_SC_PAGESIZE);
    const size_t bytes = page > 0 ? (size_t)page : PAGE_BYTES;
    const size_t before = (bytes - (uintptr_t)memory % bytes) % bytes;

    if (size_bytes < before + bytes) return;
    size_bytes -= before;
    (void)madvise((char *)memory + before, size_bytes / bytes * bytes, MADV_DONTNEED);
#else
    (void)memory;
    (void)size_bytes;
#endif
}

hit_status hit_memory_resize(size_t count, size_t size_bytes, const char *what,
                             void *array_pointer)
{
    void **array = array_pointer; /* a pointer to objects looks like one to void */
    size_t total_bytes;
    void *grown = NULL;

    if (!__builtin_mul_overflow(count, size_bytes, &total_bytes)) {
        grown = realloc(*array, total_bytes == 0 ? 1 : total_bytes);
    }
    if (grown == NULL) return HIT_FAIL(HIT_E_NOMEM, "no memory for %s", what);
    *array = grown;
    return HIT_OK;
}

hit_status hit_memory_double(size_t count, size_t *room, size_t size_bytes,
                             const char *what, void *array_pointer)
{
    const size_t more = count < 8 ? 16 : 2 * count;

    HIT_TRY(hit_memory_resize(more, size_bytes, what, array_pointer));
    *room = more;
    return HIT_OK;
}

/* What lies before each array: where the one before it does. */
typedef union array_head {
    void *before;
    max_align_t element;
} array_head;

hit_status hit_arrays_take(hit_arrays *arrays, size_t count, size_t size_bytes,
                           void *array_pointer)
{
    const size_t heads = (sizeof(array_head) + size_bytes - 1) / size_bytes;
    array_head *taken;

    memset(array_pointer, 0, sizeof(void *));
    HIT_TRY(hit_memory_zeroed(count + heads, size_bytes, &taken));
    taken->before = arrays->last;
    arrays->last = taken++;
    memcpy(array_pointer, &taken, sizeof(taken));
    return HIT_OK;
}

void hit_arrays_free(hit_arrays *arrays)
{
    while (arrays->last != NULL) {
        array_head *taken = arrays->last;

        arrays->last = taken->before;
        free(taken);
    }
}

size_t hit_memory_peak_bytes(void)
{
#if defined(HAVE_POSIX)
    struct rusage usage;
    if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
#if defined(__APPLE__)
    return (size_t)usage.ru_maxrss;
#else
    return (size_t)usage.ru_maxrss * 1024;
#endif
#else
    return 0;
#endif
}

size_t hit_memory_resident_bytes(void)
{
#if defined(__linux__)
    FILE *file = fopen("/proc/self/statm", "r");
    char line[128] = "";
    const char *at;
    hit_index pages = 0;

    if (file == NULL) return hit_memory_peak_bytes();
    at = fgets(line, sizeof(line), file) != NULL ? strchr(line, ' ') : NULL;
    (void)fclose(file);
    if (at == NULL) return hit_memory_peak_bytes();
    at++; /* behind the size of all that is mapped */
    if (!hit_number_next(&at, 0, INT64_MAX, &pages)) return hit_memory_peak_bytes();
    return (size_t)pages * (size_t)sysconf(_SC_PAGESIZE);
#else
    return hit_memory_peak_bytes();
#endif
}

size_t hit_memory_machine_bytes(void)
{
#if defined(HAVE_POSIX) && defined(_SC_PHYS_PAGES)
    const long pages = sysconf(_SC_PHYS_PAGES);
    const long page_bytes = sysconf(_SC_PAGESIZE);

    return pages > 0 && page_bytes > 0 ? (size_t)pages * (size_t)page_bytes : 0;
#else
    return 0;
#endif
}
