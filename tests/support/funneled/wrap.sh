#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: wrap.sh <mpi.h after the preprocessor >wrappers.c
#
# A function in the place of each one of MPI: it sees who calls (funneled.h), and calls it. Left out are those that any
# thread may call at any time, those that begin MPI, and those of which not all arguments are known.
cat <<'END'
/* Written by wrap.sh. */
/* NOLINTBEGIN: as mpi.h has them */
#include "tests/support/funneled/funneled.h"

END
tr '\n' ' ' | tr ';' '\n' | sed -E 's/__attribute__ *\(\(([^()]|\([^()]*\))*\)\)//g; s/extern //; s/[[:space:]]+/ /g; s/^ //; s/ $//' |
    awk -F '[()]' '
        { sub(/ $/, "", $1) }
        $1 !~ /^[A-Za-z_ ]+[ *]MPI_[A-Z][A-Za-z0-9_]*$/ || NF != 3 || $3 != "" || /\.\.\./ || /PMPI_|MPIX_|MPI_T_/ { next }
        { name = $1; sub(/.*[ *]/, "", name); type = substr($1, 1, length($1) - length(name)) }
        name ~ /^MPI_(Init|Init_thread|Initialized|Finalized|Query_thread|Is_thread_main|Get_.*version)$/ { next }
        name in seen { next }
        {
            seen[name] = 1
            count = split($2, argument, ",")
            values = ""
            for (k = 1; k <= count; k++) {
                value = argument[k]
                gsub(/\[[^]]*\]/, "", value)
                gsub(/ $/, "", value)
                sub(/.*[ *]/, "", value)
                if (value != "void") values = values (k > 1 ? ", " : "") value
            }
            printf "%s%s(%s)\n{\n    funneled_look(\"%s\");\n    return P%s(%s);\n}\n", type, name, $2, name, name, values
        }'
echo '/* NOLINTEND */'
