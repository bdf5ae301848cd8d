# KL divergence against the number of coded layers
# Redraw in this folder: gnuplot coded_layers.gp
data = 'coded_layers.dat'
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
  set output 'coded_layers.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold KL divergence against the number of coded layers}' at screen 0.5,0.97989 center font ',20'
  set label 2 'broken: the sum of what these layers lose when each is coded alone' at screen 0.5,0.95612 center font ',15' tc rgb '#444444' noenhanced
  set xrange [1.5:30.5]
  set yrange [0.000327059:0.456933]
  set logscale y
  set format y '%g'
  set xtics 2 nomirror
  set ytics nomirror
  set mxtics 2
  set mytics 10
  set border 3 lc rgb '#444444'
  set tics textcolor rgb '#222222'
  set grid xtics ytics lt 1 lw 0.6 lc rgb '#d9d9d9'
  unset key
  set arrow from screen 0.08036,0.93053 to screen 0.10036,0.93053 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.09036,0.93053 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:q=4' at screen 0.10465,0.93053 left noenhanced
  set arrow from screen 0.16554,0.93053 to screen 0.18554,0.93053 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.17554,0.93053 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:bits=2,center=mean' at screen 0.18982,0.93053 left noenhanced
  set arrow from screen 0.37869,0.93053 to screen 0.39869,0.93053 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.38869,0.93053 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'kivi:b=2' at screen 0.40298,0.93053 left noenhanced
  set arrow from screen 0.47892,0.93053 to screen 0.49892,0.93053 nohead lw 1.5 dt 2 lc rgb '#555555'
  set label 'sum of single layers' at screen 0.50321,0.93053 left noenhanced
  set arrow from screen 0.66949,0.93053 to screen 0.68949,0.93053 nohead lw 1.5 dt 4 lc rgb '#555555'
  set label 'nothing coded: bf16 arithmetic' at screen 0.69378,0.93053 left noenhanced
  set xlabel 'coded layers' noenhanced
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.88300; set bmargin at screen 0.52285
  set title 'nano, nano, in-forward' noenhanced offset 0,-0.6
  set label 999 'KL divergence, nats' at screen 0.00971,0.70293 center rotate noenhanced
  plot data index 0 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 1 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 2 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 3 using 1:($3 > 0.000327059 ? $3 : 0.000327059):(0):($4 - ($3 > 0.000327059 ? $3 : 0.000327059)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 3 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 4 using 1:($3 > 0.000327059 ? $3 : 0.000327059):(0):($4 - ($3 > 0.000327059 ? $3 : 0.000327059)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 4 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 5 using 1:($3 > 0.000327059 ? $3 : 0.000327059):(0):($4 - ($3 > 0.000327059 ? $3 : 0.000327059)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 5 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.88300; set bmargin at screen 0.52285
  set title 'SmolLM2-135M-Instruct.Q4_1, smollm2-development, in-forward' noenhanced offset 0,-0.6 font ',15'
  unset label
  unset arrow
  set label 999 'KL divergence, nats' at screen 0.50971,0.70293 center rotate noenhanced
  plot data index 6 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 7 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 8 using 1:2 with lines lw 1.5 dt 4 lc rgb '#555555' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 9 using 1:($3 > 0.000327059 ? $3 : 0.000327059):(0):($4 - ($3 > 0.000327059 ? $3 : 0.000327059)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 9 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 10 using 1:($3 > 0.000327059 ? $3 : 0.000327059):(0):($4 - ($3 > 0.000327059 ? $3 : 0.000327059)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 10 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.42596; set bmargin at screen 0.06581
  set title 'SmolLM2-135M-Instruct.Q4_1, smollm2-held-out, in-forward' noenhanced offset 0,-0.6 font ',16'
  set label 999 'KL divergence, nats' at screen 0.00971,0.24589 center rotate noenhanced
  plot data index 11 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 12 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 13 using 1:2 with lines lw 1.5 dt 4 lc rgb '#555555' notitle, \
      data index 14 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 14 using 1:($3 > 0.000327059 ? $3 : 0.000327059):(0):($4 - ($3 > 0.000327059 ? $3 : 0.000327059)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 14 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 15 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 15 using 1:($3 > 0.000327059 ? $3 : 0.000327059):(0):($4 - ($3 > 0.000327059 ? $3 : 0.000327059)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 15 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle
  unset multiplot
  unset output
}
