# The published hero chart, right
# Redraw in this folder: gnuplot hero.gp
data = 'hero.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1400,1094 enhanced font 'Arial,17' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 2800,2188 enhanced font 'DejaVu Sans,17' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'hero.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold The published hero chart, right}' at screen 0.5,0.97989 center font ',20'
  set label 2 '8 passages of 2048 + 64 scored tokens, two skipped layers at either end; bars: 95 % t intervals' at screen 0.5,0.95612 center font ',15' tc rgb '#444444' noenhanced
  set xrange [1.5:4]
  set yrange [0.037361:118.921]
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
  set arrow from screen 0.39634,0.93053 to screen 0.41634,0.93053 nohead lw 1.2 dt 1 lc rgb '#d62728'
  set label '' at screen 0.40634,0.93053 point pt 7 ps size lc rgb '#d62728'
  set label 'D4 (Q)' at screen 0.42062,0.93053 left noenhanced
  set arrow from screen 0.48151,0.93053 to screen 0.50151,0.93053 nohead lw 1.2 dt 1 lc rgb '#1f77b4'
  set label '' at screen 0.49151,0.93053 point pt 5 ps size lc rgb '#1f77b4'
  set label 'scalar TQ (b)' at screen 0.50579,0.93053 left noenhanced
  set xlabel 'compression of a 128k cache, times (nominal bits)' noenhanced
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.88300; set bmargin at screen 0.52285
  set title 'Qwen3-4B' noenhanced offset 0,-0.6
  set label 999 'mean |Δppl|, %' at screen 0.00971,0.70293 center rotate noenhanced
  plot data index 0 using 1:2 with lines lw 1.2 lc rgb '#d62728' notitle, \
      data index 0 using 1:($3 > 0.037361 ? $3 : 0.037361):(0):($4 - ($3 > 0.037361 ? $3 : 0.037361)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#d62728' notitle, \
      data index 0 using 1:2 with points pt 7 ps size lc rgb '#d62728' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#1f77b4' notitle, \
      data index 1 using 1:($3 > 0.037361 ? $3 : 0.037361):(0):($4 - ($3 > 0.037361 ? $3 : 0.037361)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#1f77b4' notitle, \
      data index 1 using 1:2 with points pt 5 ps size lc rgb '#1f77b4' notitle, \
      data index 2 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.88300; set bmargin at screen 0.52285
  set title 'GLM-4-9B' noenhanced offset 0,-0.6
  unset label
  unset arrow
  set label 999 'mean |Δppl|, %' at screen 0.50971,0.70293 center rotate noenhanced
  plot data index 3 using 1:2 with lines lw 1.2 lc rgb '#d62728' notitle, \
      data index 3 using 1:($3 > 0.037361 ? $3 : 0.037361):(0):($4 - ($3 > 0.037361 ? $3 : 0.037361)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#d62728' notitle, \
      data index 3 using 1:2 with points pt 7 ps size lc rgb '#d62728' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#1f77b4' notitle, \
      data index 4 using 1:($3 > 0.037361 ? $3 : 0.037361):(0):($4 - ($3 > 0.037361 ? $3 : 0.037361)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#1f77b4' notitle, \
      data index 4 using 1:2 with points pt 5 ps size lc rgb '#1f77b4' notitle, \
      data index 5 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.42596; set bmargin at screen 0.06581
  set title 'Gemma-4-E4B' noenhanced offset 0,-0.6
  set label 999 'mean |Δppl|, %' at screen 0.00971,0.24589 center rotate noenhanced
  plot data index 6 using 1:2 with lines lw 1.2 lc rgb '#d62728' notitle, \
      data index 6 using 1:($3 > 0.037361 ? $3 : 0.037361):(0):($4 - ($3 > 0.037361 ? $3 : 0.037361)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#d62728' notitle, \
      data index 6 using 1:2 with points pt 7 ps size lc rgb '#d62728' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#1f77b4' notitle, \
      data index 7 using 1:($3 > 0.037361 ? $3 : 0.037361):(0):($4 - ($3 > 0.037361 ? $3 : 0.037361)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#1f77b4' notitle, \
      data index 7 using 1:2 with points pt 5 ps size lc rgb '#1f77b4' notitle, \
      data index 8 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.42596; set bmargin at screen 0.06581
  set title 'DeepSeek-1.5B' noenhanced offset 0,-0.6
  set label 999 'mean |Δppl|, %' at screen 0.50971,0.24589 center rotate noenhanced
  plot data index 9 using 1:2 with lines lw 1.2 lc rgb '#d62728' notitle, \
      data index 9 using 1:($3 > 0.037361 ? $3 : 0.037361):(0):($4 - ($3 > 0.037361 ? $3 : 0.037361)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#d62728' notitle, \
      data index 9 using 1:2 with points pt 7 ps size lc rgb '#d62728' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#1f77b4' notitle, \
      data index 10 using 1:($3 > 0.037361 ? $3 : 0.037361):(0):($4 - ($3 > 0.037361 ? $3 : 0.037361)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#1f77b4' notitle, \
      data index 10 using 1:2 with points pt 5 ps size lc rgb '#1f77b4' notitle, \
      data index 11 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
