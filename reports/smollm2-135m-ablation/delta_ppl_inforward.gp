# Change of perplexity against measured bits of the coded values (in-forward)
# Redraw in this folder: gnuplot delta_ppl_inforward.gp
data = 'delta_ppl_inforward.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1000,730 enhanced font 'Arial,15' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 2000,1461 enhanced font 'DejaVu Sans,15' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'delta_ppl_inforward.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold Change of perplexity against measured bits of the coded values (in-forward)}' at screen 0.5,0.96988 center font ',18'
  set label 2 '32 passages of 2048 + 64 scored tokens; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn; noise alone is above 0' at screen 0.5,0.93429 center font ',13' tc rgb '#444444' noenhanced
  set xrange [4:11]
  set yrange [0.0424972:2951.94]
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
  set arrow from screen 0.17135,0.89596 to screen 0.19935,0.89596 nohead lw 1.2 dt 1 lc rgb '#D55E00'
  set label '' at screen 0.18535,0.89596 point pt 5 ps size lc rgb '#D55E00'
  set label 'd4:rule=published (q)' at screen 0.20535,0.89596 left noenhanced
  set arrow from screen 0.42265,0.89596 to screen 0.45065,0.89596 nohead lw 1.2 dt 1 lc rgb '#D55E00'
  set label '' at screen 0.43665,0.89596 point pt 4 ps size lc rgb '#D55E00'
  set label 'd4:rule=published,ablate=no-hadamard (q)' at screen 0.45665,0.89596 left noenhanced
  set arrow from screen 0.22725,0.86105 to screen 0.25525,0.86105 nohead lw 1.2 dt 1 lc rgb '#D55E00'
  set label '' at screen 0.24125,0.86105 point pt 9 ps size lc rgb '#D55E00'
  set label 'd4:rule=published,ablate=no-per-vec-qmax,max=0.5354 (q)' at screen 0.26125,0.86105 left noenhanced
  set arrow from screen 0.06440,0.82615 to screen 0.09240,0.82615 nohead lw 1.2 dt 1 lc rgb '#D55E00'
  set label '' at screen 0.07840,0.82615 point pt 8 ps size lc rgb '#D55E00'
  set label 'd4:rule=published,ablate=no-unit-norm (q)' at screen 0.09840,0.82615 left noenhanced
  set arrow from screen 0.50170,0.82615 to screen 0.52970,0.82615 nohead lw 1.2 dt 1 lc rgb '#D55E00'
  set label '' at screen 0.51570,0.82615 point pt 13 ps size lc rgb '#D55E00'
  set label 'd4:rule=published,ablate=per-block-qmax (q)' at screen 0.53570,0.82615 left noenhanced
  set arrow from screen 0.19460,0.79124 to screen 0.22260,0.79124 nohead lw 1.2 dt 1 lc rgb '#D55E00'
  set label '' at screen 0.20860,0.79124 point pt 12 ps size lc rgb '#D55E00'
  set label 'd4:rule=published,ablate=scalar-quantise (q)' at screen 0.22860,0.79124 left noenhanced
  set arrow from screen 0.65980,0.79124 to screen 0.68780,0.79124 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front' at screen 0.69380,0.79124 left noenhanced
  set xlabel 'measured bits per value of the coded values' noenhanced
  set lmargin at screen 0.09000; set rmargin at screen 0.98000
  set tmargin at screen 0.72005; set bmargin at screen 0.09856
  set title 'SmolLM2-135M-Instruct.Q4_1' noenhanced offset 0,-0.6
  set label 999 'mean |Δppl|, %' at screen 0.01200,0.40931 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#D55E00' notitle, \
      data index 1 using 1:($3 > 0.0424972 ? $3 : 0.0424972):(0):($4 - ($3 > 0.0424972 ? $3 : 0.0424972)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#D55E00' notitle, \
      data index 1 using 1:2 with points pt 5 ps size lc rgb '#D55E00' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#D55E00' notitle, \
      data index 2 using 1:($3 > 0.0424972 ? $3 : 0.0424972):(0):($4 - ($3 > 0.0424972 ? $3 : 0.0424972)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#D55E00' notitle, \
      data index 2 using 1:2 with points pt 4 ps size lc rgb '#D55E00' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#D55E00' notitle, \
      data index 3 using 1:($3 > 0.0424972 ? $3 : 0.0424972):(0):($4 - ($3 > 0.0424972 ? $3 : 0.0424972)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#D55E00' notitle, \
      data index 3 using 1:2 with points pt 9 ps size lc rgb '#D55E00' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#D55E00' notitle, \
      data index 4 using 1:($3 > 0.0424972 ? $3 : 0.0424972):(0):($4 - ($3 > 0.0424972 ? $3 : 0.0424972)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#D55E00' notitle, \
      data index 4 using 1:2 with points pt 8 ps size lc rgb '#D55E00' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#D55E00' notitle, \
      data index 5 using 1:($3 > 0.0424972 ? $3 : 0.0424972):(0):($4 - ($3 > 0.0424972 ? $3 : 0.0424972)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#D55E00' notitle, \
      data index 5 using 1:2 with points pt 13 ps size lc rgb '#D55E00' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#D55E00' notitle, \
      data index 6 using 1:($3 > 0.0424972 ? $3 : 0.0424972):(0):($4 - ($3 > 0.0424972 ? $3 : 0.0424972)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#D55E00' notitle, \
      data index 6 using 1:2 with points pt 12 ps size lc rgb '#D55E00' notitle, \
      data index 7 using 1:2:3:4 with labels center font ',13' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
