/* SPDX-License-Identifier: MIT
 * Internal: a thread that looks for a change again and again. */
#ifndef HIT_BASE_SPIN_H
#define HIT_BASE_SPIN_H

/** Tell the core that nothing has changed: it leaves its units to its other thread for
 * some cycles. */
static inline void hit_spin_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

#endif
