/* SPDX-License-Identifier: MIT
 * Internal: the devices of a process, as the program or the environment lists them. */
#ifndef HIT_DEVICES_H
#define HIT_DEVICES_H

#include "hit/context.h"

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

#endif
