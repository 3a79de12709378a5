/* SPDX-License-Identifier: MIT
 * For tests in which a process opens a context by itself. */
#ifndef TESTS_SUPPORT_COMM_SELF_H
#define TESTS_SUPPORT_COMM_SELF_H

/** The communicator of this process alone, as hit_open_from() takes it. */
const void *comm_self(void);

#endif
