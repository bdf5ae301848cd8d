# KL divergence from the bf16 cache against bits really written (in-forward)
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
  set label 1 '{/:Bold KL divergence from the bf16 cache against bits really written (in-forward)}' at screen 0.5,0.97090 center font ',18'
  set label 2 '24 passages of 2048 + 64 scored tokens; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn' at screen 0.5,0.93651 center font ',13' tc rgb '#444444' noenhanced
  set xrange [1.5:6.5]
  set yrange [0.0019214:0.206177]
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
  set arrow from screen 0.25040,0.89947 to screen 0.27840,0.89947 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.26440,0.89947 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:rule=published (q)' at screen 0.28440,0.89947 left noenhanced
  set arrow from screen 0.50170,0.89947 to screen 0.52970,0.89947 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.51570,0.89947 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:center=mean (bits)' at screen 0.53570,0.89947 left noenhanced
  set arrow from screen 0.02255,0.86574 to screen 0.05055,0.86574 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.03655,0.86574 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'klt:alloc=none,profile=f7e1ecac710ab345 (bits)' at screen 0.05655,0.86574 left noenhanced
  set arrow from screen 0.50635,0.86574 to screen 0.53435,0.86574 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.52035,0.86574 point pt 10 ps size lc rgb '#8C6D1F'
  set label 'klt:center=none,profile=f7e1ecac710ab345 (bits)' at screen 0.54035,0.86574 left noenhanced
  set arrow from screen 0.08300,0.83201 to screen 0.11100,0.83201 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.09700,0.83201 point pt 15 ps size lc rgb '#8C6D1F'
  set label 'klt:lattice=z,profile=f7e1ecac710ab345 (bits)' at screen 0.11700,0.83201 left noenhanced
  set arrow from screen 0.55750,0.83201 to screen 0.58550,0.83201 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.57150,0.83201 point pt 14 ps size lc rgb '#8C6D1F'
  set label 'klt:profile=37defaf2c186c48a (bits)' at screen 0.59150,0.83201 left noenhanced
  set arrow from screen 0.02255,0.79828 to screen 0.05055,0.79828 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.03655,0.79828 point pt 7 ps size lc rgb '#8C6D1F'
  set label 'klt:profile=f7e1ecac710ab345 (bits)' at screen 0.05655,0.79828 left noenhanced
  set arrow from screen 0.40405,0.79828 to screen 0.43205,0.79828 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.41805,0.79828 point pt 6 ps size lc rgb '#8C6D1F'
  set label 'klt:weight=none,alloc=none,profile=f7e1ecac710ab345 (bits)' at screen 0.43805,0.79828 left noenhanced
  set arrow from screen 0.42720,0.76455 to screen 0.45520,0.76455 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front' at screen 0.46120,0.76455 left noenhanced
  set xlabel 'real bits per value' noenhanced
  set lmargin at screen 0.09000; set rmargin at screen 0.98000
  set tmargin at screen 0.69577; set bmargin at screen 0.09524
  set title 'SmolLM2-135M-Instruct.Q4_1' noenhanced offset 0,-0.6
  set label 999 'mean KL divergence, nats' at screen 0.01200,0.39550 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:($3 > 0.0019214 ? $3 : 0.0019214):(0):($4 - ($3 > 0.0019214 ? $3 : 0.0019214)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 2 using 1:($3 > 0.0019214 ? $3 : 0.0019214):(0):($4 - ($3 > 0.0019214 ? $3 : 0.0019214)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 2 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 3 using 1:($3 > 0.0019214 ? $3 : 0.0019214):(0):($4 - ($3 > 0.0019214 ? $3 : 0.0019214)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 3 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 4 using 1:($3 > 0.0019214 ? $3 : 0.0019214):(0):($4 - ($3 > 0.0019214 ? $3 : 0.0019214)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 4 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 5 using 1:($3 > 0.0019214 ? $3 : 0.0019214):(0):($4 - ($3 > 0.0019214 ? $3 : 0.0019214)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 5 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 6 using 1:($3 > 0.0019214 ? $3 : 0.0019214):(0):($4 - ($3 > 0.0019214 ? $3 : 0.0019214)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 6 using 1:2 with points pt 14 ps size lc rgb '#8C6D1F' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 7 using 1:($3 > 0.0019214 ? $3 : 0.0019214):(0):($4 - ($3 > 0.0019214 ? $3 : 0.0019214)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 7 using 1:2 with points pt 7 ps size lc rgb '#8C6D1F' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 8 using 1:($3 > 0.0019214 ? $3 : 0.0019214):(0):($4 - ($3 > 0.0019214 ? $3 : 0.0019214)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 8 using 1:2 with points pt 6 ps size lc rgb '#8C6D1F' notitle, \
      data index 9 using 1:2:3:4 with labels center font ',13' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
