# Distortion against measured bits of the coded values
# Redraw in this folder: gnuplot rel_mse_distortion.gp
data = 'rel_mse_distortion.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1400,1181 enhanced font 'Arial,17' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 2800,2361 enhanced font 'DejaVu Sans,17' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'rel_mse_distortion.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold Distortion against measured bits of the coded values}' at screen 0.5,0.98137 center font ',20'
  set label 2 '1 passages; one passage: no intervals' at screen 0.5,0.95935 center font ',15' tc rgb '#444444' noenhanced
  set xrange [2:4.5]
  set yrange [0.00045995:0.0753029]
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
  set arrow from screen 0.07261,0.93563 to screen 0.09261,0.93563 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.08261,0.93563 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:alloc=none,lattice=z,page=128,pages=fixed (bits)' at screen 0.09689,0.93563 left noenhanced
  set arrow from screen 0.50409,0.93563 to screen 0.52409,0.93563 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.51409,0.93563 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:alloc=none,lattice=z,page=128,pages=prefix (bits)' at screen 0.52838,0.93563 left noenhanced
  set arrow from screen 0.12154,0.91115 to screen 0.14154,0.91115 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.13154,0.91115 point pt 15 ps size lc rgb '#CC0000'
  set label 'klt:alloc=none,lattice=z,page=128,pages=tiles (bits)' at screen 0.14583,0.91115 left noenhanced
  set arrow from screen 0.55303,0.91115 to screen 0.57303,0.91115 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.56303,0.91115 point pt 14 ps size lc rgb '#CC0000'
  set label 'klt:alloc=none,lattice=z,page=128 (bits)' at screen 0.57731,0.91115 left noenhanced
  set arrow from screen 0.02626,0.88668 to screen 0.04626,0.88668 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.03626,0.88668 point pt 7 ps size lc rgb '#CC0000'
  set label 'klt:alloc=none,lattice=z,pages=prefix (bits)' at screen 0.05054,0.88668 left noenhanced
  set arrow from screen 0.39751,0.88668 to screen 0.41751,0.88668 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.40751,0.88668 point pt 6 ps size lc rgb '#CC0000'
  set label 'klt:alloc=none,lattice=z (bits)' at screen 0.42180,0.88668 left noenhanced
  set arrow from screen 0.67090,0.88668 to screen 0.69090,0.88668 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front of these 6 of 8 families' at screen 0.69519,0.88668 left noenhanced
  set arrow from screen 0.35234,0.86220 to screen 0.37234,0.86220 nohead lw 1.5 dt 2 lc rgb '#555555'
  set label 'Shannon bound of white Gaussian data' at screen 0.37663,0.86220 left noenhanced
  set xlabel 'measured bits per value of the coded values' noenhanced
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.81816; set bmargin at screen 0.48446
  set title 'gemma-3-270m-q4_k_m: K' noenhanced offset 0,-0.6
  set label 999 'rel-MSE' at screen 0.00971,0.65131 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 2 using 1:($3 > 0.00045995 ? $3 : 0.00045995):(0):($4 - ($3 > 0.00045995 ? $3 : 0.00045995)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 2 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 3 using 1:($3 > 0.00045995 ? $3 : 0.00045995):(0):($4 - ($3 > 0.00045995 ? $3 : 0.00045995)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 3 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 4 using 1:($3 > 0.00045995 ? $3 : 0.00045995):(0):($4 - ($3 > 0.00045995 ? $3 : 0.00045995)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 4 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 5 using 1:($3 > 0.00045995 ? $3 : 0.00045995):(0):($4 - ($3 > 0.00045995 ? $3 : 0.00045995)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 5 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 6 using 1:($3 > 0.00045995 ? $3 : 0.00045995):(0):($4 - ($3 > 0.00045995 ? $3 : 0.00045995)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 6 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 7 using 1:($3 > 0.00045995 ? $3 : 0.00045995):(0):($4 - ($3 > 0.00045995 ? $3 : 0.00045995)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 7 using 1:2 with points pt 6 ps size lc rgb '#CC0000' notitle, \
      data index 8 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.81816; set bmargin at screen 0.48446
  set title 'gemma-3-270m-q4_k_m: V' noenhanced offset 0,-0.6
  unset label
  unset arrow
  set label 999 'rel-MSE' at screen 0.50971,0.65131 center rotate noenhanced
  plot data index 9 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 10 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 11 using 1:($3 > 0.00045995 ? $3 : 0.00045995):(0):($4 - ($3 > 0.00045995 ? $3 : 0.00045995)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 11 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 12 using 1:($3 > 0.00045995 ? $3 : 0.00045995):(0):($4 - ($3 > 0.00045995 ? $3 : 0.00045995)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 12 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 13 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 13 using 1:($3 > 0.00045995 ? $3 : 0.00045995):(0):($4 - ($3 > 0.00045995 ? $3 : 0.00045995)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 13 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 14 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 14 using 1:($3 > 0.00045995 ? $3 : 0.00045995):(0):($4 - ($3 > 0.00045995 ? $3 : 0.00045995)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 14 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 15 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 15 using 1:($3 > 0.00045995 ? $3 : 0.00045995):(0):($4 - ($3 > 0.00045995 ? $3 : 0.00045995)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 15 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 16 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 16 using 1:($3 > 0.00045995 ? $3 : 0.00045995):(0):($4 - ($3 > 0.00045995 ? $3 : 0.00045995)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 16 using 1:2 with points pt 6 ps size lc rgb '#CC0000' notitle, \
      data index 17 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.39468; set bmargin at screen 0.06098
  set title 'SmolLM2-135M-Instruct.Q4_1: K' noenhanced offset 0,-0.6
  set label 999 'rel-MSE' at screen 0.00971,0.22783 center rotate noenhanced
  plot data index 18 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 19 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 20 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 20 using 1:($3 > 0.00045995 ? $3 : 0.00045995):(0):($4 - ($3 > 0.00045995 ? $3 : 0.00045995)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 20 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 21 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 21 using 1:($3 > 0.00045995 ? $3 : 0.00045995):(0):($4 - ($3 > 0.00045995 ? $3 : 0.00045995)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 21 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 22 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 22 using 1:($3 > 0.00045995 ? $3 : 0.00045995):(0):($4 - ($3 > 0.00045995 ? $3 : 0.00045995)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 22 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 23 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 23 using 1:($3 > 0.00045995 ? $3 : 0.00045995):(0):($4 - ($3 > 0.00045995 ? $3 : 0.00045995)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 23 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 24 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 24 using 1:($3 > 0.00045995 ? $3 : 0.00045995):(0):($4 - ($3 > 0.00045995 ? $3 : 0.00045995)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 24 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 25 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 25 using 1:($3 > 0.00045995 ? $3 : 0.00045995):(0):($4 - ($3 > 0.00045995 ? $3 : 0.00045995)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 25 using 1:2 with points pt 6 ps size lc rgb '#CC0000' notitle, \
      data index 26 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.39468; set bmargin at screen 0.06098
  set title 'SmolLM2-135M-Instruct.Q4_1: V' noenhanced offset 0,-0.6
  set label 999 'rel-MSE' at screen 0.50971,0.22783 center rotate noenhanced
  plot data index 27 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 28 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 29 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 29 using 1:($3 > 0.00045995 ? $3 : 0.00045995):(0):($4 - ($3 > 0.00045995 ? $3 : 0.00045995)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 29 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 30 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 30 using 1:($3 > 0.00045995 ? $3 : 0.00045995):(0):($4 - ($3 > 0.00045995 ? $3 : 0.00045995)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 30 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 31 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 31 using 1:($3 > 0.00045995 ? $3 : 0.00045995):(0):($4 - ($3 > 0.00045995 ? $3 : 0.00045995)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 31 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 32 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 32 using 1:($3 > 0.00045995 ? $3 : 0.00045995):(0):($4 - ($3 > 0.00045995 ? $3 : 0.00045995)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 32 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 33 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 33 using 1:($3 > 0.00045995 ? $3 : 0.00045995):(0):($4 - ($3 > 0.00045995 ? $3 : 0.00045995)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 33 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 34 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 34 using 1:($3 > 0.00045995 ? $3 : 0.00045995):(0):($4 - ($3 > 0.00045995 ? $3 : 0.00045995)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 34 using 1:2 with points pt 6 ps size lc rgb '#CC0000' notitle, \
      data index 35 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
