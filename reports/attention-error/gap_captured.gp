# Distance to the Shannon bound of white Gaussian data, captured K and V
# Redraw in this folder: gnuplot gap_captured.gp
data = 'gap_captured.dat'
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
  set output 'gap_captured.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold Distance to the Shannon bound of white Gaussian data, captured K and V}' at screen 0.5,0.98041 center font ',20'
  set label 2 'headers, scales and tables included; in the tables only: bf16, exact copies, and above 10 dB: int8, fp8, kivi' at screen 0.5,0.95725 center font ',15' tc rgb '#444444' noenhanced
  set xrange [1.5:9]
  set yrange [-11.9205:10.6172]
  set format y '%g'
  set xtics 1 nomirror
  set ytics nomirror
  set mxtics 2
  set mytics 2
  set border 3 lc rgb '#444444'
  set tics textcolor rgb '#222222'
  set grid xtics ytics lt 1 lw 0.6 lc rgb '#d9d9d9'
  unset key
  set arrow from screen 0.03401,0.93232 to screen 0.05401,0.93232 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.04401,0.93232 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:rule=published (q)' at screen 0.05830,0.93232 left noenhanced
  set arrow from screen 0.23211,0.93232 to screen 0.25211,0.93232 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.24211,0.93232 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:center=mean (bits)' at screen 0.25640,0.93232 left noenhanced
  set arrow from screen 0.44527,0.93232 to screen 0.46527,0.93232 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.45527,0.93232 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'kivi (b)' at screen 0.46956,0.93232 left noenhanced
  set arrow from screen 0.54550,0.93232 to screen 0.56550,0.93232 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.55550,0.93232 point pt 15 ps size lc rgb '#66A61E'
  set label 'q4_0:rotate=64' at screen 0.56979,0.93232 left noenhanced
  set arrow from screen 0.69090,0.93232 to screen 0.71090,0.93232 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.70090,0.93232 point pt 11 ps size lc rgb '#7570B3'
  set label 'q8_0:rotate=64' at screen 0.71519,0.93232 left noenhanced
  set arrow from screen 0.83630,0.93232 to screen 0.85630,0.93232 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.84630,0.93232 point pt 15 ps size lc rgb '#CC79A7'
  set label 'turboquant (b)' at screen 0.86059,0.93232 left noenhanced
  set arrow from screen 0.09801,0.90658 to screen 0.11801,0.90658 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.10801,0.90658 point pt 15 ps size lc rgb '#8C6D1F'
  set label 'int4' at screen 0.12229,0.90658 left noenhanced
  set arrow from screen 0.16812,0.90658 to screen 0.18812,0.90658 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.17812,0.90658 point pt 11 ps size lc rgb '#66A61E'
  set label 'nvfp4' at screen 0.19241,0.90658 left noenhanced
  set arrow from screen 0.24576,0.90658 to screen 0.26576,0.90658 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.25576,0.90658 point pt 11 ps size lc rgb '#777777'
  set label 'int8' at screen 0.27005,0.90658 left noenhanced
  set arrow from screen 0.31588,0.90658 to screen 0.33588,0.90658 nohead lw 1.5 dt 2 lc rgb '#555555'
  set label 'Shannon bound, white Gaussian' at screen 0.34016,0.90658 left noenhanced
  set arrow from screen 0.57421,0.90658 to screen 0.59421,0.90658 nohead lw 1.5 dt 4 lc rgb '#555555'
  set label 'water-filling' at screen 0.59849,0.90658 left noenhanced
  set arrow from screen 0.71208,0.90658 to screen 0.73208,0.90658 nohead lw 1.5 dt 5 lc rgb '#555555'
  set label 'water-filling, centred' at screen 0.73636,0.90658 left noenhanced
  set xlabel 'measured bits per value' noenhanced
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.86027; set bmargin at screen 0.50940
  set title 'K of SmolLM2-135M-Instruct.Q4_1' noenhanced offset 0,-0.6
  set label 999 'gap, dB' at screen 0.00971,0.68483 center rotate noenhanced
  plot data index 0 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 1 using 1:2 with lines lw 1.5 dt 4 lc rgb '#555555' notitle, \
      data index 2 using 1:2 with lines lw 1.5 dt 5 lc rgb '#555555' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 3 using 1:($3 > -11.9205 ? $3 : -11.9205):(0):($4 - ($3 > -11.9205 ? $3 : -11.9205)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 3 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 4 using 1:($3 > -11.9205 ? $3 : -11.9205):(0):($4 - ($3 > -11.9205 ? $3 : -11.9205)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 4 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 5 using 1:($3 > -11.9205 ? $3 : -11.9205):(0):($4 - ($3 > -11.9205 ? $3 : -11.9205)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 5 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 6 using 1:($3 > -11.9205 ? $3 : -11.9205):(0):($4 - ($3 > -11.9205 ? $3 : -11.9205)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 6 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 7 using 1:($3 > -11.9205 ? $3 : -11.9205):(0):($4 - ($3 > -11.9205 ? $3 : -11.9205)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 7 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 8 using 1:($3 > -11.9205 ? $3 : -11.9205):(0):($4 - ($3 > -11.9205 ? $3 : -11.9205)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 8 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 9 using 1:($3 > -11.9205 ? $3 : -11.9205):(0):($4 - ($3 > -11.9205 ? $3 : -11.9205)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 9 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 10 using 1:($3 > -11.9205 ? $3 : -11.9205):(0):($4 - ($3 > -11.9205 ? $3 : -11.9205)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 10 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 11 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.86027; set bmargin at screen 0.50940
  set title 'V of SmolLM2-135M-Instruct.Q4_1' noenhanced offset 0,-0.6
  unset label
  unset arrow
  set label 999 'gap, dB' at screen 0.50971,0.68483 center rotate noenhanced
  plot data index 12 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 13 using 1:2 with lines lw 1.5 dt 4 lc rgb '#555555' notitle, \
      data index 14 using 1:2 with lines lw 1.5 dt 5 lc rgb '#555555' notitle, \
      data index 15 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 15 using 1:($3 > -11.9205 ? $3 : -11.9205):(0):($4 - ($3 > -11.9205 ? $3 : -11.9205)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 15 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 16 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 16 using 1:($3 > -11.9205 ? $3 : -11.9205):(0):($4 - ($3 > -11.9205 ? $3 : -11.9205)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 16 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 17 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 17 using 1:($3 > -11.9205 ? $3 : -11.9205):(0):($4 - ($3 > -11.9205 ? $3 : -11.9205)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 17 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 18 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 18 using 1:($3 > -11.9205 ? $3 : -11.9205):(0):($4 - ($3 > -11.9205 ? $3 : -11.9205)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 18 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 19 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 19 using 1:($3 > -11.9205 ? $3 : -11.9205):(0):($4 - ($3 > -11.9205 ? $3 : -11.9205)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 19 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 20 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 20 using 1:($3 > -11.9205 ? $3 : -11.9205):(0):($4 - ($3 > -11.9205 ? $3 : -11.9205)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 20 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 21 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 21 using 1:($3 > -11.9205 ? $3 : -11.9205):(0):($4 - ($3 > -11.9205 ? $3 : -11.9205)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 21 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 22 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 22 using 1:($3 > -11.9205 ? $3 : -11.9205):(0):($4 - ($3 > -11.9205 ? $3 : -11.9205)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 22 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 23 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 23 using 1:($3 > -11.9205 ? $3 : -11.9205):(0):($4 - ($3 > -11.9205 ? $3 : -11.9205)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 23 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 24 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.41500; set bmargin at screen 0.06412
  set title 'K of gemma-3-270m-q4_k_m' noenhanced offset 0,-0.6
  set label 999 'gap, dB' at screen 0.00971,0.23956 center rotate noenhanced
  plot data index 25 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 26 using 1:2 with lines lw 1.5 dt 4 lc rgb '#555555' notitle, \
      data index 27 using 1:2 with lines lw 1.5 dt 5 lc rgb '#555555' notitle, \
      data index 28 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 28 using 1:($3 > -11.9205 ? $3 : -11.9205):(0):($4 - ($3 > -11.9205 ? $3 : -11.9205)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 28 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 29 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 29 using 1:($3 > -11.9205 ? $3 : -11.9205):(0):($4 - ($3 > -11.9205 ? $3 : -11.9205)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 29 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 30 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 30 using 1:($3 > -11.9205 ? $3 : -11.9205):(0):($4 - ($3 > -11.9205 ? $3 : -11.9205)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 30 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 31 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 31 using 1:($3 > -11.9205 ? $3 : -11.9205):(0):($4 - ($3 > -11.9205 ? $3 : -11.9205)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 31 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 32 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 32 using 1:($3 > -11.9205 ? $3 : -11.9205):(0):($4 - ($3 > -11.9205 ? $3 : -11.9205)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 32 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 33 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 33 using 1:($3 > -11.9205 ? $3 : -11.9205):(0):($4 - ($3 > -11.9205 ? $3 : -11.9205)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 33 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 34 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 34 using 1:($3 > -11.9205 ? $3 : -11.9205):(0):($4 - ($3 > -11.9205 ? $3 : -11.9205)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 34 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 35 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 35 using 1:($3 > -11.9205 ? $3 : -11.9205):(0):($4 - ($3 > -11.9205 ? $3 : -11.9205)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 35 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 36 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.41500; set bmargin at screen 0.06412
  set title 'V of gemma-3-270m-q4_k_m' noenhanced offset 0,-0.6
  set label 999 'gap, dB' at screen 0.50971,0.23956 center rotate noenhanced
  plot data index 37 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 38 using 1:2 with lines lw 1.5 dt 4 lc rgb '#555555' notitle, \
      data index 39 using 1:2 with lines lw 1.5 dt 5 lc rgb '#555555' notitle, \
      data index 40 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 40 using 1:($3 > -11.9205 ? $3 : -11.9205):(0):($4 - ($3 > -11.9205 ? $3 : -11.9205)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 40 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 41 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 41 using 1:($3 > -11.9205 ? $3 : -11.9205):(0):($4 - ($3 > -11.9205 ? $3 : -11.9205)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 41 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 42 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 42 using 1:($3 > -11.9205 ? $3 : -11.9205):(0):($4 - ($3 > -11.9205 ? $3 : -11.9205)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 42 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 43 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 43 using 1:($3 > -11.9205 ? $3 : -11.9205):(0):($4 - ($3 > -11.9205 ? $3 : -11.9205)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 43 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 44 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 44 using 1:($3 > -11.9205 ? $3 : -11.9205):(0):($4 - ($3 > -11.9205 ? $3 : -11.9205)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 44 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 45 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 45 using 1:($3 > -11.9205 ? $3 : -11.9205):(0):($4 - ($3 > -11.9205 ? $3 : -11.9205)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 45 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 46 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 46 using 1:($3 > -11.9205 ? $3 : -11.9205):(0):($4 - ($3 > -11.9205 ? $3 : -11.9205)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 46 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 47 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 47 using 1:($3 > -11.9205 ? $3 : -11.9205):(0):($4 - ($3 > -11.9205 ? $3 : -11.9205)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 47 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 48 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
