# KL divergence from the bf16 cache against measured bits of the coded values (in-forward)
# Redraw in this folder: gnuplot kld_inforward_all.gp
data = 'kld_inforward_all.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1800,3002 enhanced font 'Arial,19' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 3600,6005 enhanced font 'DejaVu Sans,19' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'kld_inforward_all.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold KL divergence from the bf16 cache against measured bits of the coded values (in-forward)}' at screen 0.5,0.99267 center font ',22'
  set label 2 'passages; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn; profiles not counted' at screen 0.5,0.98401 center font ',17' tc rgb '#444444' noenhanced
  set xrange [2:6.5]
  set yrange [0.000313285:0.410565]
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
  set arrow from screen 0.03159,0.97469 to screen 0.04714,0.97469 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.03937,0.97469 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:rule=published (q)' at screen 0.05048,0.97469 left noenhanced
  set arrow from screen 0.20013,0.97469 to screen 0.21569,0.97469 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.20791,0.97469 point pt 14 ps size lc rgb '#CC0000'
  set label 'klt:profile=0159d435978c32aa (bits)' at screen 0.21902,0.97469 left noenhanced
  set arrow from screen 0.46030,0.97469 to screen 0.47586,0.97469 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.46808,0.97469 point pt 7 ps size lc rgb '#CC0000'
  set label 'klt:profile=10b7969715368408 (bits)' at screen 0.47919,0.97469 left noenhanced
  set arrow from screen 0.72047,0.97469 to screen 0.73602,0.97469 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.72824,0.97469 point pt 6 ps size lc rgb '#CC0000'
  set label 'klt:profile=142e52337098c86b (bits)' at screen 0.73936,0.97469 left noenhanced
  set arrow from screen 0.11586,0.96393 to screen 0.13142,0.96393 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.12364,0.96393 point pt 5 ps size lc rgb '#CC0000'
  set label 'klt:profile=26f0e89f7734ace9 (bits)' at screen 0.13475,0.96393 left noenhanced
  set arrow from screen 0.37603,0.96393 to screen 0.39158,0.96393 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.38381,0.96393 point pt 4 ps size lc rgb '#CC0000'
  set label 'klt:profile=3259ea76a5b59f88 (bits)' at screen 0.39492,0.96393 left noenhanced
  set arrow from screen 0.63619,0.96393 to screen 0.65175,0.96393 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.64397,0.96393 point pt 9 ps size lc rgb '#CC0000'
  set label 'klt:profile=341f97ee2cdb0fc9 (bits)' at screen 0.65508,0.96393 left noenhanced
  set arrow from screen 0.11586,0.95317 to screen 0.13142,0.95317 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.12364,0.95317 point pt 8 ps size lc rgb '#CC0000'
  set label 'klt:profile=47bbe9683bec126d (bits)' at screen 0.13475,0.95317 left noenhanced
  set arrow from screen 0.37603,0.95317 to screen 0.39158,0.95317 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.38381,0.95317 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:profile=5523eff989e07420 (bits)' at screen 0.39492,0.95317 left noenhanced
  set arrow from screen 0.63619,0.95317 to screen 0.65175,0.95317 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.64397,0.95317 point pt 13 ps size lc rgb '#CC0000'
  set label 'klt:profile=abc4a460fa98d465 (bits)' at screen 0.65508,0.95317 left noenhanced
  set arrow from screen 0.02585,0.94241 to screen 0.04141,0.94241 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.03363,0.94241 point pt 12 ps size lc rgb '#CC0000'
  set label 'klt:profile=cfb72b9a580a82d6 (bits)' at screen 0.04474,0.94241 left noenhanced
  set arrow from screen 0.28602,0.94241 to screen 0.30157,0.94241 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.29379,0.94241 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:profile=f7fb2efefc71a410 (bits)' at screen 0.30491,0.94241 left noenhanced
  set arrow from screen 0.54618,0.94241 to screen 0.56174,0.94241 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.55396,0.94241 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:profile=ff6cb1d433bc73a2 (bits)' at screen 0.56507,0.94241 left noenhanced
  set arrow from screen 0.80635,0.94241 to screen 0.82191,0.94241 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.81413,0.94241 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'kivi (b)' at screen 0.82524,0.94241 left noenhanced
  set arrow from screen 0.88982,0.94241 to screen 0.90537,0.94241 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.89759,0.94241 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt (bits)' at screen 0.90871,0.94241 left noenhanced
  set arrow from screen 0.08722,0.93165 to screen 0.10277,0.93165 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.09499,0.93165 point pt 15 ps size lc rgb '#66A61E'
  set label 'q4_0' at screen 0.10611,0.93165 left noenhanced
  set arrow from screen 0.14451,0.93165 to screen 0.16006,0.93165 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.15228,0.93165 point pt 15 ps size lc rgb '#CC0000'
  set label 'klt:profile=1eb4051349244857 (bits)' at screen 0.16339,0.93165 left noenhanced
  set arrow from screen 0.40467,0.93165 to screen 0.42023,0.93165 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.41245,0.93165 point pt 14 ps size lc rgb '#CC0000'
  set label 'klt:profile=2717ebc0f46a963d (bits)' at screen 0.42356,0.93165 left noenhanced
  set arrow from screen 0.66484,0.93165 to screen 0.68039,0.93165 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.67262,0.93165 point pt 7 ps size lc rgb '#CC0000'
  set label 'klt:profile=45561acf1855f175 (bits)' at screen 0.68373,0.93165 left noenhanced
  set arrow from screen 0.11586,0.92090 to screen 0.13142,0.92090 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.12364,0.92090 point pt 6 ps size lc rgb '#CC0000'
  set label 'klt:profile=5897a80479b3e93e (bits)' at screen 0.13475,0.92090 left noenhanced
  set arrow from screen 0.37603,0.92090 to screen 0.39158,0.92090 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.38381,0.92090 point pt 5 ps size lc rgb '#CC0000'
  set label 'klt:profile=62b63db5456c8cda (bits)' at screen 0.39492,0.92090 left noenhanced
  set arrow from screen 0.63619,0.92090 to screen 0.65175,0.92090 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.64397,0.92090 point pt 4 ps size lc rgb '#CC0000'
  set label 'klt:profile=64c1cebc892162ac (bits)' at screen 0.65508,0.92090 left noenhanced
  set arrow from screen 0.11586,0.91014 to screen 0.13142,0.91014 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.12364,0.91014 point pt 15 ps size lc rgb '#CC0000'
  set label 'klt:profile=6f96202bdcd966c6 (bits)' at screen 0.13475,0.91014 left noenhanced
  set arrow from screen 0.37603,0.91014 to screen 0.39158,0.91014 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.38381,0.91014 point pt 9 ps size lc rgb '#CC0000'
  set label 'klt:profile=7ba18dcca2afe858 (bits)' at screen 0.39492,0.91014 left noenhanced
  set arrow from screen 0.63619,0.91014 to screen 0.65175,0.91014 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.64397,0.91014 point pt 8 ps size lc rgb '#CC0000'
  set label 'klt:profile=8fee10805500bfd7 (bits)' at screen 0.65508,0.91014 left noenhanced
  set arrow from screen 0.06104,0.89938 to screen 0.07659,0.89938 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.06882,0.89938 point pt 13 ps size lc rgb '#CC0000'
  set label 'klt:profile=91dab45bc6013f98 (bits)' at screen 0.07993,0.89938 left noenhanced
  set arrow from screen 0.32121,0.89938 to screen 0.33676,0.89938 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.32898,0.89938 point pt 12 ps size lc rgb '#CC0000'
  set label 'klt:profile=c5d73943749ac50f (bits)' at screen 0.34009,0.89938 left noenhanced
  set arrow from screen 0.58137,0.89938 to screen 0.59693,0.89938 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.58915,0.89938 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:profile=df9370ecf7cf1846 (bits)' at screen 0.60026,0.89938 left noenhanced
  set arrow from screen 0.84154,0.89938 to screen 0.85709,0.89938 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front' at screen 0.86043,0.89938 left noenhanced
  set arrow from screen 0.39239,0.88862 to screen 0.40794,0.88862 nohead lw 1.5 dt 2 lc rgb '#555555'
  set label 'nothing coded: bf16 arithmetic' at screen 0.41128,0.88862 left noenhanced
  set xlabel 'measured bits per value of the coded values' noenhanced
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.87130; set bmargin at screen 0.74007
  set title 'gemma-3-270m-q4_k_m (gemma3-270m-calibration), 8 passages' noenhanced offset 0,-0.6 font ',13'
  set label 999 'mean KL divergence, nats' at screen 0.00844,0.80569 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 2 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 2 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 3 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 3 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 4 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 4 using 1:2 with points pt 6 ps size lc rgb '#CC0000' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 5 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 5 using 1:2 with points pt 5 ps size lc rgb '#CC0000' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 6 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 6 using 1:2 with points pt 4 ps size lc rgb '#CC0000' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 7 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 7 using 1:2 with points pt 9 ps size lc rgb '#CC0000' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 8 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 8 using 1:2 with points pt 8 ps size lc rgb '#CC0000' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 9 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 9 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 10 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 10 using 1:2 with points pt 13 ps size lc rgb '#CC0000' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 11 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 11 using 1:2 with points pt 12 ps size lc rgb '#CC0000' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 12 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 12 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 13 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 13 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 13 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 14 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.87130; set bmargin at screen 0.74007
  set title 'gemma-3-270m-q4_k_m (gemma3-270m-context-1024), 8 passages' noenhanced offset 0,-0.6 font ',13'
  unset label
  unset arrow
  set label 999 'mean KL divergence, nats' at screen 0.34178,0.80569 center rotate noenhanced
  plot data index 15 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 16 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 16 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 16 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 17 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 17 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 17 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 18 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 18 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 18 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 19 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 19 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 19 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 20 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.72644; set rmargin at screen 0.98889
  set tmargin at screen 0.87130; set bmargin at screen 0.74007
  set title 'gemma-3-270m-q4_k_m (gemma3-270m-context-4096), 8 passages' noenhanced offset 0,-0.6 font ',13'
  set label 999 'mean KL divergence, nats' at screen 0.67511,0.80569 center rotate noenhanced
  plot data index 21 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 22 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 22 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 22 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 23 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 23 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 23 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 24 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 24 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 24 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 25 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 25 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 25 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 26 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.69478; set bmargin at screen 0.56355
  set title 'gemma-3-270m-q4_k_m (gemma3-270m-context-512), 8 passages' noenhanced offset 0,-0.6 font ',13'
  set label 999 'mean KL divergence, nats' at screen 0.00844,0.62916 center rotate noenhanced
  plot data index 27 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 28 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 29 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 29 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 29 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 30 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 30 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 30 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 31 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 31 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 31 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 32 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 32 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 32 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 33 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.69478; set bmargin at screen 0.56355
  set title 'gemma-3-270m-q4_k_m (gemma3-270m-context-8192), 5 passages' noenhanced offset 0,-0.6 font ',13'
  set label 999 'mean KL divergence, nats' at screen 0.34178,0.62916 center rotate noenhanced
  plot data index 34 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 35 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 36 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 36 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 36 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 37 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 37 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 37 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 38 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 38 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 38 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 39 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 39 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 39 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 40 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.72644; set rmargin at screen 0.98889
  set tmargin at screen 0.69478; set bmargin at screen 0.56355
  set title 'gemma-3-270m-q4_k_m (gemma3-270m-post-rope), 8 passages' noenhanced offset 0,-0.6 font ',13'
  set label 999 'mean KL divergence, nats' at screen 0.67511,0.62916 center rotate noenhanced
  plot data index 41 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 42 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 42 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 42 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 43 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 43 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 43 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 44 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 44 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 44 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 45 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 45 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 45 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 46 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.51825; set bmargin at screen 0.38702
  set title 'gemma-3-270m-q4_k_m (gemma3-270m-pre-rope), 8 passages' noenhanced offset 0,-0.6 font ',14'
  set label 999 'mean KL divergence, nats' at screen 0.00844,0.45264 center rotate noenhanced
  plot data index 47 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 48 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 48 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 48 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 49 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 49 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 49 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 50 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 50 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 50 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 51 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 51 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 51 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 52 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.51825; set bmargin at screen 0.38702
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m-calibration), 12 passages' noenhanced offset 0,-0.6 font ',11'
  set label 999 'mean KL divergence, nats' at screen 0.34178,0.45264 center rotate noenhanced
  plot data index 53 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 54 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 55 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 55 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 55 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 56 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 56 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 56 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 57 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 57 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 57 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 58 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 58 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 58 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 59 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 59 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 59 using 1:2 with points pt 6 ps size lc rgb '#CC0000' notitle, \
      data index 60 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 60 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 60 using 1:2 with points pt 5 ps size lc rgb '#CC0000' notitle, \
      data index 61 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 61 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 61 using 1:2 with points pt 4 ps size lc rgb '#CC0000' notitle, \
      data index 62 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 62 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 62 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 63 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 63 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 63 using 1:2 with points pt 9 ps size lc rgb '#CC0000' notitle, \
      data index 64 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 64 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 64 using 1:2 with points pt 8 ps size lc rgb '#CC0000' notitle, \
      data index 65 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 65 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 65 using 1:2 with points pt 13 ps size lc rgb '#CC0000' notitle, \
      data index 66 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 66 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 66 using 1:2 with points pt 12 ps size lc rgb '#CC0000' notitle, \
      data index 67 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 67 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 67 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 68 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.72644; set rmargin at screen 0.98889
  set tmargin at screen 0.51825; set bmargin at screen 0.38702
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m-context-1024), 8 passages' noenhanced offset 0,-0.6 font ',11'
  set label 999 'mean KL divergence, nats' at screen 0.67511,0.45264 center rotate noenhanced
  plot data index 69 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 70 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 71 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 71 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 71 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 72 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 72 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 72 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 73 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 73 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 73 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 74 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 74 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 74 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 75 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.34173; set bmargin at screen 0.21050
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m-context-4096), 8 passages' noenhanced offset 0,-0.6 font ',11'
  set label 999 'mean KL divergence, nats' at screen 0.00844,0.27611 center rotate noenhanced
  plot data index 76 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 77 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 78 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 78 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 78 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 79 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 79 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 79 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 80 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 80 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 80 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 81 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 81 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 81 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 82 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.34173; set bmargin at screen 0.21050
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m-context-512), 8 passages' noenhanced offset 0,-0.6 font ',11'
  set label 999 'mean KL divergence, nats' at screen 0.34178,0.27611 center rotate noenhanced
  plot data index 83 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 84 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 85 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 85 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 85 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 86 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 86 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 86 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 87 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 87 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 87 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 88 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 88 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 88 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 89 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.72644; set rmargin at screen 0.98889
  set tmargin at screen 0.34173; set bmargin at screen 0.21050
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m-context-8128), 8 passages' noenhanced offset 0,-0.6 font ',11'
  set label 999 'mean KL divergence, nats' at screen 0.67511,0.27611 center rotate noenhanced
  plot data index 90 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 91 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 92 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 92 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 92 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 93 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 93 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 93 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 94 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 94 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 94 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 95 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 95 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 95 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 96 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.16520; set bmargin at screen 0.03397
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m-post-rope), 12 passages' noenhanced offset 0,-0.6 font ',11'
  set label 999 'mean KL divergence, nats' at screen 0.00844,0.09959 center rotate noenhanced
  plot data index 97 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 98 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 99 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 99 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 99 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 100 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 100 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 100 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 101 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 101 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 101 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 102 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 102 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 102 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 103 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.16520; set bmargin at screen 0.03397
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m-pre-rope), 12 passages' noenhanced offset 0,-0.6 font ',12'
  set label 999 'mean KL divergence, nats' at screen 0.34178,0.09959 center rotate noenhanced
  plot data index 104 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 105 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 106 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 106 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 106 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 107 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 107 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 107 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 108 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 108 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 108 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 109 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 109 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 109 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 110 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
