# usage: nm -A OBJECT... | awk -f symbols.awk docs/layers.txt tests/lint/upward.txt -
# The names that the objects of a folder need are defined in that folder, or in one with a smaller number
# (docs/layers.txt). Exceptions, "FROM NAME" each, are tables that plug-ins register in; one that is not
# needed is told, too.
function folder(path,    d, best)
{
    best = ""
    for (d in layer)
        if ((index(path, d "/") == 1 || index(path, d ".") == 1 || index(path, d "_") == 1) && length(d) > length(best)) best = d
    return best
}
FILENAME ~ /layers/ { layer[$2] = $1; next }
FILENAME ~ /upward/ { if ($1 !~ /^#/ && NF) { excused[$1 " " $2] = 1 } next }
{
    # DIR/CMakeFiles/hit.dir/hit/base/memory.c.o:0000000000000000 T hit_memory_take
    path = $1
    sub(/\.o:.*/, "", path)
    sub(/.*CMakeFiles\/[^\/]*\/(\.\/)?/, "", path)
    sub(/^hit\.kernels\/[^\/]*\//, "kernels/", path) # other halves of kernel files
    name = $NF
    kind = $(NF - 1)
    if (kind ~ /^[TDBRCVW]$/) owner[name] = path
    if (kind == "U") needs[path " " name] = 1
    objects[path] = 1
}
END {
    for (pair in needs) {
        split(pair, of, " ")
        if (!(of[2] in owner)) continue
        from = folder(of[1])
        to = folder(owner[of[2]])
        if (from == "" || to == "" || from == to || layer[to] < layer[from]) continue
        if ((from " " of[2]) in excused) { met[from " " of[2]] = 1; continue }
        print of[1] " needs " of[2] " of " owner[of[2]] ": " from " may not need " to
        bad = 1
    }
    for (pair in excused)
        if (!(pair in met)) { print "tests/lint/upward.txt: " pair " is no longer needed"; bad = 1 }
    for (path in objects) count++
    if (count < 100) { print "expected the library's objects but found " count + 0; bad = 1 }
    exit bad
}
