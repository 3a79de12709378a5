/* SPDX-License-Identifier: MIT
 * Internal to the library: the meters of energy that the processes of a context have
 * between them: of the packages of their hosts (RAPL, as Linux's powercap shows it), and
 * of their devices that have one (hit_device_ops.meter). */
#ifndef HIT_TRACE_METERS_H
#define HIT_TRACE_METERS_H

#include "hit/base/status.h"

#include <stdbool.h>

struct hit_device;

enum {
    HIT_METERS = 64 /* of one process: packages and devices */
};

/** One that this process reads. */
typedef struct hit_meter {
    struct hit_device *device; /**< NULL: a package */
    int file;                  /**< of a package: energy_uj, open */
    double
        range_j;   /**< a package begins again behind so much; 0: a device, which does not
                    */
    double last_j; /**< what it showed last */
    bool moved;    /**< it showed more since hit_meters_moved() was true */
} hit_meter;

/** Those that this process reads: on each host the process with the lowest rank, of all
 * groups, reads the packages, and of the processes that share a device the lowest reads
 * it, so that sums over processes count each meter once. */
typedef struct hit_meters {
    int packages;
    int devices;
    hit_meter meter[HIT_METERS]; /**< packages first */
    char refused[512]; /**< which packages cannot be read, and why; empty: all can */
} hit_meters;

/** Find the meters, and read them for the first time. What a machine does not have is no
 * error. Packages are looked for in HIT_POWERCAP, else in /sys/class/powercap.
 * @owner *meters is the caller's: hit_meters_close() @collective yes @errors HIT_E_NOMEM
 */
hit_status hit_meters_open(hit_context *context, hit_meters **meters);
/** Accepts NULL in *meters; sets it to NULL. */
void hit_meters_close(hit_meters **meters);
/** The energy since the last reading, in J, and what of it is of packages, if that is not
 * NULL; a meter that cannot be read adds nothing. */
double hit_meters_read(hit_meters *meters, double *of_packages);
/** Did readings show more on each meter since this was true last? Packages go on about
 * each millisecond, a GPU about ten times a second, by all that it used since. */
bool hit_meters_moved(hit_meters *meters);

#endif
