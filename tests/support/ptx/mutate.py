#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""usage: mutate.py COUNT SEED LEAST PROGRAM

Runs PROGRAM, which passes, COUNT times more with one wrong statement in the PTX of a kernel, drawn by SEED
from the statements that ran: another register, another comparison, an immediate that is one more or less,
a store or a barrier left out, another address. Fails where fewer than LEAST are noticed, and says which are not: "another
way" where the results are right with more or fewer statements, such as the way around a division that is right either way."""
import collections
import os
import random
import re
import subprocess
import sys
import tempfile

COMPARED = {'eq': 'ne', 'ne': 'eq', 'lt': 'le', 'le': 'lt', 'gt': 'ge', 'ge': 'gt', 'ltu': 'leu', 'leu': 'ltu',
            'gtu': 'geu', 'geu': 'gtu', 'equ': 'neu', 'neu': 'equ', 'num': 'nan', 'nan': 'num'}


def statements(path):
    """(entry, line, text) of what ran, and how many statements there are."""
    ran, every = set(), set()
    for one in open(path):
        if one.startswith('line '):
            _, entry, line, runs, text = one.rstrip('\n').split(' ', 4)
            every.add((entry, int(line)))
            if int(runs) > 0:
                ran.add((entry, int(line), text))
    return sorted(ran), len(every)


def other_register(dice, text, known):
    """An operand that is read becomes another register of its kind."""
    operands = [m for m in re.finditer(r'%(p|rs|r|rd|f|fd)(\d+)\b', text)]
    read = operands if text.startswith(('@', 'st.')) else operands[1:]
    if not read:
        return None
    m = dice.choice(read)
    others = [n for n in known[m.group(1)] if n != m.group(2)]
    return text[:m.start(2)] + dice.choice(others) + text[m.end(2):] if others else None


def other_comparison(dice, text, known):
    m = re.search(r'\bsetp\.(\w+)\.', text)
    return text[:m.start(1)] + COMPARED[m.group(1)] + text[m.end(1):] if m else None


def other_immediate(dice, text, known):
    m = re.search(r', (-?\d+)$', text)
    return text[:m.start(1)] + str(int(m.group(1)) + dice.choice((-1, 1))) if m else None


def no_store(dice, text, known):
    return '' if text.startswith('st.') else None


def other_address(dice, text, known):
    m = re.search(r'\[%\w+(?:\+(-?\d+))?\]', text)
    if not m or not re.match(r'(ld|st)\.(global|local)', text):
        return None
    moved = '[%s+%d]' % (m.group()[1:-1].split('+')[0], int(m.group(1) or 0) + dice.choice((-8, -4, 4, 8)))
    return text[:m.start()] + moved + text[m.end():]


def no_barrier(dice, text, known):
    return '' if text.startswith('bar.') else None


KINDS = [other_register, other_comparison, other_immediate, no_store, other_address, no_barrier]


def runs(path):
    """How many statements each entry carried out."""
    all_of = collections.Counter()
    for one in open(path):
        if one.startswith('line '):
            _, entry, _, count, _ = one.split(' ', 4)
            all_of[entry] += int(count)
    return all_of


def noticed(program, change, report):
    if os.path.exists(report):
        os.remove(report)  # processes add to it
    try:
        r = subprocess.run([program], env=dict(os.environ, HIT_PTX_CHANGE=change, HIT_PTX_REPORT=report),
                           capture_output=True, timeout=600)
    except subprocess.TimeoutExpired:
        return 'does not end'
    if r.returncode == 0:
        return None
    return 'fault' if r.returncode < 0 else 'wrong result'


def main():
    count, seed, least, program = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    dice = random.Random(seed)
    folder = tempfile.mkdtemp()
    report, changed = os.path.join(folder, 'report'), os.path.join(folder, 'changed')
    subprocess.run([program], env=dict(os.environ, HIT_PTX_REPORT=report), check=True, stdout=subprocess.DEVNULL)
    ran, every = statements(report)
    print('%d statements of kernels that run, %d ran' % (every, len(ran)))
    usual = runs(report)
    registers = collections.defaultdict(lambda: collections.defaultdict(set))
    for entry, _, text in ran:
        for kind, number in re.findall(r'%(p|rs|r|rd|f|fd)(\d+)\b', text):
            registers[entry][kind].add(number)
    results = collections.Counter()
    while sum(results.values()) < count:
        kind = dice.choice(KINDS)
        able = [s for s in ran if kind(random.Random(0), s[2], {k: sorted(v) for k, v in registers[s[0]].items()})
                is not None]
        if not able:
            KINDS.remove(kind)
            print('%s: no kernel has any' % kind.__name__)
            continue
        entry, line, text = dice.choice(able)
        known = {k: sorted(v) for k, v in registers[entry].items()}
        other = kind(dice, text, known)
        how = noticed(program, '%s %d %s' % (entry, line, other + (';' if other else '')), changed)
        missed = None if how else 'another way' if runs(changed)[entry] != usual[entry] else 'not noticed'
        results[how or missed] += 1
        if missed:
            print('%s: %s, line %d: %s -> %s' % (missed, entry, line, text, other or 'nothing'), flush=True)
    found = count - results['another way'] - results['not noticed']
    print('%d of %d noticed: %s' % (found, count, ', '.join('%s %d' % r for r in results.items())))
    return found < least


sys.exit(main())
