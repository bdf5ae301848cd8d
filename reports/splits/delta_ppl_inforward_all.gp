# Change of perplexity against measured bits of the whole cache (in-forward)
# Redraw in this folder: gnuplot delta_ppl_inforward_all.gp
data = 'delta_ppl_inforward_all.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1400,1556 enhanced font 'Arial,17' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 2800,3113 enhanced font 'DejaVu Sans,17' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'delta_ppl_inforward_all.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold Change of perplexity against measured bits of the whole cache (in-forward)}' at screen 0.5,0.98586 center font ',20'
  set label 2 'passages of 2048 + 64 scored tokens; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn; noise alone is above 0' at screen 0.5,0.96916 center font ',15' tc rgb '#444444' noenhanced
  set xrange [1:9]
  set yrange [0.0636579:13301.5]
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
  set arrow from screen 0.15801,0.95117 to screen 0.17801,0.95117 nohead lw 1.2 dt 1 lc rgb '#AA3377'
  set label '' at screen 0.16801,0.95117 point pt 13 ps size lc rgb '#AA3377'
  set label 'fp8' at screen 0.18229,0.95117 left noenhanced
  set arrow from screen 0.22059,0.95117 to screen 0.24059,0.95117 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.23059,0.95117 point pt 11 ps size lc rgb '#7570B3'
  set label 'K iq4_nl:rotate=256, V iq4_nl:rotate=64' at screen 0.24488,0.95117 left noenhanced
  set arrow from screen 0.55421,0.95117 to screen 0.57421,0.95117 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.56421,0.95117 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'K q4_0:rotate=256, V q4_0:rotate=64' at screen 0.57849,0.95117 left noenhanced
  set arrow from screen 0.05261,0.93260 to screen 0.07261,0.93260 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.06261,0.93260 point pt 15 ps size lc rgb '#CC79A7'
  set label 'K q4_1:rotate=256, V q4_1:rotate=64' at screen 0.07689,0.93260 left noenhanced
  set arrow from screen 0.35611,0.93260 to screen 0.37611,0.93260 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.36611,0.93260 point pt 11 ps size lc rgb '#777777'
  set label 'K q5_0:rotate=256, V q5_0:rotate=64' at screen 0.38039,0.93260 left noenhanced
  set arrow from screen 0.65961,0.93260 to screen 0.67961,0.93260 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.66961,0.93260 point pt 15 ps size lc rgb '#8C6D1F'
  set label 'K q5_1:rotate=256, V q5_1:rotate=64' at screen 0.68389,0.93260 left noenhanced
  set arrow from screen 0.06272,0.91403 to screen 0.08272,0.91403 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.07272,0.91403 point pt 11 ps size lc rgb '#66A61E'
  set label 'K q8_0:rotate=256, V q8_0:rotate=64' at screen 0.08701,0.91403 left noenhanced
  set arrow from screen 0.36622,0.91403 to screen 0.38622,0.91403 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.37622,0.91403 point pt 6 ps size lc rgb '#0072B2'
  set label 'e8:pack=rans (q)' at screen 0.39051,0.91403 left noenhanced
  set arrow from screen 0.52668,0.91403 to screen 0.54668,0.91403 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.53668,0.91403 point pt 5 ps size lc rgb '#0072B2'
  set label 'e8:pack=rans,page=128 (q)' at screen 0.55096,0.91403 left noenhanced
  set arrow from screen 0.75489,0.91403 to screen 0.77489,0.91403 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.76489,0.91403 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:rule=published (q)' at screen 0.77918,0.91403 left noenhanced
  set arrow from screen 0.06036,0.89546 to screen 0.08036,0.89546 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.07036,0.89546 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:center=mean (bits)' at screen 0.08465,0.89546 left noenhanced
  set arrow from screen 0.27352,0.89546 to screen 0.29352,0.89546 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.28352,0.89546 point pt 6 ps size lc rgb '#000000'
  set label 'ece8:center=mean,page=128 (bits)' at screen 0.29781,0.89546 left noenhanced
  set arrow from screen 0.55444,0.89546 to screen 0.57444,0.89546 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.56444,0.89546 point pt 15 ps size lc rgb '#7570B3'
  set label 'int4' at screen 0.57872,0.89546 left noenhanced
  set arrow from screen 0.62455,0.89546 to screen 0.64455,0.89546 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.63455,0.89546 point pt 11 ps size lc rgb '#CC79A7'
  set label 'int8' at screen 0.64884,0.89546 left noenhanced
  set arrow from screen 0.69466,0.89546 to screen 0.71466,0.89546 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.70466,0.89546 point pt 10 ps size lc rgb '#7570B3'
  set label 'iq4_nl:rotate=64' at screen 0.71895,0.89546 left noenhanced
  set arrow from screen 0.85512,0.89546 to screen 0.87512,0.89546 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.86512,0.89546 point pt 15 ps size lc rgb '#66A61E'
  set label 'kivi (b)' at screen 0.87941,0.89546 left noenhanced
  set arrow from screen 0.04626,0.87690 to screen 0.06626,0.87690 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.05626,0.87690 point pt 7 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,page=128,profile=12779678b66778d0 (bits)' at screen 0.07054,0.87690 left noenhanced
  set arrow from screen 0.50786,0.87690 to screen 0.52786,0.87690 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.51786,0.87690 point pt 6 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,page=128,profile=93a1d24c39740d16 (bits)' at screen 0.53214,0.87690 left noenhanced
  set arrow from screen 0.31094,0.85833 to screen 0.33094,0.85833 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.32094,0.85833 point pt 5 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,profile=12779678b66778d0 (bits)' at screen 0.33522,0.85833 left noenhanced
  set arrow from screen 0.19424,0.83976 to screen 0.21424,0.83976 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.20424,0.83976 point pt 4 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=128,profile=12779678b66778d0 (bits)' at screen 0.21853,0.83976 left noenhanced
  set arrow from screen 0.19424,0.82119 to screen 0.21424,0.82119 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.20424,0.82119 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=512,profile=12779678b66778d0 (bits)' at screen 0.21853,0.82119 left noenhanced
  set arrow from screen 0.13660,0.80262 to screen 0.15660,0.80262 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.14660,0.80262 point pt 9 ps size lc rgb '#CC0000'
  set label 'klt:page=128,profile=12779678b66778d0 (bits)' at screen 0.16089,0.80262 left noenhanced
  set arrow from screen 0.50786,0.80262 to screen 0.52786,0.80262 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.51786,0.80262 point pt 8 ps size lc rgb '#CC0000'
  set label 'klt:page=128,profile=93a1d24c39740d16 (bits)' at screen 0.53214,0.80262 left noenhanced
  set arrow from screen 0.04884,0.78405 to screen 0.06884,0.78405 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.05884,0.78405 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:profile=12779678b66778d0 (bits)' at screen 0.07313,0.78405 left noenhanced
  set arrow from screen 0.35234,0.78405 to screen 0.37234,0.78405 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.36234,0.78405 point pt 13 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,restart=1,page=512,profile=12779678b66778d0 (bits)' at screen 0.37663,0.78405 left noenhanced
  set arrow from screen 0.88923,0.78405 to screen 0.90923,0.78405 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.89923,0.78405 point pt 15 ps size lc rgb '#777777'
  set label 'mxfp4' at screen 0.91351,0.78405 left noenhanced
  set arrow from screen 0.03542,0.76548 to screen 0.05542,0.76548 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.04542,0.76548 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'nvfp4' at screen 0.05971,0.76548 left noenhanced
  set arrow from screen 0.11306,0.76548 to screen 0.13306,0.76548 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.12306,0.76548 point pt 15 ps size lc rgb '#8C6D1F'
  set label 'q4_0' at screen 0.13735,0.76548 left noenhanced
  set arrow from screen 0.18318,0.76548 to screen 0.20318,0.76548 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.19318,0.76548 point pt 10 ps size lc rgb '#8C6D1F'
  set label 'q4_0:rotate=64' at screen 0.20746,0.76548 left noenhanced
  set arrow from screen 0.32858,0.76548 to screen 0.34858,0.76548 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.33858,0.76548 point pt 14 ps size lc rgb '#CC79A7'
  set label 'q4_1:rotate=64' at screen 0.35286,0.76548 left noenhanced
  set arrow from screen 0.47398,0.76548 to screen 0.49398,0.76548 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.48398,0.76548 point pt 10 ps size lc rgb '#777777'
  set label 'q5_0:rotate=64' at screen 0.49826,0.76548 left noenhanced
  set arrow from screen 0.61938,0.76548 to screen 0.63938,0.76548 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.62938,0.76548 point pt 14 ps size lc rgb '#8C6D1F'
  set label 'q5_1:rotate=64' at screen 0.64366,0.76548 left noenhanced
  set arrow from screen 0.76478,0.76548 to screen 0.78478,0.76548 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.77478,0.76548 point pt 10 ps size lc rgb '#66A61E'
  set label 'q8_0' at screen 0.78906,0.76548 left noenhanced
  set arrow from screen 0.83489,0.76548 to screen 0.85489,0.76548 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.84489,0.76548 point pt 15 ps size lc rgb '#66A61E'
  set label 'q8_0:rotate=64' at screen 0.85918,0.76548 left noenhanced
  set arrow from screen 0.09401,0.74692 to screen 0.11401,0.74692 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.10401,0.74692 point pt 15 ps size lc rgb '#66A61E'
  set label 'turboquant (b)' at screen 0.11830,0.74692 left noenhanced
  set arrow from screen 0.23941,0.74692 to screen 0.25941,0.74692 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.24941,0.74692 point pt 14 ps size lc rgb '#66A61E'
  set label 'turboquant:mode=prod (b)' at screen 0.26370,0.74692 left noenhanced
  set arrow from screen 0.46010,0.74692 to screen 0.48010,0.74692 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.47010,0.74692 point pt 12 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,page=128,profile=4564ed6c753239de (bits)' at screen 0.48439,0.74692 left noenhanced
  set arrow from screen 0.08014,0.72835 to screen 0.10014,0.72835 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.09014,0.72835 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,page=128,profile=949625cdaa9168b5 (bits)' at screen 0.10442,0.72835 left noenhanced
  set arrow from screen 0.54174,0.72835 to screen 0.56174,0.72835 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.55174,0.72835 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,profile=4564ed6c753239de (bits)' at screen 0.56602,0.72835 left noenhanced
  set arrow from screen 0.19424,0.70978 to screen 0.21424,0.70978 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.20424,0.70978 point pt 15 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=128,profile=4564ed6c753239de (bits)' at screen 0.21853,0.70978 left noenhanced
  set arrow from screen 0.19424,0.69121 to screen 0.21424,0.69121 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.20424,0.69121 point pt 15 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=512,profile=4564ed6c753239de (bits)' at screen 0.21853,0.69121 left noenhanced
  set arrow from screen 0.13660,0.67264 to screen 0.15660,0.67264 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.14660,0.67264 point pt 14 ps size lc rgb '#CC0000'
  set label 'klt:page=128,profile=4564ed6c753239de (bits)' at screen 0.16089,0.67264 left noenhanced
  set arrow from screen 0.50786,0.67264 to screen 0.52786,0.67264 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.51786,0.67264 point pt 7 ps size lc rgb '#CC0000'
  set label 'klt:page=128,profile=949625cdaa9168b5 (bits)' at screen 0.53214,0.67264 left noenhanced
  set arrow from screen 0.02249,0.65407 to screen 0.04249,0.65407 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.03249,0.65407 point pt 14 ps size lc rgb '#CC0000'
  set label 'klt:profile=4564ed6c753239de (bits)' at screen 0.04678,0.65407 left noenhanced
  set arrow from screen 0.32599,0.65407 to screen 0.34599,0.65407 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.33599,0.65407 point pt 6 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,restart=1,page=512,profile=4564ed6c753239de (bits)' at screen 0.35028,0.65407 left noenhanced
  set arrow from screen 0.86288,0.65407 to screen 0.88288,0.65407 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front' at screen 0.88716,0.65407 left noenhanced
  set xlabel 'measured bits per value of the whole cache' noenhanced
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.62066; set bmargin at screen 0.36751
  set title 'gemma-3-270m-q4_k_m (gemma3-270m, held-out), 14 passages' noenhanced offset 0,-0.6 font ',16'
  set label 999 'mean |Δppl|, %' at screen 0.00971,0.49409 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 1 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 1 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 2 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 2 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 3 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 3 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 4 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 4 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 5 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 5 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 6 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 6 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 7 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 7 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 8 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 8 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 9 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 9 using 1:2 with points pt 5 ps size lc rgb '#0072B2' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 10 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 10 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 11 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 11 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 12 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 12 using 1:2 with points pt 6 ps size lc rgb '#000000' notitle, \
      data index 13 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 13 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 13 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 14 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 14 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 14 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 15 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 15 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 15 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 16 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 16 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 16 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 17 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 17 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 17 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 18 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 18 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 18 using 1:2 with points pt 6 ps size lc rgb '#CC0000' notitle, \
      data index 19 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 19 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 19 using 1:2 with points pt 5 ps size lc rgb '#CC0000' notitle, \
      data index 20 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 20 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 20 using 1:2 with points pt 4 ps size lc rgb '#CC0000' notitle, \
      data index 21 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 21 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 21 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 22 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 22 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 22 using 1:2 with points pt 9 ps size lc rgb '#CC0000' notitle, \
      data index 23 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 23 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 23 using 1:2 with points pt 8 ps size lc rgb '#CC0000' notitle, \
      data index 24 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 24 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 24 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 25 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 25 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 25 using 1:2 with points pt 13 ps size lc rgb '#CC0000' notitle, \
      data index 26 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 26 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 26 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 27 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 27 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 27 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 28 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 28 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 28 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 29 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 29 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 29 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 30 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 30 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 30 using 1:2 with points pt 14 ps size lc rgb '#CC79A7' notitle, \
      data index 31 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 31 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 31 using 1:2 with points pt 10 ps size lc rgb '#777777' notitle, \
      data index 32 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 32 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 32 using 1:2 with points pt 14 ps size lc rgb '#8C6D1F' notitle, \
      data index 33 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 33 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 33 using 1:2 with points pt 10 ps size lc rgb '#66A61E' notitle, \
      data index 34 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 34 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 34 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 35 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 35 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 35 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 36 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 36 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 36 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 37 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.62066; set bmargin at screen 0.36751
  set title 'gemma-3-270m-q4_k_m (gemma3-270m-development, development), 32 passages' noenhanced offset 0,-0.6 font ',13'
  unset label
  unset arrow
  set label 999 'mean |Δppl|, %' at screen 0.50971,0.49409 center rotate noenhanced
  plot data index 38 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 39 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 39 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 39 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 40 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 40 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 40 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 41 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 41 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 41 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 42 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 42 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 42 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 43 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 43 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 43 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 44 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 44 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 44 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 45 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 45 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 45 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 46 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 46 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 46 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 47 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 47 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 47 using 1:2 with points pt 5 ps size lc rgb '#0072B2' notitle, \
      data index 48 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 48 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 48 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 49 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 49 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 49 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 50 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 50 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 50 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 51 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 51 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 51 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 52 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 52 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 52 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 53 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 53 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 53 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 54 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 54 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 54 using 1:2 with points pt 6 ps size lc rgb '#CC0000' notitle, \
      data index 55 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 55 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 55 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 56 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 56 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 56 using 1:2 with points pt 8 ps size lc rgb '#CC0000' notitle, \
      data index 57 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 57 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 57 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 58 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 58 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 58 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 59 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 59 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 59 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 60 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 60 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 60 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 61 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 61 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 61 using 1:2 with points pt 14 ps size lc rgb '#CC79A7' notitle, \
      data index 62 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 62 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 62 using 1:2 with points pt 10 ps size lc rgb '#777777' notitle, \
      data index 63 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 63 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 63 using 1:2 with points pt 14 ps size lc rgb '#8C6D1F' notitle, \
      data index 64 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 64 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 64 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 65 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 65 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 65 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 66 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 66 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 66 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 67 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.29941; set bmargin at screen 0.04626
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m, held-out), 37 passages' noenhanced offset 0,-0.6 font ',14'
  set label 999 'mean |Δppl|, %' at screen 0.00971,0.17283 center rotate noenhanced
  plot data index 68 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 69 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 69 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 69 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 70 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 70 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 70 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 71 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 71 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 71 using 1:2 with points pt 5 ps size lc rgb '#0072B2' notitle, \
      data index 72 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 72 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 72 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 73 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 73 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 73 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 74 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 74 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 74 using 1:2 with points pt 6 ps size lc rgb '#000000' notitle, \
      data index 75 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 75 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 75 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 76 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 76 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 76 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 77 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 77 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 77 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 78 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 78 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 78 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 79 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 79 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 79 using 1:2 with points pt 12 ps size lc rgb '#CC0000' notitle, \
      data index 80 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 80 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 80 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 81 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 81 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 81 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 82 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 82 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 82 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 83 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 83 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 83 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 84 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 84 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 84 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 85 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 85 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 85 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 86 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 86 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 86 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 87 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 87 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 87 using 1:2 with points pt 6 ps size lc rgb '#CC0000' notitle, \
      data index 88 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 88 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 88 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 89 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 89 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 89 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 90 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 90 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 90 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 91 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 91 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 91 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 92 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 92 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 92 using 1:2 with points pt 14 ps size lc rgb '#CC79A7' notitle, \
      data index 93 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 93 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 93 using 1:2 with points pt 10 ps size lc rgb '#777777' notitle, \
      data index 94 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 94 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 94 using 1:2 with points pt 14 ps size lc rgb '#8C6D1F' notitle, \
      data index 95 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 95 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 95 using 1:2 with points pt 10 ps size lc rgb '#66A61E' notitle, \
      data index 96 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 96 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 96 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 97 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 97 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 97 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 98 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 98 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 98 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 99 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.29941; set bmargin at screen 0.04626
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m-development, development), 32 passages' noenhanced offset 0,-0.6 font ',11'
  set label 999 'mean |Δppl|, %' at screen 0.50971,0.17283 center rotate noenhanced
  plot data index 100 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 101 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 101 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 101 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 102 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 102 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 102 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 103 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 103 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 103 using 1:2 with points pt 5 ps size lc rgb '#0072B2' notitle, \
      data index 104 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 104 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 104 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 105 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 105 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 105 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 106 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 106 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 106 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 107 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 107 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 107 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 108 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 108 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 108 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 109 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 109 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 109 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 110 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 110 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 110 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 111 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 111 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 111 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 112 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 112 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 112 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 113 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 113 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 113 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 114 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 114 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 114 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 115 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 115 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 115 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 116 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 116 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 116 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 117 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 117 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 117 using 1:2 with points pt 14 ps size lc rgb '#CC79A7' notitle, \
      data index 118 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 118 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 118 using 1:2 with points pt 10 ps size lc rgb '#777777' notitle, \
      data index 119 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 119 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 119 using 1:2 with points pt 14 ps size lc rgb '#8C6D1F' notitle, \
      data index 120 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 120 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 120 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 121 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 121 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 121 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 122 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 122 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 122 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 123 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
