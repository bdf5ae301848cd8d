# Live bytes of the cache
# Redraw in this folder: gnuplot live_bytes.gp
data = 'live_bytes.dat'
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
  set output 'live_bytes.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold Live bytes of the cache}' at screen 0.5,0.96879 center font ',18'
  set label 2 'SmolLM2-135M-Instruct.Q4_1, fp32, 1 thread' at screen 0.5,0.93191 center font ',13' tc rgb '#444444' noenhanced
  set xrange [8.5:11.5]
  set yrange [4.22582:30.5585]
  set format y '%g'
  set xtics 1 nomirror
  set ytics nomirror
  set mxtics 2
  set mytics 2
  set border 3 lc rgb '#444444'
  set tics textcolor rgb '#222222'
  set grid xtics ytics lt 1 lw 0.6 lc rgb '#d9d9d9'
  unset key
  set arrow from screen 0.13840,0.89220 to screen 0.16640,0.89220 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.15240,0.89220 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'identity' at screen 0.17240,0.89220 left noenhanced
  set arrow from screen 0.26880,0.89220 to screen 0.29680,0.89220 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.28280,0.89220 point pt 15 ps size lc rgb '#66A61E'
  set label 'q8_0' at screen 0.30280,0.89220 left noenhanced
  set arrow from screen 0.36200,0.89220 to screen 0.39000,0.89220 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.37600,0.89220 point pt 11 ps size lc rgb '#7570B3'
  set label 'q4_0:rotate=64' at screen 0.39600,0.89220 left noenhanced
  set arrow from screen 0.54820,0.89220 to screen 0.57620,0.89220 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.56220,0.89220 point pt 15 ps size lc rgb '#CC79A7'
  set label 'kivi:b=4' at screen 0.58220,0.89220 left noenhanced
  set arrow from screen 0.67860,0.89220 to screen 0.70660,0.89220 nohead lw 1.2 dt 1 lc rgb '#AA3377'
  set label '' at screen 0.69260,0.89220 point pt 13 ps size lc rgb '#AA3377'
  set label 'fp8' at screen 0.71260,0.89220 left noenhanced
  set arrow from screen 0.76250,0.89220 to screen 0.79050,0.89220 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.77650,0.89220 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:q=10' at screen 0.79650,0.89220 left noenhanced
  set arrow from screen 0.21785,0.85603 to screen 0.24585,0.85603 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.23185,0.85603 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:bits=4,center=mean,page=128' at screen 0.25185,0.85603 left noenhanced
  set arrow from screen 0.57145,0.85603 to screen 0.59945,0.85603 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.58545,0.85603 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:bits=3,page=128' at screen 0.60545,0.85603 left noenhanced
  set arrow from screen 0.22725,0.81986 to screen 0.25525,0.81986 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.24125,0.81986 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:bits=2.5,lattice=tcq,scope=layer,restart=1,page=128' at screen 0.26125,0.81986 left noenhanced
  set xlabel 'context, log2 of tokens' noenhanced
  set lmargin at screen 0.09000; set rmargin at screen 0.98000
  set tmargin at screen 0.74610; set bmargin at screen 0.10213
  set title 'batch 1' noenhanced offset 0,-0.6
  set label 999 'kB / token' at screen 0.01200,0.42411 center rotate noenhanced
  plot data index 0 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 0 using 1:($3 > 4.22582 ? $3 : 4.22582):(0):($4 - ($3 > 4.22582 ? $3 : 4.22582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 0 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 1 using 1:($3 > 4.22582 ? $3 : 4.22582):(0):($4 - ($3 > 4.22582 ? $3 : 4.22582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 1 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 2 using 1:($3 > 4.22582 ? $3 : 4.22582):(0):($4 - ($3 > 4.22582 ? $3 : 4.22582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 2 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 3 using 1:($3 > 4.22582 ? $3 : 4.22582):(0):($4 - ($3 > 4.22582 ? $3 : 4.22582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 3 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 4 using 1:($3 > 4.22582 ? $3 : 4.22582):(0):($4 - ($3 > 4.22582 ? $3 : 4.22582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 4 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 5 using 1:($3 > 4.22582 ? $3 : 4.22582):(0):($4 - ($3 > 4.22582 ? $3 : 4.22582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 5 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 6 using 1:($3 > 4.22582 ? $3 : 4.22582):(0):($4 - ($3 > 4.22582 ? $3 : 4.22582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 6 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 7 using 1:($3 > 4.22582 ? $3 : 4.22582):(0):($4 - ($3 > 4.22582 ? $3 : 4.22582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 7 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 8 using 1:($3 > 4.22582 ? $3 : 4.22582):(0):($4 - ($3 > 4.22582 ? $3 : 4.22582)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 8 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle
  unset multiplot
  unset output
}
