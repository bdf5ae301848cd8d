# KL divergence from the bf16 cache against measured bits of the coded values (prefix)
# Redraw in this folder: gnuplot kld_prefix.gp
data = 'kld_prefix.dat'
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
  set output 'kld_prefix.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold KL divergence from the bf16 cache against measured bits of the coded values (prefix)}' at screen 0.5,0.97989 center font ',20'
  set label 2 'passages of 2048 + 64 scored tokens; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn; profiles not counted' at screen 0.5,0.95612 center font ',15' tc rgb '#444444' noenhanced
  set xrange [1:5]
  set yrange [0.000125471:0.253307]
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
  set arrow from screen 0.21071,0.93053 to screen 0.23071,0.93053 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.22071,0.93053 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'kvtc:page=1024 (bits)' at screen 0.23499,0.93053 left noenhanced
  set arrow from screen 0.40881,0.93053 to screen 0.42881,0.93053 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front' at screen 0.43309,0.93053 left noenhanced
  set arrow from screen 0.53915,0.93053 to screen 0.55915,0.93053 nohead lw 1.5 dt 2 lc rgb '#555555'
  set label 'nothing coded: bf16 arithmetic' at screen 0.56344,0.93053 left noenhanced
  set xlabel 'measured bits per value of the coded values' noenhanced
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.88300; set bmargin at screen 0.52285
  set title 'gemma-3-270m-q4_k_m (gemma3-270m-all-components, held-out), 14 passages' noenhanced offset 0,-0.6 font ',13'
  set label 999 'mean KL divergence, nats' at screen 0.00971,0.70293 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 2 using 1:($3 > 0.000125471 ? $3 : 0.000125471):(0):($4 - ($3 > 0.000125471 ? $3 : 0.000125471)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 2 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 3 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.88300; set bmargin at screen 0.52285
  set title 'gemma-3-270m-q4_k_m (gemma3-270m-paper-size, held-out), 14 passages' noenhanced offset 0,-0.6 font ',13'
  unset label
  unset arrow
  set label 999 'mean KL divergence, nats' at screen 0.50971,0.70293 center rotate noenhanced
  plot data index 4 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 5 using 1:($3 > 0.000125471 ? $3 : 0.000125471):(0):($4 - ($3 > 0.000125471 ? $3 : 0.000125471)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 5 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 6 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.42596; set bmargin at screen 0.06581
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m-all-components, held-out), 37 passages' noenhanced offset 0,-0.6 font ',11'
  set label 999 'mean KL divergence, nats' at screen 0.00971,0.24589 center rotate noenhanced
  plot data index 7 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 8 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 9 using 1:($3 > 0.000125471 ? $3 : 0.000125471):(0):($4 - ($3 > 0.000125471 ? $3 : 0.000125471)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 9 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 10 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.42596; set bmargin at screen 0.06581
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m-paper-size, held-out), 37 passages' noenhanced offset 0,-0.6 font ',12'
  set label 999 'mean KL divergence, nats' at screen 0.50971,0.24589 center rotate noenhanced
  plot data index 11 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 12 using 1:($3 > 0.000125471 ? $3 : 0.000125471):(0):($4 - ($3 > 0.000125471 ? $3 : 0.000125471)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 12 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 13 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
