# KL divergence from the bf16 cache against measured bits of the whole cache (in-forward)
# Redraw in this folder: gnuplot kld_inforward.gp
data = 'kld_inforward.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1400,623 enhanced font 'Arial,17' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 2800,1246 enhanced font 'DejaVu Sans,17' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'kld_inforward.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold KL divergence from the bf16 cache against measured bits of the whole cache (in-forward)}' at screen 0.5,0.96468 center font ',20'
  set label 2 'passages; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn; profiles not counted' at screen 0.5,0.92294 center font ',15' tc rgb '#444444' noenhanced
  set xrange [1.5:6.5]
  set yrange [0.000327396:0.304792]
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
  set arrow from screen 0.04649,0.87799 to screen 0.06649,0.87799 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.05649,0.87799 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'q4_0, keys by 256' at screen 0.07077,0.87799 left noenhanced
  set arrow from screen 0.21447,0.87799 to screen 0.23447,0.87799 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.22447,0.87799 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:rule=published (q)' at screen 0.23876,0.87799 left noenhanced
  set arrow from screen 0.41257,0.87799 to screen 0.43257,0.87799 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.42257,0.87799 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:center=mean,page=128 (bits)' at screen 0.43686,0.87799 left noenhanced
  set arrow from screen 0.69349,0.87799 to screen 0.71349,0.87799 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.70349,0.87799 point pt 15 ps size lc rgb '#66A61E'
  set label 'kivi (b)' at screen 0.71777,0.87799 left noenhanced
  set arrow from screen 0.79371,0.87799 to screen 0.81371,0.87799 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.80371,0.87799 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt, layers (bits)' at screen 0.81800,0.87799 left noenhanced
  set arrow from screen 0.03637,0.83159 to screen 0.05637,0.83159 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.04637,0.83159 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt, heads (bits)' at screen 0.06066,0.83159 left noenhanced
  set arrow from screen 0.20436,0.83159 to screen 0.22436,0.83159 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.21436,0.83159 point pt 10 ps size lc rgb '#8C6D1F'
  set label 'q4_0, rotated by 64' at screen 0.22864,0.83159 left noenhanced
  set arrow from screen 0.38740,0.83159 to screen 0.40740,0.83159 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front of these 7 of 29 families' at screen 0.41169,0.83159 left noenhanced
  set arrow from screen 0.71349,0.83159 to screen 0.73349,0.83159 nohead lw 1.5 dt 2 lc rgb '#555555'
  set label 'nothing coded: bf16 arithmetic' at screen 0.73777,0.83159 left noenhanced
  set xlabel 'measured bits per value of the whole cache' noenhanced
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.74811; set bmargin at screen 0.11559
  set title 'gemma-3-270m-q4_k_m, 144 passages' noenhanced offset 0,-0.6
  set label 999 'mean KL divergence, nats' at screen 0.00971,0.43185 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 2 using 1:($3 > 0.000327396 ? $3 : 0.000327396):(0):($4 - ($3 > 0.000327396 ? $3 : 0.000327396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 2 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 3 using 1:($3 > 0.000327396 ? $3 : 0.000327396):(0):($4 - ($3 > 0.000327396 ? $3 : 0.000327396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 3 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 4 using 1:($3 > 0.000327396 ? $3 : 0.000327396):(0):($4 - ($3 > 0.000327396 ? $3 : 0.000327396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 4 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 5 using 1:($3 > 0.000327396 ? $3 : 0.000327396):(0):($4 - ($3 > 0.000327396 ? $3 : 0.000327396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 5 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 6 using 1:($3 > 0.000327396 ? $3 : 0.000327396):(0):($4 - ($3 > 0.000327396 ? $3 : 0.000327396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 6 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 7 using 1:($3 > 0.000327396 ? $3 : 0.000327396):(0):($4 - ($3 > 0.000327396 ? $3 : 0.000327396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 7 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 8 using 1:($3 > 0.000327396 ? $3 : 0.000327396):(0):($4 - ($3 > 0.000327396 ? $3 : 0.000327396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 8 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 9 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.74811; set bmargin at screen 0.11559
  set title 'SmolLM2-135M-Instruct.Q4_1, 590 passages' noenhanced offset 0,-0.6
  unset label
  unset arrow
  set label 999 'mean KL divergence, nats' at screen 0.50971,0.43185 center rotate noenhanced
  plot data index 10 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 11 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 12 using 1:($3 > 0.000327396 ? $3 : 0.000327396):(0):($4 - ($3 > 0.000327396 ? $3 : 0.000327396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 12 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 13 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 13 using 1:($3 > 0.000327396 ? $3 : 0.000327396):(0):($4 - ($3 > 0.000327396 ? $3 : 0.000327396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 13 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 14 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 14 using 1:($3 > 0.000327396 ? $3 : 0.000327396):(0):($4 - ($3 > 0.000327396 ? $3 : 0.000327396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 14 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 15 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 15 using 1:($3 > 0.000327396 ? $3 : 0.000327396):(0):($4 - ($3 > 0.000327396 ? $3 : 0.000327396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 15 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 16 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 16 using 1:($3 > 0.000327396 ? $3 : 0.000327396):(0):($4 - ($3 > 0.000327396 ? $3 : 0.000327396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 16 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 17 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 17 using 1:($3 > 0.000327396 ? $3 : 0.000327396):(0):($4 - ($3 > 0.000327396 ? $3 : 0.000327396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 17 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 18 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
