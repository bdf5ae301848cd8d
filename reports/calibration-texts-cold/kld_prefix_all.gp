# KL divergence from the bf16 cache against measured bits of the whole cache (prefix)
# Redraw in this folder: gnuplot kld_prefix_all.gp
data = 'kld_prefix_all.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1800,2569 enhanced font 'Arial,19' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 3600,5139 enhanced font 'DejaVu Sans,19' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'kld_prefix_all.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold KL divergence from the bf16 cache against measured bits of the whole cache (prefix)}' at screen 0.5,0.99144 center font ',22'
  set label 2 '8 passages of 2048 + 64 scored tokens; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn; profiles not counted' at screen 0.5,0.98132 center font ',17' tc rgb '#444444' noenhanced
  set xrange [0:9]
  set yrange [6.76946e-06:1.16317]
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
  set arrow from screen 0.07740,0.97042 to screen 0.09296,0.97042 nohead lw 1.2 dt 1 lc rgb '#AA3377'
  set label '' at screen 0.08518,0.97042 point pt 13 ps size lc rgb '#AA3377'
  set label 'fp8' at screen 0.09629,0.97042 left noenhanced
  set arrow from screen 0.12814,0.97042 to screen 0.14370,0.97042 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.13592,0.97042 point pt 15 ps size lc rgb '#66A61E'
  set label 'K iq4_nl:rotate=256, V iq4_nl:rotate=64' at screen 0.14703,0.97042 left noenhanced
  set arrow from screen 0.41449,0.97042 to screen 0.43004,0.97042 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.42227,0.97042 point pt 11 ps size lc rgb '#7570B3'
  set label 'K q4_0:rotate=256, V q4_0:rotate=64' at screen 0.43338,0.97042 left noenhanced
  set arrow from screen 0.67466,0.97042 to screen 0.69021,0.97042 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.68243,0.97042 point pt 15 ps size lc rgb '#CC79A7'
  set label 'K q4_1:rotate=256, V q4_1:rotate=64' at screen 0.69354,0.97042 left noenhanced
  set arrow from screen 0.04795,0.95785 to screen 0.06351,0.95785 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.05573,0.95785 point pt 11 ps size lc rgb '#777777'
  set label 'K q5_0:rotate=256, V q5_0:rotate=64' at screen 0.06684,0.95785 left noenhanced
  set arrow from screen 0.30812,0.95785 to screen 0.32367,0.95785 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.31589,0.95785 point pt 15 ps size lc rgb '#8C6D1F'
  set label 'K q5_1:rotate=256, V q5_1:rotate=64' at screen 0.32701,0.95785 left noenhanced
  set arrow from screen 0.56828,0.95785 to screen 0.58384,0.95785 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.57606,0.95785 point pt 11 ps size lc rgb '#66A61E'
  set label 'K q8_0:rotate=256, V q8_0:rotate=64' at screen 0.58717,0.95785 left noenhanced
  set arrow from screen 0.82845,0.95785 to screen 0.84401,0.95785 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.83623,0.95785 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:pack=rans (q)' at screen 0.84734,0.95785 left noenhanced
  set arrow from screen 0.02993,0.94528 to screen 0.04548,0.94528 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.03771,0.94528 point pt 6 ps size lc rgb '#0072B2'
  set label 'e8:rule=published (q)' at screen 0.04882,0.94528 left noenhanced
  set arrow from screen 0.19847,0.94528 to screen 0.21403,0.94528 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.20625,0.94528 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:center=mean (bits)' at screen 0.21736,0.94528 left noenhanced
  set arrow from screen 0.38011,0.94528 to screen 0.39566,0.94528 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.38788,0.94528 point pt 15 ps size lc rgb '#7570B3'
  set label 'int4' at screen 0.39899,0.94528 left noenhanced
  set arrow from screen 0.43739,0.94528 to screen 0.45295,0.94528 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.44517,0.94528 point pt 11 ps size lc rgb '#CC79A7'
  set label 'int8' at screen 0.45628,0.94528 left noenhanced
  set arrow from screen 0.49468,0.94528 to screen 0.51024,0.94528 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.50246,0.94528 point pt 15 ps size lc rgb '#777777'
  set label 'kivi (b)' at screen 0.51357,0.94528 left noenhanced
  set arrow from screen 0.57815,0.94528 to screen 0.59371,0.94528 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.58593,0.94528 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=4ae200ce6abf0a11 (bits)' at screen 0.59704,0.94528 left noenhanced
  set arrow from screen 0.10197,0.93271 to screen 0.11752,0.93271 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.10974,0.93271 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=8ea584e895ecd158 (bits)' at screen 0.12086,0.93271 left noenhanced
  set arrow from screen 0.50611,0.93271 to screen 0.52167,0.93271 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.51389,0.93271 point pt 15 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=9f87da0165e39752 (bits)' at screen 0.52500,0.93271 left noenhanced
  set arrow from screen 0.03320,0.92013 to screen 0.04876,0.92013 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.04098,0.92013 point pt 14 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=c2ae20bdc57cf421 (bits)' at screen 0.05209,0.92013 left noenhanced
  set arrow from screen 0.43734,0.92013 to screen 0.45290,0.92013 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.44512,0.92013 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'kvtc:page=1024 (bits)' at screen 0.45623,0.92013 left noenhanced
  set arrow from screen 0.60589,0.92013 to screen 0.62144,0.92013 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.61367,0.92013 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'mxfp4' at screen 0.62478,0.92013 left noenhanced
  set arrow from screen 0.66972,0.92013 to screen 0.68528,0.92013 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.67750,0.92013 point pt 15 ps size lc rgb '#66A61E'
  set label 'nvfp4' at screen 0.68861,0.92013 left noenhanced
  set arrow from screen 0.73356,0.92013 to screen 0.74911,0.92013 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.74133,0.92013 point pt 10 ps size lc rgb '#7570B3'
  set label 'q4_0:rotate=64' at screen 0.75244,0.92013 left noenhanced
  set arrow from screen 0.85629,0.92013 to screen 0.87184,0.92013 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.86407,0.92013 point pt 10 ps size lc rgb '#777777'
  set label 'q5_0:rotate=64' at screen 0.87518,0.92013 left noenhanced
  set arrow from screen 0.08722,0.90756 to screen 0.10277,0.90756 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.09499,0.90756 point pt 10 ps size lc rgb '#66A61E'
  set label 'q8_0:rotate=64' at screen 0.10611,0.90756 left noenhanced
  set arrow from screen 0.20995,0.90756 to screen 0.22551,0.90756 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.21773,0.90756 point pt 11 ps size lc rgb '#7570B3'
  set label 'turboquant (b)' at screen 0.22884,0.90756 left noenhanced
  set arrow from screen 0.33268,0.90756 to screen 0.34824,0.90756 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.34046,0.90756 point pt 10 ps size lc rgb '#7570B3'
  set label 'turboquant:mode=prod (b)' at screen 0.35157,0.90756 left noenhanced
  set arrow from screen 0.52086,0.90756 to screen 0.53642,0.90756 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.52864,0.90756 point pt 7 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=5dfca49cee1d4156 (bits)' at screen 0.53975,0.90756 left noenhanced
  set arrow from screen 0.03406,0.89499 to screen 0.04961,0.89499 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.04183,0.89499 point pt 6 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=bb3d41b38cd482d3 (bits)' at screen 0.05294,0.89499 left noenhanced
  set arrow from screen 0.43820,0.89499 to screen 0.45376,0.89499 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.44598,0.89499 point pt 5 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=5f4d38711194b8e5 (bits)' at screen 0.45709,0.89499 left noenhanced
  set arrow from screen 0.84234,0.89499 to screen 0.85790,0.89499 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.85012,0.89499 point pt 14 ps size lc rgb '#66A61E'
  set label 'iq4_nl:rotate=64' at screen 0.86123,0.89499 left noenhanced
  set arrow from screen 0.10197,0.88242 to screen 0.11752,0.88242 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.10974,0.88242 point pt 4 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=11c98dc8b74f0b12 (bits)' at screen 0.12086,0.88242 left noenhanced
  set arrow from screen 0.50611,0.88242 to screen 0.52167,0.88242 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.51389,0.88242 point pt 9 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=6bc2bdb4b073526a (bits)' at screen 0.52500,0.88242 left noenhanced
  set arrow from screen 0.04060,0.86985 to screen 0.05616,0.86985 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.04838,0.86985 point pt 8 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=bc7a71a91f227092 (bits)' at screen 0.05949,0.86985 left noenhanced
  set arrow from screen 0.44474,0.86985 to screen 0.46030,0.86985 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.45252,0.86985 point pt 13 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=c3767853ceaf4eac (bits)' at screen 0.46363,0.86985 left noenhanced
  set arrow from screen 0.84889,0.86985 to screen 0.86444,0.86985 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.85667,0.86985 point pt 14 ps size lc rgb '#CC79A7'
  set label 'q4_1:rotate=64' at screen 0.86778,0.86985 left noenhanced
  set arrow from screen 0.04060,0.85728 to screen 0.05616,0.85728 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.04838,0.85728 point pt 14 ps size lc rgb '#8C6D1F'
  set label 'q5_1:rotate=64' at screen 0.05949,0.85728 left noenhanced
  set arrow from screen 0.16333,0.85728 to screen 0.17889,0.85728 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.17111,0.85728 point pt 12 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=0b5549fe69112a57 (bits)' at screen 0.18222,0.85728 left noenhanced
  set arrow from screen 0.56748,0.85728 to screen 0.58303,0.85728 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.57526,0.85728 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=2b44afc33b348bd7 (bits)' at screen 0.58637,0.85728 left noenhanced
  set arrow from screen 0.13549,0.84470 to screen 0.15105,0.84470 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.14327,0.84470 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=d0bed22c760a35e1 (bits)' at screen 0.15438,0.84470 left noenhanced
  set arrow from screen 0.53964,0.84470 to screen 0.55519,0.84470 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front' at screen 0.55853,0.84470 left noenhanced
  set arrow from screen 0.64928,0.84470 to screen 0.66484,0.84470 nohead lw 1.5 dt 2 lc rgb '#555555'
  set label 'nothing coded: bf16 arithmetic' at screen 0.66817,0.84470 left noenhanced
  set arrow from screen 0.35967,0.83213 to screen 0.37522,0.83213 nohead lw 1.5 dt 3 lc rgb '#555555'
  set label 'nothing coded: another attention (fused)' at screen 0.37856,0.83213 left noenhanced
  set xlabel 'measured bits per value of the whole cache' noenhanced
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.81189; set bmargin at screen 0.65855
  set title 'gemma-3-270m-q4_k_m (gemma3-270m.manpages-de)' noenhanced offset 0,-0.6 font ',16'
  set label 999 'mean KL divergence, nats' at screen 0.00844,0.73522 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 2 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 2 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 3 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 3 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 4 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 4 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 5 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 5 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 6 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 6 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 7 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 7 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 8 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 8 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 9 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 9 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 10 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 10 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 11 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 11 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 12 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 12 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 13 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 13 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 13 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 14 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 14 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 14 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 15 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 15 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 15 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 16 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 16 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 16 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 17 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 17 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 17 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 18 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 18 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 18 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 19 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 19 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 19 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 20 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 20 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 20 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 21 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 21 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 21 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 22 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 22 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 22 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 23 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 23 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 23 using 1:2 with points pt 10 ps size lc rgb '#777777' notitle, \
      data index 24 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 24 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 24 using 1:2 with points pt 10 ps size lc rgb '#66A61E' notitle, \
      data index 25 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 25 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 25 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 26 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 26 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 26 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 27 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.81189; set bmargin at screen 0.65855
  set title 'gemma-3-270m-q4_k_m (gemma3-270m.manpages-fr)' noenhanced offset 0,-0.6 font ',16'
  unset label
  unset arrow
  set label 999 'mean KL divergence, nats' at screen 0.34178,0.73522 center rotate noenhanced
  plot data index 28 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 29 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 30 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 30 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 30 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 31 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 31 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 31 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 32 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 32 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 32 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 33 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 33 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 33 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 34 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 34 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 34 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 35 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 35 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 35 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 36 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 36 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 36 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 37 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 37 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 37 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 38 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 38 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 38 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 39 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 39 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 39 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 40 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 40 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 40 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 41 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 41 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 41 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 42 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 42 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 42 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 43 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 43 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 43 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 44 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 44 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 44 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 45 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 45 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 45 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 46 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 46 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 46 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 47 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 47 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 47 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 48 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 48 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 48 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 49 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 49 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 49 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 50 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 50 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 50 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 51 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 51 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 51 using 1:2 with points pt 10 ps size lc rgb '#777777' notitle, \
      data index 52 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 52 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 52 using 1:2 with points pt 10 ps size lc rgb '#66A61E' notitle, \
      data index 53 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 53 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 53 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 54 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 54 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 54 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 55 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.72644; set rmargin at screen 0.98889
  set tmargin at screen 0.81189; set bmargin at screen 0.65855
  set title 'gemma-3-270m-q4_k_m (gemma3-270m.manpages-zh)' noenhanced offset 0,-0.6 font ',16'
  set label 999 'mean KL divergence, nats' at screen 0.67511,0.73522 center rotate noenhanced
  plot data index 56 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 57 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 58 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 58 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 58 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 59 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 59 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 59 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 60 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 60 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 60 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 61 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 61 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 61 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 62 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 62 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 62 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 63 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 63 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 63 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 64 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 64 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 64 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 65 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 65 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 65 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 66 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 66 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 66 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 67 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 67 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 67 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 68 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 68 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 68 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 69 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 69 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 69 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 70 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 70 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 70 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 71 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 71 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 71 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 72 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 72 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 72 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 73 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 73 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 73 using 1:2 with points pt 6 ps size lc rgb '#CC0000' notitle, \
      data index 74 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 74 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 74 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 75 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 75 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 75 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 76 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 76 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 76 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 77 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 77 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 77 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 78 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 78 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 78 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 79 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 79 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 79 using 1:2 with points pt 10 ps size lc rgb '#777777' notitle, \
      data index 80 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 80 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 80 using 1:2 with points pt 10 ps size lc rgb '#66A61E' notitle, \
      data index 81 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 81 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 81 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 82 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 82 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 82 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 83 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.60561; set bmargin at screen 0.45226
  set title 'gemma-3-270m-q4_k_m (gemma3-270m.python-code)' noenhanced offset 0,-0.6 font ',16'
  set label 999 'mean KL divergence, nats' at screen 0.00844,0.52894 center rotate noenhanced
  plot data index 84 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 85 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 86 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 86 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 86 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 87 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 87 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 87 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 88 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 88 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 88 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 89 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 89 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 89 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 90 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 90 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 90 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 91 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 91 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 91 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 92 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 92 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 92 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 93 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 93 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 93 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 94 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 94 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 94 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 95 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 95 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 95 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 96 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 96 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 96 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 97 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 97 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 97 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 98 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 98 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 98 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 99 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 99 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 99 using 1:2 with points pt 5 ps size lc rgb '#CC0000' notitle, \
      data index 100 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 100 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 100 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 101 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 101 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 101 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 102 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 102 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 102 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 103 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 103 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 103 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 104 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 104 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 104 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 105 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 105 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 105 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 106 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 106 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 106 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 107 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 107 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 107 using 1:2 with points pt 10 ps size lc rgb '#777777' notitle, \
      data index 108 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 108 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 108 using 1:2 with points pt 10 ps size lc rgb '#66A61E' notitle, \
      data index 109 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 109 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 109 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 110 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 110 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 110 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 111 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.60561; set bmargin at screen 0.45226
  set title 'gemma-3-270m-q4_k_m (gemma3-270m.wiki.test)' noenhanced offset 0,-0.6 font ',17'
  set label 999 'mean KL divergence, nats' at screen 0.34178,0.52894 center rotate noenhanced
  plot data index 112 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 113 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 114 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 114 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 114 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 115 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 115 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 115 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 116 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 116 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 116 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 117 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 117 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 117 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 118 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 118 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 118 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 119 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 119 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 119 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 120 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 120 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 120 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 121 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 121 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 121 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 122 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 122 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 122 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 123 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 123 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 123 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 124 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 124 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 124 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 125 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 125 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 125 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 126 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 126 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 126 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 127 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 127 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 127 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 128 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 128 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 128 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 129 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 129 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 129 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 130 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 130 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 130 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 131 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 131 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 131 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 132 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 132 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 132 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 133 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 133 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 133 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 134 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 134 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 134 using 1:2 with points pt 10 ps size lc rgb '#777777' notitle, \
      data index 135 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 135 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 135 using 1:2 with points pt 10 ps size lc rgb '#66A61E' notitle, \
      data index 136 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 136 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 136 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 137 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 137 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 137 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 138 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.72644; set rmargin at screen 0.98889
  set tmargin at screen 0.60561; set bmargin at screen 0.45226
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m.manpages-de)' noenhanced offset 0,-0.6 font ',14'
  set label 999 'mean KL divergence, nats' at screen 0.67511,0.52894 center rotate noenhanced
  plot data index 139 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 140 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 141 using 1:2 with lines lw 1.5 dt 3 lc rgb '#555555' notitle, \
      data index 142 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 142 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 142 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 143 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 143 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 143 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 144 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 144 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 144 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 145 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 145 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 145 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 146 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 146 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 146 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 147 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 147 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 147 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 148 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 148 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 148 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 149 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 149 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 149 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 150 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 150 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 150 using 1:2 with points pt 4 ps size lc rgb '#CC0000' notitle, \
      data index 151 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 151 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 151 using 1:2 with points pt 9 ps size lc rgb '#CC0000' notitle, \
      data index 152 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 152 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 152 using 1:2 with points pt 8 ps size lc rgb '#CC0000' notitle, \
      data index 153 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 153 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 153 using 1:2 with points pt 13 ps size lc rgb '#CC0000' notitle, \
      data index 154 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 154 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 154 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 155 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 155 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 155 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 156 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 156 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 156 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 157 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 157 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 157 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 158 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 158 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 158 using 1:2 with points pt 14 ps size lc rgb '#CC79A7' notitle, \
      data index 159 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 159 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 159 using 1:2 with points pt 10 ps size lc rgb '#777777' notitle, \
      data index 160 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 160 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 160 using 1:2 with points pt 14 ps size lc rgb '#8C6D1F' notitle, \
      data index 161 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 161 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 161 using 1:2 with points pt 10 ps size lc rgb '#66A61E' notitle, \
      data index 162 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 162 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 162 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 163 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 163 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 163 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 164 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.39933; set bmargin at screen 0.24598
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m.manpages-fr)' noenhanced offset 0,-0.6 font ',14'
  set label 999 'mean KL divergence, nats' at screen 0.00844,0.32266 center rotate noenhanced
  plot data index 165 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 166 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 167 using 1:2 with lines lw 1.5 dt 3 lc rgb '#555555' notitle, \
      data index 168 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 168 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 168 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 169 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 169 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 169 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 170 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 170 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 170 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 171 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 171 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 171 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 172 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 172 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 172 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 173 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 173 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 173 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 174 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 174 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 174 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 175 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 175 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 175 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 176 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 176 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 176 using 1:2 with points pt 12 ps size lc rgb '#CC0000' notitle, \
      data index 177 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 177 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 177 using 1:2 with points pt 9 ps size lc rgb '#CC0000' notitle, \
      data index 178 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 178 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 178 using 1:2 with points pt 8 ps size lc rgb '#CC0000' notitle, \
      data index 179 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 179 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 179 using 1:2 with points pt 13 ps size lc rgb '#CC0000' notitle, \
      data index 180 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 180 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 180 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 181 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 181 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 181 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 182 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 182 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 182 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 183 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 183 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 183 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 184 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 184 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 184 using 1:2 with points pt 14 ps size lc rgb '#CC79A7' notitle, \
      data index 185 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 185 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 185 using 1:2 with points pt 10 ps size lc rgb '#777777' notitle, \
      data index 186 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 186 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 186 using 1:2 with points pt 14 ps size lc rgb '#8C6D1F' notitle, \
      data index 187 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 187 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 187 using 1:2 with points pt 10 ps size lc rgb '#66A61E' notitle, \
      data index 188 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 188 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 188 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 189 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 189 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 189 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 190 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.39933; set bmargin at screen 0.24598
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m.manpages-zh)' noenhanced offset 0,-0.6 font ',14'
  set label 999 'mean KL divergence, nats' at screen 0.34178,0.32266 center rotate noenhanced
  plot data index 191 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 192 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 193 using 1:2 with lines lw 1.5 dt 3 lc rgb '#555555' notitle, \
      data index 194 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 194 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 194 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 195 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 195 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 195 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 196 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 196 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 196 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 197 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 197 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 197 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 198 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 198 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 198 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 199 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 199 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 199 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 200 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 200 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 200 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 201 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 201 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 201 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 202 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 202 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 202 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 203 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 203 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 203 using 1:2 with points pt 9 ps size lc rgb '#CC0000' notitle, \
      data index 204 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 204 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 204 using 1:2 with points pt 8 ps size lc rgb '#CC0000' notitle, \
      data index 205 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 205 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 205 using 1:2 with points pt 13 ps size lc rgb '#CC0000' notitle, \
      data index 206 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 206 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 206 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 207 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 207 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 207 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 208 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 208 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 208 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 209 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 209 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 209 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 210 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 210 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 210 using 1:2 with points pt 14 ps size lc rgb '#CC79A7' notitle, \
      data index 211 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 211 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 211 using 1:2 with points pt 10 ps size lc rgb '#777777' notitle, \
      data index 212 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 212 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 212 using 1:2 with points pt 14 ps size lc rgb '#8C6D1F' notitle, \
      data index 213 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 213 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 213 using 1:2 with points pt 10 ps size lc rgb '#66A61E' notitle, \
      data index 214 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 214 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 214 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 215 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 215 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 215 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 216 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.72644; set rmargin at screen 0.98889
  set tmargin at screen 0.39933; set bmargin at screen 0.24598
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m.python-code)' noenhanced offset 0,-0.6 font ',14'
  set label 999 'mean KL divergence, nats' at screen 0.67511,0.32266 center rotate noenhanced
  plot data index 217 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 218 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 219 using 1:2 with lines lw 1.5 dt 3 lc rgb '#555555' notitle, \
      data index 220 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 220 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 220 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 221 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 221 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 221 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 222 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 222 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 222 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 223 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 223 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 223 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 224 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 224 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 224 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 225 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 225 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 225 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 226 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 226 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 226 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 227 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 227 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 227 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 228 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 228 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 228 using 1:2 with points pt 9 ps size lc rgb '#CC0000' notitle, \
      data index 229 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 229 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 229 using 1:2 with points pt 8 ps size lc rgb '#CC0000' notitle, \
      data index 230 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 230 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 230 using 1:2 with points pt 13 ps size lc rgb '#CC0000' notitle, \
      data index 231 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 231 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 231 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 232 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 232 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 232 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 233 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 233 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 233 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 234 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 234 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 234 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 235 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 235 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 235 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 236 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 236 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 236 using 1:2 with points pt 14 ps size lc rgb '#CC79A7' notitle, \
      data index 237 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 237 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 237 using 1:2 with points pt 10 ps size lc rgb '#777777' notitle, \
      data index 238 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 238 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 238 using 1:2 with points pt 14 ps size lc rgb '#8C6D1F' notitle, \
      data index 239 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 239 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 239 using 1:2 with points pt 10 ps size lc rgb '#66A61E' notitle, \
      data index 240 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 240 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 240 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 241 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 241 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 241 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 242 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.19305; set bmargin at screen 0.03970
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m.wiki.test)' noenhanced offset 0,-0.6 font ',14'
  set label 999 'mean KL divergence, nats' at screen 0.00844,0.11637 center rotate noenhanced
  plot data index 243 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 244 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 245 using 1:2 with lines lw 1.5 dt 3 lc rgb '#555555' notitle, \
      data index 246 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 246 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 246 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 247 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 247 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 247 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 248 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 248 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 248 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 249 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 249 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 249 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 250 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 250 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 250 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 251 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 251 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 251 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 252 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 252 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 252 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 253 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 253 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 253 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 254 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 254 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 254 using 1:2 with points pt 9 ps size lc rgb '#CC0000' notitle, \
      data index 255 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 255 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 255 using 1:2 with points pt 8 ps size lc rgb '#CC0000' notitle, \
      data index 256 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 256 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 256 using 1:2 with points pt 13 ps size lc rgb '#CC0000' notitle, \
      data index 257 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 257 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 257 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 258 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 258 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 258 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 259 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 259 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 259 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 260 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 260 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 260 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 261 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 261 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 261 using 1:2 with points pt 14 ps size lc rgb '#CC79A7' notitle, \
      data index 262 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 262 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 262 using 1:2 with points pt 10 ps size lc rgb '#777777' notitle, \
      data index 263 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 263 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 263 using 1:2 with points pt 14 ps size lc rgb '#8C6D1F' notitle, \
      data index 264 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 264 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 264 using 1:2 with points pt 10 ps size lc rgb '#66A61E' notitle, \
      data index 265 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 265 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 265 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 266 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 266 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 266 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 267 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
