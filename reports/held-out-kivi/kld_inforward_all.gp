# KL divergence from the bf16 cache against measured bits of the whole cache (in-forward)
# Redraw in this folder: gnuplot kld_inforward_all.gp
data = 'kld_inforward_all.dat'
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
  set output 'kld_inforward_all.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold KL divergence from the bf16 cache against measured bits of the whole cache (in-forward)}' at screen 0.5,0.96900 center font ',20'
  set label 2 'passages of 2048 + 64 scored tokens; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn; profiles not counted' at screen 0.5,0.93236 center font ',15' tc rgb '#444444' noenhanced
  set xrange [2:11.5]
  set yrange [1.42799e-05:1.51063]
  set logscale y
  set format y '%g'
  set xtics 2 nomirror
  set ytics nomirror
  set mxtics 2
  set mytics 10
  set border 3 lc rgb '#444444'
  set tics textcolor rgb '#222222'
  set grid xtics ytics lt 1 lw 0.6 lc rgb '#d9d9d9'
  unset key
  set arrow from screen 0.01519,0.89290 to screen 0.03519,0.89290 nohead lw 1.2 dt 1 lc rgb '#AA3377'
  set label '' at screen 0.02519,0.89290 point pt 13 ps size lc rgb '#AA3377'
  set label 'fp8' at screen 0.03948,0.89290 left noenhanced
  set arrow from screen 0.07778,0.89290 to screen 0.09778,0.89290 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.08778,0.89290 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:pack=rans (q)' at screen 0.10206,0.89290 left noenhanced
  set arrow from screen 0.23824,0.89290 to screen 0.25824,0.89290 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.24824,0.89290 point pt 6 ps size lc rgb '#0072B2'
  set label 'e8:rule=published (q)' at screen 0.26252,0.89290 left noenhanced
  set arrow from screen 0.43634,0.89290 to screen 0.45634,0.89290 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.44634,0.89290 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:center=mean (bits)' at screen 0.46062,0.89290 left noenhanced
  set arrow from screen 0.64949,0.89290 to screen 0.66949,0.89290 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.65949,0.89290 point pt 6 ps size lc rgb '#000000'
  set label 'ece8:center=mean,page=128 (bits)' at screen 0.67378,0.89290 left noenhanced
  set arrow from screen 0.93041,0.89290 to screen 0.95041,0.89290 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.94041,0.89290 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'int4' at screen 0.95469,0.89290 left noenhanced
  set arrow from screen 0.10295,0.85217 to screen 0.12295,0.85217 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.11295,0.85217 point pt 15 ps size lc rgb '#66A61E'
  set label 'int8' at screen 0.12724,0.85217 left noenhanced
  set arrow from screen 0.17306,0.85217 to screen 0.19306,0.85217 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.18306,0.85217 point pt 11 ps size lc rgb '#7570B3'
  set label 'iq4_nl:rotate=64' at screen 0.19735,0.85217 left noenhanced
  set arrow from screen 0.33352,0.85217 to screen 0.35352,0.85217 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.34352,0.85217 point pt 15 ps size lc rgb '#CC79A7'
  set label 'kivi (b)' at screen 0.35781,0.85217 left noenhanced
  set arrow from screen 0.43375,0.85217 to screen 0.45375,0.85217 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.44375,0.85217 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,page=128 (bits)' at screen 0.45804,0.85217 left noenhanced
  set arrow from screen 0.70714,0.85217 to screen 0.72714,0.85217 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.71714,0.85217 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq (bits)' at screen 0.73142,0.85217 left noenhanced
  set arrow from screen 0.03002,0.81144 to screen 0.05002,0.81144 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.04002,0.81144 point pt 15 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=128 (bits)' at screen 0.05431,0.81144 left noenhanced
  set arrow from screen 0.46904,0.81144 to screen 0.48904,0.81144 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.47904,0.81144 point pt 14 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=512 (bits)' at screen 0.49332,0.81144 left noenhanced
  set arrow from screen 0.90805,0.81144 to screen 0.92805,0.81144 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.91805,0.81144 point pt 11 ps size lc rgb '#777777'
  set label 'mxfp4' at screen 0.93234,0.81144 left noenhanced
  set arrow from screen 0.03284,0.77072 to screen 0.05284,0.77072 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.04284,0.77072 point pt 15 ps size lc rgb '#8C6D1F'
  set label 'nvfp4' at screen 0.05712,0.77072 left noenhanced
  set arrow from screen 0.11048,0.77072 to screen 0.13048,0.77072 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.12048,0.77072 point pt 11 ps size lc rgb '#66A61E'
  set label 'q4_0:rotate=64' at screen 0.13476,0.77072 left noenhanced
  set arrow from screen 0.25588,0.77072 to screen 0.27588,0.77072 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.26588,0.77072 point pt 15 ps size lc rgb '#7570B3'
  set label 'q4_1:rotate=64' at screen 0.28016,0.77072 left noenhanced
  set arrow from screen 0.40128,0.77072 to screen 0.42128,0.77072 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.41128,0.77072 point pt 11 ps size lc rgb '#CC79A7'
  set label 'q5_0:rotate=64' at screen 0.42556,0.77072 left noenhanced
  set arrow from screen 0.54668,0.77072 to screen 0.56668,0.77072 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.55668,0.77072 point pt 15 ps size lc rgb '#777777'
  set label 'q5_1:rotate=64' at screen 0.57096,0.77072 left noenhanced
  set arrow from screen 0.69208,0.77072 to screen 0.71208,0.77072 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.70208,0.77072 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'q8_0:rotate=64' at screen 0.71636,0.77072 left noenhanced
  set arrow from screen 0.83748,0.77072 to screen 0.85748,0.77072 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.84748,0.77072 point pt 15 ps size lc rgb '#66A61E'
  set label 'turboquant (b)' at screen 0.86176,0.77072 left noenhanced
  set arrow from screen 0.02884,0.72999 to screen 0.04884,0.72999 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.03884,0.72999 point pt 14 ps size lc rgb '#66A61E'
  set label 'turboquant:mode=prod (b)' at screen 0.05313,0.72999 left noenhanced
  set arrow from screen 0.24953,0.72999 to screen 0.26953,0.72999 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front' at screen 0.27381,0.72999 left noenhanced
  set arrow from screen 0.37987,0.72999 to screen 0.39987,0.72999 nohead lw 1.5 dt 2 lc rgb '#555555'
  set label 'nothing coded: bf16 arithmetic' at screen 0.40416,0.72999 left noenhanced
  set arrow from screen 0.64573,0.72999 to screen 0.66573,0.72999 nohead lw 1.5 dt 3 lc rgb '#555555'
  set label 'nothing coded: another attention (fused)' at screen 0.67001,0.72999 left noenhanced
  set xlabel 'measured bits per value of the whole cache' noenhanced
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.65671; set bmargin at screen 0.10147
  set title 'gemma-3-270m-q4_k_m, held-out, 14 passages' noenhanced offset 0,-0.6
  set label 999 'mean KL divergence, nats' at screen 0.00971,0.37909 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 2 using 1:($3 > 1.42799e-05 ? $3 : 1.42799e-05):(0):($4 - ($3 > 1.42799e-05 ? $3 : 1.42799e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 2 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 3 using 1:($3 > 1.42799e-05 ? $3 : 1.42799e-05):(0):($4 - ($3 > 1.42799e-05 ? $3 : 1.42799e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 3 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 4 using 1:($3 > 1.42799e-05 ? $3 : 1.42799e-05):(0):($4 - ($3 > 1.42799e-05 ? $3 : 1.42799e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 4 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 5 using 1:($3 > 1.42799e-05 ? $3 : 1.42799e-05):(0):($4 - ($3 > 1.42799e-05 ? $3 : 1.42799e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 5 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 6 using 1:($3 > 1.42799e-05 ? $3 : 1.42799e-05):(0):($4 - ($3 > 1.42799e-05 ? $3 : 1.42799e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 6 using 1:2 with points pt 6 ps size lc rgb '#000000' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 7 using 1:($3 > 1.42799e-05 ? $3 : 1.42799e-05):(0):($4 - ($3 > 1.42799e-05 ? $3 : 1.42799e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 7 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 8 using 1:($3 > 1.42799e-05 ? $3 : 1.42799e-05):(0):($4 - ($3 > 1.42799e-05 ? $3 : 1.42799e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 8 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 9 using 1:($3 > 1.42799e-05 ? $3 : 1.42799e-05):(0):($4 - ($3 > 1.42799e-05 ? $3 : 1.42799e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 9 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 10 using 1:($3 > 1.42799e-05 ? $3 : 1.42799e-05):(0):($4 - ($3 > 1.42799e-05 ? $3 : 1.42799e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 10 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 11 using 1:($3 > 1.42799e-05 ? $3 : 1.42799e-05):(0):($4 - ($3 > 1.42799e-05 ? $3 : 1.42799e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 11 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 12 using 1:($3 > 1.42799e-05 ? $3 : 1.42799e-05):(0):($4 - ($3 > 1.42799e-05 ? $3 : 1.42799e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 12 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 13 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 13 using 1:($3 > 1.42799e-05 ? $3 : 1.42799e-05):(0):($4 - ($3 > 1.42799e-05 ? $3 : 1.42799e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 13 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 14 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 14 using 1:($3 > 1.42799e-05 ? $3 : 1.42799e-05):(0):($4 - ($3 > 1.42799e-05 ? $3 : 1.42799e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 14 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 15 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 15 using 1:($3 > 1.42799e-05 ? $3 : 1.42799e-05):(0):($4 - ($3 > 1.42799e-05 ? $3 : 1.42799e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 15 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 16 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 16 using 1:($3 > 1.42799e-05 ? $3 : 1.42799e-05):(0):($4 - ($3 > 1.42799e-05 ? $3 : 1.42799e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 16 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 17 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 17 using 1:($3 > 1.42799e-05 ? $3 : 1.42799e-05):(0):($4 - ($3 > 1.42799e-05 ? $3 : 1.42799e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 17 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 18 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 18 using 1:($3 > 1.42799e-05 ? $3 : 1.42799e-05):(0):($4 - ($3 > 1.42799e-05 ? $3 : 1.42799e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 18 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 19 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 19 using 1:($3 > 1.42799e-05 ? $3 : 1.42799e-05):(0):($4 - ($3 > 1.42799e-05 ? $3 : 1.42799e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 19 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 20 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 20 using 1:($3 > 1.42799e-05 ? $3 : 1.42799e-05):(0):($4 - ($3 > 1.42799e-05 ? $3 : 1.42799e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 20 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 21 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 21 using 1:($3 > 1.42799e-05 ? $3 : 1.42799e-05):(0):($4 - ($3 > 1.42799e-05 ? $3 : 1.42799e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 21 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 22 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 22 using 1:($3 > 1.42799e-05 ? $3 : 1.42799e-05):(0):($4 - ($3 > 1.42799e-05 ? $3 : 1.42799e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 22 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 23 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 23 using 1:($3 > 1.42799e-05 ? $3 : 1.42799e-05):(0):($4 - ($3 > 1.42799e-05 ? $3 : 1.42799e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 23 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 24 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.65671; set bmargin at screen 0.10147
  set title 'SmolLM2-135M-Instruct.Q4_1, held-out, 37 passages' noenhanced offset 0,-0.6
  unset label
  unset arrow
  set label 999 'mean KL divergence, nats' at screen 0.50971,0.37909 center rotate noenhanced
  plot data index 25 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 26 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 27 using 1:2 with lines lw 1.5 dt 3 lc rgb '#555555' notitle, \
      data index 28 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 28 using 1:($3 > 1.42799e-05 ? $3 : 1.42799e-05):(0):($4 - ($3 > 1.42799e-05 ? $3 : 1.42799e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 28 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 29 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 29 using 1:($3 > 1.42799e-05 ? $3 : 1.42799e-05):(0):($4 - ($3 > 1.42799e-05 ? $3 : 1.42799e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 29 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 30 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 30 using 1:($3 > 1.42799e-05 ? $3 : 1.42799e-05):(0):($4 - ($3 > 1.42799e-05 ? $3 : 1.42799e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 30 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 31 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 31 using 1:($3 > 1.42799e-05 ? $3 : 1.42799e-05):(0):($4 - ($3 > 1.42799e-05 ? $3 : 1.42799e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 31 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 32 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 32 using 1:($3 > 1.42799e-05 ? $3 : 1.42799e-05):(0):($4 - ($3 > 1.42799e-05 ? $3 : 1.42799e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 32 using 1:2 with points pt 6 ps size lc rgb '#000000' notitle, \
      data index 33 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 33 using 1:($3 > 1.42799e-05 ? $3 : 1.42799e-05):(0):($4 - ($3 > 1.42799e-05 ? $3 : 1.42799e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 33 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 34 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 34 using 1:($3 > 1.42799e-05 ? $3 : 1.42799e-05):(0):($4 - ($3 > 1.42799e-05 ? $3 : 1.42799e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 34 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 35 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 35 using 1:($3 > 1.42799e-05 ? $3 : 1.42799e-05):(0):($4 - ($3 > 1.42799e-05 ? $3 : 1.42799e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 35 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 36 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 36 using 1:($3 > 1.42799e-05 ? $3 : 1.42799e-05):(0):($4 - ($3 > 1.42799e-05 ? $3 : 1.42799e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 36 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 37 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 37 using 1:($3 > 1.42799e-05 ? $3 : 1.42799e-05):(0):($4 - ($3 > 1.42799e-05 ? $3 : 1.42799e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 37 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 38 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 38 using 1:($3 > 1.42799e-05 ? $3 : 1.42799e-05):(0):($4 - ($3 > 1.42799e-05 ? $3 : 1.42799e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 38 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 39 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 39 using 1:($3 > 1.42799e-05 ? $3 : 1.42799e-05):(0):($4 - ($3 > 1.42799e-05 ? $3 : 1.42799e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 39 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 40 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 40 using 1:($3 > 1.42799e-05 ? $3 : 1.42799e-05):(0):($4 - ($3 > 1.42799e-05 ? $3 : 1.42799e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 40 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 41 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 41 using 1:($3 > 1.42799e-05 ? $3 : 1.42799e-05):(0):($4 - ($3 > 1.42799e-05 ? $3 : 1.42799e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 41 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 42 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 42 using 1:($3 > 1.42799e-05 ? $3 : 1.42799e-05):(0):($4 - ($3 > 1.42799e-05 ? $3 : 1.42799e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 42 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 43 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 43 using 1:($3 > 1.42799e-05 ? $3 : 1.42799e-05):(0):($4 - ($3 > 1.42799e-05 ? $3 : 1.42799e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 43 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 44 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 44 using 1:($3 > 1.42799e-05 ? $3 : 1.42799e-05):(0):($4 - ($3 > 1.42799e-05 ? $3 : 1.42799e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 44 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 45 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 45 using 1:($3 > 1.42799e-05 ? $3 : 1.42799e-05):(0):($4 - ($3 > 1.42799e-05 ? $3 : 1.42799e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 45 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 46 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 46 using 1:($3 > 1.42799e-05 ? $3 : 1.42799e-05):(0):($4 - ($3 > 1.42799e-05 ? $3 : 1.42799e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 46 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 47 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 47 using 1:($3 > 1.42799e-05 ? $3 : 1.42799e-05):(0):($4 - ($3 > 1.42799e-05 ? $3 : 1.42799e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 47 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 48 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 48 using 1:($3 > 1.42799e-05 ? $3 : 1.42799e-05):(0):($4 - ($3 > 1.42799e-05 ? $3 : 1.42799e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 48 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 49 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 49 using 1:($3 > 1.42799e-05 ? $3 : 1.42799e-05):(0):($4 - ($3 > 1.42799e-05 ? $3 : 1.42799e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 49 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 50 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
