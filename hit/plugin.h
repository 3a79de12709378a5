/* SPDX-License-Identifier: MIT
 * For plug-ins, and for programs that compute with signatures, regions and patterns or
 * register what they have made: layouts, kernels, devices
 * (hit_options.device_kinds), formats of files and schedulers. */
#ifndef HIT_PLUGIN_H
#define HIT_PLUGIN_H

#include "hit/base/memory.h"
#include "hit/data/domain_set.h"
#include "hit/data/ndcopy.h"
#include "hit/data/region.h"
#include "hit/data/sig.h"
#include "hit/device/device_ops.h"
#include "hit/io/formats.h"
#include "hit/launch/catalogue.h"
#include "hit/sched/registry.h"
#include "hit/topo/layout_plugin.h"
#include "hit/topo/layout_text.h"
#include "hit/topo/topology.h"
#include "patterns/kernel.h"
#include "patterns/parse.h"
#include "patterns/pattern.h"
#include "patterns/transform.h"

#endif
