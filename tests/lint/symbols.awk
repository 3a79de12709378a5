# usage: nm -A OBJECT... | awk -f symbols.awk docs/layers.txt tests/lint/upward.txt -
# The names that the objects of a folder need are defined in that folder, or in one with a smaller number
# (docs/layers.txt). Exceptions, "FROM NAME" each, are tables that plug-ins register in; one that is not
# needed is told, too. In a folder at most three files need each other in a circle.
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
# How many files of a folder, with this one, it needs and is needed by, directly or not.
function circle(path,    other, n)
{
    n = 1
    for (other in objects)
        if (other != path && ((path, other) in reach) && ((other, path) in reach)) n++
    return n
}
function room(path)
{
    sub(/\/[^\/]*$/, "", path)
    return path
}
END {
    for (pair in needs) {
        split(pair, of, " ")
        if (!(of[2] in owner)) continue
        if (room(of[1]) == room(owner[of[2]])) reach[of[1], owner[of[2]]] = 1
        from = folder(of[1])
        to = folder(owner[of[2]])
        if (from == "" || to == "" || from == to || layer[to] < layer[from]) continue
        if ((from " " of[2]) in excused) { met[from " " of[2]] = 1; continue }
        print of[1] " needs " of[2] " of " owner[of[2]] ": " from " may not need " to
        bad = 1
    }
    for (pair in excused)
        if (!(pair in met)) { print "tests/lint/upward.txt: " pair " is no longer needed"; bad = 1 }
    for (middle in objects)
        for (from in objects) {
            if (!((from, middle) in reach)) continue
            for (to in objects) if ((middle, to) in reach) reach[from, to] = 1
        }
    for (path in objects) {
        if (circle(path) > 3) { print path ": " circle(path) " files of its folder need each other, at most 3 may"; bad = 1 }
    }
    for (path in objects) count++
    if (count < 100) { print "expected the library's objects but found " count + 0; bad = 1 }
    exit bad
}
