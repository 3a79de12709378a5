# gnuplot -c tests/bench/fig5.plot NUMBERS PICTURE: docs/pictures/fig5.svg from what `fig5 NUMBERS` wrote
set terminal svg size 900,560 dynamic background rgb "white"
set output ARG2
set xlabel "N"
set ylabel "Gflop/s"
set yrange [0:5500]
set grid
set key at graph 0.36, 0.55 right
plot ARG1 using 1:5 with linespoints linewidth 2 pointtype 7 title "functional models", \
     ARG1 using 1:4 with linespoints pointtype 4 title "constant speeds, several times", \
     ARG1 using 1:3 with linespoints pointtype 6 title "constant speeds, once", \
     ARG1 using 1:2 with linespoints pointtype 1 title "even"
