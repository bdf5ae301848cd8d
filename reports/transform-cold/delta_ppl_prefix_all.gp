# Change of perplexity against measured bits of the whole cache (prefix)
# Redraw in this folder: gnuplot delta_ppl_prefix_all.gp
data = 'delta_ppl_prefix_all.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1400,912 enhanced font 'Arial,17' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 2800,1824 enhanced font 'DejaVu Sans,17' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'delta_ppl_prefix_all.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold Change of perplexity against measured bits of the whole cache (prefix)}' at screen 0.5,0.97587 center font ',20'
  set label 2 'passages of 2048 + 64 scored tokens; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn; noise alone is above 0' at screen 0.5,0.94736 center font ',15' tc rgb '#444444' noenhanced
  set xrange [0:6.5]
  set yrange [0.0547649:43.9363]
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
  set arrow from screen 0.17424,0.91666 to screen 0.19424,0.91666 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.18424,0.91666 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:rule=published (q)' at screen 0.19853,0.91666 left noenhanced
  set arrow from screen 0.37234,0.91666 to screen 0.39234,0.91666 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.38234,0.91666 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=2ca5ea4e09487d45 (bits)' at screen 0.39663,0.91666 left noenhanced
  set arrow from screen 0.27329,0.88497 to screen 0.29329,0.88497 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.28329,0.88497 point pt 15 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=540acf518323338c (bits)' at screen 0.29758,0.88497 left noenhanced
  set arrow from screen 0.23565,0.85327 to screen 0.25565,0.85327 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.24565,0.85327 point pt 14 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,shaping=0,profile=540acf518323338c (bits)' at screen 0.25994,0.85327 left noenhanced
  set arrow from screen 0.22812,0.82158 to screen 0.24812,0.82158 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.23812,0.82158 point pt 7 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,shaping=0.4,profile=540acf518323338c (bits)' at screen 0.25241,0.82158 left noenhanced
  set arrow from screen 0.12413,0.78989 to screen 0.14413,0.78989 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.13413,0.78989 point pt 6 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=2,profile=a686058e6236ada7 (bits)' at screen 0.14841,0.78989 left noenhanced
  set arrow from screen 0.59326,0.78989 to screen 0.61326,0.78989 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.60326,0.78989 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'kvtc:page=1024 (bits)' at screen 0.61754,0.78989 left noenhanced
  set arrow from screen 0.79136,0.78989 to screen 0.81136,0.78989 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.80136,0.78989 point pt 15 ps size lc rgb '#66A61E'
  set label 'kivi (b)' at screen 0.81564,0.78989 left noenhanced
  set arrow from screen 0.12154,0.75820 to screen 0.14154,0.75820 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.13154,0.75820 point pt 5 ps size lc rgb '#CC0000'
  set label 'klt:profile=ca5759f5a397547f (bits)' at screen 0.14583,0.75820 left noenhanced
  set arrow from screen 0.42504,0.75820 to screen 0.44504,0.75820 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.43504,0.75820 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=2de626c03264444e (bits)' at screen 0.44933,0.75820 left noenhanced
  set arrow from screen 0.03873,0.72651 to screen 0.05873,0.72651 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.04873,0.72651 point pt 4 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=5e94a33edea77317 (bits)' at screen 0.06301,0.72651 left noenhanced
  set arrow from screen 0.50786,0.72651 to screen 0.52786,0.72651 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.51786,0.72651 point pt 9 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=ca5759f5a397547f (bits)' at screen 0.53214,0.72651 left noenhanced
  set arrow from screen 0.23565,0.69481 to screen 0.25565,0.69481 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.24565,0.69481 point pt 8 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,shaping=0,profile=5e94a33edea77317 (bits)' at screen 0.25994,0.69481 left noenhanced
  set arrow from screen 0.22812,0.66312 to screen 0.24812,0.66312 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.23812,0.66312 point pt 13 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,shaping=0.4,profile=5e94a33edea77317 (bits)' at screen 0.25241,0.66312 left noenhanced
  set arrow from screen 0.27329,0.63143 to screen 0.29329,0.63143 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.28329,0.63143 point pt 12 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=2,profile=ca5759f5a397547f (bits)' at screen 0.29758,0.63143 left noenhanced
  set arrow from screen 0.03873,0.59974 to screen 0.05873,0.59974 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.04873,0.59974 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=2,restart=6,profile=ca5759f5a397547f (bits)' at screen 0.06301,0.59974 left noenhanced
  set arrow from screen 0.58314,0.59974 to screen 0.60314,0.59974 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.59314,0.59974 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,profile=ca5759f5a397547f (bits)' at screen 0.60743,0.59974 left noenhanced
  set arrow from screen 0.44269,0.56804 to screen 0.46269,0.56804 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front' at screen 0.46697,0.56804 left noenhanced
  set xlabel 'measured bits per value of the whole cache' noenhanced
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.51102; set bmargin at screen 0.07896
  set title 'gemma-3-270m-q4_k_m, 11 passages' noenhanced offset 0,-0.6
  set label 999 'mean |Δppl|, %' at screen 0.00971,0.29499 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:($3 > 0.0547649 ? $3 : 0.0547649):(0):($4 - ($3 > 0.0547649 ? $3 : 0.0547649)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 2 using 1:($3 > 0.0547649 ? $3 : 0.0547649):(0):($4 - ($3 > 0.0547649 ? $3 : 0.0547649)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 2 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 3 using 1:($3 > 0.0547649 ? $3 : 0.0547649):(0):($4 - ($3 > 0.0547649 ? $3 : 0.0547649)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 3 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 4 using 1:($3 > 0.0547649 ? $3 : 0.0547649):(0):($4 - ($3 > 0.0547649 ? $3 : 0.0547649)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 4 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 5 using 1:($3 > 0.0547649 ? $3 : 0.0547649):(0):($4 - ($3 > 0.0547649 ? $3 : 0.0547649)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 5 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 6 using 1:($3 > 0.0547649 ? $3 : 0.0547649):(0):($4 - ($3 > 0.0547649 ? $3 : 0.0547649)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 6 using 1:2 with points pt 6 ps size lc rgb '#CC0000' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 7 using 1:($3 > 0.0547649 ? $3 : 0.0547649):(0):($4 - ($3 > 0.0547649 ? $3 : 0.0547649)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 7 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 8 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.51102; set bmargin at screen 0.07896
  set title 'SmolLM2-135M-Instruct.Q4_1, 12 passages' noenhanced offset 0,-0.6
  unset label
  unset arrow
  set label 999 'mean |Δppl|, %' at screen 0.50971,0.29499 center rotate noenhanced
  plot data index 9 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 10 using 1:($3 > 0.0547649 ? $3 : 0.0547649):(0):($4 - ($3 > 0.0547649 ? $3 : 0.0547649)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 10 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 11 using 1:($3 > 0.0547649 ? $3 : 0.0547649):(0):($4 - ($3 > 0.0547649 ? $3 : 0.0547649)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 11 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 12 using 1:($3 > 0.0547649 ? $3 : 0.0547649):(0):($4 - ($3 > 0.0547649 ? $3 : 0.0547649)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 12 using 1:2 with points pt 5 ps size lc rgb '#CC0000' notitle, \
      data index 13 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 13 using 1:($3 > 0.0547649 ? $3 : 0.0547649):(0):($4 - ($3 > 0.0547649 ? $3 : 0.0547649)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 13 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 14 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 14 using 1:($3 > 0.0547649 ? $3 : 0.0547649):(0):($4 - ($3 > 0.0547649 ? $3 : 0.0547649)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 14 using 1:2 with points pt 4 ps size lc rgb '#CC0000' notitle, \
      data index 15 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 15 using 1:($3 > 0.0547649 ? $3 : 0.0547649):(0):($4 - ($3 > 0.0547649 ? $3 : 0.0547649)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 15 using 1:2 with points pt 9 ps size lc rgb '#CC0000' notitle, \
      data index 16 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 16 using 1:($3 > 0.0547649 ? $3 : 0.0547649):(0):($4 - ($3 > 0.0547649 ? $3 : 0.0547649)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 16 using 1:2 with points pt 8 ps size lc rgb '#CC0000' notitle, \
      data index 17 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 17 using 1:($3 > 0.0547649 ? $3 : 0.0547649):(0):($4 - ($3 > 0.0547649 ? $3 : 0.0547649)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 17 using 1:2 with points pt 13 ps size lc rgb '#CC0000' notitle, \
      data index 18 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 18 using 1:($3 > 0.0547649 ? $3 : 0.0547649):(0):($4 - ($3 > 0.0547649 ? $3 : 0.0547649)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 18 using 1:2 with points pt 12 ps size lc rgb '#CC0000' notitle, \
      data index 19 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 19 using 1:($3 > 0.0547649 ? $3 : 0.0547649):(0):($4 - ($3 > 0.0547649 ? $3 : 0.0547649)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 19 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 20 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 20 using 1:($3 > 0.0547649 ? $3 : 0.0547649):(0):($4 - ($3 > 0.0547649 ? $3 : 0.0547649)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 20 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 21 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 21 using 1:($3 > 0.0547649 ? $3 : 0.0547649):(0):($4 - ($3 > 0.0547649 ? $3 : 0.0547649)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 21 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 22 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
