# Change of perplexity against measured bits of the coded values (prefix)
# Redraw in this folder: gnuplot delta_ppl_prefix_all.gp
data = 'delta_ppl_prefix_all.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1400,1056 enhanced font 'Arial,17' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 2800,2113 enhanced font 'DejaVu Sans,17' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'delta_ppl_prefix_all.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold Change of perplexity against measured bits of the coded values (prefix)}' at screen 0.5,0.97917 center font ',20'
  set label 2 '4 passages of 8000 + 192 scored tokens; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn; noise alone is above 0' at screen 0.5,0.95456 center font ',15' tc rgb '#444444' noenhanced
  set xrange [0.5:6]
  set yrange [0.00570903:21.6066]
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
  set arrow from screen 0.19565,0.92806 to screen 0.21565,0.92806 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.20565,0.92806 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:rule=published (q)' at screen 0.21994,0.92806 left noenhanced
  set arrow from screen 0.39375,0.92806 to screen 0.41375,0.92806 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.40375,0.92806 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:center=mean (bits)' at screen 0.41804,0.92806 left noenhanced
  set arrow from screen 0.60691,0.92806 to screen 0.62691,0.92806 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.61691,0.92806 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:profile=none (bits)' at screen 0.63119,0.92806 left noenhanced
  set arrow from screen 0.23189,0.90070 to screen 0.25189,0.90070 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.24189,0.90070 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=1000,profile=b1ed4b09e1cc47a7 (bits)' at screen 0.25617,0.90070 left noenhanced
  set arrow from screen 0.23189,0.87334 to screen 0.25189,0.87334 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.24189,0.87334 point pt 15 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=1000,profile=ede21f491feb06c0 (bits)' at screen 0.25617,0.87334 left noenhanced
  set arrow from screen 0.13025,0.84599 to screen 0.15025,0.84599 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.14025,0.84599 point pt 14 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=500,prior=heads,group=3,send=32,profile=ede21f491feb06c0 (bits)' at screen 0.15454,0.84599 left noenhanced
  set arrow from screen 0.13025,0.81863 to screen 0.15025,0.81863 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.14025,0.81863 point pt 7 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=500,prior=heads,group=6,send=32,profile=ede21f491feb06c0 (bits)' at screen 0.15454,0.81863 left noenhanced
  set arrow from screen 0.19048,0.79127 to screen 0.21048,0.79127 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.20048,0.79127 point pt 6 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=500,prior=heads,profile=ede21f491feb06c0 (bits)' at screen 0.21476,0.79127 left noenhanced
  set arrow from screen 0.16036,0.76392 to screen 0.18036,0.76392 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.17036,0.76392 point pt 5 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=500,prior=heads,send=32,profile=ede21f491feb06c0 (bits)' at screen 0.18465,0.76392 left noenhanced
  set arrow from screen 0.03873,0.73656 to screen 0.05873,0.73656 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.04873,0.73656 point pt 4 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=9f87da0165e39752 (bits)' at screen 0.06301,0.73656 left noenhanced
  set arrow from screen 0.50786,0.73656 to screen 0.52786,0.73656 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.51786,0.73656 point pt 9 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=b1ed4b09e1cc47a7 (bits)' at screen 0.53214,0.73656 left noenhanced
  set arrow from screen 0.03873,0.70920 to screen 0.05873,0.70920 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.04873,0.70920 point pt 8 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=c2ae20bdc57cf421 (bits)' at screen 0.06301,0.70920 left noenhanced
  set arrow from screen 0.50786,0.70920 to screen 0.52786,0.70920 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.51786,0.70920 point pt 13 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=ede21f491feb06c0 (bits)' at screen 0.53214,0.70920 left noenhanced
  set arrow from screen 0.13284,0.68184 to screen 0.15284,0.68184 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.14284,0.68184 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'kvtc:page=1024 (bits)' at screen 0.15712,0.68184 left noenhanced
  set arrow from screen 0.33094,0.68184 to screen 0.35094,0.68184 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.34094,0.68184 point pt 12 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=1000,profile=29be0875982d810b (bits)' at screen 0.35522,0.68184 left noenhanced
  set arrow from screen 0.23189,0.65449 to screen 0.25189,0.65449 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.24189,0.65449 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=1000,profile=a1ea1e261cc432c3 (bits)' at screen 0.25617,0.65449 left noenhanced
  set arrow from screen 0.13025,0.62713 to screen 0.15025,0.62713 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.14025,0.62713 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=500,prior=heads,group=3,send=32,profile=a1ea1e261cc432c3 (bits)' at screen 0.15454,0.62713 left noenhanced
  set arrow from screen 0.13025,0.59977 to screen 0.15025,0.59977 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.14025,0.59977 point pt 15 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=500,prior=heads,group=6,send=32,profile=a1ea1e261cc432c3 (bits)' at screen 0.15454,0.59977 left noenhanced
  set arrow from screen 0.19048,0.57242 to screen 0.21048,0.57242 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.20048,0.57242 point pt 14 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=500,prior=heads,profile=a1ea1e261cc432c3 (bits)' at screen 0.21476,0.57242 left noenhanced
  set arrow from screen 0.16036,0.54506 to screen 0.18036,0.54506 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.17036,0.54506 point pt 7 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=500,prior=heads,send=32,profile=a1ea1e261cc432c3 (bits)' at screen 0.18465,0.54506 left noenhanced
  set arrow from screen 0.03873,0.51770 to screen 0.05873,0.51770 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.04873,0.51770 point pt 6 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=6bc2bdb4b073526a (bits)' at screen 0.06301,0.51770 left noenhanced
  set arrow from screen 0.50786,0.51770 to screen 0.52786,0.51770 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.51786,0.51770 point pt 5 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=a1ea1e261cc432c3 (bits)' at screen 0.53214,0.51770 left noenhanced
  set arrow from screen 0.20812,0.49034 to screen 0.22812,0.49034 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.21812,0.49034 point pt 4 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=c3767853ceaf4eac (bits)' at screen 0.23241,0.49034 left noenhanced
  set arrow from screen 0.67725,0.49034 to screen 0.69725,0.49034 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front' at screen 0.70154,0.49034 left noenhanced
  set xlabel 'measured bits per value of the coded values' noenhanced
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.44112; set bmargin at screen 0.06816
  set title 'gemma-3-270m-q4_k_m, held-out' noenhanced offset 0,-0.6
  set label 999 'mean |Δppl|, %' at screen 0.00971,0.25464 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:($3 > 0.00570903 ? $3 : 0.00570903):(0):($4 - ($3 > 0.00570903 ? $3 : 0.00570903)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 2 using 1:($3 > 0.00570903 ? $3 : 0.00570903):(0):($4 - ($3 > 0.00570903 ? $3 : 0.00570903)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 2 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 3 using 1:($3 > 0.00570903 ? $3 : 0.00570903):(0):($4 - ($3 > 0.00570903 ? $3 : 0.00570903)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 3 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 4 using 1:($3 > 0.00570903 ? $3 : 0.00570903):(0):($4 - ($3 > 0.00570903 ? $3 : 0.00570903)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 4 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 5 using 1:($3 > 0.00570903 ? $3 : 0.00570903):(0):($4 - ($3 > 0.00570903 ? $3 : 0.00570903)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 5 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 6 using 1:($3 > 0.00570903 ? $3 : 0.00570903):(0):($4 - ($3 > 0.00570903 ? $3 : 0.00570903)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 6 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 7 using 1:($3 > 0.00570903 ? $3 : 0.00570903):(0):($4 - ($3 > 0.00570903 ? $3 : 0.00570903)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 7 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 8 using 1:($3 > 0.00570903 ? $3 : 0.00570903):(0):($4 - ($3 > 0.00570903 ? $3 : 0.00570903)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 8 using 1:2 with points pt 6 ps size lc rgb '#CC0000' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 9 using 1:($3 > 0.00570903 ? $3 : 0.00570903):(0):($4 - ($3 > 0.00570903 ? $3 : 0.00570903)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 9 using 1:2 with points pt 5 ps size lc rgb '#CC0000' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 10 using 1:($3 > 0.00570903 ? $3 : 0.00570903):(0):($4 - ($3 > 0.00570903 ? $3 : 0.00570903)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 10 using 1:2 with points pt 4 ps size lc rgb '#CC0000' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 11 using 1:($3 > 0.00570903 ? $3 : 0.00570903):(0):($4 - ($3 > 0.00570903 ? $3 : 0.00570903)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 11 using 1:2 with points pt 9 ps size lc rgb '#CC0000' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 12 using 1:($3 > 0.00570903 ? $3 : 0.00570903):(0):($4 - ($3 > 0.00570903 ? $3 : 0.00570903)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 12 using 1:2 with points pt 8 ps size lc rgb '#CC0000' notitle, \
      data index 13 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 13 using 1:($3 > 0.00570903 ? $3 : 0.00570903):(0):($4 - ($3 > 0.00570903 ? $3 : 0.00570903)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 13 using 1:2 with points pt 13 ps size lc rgb '#CC0000' notitle, \
      data index 14 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 14 using 1:($3 > 0.00570903 ? $3 : 0.00570903):(0):($4 - ($3 > 0.00570903 ? $3 : 0.00570903)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 14 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 15 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.44112; set bmargin at screen 0.06816
  set title 'SmolLM2-135M-Instruct.Q4_1, held-out' noenhanced offset 0,-0.6
  unset label
  unset arrow
  set label 999 'mean |Δppl|, %' at screen 0.50971,0.25464 center rotate noenhanced
  plot data index 16 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 17 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 17 using 1:($3 > 0.00570903 ? $3 : 0.00570903):(0):($4 - ($3 > 0.00570903 ? $3 : 0.00570903)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 17 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 18 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 18 using 1:($3 > 0.00570903 ? $3 : 0.00570903):(0):($4 - ($3 > 0.00570903 ? $3 : 0.00570903)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 18 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 19 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 19 using 1:($3 > 0.00570903 ? $3 : 0.00570903):(0):($4 - ($3 > 0.00570903 ? $3 : 0.00570903)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 19 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 20 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 20 using 1:($3 > 0.00570903 ? $3 : 0.00570903):(0):($4 - ($3 > 0.00570903 ? $3 : 0.00570903)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 20 using 1:2 with points pt 12 ps size lc rgb '#CC0000' notitle, \
      data index 21 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 21 using 1:($3 > 0.00570903 ? $3 : 0.00570903):(0):($4 - ($3 > 0.00570903 ? $3 : 0.00570903)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 21 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 22 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 22 using 1:($3 > 0.00570903 ? $3 : 0.00570903):(0):($4 - ($3 > 0.00570903 ? $3 : 0.00570903)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 22 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 23 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 23 using 1:($3 > 0.00570903 ? $3 : 0.00570903):(0):($4 - ($3 > 0.00570903 ? $3 : 0.00570903)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 23 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 24 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 24 using 1:($3 > 0.00570903 ? $3 : 0.00570903):(0):($4 - ($3 > 0.00570903 ? $3 : 0.00570903)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 24 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 25 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 25 using 1:($3 > 0.00570903 ? $3 : 0.00570903):(0):($4 - ($3 > 0.00570903 ? $3 : 0.00570903)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 25 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 26 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 26 using 1:($3 > 0.00570903 ? $3 : 0.00570903):(0):($4 - ($3 > 0.00570903 ? $3 : 0.00570903)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 26 using 1:2 with points pt 6 ps size lc rgb '#CC0000' notitle, \
      data index 27 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 27 using 1:($3 > 0.00570903 ? $3 : 0.00570903):(0):($4 - ($3 > 0.00570903 ? $3 : 0.00570903)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 27 using 1:2 with points pt 5 ps size lc rgb '#CC0000' notitle, \
      data index 28 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 28 using 1:($3 > 0.00570903 ? $3 : 0.00570903):(0):($4 - ($3 > 0.00570903 ? $3 : 0.00570903)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 28 using 1:2 with points pt 4 ps size lc rgb '#CC0000' notitle, \
      data index 29 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 29 using 1:($3 > 0.00570903 ? $3 : 0.00570903):(0):($4 - ($3 > 0.00570903 ? $3 : 0.00570903)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 29 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 30 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
