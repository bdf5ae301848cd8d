# Values a second, and what the memory allows
# Redraw in this folder: gnuplot roofline.gp
data = 'roofline.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1400,681 enhanced font 'Arial,17' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 2800,1361 enhanced font 'DejaVu Sans,17' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'roofline.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold Values a second, and what the memory allows}' at screen 0.5,0.96768 center font ',20'
  set label 2 'NVIDIA H200, 1,048,576 vectors of 128 in bf16; on the line a codec is as fast as a copy' at screen 0.5,0.92948 center font ',15' tc rgb '#444444' noenhanced
  set xrange [2:3.5]
  set yrange [-74.8444:2020.54]
  set format y '%g'
  set xtics 1 nomirror
  set ytics nomirror
  set mxtics 2
  set mytics 2
  set border 3 lc rgb '#444444'
  set tics textcolor rgb '#222222'
  set grid xtics ytics lt 1 lw 0.6 lc rgb '#d9d9d9'
  unset key
  set arrow from screen 0.04436,0.88835 to screen 0.06436,0.88835 nohead lw 1.2 dt 1 lc rgb '#D55E00'
  set label '' at screen 0.05436,0.88835 point pt 5 ps size lc rgb '#D55E00'
  set label 'd4:q=38' at screen 0.06864,0.88835 left noenhanced
  set arrow from screen 0.13706,0.88835 to screen 0.15706,0.88835 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.14706,0.88835 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:q=10' at screen 0.16134,0.88835 left noenhanced
  set arrow from screen 0.22976,0.88835 to screen 0.24976,0.88835 nohead lw 1.2 dt 1 lc rgb '#009E73'
  set label '' at screen 0.23976,0.88835 point pt 9 ps size lc rgb '#009E73'
  set label 'tq:b=4' at screen 0.25404,0.88835 left noenhanced
  set arrow from screen 0.31493,0.88835 to screen 0.33493,0.88835 nohead lw 1.2 dt 1 lc rgb '#AA3377'
  set label '' at screen 0.32493,0.88835 point pt 13 ps size lc rgb '#AA3377'
  set label 'fp8' at screen 0.33921,0.88835 left noenhanced
  set arrow from screen 0.37751,0.88835 to screen 0.39751,0.88835 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.38751,0.88835 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'kivi:b=4@keys' at screen 0.40180,0.88835 left noenhanced
  set arrow from screen 0.51539,0.88835 to screen 0.53539,0.88835 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.52539,0.88835 point pt 15 ps size lc rgb '#66A61E'
  set label 'kivi:b=4' at screen 0.53967,0.88835 left noenhanced
  set arrow from screen 0.61561,0.88835 to screen 0.63561,0.88835 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.62561,0.88835 point pt 11 ps size lc rgb '#7570B3'
  set label 'q4_0' at screen 0.63990,0.88835 left noenhanced
  set arrow from screen 0.68573,0.88835 to screen 0.70573,0.88835 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.69573,0.88835 point pt 15 ps size lc rgb '#CC79A7'
  set label 'q5_0' at screen 0.71001,0.88835 left noenhanced
  set arrow from screen 0.75584,0.88835 to screen 0.77584,0.88835 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.76584,0.88835 point pt 11 ps size lc rgb '#777777'
  set label 'q8_0' at screen 0.78013,0.88835 left noenhanced
  set arrow from screen 0.82596,0.88835 to screen 0.84596,0.88835 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.83596,0.88835 point pt 10 ps size lc rgb '#7570B3'
  set label 'q4_0:rotate=64' at screen 0.85024,0.88835 left noenhanced
  set arrow from screen 0.10671,0.84589 to screen 0.12671,0.84589 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.11671,0.84589 point pt 14 ps size lc rgb '#CC79A7'
  set label 'q5_0:rotate=64' at screen 0.13100,0.84589 left noenhanced
  set arrow from screen 0.25211,0.84589 to screen 0.27211,0.84589 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.26211,0.84589 point pt 10 ps size lc rgb '#777777'
  set label 'q8_0:rotate=64' at screen 0.27640,0.84589 left noenhanced
  set arrow from screen 0.39751,0.84589 to screen 0.41751,0.84589 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.40751,0.84589 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:bits=3' at screen 0.42180,0.84589 left noenhanced
  set arrow from screen 0.51280,0.84589 to screen 0.53280,0.84589 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.52280,0.84589 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:bits=3,lattice=z' at screen 0.53709,0.84589 left noenhanced
  set arrow from screen 0.70337,0.84589 to screen 0.72337,0.84589 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.71337,0.84589 point pt 15 ps size lc rgb '#CC0000'
  set label 'klt:bits=3,lattice=tcq' at screen 0.72766,0.84589 left noenhanced
  set arrow from screen 0.05519,0.80344 to screen 0.07519,0.80344 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.06519,0.80344 point pt 14 ps size lc rgb '#CC0000'
  set label 'klt:bits=3,lattice=z,pages=fixed' at screen 0.07948,0.80344 left noenhanced
  set arrow from screen 0.33611,0.80344 to screen 0.35611,0.80344 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.34611,0.80344 point pt 7 ps size lc rgb '#CC0000'
  set label 'klt:bits=3,lattice=z,pages=prefix' at screen 0.36039,0.80344 left noenhanced
  set arrow from screen 0.62455,0.80344 to screen 0.64455,0.80344 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.63455,0.80344 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:bits=4' at screen 0.64884,0.80344 left noenhanced
  set arrow from screen 0.74736,0.80344 to screen 0.76736,0.80344 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.75736,0.80344 point pt 6 ps size lc rgb '#000000'
  set label 'ece8:bits=4,center=mean' at screen 0.77165,0.80344 left noenhanced
  set arrow from screen 0.29729,0.76098 to screen 0.31729,0.76098 nohead lw 1.2 dt 1 lc rgb '#E69F00'
  set label '' at screen 0.30729,0.76098 point pt 5 ps size lc rgb '#E69F00'
  set label 'ecd4:bits=4' at screen 0.32157,0.76098 left noenhanced
  set arrow from screen 0.42010,0.76098 to screen 0.44010,0.76098 nohead lw 1.2 dt 1 lc rgb '#56B4E9'
  set label '' at screen 0.43010,0.76098 point pt 9 ps size lc rgb '#56B4E9'
  set label 'ecz:bits=4' at screen 0.44439,0.76098 left noenhanced
  set arrow from screen 0.53539,0.76098 to screen 0.55539,0.76098 nohead lw 1.5 dt 2 lc rgb '#555555'
  set label 'bandwidth of a copy' at screen 0.55967,0.76098 left noenhanced
  set xlabel 'bytes that must move for a value, read and written' noenhanced
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.68459; set bmargin at screen 0.10577
  set title 'encode' noenhanced offset 0,-0.6
  set label 999 '10^9 values a second' at screen 0.00971,0.39518 center rotate noenhanced
  plot data index 0 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#D55E00' notitle, \
      data index 1 using 1:($3 > -74.8444 ? $3 : -74.8444):(0):($4 - ($3 > -74.8444 ? $3 : -74.8444)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#D55E00' notitle, \
      data index 1 using 1:2 with points pt 5 ps size lc rgb '#D55E00' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 2 using 1:($3 > -74.8444 ? $3 : -74.8444):(0):($4 - ($3 > -74.8444 ? $3 : -74.8444)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 2 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#009E73' notitle, \
      data index 3 using 1:($3 > -74.8444 ? $3 : -74.8444):(0):($4 - ($3 > -74.8444 ? $3 : -74.8444)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#009E73' notitle, \
      data index 3 using 1:2 with points pt 9 ps size lc rgb '#009E73' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 4 using 1:($3 > -74.8444 ? $3 : -74.8444):(0):($4 - ($3 > -74.8444 ? $3 : -74.8444)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 4 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 5 using 1:($3 > -74.8444 ? $3 : -74.8444):(0):($4 - ($3 > -74.8444 ? $3 : -74.8444)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 5 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 6 using 1:($3 > -74.8444 ? $3 : -74.8444):(0):($4 - ($3 > -74.8444 ? $3 : -74.8444)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 6 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 7 using 1:($3 > -74.8444 ? $3 : -74.8444):(0):($4 - ($3 > -74.8444 ? $3 : -74.8444)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 7 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 8 using 1:($3 > -74.8444 ? $3 : -74.8444):(0):($4 - ($3 > -74.8444 ? $3 : -74.8444)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 8 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 9 using 1:($3 > -74.8444 ? $3 : -74.8444):(0):($4 - ($3 > -74.8444 ? $3 : -74.8444)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 9 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 10 using 1:($3 > -74.8444 ? $3 : -74.8444):(0):($4 - ($3 > -74.8444 ? $3 : -74.8444)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 10 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 11 using 1:($3 > -74.8444 ? $3 : -74.8444):(0):($4 - ($3 > -74.8444 ? $3 : -74.8444)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 11 using 1:2 with points pt 14 ps size lc rgb '#CC79A7' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 12 using 1:($3 > -74.8444 ? $3 : -74.8444):(0):($4 - ($3 > -74.8444 ? $3 : -74.8444)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 12 using 1:2 with points pt 10 ps size lc rgb '#777777' notitle, \
      data index 13 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 13 using 1:($3 > -74.8444 ? $3 : -74.8444):(0):($4 - ($3 > -74.8444 ? $3 : -74.8444)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 13 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 14 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 14 using 1:($3 > -74.8444 ? $3 : -74.8444):(0):($4 - ($3 > -74.8444 ? $3 : -74.8444)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 14 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 15 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 15 using 1:($3 > -74.8444 ? $3 : -74.8444):(0):($4 - ($3 > -74.8444 ? $3 : -74.8444)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 15 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 16 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 16 using 1:($3 > -74.8444 ? $3 : -74.8444):(0):($4 - ($3 > -74.8444 ? $3 : -74.8444)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 16 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 17 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 17 using 1:($3 > -74.8444 ? $3 : -74.8444):(0):($4 - ($3 > -74.8444 ? $3 : -74.8444)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 17 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 18 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 18 using 1:($3 > -74.8444 ? $3 : -74.8444):(0):($4 - ($3 > -74.8444 ? $3 : -74.8444)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 18 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 19 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 19 using 1:($3 > -74.8444 ? $3 : -74.8444):(0):($4 - ($3 > -74.8444 ? $3 : -74.8444)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 19 using 1:2 with points pt 6 ps size lc rgb '#000000' notitle, \
      data index 20 using 1:2 with lines lw 1.2 lc rgb '#E69F00' notitle, \
      data index 20 using 1:($3 > -74.8444 ? $3 : -74.8444):(0):($4 - ($3 > -74.8444 ? $3 : -74.8444)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#E69F00' notitle, \
      data index 20 using 1:2 with points pt 5 ps size lc rgb '#E69F00' notitle, \
      data index 21 using 1:2 with lines lw 1.2 lc rgb '#56B4E9' notitle, \
      data index 21 using 1:($3 > -74.8444 ? $3 : -74.8444):(0):($4 - ($3 > -74.8444 ? $3 : -74.8444)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#56B4E9' notitle, \
      data index 21 using 1:2 with points pt 9 ps size lc rgb '#56B4E9' notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.68459; set bmargin at screen 0.10577
  set title 'decode' noenhanced offset 0,-0.6
  unset label
  unset arrow
  set label 999 '10^9 values a second' at screen 0.50971,0.39518 center rotate noenhanced
  plot data index 22 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 23 using 1:2 with lines lw 1.2 lc rgb '#D55E00' notitle, \
      data index 23 using 1:($3 > -74.8444 ? $3 : -74.8444):(0):($4 - ($3 > -74.8444 ? $3 : -74.8444)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#D55E00' notitle, \
      data index 23 using 1:2 with points pt 5 ps size lc rgb '#D55E00' notitle, \
      data index 24 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 24 using 1:($3 > -74.8444 ? $3 : -74.8444):(0):($4 - ($3 > -74.8444 ? $3 : -74.8444)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 24 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 25 using 1:2 with lines lw 1.2 lc rgb '#009E73' notitle, \
      data index 25 using 1:($3 > -74.8444 ? $3 : -74.8444):(0):($4 - ($3 > -74.8444 ? $3 : -74.8444)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#009E73' notitle, \
      data index 25 using 1:2 with points pt 9 ps size lc rgb '#009E73' notitle, \
      data index 26 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 26 using 1:($3 > -74.8444 ? $3 : -74.8444):(0):($4 - ($3 > -74.8444 ? $3 : -74.8444)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 26 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 27 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 27 using 1:($3 > -74.8444 ? $3 : -74.8444):(0):($4 - ($3 > -74.8444 ? $3 : -74.8444)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 27 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 28 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 28 using 1:($3 > -74.8444 ? $3 : -74.8444):(0):($4 - ($3 > -74.8444 ? $3 : -74.8444)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 28 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 29 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 29 using 1:($3 > -74.8444 ? $3 : -74.8444):(0):($4 - ($3 > -74.8444 ? $3 : -74.8444)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 29 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 30 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 30 using 1:($3 > -74.8444 ? $3 : -74.8444):(0):($4 - ($3 > -74.8444 ? $3 : -74.8444)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 30 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 31 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 31 using 1:($3 > -74.8444 ? $3 : -74.8444):(0):($4 - ($3 > -74.8444 ? $3 : -74.8444)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 31 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 32 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 32 using 1:($3 > -74.8444 ? $3 : -74.8444):(0):($4 - ($3 > -74.8444 ? $3 : -74.8444)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 32 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 33 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 33 using 1:($3 > -74.8444 ? $3 : -74.8444):(0):($4 - ($3 > -74.8444 ? $3 : -74.8444)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 33 using 1:2 with points pt 14 ps size lc rgb '#CC79A7' notitle, \
      data index 34 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 34 using 1:($3 > -74.8444 ? $3 : -74.8444):(0):($4 - ($3 > -74.8444 ? $3 : -74.8444)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 34 using 1:2 with points pt 10 ps size lc rgb '#777777' notitle, \
      data index 35 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 35 using 1:($3 > -74.8444 ? $3 : -74.8444):(0):($4 - ($3 > -74.8444 ? $3 : -74.8444)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 35 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 36 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 36 using 1:($3 > -74.8444 ? $3 : -74.8444):(0):($4 - ($3 > -74.8444 ? $3 : -74.8444)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 36 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 37 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 37 using 1:($3 > -74.8444 ? $3 : -74.8444):(0):($4 - ($3 > -74.8444 ? $3 : -74.8444)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 37 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 38 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 38 using 1:($3 > -74.8444 ? $3 : -74.8444):(0):($4 - ($3 > -74.8444 ? $3 : -74.8444)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 38 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 39 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 39 using 1:($3 > -74.8444 ? $3 : -74.8444):(0):($4 - ($3 > -74.8444 ? $3 : -74.8444)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 39 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 40 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 40 using 1:($3 > -74.8444 ? $3 : -74.8444):(0):($4 - ($3 > -74.8444 ? $3 : -74.8444)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 40 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 41 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 41 using 1:($3 > -74.8444 ? $3 : -74.8444):(0):($4 - ($3 > -74.8444 ? $3 : -74.8444)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 41 using 1:2 with points pt 6 ps size lc rgb '#000000' notitle, \
      data index 42 using 1:2 with lines lw 1.2 lc rgb '#E69F00' notitle, \
      data index 42 using 1:($3 > -74.8444 ? $3 : -74.8444):(0):($4 - ($3 > -74.8444 ? $3 : -74.8444)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#E69F00' notitle, \
      data index 42 using 1:2 with points pt 5 ps size lc rgb '#E69F00' notitle, \
      data index 43 using 1:2 with lines lw 1.2 lc rgb '#56B4E9' notitle, \
      data index 43 using 1:($3 > -74.8444 ? $3 : -74.8444):(0):($4 - ($3 > -74.8444 ? $3 : -74.8444)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#56B4E9' notitle, \
      data index 43 using 1:2 with points pt 9 ps size lc rgb '#56B4E9' notitle
  unset multiplot
  unset output
}
