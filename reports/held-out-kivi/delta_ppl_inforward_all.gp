# Change of perplexity against measured bits of the whole cache (in-forward)
# Redraw in this folder: gnuplot delta_ppl_inforward_all.gp
data = 'delta_ppl_inforward_all.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1400,767 enhanced font 'Arial,17' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 2800,1535 enhanced font 'DejaVu Sans,17' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'delta_ppl_inforward_all.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold Change of perplexity against measured bits of the whole cache (in-forward)}' at screen 0.5,0.97133 center font ',20'
  set label 2 'passages of 2048 + 64 scored tokens; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn; noise alone is above 0' at screen 0.5,0.93745 center font ',15' tc rgb '#444444' noenhanced
  set xrange [2:11.5]
  set yrange [0.0388854:279.12]
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
  set arrow from screen 0.15801,0.90096 to screen 0.17801,0.90096 nohead lw 1.2 dt 1 lc rgb '#AA3377'
  set label '' at screen 0.16801,0.90096 point pt 13 ps size lc rgb '#AA3377'
  set label 'fp8' at screen 0.18229,0.90096 left noenhanced
  set arrow from screen 0.22059,0.90096 to screen 0.24059,0.90096 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.23059,0.90096 point pt 15 ps size lc rgb '#CC79A7'
  set label 'K iq4_nl:rotate=256, V iq4_nl:rotate=64' at screen 0.24488,0.90096 left noenhanced
  set arrow from screen 0.55421,0.90096 to screen 0.57421,0.90096 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.56421,0.90096 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'K q4_0:rotate=256, V q4_0:rotate=64' at screen 0.57849,0.90096 left noenhanced
  set arrow from screen 0.05261,0.86330 to screen 0.07261,0.86330 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.06261,0.86330 point pt 11 ps size lc rgb '#777777'
  set label 'K q4_1:rotate=256, V q4_1:rotate=64' at screen 0.07689,0.86330 left noenhanced
  set arrow from screen 0.35611,0.86330 to screen 0.37611,0.86330 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.36611,0.86330 point pt 15 ps size lc rgb '#8C6D1F'
  set label 'K q5_0:rotate=256, V q5_0:rotate=64' at screen 0.38039,0.86330 left noenhanced
  set arrow from screen 0.65961,0.86330 to screen 0.67961,0.86330 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.66961,0.86330 point pt 11 ps size lc rgb '#66A61E'
  set label 'K q5_1:rotate=256, V q5_1:rotate=64' at screen 0.68389,0.86330 left noenhanced
  set arrow from screen 0.06272,0.82565 to screen 0.08272,0.82565 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.07272,0.82565 point pt 15 ps size lc rgb '#7570B3'
  set label 'K q8_0:rotate=256, V q8_0:rotate=64' at screen 0.08701,0.82565 left noenhanced
  set arrow from screen 0.36622,0.82565 to screen 0.38622,0.82565 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.37622,0.82565 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:pack=rans (q)' at screen 0.39051,0.82565 left noenhanced
  set arrow from screen 0.52668,0.82565 to screen 0.54668,0.82565 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.53668,0.82565 point pt 6 ps size lc rgb '#0072B2'
  set label 'e8:pack=rans,page=128 (q)' at screen 0.55096,0.82565 left noenhanced
  set arrow from screen 0.75489,0.82565 to screen 0.77489,0.82565 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.76489,0.82565 point pt 5 ps size lc rgb '#0072B2'
  set label 'e8:rule=published (q)' at screen 0.77918,0.82565 left noenhanced
  set arrow from screen 0.06036,0.78799 to screen 0.08036,0.78799 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.07036,0.78799 point pt 6 ps size lc rgb '#000000'
  set label 'ece8:center=mean (bits)' at screen 0.08465,0.78799 left noenhanced
  set arrow from screen 0.27352,0.78799 to screen 0.29352,0.78799 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.28352,0.78799 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:center=mean,page=128 (bits)' at screen 0.29781,0.78799 left noenhanced
  set arrow from screen 0.55444,0.78799 to screen 0.57444,0.78799 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.56444,0.78799 point pt 11 ps size lc rgb '#CC79A7'
  set label 'int4' at screen 0.57872,0.78799 left noenhanced
  set arrow from screen 0.62455,0.78799 to screen 0.64455,0.78799 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.63455,0.78799 point pt 15 ps size lc rgb '#777777'
  set label 'int8' at screen 0.64884,0.78799 left noenhanced
  set arrow from screen 0.69466,0.78799 to screen 0.71466,0.78799 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.70466,0.78799 point pt 14 ps size lc rgb '#CC79A7'
  set label 'iq4_nl:rotate=64' at screen 0.71895,0.78799 left noenhanced
  set arrow from screen 0.85512,0.78799 to screen 0.87512,0.78799 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.86512,0.78799 point pt 15 ps size lc rgb '#66A61E'
  set label 'kivi (b)' at screen 0.87941,0.78799 left noenhanced
  set arrow from screen 0.04884,0.75033 to screen 0.06884,0.75033 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.05884,0.75033 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,page=128 (bits)' at screen 0.07313,0.75033 left noenhanced
  set arrow from screen 0.32223,0.75033 to screen 0.34223,0.75033 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.33223,0.75033 point pt 15 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq (bits)' at screen 0.34651,0.75033 left noenhanced
  set arrow from screen 0.52786,0.75033 to screen 0.54786,0.75033 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.53786,0.75033 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=128 (bits)' at screen 0.55214,0.75033 left noenhanced
  set arrow from screen 0.06531,0.71267 to screen 0.08531,0.71267 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.07531,0.71267 point pt 14 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=512 (bits)' at screen 0.08959,0.71267 left noenhanced
  set arrow from screen 0.50432,0.71267 to screen 0.52432,0.71267 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.51432,0.71267 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'mxfp4' at screen 0.52861,0.71267 left noenhanced
  set arrow from screen 0.58196,0.71267 to screen 0.60196,0.71267 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.59196,0.71267 point pt 15 ps size lc rgb '#66A61E'
  set label 'nvfp4' at screen 0.60625,0.71267 left noenhanced
  set arrow from screen 0.65961,0.71267 to screen 0.67961,0.71267 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.66961,0.71267 point pt 10 ps size lc rgb '#8C6D1F'
  set label 'q4_0:rotate=64' at screen 0.68389,0.71267 left noenhanced
  set arrow from screen 0.80501,0.71267 to screen 0.82501,0.71267 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.81501,0.71267 point pt 10 ps size lc rgb '#777777'
  set label 'q4_1:rotate=64' at screen 0.82929,0.71267 left noenhanced
  set arrow from screen 0.04154,0.67501 to screen 0.06154,0.67501 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.05154,0.67501 point pt 14 ps size lc rgb '#8C6D1F'
  set label 'q5_0:rotate=64' at screen 0.06583,0.67501 left noenhanced
  set arrow from screen 0.18694,0.67501 to screen 0.20694,0.67501 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.19694,0.67501 point pt 10 ps size lc rgb '#66A61E'
  set label 'q5_1:rotate=64' at screen 0.21123,0.67501 left noenhanced
  set arrow from screen 0.33234,0.67501 to screen 0.35234,0.67501 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.34234,0.67501 point pt 14 ps size lc rgb '#7570B3'
  set label 'q8_0:rotate=64' at screen 0.35663,0.67501 left noenhanced
  set arrow from screen 0.47774,0.67501 to screen 0.49774,0.67501 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.48774,0.67501 point pt 11 ps size lc rgb '#7570B3'
  set label 'turboquant (b)' at screen 0.50203,0.67501 left noenhanced
  set arrow from screen 0.62314,0.67501 to screen 0.64314,0.67501 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.63314,0.67501 point pt 10 ps size lc rgb '#7570B3'
  set label 'turboquant:mode=prod (b)' at screen 0.64743,0.67501 left noenhanced
  set arrow from screen 0.84383,0.67501 to screen 0.86383,0.67501 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front' at screen 0.86811,0.67501 left noenhanced
  set xlabel 'measured bits per value of the whole cache' noenhanced
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.60725; set bmargin at screen 0.09382
  set title 'gemma-3-270m-q4_k_m, held-out, 14 passages' noenhanced offset 0,-0.6
  set label 999 'mean |Δppl|, %' at screen 0.00971,0.35053 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 1 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 1 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 2 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 2 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 3 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 3 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 4 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 4 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 5 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 5 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 6 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 6 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 7 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 7 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 8 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 8 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 9 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 9 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 10 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 10 using 1:2 with points pt 5 ps size lc rgb '#0072B2' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 11 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 11 using 1:2 with points pt 6 ps size lc rgb '#000000' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 12 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 12 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 13 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 13 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 13 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 14 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 14 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 14 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 15 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 15 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 15 using 1:2 with points pt 14 ps size lc rgb '#CC79A7' notitle, \
      data index 16 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 16 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 16 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 17 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 17 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 17 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 18 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 18 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 18 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 19 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 19 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 19 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 20 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 20 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 20 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 21 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 21 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 21 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 22 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 22 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 22 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 23 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 23 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 23 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 24 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 24 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 24 using 1:2 with points pt 10 ps size lc rgb '#777777' notitle, \
      data index 25 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 25 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 25 using 1:2 with points pt 14 ps size lc rgb '#8C6D1F' notitle, \
      data index 26 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 26 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 26 using 1:2 with points pt 10 ps size lc rgb '#66A61E' notitle, \
      data index 27 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 27 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 27 using 1:2 with points pt 14 ps size lc rgb '#7570B3' notitle, \
      data index 28 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 28 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 28 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 29 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 29 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 29 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 30 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.60725; set bmargin at screen 0.09382
  set title 'SmolLM2-135M-Instruct.Q4_1, held-out, 37 passages' noenhanced offset 0,-0.6
  unset label
  unset arrow
  set label 999 'mean |Δppl|, %' at screen 0.50971,0.35053 center rotate noenhanced
  plot data index 31 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 32 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 32 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 32 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 33 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 33 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 33 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 34 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 34 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 34 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 35 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 35 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 35 using 1:2 with points pt 5 ps size lc rgb '#0072B2' notitle, \
      data index 36 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 36 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 36 using 1:2 with points pt 6 ps size lc rgb '#000000' notitle, \
      data index 37 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 37 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 37 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 38 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 38 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 38 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 39 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 39 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 39 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 40 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 40 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 40 using 1:2 with points pt 14 ps size lc rgb '#CC79A7' notitle, \
      data index 41 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 41 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 41 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 42 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 42 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 42 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 43 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 43 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 43 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 44 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 44 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 44 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 45 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 45 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 45 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 46 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 46 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 46 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 47 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 47 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 47 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 48 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 48 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 48 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 49 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 49 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 49 using 1:2 with points pt 10 ps size lc rgb '#777777' notitle, \
      data index 50 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 50 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 50 using 1:2 with points pt 14 ps size lc rgb '#8C6D1F' notitle, \
      data index 51 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 51 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 51 using 1:2 with points pt 10 ps size lc rgb '#66A61E' notitle, \
      data index 52 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 52 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 52 using 1:2 with points pt 14 ps size lc rgb '#7570B3' notitle, \
      data index 53 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 53 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 53 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 54 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 54 using 1:($3 > 0.0388854 ? $3 : 0.0388854):(0):($4 - ($3 > 0.0388854 ? $3 : 0.0388854)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 54 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 55 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
