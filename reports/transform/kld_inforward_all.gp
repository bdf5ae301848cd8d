# KL divergence from the bf16 cache against measured bits of the whole cache (in-forward)
# Redraw in this folder: gnuplot kld_inforward_all.gp
data = 'kld_inforward_all.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1400,1181 enhanced font 'Arial,17' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 2800,2361 enhanced font 'DejaVu Sans,17' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'kld_inforward_all.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold KL divergence from the bf16 cache against measured bits of the whole cache (in-forward)}' at screen 0.5,0.98137 center font ',20'
  set label 2 'passages of 2048 + 64 scored tokens; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn; profiles not counted' at screen 0.5,0.95935 center font ',15' tc rgb '#444444' noenhanced
  set xrange [2.5:10.5]
  set yrange [0.000164331:0.258268]
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
  set arrow from screen 0.03637,0.93563 to screen 0.05637,0.93563 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.04637,0.93563 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:rule=published (q)' at screen 0.06066,0.93563 left noenhanced
  set arrow from screen 0.23447,0.93563 to screen 0.25447,0.93563 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.24447,0.93563 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'kivi (b)' at screen 0.25876,0.93563 left noenhanced
  set arrow from screen 0.33470,0.93563 to screen 0.35470,0.93563 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.34470,0.93563 point pt 15 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq (bits)' at screen 0.35899,0.93563 left noenhanced
  set arrow from screen 0.54033,0.93563 to screen 0.56033,0.93563 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.55033,0.93563 point pt 14 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=512 (bits)' at screen 0.56461,0.93563 left noenhanced
  set arrow from screen 0.02154,0.91115 to screen 0.04154,0.91115 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.03154,0.91115 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt (bits)' at screen 0.04583,0.91115 left noenhanced
  set arrow from screen 0.13683,0.91115 to screen 0.15683,0.91115 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.14683,0.91115 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:scope=layer,restart=1,page=512 (bits)' at screen 0.16111,0.91115 left noenhanced
  set arrow from screen 0.48550,0.91115 to screen 0.50550,0.91115 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.49550,0.91115 point pt 15 ps size lc rgb '#66A61E'
  set label 'q4_0' at screen 0.50979,0.91115 left noenhanced
  set arrow from screen 0.55561,0.91115 to screen 0.57561,0.91115 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.56561,0.91115 point pt 15 ps size lc rgb '#CC79A7'
  set label 'q5_0' at screen 0.57990,0.91115 left noenhanced
  set arrow from screen 0.62573,0.91115 to screen 0.64573,0.91115 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.63573,0.91115 point pt 11 ps size lc rgb '#7570B3'
  set label 'q8_0' at screen 0.65001,0.91115 left noenhanced
  set arrow from screen 0.69584,0.91115 to screen 0.71584,0.91115 nohead lw 1.2 dt 1 lc rgb '#009E73'
  set label '' at screen 0.70584,0.91115 point pt 9 ps size lc rgb '#009E73'
  set label 'tq (b)' at screen 0.72013,0.91115 left noenhanced
  set arrow from screen 0.78101,0.91115 to screen 0.80101,0.91115 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.79101,0.91115 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:center=mean (bits)' at screen 0.80530,0.91115 left noenhanced
  set arrow from screen 0.06649,0.88668 to screen 0.08649,0.88668 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.07649,0.88668 point pt 7 ps size lc rgb '#CC0000'
  set label 'klt:alloc=none (bits)' at screen 0.09077,0.88668 left noenhanced
  set arrow from screen 0.26459,0.88668 to screen 0.28459,0.88668 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.27459,0.88668 point pt 6 ps size lc rgb '#CC0000'
  set label 'klt:center=none (bits)' at screen 0.28887,0.88668 left noenhanced
  set arrow from screen 0.47021,0.88668 to screen 0.49021,0.88668 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.48021,0.88668 point pt 5 ps size lc rgb '#CC0000'
  set label 'klt:lattice=z (bits)' at screen 0.49450,0.88668 left noenhanced
  set arrow from screen 0.66079,0.88668 to screen 0.68079,0.88668 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.67079,0.88668 point pt 4 ps size lc rgb '#CC0000'
  set label 'klt:weight=none,alloc=none (bits)' at screen 0.68507,0.88668 left noenhanced
  set arrow from screen 0.30976,0.86220 to screen 0.32976,0.86220 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front' at screen 0.33404,0.86220 left noenhanced
  set arrow from screen 0.44010,0.86220 to screen 0.46010,0.86220 nohead lw 1.5 dt 2 lc rgb '#555555'
  set label 'nothing coded: bf16 arithmetic' at screen 0.46439,0.86220 left noenhanced
  set xlabel 'measured bits per value of the whole cache' noenhanced
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.81816; set bmargin at screen 0.48446
  set title 'gemma-3-270m-q4_k_m (gemma3-270m-hot), 16 passages' noenhanced offset 0,-0.6
  set label 999 'mean KL divergence, nats' at screen 0.00971,0.65131 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 2 using 1:($3 > 0.000164331 ? $3 : 0.000164331):(0):($4 - ($3 > 0.000164331 ? $3 : 0.000164331)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 2 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 3 using 1:($3 > 0.000164331 ? $3 : 0.000164331):(0):($4 - ($3 > 0.000164331 ? $3 : 0.000164331)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 3 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 4 using 1:($3 > 0.000164331 ? $3 : 0.000164331):(0):($4 - ($3 > 0.000164331 ? $3 : 0.000164331)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 4 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 5 using 1:($3 > 0.000164331 ? $3 : 0.000164331):(0):($4 - ($3 > 0.000164331 ? $3 : 0.000164331)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 5 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 6 using 1:($3 > 0.000164331 ? $3 : 0.000164331):(0):($4 - ($3 > 0.000164331 ? $3 : 0.000164331)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 6 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 7 using 1:($3 > 0.000164331 ? $3 : 0.000164331):(0):($4 - ($3 > 0.000164331 ? $3 : 0.000164331)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 7 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 8 using 1:($3 > 0.000164331 ? $3 : 0.000164331):(0):($4 - ($3 > 0.000164331 ? $3 : 0.000164331)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 8 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 9 using 1:($3 > 0.000164331 ? $3 : 0.000164331):(0):($4 - ($3 > 0.000164331 ? $3 : 0.000164331)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 9 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 10 using 1:($3 > 0.000164331 ? $3 : 0.000164331):(0):($4 - ($3 > 0.000164331 ? $3 : 0.000164331)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 10 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 11 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.57057; set rmargin at screen 0.98571
  set tmargin at screen 0.81816; set bmargin at screen 0.48446
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m-hot), 24 passages' noenhanced offset 0,-0.6 font ',16'
  unset label
  unset arrow
  set label 999 'mean KL divergence, nats' at screen 0.50971,0.65131 center rotate noenhanced
  plot data index 12 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 13 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 14 using 1:2 with lines lw 1.2 lc rgb '#009E73' notitle, \
      data index 14 using 1:($3 > 0.000164331 ? $3 : 0.000164331):(0):($4 - ($3 > 0.000164331 ? $3 : 0.000164331)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#009E73' notitle, \
      data index 14 using 1:2 with points pt 9 ps size lc rgb '#009E73' notitle, \
      data index 15 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 15 using 1:($3 > 0.000164331 ? $3 : 0.000164331):(0):($4 - ($3 > 0.000164331 ? $3 : 0.000164331)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 15 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 16 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 16 using 1:($3 > 0.000164331 ? $3 : 0.000164331):(0):($4 - ($3 > 0.000164331 ? $3 : 0.000164331)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 16 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 17 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 17 using 1:($3 > 0.000164331 ? $3 : 0.000164331):(0):($4 - ($3 > 0.000164331 ? $3 : 0.000164331)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 17 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 18 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 18 using 1:($3 > 0.000164331 ? $3 : 0.000164331):(0):($4 - ($3 > 0.000164331 ? $3 : 0.000164331)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 18 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 19 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 19 using 1:($3 > 0.000164331 ? $3 : 0.000164331):(0):($4 - ($3 > 0.000164331 ? $3 : 0.000164331)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 19 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 20 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 20 using 1:($3 > 0.000164331 ? $3 : 0.000164331):(0):($4 - ($3 > 0.000164331 ? $3 : 0.000164331)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 20 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 21 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 21 using 1:($3 > 0.000164331 ? $3 : 0.000164331):(0):($4 - ($3 > 0.000164331 ? $3 : 0.000164331)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 21 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 22 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 22 using 1:($3 > 0.000164331 ? $3 : 0.000164331):(0):($4 - ($3 > 0.000164331 ? $3 : 0.000164331)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 22 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 23 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 23 using 1:($3 > 0.000164331 ? $3 : 0.000164331):(0):($4 - ($3 > 0.000164331 ? $3 : 0.000164331)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 23 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 24 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  set lmargin at screen 0.07057; set rmargin at screen 0.48571
  set tmargin at screen 0.39468; set bmargin at screen 0.06098
  set title 'SmolLM2-135M-Instruct.Q4_1 (smollm2-135m-ladder), 24 passages' noenhanced offset 0,-0.6 font ',15'
  set label 999 'mean KL divergence, nats' at screen 0.00971,0.22783 center rotate noenhanced
  plot data index 25 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 26 using 1:2 with lines lw 1.5 dt 2 lc rgb '#555555' notitle, \
      data index 27 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 27 using 1:($3 > 0.000164331 ? $3 : 0.000164331):(0):($4 - ($3 > 0.000164331 ? $3 : 0.000164331)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 27 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 28 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 28 using 1:($3 > 0.000164331 ? $3 : 0.000164331):(0):($4 - ($3 > 0.000164331 ? $3 : 0.000164331)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 28 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 29 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 29 using 1:($3 > 0.000164331 ? $3 : 0.000164331):(0):($4 - ($3 > 0.000164331 ? $3 : 0.000164331)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 29 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 30 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 30 using 1:($3 > 0.000164331 ? $3 : 0.000164331):(0):($4 - ($3 > 0.000164331 ? $3 : 0.000164331)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 30 using 1:2 with points pt 6 ps size lc rgb '#CC0000' notitle, \
      data index 31 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 31 using 1:($3 > 0.000164331 ? $3 : 0.000164331):(0):($4 - ($3 > 0.000164331 ? $3 : 0.000164331)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 31 using 1:2 with points pt 5 ps size lc rgb '#CC0000' notitle, \
      data index 32 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 32 using 1:($3 > 0.000164331 ? $3 : 0.000164331):(0):($4 - ($3 > 0.000164331 ? $3 : 0.000164331)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 32 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 33 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 33 using 1:($3 > 0.000164331 ? $3 : 0.000164331):(0):($4 - ($3 > 0.000164331 ? $3 : 0.000164331)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 33 using 1:2 with points pt 4 ps size lc rgb '#CC0000' notitle, \
      data index 34 using 1:2:3:4 with labels center font ',14' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
