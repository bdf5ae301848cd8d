# KL divergence from the bf16 cache against measured bits of the coded values (in-forward)
# Redraw in this folder: gnuplot kld_inforward.gp
data = 'kld_inforward.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1000,756 enhanced font 'Arial,15' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 2000,1512 enhanced font 'DejaVu Sans,15' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'kld_inforward.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold KL divergence from the bf16 cache against measured bits of the coded values (in-forward)}' at screen 0.5,0.97090 center font ',18'
  set label 2 '32 passages of 2048 + 64 scored tokens; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn' at screen 0.5,0.93651 center font ',13' tc rgb '#444444' noenhanced
  set xrange [4:11]
  set yrange [9.02535e-06:4.76963]
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
  set arrow from screen 0.17135,0.89947 to screen 0.19935,0.89947 nohead lw 1.2 dt 1 lc rgb '#D55E00'
  set label '' at screen 0.18535,0.89947 point pt 5 ps size lc rgb '#D55E00'
  set label 'd4:rule=published (q)' at screen 0.20535,0.89947 left noenhanced
  set arrow from screen 0.42265,0.89947 to screen 0.45065,0.89947 nohead lw 1.2 dt 1 lc rgb '#D55E00'
  set label '' at screen 0.43665,0.89947 point pt 4 ps size lc rgb '#D55E00'
  set label 'd4:rule=published,ablate=no-hadamard (q)' at screen 0.45665,0.89947 left noenhanced
  set arrow from screen 0.22725,0.86574 to screen 0.25525,0.86574 nohead lw 1.2 dt 1 lc rgb '#D55E00'
  set label '' at screen 0.24125,0.86574 point pt 9 ps size lc rgb '#D55E00'
  set label 'd4:rule=published,ablate=no-per-vec-qmax,max=0.5354 (q)' at screen 0.26125,0.86574 left noenhanced
  set arrow from screen 0.06440,0.83201 to screen 0.09240,0.83201 nohead lw 1.2 dt 1 lc rgb '#D55E00'
  set label '' at screen 0.07840,0.83201 point pt 8 ps size lc rgb '#D55E00'
  set label 'd4:rule=published,ablate=no-unit-norm (q)' at screen 0.09840,0.83201 left noenhanced
  set arrow from screen 0.50170,0.83201 to screen 0.52970,0.83201 nohead lw 1.2 dt 1 lc rgb '#D55E00'
  set label '' at screen 0.51570,0.83201 point pt 13 ps size lc rgb '#D55E00'
  set label 'd4:rule=published,ablate=per-block-qmax (q)' at screen 0.53570,0.83201 left noenhanced
  set arrow from screen 0.02710,0.79828 to screen 0.05510,0.79828 nohead lw 1.2 dt 1 lc rgb '#D55E00'
  set label '' at screen 0.04110,0.79828 point pt 12 ps size lc rgb '#D55E00'
  set label 'd4:rule=published,ablate=scalar-quantise (q)' at screen 0.06110,0.79828 left noenhanced
  set arrow from screen 0.49230,0.79828 to screen 0.52030,0.79828 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front' at screen 0.52630,0.79828 left noenhanced
  set arrow from screen 0.65990,0.79828 to screen 0.68790,0.79828 nohead lw 1.5 dt 2 lc rgb '#555555'
  set label 'nothing coded: bf16 arithmetic' at screen 0.69390,0.79828 left noenhanced
  set arrow from screen 0.29700,0.76455 to screen 0.32500,0.76455 nohead lw 1.5 dt 3 lc rgb '#555555'
  set label 'nothing coded: another attention (fused)' at screen 0.33100,0.76455 left noenhanced
  set xlabel 'measured bits per value of the coded values' noenhanced
  set lmargin at screen 0.09000; set rmargin at screen 0.98000
  set tmargin at screen 0.69577; set bmargin at screen 0.09524
  set title 'SmolLM2-135M-Instruct.Q4_1' noenhanced offset 0,-0.6
  set label 999 'mean KL divergence, nats' at screen 0.01200,0.39550 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 2 using 1:2 with lines lw 1.5 dt 3 lc rgb '#555555' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#D55E00' notitle, \
      data index 3 using 1:($3 > 9.02535e-06 ? $3 : 9.02535e-06):(0):($4 - ($3 > 9.02535e-06 ? $3 : 9.02535e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#D55E00' notitle, \
      data index 3 using 1:2 with points pt 5 ps size lc rgb '#D55E00' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#D55E00' notitle, \
      data index 4 using 1:($3 > 9.02535e-06 ? $3 : 9.02535e-06):(0):($4 - ($3 > 9.02535e-06 ? $3 : 9.02535e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#D55E00' notitle, \
      data index 4 using 1:2 with points pt 4 ps size lc rgb '#D55E00' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#D55E00' notitle, \
      data index 5 using 1:($3 > 9.02535e-06 ? $3 : 9.02535e-06):(0):($4 - ($3 > 9.02535e-06 ? $3 : 9.02535e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#D55E00' notitle, \
      data index 5 using 1:2 with points pt 9 ps size lc rgb '#D55E00' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#D55E00' notitle, \
      data index 6 using 1:($3 > 9.02535e-06 ? $3 : 9.02535e-06):(0):($4 - ($3 > 9.02535e-06 ? $3 : 9.02535e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#D55E00' notitle, \
      data index 6 using 1:2 with points pt 8 ps size lc rgb '#D55E00' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#D55E00' notitle, \
      data index 7 using 1:($3 > 9.02535e-06 ? $3 : 9.02535e-06):(0):($4 - ($3 > 9.02535e-06 ? $3 : 9.02535e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#D55E00' notitle, \
      data index 7 using 1:2 with points pt 13 ps size lc rgb '#D55E00' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#D55E00' notitle, \
      data index 8 using 1:($3 > 9.02535e-06 ? $3 : 9.02535e-06):(0):($4 - ($3 > 9.02535e-06 ? $3 : 9.02535e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#D55E00' notitle, \
      data index 8 using 1:2 with points pt 12 ps size lc rgb '#D55E00' notitle, \
      data index 9 using 1:2:3:4 with labels center font ',13' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
