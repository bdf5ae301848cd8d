# Distortion against measured bits of the coded values
# Redraw in this folder: gnuplot rel_mse_distortion.gp
data = 'rel_mse_distortion.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1400,1152 enhanced font 'Arial,17' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 2800,2304 enhanced font 'DejaVu Sans,17' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'rel_mse_distortion.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold Distortion against measured bits of the coded values}' at screen 0.5,0.98090 center font ',20'
  set label 2 '3 passages; bars: 95 % t intervals' at screen 0.5,0.95833 center font ',15' tc rgb '#444444' noenhanced
  set xrange [1.5:4.5]
  set yrange [0.000560711:0.0520393]
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
  set arrow from screen 0.02131,0.93402 to screen 0.04131,0.93402 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.03131,0.93402 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:center=mean (bits)' at screen 0.04560,0.93402 left noenhanced
  set arrow from screen 0.23447,0.93402 to screen 0.25447,0.93402 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.24447,0.93402 point pt 6 ps size lc rgb '#000000'
  set label 'ece8:center=mean,page=128 (bits)' at screen 0.25876,0.93402 left noenhanced
  set arrow from screen 0.51539,0.93402 to screen 0.53539,0.93402 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.52539,0.93402 point pt 5 ps size lc rgb '#000000'
  set label 'ece8:center=mean,page=256 (bits)' at screen 0.53967,0.93402 left noenhanced
  set arrow from screen 0.79630,0.93402 to screen 0.81630,0.93402 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.80630,0.93402 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:alloc=none (bits)' at screen 0.82059,0.93402 left noenhanced
  set arrow from screen 0.06508,0.90893 to screen 0.08508,0.90893 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.07508,0.90893 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=1024 (bits)' at screen 0.08936,0.90893 left noenhanced
  set arrow from screen 0.51162,0.90893 to screen 0.53162,0.90893 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.52162,0.90893 point pt 15 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=512 (bits)' at screen 0.53591,0.90893 left noenhanced
  set arrow from screen 0.18930,0.88383 to screen 0.20930,0.88383 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front of these 6 of 16 families' at screen 0.21359,0.88383 left noenhanced
  set arrow from screen 0.51539,0.88383 to screen 0.53539,0.88383 nohead lw 1.5 dt 2 lc rgb '#555555'
  set label 'Shannon bound of white Gaussian data' at screen 0.53967,0.88383 left noenhanced
  set xlabel 'measured bits per value of the coded values' noenhanced
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.83869; set bmargin at screen 0.49661
  set title 'SmolLM2-135M-Instruct.Q4_1 (heads): K' noenhanced offset 0,-0.6
  set label 999 'rel-MSE' at screen 0.00971,0.66765 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 2 using 1:($3 > 0.000560711 ? $3 : 0.000560711):(0):($4 - ($3 > 0.000560711 ? $3 : 0.000560711)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 2 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 3 using 1:($3 > 0.000560711 ? $3 : 0.000560711):(0):($4 - ($3 > 0.000560711 ? $3 : 0.000560711)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 3 using 1:2 with points pt 6 ps size lc rgb '#000000' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 4 using 1:($3 > 0.000560711 ? $3 : 0.000560711):(0):($4 - ($3 > 0.000560711 ? $3 : 0.000560711)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 4 using 1:2 with points pt 5 ps size lc rgb '#000000' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 5 using 1:($3 > 0.000560711 ? $3 : 0.000560711):(0):($4 - ($3 > 0.000560711 ? $3 : 0.000560711)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 5 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 6 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.83869; set bmargin at screen 0.49661
  set title 'SmolLM2-135M-Instruct.Q4_1 (heads): V' noenhanced offset 0,-0.6
  unset label
  unset arrow
  set label 999 'rel-MSE' at screen 0.50971,0.66765 center rotate noenhanced
  plot data index 7 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 8 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 9 using 1:($3 > 0.000560711 ? $3 : 0.000560711):(0):($4 - ($3 > 0.000560711 ? $3 : 0.000560711)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 9 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 10 using 1:($3 > 0.000560711 ? $3 : 0.000560711):(0):($4 - ($3 > 0.000560711 ? $3 : 0.000560711)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 10 using 1:2 with points pt 6 ps size lc rgb '#000000' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 11 using 1:($3 > 0.000560711 ? $3 : 0.000560711):(0):($4 - ($3 > 0.000560711 ? $3 : 0.000560711)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 11 using 1:2 with points pt 5 ps size lc rgb '#000000' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 12 using 1:($3 > 0.000560711 ? $3 : 0.000560711):(0):($4 - ($3 > 0.000560711 ? $3 : 0.000560711)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 12 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 13 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.40458; set bmargin at screen 0.06251
  set title 'SmolLM2-135M-Instruct.Q4_1 (layers): K' noenhanced offset 0,-0.6
  set label 999 'rel-MSE' at screen 0.00971,0.23355 center rotate noenhanced
  plot data index 14 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 15 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 16 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 16 using 1:($3 > 0.000560711 ? $3 : 0.000560711):(0):($4 - ($3 > 0.000560711 ? $3 : 0.000560711)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 16 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 17 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 17 using 1:($3 > 0.000560711 ? $3 : 0.000560711):(0):($4 - ($3 > 0.000560711 ? $3 : 0.000560711)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 17 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 18 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.40458; set bmargin at screen 0.06251
  set title 'SmolLM2-135M-Instruct.Q4_1 (layers): V' noenhanced offset 0,-0.6
  set label 999 'rel-MSE' at screen 0.50971,0.23355 center rotate noenhanced
  plot data index 19 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 20 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 21 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 21 using 1:($3 > 0.000560711 ? $3 : 0.000560711):(0):($4 - ($3 > 0.000560711 ? $3 : 0.000560711)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 21 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 22 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 22 using 1:($3 > 0.000560711 ? $3 : 0.000560711):(0):($4 - ($3 > 0.000560711 ? $3 : 0.000560711)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 22 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 23 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
