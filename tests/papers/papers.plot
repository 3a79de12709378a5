# gnuplot -c tests/papers/papers.plot FIGURES.tsv DIR: the pictures of docs/papers.md from what papers.sh computed
file = ARG1
dir = ARG2
# the points of one curve: x, GFLOP/s, half width, GB, half width, bound
of(figure, curve) = sprintf("< awk -F'\t' '$1 == \"%s\" && $2 == \"%s\" { print $3, $4, $5, $6 / 1000, $7 / 1000, $8 }' %s", figure, curve, file)
set terminal svg size 1100,720 dynamic background rgb "white" font "sans,11"
set grid
set xtics 1
set xrange [0.7:8.3]
set yrange [0:*]

alphas = "0 0.25 0.5 0.75 1"
set output dir."/papers-alpha.svg"
set multiplot layout 2,2 title "Cholesky, N = 8192, dada:alpha=A by GPUs ([Bleuse2014] Fig. 1)"
do for [what = 1:2] {
    do for [cp = 0:1] {
        set title (cp == 0 ? "without prediction of copies" : "with it (cp)")
        set ylabel (what == 1 ? "GFLOP/s" : "GB moved")
        if (what == 1) { set key bottom right } else { set key top left }
        plot for [a in alphas] of("1", "dada:alpha=".a.(cp == 0 ? "" : ",cp")) using 1:(what == 1 ? $2 : $4):(what == 1 ? $3 : $5) \
            with yerrorlines title "A = ".a
    }
}
unset multiplot

curves = "heft dada:alpha=0 dada:alpha=0.5 dada:alpha=0.5,cp mct mct:beta=2.75,queue=rank home"
names = "'Cholesky (Fig. 2)' 'LU, incremental pivoting (Fig. 3)' 'QR (Fig. 4)'"
do for [size in "8192 16384"] {
    set output dir."/papers-gpus-".size.".svg"
    set multiplot layout 2,3 title "N = ".size.", by GPUs, and cores that are left of twelve ([Bleuse2014])"
    do for [what = 1:2] {
        do for [g = 1:3] {
            set title word(names, g)
            set ylabel (g > 1 ? "" : what == 1 ? "GFLOP/s" : "GB moved")
            if (what == 1 && g == 2) { set key bottom right font ",8" } else { unset key }
            plot for [c in curves] of(sprintf("%d.%s", g + 1, size), c) using 1:(what == 1 ? $2 : $4):(what == 1 ? $3 : $5) with yerrorlines title c
        }
    }
    unset multiplot
}

set output dir."/papers-groups.svg"
set xtics 10000
set xrange [0:40000]
set multiplot layout 2,3 title "Cholesky by MCT: twenty cores beside two groups of ten ([Cojean2016] Fig. 4 to 6); dashed: bounds"
do for [tile in "960 1920"] {
    do for [gpus in "1 2 4"] {
        set title sprintf("tiles of %s, %s GPU%s", tile, gpus, gpus eq "1" ? "" : "s")
        set ylabel (gpus eq "1" ? "GFLOP/s" : "")
        if (tile eq "960" && gpus eq "1") { set key bottom right } else { unset key }
        f = "groups.".gpus.".".tile
        plot of(f, "cores") using 1:2:3 with yerrorlines linetype 1 title "20 cores", \
             of(f, "groups") using 1:2:3 with yerrorlines linetype 2 title "2 groups", \
             of(f, "constrained") using 1:2:3 with yerrorlines linetype 3 title "2 groups, potrf and trsm on cores only", \
             of(f, "cores") using 1:6 with lines linetype 1 dashtype 2 notitle, \
             of(f, "groups") using 1:6 with lines linetype 2 dashtype 2 notitle
    }
}
unset multiplot
