# Change of perplexity against bits really written (prefix)
# Redraw in this folder: gnuplot delta_ppl_prefix.gp
data = 'delta_ppl_prefix.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1400,1296 enhanced font 'Arial,17' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 2800,2593 enhanced font 'DejaVu Sans,17' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'delta_ppl_prefix.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold Change of perplexity against bits really written (prefix)}' at screen 0.5,0.98303 center font ',20'
  set label 2 '4 to 16 passages of 2048 + 64 scored tokens; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn; noise alone is above 0' at screen 0.5,0.96297 center font ',15' tc rgb '#444444' noenhanced
  set xrange [0.5:6.5]
  set yrange [0.0307486:40.0523]
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
  set arrow from screen 0.17424,0.94137 to screen 0.19424,0.94137 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.18424,0.94137 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:rule=published (q)' at screen 0.19853,0.94137 left noenhanced
  set arrow from screen 0.37234,0.94137 to screen 0.39234,0.94137 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.38234,0.94137 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'klt:scope=layer,predict=2,profile=f762837b45a25265 (bits)' at screen 0.39663,0.94137 left noenhanced
  set arrow from screen 0.07637,0.91908 to screen 0.09637,0.91908 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.08637,0.91908 point pt 10 ps size lc rgb '#8C6D1F'
  set label 'klt:scope=layer,profile=f762837b45a25265 (bits)' at screen 0.10066,0.91908 left noenhanced
  set arrow from screen 0.47021,0.91908 to screen 0.49021,0.91908 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.48021,0.91908 point pt 15 ps size lc rgb '#8C6D1F'
  set label 'klt:scope=layer,predict=2,profile=d0dd72b67ebaa761 (bits)' at screen 0.49450,0.91908 left noenhanced
  set arrow from screen 0.11778,0.89678 to screen 0.13778,0.89678 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.12778,0.89678 point pt 15 ps size lc rgb '#66A61E'
  set label 'kvtc:profile=afc59db0fc8a8a40 (bits)' at screen 0.14206,0.89678 left noenhanced
  set arrow from screen 0.42881,0.89678 to screen 0.44881,0.89678 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.43881,0.89678 point pt 14 ps size lc rgb '#8C6D1F'
  set label 'klt:scope=layer,predict=1,profile=e4d895bfb70c96f6 (bits)' at screen 0.45309,0.89678 left noenhanced
  set arrow from screen 0.02626,0.87449 to screen 0.04626,0.87449 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.03626,0.87449 point pt 7 ps size lc rgb '#8C6D1F'
  set label 'klt:scope=layer,predict=2,profile=e4d895bfb70c96f6 (bits)' at screen 0.05054,0.87449 left noenhanced
  set arrow from screen 0.49539,0.87449 to screen 0.51539,0.87449 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.50539,0.87449 point pt 6 ps size lc rgb '#8C6D1F'
  set label 'klt:scope=layer,profile=e4d895bfb70c96f6 (bits)' at screen 0.51967,0.87449 left noenhanced
  set arrow from screen 0.88923,0.87449 to screen 0.90923,0.87449 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.89923,0.87449 point pt 11 ps size lc rgb '#7570B3'
  set label 'kivi (b)' at screen 0.91351,0.87449 left noenhanced
  set arrow from screen 0.12154,0.85219 to screen 0.14154,0.85219 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.13154,0.85219 point pt 5 ps size lc rgb '#8C6D1F'
  set label 'klt:profile=13842709ee1c9819 (bits)' at screen 0.14583,0.85219 left noenhanced
  set arrow from screen 0.42504,0.85219 to screen 0.44504,0.85219 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.43504,0.85219 point pt 4 ps size lc rgb '#8C6D1F'
  set label 'klt:scope=layer,predict=1,profile=13842709ee1c9819 (bits)' at screen 0.44933,0.85219 left noenhanced
  set arrow from screen 0.27329,0.82990 to screen 0.29329,0.82990 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.28329,0.82990 point pt 9 ps size lc rgb '#8C6D1F'
  set label 'klt:scope=layer,predict=2,profile=13842709ee1c9819 (bits)' at screen 0.29758,0.82990 left noenhanced
  set arrow from screen 0.03873,0.80761 to screen 0.05873,0.80761 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.04873,0.80761 point pt 8 ps size lc rgb '#8C6D1F'
  set label 'klt:scope=layer,predict=2,restart=6,profile=13842709ee1c9819 (bits)' at screen 0.06301,0.80761 left noenhanced
  set arrow from screen 0.58314,0.80761 to screen 0.60314,0.80761 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.59314,0.80761 point pt 13 ps size lc rgb '#8C6D1F'
  set label 'klt:scope=layer,profile=13842709ee1c9819 (bits)' at screen 0.60743,0.80761 left noenhanced
  set arrow from screen 0.28717,0.78531 to screen 0.30717,0.78531 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.29717,0.78531 point pt 14 ps size lc rgb '#66A61E'
  set label 'kvtc:profile=ffc8c20e2f51bb63 (bits)' at screen 0.31146,0.78531 left noenhanced
  set arrow from screen 0.59820,0.78531 to screen 0.61820,0.78531 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front' at screen 0.62249,0.78531 left noenhanced
  set xlabel 'real bits per value' noenhanced
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.74520; set bmargin at screen 0.44126
  set title 'gemma-3-270m-q4_k_m (gemma3-270m-cold)' noenhanced offset 0,-0.6
  set label 999 'mean |Δppl|, %' at screen 0.00971,0.59323 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:($3 > 0.0307486 ? $3 : 0.0307486):(0):($4 - ($3 > 0.0307486 ? $3 : 0.0307486)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 2 using 1:($3 > 0.0307486 ? $3 : 0.0307486):(0):($4 - ($3 > 0.0307486 ? $3 : 0.0307486)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 2 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 3 using 1:($3 > 0.0307486 ? $3 : 0.0307486):(0):($4 - ($3 > 0.0307486 ? $3 : 0.0307486)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 3 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 4 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.74520; set bmargin at screen 0.44126
  set title 'gemma-3-270m-q4_k_m (gemma3-270m-cold-kvtc)' noenhanced offset 0,-0.6
  unset label
  unset arrow
  set label 999 'mean |Δppl|, %' at screen 0.50971,0.59323 center rotate noenhanced
  plot data index 5 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 6 using 1:($3 > 0.0307486 ? $3 : 0.0307486):(0):($4 - ($3 > 0.0307486 ? $3 : 0.0307486)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 6 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 7 using 1:($3 > 0.0307486 ? $3 : 0.0307486):(0):($4 - ($3 > 0.0307486 ? $3 : 0.0307486)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 7 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 8 using 1:($3 > 0.0307486 ? $3 : 0.0307486):(0):($4 - ($3 > 0.0307486 ? $3 : 0.0307486)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 8 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 9 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.35948; set bmargin at screen 0.05554
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m-cold)' noenhanced offset 0,-0.6
  set label 999 'mean |Δppl|, %' at screen 0.00971,0.20751 center rotate noenhanced
  plot data index 10 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 11 using 1:($3 > 0.0307486 ? $3 : 0.0307486):(0):($4 - ($3 > 0.0307486 ? $3 : 0.0307486)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 11 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 12 using 1:($3 > 0.0307486 ? $3 : 0.0307486):(0):($4 - ($3 > 0.0307486 ? $3 : 0.0307486)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 12 using 1:2 with points pt 14 ps size lc rgb '#8C6D1F' notitle, \
      data index 13 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 13 using 1:($3 > 0.0307486 ? $3 : 0.0307486):(0):($4 - ($3 > 0.0307486 ? $3 : 0.0307486)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 13 using 1:2 with points pt 7 ps size lc rgb '#8C6D1F' notitle, \
      data index 14 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 14 using 1:($3 > 0.0307486 ? $3 : 0.0307486):(0):($4 - ($3 > 0.0307486 ? $3 : 0.0307486)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 14 using 1:2 with points pt 6 ps size lc rgb '#8C6D1F' notitle, \
      data index 15 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.35948; set bmargin at screen 0.05554
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m-cold-kvtc)' noenhanced offset 0,-0.6
  set label 999 'mean |Δppl|, %' at screen 0.50971,0.20751 center rotate noenhanced
  plot data index 16 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 17 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 17 using 1:($3 > 0.0307486 ? $3 : 0.0307486):(0):($4 - ($3 > 0.0307486 ? $3 : 0.0307486)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 17 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 18 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 18 using 1:($3 > 0.0307486 ? $3 : 0.0307486):(0):($4 - ($3 > 0.0307486 ? $3 : 0.0307486)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 18 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 19 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 19 using 1:($3 > 0.0307486 ? $3 : 0.0307486):(0):($4 - ($3 > 0.0307486 ? $3 : 0.0307486)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 19 using 1:2 with points pt 5 ps size lc rgb '#8C6D1F' notitle, \
      data index 20 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 20 using 1:($3 > 0.0307486 ? $3 : 0.0307486):(0):($4 - ($3 > 0.0307486 ? $3 : 0.0307486)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 20 using 1:2 with points pt 4 ps size lc rgb '#8C6D1F' notitle, \
      data index 21 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 21 using 1:($3 > 0.0307486 ? $3 : 0.0307486):(0):($4 - ($3 > 0.0307486 ? $3 : 0.0307486)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 21 using 1:2 with points pt 9 ps size lc rgb '#8C6D1F' notitle, \
      data index 22 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 22 using 1:($3 > 0.0307486 ? $3 : 0.0307486):(0):($4 - ($3 > 0.0307486 ? $3 : 0.0307486)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 22 using 1:2 with points pt 8 ps size lc rgb '#8C6D1F' notitle, \
      data index 23 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 23 using 1:($3 > 0.0307486 ? $3 : 0.0307486):(0):($4 - ($3 > 0.0307486 ? $3 : 0.0307486)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 23 using 1:2 with points pt 13 ps size lc rgb '#8C6D1F' notitle, \
      data index 24 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 24 using 1:($3 > 0.0307486 ? $3 : 0.0307486):(0):($4 - ($3 > 0.0307486 ? $3 : 0.0307486)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 24 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 25 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
