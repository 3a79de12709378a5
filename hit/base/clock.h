/* SPDX-License-Identifier: MIT
 * Internal: where time is read that decisions depend on, and what a thread does while it
 * waits. */
#ifndef HIT_BASE_CLOCK_H
#define HIT_BASE_CLOCK_H

/* clock.c: where time is read that decisions depend on. It is the system's clock; a test
 * replaces hit_context.clock, so that what kernels and slow devices take is exact. */

/** All zero: the system's monotonic clock. Functions may be called on any thread. */
typedef struct hit_clock {
    double (*now_s)(void);
    void (*wait_until)(double end_s);
} hit_clock;

/** Seconds, monotonic; NULL: of the system's clock. */
double hit_clock_now(const hit_clock *clock);
/** Seconds that this thread was ready to run and another one had the core; 0 where the
 * clock or the system does not say. */
double hit_clock_crowded(const hit_clock *clock);
/** When a stretch of work of this thread began. */
typedef struct hit_clock_stretch {
    double start_s;
    double crowded_s;
} hit_clock_stretch;
hit_clock_stretch hit_clock_begin(const hit_clock *clock);
/** The seconds since then in which no other thread had the core. */
double hit_clock_took(const hit_clock *clock, hit_clock_stretch since);
/** Let the thread wait until hit_clock_now() is @p end_s. */
void hit_clock_wait_until(const hit_clock *clock, double end_s);

/* A thread that looks for a change again and again. */

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
