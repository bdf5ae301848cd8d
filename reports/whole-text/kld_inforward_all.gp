# KL divergence from the bf16 cache against measured bits of the whole cache (in-forward)
# Redraw in this folder: gnuplot kld_inforward_all.gp
data = 'kld_inforward_all.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1400,681 enhanced font 'Arial,17' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 2800,1361 enhanced font 'DejaVu Sans,17' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'kld_inforward_all.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold KL divergence from the bf16 cache against measured bits of the whole cache (in-forward)}' at screen 0.5,0.96768 center font ',20'
  set label 2 'passages; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn; profiles not counted' at screen 0.5,0.92948 center font ',15' tc rgb '#444444' noenhanced
  set xrange [1.5:10.5]
  set yrange [0.000104962:0.304792]
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
  set arrow from screen 0.04531,0.88835 to screen 0.06531,0.88835 nohead lw 1.2 dt 1 lc rgb '#AA3377'
  set label '' at screen 0.05531,0.88835 point pt 13 ps size lc rgb '#AA3377'
  set label 'fp8' at screen 0.06959,0.88835 left noenhanced
  set arrow from screen 0.10789,0.88835 to screen 0.12789,0.88835 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.11789,0.88835 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:rule=published (q)' at screen 0.13218,0.88835 left noenhanced
  set arrow from screen 0.30599,0.88835 to screen 0.32599,0.88835 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.31599,0.88835 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:center=mean (bits)' at screen 0.33028,0.88835 left noenhanced
  set arrow from screen 0.51915,0.88835 to screen 0.53915,0.88835 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.52915,0.88835 point pt 6 ps size lc rgb '#000000'
  set label 'ece8:center=mean,page=128 (bits)' at screen 0.54344,0.88835 left noenhanced
  set arrow from screen 0.80006,0.88835 to screen 0.82006,0.88835 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.81006,0.88835 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'int4' at screen 0.82435,0.88835 left noenhanced
  set arrow from screen 0.87018,0.88835 to screen 0.89018,0.88835 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.88018,0.88835 point pt 15 ps size lc rgb '#66A61E'
  set label 'kivi (b)' at screen 0.89446,0.88835 left noenhanced
  set arrow from screen 0.06884,0.84589 to screen 0.08884,0.84589 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.07884,0.84589 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=128 (bits)' at screen 0.09313,0.84589 left noenhanced
  set arrow from screen 0.50786,0.84589 to screen 0.52786,0.84589 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.51786,0.84589 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=512 (bits)' at screen 0.53214,0.84589 left noenhanced
  set arrow from screen 0.02907,0.80344 to screen 0.04907,0.80344 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.03907,0.80344 point pt 15 ps size lc rgb '#CC0000'
  set label 'klt:page=128 (bits)' at screen 0.05336,0.80344 left noenhanced
  set arrow from screen 0.21211,0.80344 to screen 0.23211,0.80344 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.22211,0.80344 point pt 14 ps size lc rgb '#CC0000'
  set label 'klt (bits)' at screen 0.23640,0.80344 left noenhanced
  set arrow from screen 0.32740,0.80344 to screen 0.34740,0.80344 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.33740,0.80344 point pt 11 ps size lc rgb '#7570B3'
  set label 'nvfp4' at screen 0.35169,0.80344 left noenhanced
  set arrow from screen 0.40504,0.80344 to screen 0.42504,0.80344 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.41504,0.80344 point pt 15 ps size lc rgb '#CC79A7'
  set label 'q4_0:rotate=64' at screen 0.42933,0.80344 left noenhanced
  set arrow from screen 0.55044,0.80344 to screen 0.57044,0.80344 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.56044,0.80344 point pt 11 ps size lc rgb '#777777'
  set label 'q5_0:rotate=64' at screen 0.57473,0.80344 left noenhanced
  set arrow from screen 0.69584,0.80344 to screen 0.71584,0.80344 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.70584,0.80344 point pt 15 ps size lc rgb '#8C6D1F'
  set label 'q8_0:rotate=64' at screen 0.72013,0.80344 left noenhanced
  set arrow from screen 0.84124,0.80344 to screen 0.86124,0.80344 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.85124,0.80344 point pt 11 ps size lc rgb '#66A61E'
  set label 'turboquant (b)' at screen 0.86553,0.80344 left noenhanced
  set arrow from screen 0.30976,0.76098 to screen 0.32976,0.76098 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front' at screen 0.33404,0.76098 left noenhanced
  set arrow from screen 0.44010,0.76098 to screen 0.46010,0.76098 nohead lw 1.5 dt 2 lc rgb '#555555'
  set label 'nothing coded: bf16 arithmetic' at screen 0.46439,0.76098 left noenhanced
  set xlabel 'measured bits per value of the whole cache' noenhanced
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.68459; set bmargin at screen 0.10577
  set title 'gemma-3-270m-q4_k_m, 144 passages' noenhanced offset 0,-0.6
  set label 999 'mean KL divergence, nats' at screen 0.00971,0.39518 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 2 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 2 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 3 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 3 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 4 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 4 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 5 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 5 using 1:2 with points pt 6 ps size lc rgb '#000000' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 6 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 6 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 7 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 7 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 8 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 8 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 9 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 9 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 10 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 10 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 11 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 11 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 12 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 12 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 13 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 13 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 13 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 14 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 14 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 14 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 15 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 15 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 15 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 16 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 16 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 16 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 17 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.68459; set bmargin at screen 0.10577
  set title 'SmolLM2-135M-Instruct.Q4_1, 590 passages' noenhanced offset 0,-0.6
  unset label
  unset arrow
  set label 999 'mean KL divergence, nats' at screen 0.50971,0.39518 center rotate noenhanced
  plot data index 18 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 19 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 20 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 20 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 20 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 21 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 21 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 21 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 22 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 22 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 22 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 23 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 23 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 23 using 1:2 with points pt 6 ps size lc rgb '#000000' notitle, \
      data index 24 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 24 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 24 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 25 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 25 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 25 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 26 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 26 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 26 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 27 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 27 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 27 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 28 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 28 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 28 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 29 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 29 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 29 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 30 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 30 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 30 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 31 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 31 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 31 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 32 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 32 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 32 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 33 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 33 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 33 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 34 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 34 using 1:($3 > 0.000104962 ? $3 : 0.000104962):(0):($4 - ($3 > 0.000104962 ? $3 : 0.000104962)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 34 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 35 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
