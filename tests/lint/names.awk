# usage: awk -f names.awk LIST FILE...: LIST has the project's files. Each file that a comment of a C file names, and each
# path below a folder of the project that a comment or a page names, is one of them, or a folder, or either without its
# ending. Pages that let their reader write files are left out by the caller.
# Where does what end in text for the last time? 0: it is not there.
function last(text, what,    at, n)
{
    for (at = 0; (n = index(substr(text, at + 1), what)) > 0; ) at += n
    return at
}
function known(path) { return path in there || path in end_of }
FILENAME == ARGV[1] {
    part = $0
    there[part]
    while (sub(/\.[^.\/]*$/, "", part)) there[part] # without its endings
    part = $0
    while (sub(/\/[^\/]*$/, "", part)) there[part] # its folders
    for (part = $0; part != ""; part = index(part, "/") ? substr(part, index(part, "/") + 1) : "") end_of[part]
    next
}
FNR == 1 { page = FILENAME ~ /[.]md$/; comment = 0 }
{
    text = $0
    if (!page) {
        opened = comment || text ~ /^[ \t]*\/[*\/]|\/\*/
        comment = last(text, "/*") > last(text, "*/") || (comment && last(text, "*/") == 0)
        if (!opened) next
    }
    gsub(/https?:[^ )]*/, "", text)
    while (match(text, /[A-Za-z_0-9.*<-]*([\/][A-Za-z_0-9.*<-]*)*/)) {
        if (RLENGTH == 0) { text = substr(text, 2); if (text == "") break; continue }
        name = substr(text, RSTART, RLENGTH)
        text = substr(text, RSTART + RLENGTH)
        sub(/[.\/-]+$/, "", name)
        if (name ~ /[*<]|NAME|X[._]/) continue # stands for several
        if (name ~ /^(hit|layouts|patterns|kernels|tests|examples|docs|cmake|machines)\//) {
            found++
            if (known(name)) continue
        } else if (page || name !~ /[A-Za-z_0-9][.](c|h|cu|sh|py|awk)$/ || known(name)) {
            continue
        }
        print FILENAME ":" FNR ": there is no " name
        bad = 1
    }
}
END {
    if (found < 100) { print "expected at least 100 names but found " found + 0; bad = 1 }
    exit bad
}
