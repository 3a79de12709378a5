# SPDX-License-Identifier: MIT
"""An independent simulator of tasks on machines with GPUs, to compare `hit schedule` with.

It was written from the rules in words, before its author had read the library's engine, and
shares nothing with it but the way data are named. Times are whole nanoseconds; of equals the
lower number is taken. tests/papers/oracle_cases.py compares.
"""
import heapq
from fractions import Fraction
from functools import cmp_to_key

HOST = 0  # memory node of all host workers; GPU g has node g + 1


class Machine:
    """Links, memories, workers and durations. GPUs are workers 0.., then come the host's."""

    def __init__(self, gpus, hosts, link, time, **more):
        self.gpus = gpus
        self.hosts = hosts            # kinds of the host workers: "core", "core*10"
        self.into, self.into_ns, self.out, self.out_ns = link
        self.time = time              # (kernel, kind) -> ns, absent: it cannot run there
        self.lanes = more.get("lanes", max(gpus, 1))
        self.memory = more.get("memory", 1 << 60)
        self.window = more.get("window", 2)
        self.predicted = Fraction(more.get("predicted", 1))  # x bytes, in predictions
        self.peer = more.get("peer", False)  # GPUs copy from each other

    def h2d(self, size):
        return self.into_ns + size * 10**9 // self.into

    def d2h(self, size):
        return self.out_ns + size * 10**9 // self.out


class Run:
    """One run of a graph on a machine by a scheduler: `end` in ns, `moved` in bytes."""

    def __init__(self, graph, machine, scheduler, queue=None, **options):
        self.g, self.m = graph, machine
        self.kinds = kinds = ["gpu"] * machine.gpus + list(machine.hosts)
        self.n = len(kinds)
        self.node = [w + 1 if w < machine.gpus else HOST for w in range(self.n)]
        self.options = options
        self.choose = getattr(self, "choose_" + scheduler)
        self.queue = queue or ("rank" if scheduler == "home" else "fifo")
        self.reads = [[d for d, mode in acc if "R" in mode] for _, acc, _ in graph.tasks]
        self.writes = [[d for d, mode in acc if "W" in mode] for _, acc, _ in graph.tasks]
        self.data = [list(dict.fromkeys(d for d, _ in acc)) for _, acc, _ in graph.tasks]
        self.p = [self.durations(t) for t in range(len(graph.tasks))]
        nodes, sizes = machine.gpus + 1, len(graph.size)
        self.valid = [{HOST} for _ in range(sizes)]
        self.flying = [[] for _ in range(sizes)]   # nodes to which it is under way
        self.waiting = {}                          # (datum, node) -> who waits, by request
        self.room = [set() for _ in range(nodes)]  # data with room there
        self.used = [0] * nodes
        self.pins = [{} for _ in range(nodes)]
        self.staged_at = [{} for _ in range(nodes)]
        self.wanted = [{} for _ in range(nodes)]   # datum -> tasks in FIFOs that read it
        self.fifo = [[] for _ in range(self.n)]
        self.pipe = [[] for _ in range(self.n)]    # the running task, then staged ones
        self.busy = [False] * self.n
        self.missing = [0] * len(graph.tasks)
        self.stamp = [0] * self.n
        self.given = [0] * self.n                  # durations of what was given, not started
        self.free_at = {}                          # (lane, direction) -> ns
        self.now = self.end = self.moved = self.clock = self.entered = self.done = 0
        self.events = []
        self.home_p = max((q for q in range(1, machine.gpus + 1)
                           if machine.gpus % q == 0 and q * q <= machine.gpus), default=1)
        own = [[machine.time[kernel, kind] for kind in kinds if (kernel, kind) in machine.time]
               for kernel, _, _ in graph.tasks]
        self.least = self.ranks([min(times) for times in own])
        self.mean = self.ranks([Fraction(sum(times), len(times)) for times in own])
        self.run()

    def durations(self, t):
        """By worker; None where t cannot run: no such kernel, or its data never fit."""
        fits = sum(self.g.size[d] for d in self.data[t]) <= self.m.memory
        return [self.m.time.get((self.g.tasks[t][0], kind)) if fits or kind != "gpu" else None
                for kind in self.kinds]

    def ranks(self, own):
        rank = [0] * len(own)
        for t in reversed(range(len(own))):
            rank[t] = own[t] + max((rank[s] for s in self.g.after[t]), default=0)
        return rank

    # --- events

    def enter(self, when, what):
        heapq.heappush(self.events, (when, self.entered, what))
        self.entered += 1

    def run(self):
        self.waits = list(self.g.waits)
        self.choose([t for t, wait in enumerate(self.waits) if not wait])
        self.stage_all()
        while self.events:
            self.now, _, what = heapq.heappop(self.events)
            if what:
                what[0](*what[1:])
            self.stage_all()
        if self.done != len(self.p):
            raise RuntimeError("%d of %d tasks ended" % (self.done, len(self.p)))

    def book(self, d, gpu, way, earliest, event, *other):
        """A copy follows the last one of its lane, or of both lanes between peers."""
        size = self.g.size[d]
        lanes = [((n - 1) % self.m.lanes, way) for n, way in ((gpu, way), *other)]
        end = max(self.now, earliest, *(self.free_at.get(lane, 0) for lane in lanes))
        end += self.m.h2d(size) if way == "in" else self.m.d2h(size)
        for lane in lanes:
            self.free_at[lane] = end
        self.moved += size
        self.enter(end, event)
        return end

    def is_peer(self, d):
        """Is d copied from a GPU directly, and not by way of the host?"""
        return self.m.peer and HOST not in self.valid[d] and HOST not in self.flying[d]

    def pin(self, n, d, by):
        self.pins[n][d] = self.pins[n].get(d, 0) + by

    def request(self, d, n, who, earliest=0):
        """`who` (a task, or a second hop) waits for datum d on node n."""
        self.waiting.setdefault((d, n), []).append(who)
        if n in self.flying[d]:
            return
        self.flying[d].append(n)
        if n == HOST:
            g = min(self.valid[d])
            self.pin(g, d, 1)
            self.book(d, g, "out", 0, (self.arrive, d, HOST, g))
        elif HOST in self.valid[d]:
            self.book(d, n, "in", earliest, (self.arrive, d, n, HOST))
        elif self.is_peer(d):
            g = min(self.valid[d])
            self.pin(g, d, 1)
            self.book(d, n, "in", earliest, (self.arrive, d, n, g), (g, "out"))
        else:
            self.request(d, HOST, (n, earliest))

    def arrive(self, d, n, source):
        if source != HOST:
            self.pin(source, d, -1)
        self.valid[d].add(n)
        self.flying[d].remove(n)
        for who in self.waiting.pop((d, n), []):
            if isinstance(who, tuple):
                self.book(d, who[0], "in", who[1], (self.arrive, d, who[0], HOST))
            else:
                w, t = divmod(who, len(self.p))
                self.missing[t] -= 1
                self.start(w)

    # --- workers

    def start(self, w):
        if self.busy[w] or not self.pipe[w] or self.missing[self.pipe[w][0]]:
            return
        t = self.pipe[w][0]
        p = self.p[t][w]
        self.busy[w] = True
        self.given[w] -= p
        self.stamp[w] = max(self.stamp[w], self.now + p + self.given[w])
        self.enter(self.now + p, (self.ended, w, t))

    def ended(self, w, t):
        n = self.node[w]
        self.busy[w] = False
        self.pipe[w].pop(0)
        self.end = self.now
        self.done += 1
        for d in self.data[t]:
            self.pin(n, d, -1)
        for d in self.writes[t]:
            for other in range(1, self.m.gpus + 1):
                if other != n and d in self.room[other]:
                    self.drop(d, other)
            self.valid[d] = {n}
        self.stamp[w] = self.now + self.given[w]
        ready = []
        for s in self.g.after[t]:
            self.waits[s] -= 1
            if not self.waits[s]:
                ready.append(s)
        if ready:
            self.choose(sorted(ready))
        self.start(w)

    def drop(self, d, n):
        self.room[n].discard(d)
        self.used[n] -= self.g.size[d]
        self.valid[d].discard(n)

    def stage_all(self):
        for w in range(self.n):
            while self.fifo[w] and self.stage(w):
                pass

    def head(self, w):
        if self.queue == "rank":
            return min(self.fifo[w], key=lambda t: (-self.least[t], t))
        if self.queue == "lack":
            return min(self.fifo[w], key=lambda t: (self.lack(t, self.node[w]), t))
        return self.fifo[w][0]

    def lack(self, t, n):
        return sum(self.g.size[d] for d in self.reads[t]
                   if n not in self.valid[d] and n not in self.flying[d])

    def stage(self, w):
        n = self.node[w]
        if len(self.pipe[w]) >= (1 if n == HOST else 1 + self.m.window):
            return False
        t = self.head(w)
        earliest = 0
        if n != HOST:
            earliest = self.reserve(t, n)
            if earliest is None:
                return False
        self.fifo[w].remove(t)
        self.pipe[w].append(t)
        for d in self.reads[t]:
            self.wanted[n][d] -= 1
        for d in self.data[t]:
            self.clock += 1
            self.pin(n, d, 1)
            self.staged_at[n][d] = self.clock
        lacks = [d for d in self.reads[t] if n not in self.valid[d]]
        self.missing[t] = len(lacks)
        for d in lacks:
            self.request(d, n, w * len(self.p) + t, earliest)
        self.start(w)
        return True

    def reserve(self, t, n):
        """Room for all data of t, or None; and when its copies may start."""
        need = [d for d in self.data[t] if d not in self.room[n]]
        short = self.used[n] + sum(self.g.size[d] for d in need) - self.m.memory
        earliest = 0
        if short > 0:
            able = [d for d in self.room[n] if not self.pins[n].get(d)
                    and n not in self.flying[d] and d not in self.data[t]]
            able.sort(key=lambda d: (self.valid[d] == {n}, self.staged_at[n][d]))
            out = []
            for d in able:
                if short <= 0:
                    break
                out.append(d)
                short -= self.g.size[d]
            if short > 0:
                return None
            for d in out:
                if self.valid[d] == {n}:
                    earliest = max(earliest, self.book(d, n, "out", 0, None))
                    self.valid[d].add(HOST)
                self.drop(d, n)
        for d in need:
            self.room[n].add(d)
            self.used[n] += self.g.size[d]
        return earliest

    # --- schedulers

    def cost(self, t, n):
        """Predicted time to bring to node n what t reads and n lacks."""
        total = 0
        for d in self.reads[t]:
            if n in self.valid[d] or n in self.flying[d] or self.wanted[n].get(d):
                continue
            size = int(self.g.size[d] * self.m.predicted)
            if n == HOST:
                total += self.m.d2h(size)
            else:
                total += self.m.h2d(size)
                if HOST not in self.valid[d] and HOST not in self.flying[d] and not self.m.peer:
                    total += self.m.d2h(size)
        return total

    def ends(self, t, workers):
        """(eft, c, w) of those among the workers that can run t."""
        cost = {n: self.cost(t, n) for n in {self.node[w] for w in workers}}
        return [(max(self.stamp[w], self.now + cost[self.node[w]]) + self.p[t][w],
                 cost[self.node[w]], w) for w in workers if self.p[t][w] is not None]

    def push(self, t, w, stamp):
        n = self.node[w]
        self.fifo[w].append(t)
        for d in self.reads[t]:
            self.wanted[n][d] = self.wanted[n].get(d, 0) + 1
        self.given[w] += self.p[t][w]
        self.stamp[w] = stamp

    def first_end(self, t, workers):
        eft, _, w = min(self.ends(t, workers), key=lambda e: (e[0], e[2]))
        self.push(t, w, eft)

    def gain(self, t):
        """(p_cpu, p_gpu) of t, None where it is absent."""
        gpu = [p for p in self.p[t][:self.m.gpus] if p is not None]
        cpu = [p for p in self.p[t][self.m.gpus:] if p is not None]
        return min(cpu, default=None), min(gpu, default=None)

    def by_gain(self, ready):
        """What only GPUs run, then by decreasing p_cpu / p_gpu, then what only cores run."""
        def order(a, b):
            (a_cpu, a_gpu), (b_cpu, b_gpu) = self.gain(a), self.gain(b)
            a_part = 0 if a_cpu is None else 2 if a_gpu is None else 1
            b_part = 0 if b_cpu is None else 2 if b_gpu is None else 1
            if a_part != b_part:
                return a_part - b_part
            if a_part == 1 and a_cpu * b_gpu != b_cpu * a_gpu:
                return b_cpu * a_gpu - a_cpu * b_gpu
            return a - b
        return sorted(ready, key=cmp_to_key(order))

    def choose_heft(self, ready):
        for t in self.by_gain(ready):
            self.first_end(t, range(self.n))

    def choose_heftrank(self, ready):
        for t in sorted(ready, key=lambda t: (-self.mean[t], t)):
            self.first_end(t, range(self.n))

    def choose_mct(self, ready):
        beta = Fraction(self.options.get("beta", 1))
        for t in ready:
            ends = self.ends(t, range(self.n))
            least = min(e[0] for e in ends)
            eft, _, w = min(ends, key=lambda e: (e[0] - least + beta * e[1], e[2]))
            self.push(t, w, eft)

    def owner(self, t):
        i, j = self.g.tasks[t][2]
        p = self.home_p
        return i % p + p * (j % (self.m.gpus // p))

    def choose_static(self, ready):
        for t in ready:
            own = self.owner(t)
            if self.p[t][own] is None:
                self.first_end(t, range(self.m.gpus, self.n))
            else:
                self.first_end(t, [own])

    def choose_home(self, ready):
        for t in ready:
            self.first_end(t, [self.owner(t)] + list(range(self.m.gpus, self.n)))

    def choose_dada(self, ready):
        alpha, cp = self.options.get("alpha", 50), self.options.get("cp", False)
        base = [max(0, s - self.now) for s in self.stamp]
        c = {t: [self.cost(t, n) if cp else 0 for n in self.node] for t in ready}
        lower, upper = 0, max(base)
        for t in ready:
            upper += max(p for p in self.p[t] if p is not None)
            upper += max(c[t])
        scores = self.scores(ready)
        order = self.by_gain(ready)
        epsilon = max(1000, upper // 1000)
        plan, _ = self.plan(upper, alpha, base, c, scores, order)
        while upper - lower > epsilon:
            guess = (upper + lower) // 2
            new, accepted = self.plan(guess, alpha, base, c, scores, order)
            if accepted:
                plan, upper = new, guess
            else:
                lower = guess
        for t, w in plan:
            self.push(t, w, max(self.stamp[w], self.now + c[t][w]) + self.p[t][w])

    def scores(self, ready):
        """(-bytes, t, GPU) where a GPU has a valid copy of what t writes; greatest first."""
        found = []
        for t in ready:
            held = [(-sum(self.g.size[d] for d in self.writes[t] if g + 1 in self.valid[d]), t, g)
                    for g in range(self.m.gpus) if self.p[t][g] is not None]
            found += [best for best in [min(held, default=(0,))] if best[0]]
        return sorted(found)

    def plan(self, guess, alpha, base, c, scores, order):
        """Who runs what so that all ends by (2 + alpha) guess; and does it?"""
        load, first, plan, placed = list(base), [0] * self.m.gpus, [], set()
        gpus, hosts = range(self.m.gpus), range(self.m.gpus, self.n)

        def end(t, w):
            return max(load[w], c[t][w]) + self.p[t][w]

        def put(t, w):
            load[w] = end(t, w)
            plan.append((t, w))
            placed.add(t)

        def put_first(t, workers):
            put(t, min((w for w in workers if self.p[t][w] is not None),
                       key=lambda w: (end(t, w), w)))
        for _, t, g in scores:
            if 100 * first[g] < alpha * guess:
                first[g] += self.p[t][g] + c[t][g]
                put(t, g)
        flexible = []
        for t in order:
            if t in placed:
                continue
            cpu, gpu = self.gain(t)
            no_cpu, no_gpu = cpu is None or cpu > guess, gpu is None or gpu > guess
            if no_cpu and no_gpu:
                return plan, False
            if no_cpu:
                put_first(t, gpus)
            elif no_gpu:
                put_first(t, hosts)
            else:
                flexible.append(t)
        full = False
        for t in flexible:
            fits = [] if full else [g for g in gpus if load[g] < guess]
            full = not fits
            put_first(t, hosts if full else fits)
        return plan, 100 * max(load) <= (200 + alpha) * guess
