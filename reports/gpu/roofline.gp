# Values a second, and what the memory allows
# Redraw in this folder: gnuplot roofline.gp
data = 'roofline.dat'
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
  set output 'roofline.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold Values a second, and what the memory allows}' at screen 0.5,0.96296 center font ',20'
  set label 2 'NVIDIA H200, 1,048,576 vectors of 128 in bf16; on the line a codec is as fast as a copy' at screen 0.5,0.91919 center font ',15' tc rgb '#444444' noenhanced
  set xrange [2:3.5]
  set yrange [217.733:1911.22]
  set format y '%g'
  set xtics 1 nomirror
  set ytics nomirror
  set mxtics 2
  set mytics 2
  set border 3 lc rgb '#444444'
  set tics textcolor rgb '#222222'
  set grid xtics ytics lt 1 lw 0.6 lc rgb '#d9d9d9'
  unset key
  set arrow from screen 0.02554,0.87205 to screen 0.04554,0.87205 nohead lw 1.2 dt 1 lc rgb '#D55E00'
  set label '' at screen 0.03554,0.87205 point pt 5 ps size lc rgb '#D55E00'
  set label 'd4:q=38' at screen 0.04982,0.87205 left noenhanced
  set arrow from screen 0.11824,0.87205 to screen 0.13824,0.87205 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.12824,0.87205 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:q=10' at screen 0.14252,0.87205 left noenhanced
  set arrow from screen 0.21094,0.87205 to screen 0.23094,0.87205 nohead lw 1.2 dt 1 lc rgb '#009E73'
  set label '' at screen 0.22094,0.87205 point pt 9 ps size lc rgb '#009E73'
  set label 'tq:b=4' at screen 0.23522,0.87205 left noenhanced
  set arrow from screen 0.29611,0.87205 to screen 0.31611,0.87205 nohead lw 1.2 dt 1 lc rgb '#AA3377'
  set label '' at screen 0.30611,0.87205 point pt 13 ps size lc rgb '#AA3377'
  set label 'fp8' at screen 0.32039,0.87205 left noenhanced
  set arrow from screen 0.35869,0.87205 to screen 0.37869,0.87205 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.36869,0.87205 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'kivi:b=4@keys' at screen 0.38298,0.87205 left noenhanced
  set arrow from screen 0.49656,0.87205 to screen 0.51656,0.87205 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.50656,0.87205 point pt 15 ps size lc rgb '#66A61E'
  set label 'kivi:b=4' at screen 0.52085,0.87205 left noenhanced
  set arrow from screen 0.59679,0.87205 to screen 0.61679,0.87205 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.60679,0.87205 point pt 11 ps size lc rgb '#7570B3'
  set label 'q4_0' at screen 0.62108,0.87205 left noenhanced
  set arrow from screen 0.66691,0.87205 to screen 0.68691,0.87205 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.67691,0.87205 point pt 15 ps size lc rgb '#CC79A7'
  set label 'q5_0' at screen 0.69119,0.87205 left noenhanced
  set arrow from screen 0.73702,0.87205 to screen 0.75702,0.87205 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.74702,0.87205 point pt 11 ps size lc rgb '#777777'
  set label 'q8_0' at screen 0.76131,0.87205 left noenhanced
  set arrow from screen 0.80714,0.87205 to screen 0.82714,0.87205 nohead lw 1.5 dt 2 lc rgb '#555555'
  set label 'bandwidth of a copy' at screen 0.83142,0.87205 left noenhanced
  set xlabel 'bytes that must move for a value, read and written' noenhanced
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.78451; set bmargin at screen 0.12121
  set title 'encode' noenhanced offset 0,-0.6
  set label 999 '10^9 values a second' at screen 0.00971,0.45286 center rotate noenhanced
  plot data index 0 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#D55E00' notitle, \
      data index 1 using 1:($3 > 217.733 ? $3 : 217.733):(0):($4 - ($3 > 217.733 ? $3 : 217.733)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#D55E00' notitle, \
      data index 1 using 1:2 with points pt 5 ps size lc rgb '#D55E00' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 2 using 1:($3 > 217.733 ? $3 : 217.733):(0):($4 - ($3 > 217.733 ? $3 : 217.733)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 2 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#009E73' notitle, \
      data index 3 using 1:($3 > 217.733 ? $3 : 217.733):(0):($4 - ($3 > 217.733 ? $3 : 217.733)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#009E73' notitle, \
      data index 3 using 1:2 with points pt 9 ps size lc rgb '#009E73' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 4 using 1:($3 > 217.733 ? $3 : 217.733):(0):($4 - ($3 > 217.733 ? $3 : 217.733)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 4 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 5 using 1:($3 > 217.733 ? $3 : 217.733):(0):($4 - ($3 > 217.733 ? $3 : 217.733)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 5 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 6 using 1:($3 > 217.733 ? $3 : 217.733):(0):($4 - ($3 > 217.733 ? $3 : 217.733)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 6 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 7 using 1:($3 > 217.733 ? $3 : 217.733):(0):($4 - ($3 > 217.733 ? $3 : 217.733)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 7 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 8 using 1:($3 > 217.733 ? $3 : 217.733):(0):($4 - ($3 > 217.733 ? $3 : 217.733)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 8 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 9 using 1:($3 > 217.733 ? $3 : 217.733):(0):($4 - ($3 > 217.733 ? $3 : 217.733)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 9 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.78451; set bmargin at screen 0.12121
  set title 'decode' noenhanced offset 0,-0.6
  unset label
  unset arrow
  set label 999 '10^9 values a second' at screen 0.50971,0.45286 center rotate noenhanced
  plot data index 10 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#D55E00' notitle, \
      data index 11 using 1:($3 > 217.733 ? $3 : 217.733):(0):($4 - ($3 > 217.733 ? $3 : 217.733)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#D55E00' notitle, \
      data index 11 using 1:2 with points pt 5 ps size lc rgb '#D55E00' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 12 using 1:($3 > 217.733 ? $3 : 217.733):(0):($4 - ($3 > 217.733 ? $3 : 217.733)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 12 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 13 using 1:2 with lines lw 1.2 lc rgb '#009E73' notitle, \
      data index 13 using 1:($3 > 217.733 ? $3 : 217.733):(0):($4 - ($3 > 217.733 ? $3 : 217.733)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#009E73' notitle, \
      data index 13 using 1:2 with points pt 9 ps size lc rgb '#009E73' notitle, \
      data index 14 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 14 using 1:($3 > 217.733 ? $3 : 217.733):(0):($4 - ($3 > 217.733 ? $3 : 217.733)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 14 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 15 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 15 using 1:($3 > 217.733 ? $3 : 217.733):(0):($4 - ($3 > 217.733 ? $3 : 217.733)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 15 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 16 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 16 using 1:($3 > 217.733 ? $3 : 217.733):(0):($4 - ($3 > 217.733 ? $3 : 217.733)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 16 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 17 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 17 using 1:($3 > 217.733 ? $3 : 217.733):(0):($4 - ($3 > 217.733 ? $3 : 217.733)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 17 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 18 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 18 using 1:($3 > 217.733 ? $3 : 217.733):(0):($4 - ($3 > 217.733 ? $3 : 217.733)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 18 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 19 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 19 using 1:($3 > 217.733 ? $3 : 217.733):(0):($4 - ($3 > 217.733 ? $3 : 217.733)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 19 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle
  unset multiplot
  unset output
}
