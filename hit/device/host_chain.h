/* SPDX-License-Identifier: MIT
 * Internal to the host device: chains of launches on threads. */
#ifndef HIT_DEVICE_HOST_CHAIN_H
#define HIT_DEVICE_HOST_CHAIN_H

#include "hit/chain/tile.h"

/** The operation run_chain. */
hit_status hit_host_run_chain(void *state, const hit_chain_work *work);

#endif
