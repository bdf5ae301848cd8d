# Change of perplexity against measured bits of the whole cache (in-forward)
# Redraw in this folder: gnuplot delta_ppl_inforward_all.gp
data = 'delta_ppl_inforward_all.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1800,1509 enhanced font 'Arial,19' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 3600,3019 enhanced font 'DejaVu Sans,19' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'delta_ppl_inforward_all.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold Change of perplexity against measured bits of the whole cache (in-forward)}' at screen 0.5,0.98542 center font ',22'
  set label 2 '8 passages of 2048 + 64 scored tokens; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn; noise alone is above 0' at screen 0.5,0.96820 center font ',17' tc rgb '#444444' noenhanced
  set xrange [1.5:9]
  set yrange [0.0231332:87.5214]
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
  set arrow from screen 0.07740,0.94965 to screen 0.09296,0.94965 nohead lw 1.2 dt 1 lc rgb '#AA3377'
  set label '' at screen 0.08518,0.94965 point pt 13 ps size lc rgb '#AA3377'
  set label 'fp8' at screen 0.09629,0.94965 left noenhanced
  set arrow from screen 0.12814,0.94965 to screen 0.14370,0.94965 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.13592,0.94965 point pt 15 ps size lc rgb '#66A61E'
  set label 'K iq4_nl:rotate=256, V iq4_nl:rotate=64' at screen 0.14703,0.94965 left noenhanced
  set arrow from screen 0.41449,0.94965 to screen 0.43004,0.94965 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.42227,0.94965 point pt 11 ps size lc rgb '#7570B3'
  set label 'K q4_0:rotate=256, V q4_0:rotate=64' at screen 0.43338,0.94965 left noenhanced
  set arrow from screen 0.67466,0.94965 to screen 0.69021,0.94965 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.68243,0.94965 point pt 15 ps size lc rgb '#CC79A7'
  set label 'K q4_1:rotate=256, V q4_1:rotate=64' at screen 0.69354,0.94965 left noenhanced
  set arrow from screen 0.04795,0.92824 to screen 0.06351,0.92824 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.05573,0.92824 point pt 11 ps size lc rgb '#777777'
  set label 'K q5_0:rotate=256, V q5_0:rotate=64' at screen 0.06684,0.92824 left noenhanced
  set arrow from screen 0.30812,0.92824 to screen 0.32367,0.92824 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.31589,0.92824 point pt 15 ps size lc rgb '#8C6D1F'
  set label 'K q5_1:rotate=256, V q5_1:rotate=64' at screen 0.32701,0.92824 left noenhanced
  set arrow from screen 0.56828,0.92824 to screen 0.58384,0.92824 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.57606,0.92824 point pt 11 ps size lc rgb '#66A61E'
  set label 'K q8_0:rotate=256, V q8_0:rotate=64' at screen 0.58717,0.92824 left noenhanced
  set arrow from screen 0.82845,0.92824 to screen 0.84401,0.92824 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.83623,0.92824 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:pack=rans (q)' at screen 0.84734,0.92824 left noenhanced
  set arrow from screen 0.06265,0.90684 to screen 0.07821,0.90684 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.07043,0.90684 point pt 6 ps size lc rgb '#0072B2'
  set label 'e8:rule=published (q)' at screen 0.08154,0.90684 left noenhanced
  set arrow from screen 0.23119,0.90684 to screen 0.24675,0.90684 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.23897,0.90684 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:center=mean (bits)' at screen 0.25008,0.90684 left noenhanced
  set arrow from screen 0.41283,0.90684 to screen 0.42838,0.90684 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.42061,0.90684 point pt 15 ps size lc rgb '#7570B3'
  set label 'int4' at screen 0.43172,0.90684 left noenhanced
  set arrow from screen 0.47012,0.90684 to screen 0.48567,0.90684 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.47789,0.90684 point pt 11 ps size lc rgb '#CC79A7'
  set label 'int8' at screen 0.48901,0.90684 left noenhanced
  set arrow from screen 0.52741,0.90684 to screen 0.54296,0.90684 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.53518,0.90684 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'kivi (b)' at screen 0.54629,0.90684 left noenhanced
  set arrow from screen 0.61087,0.90684 to screen 0.62643,0.90684 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.61865,0.90684 point pt 4 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,profile=34408ac596523fe2 (bits)' at screen 0.62976,0.90684 left noenhanced
  set arrow from screen 0.16741,0.88544 to screen 0.18297,0.88544 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.17519,0.88544 point pt 9 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,profile=70a5f5368c742a02 (bits)' at screen 0.18630,0.88544 left noenhanced
  set arrow from screen 0.50611,0.88544 to screen 0.52167,0.88544 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.51389,0.88544 point pt 8 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,profile=93a1d24c39740d16 (bits)' at screen 0.52500,0.88544 left noenhanced
  set arrow from screen 0.06597,0.86404 to screen 0.08153,0.86404 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.07375,0.86404 point pt 13 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,profile=b830871d69fcee01 (bits)' at screen 0.08486,0.86404 left noenhanced
  set arrow from screen 0.40467,0.86404 to screen 0.42023,0.86404 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.41245,0.86404 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=512,profile=34408ac596523fe2 (bits)' at screen 0.42356,0.86404 left noenhanced
  set arrow from screen 0.23532,0.84264 to screen 0.25088,0.84264 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.24310,0.84264 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=512,profile=70a5f5368c742a02 (bits)' at screen 0.25421,0.84264 left noenhanced
  set arrow from screen 0.23532,0.82124 to screen 0.25088,0.82124 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.24310,0.82124 point pt 15 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=512,profile=93a1d24c39740d16 (bits)' at screen 0.25421,0.82124 left noenhanced
  set arrow from screen 0.04876,0.79984 to screen 0.06431,0.79984 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.05653,0.79984 point pt 14 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=512,profile=b830871d69fcee01 (bits)' at screen 0.06764,0.79984 left noenhanced
  set arrow from screen 0.59033,0.79984 to screen 0.60589,0.79984 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.59811,0.79984 point pt 15 ps size lc rgb '#777777'
  set label 'mxfp4' at screen 0.60922,0.79984 left noenhanced
  set arrow from screen 0.65417,0.79984 to screen 0.66972,0.79984 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.66194,0.79984 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'nvfp4' at screen 0.67306,0.79984 left noenhanced
  set arrow from screen 0.71800,0.79984 to screen 0.73356,0.79984 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.72578,0.79984 point pt 10 ps size lc rgb '#7570B3'
  set label 'q4_0:rotate=64' at screen 0.73689,0.79984 left noenhanced
  set arrow from screen 0.84073,0.79984 to screen 0.85629,0.79984 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.84851,0.79984 point pt 10 ps size lc rgb '#777777'
  set label 'q5_0:rotate=64' at screen 0.85962,0.79984 left noenhanced
  set arrow from screen 0.11994,0.77844 to screen 0.13549,0.77844 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.12772,0.77844 point pt 10 ps size lc rgb '#66A61E'
  set label 'q8_0:rotate=64' at screen 0.13883,0.77844 left noenhanced
  set arrow from screen 0.24267,0.77844 to screen 0.25823,0.77844 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.25045,0.77844 point pt 15 ps size lc rgb '#66A61E'
  set label 'turboquant (b)' at screen 0.26156,0.77844 left noenhanced
  set arrow from screen 0.36541,0.77844 to screen 0.38096,0.77844 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.37318,0.77844 point pt 14 ps size lc rgb '#66A61E'
  set label 'turboquant:mode=prod (b)' at screen 0.38429,0.77844 left noenhanced
  set arrow from screen 0.55358,0.77844 to screen 0.56914,0.77844 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.56136,0.77844 point pt 12 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,profile=4393fba37f0dafdb (bits)' at screen 0.57247,0.77844 left noenhanced
  set arrow from screen 0.06597,0.75704 to screen 0.08153,0.75704 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.07375,0.75704 point pt 7 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=512,profile=4393fba37f0dafdb (bits)' at screen 0.08486,0.75704 left noenhanced
  set arrow from screen 0.60755,0.75704 to screen 0.62311,0.75704 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.61533,0.75704 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,profile=3f166c4e4a4259f5 (bits)' at screen 0.62644,0.75704 left noenhanced
  set arrow from screen 0.06597,0.73564 to screen 0.08153,0.73564 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.07375,0.73564 point pt 6 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=512,profile=3f166c4e4a4259f5 (bits)' at screen 0.08486,0.73564 left noenhanced
  set arrow from screen 0.60755,0.73564 to screen 0.62311,0.73564 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.61533,0.73564 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,profile=a1209870bc737068 (bits)' at screen 0.62644,0.73564 left noenhanced
  set arrow from screen 0.18050,0.71424 to screen 0.19606,0.71424 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.18828,0.71424 point pt 5 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=512,profile=a1209870bc737068 (bits)' at screen 0.19939,0.71424 left noenhanced
  set arrow from screen 0.72208,0.71424 to screen 0.73763,0.71424 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front' at screen 0.74097,0.71424 left noenhanced
  set xlabel 'measured bits per value of the whole cache' noenhanced
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.67979; set bmargin at screen 0.41874
  set title 'gemma-3-270m-q4_k_m (manpages-de)' noenhanced offset 0,-0.6
  set label 999 'mean |Δppl|, %' at screen 0.00844,0.54926 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 1 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 1 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 2 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 2 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 3 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 3 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 4 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 4 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 5 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 5 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 6 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 6 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 7 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 7 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 8 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 8 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 9 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 9 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 10 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 10 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 11 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 11 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 12 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 12 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 13 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 13 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 13 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 14 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 14 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 14 using 1:2 with points pt 4 ps size lc rgb '#CC0000' notitle, \
      data index 15 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 15 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 15 using 1:2 with points pt 9 ps size lc rgb '#CC0000' notitle, \
      data index 16 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 16 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 16 using 1:2 with points pt 8 ps size lc rgb '#CC0000' notitle, \
      data index 17 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 17 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 17 using 1:2 with points pt 13 ps size lc rgb '#CC0000' notitle, \
      data index 18 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 18 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 18 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 19 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 19 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 19 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 20 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 20 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 20 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 21 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 21 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 21 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 22 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 22 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 22 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 23 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 23 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 23 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 24 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 24 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 24 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 25 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 25 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 25 using 1:2 with points pt 10 ps size lc rgb '#777777' notitle, \
      data index 26 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 26 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 26 using 1:2 with points pt 10 ps size lc rgb '#66A61E' notitle, \
      data index 27 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 27 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 27 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 28 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 28 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 28 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 29 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.67979; set bmargin at screen 0.41874
  set title 'gemma-3-270m-q4_k_m (manpages-fr)' noenhanced offset 0,-0.6
  unset label
  unset arrow
  set label 999 'mean |Δppl|, %' at screen 0.34178,0.54926 center rotate noenhanced
  plot data index 30 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 31 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 31 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 31 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 32 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 32 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 32 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 33 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 33 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 33 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 34 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 34 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 34 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 35 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 35 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 35 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 36 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 36 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 36 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 37 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 37 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 37 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 38 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 38 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 38 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 39 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 39 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 39 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 40 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 40 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 40 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 41 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 41 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 41 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 42 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 42 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 42 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 43 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 43 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 43 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 44 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 44 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 44 using 1:2 with points pt 4 ps size lc rgb '#CC0000' notitle, \
      data index 45 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 45 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 45 using 1:2 with points pt 12 ps size lc rgb '#CC0000' notitle, \
      data index 46 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 46 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 46 using 1:2 with points pt 8 ps size lc rgb '#CC0000' notitle, \
      data index 47 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 47 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 47 using 1:2 with points pt 13 ps size lc rgb '#CC0000' notitle, \
      data index 48 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 48 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 48 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 49 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 49 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 49 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 50 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 50 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 50 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 51 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 51 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 51 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 52 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 52 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 52 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 53 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 53 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 53 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 54 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 54 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 54 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 55 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 55 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 55 using 1:2 with points pt 10 ps size lc rgb '#777777' notitle, \
      data index 56 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 56 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 56 using 1:2 with points pt 10 ps size lc rgb '#66A61E' notitle, \
      data index 57 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 57 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 57 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 58 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 58 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 58 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 59 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.72644; set rmargin at screen 0.98889
  set tmargin at screen 0.67979; set bmargin at screen 0.41874
  set title 'gemma-3-270m-q4_k_m (manpages-zh)' noenhanced offset 0,-0.6
  set label 999 'mean |Δppl|, %' at screen 0.67511,0.54926 center rotate noenhanced
  plot data index 60 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 61 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 61 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 61 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 62 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 62 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 62 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 63 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 63 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 63 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 64 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 64 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 64 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 65 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 65 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 65 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 66 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 66 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 66 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 67 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 67 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 67 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 68 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 68 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 68 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 69 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 69 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 69 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 70 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 70 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 70 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 71 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 71 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 71 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 72 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 72 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 72 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 73 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 73 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 73 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 74 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 74 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 74 using 1:2 with points pt 4 ps size lc rgb '#CC0000' notitle, \
      data index 75 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 75 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 75 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 76 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 76 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 76 using 1:2 with points pt 8 ps size lc rgb '#CC0000' notitle, \
      data index 77 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 77 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 77 using 1:2 with points pt 13 ps size lc rgb '#CC0000' notitle, \
      data index 78 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 78 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 78 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 79 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 79 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 79 using 1:2 with points pt 6 ps size lc rgb '#CC0000' notitle, \
      data index 80 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 80 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 80 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 81 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 81 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 81 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 82 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 82 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 82 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 83 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 83 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 83 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 84 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 84 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 84 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 85 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 85 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 85 using 1:2 with points pt 10 ps size lc rgb '#777777' notitle, \
      data index 86 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 86 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 86 using 1:2 with points pt 10 ps size lc rgb '#66A61E' notitle, \
      data index 87 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 87 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 87 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 88 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 88 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 88 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 89 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.32863; set bmargin at screen 0.06758
  set title 'gemma-3-270m-q4_k_m (python-code)' noenhanced offset 0,-0.6
  set label 999 'mean |Δppl|, %' at screen 0.00844,0.19811 center rotate noenhanced
  plot data index 90 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 91 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 91 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 91 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 92 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 92 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 92 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 93 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 93 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 93 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 94 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 94 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 94 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 95 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 95 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 95 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 96 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 96 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 96 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 97 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 97 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 97 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 98 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 98 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 98 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 99 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 99 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 99 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 100 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 100 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 100 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 101 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 101 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 101 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 102 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 102 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 102 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 103 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 103 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 103 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 104 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 104 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 104 using 1:2 with points pt 4 ps size lc rgb '#CC0000' notitle, \
      data index 105 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 105 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 105 using 1:2 with points pt 8 ps size lc rgb '#CC0000' notitle, \
      data index 106 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 106 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 106 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 107 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 107 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 107 using 1:2 with points pt 13 ps size lc rgb '#CC0000' notitle, \
      data index 108 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 108 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 108 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 109 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 109 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 109 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 110 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 110 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 110 using 1:2 with points pt 5 ps size lc rgb '#CC0000' notitle, \
      data index 111 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 111 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 111 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 112 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 112 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 112 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 113 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 113 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 113 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 114 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 114 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 114 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 115 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 115 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 115 using 1:2 with points pt 10 ps size lc rgb '#777777' notitle, \
      data index 116 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 116 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 116 using 1:2 with points pt 10 ps size lc rgb '#66A61E' notitle, \
      data index 117 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 117 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 117 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 118 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 118 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 118 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 119 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.32863; set bmargin at screen 0.06758
  set title 'gemma-3-270m-q4_k_m (wiki.test)' noenhanced offset 0,-0.6
  set label 999 'mean |Δppl|, %' at screen 0.34178,0.19811 center rotate noenhanced
  plot data index 120 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 121 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 121 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 121 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 122 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 122 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 122 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 123 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 123 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 123 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 124 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 124 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 124 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 125 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 125 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 125 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 126 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 126 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 126 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 127 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 127 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 127 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 128 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 128 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 128 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 129 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 129 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 129 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 130 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 130 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 130 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 131 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 131 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 131 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 132 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 132 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 132 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 133 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 133 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 133 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 134 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 134 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 134 using 1:2 with points pt 4 ps size lc rgb '#CC0000' notitle, \
      data index 135 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 135 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 135 using 1:2 with points pt 8 ps size lc rgb '#CC0000' notitle, \
      data index 136 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 136 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 136 using 1:2 with points pt 13 ps size lc rgb '#CC0000' notitle, \
      data index 137 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 137 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 137 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 138 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 138 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 138 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 139 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 139 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 139 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 140 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 140 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 140 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 141 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 141 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 141 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 142 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 142 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 142 using 1:2 with points pt 10 ps size lc rgb '#7570B3' notitle, \
      data index 143 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 143 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 143 using 1:2 with points pt 10 ps size lc rgb '#777777' notitle, \
      data index 144 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 144 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 144 using 1:2 with points pt 10 ps size lc rgb '#66A61E' notitle, \
      data index 145 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 145 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 145 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 146 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 146 using 1:($3 > 0.0231332 ? $3 : 0.0231332):(0):($4 - ($3 > 0.0231332 ? $3 : 0.0231332)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 146 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 147 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
