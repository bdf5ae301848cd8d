# KL divergence from the bf16 cache against measured bits of the whole cache (prefix)
# Redraw in this folder: gnuplot kld_prefix_all.gp
data = 'kld_prefix_all.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1400,854 enhanced font 'Arial,17' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 2800,1708 enhanced font 'DejaVu Sans,17' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'kld_prefix_all.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold KL divergence from the bf16 cache against measured bits of the whole cache (prefix)}' at screen 0.5,0.97424 center font ',20'
  set label 2 'passages of 2048 + 64 scored tokens; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn; profiles not counted' at screen 0.5,0.94380 center font ',15' tc rgb '#444444' noenhanced
  set xrange [0:9]
  set yrange [6.72982e-06:2.55642]
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
  set arrow from screen 0.15801,0.91102 to screen 0.17801,0.91102 nohead lw 1.2 dt 1 lc rgb '#AA3377'
  set label '' at screen 0.16801,0.91102 point pt 13 ps size lc rgb '#AA3377'
  set label 'fp8' at screen 0.18229,0.91102 left noenhanced
  set arrow from screen 0.22059,0.91102 to screen 0.24059,0.91102 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.23059,0.91102 point pt 11 ps size lc rgb '#7570B3'
  set label 'K iq4_nl:rotate=256, V iq4_nl:rotate=64' at screen 0.24488,0.91102 left noenhanced
  set arrow from screen 0.55421,0.91102 to screen 0.57421,0.91102 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.56421,0.91102 point pt 15 ps size lc rgb '#CC79A7'
  set label 'K q4_0:rotate=256, V q4_0:rotate=64' at screen 0.57849,0.91102 left noenhanced
  set arrow from screen 0.05261,0.87718 to screen 0.07261,0.87718 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.06261,0.87718 point pt 11 ps size lc rgb '#777777'
  set label 'K q4_1:rotate=256, V q4_1:rotate=64' at screen 0.07689,0.87718 left noenhanced
  set arrow from screen 0.35611,0.87718 to screen 0.37611,0.87718 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.36611,0.87718 point pt 15 ps size lc rgb '#8C6D1F'
  set label 'K q5_0:rotate=256, V q5_0:rotate=64' at screen 0.38039,0.87718 left noenhanced
  set arrow from screen 0.65961,0.87718 to screen 0.67961,0.87718 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.66961,0.87718 point pt 11 ps size lc rgb '#66A61E'
  set label 'K q5_1:rotate=256, V q5_1:rotate=64' at screen 0.68389,0.87718 left noenhanced
  set arrow from screen 0.03519,0.84334 to screen 0.05519,0.84334 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.04519,0.84334 point pt 15 ps size lc rgb '#7570B3'
  set label 'K q8_0:rotate=256, V q8_0:rotate=64' at screen 0.05948,0.84334 left noenhanced
  set arrow from screen 0.33869,0.84334 to screen 0.35869,0.84334 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.34869,0.84334 point pt 6 ps size lc rgb '#0072B2'
  set label 'e8:pack=rans (q)' at screen 0.36298,0.84334 left noenhanced
  set arrow from screen 0.49915,0.84334 to screen 0.51915,0.84334 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.50915,0.84334 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:rule=published (q)' at screen 0.52344,0.84334 left noenhanced
  set arrow from screen 0.69725,0.84334 to screen 0.71725,0.84334 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.70725,0.84334 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:center=mean (bits)' at screen 0.72154,0.84334 left noenhanced
  set arrow from screen 0.91041,0.84334 to screen 0.93041,0.84334 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.92041,0.84334 point pt 11 ps size lc rgb '#CC79A7'
  set label 'int4' at screen 0.93469,0.84334 left noenhanced
  set arrow from screen 0.10789,0.80951 to screen 0.12789,0.80951 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.11789,0.80951 point pt 15 ps size lc rgb '#777777'
  set label 'int8' at screen 0.13218,0.80951 left noenhanced
  set arrow from screen 0.17801,0.80951 to screen 0.19801,0.80951 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.18801,0.80951 point pt 10 ps size lc rgb '#7570B3'
  set label 'iq4_nl:rotate=64' at screen 0.20229,0.80951 left noenhanced
  set arrow from screen 0.33846,0.80951 to screen 0.35846,0.80951 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.34846,0.80951 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'kivi (b)' at screen 0.36275,0.80951 left noenhanced
  set arrow from screen 0.43869,0.80951 to screen 0.45869,0.80951 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.44869,0.80951 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=12a90d97ac309713 (bits)' at screen 0.46298,0.80951 left noenhanced
  set arrow from screen 0.03873,0.77567 to screen 0.05873,0.77567 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.04873,0.77567 point pt 7 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=a1543a13d589330b (bits)' at screen 0.06301,0.77567 left noenhanced
  set arrow from screen 0.50786,0.77567 to screen 0.52786,0.77567 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.51786,0.77567 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=2,profile=2bec5f08efb2304c (bits)' at screen 0.53214,0.77567 left noenhanced
  set arrow from screen 0.07801,0.74183 to screen 0.09801,0.74183 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.08801,0.74183 point pt 15 ps size lc rgb '#66A61E'
  set label 'kvtc:page=1024 (bits)' at screen 0.10229,0.74183 left noenhanced
  set arrow from screen 0.27611,0.74183 to screen 0.29611,0.74183 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.28611,0.74183 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'mxfp4' at screen 0.30039,0.74183 left noenhanced
  set arrow from screen 0.35375,0.74183 to screen 0.37375,0.74183 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.36375,0.74183 point pt 15 ps size lc rgb '#66A61E'
  set label 'nvfp4' at screen 0.37804,0.74183 left noenhanced
  set arrow from screen 0.43139,0.74183 to screen 0.45139,0.74183 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.44139,0.74183 point pt 14 ps size lc rgb '#CC79A7'
  set label 'q4_0' at screen 0.45568,0.74183 left noenhanced
  set arrow from screen 0.50151,0.74183 to screen 0.52151,0.74183 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.51151,0.74183 point pt 7 ps size lc rgb '#CC79A7'
  set label 'q4_0:rotate=64' at screen 0.52579,0.74183 left noenhanced
  set arrow from screen 0.64691,0.74183 to screen 0.66691,0.74183 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.65691,0.74183 point pt 10 ps size lc rgb '#777777'
  set label 'q4_1:rotate=64' at screen 0.67119,0.74183 left noenhanced
  set arrow from screen 0.79231,0.74183 to screen 0.81231,0.74183 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.80231,0.74183 point pt 14 ps size lc rgb '#8C6D1F'
  set label 'q5_0:rotate=64' at screen 0.81659,0.74183 left noenhanced
  set arrow from screen 0.14436,0.70800 to screen 0.16436,0.70800 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.15436,0.70800 point pt 10 ps size lc rgb '#66A61E'
  set label 'q5_1:rotate=64' at screen 0.16864,0.70800 left noenhanced
  set arrow from screen 0.28976,0.70800 to screen 0.30976,0.70800 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.29976,0.70800 point pt 14 ps size lc rgb '#7570B3'
  set label 'q8_0' at screen 0.31404,0.70800 left noenhanced
  set arrow from screen 0.35987,0.70800 to screen 0.37987,0.70800 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.36987,0.70800 point pt 7 ps size lc rgb '#7570B3'
  set label 'q8_0:rotate=64' at screen 0.38416,0.70800 left noenhanced
  set arrow from screen 0.50527,0.70800 to screen 0.52527,0.70800 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.51527,0.70800 point pt 11 ps size lc rgb '#7570B3'
  set label 'turboquant (b)' at screen 0.52956,0.70800 left noenhanced
  set arrow from screen 0.65067,0.70800 to screen 0.67067,0.70800 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.66067,0.70800 point pt 10 ps size lc rgb '#7570B3'
  set label 'turboquant:mode=prod (b)' at screen 0.67496,0.70800 left noenhanced
  set arrow from screen 0.03873,0.67416 to screen 0.05873,0.67416 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.04873,0.67416 point pt 6 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=aedc4c2e3a8a1e19 (bits)' at screen 0.06301,0.67416 left noenhanced
  set arrow from screen 0.50786,0.67416 to screen 0.52786,0.67416 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.51786,0.67416 point pt 15 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=c421cdcdfb313a0a (bits)' at screen 0.53214,0.67416 left noenhanced
  set arrow from screen 0.07519,0.64032 to screen 0.09519,0.64032 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.08519,0.64032 point pt 14 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=2,profile=6e477f50a1405a31 (bits)' at screen 0.09948,0.64032 left noenhanced
  set arrow from screen 0.54432,0.64032 to screen 0.56432,0.64032 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front' at screen 0.56861,0.64032 left noenhanced
  set arrow from screen 0.67466,0.64032 to screen 0.69466,0.64032 nohead lw 1.5 dt 2 lc rgb '#555555'
  set label 'nothing coded: bf16 arithmetic' at screen 0.69895,0.64032 left noenhanced
  set arrow from screen 0.17424,0.60649 to screen 0.19424,0.60649 nohead lw 1.5 dt 3 lc rgb '#555555'
  set label 'nothing coded: another attention (fused)' at screen 0.19853,0.60649 left noenhanced
  set arrow from screen 0.51539,0.60649 to screen 0.53539,0.60649 nohead lw 1.5 dt 4 lc rgb '#555555'
  set label 'nothing coded: token by token (decode)' at screen 0.53967,0.60649 left noenhanced
  set xlabel 'measured bits per value of the whole cache' noenhanced
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.54560; set bmargin at screen 0.08430
  set title 'gemma-3-270m-q4_k_m, held-out, 14 passages' noenhanced offset 0,-0.6
  set label 999 'mean KL divergence, nats' at screen 0.00971,0.31495 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 2 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 2 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 3 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 3 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 4 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 4 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 5 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 5 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 6 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 6 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 7 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 7 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 8 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 8 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 9 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 9 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 10 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 10 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 11 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 11 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 12 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 12 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 13 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 13 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 13 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 14 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 14 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 14 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 15 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 15 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 15 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 16 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 16 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 16 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 17 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 17 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 17 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 18 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 18 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 18 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 19 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 19 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 19 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 20 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 20 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 20 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 21 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 21 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 21 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 22 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 22 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 22 using 1:2 with points pt 14 ps size lc rgb '#CC79A7' notitle, \
      data index 23 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 23 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 23 using 1:2 with points pt 7 ps size lc rgb '#CC79A7' notitle, \
      data index 24 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 24 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 24 using 1:2 with points pt 10 ps size lc rgb '#777777' notitle, \
      data index 25 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 25 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 25 using 1:2 with points pt 14 ps size lc rgb '#8C6D1F' notitle, \
      data index 26 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 26 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 26 using 1:2 with points pt 10 ps size lc rgb '#66A61E' notitle, \
      data index 27 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 27 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 27 using 1:2 with points pt 14 ps size lc rgb '#7570B3' notitle, \
      data index 28 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 28 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 28 using 1:2 with points pt 7 ps size lc rgb '#7570B3' notitle, \
      data index 29 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 29 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 29 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 30 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 30 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 30 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 31 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.54560; set bmargin at screen 0.08430
  set title 'SmolLM2-135M-Instruct.Q4_1, held-out, 37 passages' noenhanced offset 0,-0.6
  unset label
  unset arrow
  set label 999 'mean KL divergence, nats' at screen 0.50971,0.31495 center rotate noenhanced
  plot data index 32 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 33 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 34 using 1:2 with lines lw 1.5 dt 3 lc rgb '#555555' notitle, \
      data index 35 using 1:2 with lines lw 1.5 dt 4 lc rgb '#555555' notitle, \
      data index 36 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 36 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 36 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 37 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 37 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 37 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 38 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 38 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 38 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 39 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 39 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 39 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 40 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 40 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 40 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 41 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 41 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 41 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 42 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 42 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 42 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 43 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 43 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 43 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 44 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 44 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 44 using 1:2 with points pt 6 ps size lc rgb '#CC0000' notitle, \
      data index 45 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 45 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 45 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 46 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 46 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 46 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 47 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 47 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 47 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 48 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 48 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 48 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 49 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 49 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 49 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 50 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 50 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 50 using 1:2 with points pt 14 ps size lc rgb '#CC79A7' notitle, \
      data index 51 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 51 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 51 using 1:2 with points pt 7 ps size lc rgb '#CC79A7' notitle, \
      data index 52 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 52 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 52 using 1:2 with points pt 10 ps size lc rgb '#777777' notitle, \
      data index 53 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 53 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 53 using 1:2 with points pt 14 ps size lc rgb '#8C6D1F' notitle, \
      data index 54 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 54 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 54 using 1:2 with points pt 10 ps size lc rgb '#66A61E' notitle, \
      data index 55 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 55 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 55 using 1:2 with points pt 14 ps size lc rgb '#7570B3' notitle, \
      data index 56 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 56 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 56 using 1:2 with points pt 7 ps size lc rgb '#7570B3' notitle, \
      data index 57 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 57 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 57 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 58 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 58 using 1:($3 > 6.72982e-06 ? $3 : 6.72982e-06):(0):($4 - ($3 > 6.72982e-06 ? $3 : 6.72982e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 58 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 59 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
