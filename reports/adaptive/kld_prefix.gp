# KL divergence from the bf16 cache against measured bits of the coded values (prefix)
# Redraw in this folder: gnuplot kld_prefix.gp
data = 'kld_prefix.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1800,2659 enhanced font 'Arial,19' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 3600,5317 enhanced font 'DejaVu Sans,19' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'kld_prefix.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold KL divergence from the bf16 cache against measured bits of the coded values (prefix)}' at screen 0.5,0.99172 center font ',22'
  set label 2 'passages; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn; profiles not counted' at screen 0.5,0.98195 center font ',17' tc rgb '#444444' noenhanced
  set xrange [0.5:6]
  set yrange [0.000177234:0.180293]
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
  set arrow from screen 0.09296,0.97141 to screen 0.10851,0.97141 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.10073,0.97141 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:rule=published (q)' at screen 0.11184,0.97141 left noenhanced
  set arrow from screen 0.26150,0.97141 to screen 0.27706,0.97141 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.26928,0.97141 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:center=mean (bits)' at screen 0.28039,0.97141 left noenhanced
  set arrow from screen 0.44313,0.97141 to screen 0.45869,0.97141 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.45091,0.97141 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,adapt=1000,profile=ede21f491feb06c0 (bits)' at screen 0.46202,0.97141 left noenhanced
  set arrow from screen 0.10197,0.95926 to screen 0.11752,0.95926 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.10974,0.95926 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=c2ae20bdc57cf421 (bits)' at screen 0.12086,0.95926 left noenhanced
  set arrow from screen 0.50611,0.95926 to screen 0.52167,0.95926 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.51389,0.95926 point pt 5 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=9f87da0165e39752 (bits)' at screen 0.52500,0.95926 left noenhanced
  set arrow from screen 0.16414,0.94712 to screen 0.17969,0.94712 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.17192,0.94712 point pt 13 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=1,profile=c3767853ceaf4eac (bits)' at screen 0.18303,0.94712 left noenhanced
  set arrow from screen 0.56828,0.94712 to screen 0.58384,0.94712 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front of these 6 of 17 families' at screen 0.58717,0.94712 left noenhanced
  set xlabel 'measured bits per value of the coded values' noenhanced
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.92756; set bmargin at screen 0.77936
  set title 'gemma-3-270m-q4_k_m (gemma3-270m.manpages-de.8192), 3 passages' noenhanced offset 0,-0.6 font ',12'
  set label 999 'mean KL divergence, nats' at screen 0.00844,0.85346 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:($3 > 0.000177234 ? $3 : 0.000177234):(0):($4 - ($3 > 0.000177234 ? $3 : 0.000177234)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 2 using 1:($3 > 0.000177234 ? $3 : 0.000177234):(0):($4 - ($3 > 0.000177234 ? $3 : 0.000177234)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 2 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 3 using 1:($3 > 0.000177234 ? $3 : 0.000177234):(0):($4 - ($3 > 0.000177234 ? $3 : 0.000177234)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 3 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 4 using 1:($3 > 0.000177234 ? $3 : 0.000177234):(0):($4 - ($3 > 0.000177234 ? $3 : 0.000177234)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 4 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 5 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.92756; set bmargin at screen 0.77936
  set title 'gemma-3-270m-q4_k_m (gemma3-270m.python-code.8192), 3 passages' noenhanced offset 0,-0.6 font ',12'
  unset label
  unset arrow
  set label 999 'mean KL divergence, nats' at screen 0.34178,0.85346 center rotate noenhanced
  plot data index 6 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 7 using 1:($3 > 0.000177234 ? $3 : 0.000177234):(0):($4 - ($3 > 0.000177234 ? $3 : 0.000177234)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 7 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 8 using 1:($3 > 0.000177234 ? $3 : 0.000177234):(0):($4 - ($3 > 0.000177234 ? $3 : 0.000177234)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 8 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 9 using 1:($3 > 0.000177234 ? $3 : 0.000177234):(0):($4 - ($3 > 0.000177234 ? $3 : 0.000177234)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 9 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 10 using 1:($3 > 0.000177234 ? $3 : 0.000177234):(0):($4 - ($3 > 0.000177234 ? $3 : 0.000177234)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 10 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 11 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.72644; set rmargin at screen 0.98889
  set tmargin at screen 0.92756; set bmargin at screen 0.77936
  set title 'gemma-3-270m-q4_k_m (gemma3-270m.wiki.test.1024.held-out, held-out), 4 passages' noenhanced offset 0,-0.6 font ',9'
  set label 999 'mean KL divergence, nats' at screen 0.67511,0.85346 center rotate noenhanced
  plot data index 12 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 13 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 13 using 1:($3 > 0.000177234 ? $3 : 0.000177234):(0):($4 - ($3 > 0.000177234 ? $3 : 0.000177234)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 13 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 14 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 14 using 1:($3 > 0.000177234 ? $3 : 0.000177234):(0):($4 - ($3 > 0.000177234 ? $3 : 0.000177234)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 14 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 15 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 15 using 1:($3 > 0.000177234 ? $3 : 0.000177234):(0):($4 - ($3 > 0.000177234 ? $3 : 0.000177234)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 15 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 16 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 16 using 1:($3 > 0.000177234 ? $3 : 0.000177234):(0):($4 - ($3 > 0.000177234 ? $3 : 0.000177234)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 16 using 1:2 with points pt 5 ps size lc rgb '#CC0000' notitle, \
      data index 17 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 17 using 1:($3 > 0.000177234 ? $3 : 0.000177234):(0):($4 - ($3 > 0.000177234 ? $3 : 0.000177234)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 17 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 18 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.73949; set bmargin at screen 0.59129
  set title 'gemma-3-270m-q4_k_m (gemma3-270m.wiki.test.2048.held-out, held-out), 4 passages' noenhanced offset 0,-0.6 font ',9'
  set label 999 'mean KL divergence, nats' at screen 0.00844,0.66539 center rotate noenhanced
  plot data index 19 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 20 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 20 using 1:($3 > 0.000177234 ? $3 : 0.000177234):(0):($4 - ($3 > 0.000177234 ? $3 : 0.000177234)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 20 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 21 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 21 using 1:($3 > 0.000177234 ? $3 : 0.000177234):(0):($4 - ($3 > 0.000177234 ? $3 : 0.000177234)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 21 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 22 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 22 using 1:($3 > 0.000177234 ? $3 : 0.000177234):(0):($4 - ($3 > 0.000177234 ? $3 : 0.000177234)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 22 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 23 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 23 using 1:($3 > 0.000177234 ? $3 : 0.000177234):(0):($4 - ($3 > 0.000177234 ? $3 : 0.000177234)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 23 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 24 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.73949; set bmargin at screen 0.59129
  set title 'gemma-3-270m-q4_k_m (gemma3-270m.wiki.test.4096.held-out, held-out), 3 passages' noenhanced offset 0,-0.6 font ',9'
  set label 999 'mean KL divergence, nats' at screen 0.34178,0.66539 center rotate noenhanced
  plot data index 25 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 26 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 26 using 1:($3 > 0.000177234 ? $3 : 0.000177234):(0):($4 - ($3 > 0.000177234 ? $3 : 0.000177234)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 26 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 27 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 27 using 1:($3 > 0.000177234 ? $3 : 0.000177234):(0):($4 - ($3 > 0.000177234 ? $3 : 0.000177234)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 27 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 28 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.72644; set rmargin at screen 0.98889
  set tmargin at screen 0.73949; set bmargin at screen 0.59129
  set title 'gemma-3-270m-q4_k_m (gemma3-270m.wiki.test.512.held-out, held-out), 4 passages' noenhanced offset 0,-0.6 font ',9'
  set label 999 'mean KL divergence, nats' at screen 0.67511,0.66539 center rotate noenhanced
  plot data index 29 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 30 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 30 using 1:($3 > 0.000177234 ? $3 : 0.000177234):(0):($4 - ($3 > 0.000177234 ? $3 : 0.000177234)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 30 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 31 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 31 using 1:($3 > 0.000177234 ? $3 : 0.000177234):(0):($4 - ($3 > 0.000177234 ? $3 : 0.000177234)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 31 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 32 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 32 using 1:($3 > 0.000177234 ? $3 : 0.000177234):(0):($4 - ($3 > 0.000177234 ? $3 : 0.000177234)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 32 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 33 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 33 using 1:($3 > 0.000177234 ? $3 : 0.000177234):(0):($4 - ($3 > 0.000177234 ? $3 : 0.000177234)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 33 using 1:2 with points pt 5 ps size lc rgb '#CC0000' notitle, \
      data index 34 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 34 using 1:($3 > 0.000177234 ? $3 : 0.000177234):(0):($4 - ($3 > 0.000177234 ? $3 : 0.000177234)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 34 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 35 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.55142; set bmargin at screen 0.40322
  set title 'gemma-3-270m-q4_k_m (gemma3-270m.wiki.test.8192.held-out, held-out), 4 passages' noenhanced offset 0,-0.6 font ',9'
  set label 999 'mean KL divergence, nats' at screen 0.00844,0.47732 center rotate noenhanced
  plot data index 36 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 37 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 37 using 1:($3 > 0.000177234 ? $3 : 0.000177234):(0):($4 - ($3 > 0.000177234 ? $3 : 0.000177234)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 37 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 38 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 38 using 1:($3 > 0.000177234 ? $3 : 0.000177234):(0):($4 - ($3 > 0.000177234 ? $3 : 0.000177234)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 38 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 39 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 39 using 1:($3 > 0.000177234 ? $3 : 0.000177234):(0):($4 - ($3 > 0.000177234 ? $3 : 0.000177234)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 39 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 40 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 40 using 1:($3 > 0.000177234 ? $3 : 0.000177234):(0):($4 - ($3 > 0.000177234 ? $3 : 0.000177234)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 40 using 1:2 with points pt 5 ps size lc rgb '#CC0000' notitle, \
      data index 41 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 41 using 1:($3 > 0.000177234 ? $3 : 0.000177234):(0):($4 - ($3 > 0.000177234 ? $3 : 0.000177234)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 41 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 42 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.55142; set bmargin at screen 0.40322
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m.manpages-de.8192), 3 passages' noenhanced offset 0,-0.6 font ',10'
  set label 999 'mean KL divergence, nats' at screen 0.34178,0.47732 center rotate noenhanced
  plot data index 43 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 44 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 44 using 1:($3 > 0.000177234 ? $3 : 0.000177234):(0):($4 - ($3 > 0.000177234 ? $3 : 0.000177234)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 44 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 45 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 45 using 1:($3 > 0.000177234 ? $3 : 0.000177234):(0):($4 - ($3 > 0.000177234 ? $3 : 0.000177234)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 45 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 46 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 46 using 1:($3 > 0.000177234 ? $3 : 0.000177234):(0):($4 - ($3 > 0.000177234 ? $3 : 0.000177234)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 46 using 1:2 with points pt 13 ps size lc rgb '#CC0000' notitle, \
      data index 47 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.72644; set rmargin at screen 0.98889
  set tmargin at screen 0.55142; set bmargin at screen 0.40322
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m.python-code.8192), 3 passages' noenhanced offset 0,-0.6 font ',10'
  set label 999 'mean KL divergence, nats' at screen 0.67511,0.47732 center rotate noenhanced
  plot data index 48 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 49 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 49 using 1:($3 > 0.000177234 ? $3 : 0.000177234):(0):($4 - ($3 > 0.000177234 ? $3 : 0.000177234)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 49 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 50 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 50 using 1:($3 > 0.000177234 ? $3 : 0.000177234):(0):($4 - ($3 > 0.000177234 ? $3 : 0.000177234)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 50 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 51 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 51 using 1:($3 > 0.000177234 ? $3 : 0.000177234):(0):($4 - ($3 > 0.000177234 ? $3 : 0.000177234)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 51 using 1:2 with points pt 13 ps size lc rgb '#CC0000' notitle, \
      data index 52 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.36335; set bmargin at screen 0.21515
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m.wiki.test.1024.held-out, held-out), 4 passages' noenhanced offset 0,-0.6 font ',8'
  set label 999 'mean KL divergence, nats' at screen 0.00844,0.28925 center rotate noenhanced
  plot data index 53 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 54 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 54 using 1:($3 > 0.000177234 ? $3 : 0.000177234):(0):($4 - ($3 > 0.000177234 ? $3 : 0.000177234)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 54 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 55 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 55 using 1:($3 > 0.000177234 ? $3 : 0.000177234):(0):($4 - ($3 > 0.000177234 ? $3 : 0.000177234)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 55 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 56 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 56 using 1:($3 > 0.000177234 ? $3 : 0.000177234):(0):($4 - ($3 > 0.000177234 ? $3 : 0.000177234)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 56 using 1:2 with points pt 13 ps size lc rgb '#CC0000' notitle, \
      data index 57 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.36335; set bmargin at screen 0.21515
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m.wiki.test.2048.held-out, held-out), 4 passages' noenhanced offset 0,-0.6 font ',8'
  set label 999 'mean KL divergence, nats' at screen 0.34178,0.28925 center rotate noenhanced
  plot data index 58 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 59 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 59 using 1:($3 > 0.000177234 ? $3 : 0.000177234):(0):($4 - ($3 > 0.000177234 ? $3 : 0.000177234)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 59 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 60 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 60 using 1:($3 > 0.000177234 ? $3 : 0.000177234):(0):($4 - ($3 > 0.000177234 ? $3 : 0.000177234)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 60 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 61 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.72644; set rmargin at screen 0.98889
  set tmargin at screen 0.36335; set bmargin at screen 0.21515
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m.wiki.test.4096.held-out, held-out), 3 passages' noenhanced offset 0,-0.6 font ',8'
  set label 999 'mean KL divergence, nats' at screen 0.67511,0.28925 center rotate noenhanced
  plot data index 62 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 63 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 63 using 1:($3 > 0.000177234 ? $3 : 0.000177234):(0):($4 - ($3 > 0.000177234 ? $3 : 0.000177234)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 63 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 64 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 64 using 1:($3 > 0.000177234 ? $3 : 0.000177234):(0):($4 - ($3 > 0.000177234 ? $3 : 0.000177234)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 64 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 65 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.17528; set bmargin at screen 0.02708
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m.wiki.test.512.held-out, held-out), 4 passages' noenhanced offset 0,-0.6 font ',8'
  set label 999 'mean KL divergence, nats' at screen 0.00844,0.10118 center rotate noenhanced
  plot data index 66 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 67 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 67 using 1:($3 > 0.000177234 ? $3 : 0.000177234):(0):($4 - ($3 > 0.000177234 ? $3 : 0.000177234)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 67 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 68 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 68 using 1:($3 > 0.000177234 ? $3 : 0.000177234):(0):($4 - ($3 > 0.000177234 ? $3 : 0.000177234)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 68 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 69 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 69 using 1:($3 > 0.000177234 ? $3 : 0.000177234):(0):($4 - ($3 > 0.000177234 ? $3 : 0.000177234)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 69 using 1:2 with points pt 13 ps size lc rgb '#CC0000' notitle, \
      data index 70 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.17528; set bmargin at screen 0.02708
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m.wiki.test.8192.held-out, held-out), 4 passages' noenhanced offset 0,-0.6 font ',8'
  set label 999 'mean KL divergence, nats' at screen 0.34178,0.10118 center rotate noenhanced
  plot data index 71 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 72 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 72 using 1:($3 > 0.000177234 ? $3 : 0.000177234):(0):($4 - ($3 > 0.000177234 ? $3 : 0.000177234)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 72 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 73 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 73 using 1:($3 > 0.000177234 ? $3 : 0.000177234):(0):($4 - ($3 > 0.000177234 ? $3 : 0.000177234)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 73 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 74 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 74 using 1:($3 > 0.000177234 ? $3 : 0.000177234):(0):($4 - ($3 > 0.000177234 ? $3 : 0.000177234)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 74 using 1:2 with points pt 13 ps size lc rgb '#CC0000' notitle, \
      data index 75 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
