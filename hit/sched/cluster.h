/* SPDX-License-Identifier: MIT
 * Internal: the nodes of a machine file as processes of a dry run. Node number n is the
 * n-th line with nodes, whose nodes are all alike. */
#ifndef HIT_SCHED_CLUSTER_H
#define HIT_SCHED_CLUSTER_H

#include "hit/model/fpm.h"
#include "hit/model/link.h"
#include "hit/sched/machine.h"

/** How many nodes there are, of all kinds; 0: the machine is one process. */
int hit_cluster_processes(const hit_machine *machine);
/** The memory of the host that has least; 0: it is not known of some node. */
int64_t hit_cluster_host_bytes(const hit_machine *machine);
/** The devices of a node, as HIT_DEVICES lists them, of one thread each: they run
 * nothing. hit_cluster_threads() are those that they stand for. */
void hit_cluster_devices(const hit_machine *machine, int number, char *text, size_t size);
int hit_cluster_threads(const hit_machine *machine, int number, int device);
/** "fat: 2 k40 of 12 GiB + 8 core" */
void hit_cluster_describe(const hit_machine *machine, int number, char *text,
                          size_t size);
/** Copies to and from a device, by its number in hit_cluster_devices(), and messages. */
void hit_cluster_links(const hit_machine *machine, int number, int device,
                       hit_links *links);
/** Copies over a link that so many devices use in turn. */
void hit_machine_links(const hit_machine_link *of, int turns, hit_links *links);
/** The power of a device while it runs a kernel beyond that at rest, *rest, in W; 0: it
 * is not known. */
double hit_cluster_watts(const hit_machine *machine, int number, int device,
                         double *rest);
/** Leave the last word of a kernel's name out, "gemm_nt" of "gemm_nt_double": lines for
 * shorter names are for it, too. False: it has one word only. */
bool hit_machine_shorten(char *name);
/** How fast a kernel is on a device; *fpm is NULL where no line says so.
 * @owner *fpm is the caller's: hit_fpm_destroy() @errors HIT_E_NOMEM */
hit_status hit_cluster_rate(const hit_machine *machine, int number, int device,
                            const char *kernel, hit_fpm **fpm);

#endif
