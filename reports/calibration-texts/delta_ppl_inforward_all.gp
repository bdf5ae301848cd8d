# Change of perplexity against measured bits of the whole cache (in-forward)
# Redraw in this folder: gnuplot delta_ppl_inforward_all.gp
data = 'delta_ppl_inforward_all.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1800,1477 enhanced font 'Arial,19' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 3600,2954 enhanced font 'DejaVu Sans,19' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'delta_ppl_inforward_all.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold Change of perplexity against measured bits of the whole cache (in-forward)}' at screen 0.5,0.98510 center font ',22'
  set label 2 '8 passages of 2048 + 64 scored tokens; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn; noise alone is above 0' at screen 0.5,0.96750 center font ',17' tc rgb '#444444' noenhanced
  set xrange [1.5:9]
  set yrange [0.0347611:73.1724]
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
  set arrow from screen 0.07081,0.94854 to screen 0.08636,0.94854 nohead lw 1.2 dt 1 lc rgb '#AA3377'
  set label '' at screen 0.07858,0.94854 point pt 13 ps size lc rgb '#AA3377'
  set label 'fp8' at screen 0.08969,0.94854 left noenhanced
  set arrow from screen 0.12155,0.94854 to screen 0.13711,0.94854 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.12933,0.94854 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:pack=rans (q)' at screen 0.14044,0.94854 left noenhanced
  set arrow from screen 0.25737,0.94854 to screen 0.27293,0.94854 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.26515,0.94854 point pt 6 ps size lc rgb '#0072B2'
  set label 'e8:rule=published (q)' at screen 0.27626,0.94854 left noenhanced
  set arrow from screen 0.42592,0.94854 to screen 0.44147,0.94854 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.43369,0.94854 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:center=mean (bits)' at screen 0.44481,0.94854 left noenhanced
  set arrow from screen 0.60755,0.94854 to screen 0.62311,0.94854 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.61533,0.94854 point pt 15 ps size lc rgb '#66A61E'
  set label 'int4' at screen 0.62644,0.94854 left noenhanced
  set arrow from screen 0.66484,0.94854 to screen 0.68039,0.94854 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.67262,0.94854 point pt 11 ps size lc rgb '#7570B3'
  set label 'int8' at screen 0.68373,0.94854 left noenhanced
  set arrow from screen 0.72213,0.94854 to screen 0.73768,0.94854 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.72991,0.94854 point pt 15 ps size lc rgb '#CC79A7'
  set label 'iq4_nl:rotate=64' at screen 0.74102,0.94854 left noenhanced
  set arrow from screen 0.85795,0.94854 to screen 0.87351,0.94854 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.86573,0.94854 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'kivi (b)' at screen 0.87684,0.94854 left noenhanced
  set arrow from screen 0.16741,0.92668 to screen 0.18297,0.92668 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.17519,0.92668 point pt 4 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,profile=4564ed6c753239de (bits)' at screen 0.18630,0.92668 left noenhanced
  set arrow from screen 0.50611,0.92668 to screen 0.52167,0.92668 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.51389,0.92668 point pt 9 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,profile=5505e7ba7a0071df (bits)' at screen 0.52500,0.92668 left noenhanced
  set arrow from screen 0.16741,0.90481 to screen 0.18297,0.90481 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.17519,0.90481 point pt 8 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,profile=b62161561dc47683 (bits)' at screen 0.18630,0.90481 left noenhanced
  set arrow from screen 0.50611,0.90481 to screen 0.52167,0.90481 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.51389,0.90481 point pt 13 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,profile=e9e16ad59ad3df24 (bits)' at screen 0.52500,0.90481 left noenhanced
  set arrow from screen 0.23532,0.88294 to screen 0.25088,0.88294 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.24310,0.88294 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=512,profile=4564ed6c753239de (bits)' at screen 0.25421,0.88294 left noenhanced
  set arrow from screen 0.23532,0.86107 to screen 0.25088,0.86107 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.24310,0.86107 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=512,profile=5505e7ba7a0071df (bits)' at screen 0.25421,0.86107 left noenhanced
  set arrow from screen 0.23532,0.83920 to screen 0.25088,0.83920 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.24310,0.83920 point pt 15 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=512,profile=b62161561dc47683 (bits)' at screen 0.25421,0.83920 left noenhanced
  set arrow from screen 0.04876,0.81733 to screen 0.06431,0.81733 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.05653,0.81733 point pt 14 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=512,profile=e9e16ad59ad3df24 (bits)' at screen 0.06764,0.81733 left noenhanced
  set arrow from screen 0.59033,0.81733 to screen 0.60589,0.81733 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.59811,0.81733 point pt 11 ps size lc rgb '#777777'
  set label 'mxfp4' at screen 0.60922,0.81733 left noenhanced
  set arrow from screen 0.65417,0.81733 to screen 0.66972,0.81733 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.66194,0.81733 point pt 15 ps size lc rgb '#8C6D1F'
  set label 'nvfp4' at screen 0.67306,0.81733 left noenhanced
  set arrow from screen 0.71800,0.81733 to screen 0.73356,0.81733 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.72578,0.81733 point pt 11 ps size lc rgb '#66A61E'
  set label 'q4_0:rotate=64' at screen 0.73689,0.81733 left noenhanced
  set arrow from screen 0.84073,0.81733 to screen 0.85629,0.81733 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.84851,0.81733 point pt 15 ps size lc rgb '#7570B3'
  set label 'q4_1:rotate=64' at screen 0.85962,0.81733 left noenhanced
  set arrow from screen 0.16656,0.79546 to screen 0.18211,0.79546 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.17433,0.79546 point pt 11 ps size lc rgb '#CC79A7'
  set label 'q5_0:rotate=64' at screen 0.18544,0.79546 left noenhanced
  set arrow from screen 0.28929,0.79546 to screen 0.30484,0.79546 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.29707,0.79546 point pt 15 ps size lc rgb '#777777'
  set label 'q5_1:rotate=64' at screen 0.30818,0.79546 left noenhanced
  set arrow from screen 0.41202,0.79546 to screen 0.42758,0.79546 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.41980,0.79546 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'q8_0:rotate=64' at screen 0.43091,0.79546 left noenhanced
  set arrow from screen 0.53476,0.79546 to screen 0.55031,0.79546 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.54253,0.79546 point pt 15 ps size lc rgb '#66A61E'
  set label 'turboquant (b)' at screen 0.55364,0.79546 left noenhanced
  set arrow from screen 0.65749,0.79546 to screen 0.67304,0.79546 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.66527,0.79546 point pt 14 ps size lc rgb '#66A61E'
  set label 'turboquant:mode=prod (b)' at screen 0.67638,0.79546 left noenhanced
  set arrow from screen 0.06597,0.77360 to screen 0.08153,0.77360 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.07375,0.77360 point pt 12 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,profile=15053dadaf55c96d (bits)' at screen 0.08486,0.77360 left noenhanced
  set arrow from screen 0.40467,0.77360 to screen 0.42023,0.77360 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.41245,0.77360 point pt 7 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=512,profile=15053dadaf55c96d (bits)' at screen 0.42356,0.77360 left noenhanced
  set arrow from screen 0.06597,0.75173 to screen 0.08153,0.75173 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.07375,0.75173 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,profile=a295963d5d6f7c8c (bits)' at screen 0.08486,0.75173 left noenhanced
  set arrow from screen 0.40467,0.75173 to screen 0.42023,0.75173 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.41245,0.75173 point pt 6 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=512,profile=a295963d5d6f7c8c (bits)' at screen 0.42356,0.75173 left noenhanced
  set arrow from screen 0.01115,0.72986 to screen 0.02671,0.72986 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.01893,0.72986 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,profile=846cec8d40267a80 (bits)' at screen 0.03004,0.72986 left noenhanced
  set arrow from screen 0.34985,0.72986 to screen 0.36541,0.72986 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.35763,0.72986 point pt 5 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=512,profile=846cec8d40267a80 (bits)' at screen 0.36874,0.72986 left noenhanced
  set arrow from screen 0.89143,0.72986 to screen 0.90698,0.72986 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front' at screen 0.91032,0.72986 left noenhanced
  set xlabel 'measured bits per value of the whole cache' noenhanced
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.69465; set bmargin at screen 0.42789
  set title 'SmolLM2-135M-Instruct.Q4_1 (manpages-de)' noenhanced offset 0,-0.6
  set label 999 'mean |Δppl|, %' at screen 0.00844,0.56127 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 1 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 1 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 2 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 2 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 3 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 3 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 4 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 4 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 5 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 5 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 6 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 6 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 7 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 7 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 8 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 8 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 9 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 9 using 1:2 with points pt 4 ps size lc rgb '#CC0000' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 10 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 10 using 1:2 with points pt 9 ps size lc rgb '#CC0000' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 11 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 11 using 1:2 with points pt 8 ps size lc rgb '#CC0000' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 12 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 12 using 1:2 with points pt 13 ps size lc rgb '#CC0000' notitle, \
      data index 13 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 13 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 13 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 14 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 14 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 14 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 15 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 15 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 15 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 16 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 16 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 16 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 17 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 17 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 17 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 18 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 18 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 18 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 19 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 19 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 19 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 20 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 20 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 20 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 21 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 21 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 21 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 22 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 22 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 22 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 23 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 23 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 23 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 24 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 24 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 24 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 25 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 25 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 25 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 26 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.69465; set bmargin at screen 0.42789
  set title 'SmolLM2-135M-Instruct.Q4_1 (manpages-fr)' noenhanced offset 0,-0.6
  unset label
  unset arrow
  set label 999 'mean |Δppl|, %' at screen 0.34178,0.56127 center rotate noenhanced
  plot data index 27 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 28 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 28 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 28 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 29 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 29 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 29 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 30 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 30 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 30 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 31 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 31 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 31 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 32 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 32 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 32 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 33 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 33 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 33 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 34 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 34 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 34 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 35 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 35 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 35 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 36 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 36 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 36 using 1:2 with points pt 12 ps size lc rgb '#CC0000' notitle, \
      data index 37 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 37 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 37 using 1:2 with points pt 4 ps size lc rgb '#CC0000' notitle, \
      data index 38 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 38 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 38 using 1:2 with points pt 9 ps size lc rgb '#CC0000' notitle, \
      data index 39 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 39 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 39 using 1:2 with points pt 13 ps size lc rgb '#CC0000' notitle, \
      data index 40 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 40 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 40 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 41 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 41 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 41 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 42 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 42 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 42 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 43 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 43 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 43 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 44 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 44 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 44 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 45 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 45 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 45 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 46 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 46 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 46 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 47 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 47 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 47 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 48 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 48 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 48 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 49 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 49 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 49 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 50 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 50 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 50 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 51 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 51 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 51 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 52 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 52 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 52 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 53 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.72644; set rmargin at screen 0.98889
  set tmargin at screen 0.69465; set bmargin at screen 0.42789
  set title 'SmolLM2-135M-Instruct.Q4_1 (manpages-zh)' noenhanced offset 0,-0.6
  set label 999 'mean |Δppl|, %' at screen 0.67511,0.56127 center rotate noenhanced
  plot data index 54 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 55 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 55 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 55 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 56 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 56 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 56 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 57 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 57 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 57 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 58 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 58 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 58 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 59 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 59 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 59 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 60 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 60 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 60 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 61 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 61 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 61 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 62 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 62 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 62 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 63 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 63 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 63 using 1:2 with points pt 4 ps size lc rgb '#CC0000' notitle, \
      data index 64 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 64 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 64 using 1:2 with points pt 9 ps size lc rgb '#CC0000' notitle, \
      data index 65 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 65 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 65 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 66 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 66 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 66 using 1:2 with points pt 13 ps size lc rgb '#CC0000' notitle, \
      data index 67 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 67 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 67 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 68 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 68 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 68 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 69 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 69 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 69 using 1:2 with points pt 6 ps size lc rgb '#CC0000' notitle, \
      data index 70 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 70 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 70 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 71 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 71 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 71 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 72 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 72 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 72 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 73 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 73 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 73 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 74 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 74 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 74 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 75 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 75 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 75 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 76 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 76 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 76 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 77 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 77 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 77 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 78 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 78 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 78 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 79 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 79 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 79 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 80 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.33582; set bmargin at screen 0.06906
  set title 'SmolLM2-135M-Instruct.Q4_1 (python-code)' noenhanced offset 0,-0.6
  set label 999 'mean |Δppl|, %' at screen 0.00844,0.20244 center rotate noenhanced
  plot data index 81 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 82 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 82 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 82 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 83 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 83 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 83 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 84 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 84 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 84 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 85 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 85 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 85 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 86 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 86 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 86 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 87 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 87 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 87 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 88 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 88 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 88 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 89 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 89 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 89 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 90 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 90 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 90 using 1:2 with points pt 4 ps size lc rgb '#CC0000' notitle, \
      data index 91 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 91 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 91 using 1:2 with points pt 9 ps size lc rgb '#CC0000' notitle, \
      data index 92 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 92 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 92 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 93 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 93 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 93 using 1:2 with points pt 13 ps size lc rgb '#CC0000' notitle, \
      data index 94 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 94 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 94 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 95 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 95 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 95 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 96 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 96 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 96 using 1:2 with points pt 5 ps size lc rgb '#CC0000' notitle, \
      data index 97 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 97 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 97 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 98 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 98 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 98 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 99 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 99 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 99 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 100 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 100 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 100 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 101 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 101 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 101 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 102 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 102 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 102 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 103 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 103 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 103 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 104 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 104 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 104 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 105 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 105 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 105 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 106 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 106 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 106 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 107 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.33582; set bmargin at screen 0.06906
  set title 'SmolLM2-135M-Instruct.Q4_1 (wiki.test)' noenhanced offset 0,-0.6
  set label 999 'mean |Δppl|, %' at screen 0.34178,0.20244 center rotate noenhanced
  plot data index 108 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 109 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 109 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 109 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 110 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 110 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 110 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 111 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 111 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 111 using 1:2 with points pt 6 ps size lc rgb '#0072B2' notitle, \
      data index 112 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 112 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 112 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 113 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 113 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 113 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 114 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 114 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 114 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 115 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 115 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 115 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 116 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 116 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 116 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 117 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 117 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 117 using 1:2 with points pt 4 ps size lc rgb '#CC0000' notitle, \
      data index 118 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 118 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 118 using 1:2 with points pt 9 ps size lc rgb '#CC0000' notitle, \
      data index 119 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 119 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 119 using 1:2 with points pt 13 ps size lc rgb '#CC0000' notitle, \
      data index 120 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 120 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 120 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 121 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 121 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 121 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 122 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 122 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 122 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 123 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 123 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 123 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 124 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 124 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 124 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 125 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 125 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 125 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 126 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 126 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 126 using 1:2 with points pt 15 ps size lc rgb '#7570B3' notitle, \
      data index 127 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 127 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 127 using 1:2 with points pt 11 ps size lc rgb '#CC79A7' notitle, \
      data index 128 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 128 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 128 using 1:2 with points pt 15 ps size lc rgb '#777777' notitle, \
      data index 129 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 129 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 129 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 130 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 130 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 130 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 131 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 131 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 131 using 1:2 with points pt 14 ps size lc rgb '#66A61E' notitle, \
      data index 132 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
