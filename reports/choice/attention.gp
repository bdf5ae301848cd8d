# Attention over pages of tq:b=4, times as fast as over bf16
# Redraw in this folder: gnuplot attention.gp
data = 'attention.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1400,594 enhanced font 'Arial,17' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 2800,1188 enhanced font 'DejaVu Sans,17' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'attention.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold Attention over pages of tq:b=4, times as fast as over bf16}' at screen 0.5,0.96296 center font ',20'
  set label 2 'NVIDIA H200; PyTorch 2.11.0+cu130, scaled_dot_product_attention; KV heads x query heads x head_dim' at screen 0.5,0.91919 center font ',15' tc rgb '#444444' noenhanced
  set xrange [12.5:17.5]
  set yrange [0.866083:3.81227]
  set format y '%g'
  set xtics 1 nomirror
  set ytics nomirror
  set mxtics 2
  set mytics 2
  set border 3 lc rgb '#444444'
  set tics textcolor rgb '#222222'
  set grid xtics ytics lt 1 lw 0.6 lc rgb '#d9d9d9'
  unset key
  set arrow from screen 0.42645,0.87205 to screen 0.44645,0.87205 nohead lw 1.2 dt 1 lc rgb '#1f4e9c'
  set label '' at screen 0.43645,0.87205 point pt 7 ps size lc rgb '#1f4e9c'
  set label '8x32x64' at screen 0.45074,0.87205 left noenhanced
  set arrow from screen 0.51915,0.87205 to screen 0.53915,0.87205 nohead lw 1.5 dt 2 lc rgb '#555555'
  set label 'bf16' at screen 0.54344,0.87205 left noenhanced
  set xlabel 'tokens of a sequence, as a power of two (13: 8192, 17: 131072)' noenhanced
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.78451; set bmargin at screen 0.12121
  set title '1 sequence' noenhanced offset 0,-0.6
  set label 999 'bf16''s time / this time' at screen 0.00971,0.45286 center rotate noenhanced
  plot data index 0 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#1f4e9c' notitle, \
      data index 1 using 1:($3 > 0.866083 ? $3 : 0.866083):(0):($4 - ($3 > 0.866083 ? $3 : 0.866083)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#1f4e9c' notitle, \
      data index 1 using 1:2 with points pt 7 ps size lc rgb '#1f4e9c' notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.78451; set bmargin at screen 0.12121
  set title '16 sequences' noenhanced offset 0,-0.6
  unset label
  unset arrow
  set label 999 'bf16''s time / this time' at screen 0.50971,0.45286 center rotate noenhanced
  plot data index 2 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#1f4e9c' notitle, \
      data index 3 using 1:($3 > 0.866083 ? $3 : 0.866083):(0):($4 - ($3 > 0.866083 ? $3 : 0.866083)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#1f4e9c' notitle, \
      data index 3 using 1:2 with points pt 7 ps size lc rgb '#1f4e9c' notitle
  unset multiplot
  unset output
}
