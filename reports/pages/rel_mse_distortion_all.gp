# Distortion against measured bits of the coded values
# Redraw in this folder: gnuplot rel_mse_distortion_all.gp
data = 'rel_mse_distortion_all.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1400,1267 enhanced font 'Arial,17' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 2800,2535 enhanced font 'DejaVu Sans,17' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'rel_mse_distortion_all.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold Distortion against measured bits of the coded values}' at screen 0.5,0.98264 center font ',20'
  set label 2 '3 passages; bars: 95 % t intervals' at screen 0.5,0.96213 center font ',15' tc rgb '#444444' noenhanced
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
  set arrow from screen 0.12036,0.94003 to screen 0.14036,0.94003 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.13036,0.94003 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:center=mean (bits)' at screen 0.14465,0.94003 left noenhanced
  set arrow from screen 0.33352,0.94003 to screen 0.35352,0.94003 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.34352,0.94003 point pt 6 ps size lc rgb '#000000'
  set label 'ece8:center=mean,page=128 (bits)' at screen 0.35781,0.94003 left noenhanced
  set arrow from screen 0.61444,0.94003 to screen 0.63444,0.94003 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.62444,0.94003 point pt 5 ps size lc rgb '#000000'
  set label 'ece8:center=mean,page=256 (bits)' at screen 0.63872,0.94003 left noenhanced
  set arrow from screen 0.09778,0.91723 to screen 0.11778,0.91723 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.10778,0.91723 point pt 4 ps size lc rgb '#000000'
  set label 'ece8:center=mean,page=512 (bits)' at screen 0.12206,0.91723 left noenhanced
  set arrow from screen 0.37869,0.91723 to screen 0.39869,0.91723 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.38869,0.91723 point pt 9 ps size lc rgb '#000000'
  set label 'ece8:center=mean,page=64 (bits)' at screen 0.40298,0.91723 left noenhanced
  set arrow from screen 0.65208,0.91723 to screen 0.67208,0.91723 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.66208,0.91723 point pt 14 ps size lc rgb '#CC0000'
  set label 'klt:alloc=none,page=128 (bits)' at screen 0.67636,0.91723 left noenhanced
  set arrow from screen 0.11284,0.89443 to screen 0.13284,0.89443 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.12284,0.89443 point pt 7 ps size lc rgb '#CC0000'
  set label 'klt:alloc=none,page=256 (bits)' at screen 0.13712,0.89443 left noenhanced
  set arrow from screen 0.37869,0.89443 to screen 0.39869,0.89443 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.38869,0.89443 point pt 6 ps size lc rgb '#CC0000'
  set label 'klt:alloc=none,page=512 (bits)' at screen 0.40298,0.89443 left noenhanced
  set arrow from screen 0.64455,0.89443 to screen 0.66455,0.89443 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.65455,0.89443 point pt 5 ps size lc rgb '#CC0000'
  set label 'klt:alloc=none,page=64 (bits)' at screen 0.66884,0.89443 left noenhanced
  set arrow from screen 0.18554,0.87163 to screen 0.20554,0.87163 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.19554,0.87163 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:alloc=none (bits)' at screen 0.20982,0.87163 left noenhanced
  set arrow from screen 0.38364,0.87163 to screen 0.40364,0.87163 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.39364,0.87163 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=1024 (bits)' at screen 0.40792,0.87163 left noenhanced
  set arrow from screen 0.06884,0.84882 to screen 0.08884,0.84882 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.07884,0.84882 point pt 4 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=128 (bits)' at screen 0.09313,0.84882 left noenhanced
  set arrow from screen 0.50786,0.84882 to screen 0.52786,0.84882 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.51786,0.84882 point pt 9 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=256 (bits)' at screen 0.53214,0.84882 left noenhanced
  set arrow from screen 0.07261,0.82602 to screen 0.09261,0.82602 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.08261,0.82602 point pt 8 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=32 (bits)' at screen 0.09689,0.82602 left noenhanced
  set arrow from screen 0.50409,0.82602 to screen 0.52409,0.82602 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.51409,0.82602 point pt 15 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=512 (bits)' at screen 0.52838,0.82602 left noenhanced
  set arrow from screen 0.10154,0.80322 to screen 0.12154,0.80322 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.11154,0.80322 point pt 13 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1 (bits)' at screen 0.12583,0.80322 left noenhanced
  set arrow from screen 0.47280,0.80322 to screen 0.49280,0.80322 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front' at screen 0.49709,0.80322 left noenhanced
  set arrow from screen 0.60314,0.80322 to screen 0.62314,0.80322 nohead lw 1.5 dt 2 lc rgb '#555555'
  set label 'Shannon bound of white Gaussian data' at screen 0.62743,0.80322 left noenhanced
  set xlabel 'measured bits per value of the coded values' noenhanced
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.76219; set bmargin at screen 0.45132
  set title 'SmolLM2-135M-Instruct.Q4_1 (heads): K' noenhanced offset 0,-0.6
  set label 999 'rel-MSE' at screen 0.00971,0.60675 center rotate noenhanced
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
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 5 using 1:($3 > 0.000560711 ? $3 : 0.000560711):(0):($4 - ($3 > 0.000560711 ? $3 : 0.000560711)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 5 using 1:2 with points pt 4 ps size lc rgb '#000000' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 6 using 1:($3 > 0.000560711 ? $3 : 0.000560711):(0):($4 - ($3 > 0.000560711 ? $3 : 0.000560711)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 6 using 1:2 with points pt 9 ps size lc rgb '#000000' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 7 using 1:($3 > 0.000560711 ? $3 : 0.000560711):(0):($4 - ($3 > 0.000560711 ? $3 : 0.000560711)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 7 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 8 using 1:($3 > 0.000560711 ? $3 : 0.000560711):(0):($4 - ($3 > 0.000560711 ? $3 : 0.000560711)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 8 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 9 using 1:($3 > 0.000560711 ? $3 : 0.000560711):(0):($4 - ($3 > 0.000560711 ? $3 : 0.000560711)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 9 using 1:2 with points pt 6 ps size lc rgb '#CC0000' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 10 using 1:($3 > 0.000560711 ? $3 : 0.000560711):(0):($4 - ($3 > 0.000560711 ? $3 : 0.000560711)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 10 using 1:2 with points pt 5 ps size lc rgb '#CC0000' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 11 using 1:($3 > 0.000560711 ? $3 : 0.000560711):(0):($4 - ($3 > 0.000560711 ? $3 : 0.000560711)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 11 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 12 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.76219; set bmargin at screen 0.45132
  set title 'SmolLM2-135M-Instruct.Q4_1 (heads): V' noenhanced offset 0,-0.6
  unset label
  unset arrow
  set label 999 'rel-MSE' at screen 0.50971,0.60675 center rotate noenhanced
  plot data index 13 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 14 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 15 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 15 using 1:($3 > 0.000560711 ? $3 : 0.000560711):(0):($4 - ($3 > 0.000560711 ? $3 : 0.000560711)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 15 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 16 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 16 using 1:($3 > 0.000560711 ? $3 : 0.000560711):(0):($4 - ($3 > 0.000560711 ? $3 : 0.000560711)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 16 using 1:2 with points pt 6 ps size lc rgb '#000000' notitle, \
      data index 17 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 17 using 1:($3 > 0.000560711 ? $3 : 0.000560711):(0):($4 - ($3 > 0.000560711 ? $3 : 0.000560711)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 17 using 1:2 with points pt 5 ps size lc rgb '#000000' notitle, \
      data index 18 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 18 using 1:($3 > 0.000560711 ? $3 : 0.000560711):(0):($4 - ($3 > 0.000560711 ? $3 : 0.000560711)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 18 using 1:2 with points pt 4 ps size lc rgb '#000000' notitle, \
      data index 19 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 19 using 1:($3 > 0.000560711 ? $3 : 0.000560711):(0):($4 - ($3 > 0.000560711 ? $3 : 0.000560711)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 19 using 1:2 with points pt 9 ps size lc rgb '#000000' notitle, \
      data index 20 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 20 using 1:($3 > 0.000560711 ? $3 : 0.000560711):(0):($4 - ($3 > 0.000560711 ? $3 : 0.000560711)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 20 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 21 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 21 using 1:($3 > 0.000560711 ? $3 : 0.000560711):(0):($4 - ($3 > 0.000560711 ? $3 : 0.000560711)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 21 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 22 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 22 using 1:($3 > 0.000560711 ? $3 : 0.000560711):(0):($4 - ($3 > 0.000560711 ? $3 : 0.000560711)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 22 using 1:2 with points pt 6 ps size lc rgb '#CC0000' notitle, \
      data index 23 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 23 using 1:($3 > 0.000560711 ? $3 : 0.000560711):(0):($4 - ($3 > 0.000560711 ? $3 : 0.000560711)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 23 using 1:2 with points pt 5 ps size lc rgb '#CC0000' notitle, \
      data index 24 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 24 using 1:($3 > 0.000560711 ? $3 : 0.000560711):(0):($4 - ($3 > 0.000560711 ? $3 : 0.000560711)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 24 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 25 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.36768; set bmargin at screen 0.05681
  set title 'SmolLM2-135M-Instruct.Q4_1 (layers): K' noenhanced offset 0,-0.6
  set label 999 'rel-MSE' at screen 0.00971,0.21225 center rotate noenhanced
  plot data index 26 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 27 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 28 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 28 using 1:($3 > 0.000560711 ? $3 : 0.000560711):(0):($4 - ($3 > 0.000560711 ? $3 : 0.000560711)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 28 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 29 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 29 using 1:($3 > 0.000560711 ? $3 : 0.000560711):(0):($4 - ($3 > 0.000560711 ? $3 : 0.000560711)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 29 using 1:2 with points pt 4 ps size lc rgb '#CC0000' notitle, \
      data index 30 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 30 using 1:($3 > 0.000560711 ? $3 : 0.000560711):(0):($4 - ($3 > 0.000560711 ? $3 : 0.000560711)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 30 using 1:2 with points pt 9 ps size lc rgb '#CC0000' notitle, \
      data index 31 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 31 using 1:($3 > 0.000560711 ? $3 : 0.000560711):(0):($4 - ($3 > 0.000560711 ? $3 : 0.000560711)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 31 using 1:2 with points pt 8 ps size lc rgb '#CC0000' notitle, \
      data index 32 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 32 using 1:($3 > 0.000560711 ? $3 : 0.000560711):(0):($4 - ($3 > 0.000560711 ? $3 : 0.000560711)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 32 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 33 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 33 using 1:($3 > 0.000560711 ? $3 : 0.000560711):(0):($4 - ($3 > 0.000560711 ? $3 : 0.000560711)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 33 using 1:2 with points pt 13 ps size lc rgb '#CC0000' notitle, \
      data index 34 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.36768; set bmargin at screen 0.05681
  set title 'SmolLM2-135M-Instruct.Q4_1 (layers): V' noenhanced offset 0,-0.6
  set label 999 'rel-MSE' at screen 0.50971,0.21225 center rotate noenhanced
  plot data index 35 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 36 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 37 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 37 using 1:($3 > 0.000560711 ? $3 : 0.000560711):(0):($4 - ($3 > 0.000560711 ? $3 : 0.000560711)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 37 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 38 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 38 using 1:($3 > 0.000560711 ? $3 : 0.000560711):(0):($4 - ($3 > 0.000560711 ? $3 : 0.000560711)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 38 using 1:2 with points pt 4 ps size lc rgb '#CC0000' notitle, \
      data index 39 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 39 using 1:($3 > 0.000560711 ? $3 : 0.000560711):(0):($4 - ($3 > 0.000560711 ? $3 : 0.000560711)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 39 using 1:2 with points pt 9 ps size lc rgb '#CC0000' notitle, \
      data index 40 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 40 using 1:($3 > 0.000560711 ? $3 : 0.000560711):(0):($4 - ($3 > 0.000560711 ? $3 : 0.000560711)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 40 using 1:2 with points pt 8 ps size lc rgb '#CC0000' notitle, \
      data index 41 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 41 using 1:($3 > 0.000560711 ? $3 : 0.000560711):(0):($4 - ($3 > 0.000560711 ? $3 : 0.000560711)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 41 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 42 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 42 using 1:($3 > 0.000560711 ? $3 : 0.000560711):(0):($4 - ($3 > 0.000560711 ? $3 : 0.000560711)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 42 using 1:2 with points pt 13 ps size lc rgb '#CC0000' notitle, \
      data index 43 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
