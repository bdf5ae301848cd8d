# KL divergence from the bf16 cache against measured bits of the coded values (in-forward)
# Redraw in this folder: gnuplot kld_inforward.gp
data = 'kld_inforward.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1800,2776 enhanced font 'Arial,19' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 3600,5553 enhanced font 'DejaVu Sans,19' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'kld_inforward.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold KL divergence from the bf16 cache against measured bits of the coded values (in-forward)}' at screen 0.5,0.99208 center font ',22'
  set label 2 'passages; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn; profiles not counted' at screen 0.5,0.98271 center font ',17' tc rgb '#444444' noenhanced
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
  set arrow from screen 0.04302,0.97263 to screen 0.05857,0.97263 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.05079,0.97263 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:rule=published (q)' at screen 0.06191,0.97263 left noenhanced
  set arrow from screen 0.21156,0.97263 to screen 0.22712,0.97263 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.21934,0.97263 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:profile=5523eff989e07420 (bits)' at screen 0.23045,0.97263 left noenhanced
  set arrow from screen 0.47173,0.97263 to screen 0.48728,0.97263 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.47951,0.97263 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'kivi (b)' at screen 0.49062,0.97263 left noenhanced
  set arrow from screen 0.55519,0.97263 to screen 0.57075,0.97263 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.56297,0.97263 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt (bits)' at screen 0.57408,0.97263 left noenhanced
  set arrow from screen 0.65175,0.97263 to screen 0.66731,0.97263 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.65953,0.97263 point pt 15 ps size lc rgb '#66A61E'
  set label 'q4_0' at screen 0.67064,0.97263 left noenhanced
  set arrow from screen 0.70904,0.97263 to screen 0.72459,0.97263 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.71682,0.97263 point pt 15 ps size lc rgb '#CC0000'
  set label 'klt:profile=6f96202bdcd966c6 (bits)' at screen 0.72793,0.97263 left noenhanced
  set arrow from screen 0.25249,0.96099 to screen 0.26804,0.96099 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front of these 6 of 28 families' at screen 0.27138,0.96099 left noenhanced
  set arrow from screen 0.53229,0.96099 to screen 0.54784,0.96099 nohead lw 1.5 dt 2 lc rgb '#555555'
  set label 'nothing coded: bf16 arithmetic' at screen 0.55118,0.96099 left noenhanced
  set xlabel 'measured bits per value of the coded values' noenhanced
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.94226; set bmargin at screen 0.80035
  set title 'gemma-3-270m-q4_k_m (gemma3-270m-calibration), 8 passages' noenhanced offset 0,-0.6 font ',13'
  set label 999 'mean KL divergence, nats' at screen 0.00844,0.87130 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 2 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 2 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 3 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.94226; set bmargin at screen 0.80035
  set title 'gemma-3-270m-q4_k_m (gemma3-270m-context-1024), 8 passages' noenhanced offset 0,-0.6 font ',13'
  unset label
  unset arrow
  set label 999 'mean KL divergence, nats' at screen 0.34178,0.87130 center rotate noenhanced
  plot data index 4 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 5 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 5 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 6 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 6 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 7 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 7 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 8 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 8 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 9 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.72644; set rmargin at screen 0.98889
  set tmargin at screen 0.94226; set bmargin at screen 0.80035
  set title 'gemma-3-270m-q4_k_m (gemma3-270m-context-4096), 8 passages' noenhanced offset 0,-0.6 font ',13'
  set label 999 'mean KL divergence, nats' at screen 0.67511,0.87130 center rotate noenhanced
  plot data index 10 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 11 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 11 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 12 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 12 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 13 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 13 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 13 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 14 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 14 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 14 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 15 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.75136; set bmargin at screen 0.60944
  set title 'gemma-3-270m-q4_k_m (gemma3-270m-context-512), 8 passages' noenhanced offset 0,-0.6 font ',13'
  set label 999 'mean KL divergence, nats' at screen 0.00844,0.68040 center rotate noenhanced
  plot data index 16 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 17 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 18 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 18 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 18 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 19 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 19 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 19 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 20 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 20 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 20 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 21 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 21 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 21 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 22 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.75136; set bmargin at screen 0.60944
  set title 'gemma-3-270m-q4_k_m (gemma3-270m-context-8192), 5 passages' noenhanced offset 0,-0.6 font ',13'
  set label 999 'mean KL divergence, nats' at screen 0.34178,0.68040 center rotate noenhanced
  plot data index 23 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 24 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 25 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 25 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 25 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 26 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 26 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 26 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 27 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 27 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 27 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 28 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 28 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 28 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 29 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.72644; set rmargin at screen 0.98889
  set tmargin at screen 0.75136; set bmargin at screen 0.60944
  set title 'gemma-3-270m-q4_k_m (gemma3-270m-post-rope), 8 passages' noenhanced offset 0,-0.6 font ',13'
  set label 999 'mean KL divergence, nats' at screen 0.67511,0.68040 center rotate noenhanced
  plot data index 30 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 31 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 31 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 31 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 32 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 32 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 32 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 33 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 33 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 33 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 34 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 34 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 34 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 35 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.56046; set bmargin at screen 0.41854
  set title 'gemma-3-270m-q4_k_m (gemma3-270m-pre-rope), 8 passages' noenhanced offset 0,-0.6 font ',14'
  set label 999 'mean KL divergence, nats' at screen 0.00844,0.48950 center rotate noenhanced
  plot data index 36 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 37 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 37 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 37 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 38 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 38 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 38 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 39 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 39 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 39 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 40 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 40 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 40 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 41 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.56046; set bmargin at screen 0.41854
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m-calibration), 12 passages' noenhanced offset 0,-0.6 font ',11'
  set label 999 'mean KL divergence, nats' at screen 0.34178,0.48950 center rotate noenhanced
  plot data index 42 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 43 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 44 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 44 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 44 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 45 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 45 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 45 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 46 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.72644; set rmargin at screen 0.98889
  set tmargin at screen 0.56046; set bmargin at screen 0.41854
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m-context-1024), 8 passages' noenhanced offset 0,-0.6 font ',11'
  set label 999 'mean KL divergence, nats' at screen 0.67511,0.48950 center rotate noenhanced
  plot data index 47 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 48 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 49 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 49 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 49 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 50 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 50 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 50 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 51 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 51 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 51 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 52 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 52 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 52 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 53 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.36956; set bmargin at screen 0.22764
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m-context-4096), 8 passages' noenhanced offset 0,-0.6 font ',11'
  set label 999 'mean KL divergence, nats' at screen 0.00844,0.29860 center rotate noenhanced
  plot data index 54 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 55 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 56 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 56 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 56 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 57 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 57 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 57 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 58 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 58 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 58 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 59 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 59 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 59 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 60 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.36956; set bmargin at screen 0.22764
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m-context-512), 8 passages' noenhanced offset 0,-0.6 font ',11'
  set label 999 'mean KL divergence, nats' at screen 0.34178,0.29860 center rotate noenhanced
  plot data index 61 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 62 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 63 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 63 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 63 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 64 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 64 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 64 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 65 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 65 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 65 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 66 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 66 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 66 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 67 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.72644; set rmargin at screen 0.98889
  set tmargin at screen 0.36956; set bmargin at screen 0.22764
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m-context-8128), 8 passages' noenhanced offset 0,-0.6 font ',11'
  set label 999 'mean KL divergence, nats' at screen 0.67511,0.29860 center rotate noenhanced
  plot data index 68 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 69 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 70 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 70 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 70 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 71 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 71 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 71 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 72 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 72 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 72 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 73 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 73 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 73 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 74 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.17866; set bmargin at screen 0.03674
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m-post-rope), 12 passages' noenhanced offset 0,-0.6 font ',11'
  set label 999 'mean KL divergence, nats' at screen 0.00844,0.10770 center rotate noenhanced
  plot data index 75 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 76 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 77 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 77 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 77 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 78 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 78 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 78 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 79 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 79 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 79 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 80 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 80 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 80 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 81 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.17866; set bmargin at screen 0.03674
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m-pre-rope), 12 passages' noenhanced offset 0,-0.6 font ',12'
  set label 999 'mean KL divergence, nats' at screen 0.34178,0.10770 center rotate noenhanced
  plot data index 82 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 83 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 84 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 84 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 84 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 85 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 85 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 85 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 86 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 86 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 86 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 87 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 87 using 1:($3 > 0.000313285 ? $3 : 0.000313285):(0):($4 - ($3 > 0.000313285 ? $3 : 0.000313285)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 87 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 88 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
