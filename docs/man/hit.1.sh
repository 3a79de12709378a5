#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: hit.1.sh HIT: the manual page of the command, made of what the command itself says
set -eu
hit=$1

# text as it is: roff sees no line that begins with a dot or a quote, and no backslash
verbatim() {
    echo .nf
    sed -e 's/\\/\\e/g' -e "s/^\\([.']\\)/\\\\\\&\\1/" -e 's/-/\\-/g'
    echo .fi
}

version=$("$hit" --version)
printf '.TH HIT 1 "" "%s" "hit"\n' "$version"
cat <<'PAGE'
.SH NAME
hit \- look at layouts, partitions, plans and traces of array programs
.SH SYNOPSIS
.B hit
[\fB\-\-help\fR | \fB\-\-version\fR] \fICOMMAND\fR [\fIOPTION\fR...]
.SH DESCRIPTION
The command of the library
.BR hit (7).
It prints what this machine has, what the library would do, and what a program has done.
It runs programs for
.BR "hit fit" ,
.B hit infer
and
.B hit new
only, and kernels of the library for
.BR "hit model measure" .
PAGE
"$hit" --help | sed -n '/^commands:/,/^$/p' | verbatim
"$hit" --help | sed -n '/^commands:/,/^$/p' | awk 'NR > 1 && NF { print $1 }' | while read -r command; do
    printf '.SH "HIT %s"\n' "$(echo "$command" | tr '[:lower:]' '[:upper:]')"
    "$hit" "$command" --help | verbatim
done
cat <<'PAGE'
.SH EXIT STATUS
0: done; 1: the answer is no, or a failure; 2: the command was not understood.
.SH ENVIRONMENT
See
.BR hit (7).
.SH SEE ALSO
.BR hit (7),
.BR mpiexec (1)
PAGE
