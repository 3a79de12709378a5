#!/bin/sh
# SPDX-License-Identifier: MIT
# usage: syntax.sh COMPILER ARGUMENT...: the compiler reads and warns, and makes nothing: before clang-tidy, which needs no objects.
exec "$@" -fsyntax-only
