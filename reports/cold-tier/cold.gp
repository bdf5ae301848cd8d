# A cold tier: whole caches to bf16
# Redraw in this folder: gnuplot cold.gp
data = 'cold.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1400,738 enhanced font 'Arial,17' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 2800,1477 enhanced font 'DejaVu Sans,17' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'cold.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold A cold tier: whole caches to bf16}' at screen 0.5,0.97021 center font ',20'
  set label 2 'NVIDIA H200; cache.npy: 30 layers, 3 KV heads of 64, 86,912 tokens, 2.00 GB of bf16' at screen 0.5,0.93500 center font ',15' tc rgb '#444444' noenhanced
  set xrange [0.5:6]
  set yrange [13.4316:5453.24]
  set logscale y
  set format y '%g'
  set xtics 1 nomirror
  set ytics nomirror
  set mxtics 2
  set mytics 10
  set border 3 lc rgb '#444444'
  set tics textcolor rgb '#222222'
  set grid xtics ytics lt 1 lw 0.6 lc rgb '#d9d9d9'
  unset key
  set arrow from screen 0.11660,0.89709 to screen 0.13660,0.89709 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.12660,0.89709 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'nvcomp ans,float16,chunk=65536' at screen 0.14089,0.89709 left noenhanced
  set arrow from screen 0.38246,0.89709 to screen 0.40246,0.89709 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.39246,0.89709 point pt 10 ps size lc rgb '#8C6D1F'
  set label 'nvcomp ans,float16,chunk=262144' at screen 0.40674,0.89709 left noenhanced
  set arrow from screen 0.65584,0.89709 to screen 0.67584,0.89709 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.66584,0.89709 point pt 15 ps size lc rgb '#8C6D1F'
  set label 'nvcomp ans,char,chunk=65536' at screen 0.68013,0.89709 left noenhanced
  set arrow from screen 0.14295,0.85796 to screen 0.16295,0.85796 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.15295,0.85796 point pt 14 ps size lc rgb '#8C6D1F'
  set label 'nvcomp ans,e4m3,chunk=65536' at screen 0.16724,0.85796 left noenhanced
  set arrow from screen 0.38622,0.85796 to screen 0.40622,0.85796 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.39622,0.85796 point pt 7 ps size lc rgb '#8C6D1F'
  set label 'nvcomp bitcomp,float16,chunk=65536' at screen 0.41051,0.85796 left noenhanced
  set arrow from screen 0.68219,0.85796 to screen 0.70219,0.85796 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.69219,0.85796 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:bits=3,lattice=z' at screen 0.70648,0.85796 left noenhanced
  set arrow from screen 0.19683,0.81882 to screen 0.21683,0.81882 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.20683,0.81882 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:bits=3,lattice=z,page=256' at screen 0.22111,0.81882 left noenhanced
  set arrow from screen 0.45516,0.81882 to screen 0.47516,0.81882 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.46516,0.81882 point pt 15 ps size lc rgb '#CC0000'
  set label 'klt:bits=3,lattice=z,product=exact,page=256' at screen 0.47944,0.81882 left noenhanced
  set arrow from screen 0.05002,0.77969 to screen 0.07002,0.77969 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.06002,0.77969 point pt 14 ps size lc rgb '#CC0000'
  set label 'klt:bits=3,lattice=z,product=exact,pages=prefix,page=256' at screen 0.07431,0.77969 left noenhanced
  set arrow from screen 0.51162,0.77969 to screen 0.53162,0.77969 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.52162,0.77969 point pt 7 ps size lc rgb '#CC0000'
  set label 'klt:bits=3,lattice=z,product=exact,pages=fixed,page=256' at screen 0.53591,0.77969 left noenhanced
  set arrow from screen 0.04884,0.74056 to screen 0.06884,0.74056 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.05884,0.74056 point pt 6 ps size lc rgb '#CC0000'
  set label 'klt:bits=3,lattice=z,product=exact,pages=tiles,page=128' at screen 0.07313,0.74056 left noenhanced
  set arrow from screen 0.50291,0.74056 to screen 0.52291,0.74056 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.51291,0.74056 point pt 5 ps size lc rgb '#CC0000'
  set label 'klt:bits=2,scope=layer,page=128' at screen 0.52720,0.74056 left noenhanced
  set arrow from screen 0.77630,0.74056 to screen 0.79630,0.74056 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.78630,0.74056 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:bits=3,page=256' at screen 0.80059,0.74056 left noenhanced
  set arrow from screen 0.18835,0.70142 to screen 0.20835,0.70142 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.19835,0.70142 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:q=10' at screen 0.21264,0.70142 left noenhanced
  set arrow from screen 0.28105,0.70142 to screen 0.30105,0.70142 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.29105,0.70142 point pt 6 ps size lc rgb '#0072B2'
  set label 'e8:q=7' at screen 0.30534,0.70142 left noenhanced
  set arrow from screen 0.36622,0.70142 to screen 0.38622,0.70142 nohead lw 1.2 dt 1 lc rgb '#D55E00'
  set label '' at screen 0.37622,0.70142 point pt 5 ps size lc rgb '#D55E00'
  set label 'd4:q=7' at screen 0.39051,0.70142 left noenhanced
  set arrow from screen 0.45139,0.70142 to screen 0.47139,0.70142 nohead lw 1.2 dt 1 lc rgb '#009E73'
  set label '' at screen 0.46139,0.70142 point pt 9 ps size lc rgb '#009E73'
  set label 'tq:b=4' at screen 0.47568,0.70142 left noenhanced
  set arrow from screen 0.53656,0.70142 to screen 0.55656,0.70142 nohead lw 1.2 dt 1 lc rgb '#AA3377'
  set label '' at screen 0.54656,0.70142 point pt 13 ps size lc rgb '#AA3377'
  set label 'fp8' at screen 0.56085,0.70142 left noenhanced
  set arrow from screen 0.59915,0.70142 to screen 0.61915,0.70142 nohead lw 1.5 dt 2 lc rgb '#555555'
  set label 'what the host link allows' at screen 0.62344,0.70142 left noenhanced
  set xlabel 'bytes of bf16 over bytes packed' noenhanced
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.63101; set bmargin at screen 0.09749
  set title 'decoded on the device' noenhanced offset 0,-0.6
  set label 999 '10^9 bytes of bf16 a second' at screen 0.00971,0.36425 center rotate noenhanced
  plot data index 0 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 1 using 1:($3 > 13.4316 ? $3 : 13.4316):(0):($4 - ($3 > 13.4316 ? $3 : 13.4316)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 1 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 2 using 1:($3 > 13.4316 ? $3 : 13.4316):(0):($4 - ($3 > 13.4316 ? $3 : 13.4316)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 2 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 3 using 1:($3 > 13.4316 ? $3 : 13.4316):(0):($4 - ($3 > 13.4316 ? $3 : 13.4316)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 3 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 4 using 1:($3 > 13.4316 ? $3 : 13.4316):(0):($4 - ($3 > 13.4316 ? $3 : 13.4316)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 4 using 1:2 with points pt 14 ps size lc rgb '#8C6D1F' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 5 using 1:($3 > 13.4316 ? $3 : 13.4316):(0):($4 - ($3 > 13.4316 ? $3 : 13.4316)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 5 using 1:2 with points pt 7 ps size lc rgb '#8C6D1F' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 6 using 1:($3 > 13.4316 ? $3 : 13.4316):(0):($4 - ($3 > 13.4316 ? $3 : 13.4316)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 6 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 7 using 1:($3 > 13.4316 ? $3 : 13.4316):(0):($4 - ($3 > 13.4316 ? $3 : 13.4316)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 7 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 8 using 1:($3 > 13.4316 ? $3 : 13.4316):(0):($4 - ($3 > 13.4316 ? $3 : 13.4316)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 8 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 9 using 1:($3 > 13.4316 ? $3 : 13.4316):(0):($4 - ($3 > 13.4316 ? $3 : 13.4316)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 9 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 10 using 1:($3 > 13.4316 ? $3 : 13.4316):(0):($4 - ($3 > 13.4316 ? $3 : 13.4316)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 10 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 11 using 1:($3 > 13.4316 ? $3 : 13.4316):(0):($4 - ($3 > 13.4316 ? $3 : 13.4316)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 11 using 1:2 with points pt 6 ps size lc rgb '#CC0000' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 12 using 1:($3 > 13.4316 ? $3 : 13.4316):(0):($4 - ($3 > 13.4316 ? $3 : 13.4316)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 12 using 1:2 with points pt 5 ps size lc rgb '#CC0000' notitle, \
      data index 13 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 13 using 1:($3 > 13.4316 ? $3 : 13.4316):(0):($4 - ($3 > 13.4316 ? $3 : 13.4316)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 13 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 14 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 14 using 1:($3 > 13.4316 ? $3 : 13.4316):(0):($4 - ($3 > 13.4316 ? $3 : 13.4316)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 14 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 15 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 15 using 1:($3 > 13.4316 ? $3 : 13.4316):(0):($4 - ($3 > 13.4316 ? $3 : 13.4316)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 15 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 16 using 1:2 with lines lw 1.2 lc rgb '#D55E00' notitle, \
      data index 16 using 1:($3 > 13.4316 ? $3 : 13.4316):(0):($4 - ($3 > 13.4316 ? $3 : 13.4316)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#D55E00' notitle, \
      data index 16 using 1:2 with points pt 5 ps size lc rgb '#D55E00' notitle, \
      data index 17 using 1:2 with lines lw 1.2 lc rgb '#009E73' notitle, \
      data index 17 using 1:($3 > 13.4316 ? $3 : 13.4316):(0):($4 - ($3 > 13.4316 ? $3 : 13.4316)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#009E73' notitle, \
      data index 17 using 1:2 with points pt 9 ps size lc rgb '#009E73' notitle, \
      data index 18 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 18 using 1:($3 > 13.4316 ? $3 : 13.4316):(0):($4 - ($3 > 13.4316 ? $3 : 13.4316)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 18 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.63101; set bmargin at screen 0.09749
  set title 'restored from host memory' noenhanced offset 0,-0.6
  unset label
  unset arrow
  set label 999 '10^9 bytes of bf16 a second' at screen 0.50971,0.36425 center rotate noenhanced
  plot data index 19 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 20 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 20 using 1:($3 > 13.4316 ? $3 : 13.4316):(0):($4 - ($3 > 13.4316 ? $3 : 13.4316)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 20 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 21 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 21 using 1:($3 > 13.4316 ? $3 : 13.4316):(0):($4 - ($3 > 13.4316 ? $3 : 13.4316)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 21 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 22 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 22 using 1:($3 > 13.4316 ? $3 : 13.4316):(0):($4 - ($3 > 13.4316 ? $3 : 13.4316)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 22 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 23 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 23 using 1:($3 > 13.4316 ? $3 : 13.4316):(0):($4 - ($3 > 13.4316 ? $3 : 13.4316)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 23 using 1:2 with points pt 14 ps size lc rgb '#8C6D1F' notitle, \
      data index 24 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 24 using 1:($3 > 13.4316 ? $3 : 13.4316):(0):($4 - ($3 > 13.4316 ? $3 : 13.4316)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 24 using 1:2 with points pt 7 ps size lc rgb '#8C6D1F' notitle, \
      data index 25 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 25 using 1:($3 > 13.4316 ? $3 : 13.4316):(0):($4 - ($3 > 13.4316 ? $3 : 13.4316)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 25 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 26 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 26 using 1:($3 > 13.4316 ? $3 : 13.4316):(0):($4 - ($3 > 13.4316 ? $3 : 13.4316)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 26 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 27 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 27 using 1:($3 > 13.4316 ? $3 : 13.4316):(0):($4 - ($3 > 13.4316 ? $3 : 13.4316)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 27 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 28 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 28 using 1:($3 > 13.4316 ? $3 : 13.4316):(0):($4 - ($3 > 13.4316 ? $3 : 13.4316)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 28 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 29 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 29 using 1:($3 > 13.4316 ? $3 : 13.4316):(0):($4 - ($3 > 13.4316 ? $3 : 13.4316)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 29 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 30 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 30 using 1:($3 > 13.4316 ? $3 : 13.4316):(0):($4 - ($3 > 13.4316 ? $3 : 13.4316)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 30 using 1:2 with points pt 6 ps size lc rgb '#CC0000' notitle, \
      data index 31 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 31 using 1:($3 > 13.4316 ? $3 : 13.4316):(0):($4 - ($3 > 13.4316 ? $3 : 13.4316)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 31 using 1:2 with points pt 5 ps size lc rgb '#CC0000' notitle, \
      data index 32 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 32 using 1:($3 > 13.4316 ? $3 : 13.4316):(0):($4 - ($3 > 13.4316 ? $3 : 13.4316)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 32 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 33 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 33 using 1:($3 > 13.4316 ? $3 : 13.4316):(0):($4 - ($3 > 13.4316 ? $3 : 13.4316)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 33 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 34 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 34 using 1:($3 > 13.4316 ? $3 : 13.4316):(0):($4 - ($3 > 13.4316 ? $3 : 13.4316)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 34 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 35 using 1:2 with lines lw 1.2 lc rgb '#D55E00' notitle, \
      data index 35 using 1:($3 > 13.4316 ? $3 : 13.4316):(0):($4 - ($3 > 13.4316 ? $3 : 13.4316)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#D55E00' notitle, \
      data index 35 using 1:2 with points pt 5 ps size lc rgb '#D55E00' notitle, \
      data index 36 using 1:2 with lines lw 1.2 lc rgb '#009E73' notitle, \
      data index 36 using 1:($3 > 13.4316 ? $3 : 13.4316):(0):($4 - ($3 > 13.4316 ? $3 : 13.4316)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#009E73' notitle, \
      data index 36 using 1:2 with points pt 9 ps size lc rgb '#009E73' notitle, \
      data index 37 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 37 using 1:($3 > 13.4316 ? $3 : 13.4316):(0):($4 - ($3 > 13.4316 ? $3 : 13.4316)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 37 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle
  unset multiplot
  unset output
}
