# Change of perplexity against bits really written (in-forward)
# Redraw in this folder: gnuplot delta_ppl_inforward.gp
data = 'delta_ppl_inforward.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1400,1152 enhanced font 'Arial,17' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 2800,2304 enhanced font 'DejaVu Sans,17' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'delta_ppl_inforward.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold Change of perplexity against bits really written (in-forward)}' at screen 0.5,0.98090 center font ',20'
  set label 2 '16 to 24 passages of 2048 + 64 scored tokens; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn; noise alone is above 0' at screen 0.5,0.95833 center font ',15' tc rgb '#444444' noenhanced
  set xrange [0.5:9]
  set yrange [0.112245:32.8411]
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
  set arrow from screen 0.02154,0.93402 to screen 0.04154,0.93402 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.03154,0.93402 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:rule=published (q)' at screen 0.04583,0.93402 left noenhanced
  set arrow from screen 0.21964,0.93402 to screen 0.23964,0.93402 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.22964,0.93402 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'kivi (b)' at screen 0.24393,0.93402 left noenhanced
  set arrow from screen 0.31987,0.93402 to screen 0.33987,0.93402 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.32987,0.93402 point pt 15 ps size lc rgb '#66A61E'
  set label 'klt (bits)' at screen 0.34416,0.93402 left noenhanced
  set arrow from screen 0.43516,0.93402 to screen 0.45516,0.93402 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.44516,0.93402 point pt 14 ps size lc rgb '#66A61E'
  set label 'klt:scope=layer,restart=1,page=512 (bits)' at screen 0.45944,0.93402 left noenhanced
  set arrow from screen 0.78383,0.93402 to screen 0.80383,0.93402 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.79383,0.93402 point pt 11 ps size lc rgb '#7570B3'
  set label 'q4_0' at screen 0.80811,0.93402 left noenhanced
  set arrow from screen 0.85394,0.93402 to screen 0.87394,0.93402 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.86394,0.93402 point pt 15 ps size lc rgb '#CC79A7'
  set label 'q5_0' at screen 0.87823,0.93402 left noenhanced
  set arrow from screen 0.92406,0.93402 to screen 0.94406,0.93402 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.93406,0.93402 point pt 11 ps size lc rgb '#777777'
  set label 'q8_0' at screen 0.94834,0.93402 left noenhanced
  set arrow from screen 0.06154,0.90893 to screen 0.08154,0.90893 nohead lw 1.2 dt 1 lc rgb '#009E73'
  set label '' at screen 0.07154,0.90893 point pt 9 ps size lc rgb '#009E73'
  set label 'tq (b)' at screen 0.08583,0.90893 left noenhanced
  set arrow from screen 0.14671,0.90893 to screen 0.16671,0.90893 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.15671,0.90893 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:center=mean (bits)' at screen 0.17100,0.90893 left noenhanced
  set arrow from screen 0.35987,0.90893 to screen 0.37987,0.90893 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.36987,0.90893 point pt 7 ps size lc rgb '#66A61E'
  set label 'klt:alloc=none (bits)' at screen 0.38416,0.90893 left noenhanced
  set arrow from screen 0.55797,0.90893 to screen 0.57797,0.90893 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.56797,0.90893 point pt 6 ps size lc rgb '#66A61E'
  set label 'klt:center=none (bits)' at screen 0.58226,0.90893 left noenhanced
  set arrow from screen 0.76360,0.90893 to screen 0.78360,0.90893 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.77360,0.90893 point pt 5 ps size lc rgb '#66A61E'
  set label 'klt:lattice=z (bits)' at screen 0.78789,0.90893 left noenhanced
  set arrow from screen 0.29846,0.88383 to screen 0.31846,0.88383 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.30846,0.88383 point pt 4 ps size lc rgb '#66A61E'
  set label 'klt:weight=none,alloc=none (bits)' at screen 0.32275,0.88383 left noenhanced
  set arrow from screen 0.58691,0.88383 to screen 0.60691,0.88383 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front' at screen 0.61119,0.88383 left noenhanced
  set xlabel 'real bits per value' noenhanced
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.83869; set bmargin at screen 0.49661
  set title 'gemma-3-270m-q4_k_m (gemma3-270m-hot)' noenhanced offset 0,-0.6
  set label 999 'mean |Δppl|, %' at screen 0.00971,0.66765 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:($3 > 0.112245 ? $3 : 0.112245):(0):($4 - ($3 > 0.112245 ? $3 : 0.112245)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 2 using 1:($3 > 0.112245 ? $3 : 0.112245):(0):($4 - ($3 > 0.112245 ? $3 : 0.112245)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 2 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 3 using 1:($3 > 0.112245 ? $3 : 0.112245):(0):($4 - ($3 > 0.112245 ? $3 : 0.112245)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 3 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 4 using 1:($3 > 0.112245 ? $3 : 0.112245):(0):($4 - ($3 > 0.112245 ? $3 : 0.112245)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 4 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 5 using 1:($3 > 0.112245 ? $3 : 0.112245):(0):($4 - ($3 > 0.112245 ? $3 : 0.112245)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 5 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 6 using 1:($3 > 0.112245 ? $3 : 0.112245):(0):($4 - ($3 > 0.112245 ? $3 : 0.112245)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 6 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 7 using 1:($3 > 0.112245 ? $3 : 0.112245):(0):($4 - ($3 > 0.112245 ? $3 : 0.112245)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 7 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 8 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.83869; set bmargin at screen 0.49661
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m-hot)' noenhanced offset 0,-0.6
  unset label
  unset arrow
  set label 999 'mean |Δppl|, %' at screen 0.50971,0.66765 center rotate noenhanced
  plot data index 9 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#009E73' notitle, \
      data index 10 using 1:($3 > 0.112245 ? $3 : 0.112245):(0):($4 - ($3 > 0.112245 ? $3 : 0.112245)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#009E73' notitle, \
      data index 10 using 1:2 with points pt 9 ps size lc rgb '#009E73' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 11 using 1:($3 > 0.112245 ? $3 : 0.112245):(0):($4 - ($3 > 0.112245 ? $3 : 0.112245)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 11 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 12 using 1:($3 > 0.112245 ? $3 : 0.112245):(0):($4 - ($3 > 0.112245 ? $3 : 0.112245)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 12 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 13 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 13 using 1:($3 > 0.112245 ? $3 : 0.112245):(0):($4 - ($3 > 0.112245 ? $3 : 0.112245)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 13 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 14 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 14 using 1:($3 > 0.112245 ? $3 : 0.112245):(0):($4 - ($3 > 0.112245 ? $3 : 0.112245)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 14 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 15 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 15 using 1:($3 > 0.112245 ? $3 : 0.112245):(0):($4 - ($3 > 0.112245 ? $3 : 0.112245)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 15 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 16 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 16 using 1:($3 > 0.112245 ? $3 : 0.112245):(0):($4 - ($3 > 0.112245 ? $3 : 0.112245)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 16 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 17 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 17 using 1:($3 > 0.112245 ? $3 : 0.112245):(0):($4 - ($3 > 0.112245 ? $3 : 0.112245)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 17 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 18 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.40458; set bmargin at screen 0.06251
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m-ladder)' noenhanced offset 0,-0.6
  set label 999 'mean |Δppl|, %' at screen 0.00971,0.23355 center rotate noenhanced
  plot data index 19 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 20 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 20 using 1:($3 > 0.112245 ? $3 : 0.112245):(0):($4 - ($3 > 0.112245 ? $3 : 0.112245)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 20 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 21 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 21 using 1:($3 > 0.112245 ? $3 : 0.112245):(0):($4 - ($3 > 0.112245 ? $3 : 0.112245)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 21 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 22 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 22 using 1:($3 > 0.112245 ? $3 : 0.112245):(0):($4 - ($3 > 0.112245 ? $3 : 0.112245)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 22 using 1:2 with points pt 7 ps size lc rgb '#66A61E' notitle, \
      data index 23 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 23 using 1:($3 > 0.112245 ? $3 : 0.112245):(0):($4 - ($3 > 0.112245 ? $3 : 0.112245)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 23 using 1:2 with points pt 6 ps size lc rgb '#66A61E' notitle, \
      data index 24 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 24 using 1:($3 > 0.112245 ? $3 : 0.112245):(0):($4 - ($3 > 0.112245 ? $3 : 0.112245)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 24 using 1:2 with points pt 5 ps size lc rgb '#66A61E' notitle, \
      data index 25 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 25 using 1:($3 > 0.112245 ? $3 : 0.112245):(0):($4 - ($3 > 0.112245 ? $3 : 0.112245)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 25 using 1:2 with points pt 4 ps size lc rgb '#66A61E' notitle, \
      data index 26 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
