# Live bytes of the cache
# Redraw in this folder: gnuplot live_bytes.gp
data = 'live_bytes.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1000,680 enhanced font 'Arial,15' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 2000,1359 enhanced font 'DejaVu Sans,15' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'live_bytes.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold Live bytes of the cache}' at screen 0.5,0.96762 center font ',18'
  set label 2 'SmolLM2-135M-Instruct.Q4_1, fp32, 1 thread' at screen 0.5,0.92936 center font ',13' tc rgb '#444444' noenhanced
  set xrange [8.5:11.5]
  set yrange [5.49473:30.4981]
  set format y '%g'
  set xtics 1 nomirror
  set ytics nomirror
  set mxtics 2
  set mytics 2
  set border 3 lc rgb '#444444'
  set tics textcolor rgb '#222222'
  set grid xtics ytics lt 1 lw 0.6 lc rgb '#d9d9d9'
  unset key
  set arrow from screen 0.10130,0.88815 to screen 0.12930,0.88815 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.11530,0.88815 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'identity' at screen 0.13530,0.88815 left noenhanced
  set arrow from screen 0.23170,0.88815 to screen 0.25970,0.88815 nohead lw 1.2 dt 1 lc rgb '#AA3377'
  set label '' at screen 0.24570,0.88815 point pt 13 ps size lc rgb '#AA3377'
  set label 'fp8' at screen 0.26570,0.88815 left noenhanced
  set arrow from screen 0.31560,0.88815 to screen 0.34360,0.88815 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.32960,0.88815 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:q=10' at screen 0.34960,0.88815 left noenhanced
  set arrow from screen 0.43670,0.88815 to screen 0.46470,0.88815 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.45070,0.88815 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:bits=4,center=mean,page=128' at screen 0.47070,0.88815 left noenhanced
  set arrow from screen 0.79030,0.88815 to screen 0.81830,0.88815 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.80430,0.88815 point pt 15 ps size lc rgb '#66A61E'
  set label 'kivi:b=4' at screen 0.82430,0.88815 left noenhanced
  set arrow from screen 0.39465,0.85063 to screen 0.42265,0.85063 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.40865,0.85063 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:bits=3,page=128' at screen 0.42865,0.85063 left noenhanced
  set xlabel 'context, log2 of tokens' noenhanced
  set lmargin at screen 0.09000; set rmargin at screen 0.98000
  set tmargin at screen 0.77410; set bmargin at screen 0.10596
  set title 'batch 1' noenhanced offset 0,-0.6
  set label 999 'kB / token' at screen 0.01200,0.44003 center rotate noenhanced
  plot data index 0 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 0 using 1:($3 > 5.49473 ? $3 : 5.49473):(0):($4 - ($3 > 5.49473 ? $3 : 5.49473)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 0 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 1 using 1:($3 > 5.49473 ? $3 : 5.49473):(0):($4 - ($3 > 5.49473 ? $3 : 5.49473)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 1 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 2 using 1:($3 > 5.49473 ? $3 : 5.49473):(0):($4 - ($3 > 5.49473 ? $3 : 5.49473)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 2 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 3 using 1:($3 > 5.49473 ? $3 : 5.49473):(0):($4 - ($3 > 5.49473 ? $3 : 5.49473)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 3 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 4 using 1:($3 > 5.49473 ? $3 : 5.49473):(0):($4 - ($3 > 5.49473 ? $3 : 5.49473)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 4 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 5 using 1:($3 > 5.49473 ? $3 : 5.49473):(0):($4 - ($3 > 5.49473 ? $3 : 5.49473)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 5 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle
  unset multiplot
  unset output
}
