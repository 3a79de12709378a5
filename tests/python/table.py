# SPDX-License-Identifier: MIT
"""The package's table of declarations is that of the public headers: the C compiler, which has read the headers, is told the
functions once more, and compares types, sizes, places of members and values of enumerators. usage: table.py SOURCE CC"""
import pathlib
import re
import subprocess
import sys
import unittest

import hit
from hit import table
from hit.library import ffi

source, compiler = sys.argv.pop(1), sys.argv.pop(1)


def of_members(name):
    """A structure has these members, there, of these types, and no other."""
    made = ffi.typeof(name)
    lines = [f"_Static_assert(sizeof({name}) == {ffi.sizeof(made)}, \"size of {name}\");"]
    for member, field in made.fields:
        types = ", ".join(f"__typeof__(&(({of} *)0)->{member})" for of in (name, "table_" + name))
        lines += [f"_Static_assert(offsetof({name}, {member}) == {field.offset}, \"place of {name}.{member}\");",
                  f"_Static_assert(__builtin_types_compatible_p({types}), \"type of {name}.{member}\");"]
    return lines


def of_enumerators(name):
    return [f"_Static_assert({key} == {value}, \"{key}\");" for value, key in ffi.typeof(name).elements.items()]


def claims():
    """What the table says, as C. The table's structures get names of their own; a type that is named again must be the same."""
    structures = re.findall(r"typedef struct \w+ \{[^}]*\} (\w+);", table.TYPES)
    enumerations = re.findall(r"typedef enum \w+ \{[^}]*\} (\w+);", table.TYPES)
    types = re.sub(r"typedef enum \w+ \{[^}]*\} \w+;", "", table.TYPES)
    types = re.sub(r"typedef struct \w+ \{([^}]*)\} (\w+);", r"typedef struct table_\2 {\1} table_\2;", types)
    lines = [types] + [line for name in structures for line in of_members(name)]
    return "\n".join(lines + [line for name in enumerations for line in of_enumerators(name)]) + table.FUNCTIONS


def compile_error(text):
    headers = "".join(f'#include "hit/{name}.h"\n' for name in ["hit", "plugin", "mpi", "tile/hold"])
    command = [compiler, "-std=gnu11", "-Wall", "-Werror", "-Wno-redundant-decls", f"-I{source}", "-fsyntax-only", "-x", "c", "-"]
    return subprocess.run(command, input=headers + text, capture_output=True, text=True).stderr


class Table(unittest.TestCase):
    def test_it_says_what_the_headers_say(self):
        self.assertEqual(compile_error(claims()), "")

    def test_what_differs_is_told(self):
        text = claims()
        for before, after in [("int hit_rank(const hit_context *)", "long hit_rank(const hit_context *)"),
                              ("hit_domain, int,", "hit_domain, long,"),
                              ("offsetof(hit_view, data) == ", "offsetof(hit_view, data) == 1"),
                              ("const char *units", "char *units"),
                              ("HIT_E_IO == ", "HIT_E_IO == 1"), ("sizeof(hit_kernel) == ", "sizeof(hit_kernel) == 1")]:
            self.assertIn(before, text)
            self.assertNotEqual(compile_error(text.replace(before, after)), "", after)

    def test_versions_are_alike(self):
        project = pathlib.Path(source, "python", "pyproject.toml").read_text()
        self.assertIn(f'version = "{hit.version()}"', project)
        self.assertEqual(hit.version().rsplit(".", 1)[0], table.VERSION)

    def test_it_has_all_structures(self):
        self.assertGreaterEqual(claims().count("_Static_assert"), 150)

    def test_the_package_is_small(self):
        lines = sum(path.read_text().count("\n") for path in pathlib.Path(source, "python", "hit").glob("*.py"))
        self.assertLess(lines, 800)


unittest.TestCase.maxDiff = None
unittest.main()
