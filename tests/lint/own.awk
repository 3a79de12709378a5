# usage: nm -A OBJECT... | awk -f own.awk tests/lint/own.txt -
# A function that is seen outside its file X.c is declared in X.h, or in a header beside it: one of what the files of a
# folder share. Exceptions, "FILE HEADER" each, are declared in another folder.
function declarations(header,    line, text, open, end)
{
    if (header in read) return
    read[header] = 1
    text = ""
    while ((getline line < header) > 0) text = text line "\n"
    close(header)
    while ((open = index(text, "/*")) > 0) { # without comments
        end = index(substr(text, open), "*/")
        text = substr(text, 1, open - 1) substr(text, open + end + 1)
    }
    gsub(/[^A-Za-z0-9_(;]+/, " ", text)
    content[header] = " " text
}
# the headers of a folder, with blanks between
function beside(folder,    list, header)
{
    if (folder in headers) return headers[folder]
    list = "ls " folder "*.h"
    while ((list | getline header) > 0) headers[folder] = headers[folder] " " header
    close(list)
    return headers[folder]
}
function declares(header, name)
{
    declarations(header)
    return content[header] ~ ("[ (]" name " ?[(;]")
}
FILENAME ~ /own[.]txt$/ { if ($1 !~ /^#/ && NF) other[$1] = other[$1] " " $2; next }
$(NF - 1) == "T" {
    # DIR/CMakeFiles/hit.dir/hit/base/memory.c.o:0000000000000000 T hit_memory_take
    path = $1
    sub(/\.o:.*/, "", path)
    sub(/.*CMakeFiles\/[^\/]*\/(\.\/)?/, "", path)
    name = $NF
    if (name !~ /^hit_/ || path ~ /[.]k[.]/) next # kernels are declared by their names
    functions++
    own = path
    sub(/[.]cu?$/, "", own)
    if (declares(own ".h", name)) next
    folder = own
    sub(/[^\/]*$/, "", folder)
    count = split(beside(folder) other[path], header, " ")
    for (i = 1; i <= count; i++)
        if (declares(header[i], name)) break
    if (i <= count) next
    print path ": " name "() is not declared in " own ".h" ", nor in a header beside it"
    bad = 1
}
END {
    if (functions < 500) { print "expected the library's functions but found " functions + 0; bad = 1 }
    exit bad
}
