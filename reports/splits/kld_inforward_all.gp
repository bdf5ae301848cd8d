# KL divergence from the bf16 cache against measured bits of the coded values (in-forward)
# Redraw in this folder: gnuplot kld_inforward_all.gp
data = 'kld_inforward_all.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1400,1238 enhanced font 'Arial,17' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 2800,2477 enhanced font 'DejaVu Sans,17' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'kld_inforward_all.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold KL divergence from the bf16 cache against measured bits of the coded values (in-forward)}' at screen 0.5,0.98224 center font ',20'
  set label 2 'passages of 2048 + 64 scored tokens; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn; profiles not counted' at screen 0.5,0.96124 center font ',15' tc rgb '#444444' noenhanced
  set xrange [0.5:9]
  set yrange [6.09491e-05:7.09311]
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
  set arrow from screen 0.01519,0.93864 to screen 0.03519,0.93864 nohead lw 1.2 dt 1 lc rgb '#AA3377'
  set label '' at screen 0.02519,0.93864 point pt 13 ps size lc rgb '#AA3377'
  set label 'fp8' at screen 0.03948,0.93864 left noenhanced
  set arrow from screen 0.07778,0.93864 to screen 0.09778,0.93864 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.08778,0.93864 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:pack=rans (q)' at screen 0.10206,0.93864 left noenhanced
  set arrow from screen 0.23824,0.93864 to screen 0.25824,0.93864 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.24824,0.93864 point pt 6 ps size lc rgb '#0072B2'
  set label 'e8:rule=published (q)' at screen 0.26252,0.93864 left noenhanced
  set arrow from screen 0.43634,0.93864 to screen 0.45634,0.93864 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.44634,0.93864 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:center=mean (bits)' at screen 0.46062,0.93864 left noenhanced
  set arrow from screen 0.64949,0.93864 to screen 0.66949,0.93864 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.65949,0.93864 point pt 6 ps size lc rgb '#000000'
  set label 'ece8:center=mean,page=128 (bits)' at screen 0.67378,0.93864 left noenhanced
  set arrow from screen 0.93041,0.93864 to screen 0.95041,0.93864 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.94041,0.93864 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'int4' at screen 0.95469,0.93864 left noenhanced
  set arrow from screen 0.10295,0.91530 to screen 0.12295,0.91530 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.11295,0.91530 point pt 15 ps size lc rgb '#66A61E'
  set label 'int8' at screen 0.12724,0.91530 left noenhanced
  set arrow from screen 0.17306,0.91530 to screen 0.19306,0.91530 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.18306,0.91530 point pt 11 ps size lc rgb '#7570B3'
  set label 'iq4_nl:rotate=64' at screen 0.19735,0.91530 left noenhanced
  set arrow from screen 0.33352,0.91530 to screen 0.35352,0.91530 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.34352,0.91530 point pt 15 ps size lc rgb '#CC79A7'
  set label 'kivi (b)' at screen 0.35781,0.91530 left noenhanced
  set arrow from screen 0.43375,0.91530 to screen 0.45375,0.91530 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.44375,0.91530 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,page=128 (bits)' at screen 0.45804,0.91530 left noenhanced
  set arrow from screen 0.70714,0.91530 to screen 0.72714,0.91530 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.71714,0.91530 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq (bits)' at screen 0.73142,0.91530 left noenhanced
  set arrow from screen 0.06884,0.89197 to screen 0.08884,0.89197 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.07884,0.89197 point pt 15 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=128 (bits)' at screen 0.09313,0.89197 left noenhanced
  set arrow from screen 0.50786,0.89197 to screen 0.52786,0.89197 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.51786,0.89197 point pt 14 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=512 (bits)' at screen 0.53214,0.89197 left noenhanced
  set arrow from screen 0.07166,0.86863 to screen 0.09166,0.86863 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.08166,0.86863 point pt 7 ps size lc rgb '#CC0000'
  set label 'klt:page=128 (bits)' at screen 0.09594,0.86863 left noenhanced
  set arrow from screen 0.25470,0.86863 to screen 0.27470,0.86863 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.26470,0.86863 point pt 6 ps size lc rgb '#CC0000'
  set label 'klt (bits)' at screen 0.27899,0.86863 left noenhanced
  set arrow from screen 0.36999,0.86863 to screen 0.38999,0.86863 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.37999,0.86863 point pt 5 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,restart=1,page=512 (bits)' at screen 0.39427,0.86863 left noenhanced
  set arrow from screen 0.71866,0.86863 to screen 0.73866,0.86863 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.72866,0.86863 point pt 11 ps size lc rgb '#777777'
  set label 'mxfp4' at screen 0.74294,0.86863 left noenhanced
  set arrow from screen 0.79630,0.86863 to screen 0.81630,0.86863 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.80630,0.86863 point pt 15 ps size lc rgb '#8C6D1F'
  set label 'nvfp4' at screen 0.82059,0.86863 left noenhanced
  set arrow from screen 0.87394,0.86863 to screen 0.89394,0.86863 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.88394,0.86863 point pt 11 ps size lc rgb '#66A61E'
  set label 'q4_0' at screen 0.89823,0.86863 left noenhanced
  set arrow from screen 0.03660,0.84530 to screen 0.05660,0.84530 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.04660,0.84530 point pt 10 ps size lc rgb '#66A61E'
  set label 'q4_0:rotate=64' at screen 0.06089,0.84530 left noenhanced
  set arrow from screen 0.18200,0.84530 to screen 0.20200,0.84530 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.19200,0.84530 point pt 15 ps size lc rgb '#7570B3'
  set label 'q4_1:rotate=64' at screen 0.20629,0.84530 left noenhanced
  set arrow from screen 0.32740,0.84530 to screen 0.34740,0.84530 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.33740,0.84530 point pt 11 ps size lc rgb '#CC79A7'
  set label 'q5_0:rotate=64' at screen 0.35169,0.84530 left noenhanced
  set arrow from screen 0.47280,0.84530 to screen 0.49280,0.84530 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.48280,0.84530 point pt 15 ps size lc rgb '#777777'
  set label 'q5_1:rotate=64' at screen 0.49709,0.84530 left noenhanced
  set arrow from screen 0.61820,0.84530 to screen 0.63820,0.84530 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.62820,0.84530 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'q8_0' at screen 0.64249,0.84530 left noenhanced
  set arrow from screen 0.68831,0.84530 to screen 0.70831,0.84530 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.69831,0.84530 point pt 10 ps size lc rgb '#8C6D1F'
  set label 'q8_0:rotate=64' at screen 0.71260,0.84530 left noenhanced
  set arrow from screen 0.83371,0.84530 to screen 0.85371,0.84530 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.84371,0.84530 point pt 15 ps size lc rgb '#66A61E'
  set label 'turboquant (b)' at screen 0.85800,0.84530 left noenhanced
  set arrow from screen 0.19941,0.82196 to screen 0.21941,0.82196 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.20941,0.82196 point pt 14 ps size lc rgb '#66A61E'
  set label 'turboquant:mode=prod (b)' at screen 0.22370,0.82196 left noenhanced
  set arrow from screen 0.42010,0.82196 to screen 0.44010,0.82196 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front' at screen 0.44439,0.82196 left noenhanced
  set arrow from screen 0.55044,0.82196 to screen 0.57044,0.82196 nohead lw 1.5 dt 2 lc rgb '#555555'
  set label 'nothing coded: bf16 arithmetic' at screen 0.57473,0.82196 left noenhanced
  set xlabel 'measured bits per value of the coded values' noenhanced
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.77998; set bmargin at screen 0.46185
  set title 'gemma-3-270m-q4_k_m (gemma3-270m, held-out), 14 passages' noenhanced offset 0,-0.6 font ',16'
  set label 999 'mean KL divergence, nats' at screen 0.00971,0.62091 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 2 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 2 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 3 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 3 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 4 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 4 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 5 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 5 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 6 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 6 using 1:2 with points pt 6 ps size lc rgb '#000000' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 7 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 7 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 8 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 8 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 9 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 9 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 10 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 10 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 11 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 11 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 12 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 12 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 13 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 13 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 13 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 14 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 14 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 14 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 15 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 15 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 15 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 16 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 16 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 16 using 1:2 with points pt 6 ps size lc rgb '#CC0000' notitle, \
      data index 17 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 17 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 17 using 1:2 with points pt 5 ps size lc rgb '#CC0000' notitle, \
      data index 18 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 18 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 18 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 19 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 19 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 19 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 20 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 20 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 20 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 21 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 21 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 21 using 1:2 with points pt 10 ps size lc rgb '#66A61E' notitle, \
      data index 22 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 22 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 22 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 23 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 23 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 23 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 24 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 24 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 24 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 25 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 25 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 25 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 26 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 26 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 26 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 27 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 27 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 27 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 28 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 28 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 28 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 29 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.77998; set bmargin at screen 0.46185
  set title 'gemma-3-270m-q4_k_m (gemma3-270m-development, development), 32 passages' noenhanced offset 0,-0.6 font ',13'
  unset label
  unset arrow
  set label 999 'mean KL divergence, nats' at screen 0.50971,0.62091 center rotate noenhanced
  plot data index 30 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 31 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 32 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 32 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 32 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 33 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 33 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 33 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 34 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 34 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 34 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 35 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 35 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 35 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 36 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 36 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 36 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 37 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 37 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 37 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 38 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 38 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 38 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 39 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 39 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 39 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 40 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 40 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 40 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 41 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 41 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 41 using 1:2 with points pt 6 ps size lc rgb '#CC0000' notitle, \
      data index 42 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 42 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 42 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 43 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 43 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 43 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 44 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 44 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 44 using 1:2 with points pt 10 ps size lc rgb '#66A61E' notitle, \
      data index 45 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 45 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 45 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 46 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 46 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 46 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 47 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 47 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 47 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 48 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 48 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 48 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 49 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 49 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 49 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 50 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 50 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 50 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 51 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.37626; set bmargin at screen 0.05813
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m, held-out), 37 passages' noenhanced offset 0,-0.6 font ',14'
  set label 999 'mean KL divergence, nats' at screen 0.00971,0.21720 center rotate noenhanced
  plot data index 52 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 53 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 54 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 54 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 54 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 55 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 55 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 55 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 56 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 56 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 56 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 57 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 57 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 57 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 58 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 58 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 58 using 1:2 with points pt 6 ps size lc rgb '#000000' notitle, \
      data index 59 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 59 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 59 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 60 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 60 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 60 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 61 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 61 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 61 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 62 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 62 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 62 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 63 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 63 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 63 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 64 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 64 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 64 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 65 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 65 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 65 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 66 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 66 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 66 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 67 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 67 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 67 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 68 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 68 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 68 using 1:2 with points pt 6 ps size lc rgb '#CC0000' notitle, \
      data index 69 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 69 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 69 using 1:2 with points pt 5 ps size lc rgb '#CC0000' notitle, \
      data index 70 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 70 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 70 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 71 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 71 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 71 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 72 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 72 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 72 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 73 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 73 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 73 using 1:2 with points pt 10 ps size lc rgb '#66A61E' notitle, \
      data index 74 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 74 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 74 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 75 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 75 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 75 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 76 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 76 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 76 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 77 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 77 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 77 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 78 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 78 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 78 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 79 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 79 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 79 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 80 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 80 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 80 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 81 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.37626; set bmargin at screen 0.05813
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m-development, development), 32 passages' noenhanced offset 0,-0.6 font ',11'
  set label 999 'mean KL divergence, nats' at screen 0.50971,0.21720 center rotate noenhanced
  plot data index 82 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 83 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 84 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 84 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 84 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 85 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 85 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 85 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 86 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 86 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 86 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 87 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 87 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 87 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 88 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 88 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 88 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 89 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 89 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 89 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 90 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 90 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 90 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 91 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 91 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 91 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 92 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 92 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 92 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 93 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 93 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 93 using 1:2 with points pt 6 ps size lc rgb '#CC0000' notitle, \
      data index 94 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 94 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 94 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 95 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 95 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 95 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 96 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 96 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 96 using 1:2 with points pt 10 ps size lc rgb '#66A61E' notitle, \
      data index 97 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 97 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 97 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 98 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 98 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 98 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 99 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 99 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 99 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 100 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 100 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 100 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 101 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 101 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 101 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 102 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 102 using 1:($3 > 6.09491e-05 ? $3 : 6.09491e-05):(0):($4 - ($3 > 6.09491e-05 ? $3 : 6.09491e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 102 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 103 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
