# Error of KV streams over that of fp8:scale=e8m0,tail=64
# Redraw in this folder: gnuplot streams.gp
data = 'streams.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1400,1094 enhanced font 'Arial,17' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 2800,2188 enhanced font 'DejaVu Sans,17' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'streams.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold Error of KV streams over that of fp8:scale=e8m0,tail=64}' at screen 0.5,0.97989 center font ',20'
  set label 2 'deepseek-v4-flash (weights random, seed 7)' at screen 0.5,0.95612 center font ',15' tc rgb '#444444' noenhanced
  set xrange [1:9.5]
  set yrange [0.109212:2137.06]
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
  set arrow from screen 0.12694,0.93053 to screen 0.14694,0.93053 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.13694,0.93053 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8' at screen 0.15123,0.93053 left noenhanced
  set arrow from screen 0.18200,0.93053 to screen 0.20200,0.93053 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.19200,0.93053 point pt 6 ps size lc rgb '#0072B2'
  set label 'e8:rule=published' at screen 0.20629,0.93053 left noenhanced
  set arrow from screen 0.34999,0.93053 to screen 0.36999,0.93053 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.35999,0.93053 point pt 7 ps size lc rgb '#000000'
  set label 'ece8' at screen 0.37427,0.93053 left noenhanced
  set arrow from screen 0.42010,0.93053 to screen 0.44010,0.93053 nohead lw 1.2 dt 1 lc rgb '#AA3377'
  set label '' at screen 0.43010,0.93053 point pt 12 ps size lc rgb '#AA3377'
  set label 'fp8' at screen 0.44439,0.93053 left noenhanced
  set arrow from screen 0.48269,0.93053 to screen 0.50269,0.93053 nohead lw 1.2 dt 1 lc rgb '#AA3377'
  set label '' at screen 0.49269,0.93053 point pt 13 ps size lc rgb '#AA3377'
  set label 'fp8:scale=e8m0' at screen 0.50697,0.93053 left noenhanced
  set arrow from screen 0.62809,0.93053 to screen 0.64809,0.93053 nohead lw 1.2 dt 1 lc rgb '#AA3377'
  set label '' at screen 0.63809,0.93053 point pt 11 ps size lc rgb '#AA3377'
  set label 'fp8:scale=e8m0,tail=64' at screen 0.65237,0.93053 left noenhanced
  set arrow from screen 0.83371,0.93053 to screen 0.85371,0.93053 nohead lw 1.2 dt 1 lc rgb '#009E73'
  set label '' at screen 0.84371,0.93053 point pt 9 ps size lc rgb '#009E73'
  set label 'tq' at screen 0.85800,0.93053 left noenhanced
  set xlabel 'measured bits a value' noenhanced
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.88300; set bmargin at screen 0.52285
  set title 'sliding' noenhanced offset 0,-0.6
  set label 999 'rel-MSE ratio' at screen 0.00971,0.70293 center rotate noenhanced
  plot data index 0 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 0 using 1:($3 > 0.109212 ? $3 : 0.109212):(0):($4 - ($3 > 0.109212 ? $3 : 0.109212)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 0 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:($3 > 0.109212 ? $3 : 0.109212):(0):($4 - ($3 > 0.109212 ? $3 : 0.109212)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 2 using 1:($3 > 0.109212 ? $3 : 0.109212):(0):($4 - ($3 > 0.109212 ? $3 : 0.109212)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 2 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 3 using 1:($3 > 0.109212 ? $3 : 0.109212):(0):($4 - ($3 > 0.109212 ? $3 : 0.109212)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 3 using 1:2 with points pt 12 ps size lc rgb '#AA3377' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 4 using 1:($3 > 0.109212 ? $3 : 0.109212):(0):($4 - ($3 > 0.109212 ? $3 : 0.109212)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 4 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 5 using 1:($3 > 0.109212 ? $3 : 0.109212):(0):($4 - ($3 > 0.109212 ? $3 : 0.109212)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 5 using 1:2 with points pt 11 ps size lc rgb '#AA3377' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#009E73' notitle, \
      data index 6 using 1:($3 > 0.109212 ? $3 : 0.109212):(0):($4 - ($3 > 0.109212 ? $3 : 0.109212)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#009E73' notitle, \
      data index 6 using 1:2 with points pt 9 ps size lc rgb '#009E73' notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.88300; set bmargin at screen 0.52285
  set title 'csa' noenhanced offset 0,-0.6
  unset label
  unset arrow
  set label 999 'rel-MSE ratio' at screen 0.50971,0.70293 center rotate noenhanced
  plot data index 7 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 7 using 1:($3 > 0.109212 ? $3 : 0.109212):(0):($4 - ($3 > 0.109212 ? $3 : 0.109212)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 7 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 8 using 1:($3 > 0.109212 ? $3 : 0.109212):(0):($4 - ($3 > 0.109212 ? $3 : 0.109212)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 8 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 9 using 1:($3 > 0.109212 ? $3 : 0.109212):(0):($4 - ($3 > 0.109212 ? $3 : 0.109212)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 9 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 10 using 1:($3 > 0.109212 ? $3 : 0.109212):(0):($4 - ($3 > 0.109212 ? $3 : 0.109212)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 10 using 1:2 with points pt 12 ps size lc rgb '#AA3377' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 11 using 1:($3 > 0.109212 ? $3 : 0.109212):(0):($4 - ($3 > 0.109212 ? $3 : 0.109212)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 11 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 12 using 1:($3 > 0.109212 ? $3 : 0.109212):(0):($4 - ($3 > 0.109212 ? $3 : 0.109212)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 12 using 1:2 with points pt 11 ps size lc rgb '#AA3377' notitle, \
      data index 13 using 1:2 with lines lw 1.2 lc rgb '#009E73' notitle, \
      data index 13 using 1:($3 > 0.109212 ? $3 : 0.109212):(0):($4 - ($3 > 0.109212 ? $3 : 0.109212)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#009E73' notitle, \
      data index 13 using 1:2 with points pt 9 ps size lc rgb '#009E73' notitle
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.42596; set bmargin at screen 0.06581
  set title 'hca' noenhanced offset 0,-0.6
  set label 999 'rel-MSE ratio' at screen 0.00971,0.24589 center rotate noenhanced
  plot data index 14 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 14 using 1:($3 > 0.109212 ? $3 : 0.109212):(0):($4 - ($3 > 0.109212 ? $3 : 0.109212)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 14 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 15 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 15 using 1:($3 > 0.109212 ? $3 : 0.109212):(0):($4 - ($3 > 0.109212 ? $3 : 0.109212)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 15 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 16 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 16 using 1:($3 > 0.109212 ? $3 : 0.109212):(0):($4 - ($3 > 0.109212 ? $3 : 0.109212)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 16 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 17 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 17 using 1:($3 > 0.109212 ? $3 : 0.109212):(0):($4 - ($3 > 0.109212 ? $3 : 0.109212)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 17 using 1:2 with points pt 12 ps size lc rgb '#AA3377' notitle, \
      data index 18 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 18 using 1:($3 > 0.109212 ? $3 : 0.109212):(0):($4 - ($3 > 0.109212 ? $3 : 0.109212)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 18 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 19 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 19 using 1:($3 > 0.109212 ? $3 : 0.109212):(0):($4 - ($3 > 0.109212 ? $3 : 0.109212)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 19 using 1:2 with points pt 11 ps size lc rgb '#AA3377' notitle, \
      data index 20 using 1:2 with lines lw 1.2 lc rgb '#009E73' notitle, \
      data index 20 using 1:($3 > 0.109212 ? $3 : 0.109212):(0):($4 - ($3 > 0.109212 ? $3 : 0.109212)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#009E73' notitle, \
      data index 20 using 1:2 with points pt 9 ps size lc rgb '#009E73' notitle
  unset multiplot
  unset output
}
