# SPDX-License-Identifier: MIT
"""Communicators of mpi4py are taken where they are of libhit's MPI; a process that fails takes the others with it.
usage: mpi.py CC"""
import os
import subprocess
import sys
import tempfile

try:
    from mpi4py import MPI
except ImportError as missing:
    print(f"skipped: python3-mpi4py: {missing}")
    sys.exit(77)

import hit

other = """
int MPI_Comm_dup(void) { return 0; }
int MPI_Get_library_version(char *text, int *length) { *length = 1; text[0] = 'X'; text[1] = 0; return 0; }
"""
with tempfile.TemporaryDirectory() as folder:
    library = os.path.join(folder, "other.so")
    subprocess.run([sys.argv[1], "-shared", "-fPIC", "-x", "c", "-", "-o", library], input=other.encode(), check=True)
    kept, MPI.__file__ = MPI.__file__, library
    try:
        hit.open(comm=MPI.COMM_WORLD)
        sys.exit("a communicator of another MPI was taken")
    except hit.Error as error:
        assert error.status == "HIT_E_ARG" and "but found one of mpi4py's, X" in error.text, error
    MPI.__file__ = kept
try:
    hit.open(comm=3)
    sys.exit("a number was taken for a communicator")
except hit.Error as error:
    assert "expected a communicator of mpi4py but found a int" in error.text, error

with hit.open(comm=MPI.COMM_WORLD.Split(0, -MPI.COMM_WORLD.rank)) as h:
    assert (h.rank, h.size) == (MPI.COMM_WORLD.size - 1 - MPI.COMM_WORLD.rank, MPI.COMM_WORLD.size)
    tile = h.tile(9, "float64", "t")
    tile.set(lambda i: i)
    assert tile.get(8) == 8
    failed = ""
    try:
        if h.rank == 0:
            raise hit.Error("HIT_E_ARG", "mine")
        for _ in range(3):
            h.barrier()
    except hit.Error as error:
        failed = error.text
    assert failed == "mine" if h.rank == 0 else "hit_close()" in failed, failed
assert MPI.COMM_WORLD.allreduce(1) == MPI.COMM_WORLD.size  # it is mpi4py that ends MPI
