#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: instructions.py NVCC INCLUDE FILE.k.c...

Compiles the kernels for sm_90, disassembles them, and counts what a thread executes per index where its group is full:
the shortest way from its start to its end that stores the group. Fails where a count is above its goal in GOALS, or
where a kernel keeps registers in memory. 77, and why, where there is no nvdisasm (PyPI: nvidia-cuda-nvdisasm) to count with."""
import collections
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

GROUP = 8  # HIT_CUDA_GROUP
GOALS = {'heat_float': 30, 'heat_double': 30, 'stencil7_float': 45, 'stencil7_double': 45, 'wave_float': 105,
         'axpy_float': 20, 'axpy_double': 20, 'vector_add_float': 20, 'vector_add_double': 20, 'scale_float': 20,
         'scale_double': 20, 'fill_float': 20, 'fill_double': 20}


def kernels(text):
    """(name, instructions and labels) of each kernel."""
    name, code = None, []
    for line in text.split('\n'):
        m = re.match(r'\.text\.(\S+):', line)
        if m:
            if name:
                yield name, code
            name, code = m.group(1), []
        m = re.match(r'(\.L_\S+):', line)
        if m:
            code.append(('label', m.group(1)))
        m = re.match(r'\s+/\*[0-9a-f]{4,}\*/\s+(.*?)\s*;', line)
        if m and name:
            code.append(('op', m.group(1)))
    if name:
        yield name, code


def following(at, op, rest, guard, labels):
    """Where the next instruction may be; none: the thread ends."""
    if op.startswith('EXIT'):
        return [at + 1] if guard else []
    target = re.search(r'`\((\.L_\S+)\)', rest)
    if op.startswith('BRA') and target:
        always = not guard and not re.match(r'!?U?P|!?UP', rest)
        return [labels[target.group(1)]] + ([] if always else [at + 1])
    return [at + 1]


def shortest(code):
    """Instructions on the shortest way that ends after GROUP stores."""
    labels, ops = {}, []
    for kind, text in code:
        if kind == 'label':
            labels[text] = len(ops)
        else:
            ops.append(re.match(r'(@!?U?P\w+\s+)?(\S+)\s*(.*)', text).groups())
    steps = {(0, 0): 1}
    queue = collections.deque([(0, 0)])
    while queue:
        at, stores = queue.popleft()
        if at >= len(ops):
            continue
        guard, op, rest = ops[at]
        after = stores + op.startswith('STG')
        nexts = following(at, op, rest, guard, labels)
        if op.startswith('EXIT') and stores == GROUP:
            return steps[(at, stores)]
        for n in nexts:
            if after <= GROUP and (n, after) not in steps:
                steps[(n, after)] = steps[(at, stores)] + 1
                queue.append((n, after))
    return None


def find_nvdisasm():
    installed = [one for folder in sys.path for one in glob.glob(os.path.join(folder, 'nvidia', '*', 'bin', 'nvdisasm'))]
    return shutil.which('nvdisasm') or (installed[0] if installed else None)


def main():
    nvcc, include, files = sys.argv[1], sys.argv[2], sys.argv[3:]
    nvdisasm = find_nvdisasm()
    bad, seen = [], set()
    with tempfile.TemporaryDirectory() as folder:
        for path in files:
            cubin = os.path.join(folder, 'one.cubin')
            told = subprocess.run([nvcc, '-x', 'cu', '-std=c++17', '-I', include, '-O3', '--fmad=false', '-arch=sm_90',
                                   '-cubin', '-Xptxas', '-v', '-o', cubin, path], capture_output=True, text=True, check=True)
            bad += ['%s: %s' % (path, one) for one in re.findall(r'[1-9]\d* bytes spill (?:stores|loads)', told.stderr)]
            if not nvdisasm:
                continue
            text = subprocess.run([nvdisasm, '-c', cubin], capture_output=True, text=True, check=True).stdout
            for mangled, code in kernels(text):
                m = re.match(r'_Z\d+(\w+)_gridILi1EE', mangled)
                if not m or m.group(1) not in GOALS:
                    continue
                name, count = m.group(1), shortest(code)
                seen.add(name)
                each = count / GROUP if count else float('inf')
                print('%-20s %6.1f instructions per index, at most %d' % (name, each, GOALS[name]))
                if each > GOALS[name]:
                    bad.append('%s: %.1f instructions per index, more than %d' % (name, each, GOALS[name]))
    if not nvdisasm and not bad:
        print('skipped: no kernel keeps registers in memory; there is no nvdisasm to count instructions with')
        return 77
    bad += ['%s: not found' % name for name in sorted(set(GOALS) - seen)]
    print('\n'.join(bad) if bad else 'as few as they should be')
    return 1 if bad else 0


sys.exit(main())
