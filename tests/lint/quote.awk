# SPDX-License-Identifier: MIT
# usage: awk -f quote.awk quote.txt FILE.c...: text that reaches a terminal, JSON, SVG or gnuplot, and is not printed by
# hit/base/quote.c, which quotes it. quote.txt lists what may be printed as it is, FILE WHAT, and why.
function tell(what) {
    print FILENAME ":" begin ": " what
    bad = 1
}

# the literals of a call, without what is between them
function literals(text,   all) {
    while (match(text, /"([^"\\]|\\.)*"/)) {
        all = all substr(text, RSTART + 1, RLENGTH - 2) "\001"
        text = substr(text, RSTART + RLENGTH)
    }
    return all
}

# what stands for a text that is printed as it is: the first argument of fputs(), fputc() or fwrite()
function first_argument(call) {
    sub(/^[^(]*\( */, "", call)
    sub(/[,)].*/, "", call)
    return call
}

function check(call,   said, what) {
    said = literals(call)
    if (call ~ /^v?f?printf/ && said ~ /%[-+ #0-9.*]*[sc]/) tell("expected hit_say() or hit_quote_write() for a text")
    if (call ~ /^vf?printf/) tell("expected hit_quote_vprint()")
    if (call ~ /^f?put|^fwrite/) {
        what = first_argument(call)
        if (what !~ /^(["']|list \?|truth \?|json->lists)/ && what !~ /^(usage|USAGE)$/ && !((FILENAME " " what) in may)) tell("expected hit_say() for " what)
    }
    if (said ~ /\\": ?|{\\"/ && FILENAME !~ /^hit\/base\/json[.]c|trace_read[.]c/) tell("expected hit/base/json.h for JSON")
    if (said ~ /<(\/|[a-z]+[ >])/ && said ~ /%[-0-9.*]*s/ && call !~ /HIT_LANGUAGE_XML/) tell("expected HIT_LANGUAGE_XML")
    if (said ~ /(^|\\n)(set|plot) / && said ~ /%[-0-9.*]*s/ && call !~ /HIT_LANGUAGE_GNUPLOT/) tell("expected HIT_LANGUAGE_GNUPLOT")
}

FILENAME == ARGV[1] {
    if ($1 != "#") may[$1 " " $2] = 1
    next
}
FNR == 1 { call = "" }
FILENAME == "hit/base/quote.c" || /^ *(\/\*|\*|\/\/)/ { next }
call == "" && match($0, /(^|[^a-z_>.])(v?f?printf|f?puts|f?putc|putchar|fwrite|hit_say|hit_quote_write)\(/) {
    begin = FNR
    call = substr($0, RSTART)
    sub(/^[^a-z]/, "", call)
    calls++
    if ($0 !~ /[;{]$/) next
    check(call)
    call = ""
    next
}
call != "" {
    call = call $0
    if ($0 !~ /[;{]( *\/[*].*)?$/) next
    check(call)
    call = ""
}
END {
    if (calls < 100) { # were they found?
        print "found " calls + 0 " calls"
        bad = 1
    }
    exit bad
}
