/* SPDX-License-Identifier: MIT
 * A machine as schedulers see it: devices by kind, their memories, the links to them, and
 * how long each kernel takes on each kind. A value, read from a text file that
 * docs/scheduling.md explains. */
#ifndef HIT_SCHED_MACHINE_H
#define HIT_SCHED_MACHINE_H

#include "hit/base/status.h"

#include <stdbool.h>

HIT_C_BEGIN

enum {
    HIT_MACHINE_NAME = 32,     /* bytes of a name */
    HIT_MACHINE_DEVICES = 256, /* the most of one machine */
    HIT_MACHINE_PARTS = 8,     /* the most kinds of devices of a node */
    HIT_MACHINE_WINDOW = 64    /* the most tasks that a device holds */
};

/** Devices that are alike. */
typedef struct hit_machine_kind {
    char name[HIT_MACHINE_NAME];
    int count;
    int threads;   /**< of each device */
    int window;    /**< tasks that may be staged beside the one that runs */
    int link;      /**< to its memory; -1: it works in the host's memory */
    int64_t bytes; /**< of its memory */
    bool is_group; /**< made of several host cores */
    double busy_w; /**< power of each device while it runs a kernel; 0: not known */
    double idle_w; /**< and while it runs none */
} hit_machine_kind;

/** A bus: each of its lanes carries one copy at a time in each direction. Device i of all
 * that have a memory of their own uses lane i mod lanes of its link. */
typedef struct hit_machine_link {
    char name[HIT_MACHINE_NAME];
    int lanes;
    int64_t in_bytes_per_s; /**< to the devices */
    int64_t in_ns;          /**< latency */
    int64_t out_bytes_per_s;
    int64_t out_ns;
    bool peer; /**< copies between its devices take both lanes, not the host's memory */
} hit_machine_link;

/** How fast a kernel is. */
typedef struct hit_machine_speed {
    char kernel[HIT_MACHINE_NAME];
    char device[HIT_MACHINE_NAME]; /**< name of a kind */
    int block;     /**< 0: blocks of any size for which there is no other line */
    double gflops; /**< 0: run_ns is given instead */
    int64_t run_ns;
} hit_machine_speed;

/** What a kernel computes: factor x block^3 operations. */
typedef struct hit_machine_kernel {
    char name[HIT_MACHINE_NAME];
    int numerator;
    int denominator;
    bool host_only; /**< it runs on devices without a memory of their own */
} hit_machine_kernel;

/** How many indices of a kernel's launches a device does in a second. */
typedef struct hit_machine_rate {
    char kernel[HIT_MACHINE_NAME];
    char device[HIT_MACHINE_NAME]; /**< name of a kind */
    int64_t indices;               /**< at a time; 0: any number */
    double per_s;
} hit_machine_rate;

/** Nodes of a cluster that are alike. Each is one process. */
typedef struct hit_machine_node {
    char name[HIT_MACHINE_NAME];
    int count;
    int64_t bytes;                  /**< of its host's memory; 0: not known */
    int parts;                      /**< kinds of devices */
    int kind[HIT_MACHINE_PARTS];    /**< numbers of them */
    int devices[HIT_MACHINE_PARTS]; /**< how many of that kind */
} hit_machine_node;

typedef struct hit_machine {
    int kinds, links, speeds, kernels, rates, nodes;
    size_t kind_room, link_room, speed_room, kernel_room, rate_room, node_room;
    hit_machine_kind *kind;
    hit_machine_link *link;
    hit_machine_speed *speed;
    hit_machine_kernel *kernel;
    hit_machine_rate *rate;
    hit_machine_node *node;      /**< none: the machine is one process */
    int64_t network_bytes_per_s; /**< of messages; 0: not known */
    int64_t network_ns;          /**< of each message */
    int64_t network_once_ns;     /**< of all that are under way together */
    int64_t predicted_percent;   /**< of bytes, in predictions of copies: 100 is right */
} hit_machine;

/** One device, in the order in which devices are numbered: those with a memory of their
 * own first. */
typedef struct hit_machine_device {
    int kind;
    int node; /**< its memory; 0 is the host's */
    int link; /**< -1: none */
    int lane;
} hit_machine_device;

/** Change what the file says: "gpus=4", "cpus=6", "groups=10,10", "memory=1GiB", "bus=4"
 * (lanes; "own": one for each device), "window=2", "host-only=potrf,trsm" ("" or "none":
 * no kernel), "predicted=2" (bytes in predictions of copies, times 2).
 * @errors HIT_E_ARG not that; HIT_E_NOMEM */
HIT_API hit_status hit_machine_set(hit_machine *machine, const char *key,
                                   const char *value);
/** Free what it has. */
HIT_API void hit_machine_clear(hit_machine *machine);

/** The devices of the machine. @shape device: HIT_MACHINE_DEVICES @errors HIT_E_ARG more
 * than these, or none */
HIT_API hit_status hit_machine_devices(const hit_machine *machine, int *devices,
                                       hit_machine_device device[]);
/** How long a kernel takes on a device of @p kind; -1: it cannot run there. */
HIT_API int64_t hit_machine_run_ns(const hit_machine *machine, const char *kernel,
                                   int block, int kind);
/** Let @p kernel on blocks of @p block take @p run_ns on all kinds of devices for which
 * there is no line. @errors HIT_E_NOMEM */
HIT_API hit_status hit_machine_add_time(hit_machine *machine, const char *kernel,
                                        int block, int64_t run_ns);
/** The energy of a run of @p end_ns, in J; -1: the power of some device is not known.
 * @shape busy_ns: of each device, in kernels, as hit_machine_devices() numbers them */
HIT_API double hit_machine_joules(const hit_machine *machine, const int64_t busy_ns[],
                                  int64_t end_ns);
/** How long a copy takes. @param in to the device */
HIT_API int64_t hit_machine_copy_ns(const hit_machine_link *link, bool in, int64_t bytes);

HIT_C_END

#endif
