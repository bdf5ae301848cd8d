# Change of perplexity against measured bits of the whole cache (in-forward)
# Redraw in this folder: gnuplot delta_ppl_inforward.gp
data = 'delta_ppl_inforward.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1800,2246 enhanced font 'Arial,19' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 3600,4493 enhanced font 'DejaVu Sans,19' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'delta_ppl_inforward.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold Change of perplexity against measured bits of the whole cache (in-forward)}' at screen 0.5,0.99021 center font ',22'
  set label 2 '8 passages of 2048 + 64 scored tokens; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn; noise alone is above 0' at screen 0.5,0.97863 center font ',17' tc rgb '#444444' noenhanced
  set xrange [2:6.5]
  set yrange [0.0260228:85.5837]
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
  set arrow from screen 0.04956,0.96617 to screen 0.06512,0.96617 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.05734,0.96617 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'q4_0, keys by 256' at screen 0.06845,0.96617 left noenhanced
  set arrow from screen 0.19193,0.96617 to screen 0.20748,0.96617 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.19971,0.96617 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:center=mean,page=128 (bits)' at screen 0.21082,0.96617 left noenhanced
  set arrow from screen 0.43246,0.96617 to screen 0.44802,0.96617 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.44024,0.96617 point pt 15 ps size lc rgb '#66A61E'
  set label 'kivi (b)' at screen 0.45135,0.96617 left noenhanced
  set arrow from screen 0.51593,0.96617 to screen 0.53148,0.96617 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.52371,0.96617 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt, heads (bits)' at screen 0.53482,0.96617 left noenhanced
  set arrow from screen 0.65829,0.96617 to screen 0.67385,0.96617 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.66607,0.96617 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt, layers (bits)' at screen 0.67718,0.96617 left noenhanced
  set arrow from screen 0.80721,0.96617 to screen 0.82276,0.96617 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.81498,0.96617 point pt 10 ps size lc rgb '#8C6D1F'
  set label 'q4_0, rotated by 64' at screen 0.82609,0.96617 left noenhanced
  set arrow from screen 0.30484,0.95179 to screen 0.32040,0.95179 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.31262,0.95179 point pt 11 ps size lc rgb '#7570B3'
  set label 'turboquant (b)' at screen 0.32373,0.95179 left noenhanced
  set arrow from screen 0.42758,0.95179 to screen 0.44313,0.95179 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front of these 7 of 25 families' at screen 0.44647,0.95179 left noenhanced
  set xlabel 'measured bits per value of the whole cache' noenhanced
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.92864; set bmargin at screen 0.75324
  set title 'gemma-3-270m-q4_k_m (gemma3-270m.manpages-de)' noenhanced offset 0,-0.6 font ',16'
  set label 999 'mean |Δppl|, %' at screen 0.00844,0.84094 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 1 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 1 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 2 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 2 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 3 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 3 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 4 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 4 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 5 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 5 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 6 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 6 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 7 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 7 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 8 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.92864; set bmargin at screen 0.75324
  set title 'gemma-3-270m-q4_k_m (gemma3-270m.manpages-fr)' noenhanced offset 0,-0.6 font ',16'
  unset label
  unset arrow
  set label 999 'mean |Δppl|, %' at screen 0.34178,0.84094 center rotate noenhanced
  plot data index 9 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 10 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 10 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 11 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 11 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 12 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 12 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 13 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 13 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 13 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 14 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 14 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 14 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 15 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 15 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 15 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 16 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 16 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 16 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 17 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.72644; set rmargin at screen 0.98889
  set tmargin at screen 0.92864; set bmargin at screen 0.75324
  set title 'gemma-3-270m-q4_k_m (gemma3-270m.manpages-zh)' noenhanced offset 0,-0.6 font ',16'
  set label 999 'mean |Δppl|, %' at screen 0.67511,0.84094 center rotate noenhanced
  plot data index 18 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 19 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 19 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 19 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 20 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 20 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 20 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 21 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 21 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 21 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 22 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 22 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 22 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 23 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 23 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 23 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 24 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 24 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 24 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 25 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 25 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 25 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 26 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.69269; set bmargin at screen 0.51730
  set title 'gemma-3-270m-q4_k_m (gemma3-270m.python-code)' noenhanced offset 0,-0.6 font ',16'
  set label 999 'mean |Δppl|, %' at screen 0.00844,0.60499 center rotate noenhanced
  plot data index 27 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 28 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 28 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 28 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 29 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 29 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 29 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 30 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 30 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 30 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 31 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 31 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 31 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 32 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 32 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 32 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 33 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 33 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 33 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 34 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 34 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 34 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 35 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.69269; set bmargin at screen 0.51730
  set title 'gemma-3-270m-q4_k_m (gemma3-270m.wiki.test)' noenhanced offset 0,-0.6 font ',17'
  set label 999 'mean |Δppl|, %' at screen 0.34178,0.60499 center rotate noenhanced
  plot data index 36 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 37 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 37 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 37 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 38 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 38 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 38 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 39 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 39 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 39 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 40 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 40 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 40 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 41 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 41 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 41 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 42 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 42 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 42 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 43 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 43 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 43 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 44 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.72644; set rmargin at screen 0.98889
  set tmargin at screen 0.69269; set bmargin at screen 0.51730
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m.manpages-de)' noenhanced offset 0,-0.6 font ',14'
  set label 999 'mean |Δppl|, %' at screen 0.67511,0.60499 center rotate noenhanced
  plot data index 45 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 46 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 46 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 46 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 47 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 47 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 47 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 48 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 48 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 48 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 49 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 49 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 49 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 50 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 50 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 50 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 51 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 51 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 51 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 52 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.45675; set bmargin at screen 0.28135
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m.manpages-fr)' noenhanced offset 0,-0.6 font ',14'
  set label 999 'mean |Δppl|, %' at screen 0.00844,0.36905 center rotate noenhanced
  plot data index 53 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 54 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 54 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 54 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 55 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 55 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 55 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 56 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 56 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 56 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 57 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 57 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 57 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 58 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 58 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 58 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 59 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 59 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 59 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 60 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.45675; set bmargin at screen 0.28135
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m.manpages-zh)' noenhanced offset 0,-0.6 font ',14'
  set label 999 'mean |Δppl|, %' at screen 0.34178,0.36905 center rotate noenhanced
  plot data index 61 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 62 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 62 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 62 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 63 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 63 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 63 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 64 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 64 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 64 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 65 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 65 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 65 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 66 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 66 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 66 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 67 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 67 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 67 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 68 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.72644; set rmargin at screen 0.98889
  set tmargin at screen 0.45675; set bmargin at screen 0.28135
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m.python-code)' noenhanced offset 0,-0.6 font ',14'
  set label 999 'mean |Δppl|, %' at screen 0.67511,0.36905 center rotate noenhanced
  plot data index 69 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 70 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 70 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 70 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 71 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 71 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 71 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 72 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 72 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 72 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 73 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 73 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 73 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 74 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 74 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 74 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 75 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 75 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 75 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 76 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.22081; set bmargin at screen 0.04541
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m.wiki.test)' noenhanced offset 0,-0.6 font ',14'
  set label 999 'mean |Δppl|, %' at screen 0.00844,0.13311 center rotate noenhanced
  plot data index 77 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 78 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 78 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 78 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 79 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 79 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 79 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 80 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 80 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 80 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 81 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 81 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 81 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 82 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 82 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 82 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 83 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 83 using 1:($3 > 0.0260228 ? $3 : 0.0260228):(0):($4 - ($3 > 0.0260228 ? $3 : 0.0260228)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 83 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 84 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
