# KL divergence from the bf16 cache against measured bits of the coded values (snapshot)
# Redraw in this folder: gnuplot kld_snapshot_all.gp
data = 'kld_snapshot_all.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1000,782 enhanced font 'Arial,15' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 2000,1563 enhanced font 'DejaVu Sans,15' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'kld_snapshot_all.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold KL divergence from the bf16 cache against measured bits of the coded values (snapshot)}' at screen 0.5,0.97185 center font ',18'
  set label 2 '24 passages of 2048 + 64 scored tokens; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn' at screen 0.5,0.93858 center font ',13' tc rgb '#444444' noenhanced
  set xrange [2:9.5]
  set yrange [8.7941e-06:4.30859]
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
  set arrow from screen 0.06855,0.90275 to screen 0.09655,0.90275 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.08255,0.90275 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8 (q)' at screen 0.10255,0.90275 left noenhanced
  set arrow from screen 0.18035,0.90275 to screen 0.20835,0.90275 nohead lw 1.2 dt 1 lc rgb '#D55E00'
  set label '' at screen 0.19435,0.90275 point pt 5 ps size lc rgb '#D55E00'
  set label 'd4 (q)' at screen 0.21435,0.90275 left noenhanced
  set arrow from screen 0.29215,0.90275 to screen 0.32015,0.90275 nohead lw 1.2 dt 1 lc rgb '#009E73'
  set label '' at screen 0.30615,0.90275 point pt 9 ps size lc rgb '#009E73'
  set label 'tq (b)' at screen 0.32615,0.90275 left noenhanced
  set arrow from screen 0.40395,0.90275 to screen 0.43195,0.90275 nohead lw 1.2 dt 1 lc rgb '#AA3377'
  set label '' at screen 0.41795,0.90275 point pt 13 ps size lc rgb '#AA3377'
  set label 'fp8' at screen 0.43795,0.90275 left noenhanced
  set arrow from screen 0.48785,0.90275 to screen 0.51585,0.90275 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.50185,0.90275 point pt 7 ps size lc rgb '#000000'
  set label 'ece8 (bits)' at screen 0.52185,0.90275 left noenhanced
  set arrow from screen 0.64615,0.90275 to screen 0.67415,0.90275 nohead lw 1.2 dt 1 lc rgb '#E69F00'
  set label '' at screen 0.66015,0.90275 point pt 5 ps size lc rgb '#E69F00'
  set label 'ecd4 (bits)' at screen 0.68015,0.90275 left noenhanced
  set arrow from screen 0.80445,0.90275 to screen 0.83245,0.90275 nohead lw 1.2 dt 1 lc rgb '#56B4E9'
  set label '' at screen 0.81845,0.90275 point pt 9 ps size lc rgb '#56B4E9'
  set label 'ecz (bits)' at screen 0.83845,0.90275 left noenhanced
  set arrow from screen 0.06430,0.87012 to screen 0.09230,0.87012 nohead lw 1.2 dt 1 lc rgb '#D55E00'
  set label '' at screen 0.07830,0.87012 point pt 4 ps size lc rgb '#D55E00'
  set label 'd4:rule=published (q)' at screen 0.09830,0.87012 left noenhanced
  set arrow from screen 0.31560,0.87012 to screen 0.34360,0.87012 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.32960,0.87012 point pt 6 ps size lc rgb '#0072B2'
  set label 'e8:pack=joint,scales=log8 (q)' at screen 0.34960,0.87012 left noenhanced
  set arrow from screen 0.64130,0.87012 to screen 0.66930,0.87012 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.65530,0.87012 point pt 5 ps size lc rgb '#0072B2'
  set label 'e8:pack=rans,scales=log8 (q)' at screen 0.67530,0.87012 left noenhanced
  set arrow from screen 0.25040,0.83749 to screen 0.27840,0.83749 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.26440,0.83749 point pt 4 ps size lc rgb '#0072B2'
  set label 'e8:rule=published (q)' at screen 0.28440,0.83749 left noenhanced
  set arrow from screen 0.50170,0.83749 to screen 0.52970,0.83749 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.51570,0.83749 point pt 5 ps size lc rgb '#000000'
  set label 'ece8:center=mean (bits)' at screen 0.53570,0.83749 left noenhanced
  set arrow from screen 0.10160,0.80486 to screen 0.12960,0.80486 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.11560,0.80486 point pt 6 ps size lc rgb '#000000'
  set label 'ece8:classes=channel,rotate=none,center=mean (bits)' at screen 0.13560,0.80486 left noenhanced
  set arrow from screen 0.63190,0.80486 to screen 0.65990,0.80486 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.64590,0.80486 point pt 4 ps size lc rgb '#000000'
  set label 'ece8:per=head-page (bits)' at screen 0.66590,0.80486 left noenhanced
  set arrow from screen 0.10150,0.77223 to screen 0.12950,0.77223 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.11550,0.77223 point pt 9 ps size lc rgb '#000000'
  set label 'ece8:reconstruct=wiener (bits)' at screen 0.13550,0.77223 left noenhanced
  set arrow from screen 0.43650,0.77223 to screen 0.46450,0.77223 nohead lw 1.2 dt 1 lc rgb '#009E73'
  set label '' at screen 0.45050,0.77223 point pt 8 ps size lc rgb '#009E73'
  set label 'tq:pack=rans,scales=log8 (b)' at screen 0.47050,0.77223 left noenhanced
  set arrow from screen 0.75290,0.77223 to screen 0.78090,0.77223 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front' at screen 0.78690,0.77223 left noenhanced
  set arrow from screen 0.12950,0.73960 to screen 0.15750,0.73960 nohead lw 1.5 dt 2 lc rgb '#555555'
  set label 'nothing coded: bf16 arithmetic' at screen 0.16350,0.73960 left noenhanced
  set arrow from screen 0.46450,0.73960 to screen 0.49250,0.73960 nohead lw 1.5 dt 3 lc rgb '#555555'
  set label 'nothing coded: another attention (fused)' at screen 0.49850,0.73960 left noenhanced
  set xlabel 'measured bits per value of the coded values' noenhanced
  set lmargin at screen 0.09000; set rmargin at screen 0.98000
  set tmargin at screen 0.67306; set bmargin at screen 0.09213
  set title 'SmolLM2-135M-Instruct.Q4_1' noenhanced offset 0,-0.6
  set label 999 'mean KL divergence, nats' at screen 0.01200,0.38260 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 2 using 1:2 with lines lw 1.5 dt 3 lc rgb '#555555' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 3 using 1:($3 > 8.7941e-06 ? $3 : 8.7941e-06):(0):($4 - ($3 > 8.7941e-06 ? $3 : 8.7941e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 3 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#D55E00' notitle, \
      data index 4 using 1:($3 > 8.7941e-06 ? $3 : 8.7941e-06):(0):($4 - ($3 > 8.7941e-06 ? $3 : 8.7941e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#D55E00' notitle, \
      data index 4 using 1:2 with points pt 5 ps size lc rgb '#D55E00' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#009E73' notitle, \
      data index 5 using 1:($3 > 8.7941e-06 ? $3 : 8.7941e-06):(0):($4 - ($3 > 8.7941e-06 ? $3 : 8.7941e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#009E73' notitle, \
      data index 5 using 1:2 with points pt 9 ps size lc rgb '#009E73' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 6 using 1:($3 > 8.7941e-06 ? $3 : 8.7941e-06):(0):($4 - ($3 > 8.7941e-06 ? $3 : 8.7941e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 6 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 7 using 1:($3 > 8.7941e-06 ? $3 : 8.7941e-06):(0):($4 - ($3 > 8.7941e-06 ? $3 : 8.7941e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 7 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#E69F00' notitle, \
      data index 8 using 1:($3 > 8.7941e-06 ? $3 : 8.7941e-06):(0):($4 - ($3 > 8.7941e-06 ? $3 : 8.7941e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#E69F00' notitle, \
      data index 8 using 1:2 with points pt 5 ps size lc rgb '#E69F00' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#56B4E9' notitle, \
      data index 9 using 1:($3 > 8.7941e-06 ? $3 : 8.7941e-06):(0):($4 - ($3 > 8.7941e-06 ? $3 : 8.7941e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#56B4E9' notitle, \
      data index 9 using 1:2 with points pt 9 ps size lc rgb '#56B4E9' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#D55E00' notitle, \
      data index 10 using 1:($3 > 8.7941e-06 ? $3 : 8.7941e-06):(0):($4 - ($3 > 8.7941e-06 ? $3 : 8.7941e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#D55E00' notitle, \
      data index 10 using 1:2 with points pt 4 ps size lc rgb '#D55E00' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 11 using 1:($3 > 8.7941e-06 ? $3 : 8.7941e-06):(0):($4 - ($3 > 8.7941e-06 ? $3 : 8.7941e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 11 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 12 using 1:($3 > 8.7941e-06 ? $3 : 8.7941e-06):(0):($4 - ($3 > 8.7941e-06 ? $3 : 8.7941e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 12 using 1:2 with points pt 5 ps size lc rgb '#0072B2' notitle, \
      data index 13 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 13 using 1:($3 > 8.7941e-06 ? $3 : 8.7941e-06):(0):($4 - ($3 > 8.7941e-06 ? $3 : 8.7941e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 13 using 1:2 with points pt 4 ps size lc rgb '#0072B2' notitle, \
      data index 14 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 14 using 1:($3 > 8.7941e-06 ? $3 : 8.7941e-06):(0):($4 - ($3 > 8.7941e-06 ? $3 : 8.7941e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 14 using 1:2 with points pt 5 ps size lc rgb '#000000' notitle, \
      data index 15 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 15 using 1:($3 > 8.7941e-06 ? $3 : 8.7941e-06):(0):($4 - ($3 > 8.7941e-06 ? $3 : 8.7941e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 15 using 1:2 with points pt 6 ps size lc rgb '#000000' notitle, \
      data index 16 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 16 using 1:($3 > 8.7941e-06 ? $3 : 8.7941e-06):(0):($4 - ($3 > 8.7941e-06 ? $3 : 8.7941e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 16 using 1:2 with points pt 4 ps size lc rgb '#000000' notitle, \
      data index 17 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 17 using 1:($3 > 8.7941e-06 ? $3 : 8.7941e-06):(0):($4 - ($3 > 8.7941e-06 ? $3 : 8.7941e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 17 using 1:2 with points pt 9 ps size lc rgb '#000000' notitle, \
      data index 18 using 1:2 with lines lw 1.2 lc rgb '#009E73' notitle, \
      data index 18 using 1:($3 > 8.7941e-06 ? $3 : 8.7941e-06):(0):($4 - ($3 > 8.7941e-06 ? $3 : 8.7941e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#009E73' notitle, \
      data index 18 using 1:2 with points pt 8 ps size lc rgb '#009E73' notitle, \
      data index 19 using 1:2:3:4 with labels center font ',13' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
