# KL divergence from the bf16 cache against measured bits of the coded values (prefix)
# Redraw in this folder: gnuplot kld_prefix_all.gp
data = 'kld_prefix_all.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1800,2352 enhanced font 'Arial,19' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 3600,4705 enhanced font 'DejaVu Sans,19' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'kld_prefix_all.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold KL divergence from the bf16 cache against measured bits of the coded values (prefix)}' at screen 0.5,0.99065 center font ',22'
  set label 2 '8 passages of 2048 + 64 scored tokens; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn; profiles not counted' at screen 0.5,0.97960 center font ',17' tc rgb '#444444' noenhanced
  set xrange [0:9]
  set yrange [6.76946e-06:0.274373]
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
  set arrow from screen 0.03320,0.96769 to screen 0.04876,0.96769 nohead lw 1.2 dt 1 lc rgb '#AA3377'
  set label '' at screen 0.04098,0.96769 point pt 13 ps size lc rgb '#AA3377'
  set label 'fp8' at screen 0.05209,0.96769 left noenhanced
  set arrow from screen 0.08394,0.96769 to screen 0.09950,0.96769 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.09172,0.96769 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:rule=published (q)' at screen 0.10283,0.96769 left noenhanced
  set arrow from screen 0.25249,0.96769 to screen 0.26804,0.96769 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.26027,0.96769 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:center=mean (bits)' at screen 0.27138,0.96769 left noenhanced
  set arrow from screen 0.43412,0.96769 to screen 0.44968,0.96769 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.44190,0.96769 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'int4' at screen 0.45301,0.96769 left noenhanced
  set arrow from screen 0.49141,0.96769 to screen 0.50697,0.96769 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.49919,0.96769 point pt 15 ps size lc rgb '#66A61E'
  set label 'kivi (b)' at screen 0.51030,0.96769 left noenhanced
  set arrow from screen 0.57488,0.96769 to screen 0.59043,0.96769 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.58266,0.96769 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=4ae200ce6abf0a11 (bits)' at screen 0.59377,0.96769 left noenhanced
  set arrow from screen 0.10197,0.95396 to screen 0.11752,0.95396 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.10974,0.95396 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=8ea584e895ecd158 (bits)' at screen 0.12086,0.95396 left noenhanced
  set arrow from screen 0.50611,0.95396 to screen 0.52167,0.95396 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.51389,0.95396 point pt 15 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=9f87da0165e39752 (bits)' at screen 0.52500,0.95396 left noenhanced
  set arrow from screen 0.02666,0.94023 to screen 0.04221,0.94023 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.03443,0.94023 point pt 14 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=c2ae20bdc57cf421 (bits)' at screen 0.04554,0.94023 left noenhanced
  set arrow from screen 0.43080,0.94023 to screen 0.44636,0.94023 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.43858,0.94023 point pt 11 ps size lc rgb '#7570B3'
  set label 'nvfp4' at screen 0.44969,0.94023 left noenhanced
  set arrow from screen 0.49463,0.94023 to screen 0.51019,0.94023 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.50241,0.94023 point pt 15 ps size lc rgb '#CC79A7'
  set label 'q4_0:rotate=64' at screen 0.51352,0.94023 left noenhanced
  set arrow from screen 0.61737,0.94023 to screen 0.63292,0.94023 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.62514,0.94023 point pt 11 ps size lc rgb '#777777'
  set label 'q5_0:rotate=64' at screen 0.63626,0.94023 left noenhanced
  set arrow from screen 0.74010,0.94023 to screen 0.75566,0.94023 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.74788,0.94023 point pt 15 ps size lc rgb '#8C6D1F'
  set label 'q8_0:rotate=64' at screen 0.75899,0.94023 left noenhanced
  set arrow from screen 0.86283,0.94023 to screen 0.87839,0.94023 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.87061,0.94023 point pt 11 ps size lc rgb '#66A61E'
  set label 'turboquant (b)' at screen 0.88172,0.94023 left noenhanced
  set arrow from screen 0.10197,0.92650 to screen 0.11752,0.92650 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.10974,0.92650 point pt 7 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=5dfca49cee1d4156 (bits)' at screen 0.12086,0.92650 left noenhanced
  set arrow from screen 0.50611,0.92650 to screen 0.52167,0.92650 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.51389,0.92650 point pt 6 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=bb3d41b38cd482d3 (bits)' at screen 0.52500,0.92650 left noenhanced
  set arrow from screen 0.10197,0.91277 to screen 0.11752,0.91277 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.10974,0.91277 point pt 5 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=5f4d38711194b8e5 (bits)' at screen 0.12086,0.91277 left noenhanced
  set arrow from screen 0.50611,0.91277 to screen 0.52167,0.91277 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.51389,0.91277 point pt 4 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=11c98dc8b74f0b12 (bits)' at screen 0.52500,0.91277 left noenhanced
  set arrow from screen 0.10197,0.89904 to screen 0.11752,0.89904 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.10974,0.89904 point pt 9 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=6bc2bdb4b073526a (bits)' at screen 0.12086,0.89904 left noenhanced
  set arrow from screen 0.50611,0.89904 to screen 0.52167,0.89904 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.51389,0.89904 point pt 8 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=bc7a71a91f227092 (bits)' at screen 0.52500,0.89904 left noenhanced
  set arrow from screen 0.10197,0.88531 to screen 0.11752,0.88531 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.10974,0.88531 point pt 13 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=c3767853ceaf4eac (bits)' at screen 0.12086,0.88531 left noenhanced
  set arrow from screen 0.50611,0.88531 to screen 0.52167,0.88531 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.51389,0.88531 point pt 12 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=0b5549fe69112a57 (bits)' at screen 0.52500,0.88531 left noenhanced
  set arrow from screen 0.04714,0.87158 to screen 0.06270,0.87158 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.05492,0.87158 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=2b44afc33b348bd7 (bits)' at screen 0.06603,0.87158 left noenhanced
  set arrow from screen 0.45129,0.87158 to screen 0.46684,0.87158 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.45907,0.87158 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=d0bed22c760a35e1 (bits)' at screen 0.47018,0.87158 left noenhanced
  set arrow from screen 0.85543,0.87158 to screen 0.87099,0.87158 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front' at screen 0.87432,0.87158 left noenhanced
  set arrow from screen 0.24594,0.85785 to screen 0.26150,0.85785 nohead lw 1.5 dt 2 lc rgb '#555555'
  set label 'nothing coded: bf16 arithmetic' at screen 0.26483,0.85785 left noenhanced
  set arrow from screen 0.47339,0.85785 to screen 0.48894,0.85785 nohead lw 1.5 dt 3 lc rgb '#555555'
  set label 'nothing coded: another attention (fused)' at screen 0.49228,0.85785 left noenhanced
  set xlabel 'measured bits per value of the coded values' noenhanced
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.83574; set bmargin at screen 0.66825
  set title 'gemma-3-270m-q4_k_m (gemma3-270m.manpages-de)' noenhanced offset 0,-0.6 font ',16'
  set label 999 'mean KL divergence, nats' at screen 0.00844,0.75200 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 2 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 2 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 3 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 3 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 4 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 4 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 5 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 5 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 6 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 6 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 7 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 7 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 8 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 8 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 9 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 9 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 10 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 10 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 11 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 11 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 12 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 12 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 13 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 13 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 13 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 14 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 14 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 14 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 15 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 15 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 15 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 16 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.83574; set bmargin at screen 0.66825
  set title 'gemma-3-270m-q4_k_m (gemma3-270m.manpages-fr)' noenhanced offset 0,-0.6 font ',16'
  unset label
  unset arrow
  set label 999 'mean KL divergence, nats' at screen 0.34178,0.75200 center rotate noenhanced
  plot data index 17 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 18 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 19 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 19 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 19 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 20 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 20 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 20 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 21 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 21 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 21 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 22 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 22 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 22 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 23 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 23 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 23 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 24 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 24 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 24 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 25 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 25 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 25 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 26 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 26 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 26 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 27 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 27 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 27 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 28 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 28 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 28 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 29 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 29 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 29 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 30 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 30 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 30 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 31 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 31 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 31 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 32 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 32 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 32 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 33 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.72644; set rmargin at screen 0.98889
  set tmargin at screen 0.83574; set bmargin at screen 0.66825
  set title 'gemma-3-270m-q4_k_m (gemma3-270m.manpages-zh)' noenhanced offset 0,-0.6 font ',16'
  set label 999 'mean KL divergence, nats' at screen 0.67511,0.75200 center rotate noenhanced
  plot data index 34 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 35 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 36 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 36 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 36 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 37 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 37 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 37 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 38 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 38 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 38 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 39 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 39 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 39 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 40 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 40 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 40 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 41 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 41 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 41 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 42 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 42 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 42 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 43 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 43 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 43 using 1:2 with points pt 6 ps size lc rgb '#CC0000' notitle, \
      data index 44 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 44 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 44 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 45 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 45 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 45 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 46 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 46 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 46 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 47 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 47 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 47 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 48 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 48 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 48 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 49 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 49 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 49 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 50 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.62319; set bmargin at screen 0.45570
  set title 'gemma-3-270m-q4_k_m (gemma3-270m.python-code)' noenhanced offset 0,-0.6 font ',16'
  set label 999 'mean KL divergence, nats' at screen 0.00844,0.53945 center rotate noenhanced
  plot data index 51 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 52 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 53 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 53 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 53 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 54 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 54 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 54 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 55 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 55 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 55 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 56 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 56 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 56 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 57 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 57 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 57 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 58 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 58 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 58 using 1:2 with points pt 5 ps size lc rgb '#CC0000' notitle, \
      data index 59 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 59 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 59 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 60 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 60 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 60 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 61 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 61 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 61 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 62 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 62 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 62 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 63 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 63 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 63 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 64 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 64 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 64 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 65 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 65 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 65 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 66 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 66 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 66 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 67 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.62319; set bmargin at screen 0.45570
  set title 'gemma-3-270m-q4_k_m (gemma3-270m.wiki.test)' noenhanced offset 0,-0.6 font ',17'
  set label 999 'mean KL divergence, nats' at screen 0.34178,0.53945 center rotate noenhanced
  plot data index 68 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 69 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 70 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 70 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 70 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 71 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 71 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 71 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 72 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 72 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 72 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 73 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 73 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 73 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 74 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 74 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 74 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 75 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 75 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 75 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 76 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 76 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 76 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 77 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 77 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 77 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 78 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 78 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 78 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 79 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 79 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 79 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 80 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 80 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 80 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 81 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 81 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 81 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 82 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 82 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 82 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 83 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.72644; set rmargin at screen 0.98889
  set tmargin at screen 0.62319; set bmargin at screen 0.45570
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m.manpages-de)' noenhanced offset 0,-0.6 font ',14'
  set label 999 'mean KL divergence, nats' at screen 0.67511,0.53945 center rotate noenhanced
  plot data index 84 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 85 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 86 using 1:2 with lines lw 1.5 dt 3 lc rgb '#555555' notitle, \
      data index 87 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 87 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 87 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 88 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 88 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 88 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 89 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 89 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 89 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 90 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 90 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 90 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 91 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 91 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 91 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 92 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 92 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 92 using 1:2 with points pt 4 ps size lc rgb '#CC0000' notitle, \
      data index 93 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 93 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 93 using 1:2 with points pt 9 ps size lc rgb '#CC0000' notitle, \
      data index 94 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 94 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 94 using 1:2 with points pt 8 ps size lc rgb '#CC0000' notitle, \
      data index 95 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 95 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 95 using 1:2 with points pt 13 ps size lc rgb '#CC0000' notitle, \
      data index 96 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 96 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 96 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 97 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 97 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 97 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 98 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 98 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 98 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 99 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 99 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 99 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 100 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 100 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 100 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 101 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.41064; set bmargin at screen 0.24316
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m.manpages-fr)' noenhanced offset 0,-0.6 font ',14'
  set label 999 'mean KL divergence, nats' at screen 0.00844,0.32690 center rotate noenhanced
  plot data index 102 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 103 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 104 using 1:2 with lines lw 1.5 dt 3 lc rgb '#555555' notitle, \
      data index 105 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 105 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 105 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 106 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 106 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 106 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 107 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 107 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 107 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 108 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 108 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 108 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 109 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 109 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 109 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 110 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 110 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 110 using 1:2 with points pt 12 ps size lc rgb '#CC0000' notitle, \
      data index 111 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 111 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 111 using 1:2 with points pt 9 ps size lc rgb '#CC0000' notitle, \
      data index 112 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 112 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 112 using 1:2 with points pt 8 ps size lc rgb '#CC0000' notitle, \
      data index 113 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 113 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 113 using 1:2 with points pt 13 ps size lc rgb '#CC0000' notitle, \
      data index 114 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 114 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 114 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 115 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 115 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 115 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 116 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 116 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 116 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 117 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 117 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 117 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 118 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 118 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 118 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 119 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.41064; set bmargin at screen 0.24316
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m.manpages-zh)' noenhanced offset 0,-0.6 font ',14'
  set label 999 'mean KL divergence, nats' at screen 0.34178,0.32690 center rotate noenhanced
  plot data index 120 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 121 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 122 using 1:2 with lines lw 1.5 dt 3 lc rgb '#555555' notitle, \
      data index 123 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 123 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 123 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 124 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 124 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 124 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 125 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 125 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 125 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 126 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 126 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 126 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 127 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 127 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 127 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 128 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 128 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 128 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 129 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 129 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 129 using 1:2 with points pt 9 ps size lc rgb '#CC0000' notitle, \
      data index 130 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 130 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 130 using 1:2 with points pt 8 ps size lc rgb '#CC0000' notitle, \
      data index 131 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 131 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 131 using 1:2 with points pt 13 ps size lc rgb '#CC0000' notitle, \
      data index 132 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 132 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 132 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 133 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 133 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 133 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 134 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 134 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 134 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 135 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 135 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 135 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 136 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 136 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 136 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 137 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.72644; set rmargin at screen 0.98889
  set tmargin at screen 0.41064; set bmargin at screen 0.24316
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m.python-code)' noenhanced offset 0,-0.6 font ',14'
  set label 999 'mean KL divergence, nats' at screen 0.67511,0.32690 center rotate noenhanced
  plot data index 138 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 139 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 140 using 1:2 with lines lw 1.5 dt 3 lc rgb '#555555' notitle, \
      data index 141 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 141 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 141 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 142 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 142 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 142 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 143 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 143 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 143 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 144 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 144 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 144 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 145 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 145 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 145 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 146 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 146 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 146 using 1:2 with points pt 9 ps size lc rgb '#CC0000' notitle, \
      data index 147 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 147 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 147 using 1:2 with points pt 8 ps size lc rgb '#CC0000' notitle, \
      data index 148 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 148 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 148 using 1:2 with points pt 13 ps size lc rgb '#CC0000' notitle, \
      data index 149 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 149 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 149 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 150 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 150 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 150 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 151 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 151 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 151 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 152 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 152 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 152 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 153 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 153 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 153 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 154 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 154 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 154 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 155 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.19810; set bmargin at screen 0.03061
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m.wiki.test)' noenhanced offset 0,-0.6 font ',14'
  set label 999 'mean KL divergence, nats' at screen 0.00844,0.11435 center rotate noenhanced
  plot data index 156 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 157 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 158 using 1:2 with lines lw 1.5 dt 3 lc rgb '#555555' notitle, \
      data index 159 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 159 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 159 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 160 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 160 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 160 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 161 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 161 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 161 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 162 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 162 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 162 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 163 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 163 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 163 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 164 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 164 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 164 using 1:2 with points pt 9 ps size lc rgb '#CC0000' notitle, \
      data index 165 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 165 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 165 using 1:2 with points pt 8 ps size lc rgb '#CC0000' notitle, \
      data index 166 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 166 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 166 using 1:2 with points pt 13 ps size lc rgb '#CC0000' notitle, \
      data index 167 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 167 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 167 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 168 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 168 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 168 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 169 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 169 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 169 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 170 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 170 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 170 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 171 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 171 using 1:($3 > 6.76946e-06 ? $3 : 6.76946e-06):(0):($4 - ($3 > 6.76946e-06 ? $3 : 6.76946e-06)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 171 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 172 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
