# KL divergence from the bf16 cache against bits really written (prefix)
# Redraw in this folder: gnuplot kld_prefix.gp
data = 'kld_prefix.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1400,710 enhanced font 'Arial,17' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 2800,1419 enhanced font 'DejaVu Sans,17' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'kld_prefix.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold KL divergence from the bf16 cache against bits really written (prefix)}' at screen 0.5,0.96900 center font ',20'
  set label 2 '14 to 16 passages of 2048 + 64 scored tokens; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn' at screen 0.5,0.93236 center font ',15' tc rgb '#444444' noenhanced
  set xrange [0:6.5]
  set yrange [9.3392e-05:0.392241]
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
  set arrow from screen 0.17424,0.89290 to screen 0.19424,0.89290 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.18424,0.89290 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:rule=published (q)' at screen 0.19853,0.89290 left noenhanced
  set arrow from screen 0.37234,0.89290 to screen 0.39234,0.89290 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.38234,0.89290 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'klt:scope=layer,predict=2,profile=92bdb5edcccd7a78 (bits)' at screen 0.39663,0.89290 left noenhanced
  set arrow from screen 0.11284,0.85217 to screen 0.13284,0.85217 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.12284,0.85217 point pt 15 ps size lc rgb '#66A61E'
  set label 'kvtc:page=1024,profile=1b7913914da6b9e0 (bits)' at screen 0.13712,0.85217 left noenhanced
  set arrow from screen 0.49915,0.85217 to screen 0.51915,0.85217 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.50915,0.85217 point pt 11 ps size lc rgb '#7570B3'
  set label 'kivi (b)' at screen 0.52344,0.85217 left noenhanced
  set arrow from screen 0.59938,0.85217 to screen 0.61938,0.85217 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.60938,0.85217 point pt 10 ps size lc rgb '#8C6D1F'
  set label 'klt:profile=30fc5d6f2de519e0 (bits)' at screen 0.62366,0.85217 left noenhanced
  set arrow from screen 0.03873,0.81144 to screen 0.05873,0.81144 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.04873,0.81144 point pt 15 ps size lc rgb '#8C6D1F'
  set label 'klt:scope=layer,predict=1,profile=30fc5d6f2de519e0 (bits)' at screen 0.06301,0.81144 left noenhanced
  set arrow from screen 0.50786,0.81144 to screen 0.52786,0.81144 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.51786,0.81144 point pt 14 ps size lc rgb '#8C6D1F'
  set label 'klt:scope=layer,predict=2,profile=30fc5d6f2de519e0 (bits)' at screen 0.53214,0.81144 left noenhanced
  set arrow from screen 0.03873,0.77072 to screen 0.05873,0.77072 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.04873,0.77072 point pt 7 ps size lc rgb '#8C6D1F'
  set label 'klt:scope=layer,predict=2,restart=6,profile=30fc5d6f2de519e0 (bits)' at screen 0.06301,0.77072 left noenhanced
  set arrow from screen 0.58314,0.77072 to screen 0.60314,0.77072 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.59314,0.77072 point pt 6 ps size lc rgb '#8C6D1F'
  set label 'klt:scope=layer,profile=30fc5d6f2de519e0 (bits)' at screen 0.60743,0.77072 left noenhanced
  set arrow from screen 0.24953,0.72999 to screen 0.26953,0.72999 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.25953,0.72999 point pt 14 ps size lc rgb '#66A61E'
  set label 'kvtc:page=1024,profile=7cb09e011fb99eff (bits)' at screen 0.27381,0.72999 left noenhanced
  set arrow from screen 0.63584,0.72999 to screen 0.65584,0.72999 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front' at screen 0.66013,0.72999 left noenhanced
  set xlabel 'real bits per value' noenhanced
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.65671; set bmargin at screen 0.10147
  set title 'gemma-3-270m-q4_k_m (gemma3-270m-cold)' noenhanced offset 0,-0.6
  set label 999 'mean KL divergence, nats' at screen 0.00971,0.37909 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:($3 > 9.3392e-05 ? $3 : 9.3392e-05):(0):($4 - ($3 > 9.3392e-05 ? $3 : 9.3392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 2 using 1:($3 > 9.3392e-05 ? $3 : 9.3392e-05):(0):($4 - ($3 > 9.3392e-05 ? $3 : 9.3392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 2 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 3 using 1:($3 > 9.3392e-05 ? $3 : 9.3392e-05):(0):($4 - ($3 > 9.3392e-05 ? $3 : 9.3392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 3 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 4 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.65671; set bmargin at screen 0.10147
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m-cold)' noenhanced offset 0,-0.6
  unset label
  unset arrow
  set label 999 'mean KL divergence, nats' at screen 0.50971,0.37909 center rotate noenhanced
  plot data index 5 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 6 using 1:($3 > 9.3392e-05 ? $3 : 9.3392e-05):(0):($4 - ($3 > 9.3392e-05 ? $3 : 9.3392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 6 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 7 using 1:($3 > 9.3392e-05 ? $3 : 9.3392e-05):(0):($4 - ($3 > 9.3392e-05 ? $3 : 9.3392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 7 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 8 using 1:($3 > 9.3392e-05 ? $3 : 9.3392e-05):(0):($4 - ($3 > 9.3392e-05 ? $3 : 9.3392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 8 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 9 using 1:($3 > 9.3392e-05 ? $3 : 9.3392e-05):(0):($4 - ($3 > 9.3392e-05 ? $3 : 9.3392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 9 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 10 using 1:($3 > 9.3392e-05 ? $3 : 9.3392e-05):(0):($4 - ($3 > 9.3392e-05 ? $3 : 9.3392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 10 using 1:2 with points pt 14 ps size lc rgb '#8C6D1F' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 11 using 1:($3 > 9.3392e-05 ? $3 : 9.3392e-05):(0):($4 - ($3 > 9.3392e-05 ? $3 : 9.3392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 11 using 1:2 with points pt 7 ps size lc rgb '#8C6D1F' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 12 using 1:($3 > 9.3392e-05 ? $3 : 9.3392e-05):(0):($4 - ($3 > 9.3392e-05 ? $3 : 9.3392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 12 using 1:2 with points pt 6 ps size lc rgb '#8C6D1F' notitle, \
      data index 13 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 13 using 1:($3 > 9.3392e-05 ? $3 : 9.3392e-05):(0):($4 - ($3 > 9.3392e-05 ? $3 : 9.3392e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 13 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 14 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
