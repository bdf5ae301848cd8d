# KL divergence from the bf16 cache against measured bits of the coded values (snapshot)
# Redraw in this folder: gnuplot kld_snapshot.gp
data = 'kld_snapshot.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1000,705 enhanced font 'Arial,15' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 2000,1410 enhanced font 'DejaVu Sans,15' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'kld_snapshot.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold KL divergence from the bf16 cache against measured bits of the coded values (snapshot)}' at screen 0.5,0.96879 center font ',18'
  set label 2 '24 passages of 2048 + 64 scored tokens; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn' at screen 0.5,0.93191 center font ',13' tc rgb '#444444' noenhanced
  set xrange [2:9.5]
  set yrange [8.7941e-06:4.30859]
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
  set arrow from screen 0.22220,0.89220 to screen 0.25020,0.89220 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.23620,0.89220 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8 (q)' at screen 0.25620,0.89220 left noenhanced
  set arrow from screen 0.33400,0.89220 to screen 0.36200,0.89220 nohead lw 1.2 dt 1 lc rgb '#D55E00'
  set label '' at screen 0.34800,0.89220 point pt 5 ps size lc rgb '#D55E00'
  set label 'd4 (q)' at screen 0.36800,0.89220 left noenhanced
  set arrow from screen 0.44580,0.89220 to screen 0.47380,0.89220 nohead lw 1.2 dt 1 lc rgb '#009E73'
  set label '' at screen 0.45980,0.89220 point pt 9 ps size lc rgb '#009E73'
  set label 'tq (b)' at screen 0.47980,0.89220 left noenhanced
  set arrow from screen 0.55760,0.89220 to screen 0.58560,0.89220 nohead lw 1.2 dt 1 lc rgb '#AA3377'
  set label '' at screen 0.57160,0.89220 point pt 13 ps size lc rgb '#AA3377'
  set label 'fp8' at screen 0.59160,0.89220 left noenhanced
  set arrow from screen 0.64150,0.89220 to screen 0.66950,0.89220 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.65550,0.89220 point pt 7 ps size lc rgb '#000000'
  set label 'ece8 (bits)' at screen 0.67550,0.89220 left noenhanced
  set arrow from screen 0.04115,0.85603 to screen 0.06915,0.85603 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.05515,0.85603 point pt 6 ps size lc rgb '#000000'
  set label 'ece8:classes=channel,rotate=none,center=mean (bits)' at screen 0.07515,0.85603 left noenhanced
  set arrow from screen 0.57145,0.85603 to screen 0.59945,0.85603 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front of these 6 of 16 families' at screen 0.60545,0.85603 left noenhanced
  set arrow from screen 0.12950,0.81986 to screen 0.15750,0.81986 nohead lw 1.5 dt 2 lc rgb '#555555'
  set label 'nothing coded: bf16 arithmetic' at screen 0.16350,0.81986 left noenhanced
  set arrow from screen 0.46450,0.81986 to screen 0.49250,0.81986 nohead lw 1.5 dt 3 lc rgb '#555555'
  set label 'nothing coded: another attention (fused)' at screen 0.49850,0.81986 left noenhanced
  set xlabel 'measured bits per value of the coded values' noenhanced
  set lmargin at screen 0.09000; set rmargin at screen 0.98000
  set tmargin at screen 0.74610; set bmargin at screen 0.10213
  set title 'SmolLM2-135M-Instruct.Q4_1' noenhanced offset 0,-0.6
  set label 999 'mean KL divergence, nats' at screen 0.01200,0.42411 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 2 using 1:2 with lines lw 1.5 dt 3 lc rgb '#555555' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 3 using 1:($3 > 8.7941e-06 ? $3 : 8.7941e-06):(0):($4 - ($3 > 8.7941e-06 ? $3 : 8.7941e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 3 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#D55E00' notitle, \
      data index 4 using 1:($3 > 8.7941e-06 ? $3 : 8.7941e-06):(0):($4 - ($3 > 8.7941e-06 ? $3 : 8.7941e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#D55E00' notitle, \
      data index 4 using 1:2 with points pt 5 ps size lc rgb '#D55E00' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#009E73' notitle, \
      data index 5 using 1:($3 > 8.7941e-06 ? $3 : 8.7941e-06):(0):($4 - ($3 > 8.7941e-06 ? $3 : 8.7941e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#009E73' notitle, \
      data index 5 using 1:2 with points pt 9 ps size lc rgb '#009E73' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 6 using 1:($3 > 8.7941e-06 ? $3 : 8.7941e-06):(0):($4 - ($3 > 8.7941e-06 ? $3 : 8.7941e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 6 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 7 using 1:($3 > 8.7941e-06 ? $3 : 8.7941e-06):(0):($4 - ($3 > 8.7941e-06 ? $3 : 8.7941e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 7 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 8 using 1:($3 > 8.7941e-06 ? $3 : 8.7941e-06):(0):($4 - ($3 > 8.7941e-06 ? $3 : 8.7941e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 8 using 1:2 with points pt 6 ps size lc rgb '#000000' notitle, \
      data index 9 using 1:2:3:4 with labels center font ',13' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
