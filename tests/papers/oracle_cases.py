# SPDX-License-Identifier: MIT
"""oracle_cases.py HIT CHOLESKY LU QR [SEED [CASES]]: `hit schedule`, and programs that are
planned on simulated machines, take the time and move the bytes that oracle.py says, to the
nanosecond and the byte. Machines, graphs and schedulers are random; some are those of papers.
"""
import json
import os
import random
import subprocess
import sys
import tempfile

from oracle import Machine, Run
from oracle_graphs import GRAPHS, dgemm, qr_program

KERNELS = {"cholesky": "potrf trsm syrk gemm", "lu": "getrf trsm gemm",
           "lu-incpiv": "getrf_inc gessm tstrf ssssm", "qr": "geqrt unmqr tsqrt tsmqr"}
SCHEDULERS = [("heft", "heft", {}), ("heftrank", "heftrank", {}), ("mct", "mct", {}),
              ("mct:beta=0", "mct", {"beta": 0}), ("mct:beta=2.75", "mct", {"beta": "2.75"}),
              ("static", "static", {}), ("home", "home", {})]


def random_scheduler(rng):
    """What `hit` is asked for, and the same for Run()."""
    text, name, options = rng.choice(SCHEDULERS)
    if rng.random() < 0.4:
        alpha, cp = rng.choice([0, 25, 50, 75, 100, rng.randrange(101)]), rng.random() < 0.5
        text = "dada:alpha=%d.%02d%s" % (alpha // 100, alpha % 100, ",cp" if cp else "")
        name, options = "dada", {"alpha": alpha, "cp": cp}
    queue = rng.choice([None, None, "rank", "lack"])
    if queue:
        text += ("," if ":" in text else ":") + "queue=" + queue
    return text, name, queue, options


def random_machine(rng, kernels, block):
    """The text of a machine file, and the machine. Memories are small, and times often equal."""
    tile, gpus = 8 * block * block, rng.randint(1, 8)
    memory = tile * rng.choice([3, 4, 5, 6, 8, 12, 20, 1000]) + rng.choice([0, 0, tile // 2, 12345])
    kinds = ["core"] * rng.randint(1, 6) + rng.choice([[], ["core*4"] * rng.randint(1, 3)])
    link = [rng.randrange(10**9, 2 * 10**10), rng.choice([0, 11000, rng.randrange(10**6)]),
            rng.randrange(10**9, 2 * 10**10), rng.choice([0, 12000, rng.randrange(10**6)])]
    more = {"memory": memory, "window": rng.randint(1, 4), "lanes": rng.choice([1, 2, 4, gpus]),
            "peer": rng.random() < 0.2}
    step, time, short = rng.choice([1, 1, 100000, 1000000]), {}, rng.choice([1, 1, 1, 5000])
    lines = ["# hit machine 1",
             "device gpu %d memory=%d window=%d link=pcie" % (gpus, memory, more["window"])]
    lines += ["device %s %d" % (kind, kinds.count(kind)) for kind in sorted(set(kinds))]
    lines.append("link pcie lanes=%d in=%d in_ns=%d out=%d out_ns=%d peer=%d" %
                 (more["lanes"], *link, more["peer"]))
    for kernel in kernels:
        lines.append("kernel %s 1" % kernel)
        for kind in ["gpu"] * (rng.random() > 0.25) + sorted(set(kinds)):
            most = 3 * 10**6 if kind == "gpu" else 3 * 10**7
            time[kernel, kind] = max(rng.randint(1, most // step) * step // short, 1)
            lines.append("time %s %s %d %d" % (kernel, kind, block, time[kernel, kind]))
    return "\n".join(lines) + "\n", Machine(gpus, kinds, link, time, **more)


def answer(command, environment=None):
    """(ns, bytes) of the JSON object on the last line."""
    run = subprocess.run(command, stdout=subprocess.PIPE, env=environment, check=True)
    last = json.loads(run.stdout.decode().splitlines()[-1])
    return round(last["makespan_ms"] * 1e6), last["moved_bytes"]


def compare(what, text, expected, found):
    if expected != found:
        sys.exit("%s: expected %s (ns, bytes) but found %s, on\n%s" % (what, expected, found, text))


def compare_tool(hit, rng, path):
    graph, block = rng.choice(sorted(GRAPHS)), rng.choice([256, 512, 1024])
    tiles = rng.randint(2, 7)
    text, machine = random_machine(rng, KERNELS[graph].split(), block)
    words, name, queue, options = random_scheduler(rng)
    command = [hit, "schedule", graph, "--machine", path, "--size", str(tiles * block),
               "--tile", str(block), "--scheduler", words, "--json"]
    if rng.random() < 0.3:
        machine.predicted = rng.choice([0, 2, 4])
        command += ["--predicted", str(machine.predicted)]
    with open(path, "w") as file:
        file.write(text)
    run = Run(GRAPHS[graph](tiles, block), machine, name, queue, **options)
    compare(" ".join(command), text, (run.end, run.moved), answer(command))


def compare_program(programs, rng, path):
    graph, block, tiles = rng.choice(["cholesky", "lu", "qr"]), 256, rng.randint(2, 6)
    make = qr_program if graph == "qr" else GRAPHS[graph]
    text, machine = random_machine(rng, KERNELS[graph].split(), block)
    words, name, queue, options = random_scheduler(rng)
    command = [programs[graph], "--size", str(tiles * block), "--tile", str(block), "--json"]
    command += ["--pivot", "none"] if graph == "lu" else []
    with open(path, "w") as file:
        file.write(text)
    run = Run(make(tiles, block), machine, name, queue, **options)
    environment = dict(os.environ, HIT_PLAN="1", HIT_DEVICES="simulated:" + path, HIT_SCHED=words)
    compare("HIT_SCHED=%s %s" % (words, " ".join(command)), text, (run.end, run.moved),
            answer(command, environment))


def compare_last_copy(qr, path):
    """The last task makes room by a copy back that ends after it."""
    times = {"geqrt": (149, 2330), "unmqr": (376, 5272), "tsqrt": (544, 1297), "tsmqr": (367, 1127)}
    link, memory = [19650526581, 11000, 15077597906, 0], 6 * 8 * 256**2
    time = {(kernel, kind): times[kernel][kind == "core"]
            for kernel in times for kind in ("gpu", "core")}
    machine = Machine(3, ["core"] * 7, link, time, lanes=1, memory=memory, window=1)
    text = "# hit machine 1\ndevice gpu 3 memory=%d window=1 link=pcie\ndevice core 7\n" % memory
    text += "link pcie lanes=1 in=%d in_ns=%d out=%d out_ns=%d\n" % tuple(link)
    for kernel in times:
        text += "kernel %s 1\n" % kernel
        text += "time %s gpu 256 %d\ntime %s core 256 %d\n" % (kernel, times[kernel][0], kernel,
                                                           times[kernel][1])
    with open(path, "w") as file:
        file.write(text)
    run = Run(qr_program(3, 256), machine, "dada", None, alpha=0, cp=False)
    environment = dict(os.environ, HIT_PLAN="1", HIT_DEVICES="simulated:" + path,
                       HIT_SCHED="dada:alpha=0")
    compare("a last copy back", text, (run.end, run.moved),
            answer([qr, "--size", "768", "--tile", "256", "--json"], environment))


def nearest(operations, speed):
    """ns of so many operations at `speed`/100 GFLOP/s."""
    return (200 * operations + speed) // (2 * speed)


def compare_papers(hit):
    """Cholesky of [Bleuse2014], and 28 products of [Cojean2016]."""
    cube, names = 512**3, KERNELS["cholesky"].split()
    work = dict(zip(names, [cube // 3, cube, cube, 2 * cube]))
    core = dict(zip(names, [640, 918, 865, 961]))
    gpu = dict(zip(names[1:], [8760, 23200, 27300]))
    time = {(kernel, "core"): nearest(work[kernel], core[kernel]) for kernel in core}
    time.update({(kernel, "gpu"): nearest(work[kernel], gpu[kernel]) for kernel in gpu})
    for gpus, name in (1, "mct"), (4, "heft"), (8, "home"):
        machine = Machine(gpus, ["core"] * 6, (6 * 10**9, 11000, 65 * 10**8, 12000), time,
                          lanes=4, memory=2817982464)
        run = Run(GRAPHS["cholesky"](16, 512), machine, name)
        command = [hit, "schedule", "cholesky", "--machine", "idgraf", "--gpus", str(gpus),
                   "--scheduler", name, "--json"]
        compare(" ".join(command), "", (run.end, run.moved), answer(command))
    rate = {"core": 1, "core*10": 777 / 100, "gpu": 288 / 10}
    time = {("gemm", kind): round(2 * 960**3 / (36.46 * rate[kind])) for kind in rate}
    for hosts, groups in (["core"] * 10, []), (["core*10"], ["--groups", "10"]):
        machine = Machine(1, hosts, (105 * 10**8, 10000) * 2, time)
        run = Run(dgemm(28, 960), machine, "mct")
        command = [hit, "schedule", "dgemm", "--machine", "sirocco", "--gpus", "1", "--cpus", "10",
                   "--tile", "960", "--scheduler", "mct", "--json"] + groups
        compare(" ".join(command), "", (run.end, run.moved), answer(command))


def main(hit, cholesky, lu, qr, seed="", cases="120"):
    seed = int(seed or os.environ.get("HIT_SEED") or 1)
    print("random seed %d (HIT_SEED sets another)" % seed, flush=True)
    compare_papers(hit)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "random.machine")
        compare_last_copy(qr, path)
        for case in range(int(cases)):
            rng = random.Random(seed * 1000 + case)
            compare_tool(hit, rng, path)
            if case % 4 == 0:
                compare_program({"cholesky": cholesky, "lu": lu, "qr": qr}, rng, path)


if __name__ == "__main__":
    main(*sys.argv[1:])
