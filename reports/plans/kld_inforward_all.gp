# KL divergence from the bf16 cache against measured bits of the coded values (in-forward)
# Redraw in this folder: gnuplot kld_inforward_all.gp
data = 'kld_inforward_all.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1400,1210 enhanced font 'Arial,17' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 2800,2419 enhanced font 'DejaVu Sans,17' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'kld_inforward_all.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold KL divergence from the bf16 cache against measured bits of the coded values (in-forward)}' at screen 0.5,0.98181 center font ',20'
  set label 2 'passages; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn; profiles not counted' at screen 0.5,0.96032 center font ',15' tc rgb '#444444' noenhanced
  set xrange [0.5:7.5]
  set yrange [0.000221343:0.919795]
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
  set arrow from screen 0.04531,0.93717 to screen 0.06531,0.93717 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.05531,0.93717 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8 (q)' at screen 0.06959,0.93717 left noenhanced
  set arrow from screen 0.13048,0.93717 to screen 0.15048,0.93717 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.14048,0.93717 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:center=mean (bits)' at screen 0.15476,0.93717 left noenhanced
  set arrow from screen 0.34364,0.93717 to screen 0.36364,0.93717 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.35364,0.93717 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'kivi (b)' at screen 0.36792,0.93717 left noenhanced
  set arrow from screen 0.44386,0.93717 to screen 0.46386,0.93717 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.45386,0.93717 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt (bits)' at screen 0.46815,0.93717 left noenhanced
  set arrow from screen 0.55915,0.93717 to screen 0.57915,0.93717 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.56915,0.93717 point pt 15 ps size lc rgb '#66A61E'
  set label 'plan:name=e8.g1 (bits)' at screen 0.58344,0.93717 left noenhanced
  set arrow from screen 0.76478,0.93717 to screen 0.78478,0.93717 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.77478,0.93717 point pt 14 ps size lc rgb '#66A61E'
  set label 'plan:name=e8.g8 (bits)' at screen 0.78906,0.93717 left noenhanced
  set arrow from screen 0.06649,0.91328 to screen 0.08649,0.91328 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.07649,0.91328 point pt 7 ps size lc rgb '#66A61E'
  set label 'plan:name=ece8.g1 (bits)' at screen 0.09077,0.91328 left noenhanced
  set arrow from screen 0.28717,0.91328 to screen 0.30717,0.91328 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.29717,0.91328 point pt 6 ps size lc rgb '#66A61E'
  set label 'plan:name=ece8.g8 (bits)' at screen 0.31146,0.91328 left noenhanced
  set arrow from screen 0.50786,0.91328 to screen 0.52786,0.91328 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.51786,0.91328 point pt 5 ps size lc rgb '#66A61E'
  set label 'plan:name=kivi.g1 (bits)' at screen 0.53214,0.91328 left noenhanced
  set arrow from screen 0.72854,0.91328 to screen 0.74854,0.91328 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.73854,0.91328 point pt 4 ps size lc rgb '#66A61E'
  set label 'plan:name=kivi.g8 (bits)' at screen 0.75283,0.91328 left noenhanced
  set arrow from screen 0.08531,0.88938 to screen 0.10531,0.88938 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.09531,0.88938 point pt 9 ps size lc rgb '#66A61E'
  set label 'plan:name=klt.g1 (bits)' at screen 0.10959,0.88938 left noenhanced
  set arrow from screen 0.29846,0.88938 to screen 0.31846,0.88938 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.30846,0.88938 point pt 8 ps size lc rgb '#66A61E'
  set label 'plan:name=klt.g8 (bits)' at screen 0.32275,0.88938 left noenhanced
  set arrow from screen 0.51162,0.88938 to screen 0.53162,0.88938 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.52162,0.88938 point pt 13 ps size lc rgb '#66A61E'
  set label 'plan:name=e8.g3 (bits)' at screen 0.53591,0.88938 left noenhanced
  set arrow from screen 0.71725,0.88938 to screen 0.73725,0.88938 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.72725,0.88938 point pt 12 ps size lc rgb '#66A61E'
  set label 'plan:name=e8.g30 (bits)' at screen 0.74154,0.88938 left noenhanced
  set arrow from screen 0.05896,0.86549 to screen 0.07896,0.86549 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.06896,0.86549 point pt 11 ps size lc rgb '#66A61E'
  set label 'plan:name=ece8.g3 (bits)' at screen 0.08324,0.86549 left noenhanced
  set arrow from screen 0.27964,0.86549 to screen 0.29964,0.86549 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.28964,0.86549 point pt 10 ps size lc rgb '#66A61E'
  set label 'plan:name=ece8.g30 (bits)' at screen 0.30393,0.86549 left noenhanced
  set arrow from screen 0.50786,0.86549 to screen 0.52786,0.86549 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.51786,0.86549 point pt 15 ps size lc rgb '#66A61E'
  set label 'plan:name=kivi.g3 (bits)' at screen 0.53214,0.86549 left noenhanced
  set arrow from screen 0.72854,0.86549 to screen 0.74854,0.86549 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.73854,0.86549 point pt 14 ps size lc rgb '#66A61E'
  set label 'plan:name=kivi.g30 (bits)' at screen 0.75283,0.86549 left noenhanced
  set arrow from screen 0.22576,0.84160 to screen 0.24576,0.84160 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.23576,0.84160 point pt 7 ps size lc rgb '#66A61E'
  set label 'plan:name=klt.g3 (bits)' at screen 0.25005,0.84160 left noenhanced
  set arrow from screen 0.43892,0.84160 to screen 0.45892,0.84160 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.44892,0.84160 point pt 6 ps size lc rgb '#66A61E'
  set label 'plan:name=klt.g30 (bits)' at screen 0.46321,0.84160 left noenhanced
  set arrow from screen 0.65961,0.84160 to screen 0.67961,0.84160 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front' at screen 0.68389,0.84160 left noenhanced
  set xlabel 'measured bits per value of the coded values' noenhanced
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.79861; set bmargin at screen 0.47288
  set title 'nano (nano-development, development), 16 passages' noenhanced offset 0,-0.6
  set label 999 'mean KL divergence, nats' at screen 0.00971,0.63575 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 2 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 2 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 3 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 3 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 4 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 4 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 5 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 5 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 6 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 6 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 7 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 7 using 1:2 with points pt 7 ps size lc rgb '#66A61E' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 8 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 8 using 1:2 with points pt 6 ps size lc rgb '#66A61E' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 9 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 9 using 1:2 with points pt 5 ps size lc rgb '#66A61E' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 10 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 10 using 1:2 with points pt 4 ps size lc rgb '#66A61E' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 11 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 11 using 1:2 with points pt 9 ps size lc rgb '#66A61E' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 12 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 12 using 1:2 with points pt 8 ps size lc rgb '#66A61E' notitle, \
      data index 13 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.79861; set bmargin at screen 0.47288
  set title 'nano (nano-held-out, held-out), 19 passages' noenhanced offset 0,-0.6
  unset label
  unset arrow
  set label 999 'mean KL divergence, nats' at screen 0.50971,0.63575 center rotate noenhanced
  plot data index 14 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 15 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 15 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 15 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 16 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 16 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 16 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 17 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 17 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 17 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 18 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 18 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 18 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 19 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 19 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 19 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 20 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 20 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 20 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 21 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 21 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 21 using 1:2 with points pt 7 ps size lc rgb '#66A61E' notitle, \
      data index 22 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 22 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 22 using 1:2 with points pt 6 ps size lc rgb '#66A61E' notitle, \
      data index 23 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 23 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 23 using 1:2 with points pt 5 ps size lc rgb '#66A61E' notitle, \
      data index 24 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 24 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 24 using 1:2 with points pt 4 ps size lc rgb '#66A61E' notitle, \
      data index 25 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 25 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 25 using 1:2 with points pt 9 ps size lc rgb '#66A61E' notitle, \
      data index 26 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 26 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 26 using 1:2 with points pt 8 ps size lc rgb '#66A61E' notitle, \
      data index 27 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.38525; set bmargin at screen 0.05952
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-development, development), 8 passages' noenhanced offset 0,-0.6 font ',12'
  set label 999 'mean KL divergence, nats' at screen 0.00971,0.22239 center rotate noenhanced
  plot data index 28 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 29 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 29 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 29 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 30 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 30 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 30 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 31 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 31 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 31 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 32 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 32 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 32 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 33 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 33 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 33 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 34 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 34 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 34 using 1:2 with points pt 13 ps size lc rgb '#66A61E' notitle, \
      data index 35 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 35 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 35 using 1:2 with points pt 12 ps size lc rgb '#66A61E' notitle, \
      data index 36 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 36 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 36 using 1:2 with points pt 7 ps size lc rgb '#66A61E' notitle, \
      data index 37 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 37 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 37 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 38 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 38 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 38 using 1:2 with points pt 10 ps size lc rgb '#66A61E' notitle, \
      data index 39 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 39 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 39 using 1:2 with points pt 5 ps size lc rgb '#66A61E' notitle, \
      data index 40 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 40 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 40 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 41 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 41 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 41 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 42 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 42 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 42 using 1:2 with points pt 9 ps size lc rgb '#66A61E' notitle, \
      data index 43 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 43 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 43 using 1:2 with points pt 7 ps size lc rgb '#66A61E' notitle, \
      data index 44 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 44 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 44 using 1:2 with points pt 6 ps size lc rgb '#66A61E' notitle, \
      data index 45 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.38525; set bmargin at screen 0.05952
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-held-out, held-out), 16 passages' noenhanced offset 0,-0.6 font ',13'
  set label 999 'mean KL divergence, nats' at screen 0.50971,0.22239 center rotate noenhanced
  plot data index 46 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 47 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 47 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 47 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 48 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 48 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 48 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 49 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 49 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 49 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 50 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 50 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 50 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 51 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 51 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 51 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 52 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 52 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 52 using 1:2 with points pt 13 ps size lc rgb '#66A61E' notitle, \
      data index 53 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 53 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 53 using 1:2 with points pt 12 ps size lc rgb '#66A61E' notitle, \
      data index 54 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 54 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 54 using 1:2 with points pt 7 ps size lc rgb '#66A61E' notitle, \
      data index 55 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 55 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 55 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 56 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 56 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 56 using 1:2 with points pt 10 ps size lc rgb '#66A61E' notitle, \
      data index 57 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 57 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 57 using 1:2 with points pt 5 ps size lc rgb '#66A61E' notitle, \
      data index 58 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 58 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 58 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 59 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 59 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 59 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 60 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 60 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 60 using 1:2 with points pt 9 ps size lc rgb '#66A61E' notitle, \
      data index 61 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 61 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 61 using 1:2 with points pt 7 ps size lc rgb '#66A61E' notitle, \
      data index 62 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 62 using 1:($3 > 0.000221343 ? $3 : 0.000221343):(0):($4 - ($3 > 0.000221343 ? $3 : 0.000221343)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 62 using 1:2 with points pt 6 ps size lc rgb '#66A61E' notitle, \
      data index 63 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
