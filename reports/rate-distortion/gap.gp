# Distance to the Shannon bound of white Gaussian data against measured bits
# Redraw in this folder: gnuplot gap.gp
data = 'gap.dat'
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
  set output 'gap.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold Distance to the Shannon bound of white Gaussian data against measured bits}' at screen 0.5,0.98181 center font ',20'
  set label 2 'headers, scales and tables included; in the tables only: bf16, exact copies, 11 more variants, and above 10 dB: tq, fp8' at screen 0.5,0.96032 center font ',15' tc rgb '#444444' noenhanced
  set xrange [0.5:9]
  set yrange [-1.11905:9.67192]
  set format y '%g'
  set xtics 1 nomirror
  set ytics nomirror
  set mxtics 2
  set mytics 2
  set border 3 lc rgb '#444444'
  set tics textcolor rgb '#222222'
  set grid xtics ytics lt 1 lw 0.6 lc rgb '#d9d9d9'
  unset key
  set arrow from screen 0.13306,0.93717 to screen 0.15306,0.93717 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.14306,0.93717 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8 (q)' at screen 0.15735,0.93717 left noenhanced
  set arrow from screen 0.21824,0.93717 to screen 0.23824,0.93717 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.22824,0.93717 point pt 6 ps size lc rgb '#0072B2'
  set label 'e8:pack=joint,scales=one (q)' at screen 0.24252,0.93717 left noenhanced
  set arrow from screen 0.46904,0.93717 to screen 0.48904,0.93717 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.47904,0.93717 point pt 5 ps size lc rgb '#0072B2'
  set label 'e8:pack=rans,scales=one (q)' at screen 0.49332,0.93717 left noenhanced
  set arrow from screen 0.71231,0.93717 to screen 0.73231,0.93717 nohead lw 1.2 dt 1 lc rgb '#D55E00'
  set label '' at screen 0.72231,0.93717 point pt 5 ps size lc rgb '#D55E00'
  set label 'd4 (q)' at screen 0.73659,0.93717 left noenhanced
  set arrow from screen 0.79748,0.93717 to screen 0.81748,0.93717 nohead lw 1.2 dt 1 lc rgb '#009E73'
  set label '' at screen 0.80748,0.93717 point pt 9 ps size lc rgb '#009E73'
  set label 'tq (b)' at screen 0.82176,0.93717 left noenhanced
  set arrow from screen 0.07896,0.91328 to screen 0.09896,0.91328 nohead lw 1.2 dt 1 lc rgb '#56B4E9'
  set label '' at screen 0.08896,0.91328 point pt 9 ps size lc rgb '#56B4E9'
  set label 'ecz:per=head-page,reconstruct=wiener (bits)' at screen 0.10324,0.91328 left noenhanced
  set arrow from screen 0.44269,0.91328 to screen 0.46269,0.91328 nohead lw 1.2 dt 1 lc rgb '#E69F00'
  set label '' at screen 0.45269,0.91328 point pt 5 ps size lc rgb '#E69F00'
  set label 'ecd4:per=head-page,reconstruct=wiener (bits)' at screen 0.46697,0.91328 left noenhanced
  set arrow from screen 0.81394,0.91328 to screen 0.83394,0.91328 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.82394,0.91328 point pt 7 ps size lc rgb '#000000'
  set label 'ece8 (bits)' at screen 0.83823,0.91328 left noenhanced
  set arrow from screen 0.05637,0.88938 to screen 0.07637,0.88938 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.06637,0.88938 point pt 6 ps size lc rgb '#000000'
  set label 'ece8:center=mean (bits)' at screen 0.08066,0.88938 left noenhanced
  set arrow from screen 0.26953,0.88938 to screen 0.28953,0.88938 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.27953,0.88938 point pt 5 ps size lc rgb '#000000'
  set label 'ece8:per=head-page,reconstruct=wiener (bits)' at screen 0.29381,0.88938 left noenhanced
  set arrow from screen 0.64079,0.88938 to screen 0.66079,0.88938 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.65079,0.88938 point pt 4 ps size lc rgb '#000000'
  set label 'ece8:per=head-page,rotate=none (bits)' at screen 0.66507,0.88938 left noenhanced
  set arrow from screen 0.11401,0.86549 to screen 0.13401,0.86549 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.12401,0.86549 point pt 9 ps size lc rgb '#000000'
  set label 'ece8:per=head-page,classes=channel,rotate=none,center=mean (bits)' at screen 0.13830,0.86549 left noenhanced
  set arrow from screen 0.64337,0.86549 to screen 0.66337,0.86549 nohead lw 1.5 dt 2 lc rgb '#555555'
  set label 'Shannon bound, white Gaussian' at screen 0.66766,0.86549 left noenhanced
  set arrow from screen 0.36364,0.84160 to screen 0.38364,0.84160 nohead lw 1.5 dt 3 lc rgb '#555555'
  set label 'Shannon lower bound of the source' at screen 0.38792,0.84160 left noenhanced
  set xlabel 'measured bits per value' noenhanced
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.79861; set bmargin at screen 0.47288
  set title 'Gaussian' noenhanced offset 0,-0.6
  set label 999 'gap, dB' at screen 0.00971,0.63575 center rotate noenhanced
  plot data index 0 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:($3 > -1.11905 ? $3 : -1.11905):(0):($4 - ($3 > -1.11905 ? $3 : -1.11905)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 2 using 1:($3 > -1.11905 ? $3 : -1.11905):(0):($4 - ($3 > -1.11905 ? $3 : -1.11905)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 2 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 3 using 1:($3 > -1.11905 ? $3 : -1.11905):(0):($4 - ($3 > -1.11905 ? $3 : -1.11905)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 3 using 1:2 with points pt 5 ps size lc rgb '#0072B2' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#D55E00' notitle, \
      data index 4 using 1:($3 > -1.11905 ? $3 : -1.11905):(0):($4 - ($3 > -1.11905 ? $3 : -1.11905)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#D55E00' notitle, \
      data index 4 using 1:2 with points pt 5 ps size lc rgb '#D55E00' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#009E73' notitle, \
      data index 5 using 1:($3 > -1.11905 ? $3 : -1.11905):(0):($4 - ($3 > -1.11905 ? $3 : -1.11905)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#009E73' notitle, \
      data index 5 using 1:2 with points pt 9 ps size lc rgb '#009E73' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#56B4E9' notitle, \
      data index 6 using 1:($3 > -1.11905 ? $3 : -1.11905):(0):($4 - ($3 > -1.11905 ? $3 : -1.11905)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#56B4E9' notitle, \
      data index 6 using 1:2 with points pt 9 ps size lc rgb '#56B4E9' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#E69F00' notitle, \
      data index 7 using 1:($3 > -1.11905 ? $3 : -1.11905):(0):($4 - ($3 > -1.11905 ? $3 : -1.11905)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#E69F00' notitle, \
      data index 7 using 1:2 with points pt 5 ps size lc rgb '#E69F00' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 8 using 1:($3 > -1.11905 ? $3 : -1.11905):(0):($4 - ($3 > -1.11905 ? $3 : -1.11905)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 8 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 9 using 1:($3 > -1.11905 ? $3 : -1.11905):(0):($4 - ($3 > -1.11905 ? $3 : -1.11905)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 9 using 1:2 with points pt 6 ps size lc rgb '#000000' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 10 using 1:($3 > -1.11905 ? $3 : -1.11905):(0):($4 - ($3 > -1.11905 ? $3 : -1.11905)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 10 using 1:2 with points pt 5 ps size lc rgb '#000000' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 11 using 1:($3 > -1.11905 ? $3 : -1.11905):(0):($4 - ($3 > -1.11905 ? $3 : -1.11905)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 11 using 1:2 with points pt 4 ps size lc rgb '#000000' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 12 using 1:($3 > -1.11905 ? $3 : -1.11905):(0):($4 - ($3 > -1.11905 ? $3 : -1.11905)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 12 using 1:2 with points pt 9 ps size lc rgb '#000000' notitle, \
      data index 13 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.79861; set bmargin at screen 0.47288
  set title 'Laplace' noenhanced offset 0,-0.6
  unset label
  unset arrow
  set label 999 'gap, dB' at screen 0.50971,0.63575 center rotate noenhanced
  plot data index 14 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 15 using 1:2 with lines lw 1.5 dt 3 lc rgb '#555555' notitle, \
      data index 16 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 16 using 1:($3 > -1.11905 ? $3 : -1.11905):(0):($4 - ($3 > -1.11905 ? $3 : -1.11905)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 16 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 17 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 17 using 1:($3 > -1.11905 ? $3 : -1.11905):(0):($4 - ($3 > -1.11905 ? $3 : -1.11905)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 17 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 18 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 18 using 1:($3 > -1.11905 ? $3 : -1.11905):(0):($4 - ($3 > -1.11905 ? $3 : -1.11905)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 18 using 1:2 with points pt 5 ps size lc rgb '#0072B2' notitle, \
      data index 19 using 1:2 with lines lw 1.2 lc rgb '#D55E00' notitle, \
      data index 19 using 1:($3 > -1.11905 ? $3 : -1.11905):(0):($4 - ($3 > -1.11905 ? $3 : -1.11905)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#D55E00' notitle, \
      data index 19 using 1:2 with points pt 5 ps size lc rgb '#D55E00' notitle, \
      data index 20 using 1:2 with lines lw 1.2 lc rgb '#009E73' notitle, \
      data index 20 using 1:($3 > -1.11905 ? $3 : -1.11905):(0):($4 - ($3 > -1.11905 ? $3 : -1.11905)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#009E73' notitle, \
      data index 20 using 1:2 with points pt 9 ps size lc rgb '#009E73' notitle, \
      data index 21 using 1:2 with lines lw 1.2 lc rgb '#56B4E9' notitle, \
      data index 21 using 1:($3 > -1.11905 ? $3 : -1.11905):(0):($4 - ($3 > -1.11905 ? $3 : -1.11905)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#56B4E9' notitle, \
      data index 21 using 1:2 with points pt 9 ps size lc rgb '#56B4E9' notitle, \
      data index 22 using 1:2 with lines lw 1.2 lc rgb '#E69F00' notitle, \
      data index 22 using 1:($3 > -1.11905 ? $3 : -1.11905):(0):($4 - ($3 > -1.11905 ? $3 : -1.11905)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#E69F00' notitle, \
      data index 22 using 1:2 with points pt 5 ps size lc rgb '#E69F00' notitle, \
      data index 23 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 23 using 1:($3 > -1.11905 ? $3 : -1.11905):(0):($4 - ($3 > -1.11905 ? $3 : -1.11905)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 23 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 24 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 24 using 1:($3 > -1.11905 ? $3 : -1.11905):(0):($4 - ($3 > -1.11905 ? $3 : -1.11905)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 24 using 1:2 with points pt 6 ps size lc rgb '#000000' notitle, \
      data index 25 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 25 using 1:($3 > -1.11905 ? $3 : -1.11905):(0):($4 - ($3 > -1.11905 ? $3 : -1.11905)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 25 using 1:2 with points pt 5 ps size lc rgb '#000000' notitle, \
      data index 26 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 26 using 1:($3 > -1.11905 ? $3 : -1.11905):(0):($4 - ($3 > -1.11905 ? $3 : -1.11905)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 26 using 1:2 with points pt 4 ps size lc rgb '#000000' notitle, \
      data index 27 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 27 using 1:($3 > -1.11905 ? $3 : -1.11905):(0):($4 - ($3 > -1.11905 ? $3 : -1.11905)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 27 using 1:2 with points pt 9 ps size lc rgb '#000000' notitle, \
      data index 28 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.38525; set bmargin at screen 0.05952
  set title 'Student-t, 5 degrees of freedom' noenhanced offset 0,-0.6
  set label 999 'gap, dB' at screen 0.00971,0.22239 center rotate noenhanced
  plot data index 29 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 30 using 1:2 with lines lw 1.5 dt 3 lc rgb '#555555' notitle, \
      data index 31 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 31 using 1:($3 > -1.11905 ? $3 : -1.11905):(0):($4 - ($3 > -1.11905 ? $3 : -1.11905)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 31 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 32 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 32 using 1:($3 > -1.11905 ? $3 : -1.11905):(0):($4 - ($3 > -1.11905 ? $3 : -1.11905)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 32 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 33 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 33 using 1:($3 > -1.11905 ? $3 : -1.11905):(0):($4 - ($3 > -1.11905 ? $3 : -1.11905)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 33 using 1:2 with points pt 5 ps size lc rgb '#0072B2' notitle, \
      data index 34 using 1:2 with lines lw 1.2 lc rgb '#D55E00' notitle, \
      data index 34 using 1:($3 > -1.11905 ? $3 : -1.11905):(0):($4 - ($3 > -1.11905 ? $3 : -1.11905)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#D55E00' notitle, \
      data index 34 using 1:2 with points pt 5 ps size lc rgb '#D55E00' notitle, \
      data index 35 using 1:2 with lines lw 1.2 lc rgb '#009E73' notitle, \
      data index 35 using 1:($3 > -1.11905 ? $3 : -1.11905):(0):($4 - ($3 > -1.11905 ? $3 : -1.11905)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#009E73' notitle, \
      data index 35 using 1:2 with points pt 9 ps size lc rgb '#009E73' notitle, \
      data index 36 using 1:2 with lines lw 1.2 lc rgb '#56B4E9' notitle, \
      data index 36 using 1:($3 > -1.11905 ? $3 : -1.11905):(0):($4 - ($3 > -1.11905 ? $3 : -1.11905)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#56B4E9' notitle, \
      data index 36 using 1:2 with points pt 9 ps size lc rgb '#56B4E9' notitle, \
      data index 37 using 1:2 with lines lw 1.2 lc rgb '#E69F00' notitle, \
      data index 37 using 1:($3 > -1.11905 ? $3 : -1.11905):(0):($4 - ($3 > -1.11905 ? $3 : -1.11905)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#E69F00' notitle, \
      data index 37 using 1:2 with points pt 5 ps size lc rgb '#E69F00' notitle, \
      data index 38 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 38 using 1:($3 > -1.11905 ? $3 : -1.11905):(0):($4 - ($3 > -1.11905 ? $3 : -1.11905)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 38 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 39 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 39 using 1:($3 > -1.11905 ? $3 : -1.11905):(0):($4 - ($3 > -1.11905 ? $3 : -1.11905)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 39 using 1:2 with points pt 6 ps size lc rgb '#000000' notitle, \
      data index 40 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 40 using 1:($3 > -1.11905 ? $3 : -1.11905):(0):($4 - ($3 > -1.11905 ? $3 : -1.11905)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 40 using 1:2 with points pt 5 ps size lc rgb '#000000' notitle, \
      data index 41 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 41 using 1:($3 > -1.11905 ? $3 : -1.11905):(0):($4 - ($3 > -1.11905 ? $3 : -1.11905)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 41 using 1:2 with points pt 4 ps size lc rgb '#000000' notitle, \
      data index 42 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 42 using 1:($3 > -1.11905 ? $3 : -1.11905):(0):($4 - ($3 > -1.11905 ? $3 : -1.11905)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 42 using 1:2 with points pt 9 ps size lc rgb '#000000' notitle, \
      data index 43 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
