# Change of perplexity against measured bits of the coded values (in-forward)
# Redraw in this folder: gnuplot delta_ppl_inforward_all.gp
data = 'delta_ppl_inforward_all.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1800,1385 enhanced font 'Arial,19' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 3600,2769 enhanced font 'DejaVu Sans,19' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'delta_ppl_inforward_all.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold Change of perplexity against measured bits of the coded values (in-forward)}' at screen 0.5,0.98411 center font ',22'
  set label 2 '8 passages of 2048 + 64 scored tokens; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn; noise alone is above 0' at screen 0.5,0.96534 center font ',17' tc rgb '#444444' noenhanced
  set xrange [1:9]
  set yrange [0.0347611:36.7889]
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
  set arrow from screen 0.06592,0.94511 to screen 0.08148,0.94511 nohead lw 1.2 dt 1 lc rgb '#AA3377'
  set label '' at screen 0.07370,0.94511 point pt 13 ps size lc rgb '#AA3377'
  set label 'fp8' at screen 0.08481,0.94511 left noenhanced
  set arrow from screen 0.11667,0.94511 to screen 0.13222,0.94511 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.12444,0.94511 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:rule=published (q)' at screen 0.13556,0.94511 left noenhanced
  set arrow from screen 0.28521,0.94511 to screen 0.30077,0.94511 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.29299,0.94511 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:center=mean (bits)' at screen 0.30410,0.94511 left noenhanced
  set arrow from screen 0.46684,0.94511 to screen 0.48240,0.94511 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.47462,0.94511 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'int4' at screen 0.48573,0.94511 left noenhanced
  set arrow from screen 0.52413,0.94511 to screen 0.53969,0.94511 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.53191,0.94511 point pt 15 ps size lc rgb '#66A61E'
  set label 'kivi (b)' at screen 0.54302,0.94511 left noenhanced
  set arrow from screen 0.60760,0.94511 to screen 0.62316,0.94511 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.61538,0.94511 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,profile=4564ed6c753239de (bits)' at screen 0.62649,0.94511 left noenhanced
  set arrow from screen 0.16741,0.92179 to screen 0.18297,0.92179 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.17519,0.92179 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,profile=5505e7ba7a0071df (bits)' at screen 0.18630,0.92179 left noenhanced
  set arrow from screen 0.50611,0.92179 to screen 0.52167,0.92179 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.51389,0.92179 point pt 15 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,profile=b62161561dc47683 (bits)' at screen 0.52500,0.92179 left noenhanced
  set arrow from screen 0.06597,0.89846 to screen 0.08153,0.89846 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.07375,0.89846 point pt 14 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,profile=e9e16ad59ad3df24 (bits)' at screen 0.08486,0.89846 left noenhanced
  set arrow from screen 0.40467,0.89846 to screen 0.42023,0.89846 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.41245,0.89846 point pt 7 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=512,profile=4564ed6c753239de (bits)' at screen 0.42356,0.89846 left noenhanced
  set arrow from screen 0.23532,0.87514 to screen 0.25088,0.87514 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.24310,0.87514 point pt 6 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=512,profile=5505e7ba7a0071df (bits)' at screen 0.25421,0.87514 left noenhanced
  set arrow from screen 0.23532,0.85181 to screen 0.25088,0.85181 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.24310,0.85181 point pt 5 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=512,profile=b62161561dc47683 (bits)' at screen 0.25421,0.85181 left noenhanced
  set arrow from screen 0.01931,0.82848 to screen 0.03486,0.82848 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.02708,0.82848 point pt 4 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=512,profile=e9e16ad59ad3df24 (bits)' at screen 0.03819,0.82848 left noenhanced
  set arrow from screen 0.56088,0.82848 to screen 0.57644,0.82848 nohead lw 1.2 dt 1 lc rgb '#7570B3'
  set label '' at screen 0.56866,0.82848 point pt 11 ps size lc rgb '#7570B3'
  set label 'nvfp4' at screen 0.57977,0.82848 left noenhanced
  set arrow from screen 0.62472,0.82848 to screen 0.64027,0.82848 nohead lw 1.2 dt 1 lc rgb '#CC79A7'
  set label '' at screen 0.63249,0.82848 point pt 15 ps size lc rgb '#CC79A7'
  set label 'q4_0:rotate=64' at screen 0.64361,0.82848 left noenhanced
  set arrow from screen 0.74745,0.82848 to screen 0.76301,0.82848 nohead lw 1.2 dt 1 lc rgb '#777777'
  set label '' at screen 0.75523,0.82848 point pt 11 ps size lc rgb '#777777'
  set label 'q5_0:rotate=64' at screen 0.76634,0.82848 left noenhanced
  set arrow from screen 0.87018,0.82848 to screen 0.88574,0.82848 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.87796,0.82848 point pt 15 ps size lc rgb '#8C6D1F'
  set label 'q8_0:rotate=64' at screen 0.88907,0.82848 left noenhanced
  set arrow from screen 0.27539,0.80516 to screen 0.29095,0.80516 nohead lw 1.2 dt 1 lc rgb '#66A61E'
  set label '' at screen 0.28317,0.80516 point pt 11 ps size lc rgb '#66A61E'
  set label 'turboquant (b)' at screen 0.29428,0.80516 left noenhanced
  set arrow from screen 0.39813,0.80516 to screen 0.41368,0.80516 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.40591,0.80516 point pt 9 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,profile=15053dadaf55c96d (bits)' at screen 0.41702,0.80516 left noenhanced
  set arrow from screen 0.06597,0.78183 to screen 0.08153,0.78183 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.07375,0.78183 point pt 8 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=512,profile=15053dadaf55c96d (bits)' at screen 0.08486,0.78183 left noenhanced
  set arrow from screen 0.60755,0.78183 to screen 0.62311,0.78183 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.61533,0.78183 point pt 13 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,profile=a295963d5d6f7c8c (bits)' at screen 0.62644,0.78183 left noenhanced
  set arrow from screen 0.06597,0.75850 to screen 0.08153,0.75850 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.07375,0.75850 point pt 12 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=512,profile=a295963d5d6f7c8c (bits)' at screen 0.08486,0.75850 left noenhanced
  set arrow from screen 0.60755,0.75850 to screen 0.62311,0.75850 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.61533,0.75850 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,profile=846cec8d40267a80 (bits)' at screen 0.62644,0.75850 left noenhanced
  set arrow from screen 0.18050,0.73518 to screen 0.19606,0.73518 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.18828,0.73518 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=512,profile=846cec8d40267a80 (bits)' at screen 0.19939,0.73518 left noenhanced
  set arrow from screen 0.72208,0.73518 to screen 0.73763,0.73518 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front' at screen 0.74097,0.73518 left noenhanced
  set xlabel 'measured bits per value of the coded values' noenhanced
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.69762; set bmargin at screen 0.41309
  set title 'SmolLM2-135M-Instruct.Q4_1 (manpages-de)' noenhanced offset 0,-0.6
  set label 999 'mean |Δppl|, %' at screen 0.00844,0.55535 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 1 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 1 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 2 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 2 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 3 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 3 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 4 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 4 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 5 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 5 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 6 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 6 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 7 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 7 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 8 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 8 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 9 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 9 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 10 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 10 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 10 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 11 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 11 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 11 using 1:2 with points pt 6 ps size lc rgb '#CC0000' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 12 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 12 using 1:2 with points pt 5 ps size lc rgb '#CC0000' notitle, \
      data index 13 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 13 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 13 using 1:2 with points pt 4 ps size lc rgb '#CC0000' notitle, \
      data index 14 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 14 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 14 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 15 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 15 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 15 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 16 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 16 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 16 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 17 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 17 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 17 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 18 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 18 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 18 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 19 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.69762; set bmargin at screen 0.41309
  set title 'SmolLM2-135M-Instruct.Q4_1 (manpages-fr)' noenhanced offset 0,-0.6
  unset label
  unset arrow
  set label 999 'mean |Δppl|, %' at screen 0.34178,0.55535 center rotate noenhanced
  plot data index 20 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 21 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 21 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 21 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 22 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 22 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 22 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 23 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 23 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 23 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 24 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 24 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 24 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 25 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 25 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 25 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 26 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 26 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 26 using 1:2 with points pt 9 ps size lc rgb '#CC0000' notitle, \
      data index 27 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 27 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 27 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 28 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 28 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 28 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 29 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 29 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 29 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 30 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 30 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 30 using 1:2 with points pt 8 ps size lc rgb '#CC0000' notitle, \
      data index 31 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 31 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 31 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 32 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 32 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 32 using 1:2 with points pt 6 ps size lc rgb '#CC0000' notitle, \
      data index 33 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 33 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 33 using 1:2 with points pt 4 ps size lc rgb '#CC0000' notitle, \
      data index 34 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 34 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 34 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 35 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 35 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 35 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 36 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 36 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 36 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 37 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 37 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 37 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 38 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 38 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 38 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 39 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.72644; set rmargin at screen 0.98889
  set tmargin at screen 0.69762; set bmargin at screen 0.41309
  set title 'SmolLM2-135M-Instruct.Q4_1 (manpages-zh)' noenhanced offset 0,-0.6
  set label 999 'mean |Δppl|, %' at screen 0.67511,0.55535 center rotate noenhanced
  plot data index 40 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 41 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 41 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 41 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 42 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 42 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 42 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 43 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 43 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 43 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 44 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 44 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 44 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 45 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 45 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 45 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 46 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 46 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 46 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 47 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 47 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 47 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 48 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 48 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 48 using 1:2 with points pt 13 ps size lc rgb '#CC0000' notitle, \
      data index 49 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 49 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 49 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 50 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 50 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 50 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 51 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 51 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 51 using 1:2 with points pt 6 ps size lc rgb '#CC0000' notitle, \
      data index 52 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 52 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 52 using 1:2 with points pt 12 ps size lc rgb '#CC0000' notitle, \
      data index 53 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 53 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 53 using 1:2 with points pt 4 ps size lc rgb '#CC0000' notitle, \
      data index 54 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 54 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 54 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 55 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 55 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 55 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 56 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 56 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 56 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 57 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 57 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 57 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 58 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 58 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 58 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 59 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.33653; set bmargin at screen 0.05200
  set title 'SmolLM2-135M-Instruct.Q4_1 (python-code)' noenhanced offset 0,-0.6
  set label 999 'mean |Δppl|, %' at screen 0.00844,0.19427 center rotate noenhanced
  plot data index 60 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 61 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 61 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 61 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 62 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 62 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 62 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 63 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 63 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 63 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 64 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 64 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 64 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 65 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 65 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 65 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 66 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 66 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 66 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 67 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 67 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 67 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 68 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 68 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 68 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 69 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 69 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 69 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 70 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 70 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 70 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 71 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 71 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 71 using 1:2 with points pt 6 ps size lc rgb '#CC0000' notitle, \
      data index 72 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 72 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 72 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 73 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 73 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 73 using 1:2 with points pt 4 ps size lc rgb '#CC0000' notitle, \
      data index 74 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 74 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 74 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 75 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 75 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 75 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 76 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 76 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 76 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 77 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 77 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 77 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 78 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 78 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 78 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 79 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.33653; set bmargin at screen 0.05200
  set title 'SmolLM2-135M-Instruct.Q4_1 (wiki.test)' noenhanced offset 0,-0.6
  set label 999 'mean |Δppl|, %' at screen 0.34178,0.19427 center rotate noenhanced
  plot data index 80 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 81 using 1:2 with lines lw 1.2 lc rgb '#AA3377' notitle, \
      data index 81 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#AA3377' notitle, \
      data index 81 using 1:2 with points pt 13 ps size lc rgb '#AA3377' notitle, \
      data index 82 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 82 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 82 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 83 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 83 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 83 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 84 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 84 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 84 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 85 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 85 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 85 using 1:2 with points pt 15 ps size lc rgb '#66A61E' notitle, \
      data index 86 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 86 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 86 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 87 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 87 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 87 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 88 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 88 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 88 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 89 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 89 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 89 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 90 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 90 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 90 using 1:2 with points pt 6 ps size lc rgb '#CC0000' notitle, \
      data index 91 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 91 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 91 using 1:2 with points pt 4 ps size lc rgb '#CC0000' notitle, \
      data index 92 using 1:2 with lines lw 1.2 lc rgb '#7570B3' notitle, \
      data index 92 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#7570B3' notitle, \
      data index 92 using 1:2 with points pt 11 ps size lc rgb '#7570B3' notitle, \
      data index 93 using 1:2 with lines lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 93 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC79A7' notitle, \
      data index 93 using 1:2 with points pt 15 ps size lc rgb '#CC79A7' notitle, \
      data index 94 using 1:2 with lines lw 1.2 lc rgb '#777777' notitle, \
      data index 94 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#777777' notitle, \
      data index 94 using 1:2 with points pt 11 ps size lc rgb '#777777' notitle, \
      data index 95 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 95 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 95 using 1:2 with points pt 15 ps size lc rgb '#8C6D1F' notitle, \
      data index 96 using 1:2 with lines lw 1.2 lc rgb '#66A61E' notitle, \
      data index 96 using 1:($3 > 0.0347611 ? $3 : 0.0347611):(0):($4 - ($3 > 0.0347611 ? $3 : 0.0347611)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#66A61E' notitle, \
      data index 96 using 1:2 with points pt 11 ps size lc rgb '#66A61E' notitle, \
      data index 97 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
