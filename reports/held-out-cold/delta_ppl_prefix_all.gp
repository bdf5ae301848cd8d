# Change of perplexity against measured bits of the coded values (prefix)
# Redraw in this folder: gnuplot delta_ppl_prefix_all.gp
data = 'delta_ppl_prefix_all.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1000,807 enhanced font 'Arial,15' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 2000,1614 enhanced font 'DejaVu Sans,15' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'delta_ppl_prefix_all.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold Change of perplexity against measured bits of the coded values (prefix)}' at screen 0.5,0.97274 center font ',18'
  set label 2 '37 passages of 2048 + 64 scored tokens; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn; noise alone is above 0' at screen 0.5,0.94052 center font ',13' tc rgb '#444444' noenhanced
  set xrange [0:9]
  set yrange [0.0412922:177.19]
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
  set arrow from screen 0.05945,0.90582 to screen 0.08745,0.90582 nohead lw 1.2 dt 1 lc rgb '#AA3377'
  set label '' at screen 0.07345,0.90582 point pt 13 ps size lc rgb '#AA3377'
  set label 'fp8' at screen 0.09345,0.90582 left noenhanced
  set arrow from screen 0.14335,0.90582 to screen 0.17135,0.90582 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.15735,0.90582 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:pack=rans (q)' at screen 0.17735,0.90582 left noenhanced
  set arrow from screen 0.34815,0.90582 to screen 0.37615,0.90582 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.36215,0.90582 point pt 6 ps size lc rgb '#0072B2'
  set label 'e8:rule=published (q)' at screen 0.38215,0.90582 left noenhanced
  set arrow from screen 0.59945,0.90582 to screen 0.62745,0.90582 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.61345,0.90582 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:center=mean (bits)' at screen 0.63345,0.90582 left noenhanced
  set arrow from screen 0.86935,0.90582 to screen 0.89735,0.90582 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.88335,0.90582 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'int4' at screen 0.90335,0.90582 left noenhanced
  set arrow from screen 0.29680,0.87423 to screen 0.32480,0.87423 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.31080,0.87423 point pt 15 ps size lc rgb '#66A61E'
  set label 'int8' at screen 0.33080,0.87423 left noenhanced
  set arrow from screen 0.39000,0.87423 to screen 0.41800,0.87423 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.40400,0.87423 point pt 11 ps size lc rgb '#7570B3'
  set label 'iq4_nl:rotate=64' at screen 0.42400,0.87423 left noenhanced
  set arrow from screen 0.59480,0.87423 to screen 0.62280,0.87423 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.60880,0.87423 point pt 15 ps size lc rgb '#CC79A7'
  set label 'kivi (b)' at screen 0.62880,0.87423 left noenhanced
  set arrow from screen 0.21795,0.84263 to screen 0.24595,0.84263 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.23195,0.84263 point pt 11 ps size lc rgb '#777777'
  set label 'klt:scope=layer,predict=1,profile=aedc4c2e3a8a1e19 (bits)' at screen 0.25195,0.84263 left noenhanced
  set arrow from screen 0.21795,0.81103 to screen 0.24595,0.81103 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.23195,0.81103 point pt 10 ps size lc rgb '#777777'
  set label 'klt:scope=layer,predict=1,profile=c421cdcdfb313a0a (bits)' at screen 0.25195,0.81103 left noenhanced
  set arrow from screen 0.04105,0.77943 to screen 0.06905,0.77943 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.05505,0.77943 point pt 15 ps size lc rgb '#777777'
  set label 'klt:scope=layer,predict=2,profile=6e477f50a1405a31 (bits)' at screen 0.07505,0.77943 left noenhanced
  set arrow from screen 0.62715,0.77943 to screen 0.65515,0.77943 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.64115,0.77943 point pt 15 ps size lc rgb '#8C6D1F'
  set label 'kvtc:page=1024 (bits)' at screen 0.66115,0.77943 left noenhanced
  set arrow from screen 0.87845,0.77943 to screen 0.90645,0.77943 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.89245,0.77943 point pt 11 ps size lc rgb '#66A61E'
  set label 'mxfp4' at screen 0.91245,0.77943 left noenhanced
  set arrow from screen 0.04075,0.74783 to screen 0.06875,0.74783 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.05475,0.74783 point pt 15 ps size lc rgb '#7570B3'
  set label 'nvfp4' at screen 0.07475,0.74783 left noenhanced
  set arrow from screen 0.14325,0.74783 to screen 0.17125,0.74783 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.15725,0.74783 point pt 11 ps size lc rgb '#CC79A7'
  set label 'q4_0' at screen 0.17725,0.74783 left noenhanced
  set arrow from screen 0.23645,0.74783 to screen 0.26445,0.74783 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.25045,0.74783 point pt 10 ps size lc rgb '#CC79A7'
  set label 'q4_0:rotate=64' at screen 0.27045,0.74783 left noenhanced
  set arrow from screen 0.42265,0.74783 to screen 0.45065,0.74783 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.43665,0.74783 point pt 15 ps size lc rgb '#777777'
  set label 'q4_1:rotate=64' at screen 0.45665,0.74783 left noenhanced
  set arrow from screen 0.60885,0.74783 to screen 0.63685,0.74783 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.62285,0.74783 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'q5_0:rotate=64' at screen 0.64285,0.74783 left noenhanced
  set arrow from screen 0.79505,0.74783 to screen 0.82305,0.74783 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.80905,0.74783 point pt 15 ps size lc rgb '#66A61E'
  set label 'q5_1:rotate=64' at screen 0.82905,0.74783 left noenhanced
  set arrow from screen 0.05480,0.71623 to screen 0.08280,0.71623 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.06880,0.71623 point pt 11 ps size lc rgb '#7570B3'
  set label 'q8_0' at screen 0.08880,0.71623 left noenhanced
  set arrow from screen 0.14800,0.71623 to screen 0.17600,0.71623 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.16200,0.71623 point pt 10 ps size lc rgb '#7570B3'
  set label 'q8_0:rotate=64' at screen 0.18200,0.71623 left noenhanced
  set arrow from screen 0.33420,0.71623 to screen 0.36220,0.71623 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.34820,0.71623 point pt 15 ps size lc rgb '#CC79A7'
  set label 'turboquant (b)' at screen 0.36820,0.71623 left noenhanced
  set arrow from screen 0.52040,0.71623 to screen 0.54840,0.71623 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.53440,0.71623 point pt 14 ps size lc rgb '#CC79A7'
  set label 'turboquant:mode=prod (b)' at screen 0.55440,0.71623 left noenhanced
  set arrow from screen 0.79960,0.71623 to screen 0.82760,0.71623 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front' at screen 0.83360,0.71623 left noenhanced
  set xlabel 'measured bits per value of the coded values' noenhanced
  set lmargin at screen 0.09000; set rmargin at screen 0.98000
  set tmargin at screen 0.65180; set bmargin at screen 0.08922
  set title 'SmolLM2-135M-Instruct.Q4_1, held-out' noenhanced offset 0,-0.6
  set label 999 'mean |Δppl|, %' at screen 0.01200,0.37051 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 1 using 1:($3 > 0.0412922 ? $3 : 0.0412922):(0):($4 - ($3 > 0.0412922 ? $3 : 0.0412922)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 1 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 2 using 1:($3 > 0.0412922 ? $3 : 0.0412922):(0):($4 - ($3 > 0.0412922 ? $3 : 0.0412922)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 2 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 3 using 1:($3 > 0.0412922 ? $3 : 0.0412922):(0):($4 - ($3 > 0.0412922 ? $3 : 0.0412922)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 3 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 4 using 1:($3 > 0.0412922 ? $3 : 0.0412922):(0):($4 - ($3 > 0.0412922 ? $3 : 0.0412922)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 4 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 5 using 1:($3 > 0.0412922 ? $3 : 0.0412922):(0):($4 - ($3 > 0.0412922 ? $3 : 0.0412922)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 5 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 6 using 1:($3 > 0.0412922 ? $3 : 0.0412922):(0):($4 - ($3 > 0.0412922 ? $3 : 0.0412922)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 6 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 7 using 1:($3 > 0.0412922 ? $3 : 0.0412922):(0):($4 - ($3 > 0.0412922 ? $3 : 0.0412922)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 7 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 8 using 1:($3 > 0.0412922 ? $3 : 0.0412922):(0):($4 - ($3 > 0.0412922 ? $3 : 0.0412922)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 8 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 9 using 1:($3 > 0.0412922 ? $3 : 0.0412922):(0):($4 - ($3 > 0.0412922 ? $3 : 0.0412922)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 9 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 10 using 1:($3 > 0.0412922 ? $3 : 0.0412922):(0):($4 - ($3 > 0.0412922 ? $3 : 0.0412922)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 10 using 1:2 with points pt 10 ps size lc rgb '#777777' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 11 using 1:($3 > 0.0412922 ? $3 : 0.0412922):(0):($4 - ($3 > 0.0412922 ? $3 : 0.0412922)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 11 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 12 using 1:($3 > 0.0412922 ? $3 : 0.0412922):(0):($4 - ($3 > 0.0412922 ? $3 : 0.0412922)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 12 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 13 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 13 using 1:($3 > 0.0412922 ? $3 : 0.0412922):(0):($4 - ($3 > 0.0412922 ? $3 : 0.0412922)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 13 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 14 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 14 using 1:($3 > 0.0412922 ? $3 : 0.0412922):(0):($4 - ($3 > 0.0412922 ? $3 : 0.0412922)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 14 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 15 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 15 using 1:($3 > 0.0412922 ? $3 : 0.0412922):(0):($4 - ($3 > 0.0412922 ? $3 : 0.0412922)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 15 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 16 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 16 using 1:($3 > 0.0412922 ? $3 : 0.0412922):(0):($4 - ($3 > 0.0412922 ? $3 : 0.0412922)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 16 using 1:2 with points pt 10 ps size lc rgb '#CC79A7' notitle, \
      data index 17 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 17 using 1:($3 > 0.0412922 ? $3 : 0.0412922):(0):($4 - ($3 > 0.0412922 ? $3 : 0.0412922)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 17 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 18 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 18 using 1:($3 > 0.0412922 ? $3 : 0.0412922):(0):($4 - ($3 > 0.0412922 ? $3 : 0.0412922)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 18 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 19 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 19 using 1:($3 > 0.0412922 ? $3 : 0.0412922):(0):($4 - ($3 > 0.0412922 ? $3 : 0.0412922)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 19 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 20 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 20 using 1:($3 > 0.0412922 ? $3 : 0.0412922):(0):($4 - ($3 > 0.0412922 ? $3 : 0.0412922)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 20 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 21 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 21 using 1:($3 > 0.0412922 ? $3 : 0.0412922):(0):($4 - ($3 > 0.0412922 ? $3 : 0.0412922)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 21 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 22 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 22 using 1:($3 > 0.0412922 ? $3 : 0.0412922):(0):($4 - ($3 > 0.0412922 ? $3 : 0.0412922)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 22 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 23 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 23 using 1:($3 > 0.0412922 ? $3 : 0.0412922):(0):($4 - ($3 > 0.0412922 ? $3 : 0.0412922)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 23 using 1:2 with points pt 14 ps size lc rgb '#CC79A7' notitle, \
      data index 24 using 1:2:3:4 with labels center font ',13' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
