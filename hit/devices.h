/* SPDX-License-Identifier: MIT
 * Internal: the devices of a process, as the program or the environment lists them. */
#ifndef HIT_DEVICES_H
#define HIT_DEVICES_H

#include "hit/comm/comm.h"
#include "hit/context.h"
#include "hit/device/device.h"

/** Open the devices of this process, and start their threads. Needs context->comm,
 * context->trace and context->simulated. @errors as hit_open(); close also then */
hit_status hit_devices_open(hit_context *context, const hit_options *options);
/** Read the machine of the list if that is "simulated:MACHINE..."; else *simulated is
 * NULL. @owner *simulated is the caller's @errors HIT_E_ARG, HIT_E_IO of the file */
hit_status hit_devices_simulated(const hit_options *options,
                                 struct hit_virtual_machine **simulated);
void hit_devices_close(hit_context *context);

/* devices_threads.c */

/** Give those devices of a process threads that name neither threads nor cores: as the
 * program says, or HIT_THREADS, or by dividing its cores. @errors HIT_E_ARG */
hit_status hit_devices_choose_threads(const hit_options *options, const hit_comm *comm,
                                      int count, hit_device_spec spec[]);

#endif
