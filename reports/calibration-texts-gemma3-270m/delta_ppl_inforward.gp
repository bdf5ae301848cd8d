# Change of perplexity against measured bits of the whole cache (in-forward)
# Redraw in this folder: gnuplot delta_ppl_inforward.gp
data = 'delta_ppl_inforward.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1800,1186 enhanced font 'Arial,19' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 3600,2373 enhanced font 'DejaVu Sans,19' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'delta_ppl_inforward.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold Change of perplexity against measured bits of the whole cache (in-forward)}' at screen 0.5,0.98145 center font ',22'
  set label 2 '8 passages of 2048 + 64 scored tokens; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn; noise alone is above 0' at screen 0.5,0.95954 center font ',17' tc rgb '#444444' noenhanced
  set xrange [1.5:5.5]
  set yrange [0.0733396:51.1597]
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
  set arrow from screen 0.06512,0.93594 to screen 0.08067,0.93594 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.07289,0.93594 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:center=mean (bits)' at screen 0.08401,0.93594 left noenhanced
  set arrow from screen 0.24675,0.93594 to screen 0.26231,0.93594 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.25453,0.93594 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'kivi (b)' at screen 0.26564,0.93594 left noenhanced
  set arrow from screen 0.33022,0.93594 to screen 0.34577,0.93594 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.33799,0.93594 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt, layers, Wikipedia (bits)' at screen 0.34911,0.93594 left noenhanced
  set arrow from screen 0.55112,0.93594 to screen 0.56667,0.93594 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.55889,0.93594 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt, layers, own kind (bits)' at screen 0.57001,0.93594 left noenhanced
  set arrow from screen 0.76547,0.93594 to screen 0.78103,0.93594 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.77325,0.93594 point pt 15 ps size lc rgb '#CC0000'
  set label 'klt, layers, mix (bits)' at screen 0.78436,0.93594 left noenhanced
  set arrow from screen 0.26231,0.90871 to screen 0.27786,0.90871 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.27008,0.90871 point pt 14 ps size lc rgb '#CC0000'
  set label 'klt, layers, a novel (bits)' at screen 0.28119,0.90871 left noenhanced
  set arrow from screen 0.47012,0.90871 to screen 0.48567,0.90871 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front of these 6 of 31 families' at screen 0.48901,0.90871 left noenhanced
  set xlabel 'measured bits per value of the whole cache' noenhanced
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.86487; set bmargin at screen 0.53275
  set title 'gemma-3-270m-q4_k_m (manpages-de)' noenhanced offset 0,-0.6
  set label 999 'mean |Δppl|, %' at screen 0.00844,0.69881 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 1 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 1 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 2 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 2 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 3 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 3 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 4 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 4 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 5 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 5 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 6 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 6 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 7 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.86487; set bmargin at screen 0.53275
  set title 'gemma-3-270m-q4_k_m (manpages-fr)' noenhanced offset 0,-0.6
  unset label
  unset arrow
  set label 999 'mean |Δppl|, %' at screen 0.34178,0.69881 center rotate noenhanced
  plot data index 8 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 9 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 9 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 10 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 10 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 11 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 11 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 12 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 12 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 13 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 13 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 13 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 14 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 14 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 14 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 15 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.72644; set rmargin at screen 0.98889
  set tmargin at screen 0.86487; set bmargin at screen 0.53275
  set title 'gemma-3-270m-q4_k_m (manpages-zh)' noenhanced offset 0,-0.6
  set label 999 'mean |Δppl|, %' at screen 0.67511,0.69881 center rotate noenhanced
  plot data index 16 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 17 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 17 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 17 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 18 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 18 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 18 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 19 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 19 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 19 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 20 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 20 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 20 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 21 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 21 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 21 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 22 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 22 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 22 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 23 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.41811; set bmargin at screen 0.08598
  set title 'gemma-3-270m-q4_k_m (python-code)' noenhanced offset 0,-0.6
  set label 999 'mean |Δppl|, %' at screen 0.00844,0.25204 center rotate noenhanced
  plot data index 24 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 25 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 25 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 25 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 26 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 26 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 26 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 27 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 27 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 27 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 28 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 28 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 28 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 29 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 29 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 29 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 30 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 30 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 30 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 31 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.41811; set bmargin at screen 0.08598
  set title 'gemma-3-270m-q4_k_m (wiki.test)' noenhanced offset 0,-0.6
  set label 999 'mean |Δppl|, %' at screen 0.34178,0.25204 center rotate noenhanced
  plot data index 32 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 33 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 33 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 33 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 34 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 34 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 34 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 35 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 35 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 35 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 36 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 36 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 36 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 37 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 37 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 37 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 38 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
