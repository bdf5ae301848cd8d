# Change of perplexity against measured bits of the coded values (prefix)
# Redraw in this folder: gnuplot delta_ppl_prefix_all.gp
data = 'delta_ppl_prefix_all.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1400,1230 enhanced font 'Arial,17' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 2800,2460 enhanced font 'DejaVu Sans,17' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'delta_ppl_prefix_all.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold Change of perplexity against measured bits of the coded values (prefix)}' at screen 0.5,0.98211 center font ',20'
  set label 2 '4 passages of 8000 + 192 scored tokens; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn; noise alone is above 0' at screen 0.5,0.96097 center font ',15' tc rgb '#444444' noenhanced
  set xrange [0.5:6]
  set yrange [0.0444213:13.0301]
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
  set arrow from screen 0.19565,0.93820 to screen 0.21565,0.93820 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.20565,0.93820 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:rule=published (q)' at screen 0.21994,0.93820 left noenhanced
  set arrow from screen 0.39375,0.93820 to screen 0.41375,0.93820 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.40375,0.93820 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:center=mean (bits)' at screen 0.41804,0.93820 left noenhanced
  set arrow from screen 0.60691,0.93820 to screen 0.62691,0.93820 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.61691,0.93820 point pt 14 ps size lc rgb '#CC0000'
  set label 'klt:profile=none (bits)' at screen 0.63119,0.93820 left noenhanced
  set arrow from screen 0.23189,0.91470 to screen 0.25189,0.91470 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.24189,0.91470 point pt 7 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=1000,profile=264766293e045428 (bits)' at screen 0.25617,0.91470 left noenhanced
  set arrow from screen 0.23189,0.89120 to screen 0.25189,0.89120 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.24189,0.89120 point pt 6 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=1000,profile=b1ed4b09e1cc47a7 (bits)' at screen 0.25617,0.89120 left noenhanced
  set arrow from screen 0.23189,0.86770 to screen 0.25189,0.86770 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.24189,0.86770 point pt 5 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=1000,profile=ede21f491feb06c0 (bits)' at screen 0.25617,0.86770 left noenhanced
  set arrow from screen 0.19048,0.84420 to screen 0.21048,0.84420 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.20048,0.84420 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=125,prior=heads,profile=ede21f491feb06c0 (bits)' at screen 0.21476,0.84420 left noenhanced
  set arrow from screen 0.13025,0.82070 to screen 0.15025,0.82070 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.14025,0.82070 point pt 4 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=250,prior=heads,group=3,send=32,profile=ede21f491feb06c0 (bits)' at screen 0.15454,0.82070 left noenhanced
  set arrow from screen 0.13025,0.79720 to screen 0.15025,0.79720 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.14025,0.79720 point pt 9 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=500,prior=heads,group=3,send=32,profile=ede21f491feb06c0 (bits)' at screen 0.15454,0.79720 left noenhanced
  set arrow from screen 0.13025,0.77370 to screen 0.15025,0.77370 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.14025,0.77370 point pt 8 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=500,prior=heads,group=6,send=32,profile=ede21f491feb06c0 (bits)' at screen 0.15454,0.77370 left noenhanced
  set arrow from screen 0.19048,0.75020 to screen 0.21048,0.75020 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.20048,0.75020 point pt 13 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=500,prior=heads,profile=ede21f491feb06c0 (bits)' at screen 0.21476,0.75020 left noenhanced
  set arrow from screen 0.16036,0.72670 to screen 0.18036,0.72670 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.17036,0.72670 point pt 12 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=500,prior=heads,send=32,profile=ede21f491feb06c0 (bits)' at screen 0.18465,0.72670 left noenhanced
  set arrow from screen 0.03873,0.70320 to screen 0.05873,0.70320 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.04873,0.70320 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=9f87da0165e39752 (bits)' at screen 0.06301,0.70320 left noenhanced
  set arrow from screen 0.50786,0.70320 to screen 0.52786,0.70320 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.51786,0.70320 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=b1ed4b09e1cc47a7 (bits)' at screen 0.53214,0.70320 left noenhanced
  set arrow from screen 0.03873,0.67970 to screen 0.05873,0.67970 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.04873,0.67970 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=c2ae20bdc57cf421 (bits)' at screen 0.06301,0.67970 left noenhanced
  set arrow from screen 0.50786,0.67970 to screen 0.52786,0.67970 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.51786,0.67970 point pt 15 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=ede21f491feb06c0 (bits)' at screen 0.53214,0.67970 left noenhanced
  set arrow from screen 0.13284,0.65620 to screen 0.15284,0.65620 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.14284,0.65620 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'kvtc:page=1024 (bits)' at screen 0.15712,0.65620 left noenhanced
  set arrow from screen 0.33094,0.65620 to screen 0.35094,0.65620 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.34094,0.65620 point pt 14 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=1000,profile=29be0875982d810b (bits)' at screen 0.35522,0.65620 left noenhanced
  set arrow from screen 0.23189,0.63270 to screen 0.25189,0.63270 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.24189,0.63270 point pt 7 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=1000,profile=2e8c2d62df0273ad (bits)' at screen 0.25617,0.63270 left noenhanced
  set arrow from screen 0.23189,0.60920 to screen 0.25189,0.60920 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.24189,0.60920 point pt 6 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=1000,profile=a1ea1e261cc432c3 (bits)' at screen 0.25617,0.60920 left noenhanced
  set arrow from screen 0.19048,0.58570 to screen 0.21048,0.58570 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.20048,0.58570 point pt 5 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=125,prior=heads,profile=a1ea1e261cc432c3 (bits)' at screen 0.21476,0.58570 left noenhanced
  set arrow from screen 0.13025,0.56221 to screen 0.15025,0.56221 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.14025,0.56221 point pt 4 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=250,prior=heads,group=3,send=32,profile=a1ea1e261cc432c3 (bits)' at screen 0.15454,0.56221 left noenhanced
  set arrow from screen 0.13025,0.53871 to screen 0.15025,0.53871 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.14025,0.53871 point pt 9 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=500,prior=heads,group=3,send=32,profile=a1ea1e261cc432c3 (bits)' at screen 0.15454,0.53871 left noenhanced
  set arrow from screen 0.13025,0.51521 to screen 0.15025,0.51521 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.14025,0.51521 point pt 8 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=500,prior=heads,group=6,send=32,profile=a1ea1e261cc432c3 (bits)' at screen 0.15454,0.51521 left noenhanced
  set arrow from screen 0.19048,0.49171 to screen 0.21048,0.49171 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.20048,0.49171 point pt 13 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=500,prior=heads,profile=a1ea1e261cc432c3 (bits)' at screen 0.21476,0.49171 left noenhanced
  set arrow from screen 0.16036,0.46821 to screen 0.18036,0.46821 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.17036,0.46821 point pt 12 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=500,prior=heads,send=32,profile=a1ea1e261cc432c3 (bits)' at screen 0.18465,0.46821 left noenhanced
  set arrow from screen 0.03873,0.44471 to screen 0.05873,0.44471 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.04873,0.44471 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=6bc2bdb4b073526a (bits)' at screen 0.06301,0.44471 left noenhanced
  set arrow from screen 0.50786,0.44471 to screen 0.52786,0.44471 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.51786,0.44471 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=a1ea1e261cc432c3 (bits)' at screen 0.53214,0.44471 left noenhanced
  set arrow from screen 0.20812,0.42121 to screen 0.22812,0.42121 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.21812,0.42121 point pt 15 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=c3767853ceaf4eac (bits)' at screen 0.23241,0.42121 left noenhanced
  set arrow from screen 0.67725,0.42121 to screen 0.69725,0.42121 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front' at screen 0.70154,0.42121 left noenhanced
  set xlabel 'measured bits per value of the coded values' noenhanced
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.37892; set bmargin at screen 0.05855
  set title 'gemma-3-270m-q4_k_m, held-out' noenhanced offset 0,-0.6
  set label 999 'mean |Δppl|, %' at screen 0.00971,0.21873 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:($3 > 0.0444213 ? $3 : 0.0444213):(0):($4 - ($3 > 0.0444213 ? $3 : 0.0444213)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 2 using 1:($3 > 0.0444213 ? $3 : 0.0444213):(0):($4 - ($3 > 0.0444213 ? $3 : 0.0444213)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 2 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 3 using 1:($3 > 0.0444213 ? $3 : 0.0444213):(0):($4 - ($3 > 0.0444213 ? $3 : 0.0444213)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 3 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 4 using 1:($3 > 0.0444213 ? $3 : 0.0444213):(0):($4 - ($3 > 0.0444213 ? $3 : 0.0444213)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 4 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 5 using 1:($3 > 0.0444213 ? $3 : 0.0444213):(0):($4 - ($3 > 0.0444213 ? $3 : 0.0444213)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 5 using 1:2 with points pt 6 ps size lc rgb '#CC0000' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 6 using 1:($3 > 0.0444213 ? $3 : 0.0444213):(0):($4 - ($3 > 0.0444213 ? $3 : 0.0444213)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 6 using 1:2 with points pt 5 ps size lc rgb '#CC0000' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 7 using 1:($3 > 0.0444213 ? $3 : 0.0444213):(0):($4 - ($3 > 0.0444213 ? $3 : 0.0444213)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 7 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 8 using 1:($3 > 0.0444213 ? $3 : 0.0444213):(0):($4 - ($3 > 0.0444213 ? $3 : 0.0444213)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 8 using 1:2 with points pt 4 ps size lc rgb '#CC0000' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 9 using 1:($3 > 0.0444213 ? $3 : 0.0444213):(0):($4 - ($3 > 0.0444213 ? $3 : 0.0444213)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 9 using 1:2 with points pt 9 ps size lc rgb '#CC0000' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 10 using 1:($3 > 0.0444213 ? $3 : 0.0444213):(0):($4 - ($3 > 0.0444213 ? $3 : 0.0444213)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 10 using 1:2 with points pt 8 ps size lc rgb '#CC0000' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 11 using 1:($3 > 0.0444213 ? $3 : 0.0444213):(0):($4 - ($3 > 0.0444213 ? $3 : 0.0444213)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 11 using 1:2 with points pt 13 ps size lc rgb '#CC0000' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 12 using 1:($3 > 0.0444213 ? $3 : 0.0444213):(0):($4 - ($3 > 0.0444213 ? $3 : 0.0444213)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 12 using 1:2 with points pt 12 ps size lc rgb '#CC0000' notitle, \
      data index 13 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 13 using 1:($3 > 0.0444213 ? $3 : 0.0444213):(0):($4 - ($3 > 0.0444213 ? $3 : 0.0444213)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 13 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 14 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 14 using 1:($3 > 0.0444213 ? $3 : 0.0444213):(0):($4 - ($3 > 0.0444213 ? $3 : 0.0444213)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 14 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 15 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 15 using 1:($3 > 0.0444213 ? $3 : 0.0444213):(0):($4 - ($3 > 0.0444213 ? $3 : 0.0444213)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 15 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 16 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 16 using 1:($3 > 0.0444213 ? $3 : 0.0444213):(0):($4 - ($3 > 0.0444213 ? $3 : 0.0444213)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 16 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 17 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 17 using 1:($3 > 0.0444213 ? $3 : 0.0444213):(0):($4 - ($3 > 0.0444213 ? $3 : 0.0444213)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 17 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 18 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.37892; set bmargin at screen 0.05855
  set title 'SmolLM2-135M-Instruct.Q4_1, held-out' noenhanced offset 0,-0.6
  unset label
  unset arrow
  set label 999 'mean |Δppl|, %' at screen 0.50971,0.21873 center rotate noenhanced
  plot data index 19 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 20 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 20 using 1:($3 > 0.0444213 ? $3 : 0.0444213):(0):($4 - ($3 > 0.0444213 ? $3 : 0.0444213)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 20 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 21 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 21 using 1:($3 > 0.0444213 ? $3 : 0.0444213):(0):($4 - ($3 > 0.0444213 ? $3 : 0.0444213)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 21 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 22 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 22 using 1:($3 > 0.0444213 ? $3 : 0.0444213):(0):($4 - ($3 > 0.0444213 ? $3 : 0.0444213)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 22 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 23 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 23 using 1:($3 > 0.0444213 ? $3 : 0.0444213):(0):($4 - ($3 > 0.0444213 ? $3 : 0.0444213)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 23 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 24 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 24 using 1:($3 > 0.0444213 ? $3 : 0.0444213):(0):($4 - ($3 > 0.0444213 ? $3 : 0.0444213)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 24 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 25 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 25 using 1:($3 > 0.0444213 ? $3 : 0.0444213):(0):($4 - ($3 > 0.0444213 ? $3 : 0.0444213)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 25 using 1:2 with points pt 6 ps size lc rgb '#CC0000' notitle, \
      data index 26 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 26 using 1:($3 > 0.0444213 ? $3 : 0.0444213):(0):($4 - ($3 > 0.0444213 ? $3 : 0.0444213)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 26 using 1:2 with points pt 5 ps size lc rgb '#CC0000' notitle, \
      data index 27 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 27 using 1:($3 > 0.0444213 ? $3 : 0.0444213):(0):($4 - ($3 > 0.0444213 ? $3 : 0.0444213)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 27 using 1:2 with points pt 4 ps size lc rgb '#CC0000' notitle, \
      data index 28 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 28 using 1:($3 > 0.0444213 ? $3 : 0.0444213):(0):($4 - ($3 > 0.0444213 ? $3 : 0.0444213)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 28 using 1:2 with points pt 9 ps size lc rgb '#CC0000' notitle, \
      data index 29 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 29 using 1:($3 > 0.0444213 ? $3 : 0.0444213):(0):($4 - ($3 > 0.0444213 ? $3 : 0.0444213)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 29 using 1:2 with points pt 8 ps size lc rgb '#CC0000' notitle, \
      data index 30 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 30 using 1:($3 > 0.0444213 ? $3 : 0.0444213):(0):($4 - ($3 > 0.0444213 ? $3 : 0.0444213)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 30 using 1:2 with points pt 13 ps size lc rgb '#CC0000' notitle, \
      data index 31 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 31 using 1:($3 > 0.0444213 ? $3 : 0.0444213):(0):($4 - ($3 > 0.0444213 ? $3 : 0.0444213)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 31 using 1:2 with points pt 12 ps size lc rgb '#CC0000' notitle, \
      data index 32 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 32 using 1:($3 > 0.0444213 ? $3 : 0.0444213):(0):($4 - ($3 > 0.0444213 ? $3 : 0.0444213)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 32 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 33 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 33 using 1:($3 > 0.0444213 ? $3 : 0.0444213):(0):($4 - ($3 > 0.0444213 ? $3 : 0.0444213)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 33 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 34 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 34 using 1:($3 > 0.0444213 ? $3 : 0.0444213):(0):($4 - ($3 > 0.0444213 ? $3 : 0.0444213)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 34 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 35 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 35 using 1:($3 > 0.0444213 ? $3 : 0.0444213):(0):($4 - ($3 > 0.0444213 ? $3 : 0.0444213)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 35 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 36 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
