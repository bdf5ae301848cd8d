# KL divergence from the bf16 cache against measured bits of the coded values (prefix)
# Redraw in this folder: gnuplot kld_prefix.gp
data = 'kld_prefix.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1800,1219 enhanced font 'Arial,19' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 3600,2437 enhanced font 'DejaVu Sans,19' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'kld_prefix.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold KL divergence from the bf16 cache against measured bits of the coded values (prefix)}' at screen 0.5,0.98195 center font ',22'
  set label 2 'passages; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn; profiles not counted' at screen 0.5,0.96061 center font ',17' tc rgb '#444444' noenhanced
  set xrange [0.5:6.5]
  set yrange [0.000194959:0.166764]
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
  set arrow from screen 0.01769,0.93763 to screen 0.03325,0.93763 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.02547,0.93763 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:rule=published (q)' at screen 0.03658,0.93763 left noenhanced
  set arrow from screen 0.18624,0.93763 to screen 0.20179,0.93763 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.19402,0.93763 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=2,profile=184a750402fe94fe (bits)' at screen 0.20513,0.93763 left noenhanced
  set arrow from screen 0.59038,0.93763 to screen 0.60594,0.93763 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.59816,0.93763 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=2,profile=ba96b2abe495f1f1 (bits)' at screen 0.60927,0.93763 left noenhanced
  set arrow from screen 0.18377,0.91113 to screen 0.19933,0.91113 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.19155,0.91113 point pt 15 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=2 (bits)' at screen 0.20266,0.91113 left noenhanced
  set arrow from screen 0.42431,0.91113 to screen 0.43986,0.91113 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.43208,0.91113 point pt 14 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=2,profile=4c91fb5f0fec61bc (bits)' at screen 0.44319,0.91113 left noenhanced
  set arrow from screen 0.05369,0.88462 to screen 0.06924,0.88462 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.06147,0.88462 point pt 7 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=2,profile=f6fd69628f4f7522 (bits)' at screen 0.07258,0.88462 left noenhanced
  set arrow from screen 0.45783,0.88462 to screen 0.47339,0.88462 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front of these 6 of 8 families' at screen 0.47672,0.88462 left noenhanced
  set arrow from screen 0.73109,0.88462 to screen 0.74664,0.88462 nohead lw 1.5 dt 2 lc rgb '#555555'
  set label 'nothing coded: bf16 arithmetic' at screen 0.74998,0.88462 left noenhanced
  set xlabel 'measured bits per value of the coded values' noenhanced
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.84195; set bmargin at screen 0.51863
  set title 'gemma-3-270m-q4_k_m (gemma3-270m-cold-calibration), 8 passages' noenhanced offset 0,-0.6 font ',12'
  set label 999 'mean KL divergence, nats' at screen 0.00844,0.68029 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 2 using 1:($3 > 0.000194959 ? $3 : 0.000194959):(0):($4 - ($3 > 0.000194959 ? $3 : 0.000194959)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 2 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 3 using 1:($3 > 0.000194959 ? $3 : 0.000194959):(0):($4 - ($3 > 0.000194959 ? $3 : 0.000194959)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 3 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 4 using 1:($3 > 0.000194959 ? $3 : 0.000194959):(0):($4 - ($3 > 0.000194959 ? $3 : 0.000194959)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 4 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 5 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.84195; set bmargin at screen 0.51863
  set title 'gemma-3-270m-q4_k_m (gemma3-270m-cold-context-512), 8 passages' noenhanced offset 0,-0.6 font ',12'
  unset label
  unset arrow
  set label 999 'mean KL divergence, nats' at screen 0.34178,0.68029 center rotate noenhanced
  plot data index 6 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 7 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 8 using 1:($3 > 0.000194959 ? $3 : 0.000194959):(0):($4 - ($3 > 0.000194959 ? $3 : 0.000194959)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 8 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 9 using 1:($3 > 0.000194959 ? $3 : 0.000194959):(0):($4 - ($3 > 0.000194959 ? $3 : 0.000194959)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 9 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 10 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.72644; set rmargin at screen 0.98889
  set tmargin at screen 0.84195; set bmargin at screen 0.51863
  set title 'gemma-3-270m-q4_k_m (gemma3-270m-cold-context-8192), 5 passages' noenhanced offset 0,-0.6 font ',12'
  set label 999 'mean KL divergence, nats' at screen 0.67511,0.68029 center rotate noenhanced
  plot data index 11 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 12 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 13 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 13 using 1:($3 > 0.000194959 ? $3 : 0.000194959):(0):($4 - ($3 > 0.000194959 ? $3 : 0.000194959)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 13 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 14 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 14 using 1:($3 > 0.000194959 ? $3 : 0.000194959):(0):($4 - ($3 > 0.000194959 ? $3 : 0.000194959)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 14 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 15 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.40702; set bmargin at screen 0.08370
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m-cold-calibration), 8 passages' noenhanced offset 0,-0.6 font ',10'
  set label 999 'mean KL divergence, nats' at screen 0.00844,0.24536 center rotate noenhanced
  plot data index 16 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 17 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 18 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 18 using 1:($3 > 0.000194959 ? $3 : 0.000194959):(0):($4 - ($3 > 0.000194959 ? $3 : 0.000194959)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 18 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 19 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 19 using 1:($3 > 0.000194959 ? $3 : 0.000194959):(0):($4 - ($3 > 0.000194959 ? $3 : 0.000194959)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 19 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 20 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 20 using 1:($3 > 0.000194959 ? $3 : 0.000194959):(0):($4 - ($3 > 0.000194959 ? $3 : 0.000194959)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 20 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 21 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.40702; set bmargin at screen 0.08370
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m-cold-context-512), 8 passages' noenhanced offset 0,-0.6 font ',10'
  set label 999 'mean KL divergence, nats' at screen 0.34178,0.24536 center rotate noenhanced
  plot data index 22 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 23 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 24 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 24 using 1:($3 > 0.000194959 ? $3 : 0.000194959):(0):($4 - ($3 > 0.000194959 ? $3 : 0.000194959)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 24 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 25 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 25 using 1:($3 > 0.000194959 ? $3 : 0.000194959):(0):($4 - ($3 > 0.000194959 ? $3 : 0.000194959)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 25 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 26 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.72644; set rmargin at screen 0.98889
  set tmargin at screen 0.40702; set bmargin at screen 0.08370
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m-cold-context-8128), 8 passages' noenhanced offset 0,-0.6 font ',10'
  set label 999 'mean KL divergence, nats' at screen 0.67511,0.24536 center rotate noenhanced
  plot data index 27 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 28 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 29 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 29 using 1:($3 > 0.000194959 ? $3 : 0.000194959):(0):($4 - ($3 > 0.000194959 ? $3 : 0.000194959)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 29 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 30 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 30 using 1:($3 > 0.000194959 ? $3 : 0.000194959):(0):($4 - ($3 > 0.000194959 ? $3 : 0.000194959)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 30 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 31 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
