# usage: awk -f layers.awk docs/layers.txt FILE...: prints each include that does not point strictly down
# (a folder may include itself and folders with a smaller number; the longest name that fits counts, hit/kernel for hit/kernel_cuda.h), and
# each header of a third party outside the files that may use it.
function folder(path,    d, best)
{
    best = ""
    for (d in layer)
        if ((index(path, d "/") == 1 || index(path, d ".") == 1 || index(path, d "_") == 1) && length(d) > length(best)) best = d
    return best
}
function complain(text)
{
    print FILENAME ":" FNR ": " text
    bad = 1
}
# programs that measure the library against plain C may use what plain C would
function third_party(header)
{
    if (FILENAME ~ /^tests\/(bench|scale|support)\//) return
    if (header ~ /^mpi/ && FILENAME !~ /^(hit\/comm\/|hit\/io\/|hit\/mpi\.h|tests\/hit\/comm\/|examples\/adopt\/)/)
        complain("<" header "> belongs to hit/comm and hit/io; programs include hit/mpi.h")
    if (header ~ /^cu(da|blas)/ && FILENAME !~ /^(hit\/cuda\/|kernels\/.*cublas|tests\/gpu\/|hit\/kernel(_cuda)?\.h)/)
        complain("<" header "> belongs to hit/cuda and kernels/*cublas*, and tests/gpu")
    if (header ~ /^cblas/ && FILENAME !~ /^kernels\/.*openblas/)
        complain("<" header "> belongs to kernels/*openblas*")
    if (header ~ /^hwloc/ && FILENAME !~ /hwloc[^\/]*$/)
        complain("<" header "> belongs to files named *hwloc*")
}
FNR == NR { layer[$2] = $1; next }
match($0, /^[ \t]*#[ \t]*include[ \t]*["<][^">]+/) {
    text = substr($0, RSTART, RLENGTH)
    quoted = text ~ /"/
    sub(/^[^"<]*["<]/, "", text)
    if (!quoted) {
        third_party(text)
        next
    }
    from = folder(FILENAME)
    to = folder(text)
    if (from != "" && to != "" && from != to && layer[to] >= layer[from])
        complain(from " may not include " text)
}
END { exit bad }
