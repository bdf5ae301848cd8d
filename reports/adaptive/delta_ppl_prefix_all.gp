# Change of perplexity against measured bits of the coded values (prefix)
# Redraw in this folder: gnuplot delta_ppl_prefix_all.gp
data = 'delta_ppl_prefix_all.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1400,1634 enhanced font 'Arial,17' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 2800,3269 enhanced font 'DejaVu Sans,17' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'delta_ppl_prefix_all.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold Change of perplexity against measured bits of the coded values (prefix)}' at screen 0.5,0.98654 center font ',20'
  set label 2 '4 passages of 8000 + 192 scored tokens; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn; noise alone is above 0' at screen 0.5,0.97063 center font ',15' tc rgb '#444444' noenhanced
  set xrange [0.5:6]
  set yrange [0.0347506:37.341]
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
  set arrow from screen 0.19565,0.95350 to screen 0.21565,0.95350 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.20565,0.95350 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:rule=published (q)' at screen 0.21994,0.95350 left noenhanced
  set arrow from screen 0.39375,0.95350 to screen 0.41375,0.95350 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.40375,0.95350 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:center=mean (bits)' at screen 0.41804,0.95350 left noenhanced
  set arrow from screen 0.60691,0.95350 to screen 0.62691,0.95350 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.61691,0.95350 point pt 14 ps size lc rgb '#CC0000'
  set label 'klt:profile=none (bits)' at screen 0.63119,0.95350 left noenhanced
  set arrow from screen 0.23189,0.93582 to screen 0.25189,0.93582 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.24189,0.93582 point pt 7 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=1000,profile=264766293e045428 (bits)' at screen 0.25617,0.93582 left noenhanced
  set arrow from screen 0.23189,0.91814 to screen 0.25189,0.91814 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.24189,0.91814 point pt 6 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=1000,profile=b1ed4b09e1cc47a7 (bits)' at screen 0.25617,0.91814 left noenhanced
  set arrow from screen 0.23189,0.90045 to screen 0.25189,0.90045 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.24189,0.90045 point pt 5 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=1000,profile=c6696d7cd0d72fd1 (bits)' at screen 0.25617,0.90045 left noenhanced
  set arrow from screen 0.23189,0.88277 to screen 0.25189,0.88277 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.24189,0.88277 point pt 4 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=1000,profile=ede21f491feb06c0 (bits)' at screen 0.25617,0.88277 left noenhanced
  set arrow from screen 0.19424,0.86509 to screen 0.21424,0.86509 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.20424,0.86509 point pt 9 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=1000,send=auto,profile=b1ed4b09e1cc47a7 (bits)' at screen 0.21853,0.86509 left noenhanced
  set arrow from screen 0.19424,0.84741 to screen 0.21424,0.84741 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.20424,0.84741 point pt 8 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=1000,send=auto,profile=ede21f491feb06c0 (bits)' at screen 0.21853,0.84741 left noenhanced
  set arrow from screen 0.19048,0.82972 to screen 0.21048,0.82972 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.20048,0.82972 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=125,prior=heads,profile=ede21f491feb06c0 (bits)' at screen 0.21476,0.82972 left noenhanced
  set arrow from screen 0.23189,0.81204 to screen 0.25189,0.81204 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.24189,0.81204 point pt 13 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=2000,profile=ede21f491feb06c0 (bits)' at screen 0.25617,0.81204 left noenhanced
  set arrow from screen 0.13025,0.79436 to screen 0.15025,0.79436 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.14025,0.79436 point pt 12 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=250,prior=heads,group=3,send=32,profile=ede21f491feb06c0 (bits)' at screen 0.15454,0.79436 left noenhanced
  set arrow from screen 0.13025,0.77668 to screen 0.15025,0.77668 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.14025,0.77668 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=500,prior=heads,group=3,send=32,profile=264766293e045428 (bits)' at screen 0.15454,0.77668 left noenhanced
  set arrow from screen 0.13025,0.75899 to screen 0.15025,0.75899 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.14025,0.75899 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=500,prior=heads,group=3,send=32,profile=ede21f491feb06c0 (bits)' at screen 0.15454,0.75899 left noenhanced
  set arrow from screen 0.13025,0.74131 to screen 0.15025,0.74131 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.14025,0.74131 point pt 15 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=500,prior=heads,group=6,send=32,profile=ede21f491feb06c0 (bits)' at screen 0.15454,0.74131 left noenhanced
  set arrow from screen 0.19048,0.72363 to screen 0.21048,0.72363 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.20048,0.72363 point pt 14 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=500,prior=heads,profile=264766293e045428 (bits)' at screen 0.21476,0.72363 left noenhanced
  set arrow from screen 0.19048,0.70595 to screen 0.21048,0.70595 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.20048,0.70595 point pt 7 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=500,prior=heads,profile=ede21f491feb06c0 (bits)' at screen 0.21476,0.70595 left noenhanced
  set arrow from screen 0.16036,0.68826 to screen 0.18036,0.68826 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.17036,0.68826 point pt 6 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=500,prior=heads,send=32,profile=ede21f491feb06c0 (bits)' at screen 0.18465,0.68826 left noenhanced
  set arrow from screen 0.03873,0.67058 to screen 0.05873,0.67058 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.04873,0.67058 point pt 5 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=9f87da0165e39752 (bits)' at screen 0.06301,0.67058 left noenhanced
  set arrow from screen 0.50786,0.67058 to screen 0.52786,0.67058 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.51786,0.67058 point pt 4 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=b1ed4b09e1cc47a7 (bits)' at screen 0.53214,0.67058 left noenhanced
  set arrow from screen 0.03873,0.65290 to screen 0.05873,0.65290 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.04873,0.65290 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=b270406f341440ab (bits)' at screen 0.06301,0.65290 left noenhanced
  set arrow from screen 0.50786,0.65290 to screen 0.52786,0.65290 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.51786,0.65290 point pt 9 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=c2ae20bdc57cf421 (bits)' at screen 0.53214,0.65290 left noenhanced
  set arrow from screen 0.03873,0.63522 to screen 0.05873,0.63522 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.04873,0.63522 point pt 8 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=c6696d7cd0d72fd1 (bits)' at screen 0.06301,0.63522 left noenhanced
  set arrow from screen 0.50786,0.63522 to screen 0.52786,0.63522 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.51786,0.63522 point pt 13 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=ede21f491feb06c0 (bits)' at screen 0.53214,0.63522 left noenhanced
  set arrow from screen 0.13284,0.61754 to screen 0.15284,0.61754 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.14284,0.61754 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'kvtc:page=1024 (bits)' at screen 0.15712,0.61754 left noenhanced
  set arrow from screen 0.33094,0.61754 to screen 0.35094,0.61754 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.34094,0.61754 point pt 12 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=1000,profile=29be0875982d810b (bits)' at screen 0.35522,0.61754 left noenhanced
  set arrow from screen 0.23189,0.59985 to screen 0.25189,0.59985 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.24189,0.59985 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=1000,profile=2e8c2d62df0273ad (bits)' at screen 0.25617,0.59985 left noenhanced
  set arrow from screen 0.23189,0.58217 to screen 0.25189,0.58217 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.24189,0.58217 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=1000,profile=95ccede7f079f607 (bits)' at screen 0.25617,0.58217 left noenhanced
  set arrow from screen 0.23189,0.56449 to screen 0.25189,0.56449 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.24189,0.56449 point pt 15 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=1000,profile=a1ea1e261cc432c3 (bits)' at screen 0.25617,0.56449 left noenhanced
  set arrow from screen 0.19424,0.54681 to screen 0.21424,0.54681 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.20424,0.54681 point pt 14 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=1000,send=auto,profile=29be0875982d810b (bits)' at screen 0.21853,0.54681 left noenhanced
  set arrow from screen 0.19424,0.52912 to screen 0.21424,0.52912 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.20424,0.52912 point pt 7 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=1000,send=auto,profile=a1ea1e261cc432c3 (bits)' at screen 0.21853,0.52912 left noenhanced
  set arrow from screen 0.19048,0.51144 to screen 0.21048,0.51144 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.20048,0.51144 point pt 6 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=125,prior=heads,profile=a1ea1e261cc432c3 (bits)' at screen 0.21476,0.51144 left noenhanced
  set arrow from screen 0.23189,0.49376 to screen 0.25189,0.49376 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.24189,0.49376 point pt 5 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=2000,profile=a1ea1e261cc432c3 (bits)' at screen 0.25617,0.49376 left noenhanced
  set arrow from screen 0.13025,0.47608 to screen 0.15025,0.47608 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.14025,0.47608 point pt 4 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=250,prior=heads,group=3,send=32,profile=a1ea1e261cc432c3 (bits)' at screen 0.15454,0.47608 left noenhanced
  set arrow from screen 0.13025,0.45839 to screen 0.15025,0.45839 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.14025,0.45839 point pt 9 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=500,prior=heads,group=3,send=32,profile=2e8c2d62df0273ad (bits)' at screen 0.15454,0.45839 left noenhanced
  set arrow from screen 0.13025,0.44071 to screen 0.15025,0.44071 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.14025,0.44071 point pt 8 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=500,prior=heads,group=3,send=32,profile=a1ea1e261cc432c3 (bits)' at screen 0.15454,0.44071 left noenhanced
  set arrow from screen 0.13025,0.42303 to screen 0.15025,0.42303 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.14025,0.42303 point pt 13 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=500,prior=heads,group=6,send=32,profile=a1ea1e261cc432c3 (bits)' at screen 0.15454,0.42303 left noenhanced
  set arrow from screen 0.19048,0.40535 to screen 0.21048,0.40535 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.20048,0.40535 point pt 12 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=500,prior=heads,profile=2e8c2d62df0273ad (bits)' at screen 0.21476,0.40535 left noenhanced
  set arrow from screen 0.19048,0.38767 to screen 0.21048,0.38767 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.20048,0.38767 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=500,prior=heads,profile=a1ea1e261cc432c3 (bits)' at screen 0.21476,0.38767 left noenhanced
  set arrow from screen 0.16036,0.36998 to screen 0.18036,0.36998 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.17036,0.36998 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=500,prior=heads,send=32,profile=a1ea1e261cc432c3 (bits)' at screen 0.18465,0.36998 left noenhanced
  set arrow from screen 0.03873,0.35230 to screen 0.05873,0.35230 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.04873,0.35230 point pt 15 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=6bc2bdb4b073526a (bits)' at screen 0.06301,0.35230 left noenhanced
  set arrow from screen 0.50786,0.35230 to screen 0.52786,0.35230 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.51786,0.35230 point pt 14 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=95ccede7f079f607 (bits)' at screen 0.53214,0.35230 left noenhanced
  set arrow from screen 0.03873,0.33462 to screen 0.05873,0.33462 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.04873,0.33462 point pt 7 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=a1ea1e261cc432c3 (bits)' at screen 0.06301,0.33462 left noenhanced
  set arrow from screen 0.50786,0.33462 to screen 0.52786,0.33462 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.51786,0.33462 point pt 15 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=c3767853ceaf4eac (bits)' at screen 0.53214,0.33462 left noenhanced
  set arrow from screen 0.20812,0.31694 to screen 0.22812,0.31694 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.21812,0.31694 point pt 6 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=dcfac22cddbcb6c4 (bits)' at screen 0.23241,0.31694 left noenhanced
  set arrow from screen 0.67725,0.31694 to screen 0.69725,0.31694 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front' at screen 0.70154,0.31694 left noenhanced
  set xlabel 'measured bits per value of the coded values' noenhanced
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.28512; set bmargin at screen 0.04405
  set title 'gemma-3-270m-q4_k_m, held-out' noenhanced offset 0,-0.6
  set label 999 'mean |Δppl|, %' at screen 0.00971,0.16459 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 2 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 2 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 3 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 3 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 4 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 4 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 5 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 5 using 1:2 with points pt 6 ps size lc rgb '#CC0000' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 6 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 6 using 1:2 with points pt 5 ps size lc rgb '#CC0000' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 7 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 7 using 1:2 with points pt 4 ps size lc rgb '#CC0000' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 8 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 8 using 1:2 with points pt 9 ps size lc rgb '#CC0000' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 9 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 9 using 1:2 with points pt 8 ps size lc rgb '#CC0000' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 10 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 10 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 11 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 11 using 1:2 with points pt 13 ps size lc rgb '#CC0000' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 12 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 12 using 1:2 with points pt 12 ps size lc rgb '#CC0000' notitle, \
      data index 13 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 13 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 13 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 14 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 14 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 14 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 15 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 15 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 15 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 16 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 16 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 16 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 17 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 17 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 17 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 18 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 18 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 18 using 1:2 with points pt 6 ps size lc rgb '#CC0000' notitle, \
      data index 19 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 19 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 19 using 1:2 with points pt 5 ps size lc rgb '#CC0000' notitle, \
      data index 20 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 20 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 20 using 1:2 with points pt 4 ps size lc rgb '#CC0000' notitle, \
      data index 21 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 21 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 21 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 22 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 22 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 22 using 1:2 with points pt 9 ps size lc rgb '#CC0000' notitle, \
      data index 23 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 23 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 23 using 1:2 with points pt 8 ps size lc rgb '#CC0000' notitle, \
      data index 24 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 24 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 24 using 1:2 with points pt 13 ps size lc rgb '#CC0000' notitle, \
      data index 25 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 25 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 25 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 26 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.28512; set bmargin at screen 0.04405
  set title 'SmolLM2-135M-Instruct.Q4_1, held-out' noenhanced offset 0,-0.6
  unset label
  unset arrow
  set label 999 'mean |Δppl|, %' at screen 0.50971,0.16459 center rotate noenhanced
  plot data index 27 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 28 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 28 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 28 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 29 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 29 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 29 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 30 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 30 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 30 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 31 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 31 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 31 using 1:2 with points pt 12 ps size lc rgb '#CC0000' notitle, \
      data index 32 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 32 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 32 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 33 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 33 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 33 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 34 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 34 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 34 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 35 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 35 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 35 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 36 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 36 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 36 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 37 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 37 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 37 using 1:2 with points pt 6 ps size lc rgb '#CC0000' notitle, \
      data index 38 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 38 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 38 using 1:2 with points pt 5 ps size lc rgb '#CC0000' notitle, \
      data index 39 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 39 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 39 using 1:2 with points pt 4 ps size lc rgb '#CC0000' notitle, \
      data index 40 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 40 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 40 using 1:2 with points pt 9 ps size lc rgb '#CC0000' notitle, \
      data index 41 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 41 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 41 using 1:2 with points pt 8 ps size lc rgb '#CC0000' notitle, \
      data index 42 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 42 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 42 using 1:2 with points pt 13 ps size lc rgb '#CC0000' notitle, \
      data index 43 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 43 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 43 using 1:2 with points pt 12 ps size lc rgb '#CC0000' notitle, \
      data index 44 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 44 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 44 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 45 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 45 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 45 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 46 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 46 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 46 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 47 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 47 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 47 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 48 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 48 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 48 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 49 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 49 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 49 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 50 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 50 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 50 using 1:2 with points pt 6 ps size lc rgb '#CC0000' notitle, \
      data index 51 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 51 using 1:($3 > 0.0347506 ? $3 : 0.0347506):(0):($4 - ($3 > 0.0347506 ? $3 : 0.0347506)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 51 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 52 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
