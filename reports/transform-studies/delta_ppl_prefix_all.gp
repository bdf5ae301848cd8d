# Change of perplexity against measured bits of the coded values (prefix)
# Redraw in this folder: gnuplot delta_ppl_prefix_all.gp
data = 'delta_ppl_prefix_all.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1800,1251 enhanced font 'Arial,19' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 3600,2502 enhanced font 'DejaVu Sans,19' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'delta_ppl_prefix_all.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold Change of perplexity against measured bits of the coded values (prefix)}' at screen 0.5,0.98241 center font ',22'
  set label 2 'passages; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn; noise alone is above 0' at screen 0.5,0.96163 center font ',17' tc rgb '#444444' noenhanced
  set xrange [0.5:6.5]
  set yrange [0.0458227:25.4042]
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
  set arrow from screen 0.01769,0.93924 to screen 0.03325,0.93924 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.02547,0.93924 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:rule=published (q)' at screen 0.03658,0.93924 left noenhanced
  set arrow from screen 0.18624,0.93924 to screen 0.20179,0.93924 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.19402,0.93924 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=2,profile=184a750402fe94fe (bits)' at screen 0.20513,0.93924 left noenhanced
  set arrow from screen 0.59038,0.93924 to screen 0.60594,0.93924 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.59816,0.93924 point pt 6 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=2,profile=221dfd82059ec1b2 (bits)' at screen 0.60927,0.93924 left noenhanced
  set arrow from screen 0.18377,0.91342 to screen 0.19933,0.91342 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.19155,0.91342 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=2,profile=ba96b2abe495f1f1 (bits)' at screen 0.20266,0.91342 left noenhanced
  set arrow from screen 0.58792,0.91342 to screen 0.60347,0.91342 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.59569,0.91342 point pt 15 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=2 (bits)' at screen 0.60681,0.91342 left noenhanced
  set arrow from screen 0.10197,0.88760 to screen 0.11752,0.88760 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.10974,0.88760 point pt 5 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=2,profile=0039dc6910436666 (bits)' at screen 0.12086,0.88760 left noenhanced
  set arrow from screen 0.50611,0.88760 to screen 0.52167,0.88760 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.51389,0.88760 point pt 14 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=2,profile=4c91fb5f0fec61bc (bits)' at screen 0.52500,0.88760 left noenhanced
  set arrow from screen 0.24922,0.86178 to screen 0.26477,0.86178 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.25699,0.86178 point pt 7 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,predict=2,profile=f6fd69628f4f7522 (bits)' at screen 0.26811,0.86178 left noenhanced
  set arrow from screen 0.65336,0.86178 to screen 0.66892,0.86178 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front' at screen 0.67225,0.86178 left noenhanced
  set xlabel 'measured bits per value of the coded values' noenhanced
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.82021; set bmargin at screen 0.50524
  set title 'gemma-3-270m-q4_k_m (gemma3-270m-cold-calibration), 8 passages' noenhanced offset 0,-0.6 font ',12'
  set label 999 'mean |Δppl|, %' at screen 0.00844,0.66272 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:($3 > 0.0458227 ? $3 : 0.0458227):(0):($4 - ($3 > 0.0458227 ? $3 : 0.0458227)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 2 using 1:($3 > 0.0458227 ? $3 : 0.0458227):(0):($4 - ($3 > 0.0458227 ? $3 : 0.0458227)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 2 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 3 using 1:($3 > 0.0458227 ? $3 : 0.0458227):(0):($4 - ($3 > 0.0458227 ? $3 : 0.0458227)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 3 using 1:2 with points pt 6 ps size lc rgb '#CC0000' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 4 using 1:($3 > 0.0458227 ? $3 : 0.0458227):(0):($4 - ($3 > 0.0458227 ? $3 : 0.0458227)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 4 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 5 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.82021; set bmargin at screen 0.50524
  set title 'gemma-3-270m-q4_k_m (gemma3-270m-cold-context-512), 8 passages' noenhanced offset 0,-0.6 font ',12'
  unset label
  unset arrow
  set label 999 'mean |Δppl|, %' at screen 0.34178,0.66272 center rotate noenhanced
  plot data index 6 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 7 using 1:($3 > 0.0458227 ? $3 : 0.0458227):(0):($4 - ($3 > 0.0458227 ? $3 : 0.0458227)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 7 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 8 using 1:($3 > 0.0458227 ? $3 : 0.0458227):(0):($4 - ($3 > 0.0458227 ? $3 : 0.0458227)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 8 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 9 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.72644; set rmargin at screen 0.98889
  set tmargin at screen 0.82021; set bmargin at screen 0.50524
  set title 'gemma-3-270m-q4_k_m (gemma3-270m-cold-context-8192), 5 passages' noenhanced offset 0,-0.6 font ',12'
  set label 999 'mean |Δppl|, %' at screen 0.67511,0.66272 center rotate noenhanced
  plot data index 10 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 11 using 1:($3 > 0.0458227 ? $3 : 0.0458227):(0):($4 - ($3 > 0.0458227 ? $3 : 0.0458227)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 11 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 12 using 1:($3 > 0.0458227 ? $3 : 0.0458227):(0):($4 - ($3 > 0.0458227 ? $3 : 0.0458227)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 12 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 13 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.39651; set bmargin at screen 0.08154
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m-cold-calibration), 8 passages' noenhanced offset 0,-0.6 font ',10'
  set label 999 'mean |Δppl|, %' at screen 0.00844,0.23903 center rotate noenhanced
  plot data index 14 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 15 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 15 using 1:($3 > 0.0458227 ? $3 : 0.0458227):(0):($4 - ($3 > 0.0458227 ? $3 : 0.0458227)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 15 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 16 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 16 using 1:($3 > 0.0458227 ? $3 : 0.0458227):(0):($4 - ($3 > 0.0458227 ? $3 : 0.0458227)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 16 using 1:2 with points pt 5 ps size lc rgb '#CC0000' notitle, \
      data index 17 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 17 using 1:($3 > 0.0458227 ? $3 : 0.0458227):(0):($4 - ($3 > 0.0458227 ? $3 : 0.0458227)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 17 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 18 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 18 using 1:($3 > 0.0458227 ? $3 : 0.0458227):(0):($4 - ($3 > 0.0458227 ? $3 : 0.0458227)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 18 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 19 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.39651; set bmargin at screen 0.08154
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m-cold-context-512), 8 passages' noenhanced offset 0,-0.6 font ',10'
  set label 999 'mean |Δppl|, %' at screen 0.34178,0.23903 center rotate noenhanced
  plot data index 20 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 21 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 21 using 1:($3 > 0.0458227 ? $3 : 0.0458227):(0):($4 - ($3 > 0.0458227 ? $3 : 0.0458227)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 21 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 22 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 22 using 1:($3 > 0.0458227 ? $3 : 0.0458227):(0):($4 - ($3 > 0.0458227 ? $3 : 0.0458227)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 22 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 23 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.72644; set rmargin at screen 0.98889
  set tmargin at screen 0.39651; set bmargin at screen 0.08154
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m-cold-context-8128), 8 passages' noenhanced offset 0,-0.6 font ',10'
  set label 999 'mean |Δppl|, %' at screen 0.67511,0.23903 center rotate noenhanced
  plot data index 24 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 25 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 25 using 1:($3 > 0.0458227 ? $3 : 0.0458227):(0):($4 - ($3 > 0.0458227 ? $3 : 0.0458227)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 25 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 26 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 26 using 1:($3 > 0.0458227 ? $3 : 0.0458227):(0):($4 - ($3 > 0.0458227 ? $3 : 0.0458227)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 26 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 27 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
