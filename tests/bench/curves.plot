# gnuplot -c tests/bench/curves.plot NUMBERS PICTURE: docs/pictures/curves.svg from what `curves 1024 NUMBERS` wrote
set terminal svg size 900,560 dynamic background rgb "white"
set output ARG2
set xlabel "nodes"
set ylabel "efficiency"
set logscale x 2
set yrange [0:1.05]
set grid
set key bottom left
plot ARG1 using 1:2 with linespoints linewidth 2 pointtype 7 title "heat 16384 x 16384", \
     ARG1 using 1:3 with lines dashtype 2 title "heat, by the model", \
     ARG1 using 1:4 with linespoints pointtype 4 title "heat, 2048 x 2048 a node (weak)", \
     ARG1 using 1:6 with linespoints pointtype 6 title "matmul 16384", \
     ARG1 using 1:7 with linespoints linecolor rgb "black" pointtype 1 title "cholesky 8192, tiles of 256"
