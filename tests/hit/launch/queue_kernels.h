/* SPDX-License-Identifier: MIT */
#ifndef TESTS_HIT_LAUNCH_QUEUE_KERNELS_H
#define TESTS_HIT_LAUNCH_QUEUE_KERNELS_H

enum {
    MIX_PRIME = 1000003
};

#endif
