# Published codecs and plain scalars at their nominal bits
# Redraw in this folder: gnuplot equal_nominal.gp
data = 'equal_nominal.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1000,680 enhanced font 'Arial,15' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 2000,1359 enhanced font 'DejaVu Sans,15' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'equal_nominal.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold Published codecs and plain scalars at their nominal bits}' at screen 0.5,0.96762 center font ',18'
  set label 2 'Gaussian vectors of 128; lower is better' at screen 0.5,0.92936 center font ',13' tc rgb '#444444' noenhanced
  set xrange [2.5:9]
  set yrange [3.92307:8.53018]
  set format y '%g'
  set xtics 1 nomirror
  set ytics nomirror
  set mxtics 2
  set mytics 2
  set border 3 lc rgb '#444444'
  set tics textcolor rgb '#222222'
  set grid xtics ytics lt 1 lw 0.6 lc rgb '#d9d9d9'
  unset key
  set arrow from screen 0.06410,0.88815 to screen 0.09210,0.88815 nohead lw 1.2 dt 1 lc rgb '#d62728'
  set label '' at screen 0.07810,0.88815 point pt 7 ps size lc rgb '#d62728'
  set label 'D4 as published' at screen 0.09810,0.88815 left noenhanced
  set arrow from screen 0.25960,0.88815 to screen 0.28760,0.88815 nohead lw 1.2 dt 1 lc rgb '#ff7f0e'
  set label '' at screen 0.27360,0.88815 point pt 5 ps size lc rgb '#ff7f0e'
  set label 'D4, best Q' at screen 0.29360,0.88815 left noenhanced
  set arrow from screen 0.40860,0.88815 to screen 0.43660,0.88815 nohead lw 1.2 dt 1 lc rgb '#1f77b4'
  set label '' at screen 0.42260,0.88815 point pt 9 ps size lc rgb '#1f77b4'
  set label 'E8, best Q' at screen 0.44260,0.88815 left noenhanced
  set arrow from screen 0.55760,0.88815 to screen 0.58560,0.88815 nohead lw 1.2 dt 1 lc rgb '#7f7f7f'
  set label '' at screen 0.57160,0.88815 point pt 13 ps size lc rgb '#7f7f7f'
  set label 'mid-tread scalar' at screen 0.59160,0.88815 left noenhanced
  set arrow from screen 0.76240,0.88815 to screen 0.79040,0.88815 nohead lw 1.2 dt 1 lc rgb '#2ca02c'
  set label '' at screen 0.77640,0.88815 point pt 11 ps size lc rgb '#2ca02c'
  set label 'mid-rise scalar' at screen 0.79640,0.88815 left noenhanced
  set arrow from screen 0.40860,0.85063 to screen 0.43660,0.85063 nohead lw 1.2 dt 1 lc rgb '#9467bd'
  set label '' at screen 0.42260,0.85063 point pt 15 ps size lc rgb '#9467bd'
  set label 'Lloyd-Max scalar' at screen 0.44260,0.85063 left noenhanced
  set xlabel 'nominal bits per value' noenhanced
  set lmargin at screen 0.09000; set rmargin at screen 0.98000
  set tmargin at screen 0.77410; set bmargin at screen 0.10596
  set title '' noenhanced offset 0,-0.6
  set label 999 'rel-MSE above the Shannon bound at that rate, dB' at screen 0.01200,0.44003 center rotate noenhanced
  plot data index 0 using 1:2 with lines lw 1.2 lc rgb '#d62728' notitle, \
      data index 0 using 1:($3 > 3.92307 ? $3 : 3.92307):(0):($4 - ($3 > 3.92307 ? $3 : 3.92307)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#d62728' notitle, \
      data index 0 using 1:2 with points pt 7 ps size lc rgb '#d62728' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#ff7f0e' notitle, \
      data index 1 using 1:($3 > 3.92307 ? $3 : 3.92307):(0):($4 - ($3 > 3.92307 ? $3 : 3.92307)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#ff7f0e' notitle, \
      data index 1 using 1:2 with points pt 5 ps size lc rgb '#ff7f0e' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#1f77b4' notitle, \
      data index 2 using 1:($3 > 3.92307 ? $3 : 3.92307):(0):($4 - ($3 > 3.92307 ? $3 : 3.92307)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#1f77b4' notitle, \
      data index 2 using 1:2 with points pt 9 ps size lc rgb '#1f77b4' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#7f7f7f' notitle, \
      data index 3 using 1:($3 > 3.92307 ? $3 : 3.92307):(0):($4 - ($3 > 3.92307 ? $3 : 3.92307)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7f7f7f' notitle, \
      data index 3 using 1:2 with points pt 13 ps size lc rgb '#7f7f7f' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#2ca02c' notitle, \
      data index 4 using 1:($3 > 3.92307 ? $3 : 3.92307):(0):($4 - ($3 > 3.92307 ? $3 : 3.92307)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#2ca02c' notitle, \
      data index 4 using 1:2 with points pt 11 ps size lc rgb '#2ca02c' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#9467bd' notitle, \
      data index 5 using 1:($3 > 3.92307 ? $3 : 3.92307):(0):($4 - ($3 > 3.92307 ? $3 : 3.92307)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#9467bd' notitle, \
      data index 5 using 1:2 with points pt 15 ps size lc rgb '#9467bd' notitle, \
      data index 6 using 1:2:3:4 with labels center font ',13' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
