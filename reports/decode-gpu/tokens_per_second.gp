# Tokens decoded a second
# Redraw in this folder: gnuplot tokens_per_second.gp
data = 'tokens_per_second.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1400,1123 enhanced font 'Arial,17' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 2800,2246 enhanced font 'DejaVu Sans,17' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'tokens_per_second.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold Tokens decoded a second}' at screen 0.5,0.98041 center font ',20'
  set label 2 'SmolLM2-135M-Instruct.Q4_1, bf16, 16 threads' at screen 0.5,0.95725 center font ',15' tc rgb '#444444' noenhanced
  set xrange [9.5:13.5]
  set yrange [-2.09628:1560.09]
  set format y '%g'
  set xtics 1 nomirror
  set ytics nomirror
  set mxtics 2
  set mytics 2
  set border 3 lc rgb '#444444'
  set tics textcolor rgb '#222222'
  set grid xtics ytics lt 1 lw 0.6 lc rgb '#d9d9d9'
  unset key
  set arrow from screen 0.15565,0.93232 to screen 0.17565,0.93232 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.16565,0.93232 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'identity' at screen 0.17994,0.93232 left noenhanced
  set arrow from screen 0.25588,0.93232 to screen 0.27588,0.93232 nohead lw 1.2 dt 1 lc rgb '#009E73'
  set label '' at screen 0.26588,0.93232 point pt 9 ps size lc rgb '#009E73'
  set label 'tq:b=4' at screen 0.28016,0.93232 left noenhanced
  set arrow from screen 0.34105,0.93232 to screen 0.36105,0.93232 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.35105,0.93232 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:q=7' at screen 0.36534,0.93232 left noenhanced
  set arrow from screen 0.42622,0.93232 to screen 0.44622,0.93232 nohead lw 1.2 dt 1 lc rgb '#D55E00'
  set label '' at screen 0.43622,0.93232 point pt 5 ps size lc rgb '#D55E00'
  set label 'd4:q=7' at screen 0.45051,0.93232 left noenhanced
  set arrow from screen 0.51139,0.93232 to screen 0.53139,0.93232 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.52139,0.93232 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:bits=3,lattice=z,page=128,pages=tiles' at screen 0.53568,0.93232 left noenhanced
  set arrow from screen 0.33352,0.90658 to screen 0.35352,0.90658 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.34352,0.90658 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:bits=4,lattice=z,page=128,pages=tiles' at screen 0.35781,0.90658 left noenhanced
  set xlabel 'context, log2 of tokens' noenhanced
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.86027; set bmargin at screen 0.50940
  set title 'batch 1' noenhanced offset 0,-0.6
  set label 999 'tokens / second' at screen 0.00971,0.68483 center rotate noenhanced
  plot data index 0 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 0 using 1:($3 > -2.09628 ? $3 : -2.09628):(0):($4 - ($3 > -2.09628 ? $3 : -2.09628)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 0 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#009E73' notitle, \
      data index 1 using 1:($3 > -2.09628 ? $3 : -2.09628):(0):($4 - ($3 > -2.09628 ? $3 : -2.09628)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#009E73' notitle, \
      data index 1 using 1:2 with points pt 9 ps size lc rgb '#009E73' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 2 using 1:($3 > -2.09628 ? $3 : -2.09628):(0):($4 - ($3 > -2.09628 ? $3 : -2.09628)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 2 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#D55E00' notitle, \
      data index 3 using 1:($3 > -2.09628 ? $3 : -2.09628):(0):($4 - ($3 > -2.09628 ? $3 : -2.09628)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#D55E00' notitle, \
      data index 3 using 1:2 with points pt 5 ps size lc rgb '#D55E00' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 4 using 1:($3 > -2.09628 ? $3 : -2.09628):(0):($4 - ($3 > -2.09628 ? $3 : -2.09628)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 4 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 5 using 1:($3 > -2.09628 ? $3 : -2.09628):(0):($4 - ($3 > -2.09628 ? $3 : -2.09628)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 5 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.86027; set bmargin at screen 0.50940
  set title 'batch 4' noenhanced offset 0,-0.6
  unset label
  unset arrow
  set label 999 'tokens / second' at screen 0.50971,0.68483 center rotate noenhanced
  plot data index 6 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 6 using 1:($3 > -2.09628 ? $3 : -2.09628):(0):($4 - ($3 > -2.09628 ? $3 : -2.09628)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 6 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#009E73' notitle, \
      data index 7 using 1:($3 > -2.09628 ? $3 : -2.09628):(0):($4 - ($3 > -2.09628 ? $3 : -2.09628)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#009E73' notitle, \
      data index 7 using 1:2 with points pt 9 ps size lc rgb '#009E73' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 8 using 1:($3 > -2.09628 ? $3 : -2.09628):(0):($4 - ($3 > -2.09628 ? $3 : -2.09628)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 8 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#D55E00' notitle, \
      data index 9 using 1:($3 > -2.09628 ? $3 : -2.09628):(0):($4 - ($3 > -2.09628 ? $3 : -2.09628)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#D55E00' notitle, \
      data index 9 using 1:2 with points pt 5 ps size lc rgb '#D55E00' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 10 using 1:($3 > -2.09628 ? $3 : -2.09628):(0):($4 - ($3 > -2.09628 ? $3 : -2.09628)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 10 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 11 using 1:($3 > -2.09628 ? $3 : -2.09628):(0):($4 - ($3 > -2.09628 ? $3 : -2.09628)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 11 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.41500; set bmargin at screen 0.06412
  set title 'batch 16' noenhanced offset 0,-0.6
  set label 999 'tokens / second' at screen 0.00971,0.23956 center rotate noenhanced
  plot data index 12 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 12 using 1:($3 > -2.09628 ? $3 : -2.09628):(0):($4 - ($3 > -2.09628 ? $3 : -2.09628)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 12 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 13 using 1:2 with lines lw 1.2 lc rgb '#009E73' notitle, \
      data index 13 using 1:($3 > -2.09628 ? $3 : -2.09628):(0):($4 - ($3 > -2.09628 ? $3 : -2.09628)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#009E73' notitle, \
      data index 13 using 1:2 with points pt 9 ps size lc rgb '#009E73' notitle, \
      data index 14 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 14 using 1:($3 > -2.09628 ? $3 : -2.09628):(0):($4 - ($3 > -2.09628 ? $3 : -2.09628)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 14 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 15 using 1:2 with lines lw 1.2 lc rgb '#D55E00' notitle, \
      data index 15 using 1:($3 > -2.09628 ? $3 : -2.09628):(0):($4 - ($3 > -2.09628 ? $3 : -2.09628)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#D55E00' notitle, \
      data index 15 using 1:2 with points pt 5 ps size lc rgb '#D55E00' notitle, \
      data index 16 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 16 using 1:($3 > -2.09628 ? $3 : -2.09628):(0):($4 - ($3 > -2.09628 ? $3 : -2.09628)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 16 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 17 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 17 using 1:($3 > -2.09628 ? $3 : -2.09628):(0):($4 - ($3 > -2.09628 ? $3 : -2.09628)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 17 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle
  unset multiplot
  unset output
}
