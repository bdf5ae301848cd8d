# KL divergence against the position in the window
# Redraw in this folder: gnuplot positions.gp
data = 'positions.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1000,705 enhanced font 'Arial,15' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 2000,1410 enhanced font 'DejaVu Sans,15' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'positions.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold KL divergence against the position in the window}' at screen 0.5,0.96879 center font ',18'
  set label 2 'means of octaves (1 to 63, 64 to 127, 128 to 255, ...); 95 % intervals over windows' at screen 0.5,0.93191 center font ',13' tc rgb '#444444' noenhanced
  set xrange [2.5:15]
  set yrange [7.03511e-05:0.156809]
  set logscale y
  set format y '%g'
  set xtics ('8' 3, '32' 5, '128' 7, '512' 9, '2048' 11, '8192' 13, '32768' 15) nomirror
  set ytics nomirror
  set mxtics 2
  set mytics 10
  set border 3 lc rgb '#444444'
  set tics textcolor rgb '#222222'
  set grid xtics ytics lt 1 lw 0.6 lc rgb '#d9d9d9'
  unset key
  set arrow from screen 0.06895,0.89220 to screen 0.09695,0.89220 nohead lw 1.2 dt 1 lc rgb '#AA3377'
  set label '' at screen 0.08295,0.89220 point pt 13 ps size lc rgb '#AA3377'
  set label 'fp8' at screen 0.10295,0.89220 left noenhanced
  set arrow from screen 0.15285,0.89220 to screen 0.18085,0.89220 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.16685,0.89220 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:bits=2.5,profile=e76cebf276fd5f18' at screen 0.18685,0.89220 left noenhanced
  set arrow from screen 0.55295,0.89220 to screen 0.58095,0.89220 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.56695,0.89220 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:bits=3.5,profile=e76cebf276fd5f18' at screen 0.58695,0.89220 left noenhanced
  set arrow from screen 0.14315,0.85603 to screen 0.17115,0.85603 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.15715,0.85603 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:bits=4,center=mean' at screen 0.17715,0.85603 left noenhanced
  set arrow from screen 0.41305,0.85603 to screen 0.44105,0.85603 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.42705,0.85603 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'kivi:b=4' at screen 0.44705,0.85603 left noenhanced
  set arrow from screen 0.54345,0.85603 to screen 0.57145,0.85603 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.55745,0.85603 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:q=10' at screen 0.57745,0.85603 left noenhanced
  set arrow from screen 0.66455,0.85603 to screen 0.69255,0.85603 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.67855,0.85603 point pt 6 ps size lc rgb '#0072B2'
  set label 'e8:q=22' at screen 0.69855,0.85603 left noenhanced
  set arrow from screen 0.78565,0.85603 to screen 0.81365,0.85603 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.79965,0.85603 point pt 15 ps size lc rgb '#66A61E'
  set label 'q8_0' at screen 0.81965,0.85603 left noenhanced
  set arrow from screen 0.34350,0.81986 to screen 0.37150,0.81986 nohead lw 1.5 dt 2 lc rgb '#555555'
  set label 'nothing coded: bf16 arithmetic' at screen 0.37750,0.81986 left noenhanced
  set xlabel 'position' noenhanced
  set lmargin at screen 0.09000; set rmargin at screen 0.98000
  set tmargin at screen 0.74610; set bmargin at screen 0.10213
  set title 'gemma-3-270m-q4_k_m, gemma3-270m' noenhanced offset 0,-0.6
  set label 999 'KL divergence, nats' at screen 0.01200,0.42411 center rotate noenhanced
  plot data index 0 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 1 using 1:($3 > 7.03511e-05 ? $3 : 7.03511e-05):(0):($4 - ($3 > 7.03511e-05 ? $3 : 7.03511e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 1 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 2 using 1:($3 > 7.03511e-05 ? $3 : 7.03511e-05):(0):($4 - ($3 > 7.03511e-05 ? $3 : 7.03511e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 2 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 3 using 1:($3 > 7.03511e-05 ? $3 : 7.03511e-05):(0):($4 - ($3 > 7.03511e-05 ? $3 : 7.03511e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 3 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 4 using 1:($3 > 7.03511e-05 ? $3 : 7.03511e-05):(0):($4 - ($3 > 7.03511e-05 ? $3 : 7.03511e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 4 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 5 using 1:($3 > 7.03511e-05 ? $3 : 7.03511e-05):(0):($4 - ($3 > 7.03511e-05 ? $3 : 7.03511e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 5 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 6 using 1:($3 > 7.03511e-05 ? $3 : 7.03511e-05):(0):($4 - ($3 > 7.03511e-05 ? $3 : 7.03511e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 6 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 7 using 1:($3 > 7.03511e-05 ? $3 : 7.03511e-05):(0):($4 - ($3 > 7.03511e-05 ? $3 : 7.03511e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 7 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 8 using 1:($3 > 7.03511e-05 ? $3 : 7.03511e-05):(0):($4 - ($3 > 7.03511e-05 ? $3 : 7.03511e-05)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 8 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle
  unset multiplot
  unset output
}
