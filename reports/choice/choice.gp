# KL divergence against the speed of attention
# Redraw in this folder: gnuplot choice.gp
data = 'choice.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1400,710 enhanced font 'Arial,17' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 2800,1419 enhanced font 'DejaVu Sans,17' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'choice.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold KL divergence against the speed of attention}' at screen 0.5,0.96900 center font ',20'
  set label 2 'speed: 8x32x64, 131,072 tokens, NVIDIA H200; KL divergence: smollm2-135m' at screen 0.5,0.93236 center font ',15' tc rgb '#444444' noenhanced
  set xrange [0:4]
  set yrange [0.0003869:0.233894]
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
  set arrow from screen 0.17447,0.89290 to screen 0.19447,0.89290 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.18447,0.89290 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:q=7' at screen 0.19876,0.89290 left noenhanced
  set arrow from screen 0.25964,0.89290 to screen 0.27964,0.89290 nohead lw 1.2 dt 1 lc rgb '#009E73'
  set label '' at screen 0.26964,0.89290 point pt 7 ps size lc rgb '#009E73'
  set label 'd4:q=7' at screen 0.28393,0.89290 left noenhanced
  set arrow from screen 0.34481,0.89290 to screen 0.36481,0.89290 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.35481,0.89290 point pt 7 ps size lc rgb '#CC0000'
  set label 'tq:b=4' at screen 0.36910,0.89290 left noenhanced
  set arrow from screen 0.42999,0.89290 to screen 0.44999,0.89290 nohead lw 1.2 dt 1 lc rgb '#E69F00'
  set label '' at screen 0.43999,0.89290 point pt 7 ps size lc rgb '#E69F00'
  set label 'fp8' at screen 0.45427,0.89290 left noenhanced
  set arrow from screen 0.49257,0.89290 to screen 0.51257,0.89290 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.50257,0.89290 point pt 7 ps size lc rgb '#CC79A7'
  set label 'klt:bits=3,lattice=z,page=128,pages=fixed' at screen 0.51686,0.89290 left noenhanced
  set arrow from screen 0.14413,0.85217 to screen 0.16413,0.85217 nohead lw 1.2 dt 1 lc rgb '#555555'
  set label '' at screen 0.15413,0.85217 point pt 7 ps size lc rgb '#555555'
  set label 'klt:bits=3,lattice=z,page=128,pages=prefix' at screen 0.16841,0.85217 left noenhanced
  set arrow from screen 0.50033,0.85217 to screen 0.52033,0.85217 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.51033,0.85217 point pt 7 ps size lc rgb '#7570B3'
  set label 'klt:bits=3.7,lattice=z,page=128,pages=prefix' at screen 0.52461,0.85217 left noenhanced
  set arrow from screen 0.06131,0.81144 to screen 0.08131,0.81144 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.07131,0.81144 point pt 7 ps size lc rgb '#000000'
  set label 'klt:bits=4.5,lattice=z,page=128,pages=tiles,budget=3616' at screen 0.08560,0.81144 left noenhanced
  set arrow from screen 0.51539,0.81144 to screen 0.53539,0.81144 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.52539,0.81144 point pt 5 ps size lc rgb '#0072B2'
  set label 'klt:bits=5,lattice=z,page=128,pages=tiles,budget=4352' at screen 0.53967,0.81144 left noenhanced
  set arrow from screen 0.06014,0.77072 to screen 0.08014,0.77072 nohead lw 1.2 dt 1 lc rgb '#009E73'
  set label '' at screen 0.07014,0.77072 point pt 5 ps size lc rgb '#009E73'
  set label 'klt:bits=3,lattice=z,page=128,pages=tiles' at screen 0.08442,0.77072 left noenhanced
  set arrow from screen 0.40881,0.77072 to screen 0.42881,0.77072 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.41881,0.77072 point pt 5 ps size lc rgb '#CC0000'
  set label 'klt:bits=3.7,lattice=z,page=128,pages=tiles' at screen 0.43309,0.77072 left noenhanced
  set arrow from screen 0.77254,0.77072 to screen 0.79254,0.77072 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.78254,0.77072 point pt 13 ps size lc rgb '#000000'
  set label 'bf16, nothing coded' at screen 0.79682,0.77072 left noenhanced
  set arrow from screen 0.44645,0.72999 to screen 0.46645,0.72999 nohead lw 1.5 dt 2 lc rgb '#555555'
  set label 'bf16''s time' at screen 0.47074,0.72999 left noenhanced
  set xlabel 'times as fast as attention over bf16' noenhanced
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.65671; set bmargin at screen 0.10147
  set title '1 sequence' noenhanced offset 0,-0.6
  set label 999 'mean KL divergence, nats' at screen 0.00971,0.37909 center rotate noenhanced
  plot data index 0 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:($3 > 0.0003869 ? $3 : 0.0003869):(0):($4 - ($3 > 0.0003869 ? $3 : 0.0003869)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#009E73' notitle, \
      data index 2 using 1:($3 > 0.0003869 ? $3 : 0.0003869):(0):($4 - ($3 > 0.0003869 ? $3 : 0.0003869)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#009E73' notitle, \
      data index 2 using 1:2 with points pt 7 ps size lc rgb '#009E73' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 3 using 1:($3 > 0.0003869 ? $3 : 0.0003869):(0):($4 - ($3 > 0.0003869 ? $3 : 0.0003869)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 3 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#E69F00' notitle, \
      data index 4 using 1:($3 > 0.0003869 ? $3 : 0.0003869):(0):($4 - ($3 > 0.0003869 ? $3 : 0.0003869)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#E69F00' notitle, \
      data index 4 using 1:2 with points pt 7 ps size lc rgb '#E69F00' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 5 using 1:($3 > 0.0003869 ? $3 : 0.0003869):(0):($4 - ($3 > 0.0003869 ? $3 : 0.0003869)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 5 using 1:2 with points pt 7 ps size lc rgb '#CC79A7' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#555555' notitle, \
      data index 6 using 1:($3 > 0.0003869 ? $3 : 0.0003869):(0):($4 - ($3 > 0.0003869 ? $3 : 0.0003869)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#555555' notitle, \
      data index 6 using 1:2 with points pt 7 ps size lc rgb '#555555' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 7 using 1:($3 > 0.0003869 ? $3 : 0.0003869):(0):($4 - ($3 > 0.0003869 ? $3 : 0.0003869)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 7 using 1:2 with points pt 7 ps size lc rgb '#7570B3' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 8 using 1:($3 > 0.0003869 ? $3 : 0.0003869):(0):($4 - ($3 > 0.0003869 ? $3 : 0.0003869)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 8 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 9 using 1:($3 > 0.0003869 ? $3 : 0.0003869):(0):($4 - ($3 > 0.0003869 ? $3 : 0.0003869)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 9 using 1:2 with points pt 5 ps size lc rgb '#0072B2' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#009E73' notitle, \
      data index 10 using 1:($3 > 0.0003869 ? $3 : 0.0003869):(0):($4 - ($3 > 0.0003869 ? $3 : 0.0003869)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#009E73' notitle, \
      data index 10 using 1:2 with points pt 5 ps size lc rgb '#009E73' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 11 using 1:($3 > 0.0003869 ? $3 : 0.0003869):(0):($4 - ($3 > 0.0003869 ? $3 : 0.0003869)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 11 using 1:2 with points pt 5 ps size lc rgb '#CC0000' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 12 using 1:($3 > 0.0003869 ? $3 : 0.0003869):(0):($4 - ($3 > 0.0003869 ? $3 : 0.0003869)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 12 using 1:2 with points pt 13 ps size lc rgb '#000000' notitle, \
      data index 13 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.65671; set bmargin at screen 0.10147
  set title '16 sequences' noenhanced offset 0,-0.6
  unset label
  unset arrow
  set label 999 'mean KL divergence, nats' at screen 0.50971,0.37909 center rotate noenhanced
  plot data index 14 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 15 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 15 using 1:($3 > 0.0003869 ? $3 : 0.0003869):(0):($4 - ($3 > 0.0003869 ? $3 : 0.0003869)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 15 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 16 using 1:2 with lines lw 1.2 lc rgb '#009E73' notitle, \
      data index 16 using 1:($3 > 0.0003869 ? $3 : 0.0003869):(0):($4 - ($3 > 0.0003869 ? $3 : 0.0003869)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#009E73' notitle, \
      data index 16 using 1:2 with points pt 7 ps size lc rgb '#009E73' notitle, \
      data index 17 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 17 using 1:($3 > 0.0003869 ? $3 : 0.0003869):(0):($4 - ($3 > 0.0003869 ? $3 : 0.0003869)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 17 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 18 using 1:2 with lines lw 1.2 lc rgb '#E69F00' notitle, \
      data index 18 using 1:($3 > 0.0003869 ? $3 : 0.0003869):(0):($4 - ($3 > 0.0003869 ? $3 : 0.0003869)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#E69F00' notitle, \
      data index 18 using 1:2 with points pt 7 ps size lc rgb '#E69F00' notitle, \
      data index 19 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 19 using 1:($3 > 0.0003869 ? $3 : 0.0003869):(0):($4 - ($3 > 0.0003869 ? $3 : 0.0003869)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 19 using 1:2 with points pt 7 ps size lc rgb '#CC79A7' notitle, \
      data index 20 using 1:2 with lines lw 1.2 lc rgb '#555555' notitle, \
      data index 20 using 1:($3 > 0.0003869 ? $3 : 0.0003869):(0):($4 - ($3 > 0.0003869 ? $3 : 0.0003869)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#555555' notitle, \
      data index 20 using 1:2 with points pt 7 ps size lc rgb '#555555' notitle, \
      data index 21 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 21 using 1:($3 > 0.0003869 ? $3 : 0.0003869):(0):($4 - ($3 > 0.0003869 ? $3 : 0.0003869)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 21 using 1:2 with points pt 7 ps size lc rgb '#7570B3' notitle, \
      data index 22 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 22 using 1:($3 > 0.0003869 ? $3 : 0.0003869):(0):($4 - ($3 > 0.0003869 ? $3 : 0.0003869)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 22 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 23 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 23 using 1:($3 > 0.0003869 ? $3 : 0.0003869):(0):($4 - ($3 > 0.0003869 ? $3 : 0.0003869)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 23 using 1:2 with points pt 5 ps size lc rgb '#0072B2' notitle, \
      data index 24 using 1:2 with lines lw 1.2 lc rgb '#009E73' notitle, \
      data index 24 using 1:($3 > 0.0003869 ? $3 : 0.0003869):(0):($4 - ($3 > 0.0003869 ? $3 : 0.0003869)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#009E73' notitle, \
      data index 24 using 1:2 with points pt 5 ps size lc rgb '#009E73' notitle, \
      data index 25 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 25 using 1:($3 > 0.0003869 ? $3 : 0.0003869):(0):($4 - ($3 > 0.0003869 ? $3 : 0.0003869)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 25 using 1:2 with points pt 5 ps size lc rgb '#CC0000' notitle, \
      data index 26 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 26 using 1:($3 > 0.0003869 ? $3 : 0.0003869):(0):($4 - ($3 > 0.0003869 ? $3 : 0.0003869)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 26 using 1:2 with points pt 13 ps size lc rgb '#000000' notitle, \
      data index 27 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
