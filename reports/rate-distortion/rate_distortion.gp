# Distortion against measured bits
# Redraw in this folder: gnuplot rate_distortion.gp
data = 'rate_distortion.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1800,1691 enhanced font 'Arial,19' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 3600,3382 enhanced font 'DejaVu Sans,19' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'rate_distortion.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold Distortion against measured bits}' at screen 0.5,0.98699 center font ',22'
  set label 2 'headers, scales and tables included; in the tables only: bf16, exact copies, 11 more variants' at screen 0.5,0.97161 center font ',17' tc rgb '#444444' noenhanced
  set xrange [0.5:9.5]
  set yrange [2.20953e-06:1.30322]
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
  set arrow from screen 0.03320,0.95505 to screen 0.04876,0.95505 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.04098,0.95505 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8 (q)' at screen 0.05209,0.95505 left noenhanced
  set arrow from screen 0.10358,0.95505 to screen 0.11913,0.95505 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.11136,0.95505 point pt 6 ps size lc rgb '#0072B2'
  set label 'e8:pack=joint,scales=one (q)' at screen 0.12247,0.95505 left noenhanced
  set arrow from screen 0.31793,0.95505 to screen 0.33349,0.95505 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.32571,0.95505 point pt 5 ps size lc rgb '#0072B2'
  set label 'e8:pack=rans,scales=one (q)' at screen 0.33682,0.95505 left noenhanced
  set arrow from screen 0.52574,0.95505 to screen 0.54130,0.95505 nohead lw 1.2 dt 1 lc rgb '#D55E00'
  set label '' at screen 0.53352,0.95505 point pt 5 ps size lc rgb '#D55E00'
  set label 'd4 (q)' at screen 0.54463,0.95505 left noenhanced
  set arrow from screen 0.59612,0.95505 to screen 0.61168,0.95505 nohead lw 1.2 dt 1 lc rgb '#009E73'
  set label '' at screen 0.60390,0.95505 point pt 9 ps size lc rgb '#009E73'
  set label 'tq (b)' at screen 0.61501,0.95505 left noenhanced
  set arrow from screen 0.66650,0.95505 to screen 0.68206,0.95505 nohead lw 1.2 dt 1 lc rgb '#56B4E9'
  set label '' at screen 0.67428,0.95505 point pt 9 ps size lc rgb '#56B4E9'
  set label 'ecz:per=head-page,reconstruct=wiener (bits)' at screen 0.68539,0.95505 left noenhanced
  set arrow from screen 0.04468,0.93595 to screen 0.06023,0.93595 nohead lw 1.2 dt 1 lc rgb '#E69F00'
  set label '' at screen 0.05246,0.93595 point pt 5 ps size lc rgb '#E69F00'
  set label 'ecd4:per=head-page,reconstruct=wiener (bits)' at screen 0.06357,0.93595 left noenhanced
  set arrow from screen 0.36374,0.93595 to screen 0.37930,0.93595 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.37152,0.93595 point pt 7 ps size lc rgb '#000000'
  set label 'ece8 (bits)' at screen 0.38263,0.93595 left noenhanced
  set arrow from screen 0.46684,0.93595 to screen 0.48240,0.93595 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.47462,0.93595 point pt 6 ps size lc rgb '#000000'
  set label 'ece8:center=mean (bits)' at screen 0.48573,0.93595 left noenhanced
  set arrow from screen 0.64848,0.93595 to screen 0.66403,0.93595 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.65626,0.93595 point pt 5 ps size lc rgb '#000000'
  set label 'ece8:per=head-page,reconstruct=wiener (bits)' at screen 0.66737,0.93595 left noenhanced
  set arrow from screen 0.11586,0.91685 to screen 0.13142,0.91685 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.12364,0.91685 point pt 4 ps size lc rgb '#000000'
  set label 'ece8:per=head-page,rotate=none (bits)' at screen 0.13475,0.91685 left noenhanced
  set arrow from screen 0.38912,0.91685 to screen 0.40467,0.91685 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.39689,0.91685 point pt 9 ps size lc rgb '#000000'
  set label 'ece8:per=head-page,classes=channel,rotate=none,center=mean (bits)' at screen 0.40801,0.91685 left noenhanced
  set arrow from screen 0.84562,0.91685 to screen 0.86117,0.91685 nohead lw 1.2 dt 1 lc rgb '#AA3377'
  set label '' at screen 0.85339,0.91685 point pt 13 ps size lc rgb '#AA3377'
  set label 'fp8' at screen 0.86451,0.91685 left noenhanced
  set arrow from screen 0.12648,0.89775 to screen 0.14204,0.89775 nohead lw 1.5 dt 2 lc rgb '#555555'
  set label 'Shannon bound, white Gaussian' at screen 0.14537,0.89775 left noenhanced
  set arrow from screen 0.34738,0.89775 to screen 0.36294,0.89775 nohead lw 1.5 dt 3 lc rgb '#555555'
  set label 'Shannon lower bound of the source' at screen 0.36627,0.89775 left noenhanced
  set arrow from screen 0.59446,0.89775 to screen 0.61002,0.89775 nohead lw 1.5 dt 4 lc rgb '#555555'
  set label 'water-filling' at screen 0.61335,0.89775 left noenhanced
  set arrow from screen 0.71065,0.89775 to screen 0.72621,0.89775 nohead lw 1.5 dt 5 lc rgb '#555555'
  set label 'water-filling, centred' at screen 0.72954,0.89775 left noenhanced
  set xlabel 'measured bits per value' noenhanced
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.86699; set bmargin at screen 0.63398
  set title 'Gaussian' noenhanced offset 0,-0.6
  set label 999 'rel-MSE' at screen 0.00844,0.75049 center rotate noenhanced
  plot data index 0 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 2 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 2 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 3 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 3 using 1:2 with points pt 5 ps size lc rgb '#0072B2' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#D55E00' notitle, \
      data index 4 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#D55E00' notitle, \
      data index 4 using 1:2 with points pt 5 ps size lc rgb '#D55E00' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#009E73' notitle, \
      data index 5 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#009E73' notitle, \
      data index 5 using 1:2 with points pt 9 ps size lc rgb '#009E73' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#56B4E9' notitle, \
      data index 6 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#56B4E9' notitle, \
      data index 6 using 1:2 with points pt 9 ps size lc rgb '#56B4E9' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#E69F00' notitle, \
      data index 7 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#E69F00' notitle, \
      data index 7 using 1:2 with points pt 5 ps size lc rgb '#E69F00' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 8 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 8 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 9 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 9 using 1:2 with points pt 6 ps size lc rgb '#000000' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 10 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 10 using 1:2 with points pt 5 ps size lc rgb '#000000' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 11 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 11 using 1:2 with points pt 4 ps size lc rgb '#000000' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 12 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 12 using 1:2 with points pt 9 ps size lc rgb '#000000' notitle, \
      data index 13 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 13 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 13 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.86699; set bmargin at screen 0.63398
  set title 'Laplace' noenhanced offset 0,-0.6
  unset label
  unset arrow
  set label 999 'rel-MSE' at screen 0.34178,0.75049 center rotate noenhanced
  plot data index 14 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 15 using 1:2 with lines lw 1.5 dt 3 lc rgb '#555555' notitle, \
      data index 16 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 16 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 16 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 17 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 17 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 17 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 18 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 18 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 18 using 1:2 with points pt 5 ps size lc rgb '#0072B2' notitle, \
      data index 19 using 1:2 with lines lw 1.2 lc rgb '#D55E00' notitle, \
      data index 19 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#D55E00' notitle, \
      data index 19 using 1:2 with points pt 5 ps size lc rgb '#D55E00' notitle, \
      data index 20 using 1:2 with lines lw 1.2 lc rgb '#009E73' notitle, \
      data index 20 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#009E73' notitle, \
      data index 20 using 1:2 with points pt 9 ps size lc rgb '#009E73' notitle, \
      data index 21 using 1:2 with lines lw 1.2 lc rgb '#56B4E9' notitle, \
      data index 21 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#56B4E9' notitle, \
      data index 21 using 1:2 with points pt 9 ps size lc rgb '#56B4E9' notitle, \
      data index 22 using 1:2 with lines lw 1.2 lc rgb '#E69F00' notitle, \
      data index 22 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#E69F00' notitle, \
      data index 22 using 1:2 with points pt 5 ps size lc rgb '#E69F00' notitle, \
      data index 23 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 23 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 23 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 24 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 24 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 24 using 1:2 with points pt 6 ps size lc rgb '#000000' notitle, \
      data index 25 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 25 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 25 using 1:2 with points pt 5 ps size lc rgb '#000000' notitle, \
      data index 26 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 26 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 26 using 1:2 with points pt 4 ps size lc rgb '#000000' notitle, \
      data index 27 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 27 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 27 using 1:2 with points pt 9 ps size lc rgb '#000000' notitle, \
      data index 28 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 28 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 28 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle
  set lmargin at screen 0.72644; set rmargin at screen 0.98889
  set tmargin at screen 0.86699; set bmargin at screen 0.63398
  set title 'Student-t, 5 degrees of freedom' noenhanced offset 0,-0.6
  set label 999 'rel-MSE' at screen 0.67511,0.75049 center rotate noenhanced
  plot data index 29 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 30 using 1:2 with lines lw 1.5 dt 3 lc rgb '#555555' notitle, \
      data index 31 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 31 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 31 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 32 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 32 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 32 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 33 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 33 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 33 using 1:2 with points pt 5 ps size lc rgb '#0072B2' notitle, \
      data index 34 using 1:2 with lines lw 1.2 lc rgb '#D55E00' notitle, \
      data index 34 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#D55E00' notitle, \
      data index 34 using 1:2 with points pt 5 ps size lc rgb '#D55E00' notitle, \
      data index 35 using 1:2 with lines lw 1.2 lc rgb '#009E73' notitle, \
      data index 35 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#009E73' notitle, \
      data index 35 using 1:2 with points pt 9 ps size lc rgb '#009E73' notitle, \
      data index 36 using 1:2 with lines lw 1.2 lc rgb '#56B4E9' notitle, \
      data index 36 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#56B4E9' notitle, \
      data index 36 using 1:2 with points pt 9 ps size lc rgb '#56B4E9' notitle, \
      data index 37 using 1:2 with lines lw 1.2 lc rgb '#E69F00' notitle, \
      data index 37 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#E69F00' notitle, \
      data index 37 using 1:2 with points pt 5 ps size lc rgb '#E69F00' notitle, \
      data index 38 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 38 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 38 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 39 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 39 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 39 using 1:2 with points pt 6 ps size lc rgb '#000000' notitle, \
      data index 40 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 40 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 40 using 1:2 with points pt 5 ps size lc rgb '#000000' notitle, \
      data index 41 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 41 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 41 using 1:2 with points pt 4 ps size lc rgb '#000000' notitle, \
      data index 42 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 42 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 42 using 1:2 with points pt 9 ps size lc rgb '#000000' notitle, \
      data index 43 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 43 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 43 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.57129; set bmargin at screen 0.33828
  set title 'K of nano' noenhanced offset 0,-0.6
  set label 999 'rel-MSE' at screen 0.00844,0.45479 center rotate noenhanced
  plot data index 44 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 45 using 1:2 with lines lw 1.5 dt 4 lc rgb '#555555' notitle, \
      data index 46 using 1:2 with lines lw 1.5 dt 5 lc rgb '#555555' notitle, \
      data index 47 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 47 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 47 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 48 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 48 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 48 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 49 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 49 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 49 using 1:2 with points pt 5 ps size lc rgb '#0072B2' notitle, \
      data index 50 using 1:2 with lines lw 1.2 lc rgb '#D55E00' notitle, \
      data index 50 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#D55E00' notitle, \
      data index 50 using 1:2 with points pt 5 ps size lc rgb '#D55E00' notitle, \
      data index 51 using 1:2 with lines lw 1.2 lc rgb '#009E73' notitle, \
      data index 51 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#009E73' notitle, \
      data index 51 using 1:2 with points pt 9 ps size lc rgb '#009E73' notitle, \
      data index 52 using 1:2 with lines lw 1.2 lc rgb '#56B4E9' notitle, \
      data index 52 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#56B4E9' notitle, \
      data index 52 using 1:2 with points pt 9 ps size lc rgb '#56B4E9' notitle, \
      data index 53 using 1:2 with lines lw 1.2 lc rgb '#E69F00' notitle, \
      data index 53 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#E69F00' notitle, \
      data index 53 using 1:2 with points pt 5 ps size lc rgb '#E69F00' notitle, \
      data index 54 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 54 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 54 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 55 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 55 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 55 using 1:2 with points pt 6 ps size lc rgb '#000000' notitle, \
      data index 56 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 56 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 56 using 1:2 with points pt 5 ps size lc rgb '#000000' notitle, \
      data index 57 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 57 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 57 using 1:2 with points pt 4 ps size lc rgb '#000000' notitle, \
      data index 58 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 58 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 58 using 1:2 with points pt 9 ps size lc rgb '#000000' notitle, \
      data index 59 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 59 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 59 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.57129; set bmargin at screen 0.33828
  set title 'V of nano' noenhanced offset 0,-0.6
  set label 999 'rel-MSE' at screen 0.34178,0.45479 center rotate noenhanced
  plot data index 60 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 61 using 1:2 with lines lw 1.5 dt 4 lc rgb '#555555' notitle, \
      data index 62 using 1:2 with lines lw 1.5 dt 5 lc rgb '#555555' notitle, \
      data index 63 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 63 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 63 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 64 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 64 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 64 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 65 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 65 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 65 using 1:2 with points pt 5 ps size lc rgb '#0072B2' notitle, \
      data index 66 using 1:2 with lines lw 1.2 lc rgb '#D55E00' notitle, \
      data index 66 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#D55E00' notitle, \
      data index 66 using 1:2 with points pt 5 ps size lc rgb '#D55E00' notitle, \
      data index 67 using 1:2 with lines lw 1.2 lc rgb '#009E73' notitle, \
      data index 67 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#009E73' notitle, \
      data index 67 using 1:2 with points pt 9 ps size lc rgb '#009E73' notitle, \
      data index 68 using 1:2 with lines lw 1.2 lc rgb '#56B4E9' notitle, \
      data index 68 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#56B4E9' notitle, \
      data index 68 using 1:2 with points pt 9 ps size lc rgb '#56B4E9' notitle, \
      data index 69 using 1:2 with lines lw 1.2 lc rgb '#E69F00' notitle, \
      data index 69 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#E69F00' notitle, \
      data index 69 using 1:2 with points pt 5 ps size lc rgb '#E69F00' notitle, \
      data index 70 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 70 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 70 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 71 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 71 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 71 using 1:2 with points pt 6 ps size lc rgb '#000000' notitle, \
      data index 72 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 72 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 72 using 1:2 with points pt 5 ps size lc rgb '#000000' notitle, \
      data index 73 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 73 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 73 using 1:2 with points pt 4 ps size lc rgb '#000000' notitle, \
      data index 74 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 74 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 74 using 1:2 with points pt 9 ps size lc rgb '#000000' notitle, \
      data index 75 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 75 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 75 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle
  set lmargin at screen 0.72644; set rmargin at screen 0.98889
  set tmargin at screen 0.57129; set bmargin at screen 0.33828
  set title 'K of SmolLM2-135M-Instruct.Q4_1' noenhanced offset 0,-0.6
  set label 999 'rel-MSE' at screen 0.67511,0.45479 center rotate noenhanced
  plot data index 76 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 77 using 1:2 with lines lw 1.5 dt 4 lc rgb '#555555' notitle, \
      data index 78 using 1:2 with lines lw 1.5 dt 5 lc rgb '#555555' notitle, \
      data index 79 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 79 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 79 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 80 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 80 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 80 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 81 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 81 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 81 using 1:2 with points pt 5 ps size lc rgb '#0072B2' notitle, \
      data index 82 using 1:2 with lines lw 1.2 lc rgb '#D55E00' notitle, \
      data index 82 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#D55E00' notitle, \
      data index 82 using 1:2 with points pt 5 ps size lc rgb '#D55E00' notitle, \
      data index 83 using 1:2 with lines lw 1.2 lc rgb '#009E73' notitle, \
      data index 83 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#009E73' notitle, \
      data index 83 using 1:2 with points pt 9 ps size lc rgb '#009E73' notitle, \
      data index 84 using 1:2 with lines lw 1.2 lc rgb '#56B4E9' notitle, \
      data index 84 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#56B4E9' notitle, \
      data index 84 using 1:2 with points pt 9 ps size lc rgb '#56B4E9' notitle, \
      data index 85 using 1:2 with lines lw 1.2 lc rgb '#E69F00' notitle, \
      data index 85 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#E69F00' notitle, \
      data index 85 using 1:2 with points pt 5 ps size lc rgb '#E69F00' notitle, \
      data index 86 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 86 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 86 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 87 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 87 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 87 using 1:2 with points pt 6 ps size lc rgb '#000000' notitle, \
      data index 88 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 88 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 88 using 1:2 with points pt 5 ps size lc rgb '#000000' notitle, \
      data index 89 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 89 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 89 using 1:2 with points pt 4 ps size lc rgb '#000000' notitle, \
      data index 90 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 90 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 90 using 1:2 with points pt 9 ps size lc rgb '#000000' notitle, \
      data index 91 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 91 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 91 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.27559; set bmargin at screen 0.04258
  set title 'V of SmolLM2-135M-Instruct.Q4_1' noenhanced offset 0,-0.6
  set label 999 'rel-MSE' at screen 0.00844,0.15909 center rotate noenhanced
  plot data index 92 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 93 using 1:2 with lines lw 1.5 dt 4 lc rgb '#555555' notitle, \
      data index 94 using 1:2 with lines lw 1.5 dt 5 lc rgb '#555555' notitle, \
      data index 95 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 95 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 95 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 96 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 96 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 96 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 97 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 97 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 97 using 1:2 with points pt 5 ps size lc rgb '#0072B2' notitle, \
      data index 98 using 1:2 with lines lw 1.2 lc rgb '#D55E00' notitle, \
      data index 98 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#D55E00' notitle, \
      data index 98 using 1:2 with points pt 5 ps size lc rgb '#D55E00' notitle, \
      data index 99 using 1:2 with lines lw 1.2 lc rgb '#009E73' notitle, \
      data index 99 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#009E73' notitle, \
      data index 99 using 1:2 with points pt 9 ps size lc rgb '#009E73' notitle, \
      data index 100 using 1:2 with lines lw 1.2 lc rgb '#56B4E9' notitle, \
      data index 100 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#56B4E9' notitle, \
      data index 100 using 1:2 with points pt 9 ps size lc rgb '#56B4E9' notitle, \
      data index 101 using 1:2 with lines lw 1.2 lc rgb '#E69F00' notitle, \
      data index 101 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#E69F00' notitle, \
      data index 101 using 1:2 with points pt 5 ps size lc rgb '#E69F00' notitle, \
      data index 102 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 102 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 102 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 103 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 103 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 103 using 1:2 with points pt 6 ps size lc rgb '#000000' notitle, \
      data index 104 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 104 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 104 using 1:2 with points pt 5 ps size lc rgb '#000000' notitle, \
      data index 105 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 105 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 105 using 1:2 with points pt 4 ps size lc rgb '#000000' notitle, \
      data index 106 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 106 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 106 using 1:2 with points pt 9 ps size lc rgb '#000000' notitle, \
      data index 107 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 107 using 1:($3 > 2.20953e-06 ? $3 : 2.20953e-06):(0):($4 - ($3 > 2.20953e-06 ? $3 : 2.20953e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 107 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle
  unset multiplot
  unset output
}
