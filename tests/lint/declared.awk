# usage: cc -E '-D__attribute__(x)=' ... | awk -f declared.awk
# The functions and variables that the project's headers declare, one a line; static ones are left out.
/^# [0-9]+ "/ { ours = $3 !~ /^"[\/<]/; next }
/^#/ || !ours { next }
function told(declaration,    part, parts, i, name)
{
    gsub(/[ \t\n]+/, " ", declaration)
    sub(/^ /, "", declaration)
    if (declaration == "" || declaration ~ /^(typedef|static|_Static_assert) ?/ || declaration ~ /^(struct|union|enum) [a-z_]+ ?$/) return
    if (declaration ~ /^(struct|union|enum)[^(]*[{]/) return
    if (match(declaration, /[A-Za-z_][A-Za-z_0-9]* ?[(]/)) {
        name = substr(declaration, RSTART, RLENGTH)
        gsub(/[ (]/, "", name)
        print name
        return
    }
    parts = split(declaration, part, ",")
    for (i = 1; i <= parts; i++) {
        sub(/ ?(\[.*)?$/, "", part[i])
        match(part[i], /[A-Za-z_0-9]+$/)
        print substr(part[i], RSTART, RLENGTH)
    }
}
{
    for (i = 1; i <= length($0); i++) {
        c = substr($0, i, 1)
        if (c == ";" && depth == 0) { told(text); text = ""; continue }
        text = text c
        if (c == "{") depth++
        if (c == "}" && --depth == 0 && text ~ /\)[ \n]*[{]/ && text !~ /^[ \n]*(typedef|struct|union|enum)/) {
            told(text) # the body of a function
            text = ""
        }
    }
    text = text "\n"
}
