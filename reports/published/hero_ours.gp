# Change of perplexity against compression of the whole cache
# Redraw in this folder: gnuplot hero_ours.gp
data = 'hero_ours.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1400,623 enhanced font 'Arial,17' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 2800,1246 enhanced font 'DejaVu Sans,17' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'hero_ours.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold Change of perplexity against compression of the whole cache}' at screen 0.5,0.96468 center font ',20'
  set label 2 'passages of 2048 + 64 scored tokens; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn; skipped layers at 16 bits; no profiles' at screen 0.5,0.92294 center font ',15' tc rgb '#444444' noenhanced
  set xrange [1.5:11]
  set yrange [0.0636579:107.495]
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
  set arrow from screen 0.04413,0.87799 to screen 0.06413,0.87799 nohead lw 1.2 dt 1 lc rgb '#AA3377'
  set label '' at screen 0.05413,0.87799 point pt 13 ps size lc rgb '#AA3377'
  set label 'fp8' at screen 0.06841,0.87799 left noenhanced
  set arrow from screen 0.10671,0.87799 to screen 0.12671,0.87799 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.11671,0.87799 point pt 5 ps size lc rgb '#0072B2'
  set label 'E8 (KakeyaLattice) (q)' at screen 0.13100,0.87799 left noenhanced
  set arrow from screen 0.31234,0.87799 to screen 0.33234,0.87799 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.32234,0.87799 point pt 11 ps size lc rgb '#CC79A7'
  set label 'KIVI (b)' at screen 0.33663,0.87799 left noenhanced
  set arrow from screen 0.41257,0.87799 to screen 0.43257,0.87799 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.42257,0.87799 point pt 15 ps size lc rgb '#CC0000'
  set label 'klt, layers (bits)' at screen 0.43686,0.87799 left noenhanced
  set arrow from screen 0.58809,0.87799 to screen 0.60809,0.87799 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.59809,0.87799 point pt 7 ps size lc rgb '#CC0000'
  set label 'klt, heads (bits)' at screen 0.61237,0.87799 left noenhanced
  set arrow from screen 0.75607,0.87799 to screen 0.77607,0.87799 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.76607,0.87799 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'nvfp4' at screen 0.78036,0.87799 left noenhanced
  set arrow from screen 0.83371,0.87799 to screen 0.85371,0.87799 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.84371,0.87799 point pt 7 ps size lc rgb '#66A61E'
  set label 'q4_0, rotated' at screen 0.85800,0.87799 left noenhanced
  set arrow from screen 0.36999,0.83159 to screen 0.38999,0.83159 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.37999,0.83159 point pt 14 ps size lc rgb '#CC79A7'
  set label 'q5_0, rotated' at screen 0.39427,0.83159 left noenhanced
  set arrow from screen 0.50786,0.83159 to screen 0.52786,0.83159 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.51786,0.83159 point pt 7 ps size lc rgb '#8C6D1F'
  set label 'q8_0, rotated' at screen 0.53214,0.83159 left noenhanced
  set xlabel 'compression of the whole cache, times (open pages as bf16)' noenhanced
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.74811; set bmargin at screen 0.11559
  set title 'gemma-3-270m-q4_k_m, held-out, 14 passages' noenhanced offset 0,-0.6
  set label 999 'mean |Δppl|, %' at screen 0.00971,0.43185 center rotate noenhanced
  plot data index 0 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 0 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 0 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:2 with points pt 5 ps size lc rgb '#0072B2' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 2 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 2 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 3 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 3 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 4 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 4 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 5 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 5 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 6 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 6 using 1:2 with points pt 7 ps size lc rgb '#66A61E' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 7 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 7 using 1:2 with points pt 14 ps size lc rgb '#CC79A7' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 8 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 8 using 1:2 with points pt 7 ps size lc rgb '#8C6D1F' notitle, \
      data index 9 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.74811; set bmargin at screen 0.11559
  set title 'SmolLM2-135M-Instruct.Q4_1, held-out, 37 passages' noenhanced offset 0,-0.6
  unset label
  unset arrow
  set label 999 'mean |Δppl|, %' at screen 0.50971,0.43185 center rotate noenhanced
  plot data index 10 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 10 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 10 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 11 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 11 using 1:2 with points pt 5 ps size lc rgb '#0072B2' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 12 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 12 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 13 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 13 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 13 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 14 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 14 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 14 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 15 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 15 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 15 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 16 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 16 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 16 using 1:2 with points pt 7 ps size lc rgb '#66A61E' notitle, \
      data index 17 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 17 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 17 using 1:2 with points pt 14 ps size lc rgb '#CC79A7' notitle, \
      data index 18 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 18 using 1:($3 > 0.0636579 ? $3 : 0.0636579):(0):($4 - ($3 > 0.0636579 ? $3 : 0.0636579)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 18 using 1:2 with points pt 7 ps size lc rgb '#8C6D1F' notitle, \
      data index 19 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
