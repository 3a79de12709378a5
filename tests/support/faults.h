/* SPDX-License-Identifier: MIT
 * Faults of a program, one kind at a time. Allocations are counted, and refused, by the
 * linker's --wrap (hit_test_faults() in tests/CMakeLists.txt); a test asks for the other
 * kinds where they happen. */
#ifndef TESTS_SUPPORT_FAULTS_H
#define TESTS_SUPPORT_FAULTS_H

#include <stdatomic.h>
#include <stdbool.h>

typedef enum test_fault_kind {
    FAULT_ALLOCATION,
    FAULT_COPY,
    FAULT_LATE_COPY, /**< it is asked for, and then fails */
    FAULT_KERNEL,
    FAULT_FILE, /**< a call that reads or writes a file: faulty_files.c */
    FAULT_KINDS
} test_fault_kind;

extern const char *const test_fault_name[FAULT_KINDS];

/** A test program has no context to hang this on. Threads of the library look while the
 * program switches faults on and off. */
typedef struct test_faults {
    atomic_bool on;
    _Atomic(test_fault_kind) kind;
    atomic_long fail_at;            /**< from 1; 0: none */
    atomic_bool sticky;             /**< all that follow fail, too */
    atomic_bool kills;              /**< the process is killed instead */
    atomic_long count[FAULT_KINDS]; /**< asked for while on */
    atomic_long held;               /**< pieces of memory, not freed yet, on or off */
    atomic_long held_bytes;         /**< what they take */
} test_faults;

extern test_faults test_fault;

/** Switch faults on, and count from 0. */
void test_fault_begin(void);
/** Does the next one of that kind fail? It is counted. */
bool test_fault_hits(test_fault_kind kind);

#endif
