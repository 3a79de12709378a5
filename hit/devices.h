/* SPDX-License-Identifier: MIT
 * Internal: the devices of a process, as the program or the environment lists them. */
#ifndef HIT_DEVICES_H
#define HIT_DEVICES_H

#include "hit/comm/comm.h"
#include "hit/context.h"
#include "hit/device/device.h"

/** Open the devices of this process, and start their threads. Needs context->comm and
 * context->trace. @errors as hit_open(); close also then */
hit_status hit_devices_open(hit_context *context, const hit_options *options);
/** The machine and its options if the list is "simulated:MACHINE..."; NULL: it is not.
 */
const char *hit_devices_simulated(const hit_options *options);
/** How many processes the simulated machine of the list is, if its file has nodes; 0.
 * @errors HIT_E_ARG, HIT_E_IO of the file */
hit_status hit_devices_nodes(const hit_options *options, int *nodes);
void hit_devices_close(hit_context *context);

/* devices_threads.c */

/** Give those devices of a process threads that name neither threads nor cores: as the
 * program says, or HIT_THREADS, or by dividing its cores. @errors HIT_E_ARG */
hit_status hit_devices_choose_threads(const hit_options *options, const hit_comm *comm,
                                      int count, hit_device_spec spec[]);

#endif
