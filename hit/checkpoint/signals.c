/* SPDX-License-Identifier: MIT
 * A handler is given a number and nothing else: what it sets is static (decision 0050).
 */
#define _POSIX_C_SOURCE 200809L /* sigaction */
#include "hit/checkpoint/checkpoint_impl.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>

const struct hit_signal_name hit_signal_table[HIT_SIGNALS] = {
    {"SIGTERM", SIGTERM}, {"SIGUSR1", SIGUSR1}, {"SIGUSR2", SIGUSR2},
    {"SIGINT", SIGINT},   {"SIGHUP", SIGHUP},
};

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* of what is not `seen` */
static int users[HIT_SIGNALS];
static struct sigaction former[HIT_SIGNALS];
static volatile sig_atomic_t seen[HIT_SIGNALS];

static int entry_of(int number)
{
    int k = 0;

    while (k < HIT_SIGNALS - 1 && hit_signal_table[k].number != number) {
        k++;
    }
    return k;
}

static void on_signal(int number, siginfo_t *info, void *more)
{
    const int error = errno;
    const int k = entry_of(number);
    const struct sigaction *before = &former[k];

    seen[k] = 1;
    (void)sigaction(number, before, NULL); /* a second one does what it did */
    if ((before->sa_flags & SA_SIGINFO) != 0) {
        before->sa_sigaction(number, info, more);
    } else if (before->sa_handler != SIG_DFL && before->sa_handler != SIG_IGN) {
        before->sa_handler(number);
    }
    errno = error;
}

static hit_status take_over(int k)
{
    struct sigaction ours = {.sa_flags = SA_SIGINFO | SA_RESTART};

    ours.sa_sigaction = on_signal;
    (void)sigemptyset(&ours.sa_mask);
    if (sigaction(hit_signal_table[k].number, &ours, &former[k]) == 0) return HIT_OK;
    return HIT_FAIL(HIT_E_INTERNAL, "HIT_CHECKPOINT: at=%s: %s", hit_signal_table[k].name,
                    strerror(errno));
}

hit_status hit_signals_open(unsigned mask)
{
    hit_status status = HIT_OK;

    (void)pthread_mutex_lock(&mutex);
    for (int k = 0; k < HIT_SIGNALS; k++) {
        if ((mask >> k & 1) == 0) continue;
        if (status == HIT_OK && users[k] == 0) {
            seen[k] = 0;
            status = take_over(k);
        }
        users[k]++; /* also after a failure: all of mask is closed */
    }
    (void)pthread_mutex_unlock(&mutex);
    return status;
}

void hit_signals_close(unsigned mask)
{
    (void)pthread_mutex_lock(&mutex);
    for (int k = 0; k < HIT_SIGNALS; k++) {
        if ((mask >> k & 1) == 0 || --users[k] > 0) continue;
        if (seen[k] == 0) (void)sigaction(hit_signal_table[k].number, &former[k], NULL);
    }
    (void)pthread_mutex_unlock(&mutex);
}

unsigned hit_signals_seen(unsigned mask)
{
    unsigned found = 0;

    for (int k = 0; k < HIT_SIGNALS; k++) {
        if ((mask >> k & 1) != 0 && seen[k] != 0) found |= 1U << k;
    }
    return found;
}

void hit_signals_take(unsigned mask)
{
    (void)pthread_mutex_lock(&mutex);
    for (int k = 0; k < HIT_SIGNALS; k++) {
        if ((mask >> k & 1) == 0 || seen[k] == 0) continue;
        seen[k] = 0;
        (void)take_over(k);
    }
    (void)pthread_mutex_unlock(&mutex);
}
