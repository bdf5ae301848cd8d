# Bits at published E8's KL divergence (Q=15) against context
# Redraw in this folder: gnuplot context-gemma3-270m.gp
set encoding utf8
set terminal svg size 1140,720 enhanced font 'Arial,14' background rgb 'white'
set output 'context-gemma3-270m.svg'
set multiplot layout 1,2
set logscale x 2
set xlabel 'tokens of context'
set ylabel 'bits a value'
set xtics ('512' 512, '1k' 1024, '2k' 2048, '4k' 4096, '8k' 8192, '32k' 32768, '128k' 131072)
set xrange [445:37462]
set grid lt 1 lw 0.6 lc rgb '#d9d9d9'
set key below maxcols 1
set yrange [0:*]
set title 'whole cache'
plot 'context-gemma3-270m.dat' index 0 using 1:2:3:4 with yerrorbars pt 0 lw 1 lc rgb '#CC0000' notitle, \
    'context-gemma3-270m.dat' index 1 using 1:2:3:4 with yerrorbars pt 0 lw 1 lc rgb '#E69F00' notitle, \
    'context-gemma3-270m.dat' index 2 using 1:2:3:4 with yerrorbars pt 0 lw 1 lc rgb '#8C510A' notitle, \
    'context-gemma3-270m.dat' index 3 using 1:2:3:4 with yerrorbars pt 0 lw 1 lc rgb '#56B4E9' notitle, \
    'context-gemma3-270m.dat' index 4 using 1:2:3:4 with yerrorbars pt 0 lw 1 lc rgb '#888888' notitle, \
    'context-gemma3-270m.dat' index 5 using 1:2:3:4 with yerrorbars pt 0 lw 1 lc rgb '#0072B2' notitle, \
    'context-gemma3-270m.dat' index 6 using 1:2:3:4 with yerrorbars pt 0 lw 1 lc rgb '#222222' notitle, \
    'context-gemma3-270m.dat' index 7 using 1:2:3:4 with yerrorbars pt 0 lw 1 lc rgb '#009E73' notitle, \
    'context-gemma3-270m.dat' index 8 using 1:2:3:4 with yerrorbars pt 0 lw 1 lc rgb '#CC79A7' notitle, \
    'context-gemma3-270m.dat' index 9 using 1:2:3:4 with yerrorbars pt 0 lw 1 lc rgb '#000000' notitle, \
    'context-gemma3-270m.dat' index 0 using 1:2 with linespoints lw 2 pt 2 ps 1.0 lc rgb '#CC0000' title 'no profile', \
    'context-gemma3-270m.dat' index 1 using 1:2 with linespoints lw 2 pt 5 ps 1.0 lc rgb '#E69F00' title 'heads, mix, adapt=500', \
    'context-gemma3-270m.dat' index 2 using 1:2 with linespoints lw 2 pt 9 ps 1.0 lc rgb '#8C510A' title 'heads, mix, adapt=500, group=3, send=32', \
    'context-gemma3-270m.dat' index 3 using 1:2 with linespoints lw 2 pt 11 ps 1.0 lc rgb '#56B4E9' title 'one layer, novel, adapt=1000', \
    'context-gemma3-270m.dat' index 4 using 1:2 with linespoints lw 2 pt 15 ps 1.0 lc rgb '#888888' title 'one layer, mix', \
    'context-gemma3-270m.dat' index 5 using 1:2 with linespoints lw 2 pt 13 ps 1.0 lc rgb '#0072B2' title 'one layer, mix, adapt=1000', \
    'context-gemma3-270m.dat' index 6 using 1:2 with linespoints lw 2 pt 3 ps 1.0 lc rgb '#222222' title 'six layers, mix', \
    'context-gemma3-270m.dat' index 7 using 1:2 with linespoints lw 2 pt 1 ps 1.0 lc rgb '#009E73' title 'ece8 centred', \
    'context-gemma3-270m.dat' index 8 using 1:2 with linespoints lw 2 pt 7 ps 1.0 lc rgb '#CC79A7' title 'three layers, mix, int8, adapt=2000', \
    'context-gemma3-270m.dat' index 9 using 1:2 with linespoints lw 2 pt 14 ps 1.0 lc rgb '#000000' title 'heads, mix, int8, adapt=500, group=3, send=32'
set title 'with the profile, one user'
set logscale y
set yrange [1:*]
plot 'context-gemma3-270m.dat' index 0 using 1:5 with linespoints lw 2 pt 2 ps 1.0 lc rgb '#CC0000' title 'no profile', \
    'context-gemma3-270m.dat' index 1 using 1:5 with linespoints lw 2 pt 5 ps 1.0 lc rgb '#E69F00' title 'heads, mix, adapt=500', \
    'context-gemma3-270m.dat' index 2 using 1:5 with linespoints lw 2 pt 9 ps 1.0 lc rgb '#8C510A' title 'heads, mix, adapt=500, group=3, send=32', \
    'context-gemma3-270m.dat' index 3 using 1:5 with linespoints lw 2 pt 11 ps 1.0 lc rgb '#56B4E9' title 'one layer, novel, adapt=1000', \
    'context-gemma3-270m.dat' index 4 using 1:5 with linespoints lw 2 pt 15 ps 1.0 lc rgb '#888888' title 'one layer, mix', \
    'context-gemma3-270m.dat' index 5 using 1:5 with linespoints lw 2 pt 13 ps 1.0 lc rgb '#0072B2' title 'one layer, mix, adapt=1000', \
    'context-gemma3-270m.dat' index 6 using 1:5 with linespoints lw 2 pt 3 ps 1.0 lc rgb '#222222' title 'six layers, mix', \
    'context-gemma3-270m.dat' index 7 using 1:5 with linespoints lw 2 pt 1 ps 1.0 lc rgb '#009E73' title 'ece8 centred', \
    'context-gemma3-270m.dat' index 8 using 1:5 with linespoints lw 2 pt 7 ps 1.0 lc rgb '#CC79A7' title 'three layers, mix, int8, adapt=2000', \
    'context-gemma3-270m.dat' index 9 using 1:5 with linespoints lw 2 pt 14 ps 1.0 lc rgb '#000000' title 'heads, mix, int8, adapt=500, group=3, send=32'
unset multiplot
