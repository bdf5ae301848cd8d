# Distortion against measured bits
# Redraw in this folder: gnuplot rate_distortion.gp
data = 'rate_distortion.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1800,1126 enhanced font 'Arial,19' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 3600,2253 enhanced font 'DejaVu Sans,19' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'rate_distortion.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold Distortion against measured bits}' at screen 0.5,0.98047 center font ',22'
  set label 2 'headers, scales and tables included; in the tables only: bf16, exact copies' at screen 0.5,0.95738 center font ',17' tc rgb '#444444' noenhanced
  set xrange [1.5:9]
  set yrange [1.392e-05:0.405299]
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
  set arrow from screen 0.01598,0.93252 to screen 0.03154,0.93252 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.02376,0.93252 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:rule=published (q)' at screen 0.03487,0.93252 left noenhanced
  set arrow from screen 0.18453,0.93252 to screen 0.20008,0.93252 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.19231,0.93252 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:center=mean (bits)' at screen 0.20342,0.93252 left noenhanced
  set arrow from screen 0.36616,0.93252 to screen 0.38172,0.93252 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.37394,0.93252 point pt 15 ps size lc rgb '#66A61E'
  set label 'kivi (b)' at screen 0.38505,0.93252 left noenhanced
  set arrow from screen 0.44963,0.93252 to screen 0.46518,0.93252 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.45741,0.93252 point pt 11 ps size lc rgb '#7570B3'
  set label 'q4_0:rotate=64' at screen 0.46852,0.93252 left noenhanced
  set arrow from screen 0.57236,0.93252 to screen 0.58792,0.93252 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.58014,0.93252 point pt 15 ps size lc rgb '#CC79A7'
  set label 'q8_0:rotate=64' at screen 0.59125,0.93252 left noenhanced
  set arrow from screen 0.69509,0.93252 to screen 0.71065,0.93252 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.70287,0.93252 point pt 11 ps size lc rgb '#777777'
  set label 'turboquant (b)' at screen 0.71398,0.93252 left noenhanced
  set arrow from screen 0.81783,0.93252 to screen 0.83338,0.93252 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.82561,0.93252 point pt 15 ps size lc rgb '#8C6D1F'
  set label 'int8' at screen 0.83672,0.93252 left noenhanced
  set arrow from screen 0.87512,0.93252 to screen 0.89067,0.93252 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.88289,0.93252 point pt 11 ps size lc rgb '#66A61E'
  set label 'int4' at screen 0.89401,0.93252 left noenhanced
  set arrow from screen 0.93241,0.93252 to screen 0.94796,0.93252 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.94018,0.93252 point pt 15 ps size lc rgb '#7570B3'
  set label 'nvfp4' at screen 0.95129,0.93252 left noenhanced
  set arrow from screen 0.22465,0.90384 to screen 0.24021,0.90384 nohead lw 1.2 dt 1 lc rgb '#AA3377'
  set label '' at screen 0.23243,0.90384 point pt 13 ps size lc rgb '#AA3377'
  set label 'fp8' at screen 0.24354,0.90384 left noenhanced
  set arrow from screen 0.27539,0.90384 to screen 0.29095,0.90384 nohead lw 1.5 dt 2 lc rgb '#555555'
  set label 'Shannon bound, white Gaussian' at screen 0.29428,0.90384 left noenhanced
  set arrow from screen 0.49629,0.90384 to screen 0.51185,0.90384 nohead lw 1.5 dt 4 lc rgb '#555555'
  set label 'water-filling' at screen 0.51518,0.90384 left noenhanced
  set arrow from screen 0.61248,0.90384 to screen 0.62804,0.90384 nohead lw 1.5 dt 5 lc rgb '#555555'
  set label 'water-filling, centred' at screen 0.63137,0.90384 left noenhanced
  set xlabel 'measured bits per value' noenhanced
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.85768; set bmargin at screen 0.50786
  set title 'Gaussian' noenhanced offset 0,-0.6
  set label 999 'rel-MSE' at screen 0.00844,0.68277 center rotate noenhanced
  plot data index 0 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 2 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 2 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 3 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 3 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 4 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 4 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 5 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 5 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 6 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 6 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 7 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 7 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 8 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 8 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 9 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 9 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 10 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 10 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.85768; set bmargin at screen 0.50786
  set title 'K of SmolLM2-135M-Instruct.Q4_1' noenhanced offset 0,-0.6
  unset label
  unset arrow
  set label 999 'rel-MSE' at screen 0.34178,0.68277 center rotate noenhanced
  plot data index 11 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 12 using 1:2 with lines lw 1.5 dt 4 lc rgb '#555555' notitle, \
      data index 13 using 1:2 with lines lw 1.5 dt 5 lc rgb '#555555' notitle, \
      data index 14 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 14 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 14 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 15 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 15 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 15 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 16 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 16 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 16 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 17 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 17 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 17 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 18 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 18 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 18 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 19 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 19 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 19 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 20 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 20 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 20 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 21 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 21 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 21 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 22 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 22 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 22 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 23 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 23 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 23 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle
  set lmargin at screen 0.72644; set rmargin at screen 0.98889
  set tmargin at screen 0.85768; set bmargin at screen 0.50786
  set title 'V of SmolLM2-135M-Instruct.Q4_1' noenhanced offset 0,-0.6
  set label 999 'rel-MSE' at screen 0.67511,0.68277 center rotate noenhanced
  plot data index 24 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 25 using 1:2 with lines lw 1.5 dt 4 lc rgb '#555555' notitle, \
      data index 26 using 1:2 with lines lw 1.5 dt 5 lc rgb '#555555' notitle, \
      data index 27 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 27 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 27 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 28 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 28 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 28 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 29 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 29 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 29 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 30 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 30 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 30 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 31 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 31 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 31 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 32 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 32 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 32 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 33 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 33 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 33 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 34 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 34 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 34 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 35 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 35 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 35 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 36 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 36 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 36 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.41374; set bmargin at screen 0.06393
  set title 'K of gemma-3-270m-q4_k_m' noenhanced offset 0,-0.6
  set label 999 'rel-MSE' at screen 0.00844,0.23884 center rotate noenhanced
  plot data index 37 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 38 using 1:2 with lines lw 1.5 dt 4 lc rgb '#555555' notitle, \
      data index 39 using 1:2 with lines lw 1.5 dt 5 lc rgb '#555555' notitle, \
      data index 40 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 40 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 40 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 41 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 41 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 41 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 42 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 42 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 42 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 43 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 43 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 43 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 44 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 44 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 44 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 45 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 45 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 45 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 46 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 46 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 46 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 47 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 47 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 47 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 48 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 48 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 48 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 49 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 49 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 49 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.41374; set bmargin at screen 0.06393
  set title 'V of gemma-3-270m-q4_k_m' noenhanced offset 0,-0.6
  set label 999 'rel-MSE' at screen 0.34178,0.23884 center rotate noenhanced
  plot data index 50 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 51 using 1:2 with lines lw 1.5 dt 4 lc rgb '#555555' notitle, \
      data index 52 using 1:2 with lines lw 1.5 dt 5 lc rgb '#555555' notitle, \
      data index 53 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 53 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 53 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 54 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 54 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 54 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 55 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 55 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 55 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 56 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 56 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 56 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 57 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 57 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 57 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 58 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 58 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 58 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 59 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 59 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 59 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 60 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 60 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 60 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 61 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 61 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 61 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 62 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 62 using 1:($3 > 1.392e-05 ? $3 : 1.392e-05):(0):($4 - ($3 > 1.392e-05 ? $3 : 1.392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 62 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle
  unset multiplot
  unset output
}
