# KL divergence from the bf16 cache against measured bits of the coded values (in-forward)
# Redraw in this folder: gnuplot kld_inforward_all.gp
data = 'kld_inforward_all.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1400,710 enhanced font 'Arial,17' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 2800,1419 enhanced font 'DejaVu Sans,17' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'kld_inforward_all.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold KL divergence from the bf16 cache against measured bits of the coded values (in-forward)}' at screen 0.5,0.96900 center font ',20'
  set label 2 '8 passages of 2048 + 64 scored tokens; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn; profiles not counted' at screen 0.5,0.93236 center font ',15' tc rgb '#444444' noenhanced
  set xrange [3.5:9]
  set yrange [6.3054e-06:1.79403]
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
  set arrow from screen 0.10930,0.89290 to screen 0.12930,0.89290 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.11930,0.89290 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8 (q)' at screen 0.13359,0.89290 left noenhanced
  set arrow from screen 0.19447,0.89290 to screen 0.21447,0.89290 nohead lw 1.2 dt 1 lc rgb '#009E73'
  set label '' at screen 0.20447,0.89290 point pt 9 ps size lc rgb '#009E73'
  set label 'tq (b)' at screen 0.21876,0.89290 left noenhanced
  set arrow from screen 0.27964,0.89290 to screen 0.29964,0.89290 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.28964,0.89290 point pt 7 ps size lc rgb '#000000'
  set label 'ece8 (bits)' at screen 0.30393,0.89290 left noenhanced
  set arrow from screen 0.40246,0.89290 to screen 0.42246,0.89290 nohead lw 1.2 dt 1 lc rgb '#56B4E9'
  set label '' at screen 0.41246,0.89290 point pt 9 ps size lc rgb '#56B4E9'
  set label 'ecz (bits)' at screen 0.42674,0.89290 left noenhanced
  set arrow from screen 0.51774,0.89290 to screen 0.53774,0.89290 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.52774,0.89290 point pt 6 ps size lc rgb '#0072B2'
  set label 'e8:center=mean (q)' at screen 0.54203,0.89290 left noenhanced
  set arrow from screen 0.69326,0.89290 to screen 0.71326,0.89290 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.70326,0.89290 point pt 6 ps size lc rgb '#000000'
  set label 'ece8:center=mean (bits)' at screen 0.71754,0.89290 left noenhanced
  set arrow from screen 0.01519,0.85217 to screen 0.03519,0.85217 nohead lw 1.2 dt 1 lc rgb '#56B4E9'
  set label '' at screen 0.02519,0.85217 point pt 8 ps size lc rgb '#56B4E9'
  set label 'ecz:center=mean (bits)' at screen 0.03948,0.85217 left noenhanced
  set arrow from screen 0.22082,0.85217 to screen 0.24082,0.85217 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.23082,0.85217 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'kivi (b)' at screen 0.24511,0.85217 left noenhanced
  set arrow from screen 0.32105,0.85217 to screen 0.34105,0.85217 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.33105,0.85217 point pt 15 ps size lc rgb '#66A61E'
  set label 'q4_0' at screen 0.34534,0.85217 left noenhanced
  set arrow from screen 0.39116,0.85217 to screen 0.41116,0.85217 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.40116,0.85217 point pt 11 ps size lc rgb '#7570B3'
  set label 'q8_0' at screen 0.41545,0.85217 left noenhanced
  set arrow from screen 0.46128,0.85217 to screen 0.48128,0.85217 nohead lw 1.2 dt 1 lc rgb '#009E73'
  set label '' at screen 0.47128,0.85217 point pt 13 ps size lc rgb '#009E73'
  set label 'tq:center=mean (b)' at screen 0.48556,0.85217 left noenhanced
  set arrow from screen 0.63679,0.85217 to screen 0.65679,0.85217 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.64679,0.85217 point pt 5 ps size lc rgb '#0072B2'
  set label 'e8:center=bias,profile=080a867ffdbd6bff (q)' at screen 0.66108,0.85217 left noenhanced
  set arrow from screen 0.11025,0.81144 to screen 0.13025,0.81144 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.12025,0.81144 point pt 5 ps size lc rgb '#000000'
  set label 'ece8:center=bias,profile=080a867ffdbd6bff (bits)' at screen 0.13454,0.81144 left noenhanced
  set arrow from screen 0.51162,0.81144 to screen 0.53162,0.81144 nohead lw 1.2 dt 1 lc rgb '#56B4E9'
  set label '' at screen 0.52162,0.81144 point pt 13 ps size lc rgb '#56B4E9'
  set label 'ecz:center=bias,profile=080a867ffdbd6bff (bits)' at screen 0.53591,0.81144 left noenhanced
  set arrow from screen 0.07143,0.77072 to screen 0.09143,0.77072 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.08143,0.77072 point pt 10 ps size lc rgb '#8C6D1F'
  set label 'kivi:center=bias,profile=080a867ffdbd6bff (b)' at screen 0.09571,0.77072 left noenhanced
  set arrow from screen 0.45021,0.77072 to screen 0.47021,0.77072 nohead lw 1.2 dt 1 lc rgb '#009E73'
  set label '' at screen 0.46021,0.77072 point pt 8 ps size lc rgb '#009E73'
  set label 'tq:center=bias,profile=080a867ffdbd6bff (b)' at screen 0.47450,0.77072 left noenhanced
  set arrow from screen 0.81394,0.77072 to screen 0.83394,0.77072 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front' at screen 0.83823,0.77072 left noenhanced
  set arrow from screen 0.37493,0.72999 to screen 0.39493,0.72999 nohead lw 1.5 dt 2 lc rgb '#555555'
  set label 'nothing coded: bf16 arithmetic' at screen 0.39921,0.72999 left noenhanced
  set xlabel 'measured bits per value of the coded values' noenhanced
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.65671; set bmargin at screen 0.10147
  set title 'nano' noenhanced offset 0,-0.6
  set label 999 'mean KL divergence, nats' at screen 0.00971,0.37909 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 2 using 1:($3 > 6.3054e-06 ? $3 : 6.3054e-06):(0):($4 - ($3 > 6.3054e-06 ? $3 : 6.3054e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 2 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#009E73' notitle, \
      data index 3 using 1:($3 > 6.3054e-06 ? $3 : 6.3054e-06):(0):($4 - ($3 > 6.3054e-06 ? $3 : 6.3054e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#009E73' notitle, \
      data index 3 using 1:2 with points pt 9 ps size lc rgb '#009E73' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 4 using 1:($3 > 6.3054e-06 ? $3 : 6.3054e-06):(0):($4 - ($3 > 6.3054e-06 ? $3 : 6.3054e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 4 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#56B4E9' notitle, \
      data index 5 using 1:($3 > 6.3054e-06 ? $3 : 6.3054e-06):(0):($4 - ($3 > 6.3054e-06 ? $3 : 6.3054e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#56B4E9' notitle, \
      data index 5 using 1:2 with points pt 9 ps size lc rgb '#56B4E9' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 6 using 1:($3 > 6.3054e-06 ? $3 : 6.3054e-06):(0):($4 - ($3 > 6.3054e-06 ? $3 : 6.3054e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 6 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 7 using 1:($3 > 6.3054e-06 ? $3 : 6.3054e-06):(0):($4 - ($3 > 6.3054e-06 ? $3 : 6.3054e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 7 using 1:2 with points pt 6 ps size lc rgb '#000000' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#56B4E9' notitle, \
      data index 8 using 1:($3 > 6.3054e-06 ? $3 : 6.3054e-06):(0):($4 - ($3 > 6.3054e-06 ? $3 : 6.3054e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#56B4E9' notitle, \
      data index 8 using 1:2 with points pt 8 ps size lc rgb '#56B4E9' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 9 using 1:($3 > 6.3054e-06 ? $3 : 6.3054e-06):(0):($4 - ($3 > 6.3054e-06 ? $3 : 6.3054e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 9 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 10 using 1:($3 > 6.3054e-06 ? $3 : 6.3054e-06):(0):($4 - ($3 > 6.3054e-06 ? $3 : 6.3054e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 10 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 11 using 1:($3 > 6.3054e-06 ? $3 : 6.3054e-06):(0):($4 - ($3 > 6.3054e-06 ? $3 : 6.3054e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 11 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#009E73' notitle, \
      data index 12 using 1:($3 > 6.3054e-06 ? $3 : 6.3054e-06):(0):($4 - ($3 > 6.3054e-06 ? $3 : 6.3054e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#009E73' notitle, \
      data index 12 using 1:2 with points pt 13 ps size lc rgb '#009E73' notitle, \
      data index 13 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.65671; set bmargin at screen 0.10147
  set title 'nano-bias' noenhanced offset 0,-0.6
  unset label
  unset arrow
  set label 999 'mean KL divergence, nats' at screen 0.50971,0.37909 center rotate noenhanced
  plot data index 14 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 15 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 16 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 16 using 1:($3 > 6.3054e-06 ? $3 : 6.3054e-06):(0):($4 - ($3 > 6.3054e-06 ? $3 : 6.3054e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 16 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 17 using 1:2 with lines lw 1.2 lc rgb '#009E73' notitle, \
      data index 17 using 1:($3 > 6.3054e-06 ? $3 : 6.3054e-06):(0):($4 - ($3 > 6.3054e-06 ? $3 : 6.3054e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#009E73' notitle, \
      data index 17 using 1:2 with points pt 9 ps size lc rgb '#009E73' notitle, \
      data index 18 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 18 using 1:($3 > 6.3054e-06 ? $3 : 6.3054e-06):(0):($4 - ($3 > 6.3054e-06 ? $3 : 6.3054e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 18 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 19 using 1:2 with lines lw 1.2 lc rgb '#56B4E9' notitle, \
      data index 19 using 1:($3 > 6.3054e-06 ? $3 : 6.3054e-06):(0):($4 - ($3 > 6.3054e-06 ? $3 : 6.3054e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#56B4E9' notitle, \
      data index 19 using 1:2 with points pt 9 ps size lc rgb '#56B4E9' notitle, \
      data index 20 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 20 using 1:($3 > 6.3054e-06 ? $3 : 6.3054e-06):(0):($4 - ($3 > 6.3054e-06 ? $3 : 6.3054e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 20 using 1:2 with points pt 5 ps size lc rgb '#0072B2' notitle, \
      data index 21 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 21 using 1:($3 > 6.3054e-06 ? $3 : 6.3054e-06):(0):($4 - ($3 > 6.3054e-06 ? $3 : 6.3054e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 21 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 22 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 22 using 1:($3 > 6.3054e-06 ? $3 : 6.3054e-06):(0):($4 - ($3 > 6.3054e-06 ? $3 : 6.3054e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 22 using 1:2 with points pt 5 ps size lc rgb '#000000' notitle, \
      data index 23 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 23 using 1:($3 > 6.3054e-06 ? $3 : 6.3054e-06):(0):($4 - ($3 > 6.3054e-06 ? $3 : 6.3054e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 23 using 1:2 with points pt 6 ps size lc rgb '#000000' notitle, \
      data index 24 using 1:2 with lines lw 1.2 lc rgb '#56B4E9' notitle, \
      data index 24 using 1:($3 > 6.3054e-06 ? $3 : 6.3054e-06):(0):($4 - ($3 > 6.3054e-06 ? $3 : 6.3054e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#56B4E9' notitle, \
      data index 24 using 1:2 with points pt 13 ps size lc rgb '#56B4E9' notitle, \
      data index 25 using 1:2 with lines lw 1.2 lc rgb '#56B4E9' notitle, \
      data index 25 using 1:($3 > 6.3054e-06 ? $3 : 6.3054e-06):(0):($4 - ($3 > 6.3054e-06 ? $3 : 6.3054e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#56B4E9' notitle, \
      data index 25 using 1:2 with points pt 8 ps size lc rgb '#56B4E9' notitle, \
      data index 26 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 26 using 1:($3 > 6.3054e-06 ? $3 : 6.3054e-06):(0):($4 - ($3 > 6.3054e-06 ? $3 : 6.3054e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 26 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 27 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 27 using 1:($3 > 6.3054e-06 ? $3 : 6.3054e-06):(0):($4 - ($3 > 6.3054e-06 ? $3 : 6.3054e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 27 using 1:2 with points pt 10 ps size lc rgb '#8C6D1F' notitle, \
      data index 28 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 28 using 1:($3 > 6.3054e-06 ? $3 : 6.3054e-06):(0):($4 - ($3 > 6.3054e-06 ? $3 : 6.3054e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 28 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 29 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 29 using 1:($3 > 6.3054e-06 ? $3 : 6.3054e-06):(0):($4 - ($3 > 6.3054e-06 ? $3 : 6.3054e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 29 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 30 using 1:2 with lines lw 1.2 lc rgb '#009E73' notitle, \
      data index 30 using 1:($3 > 6.3054e-06 ? $3 : 6.3054e-06):(0):($4 - ($3 > 6.3054e-06 ? $3 : 6.3054e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#009E73' notitle, \
      data index 30 using 1:2 with points pt 8 ps size lc rgb '#009E73' notitle, \
      data index 31 using 1:2 with lines lw 1.2 lc rgb '#009E73' notitle, \
      data index 31 using 1:($3 > 6.3054e-06 ? $3 : 6.3054e-06):(0):($4 - ($3 > 6.3054e-06 ? $3 : 6.3054e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#009E73' notitle, \
      data index 31 using 1:2 with points pt 13 ps size lc rgb '#009E73' notitle, \
      data index 32 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
