#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: npy_heads.sh READER [FILES [SEED]]: heads of .npy files in every spelling, right and wrong: what NumPy takes is taken, with the
# same elements, and what it refuses is refused
set -eu
python=/usr/bin/python3
[ -x "$python" ] || python=python3
"$python" -c 'import numpy' 2>/dev/null || {
    echo "skipped: python3-numpy is not installed"
    exit 77
}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
"$python" - "$folder" "$@" <<'PYTHON'
import random
import struct
import subprocess
import sys
import warnings

import numpy

folder, reader = sys.argv[1:3]
files = int(sys.argv[3]) if len(sys.argv) > 3 else 3000
seed = int(sys.argv[4]) if len(sys.argv) > 4 else 33
any_of = random.Random(seed)
warnings.simplefilter("ignore")
mine = [numpy.dtype(t) for t in ("f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "?", "c8", "c16", "f2", "V2", "V12")]


def rarely(odd, usual, one_in=25):
    return odd() if any_of.randrange(one_in) == 0 else usual()


def pick(*choice):
    return any_of.choice(choice)


def blank():
    return rarely(lambda: pick("  ", "\t", "\n", "\r\n", "\f", " # a comment, }\n", "\\\n", "\\ "), lambda: pick("", " "), 20)


def string(text):
    quote = pick("'", "'", "'", '"', "'''", '"""')
    prefix = rarely(lambda: pick("u", "U", "r", "R", "b", "B", "f", "ur", "br", "Rb", "x"), lambda: "")
    one = prefix + quote + text + quote
    return rarely(lambda: pick("'" + text[:2] + "'" + blank() + '"' + text[2:] + '"', "'" + text + '"', "'" + text + "\n'",
                               "(" + one + ")", text, one + " ''", one + " b''", one + one), lambda: one)


def number():
    n = any_of.randrange(4)
    return rarely(lambda: pick("0%d" % n, "00", "0_0", "1_0", "1__0", "_1", "1_", "+%d" % n, "- 0", "-0", "--1", "0x%x" % n, "0b1", "0o2", "0x",
                               "0x_2", "0b2", "1.0", "1e0", "1j", "%dL" % n, "%d L" % n, "%dl" % n, "True", "False", "None", "'3'",
                               "(%d)" % n, "((%d))" % n, "(%d,)" % n, "[1]", "99999999999999999999", "2 3", "1+1", "9223372036854775807"),
                  lambda: str(n), 12)


def shape():
    count = any_of.randrange(4)
    inside = ("," + blank()).join(number() for _ in range(count)) + ("," if count == 1 else pick("", "", ",", blank()))
    usual = "(" + blank() + inside + blank() + ")"
    return rarely(lambda: pick("[" + inside + "]", inside, "(" + inside, usual + ",", "(" + usual + ")", "((" + inside + "),)", "(,)", "(3 4)",
                               "(2,,2)", "()", "((), )", "{}", "None", "2", "(" + "1," * 33 + ")", "(" + "1," * 31 + ")"), lambda: usual, 12)


def order():
    return rarely(lambda: pick("Falsehood", "false", "0", "1", "'False'", "None", "(False)", "(False,)", "not True", "True and False", "Fals",
                               "False False", "Falseu", ""), lambda: pick("False", "False", "True"))


def kind():
    code = pick("<f4", "<f8", "<i4", "<i8", "|u1", "|V12", "f4", "=f4", ">f4", "|f4", "<u1", "u1", ">u1", ">V12", "V12", "f", "<f", "d", ">d", "i", "q",
                "l", "B", "|B", "float32", "<float32", "float64", "int32", "int64", "uint8", "single", "double", "float", "int", "intc", "ubyte",
                "longlong", "<f2", "<c8", "<U3", "|S4", "|b1", "f3", "f", "V0", "nothing", "", "<", "f44", "f4 ", " f4", "F4")
    return rarely(lambda: pick("[('a', '<f4')]", "{}", "[]", "4", "None", "()", "float"), lambda: string(code), 20)


def dictionary():
    pairs = [(string("descr"), kind()), (string("fortran_order"), order()), (string("shape"), shape())]
    any_of.shuffle(pairs) if any_of.randrange(3) == 0 else None
    rarely(lambda: pairs.append(pick((string("shape"), shape()), (string("descr"), kind()), ("'more'", "1"), ("3", "4"), ("'shape '", "()"))),
           lambda: None)
    rarely(lambda: pairs.pop(any_of.randrange(len(pairs))), lambda: None, 20)
    colon = rarely(lambda: pick("", "=", "::", ": :"), lambda: ":", 60)
    inside = ("," + blank()).join(key + blank() + colon + blank() + value for key, value in pairs)
    whole = "{" + blank() + inside + pick("", ",", ", ") + blank() + "}"
    whole = pick("", " ", "\t") + whole + pick("", " ", "\n", "\t\n", " # a comment\n")
    return rarely(lambda: pick(whole[:-3], whole + "}", "(" + whole + ")", "((" + whole + "))", "(" + whole, whole + ")", whole + ";", whole + "\0",
                               "\0" + whole, whole + " x", "[" + whole + "]", whole + ",", "\n" + whole, "\n " + whole, "# c\n" + whole, "\r\n" + whole, "", "None",
                               whole.replace("'", "`"), whole + "# end", "\t" + whole), lambda: whole, 12)


def changed(head):
    at = any_of.randrange(len(head) + 1)
    return pick(head[:at] + head[at + 1:], head[:at] + pick(*"'\"(){}[]: \t\n0L_#") + head[at:])


def file_of(head, major, minor):
    text = head.encode("latin1")
    text += b" " * any_of.randrange(20) + pick(b"\n", b"\n", b"")
    if any_of.randrange(100) == 0:
        text += b" " * pick(9000, 10001)
    length = struct.pack("<H" if major < 2 else "<I", len(text))
    return b"\x93NUMPY" + bytes((major, minor)) + length + text + bytes(any_of.randrange(256) for _ in range(12 * 1024 if "31" in head else 400))


def numpys(path):
    """What the reader prints, but for reasons; "columns" also where NumPy calls them rows, since one row is both."""
    try:
        found = numpy.load(path)
    except Exception as reason:  # whatever it is, it is refused
        return "refused: " + repr(reason)[:200]
    if found.dtype not in mine or found.ndim > 4:
        return "another type"
    if found.ndim > 1 and found.flags.f_contiguous and not found.flags.c_contiguous:
        return "columns"
    return "(%s) %s" % ("".join("%d," % n for n in found.shape), found.tobytes().hex())


names = []
for k in range(files):
    head = dictionary()
    if any_of.randrange(6) == 0:
        head = changed(head)
    name = "%s/%d.npy" % (folder, k)
    with open(name, "wb") as out:
        out.write(file_of(head, *rarely(lambda: pick((1, 1), (4, 0), (0, 0), (2, 1)), lambda: pick((1, 0), (1, 0), (2, 0), (3, 0)), 40)))
    names.append(name)
found = subprocess.run([reader], input="\n".join(names) + "\n", capture_output=True, text=True, check=True).stdout.splitlines()
assert len(found) == files, (len(found), files)
wrong = taken = 0
for name, ours in zip(names, found):
    right = numpys(name)
    taken += not right.startswith("refused")
    columns = ours == "columns" and right[0] == "(" and right.split(")")[0].count(",") > 1
    if ours != right and not columns and (ours[0] == "(" or right[0] == "("):
        wrong += 1
        if wrong <= 20:
            with open(name, "rb") as wrong_one:
                print("%s\n  NumPy: %s\n  hit:   %s" % (wrong_one.read(120), right[:100], ours[:200]))
print("seed %d: %d heads, %d taken by NumPy, %d read in another way" % (seed, files, taken, wrong))
assert taken > files // 5
sys.exit(wrong > 0)
PYTHON
