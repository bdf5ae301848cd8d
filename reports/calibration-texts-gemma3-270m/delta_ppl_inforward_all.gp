# Change of perplexity against measured bits of the coded values (in-forward)
# Redraw in this folder: gnuplot delta_ppl_inforward_all.gp
data = 'delta_ppl_inforward_all.dat'
set encoding utf8
do for [format in 'svg png'] {
  if (format eq 'svg') {
    set terminal svg size 1800,1223 enhanced font 'Arial,19' background rgb 'white'
    size = 0.65
  }
  if (format eq 'png') {
    set terminal pngcairo size 3600,2446 enhanced font 'DejaVu Sans,19' fontscale 1.5 \
      linewidth 2 pointscale 2 background rgb 'white'
    size = 1.15
  }
  set output 'delta_ppl_inforward_all.'.format
  set multiplot
  unset label
  unset arrow
  set label 1 '{/:Bold Change of perplexity against measured bits of the coded values (in-forward)}' at screen 0.5,0.98201 center font ',22'
  set label 2 '8 passages of 2048 + 64 scored tokens; bars: 95 % t intervals; identity (bf16) is exactly 0 and not drawn; noise alone is above 0' at screen 0.5,0.96076 center font ',17' tc rgb '#444444' noenhanced
  set xrange [1:5.5]
  set yrange [0.0733396:51.1597]
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
  set arrow from screen 0.11994,0.93787 to screen 0.13549,0.93787 nohead lw 1.2 dt 1 lc rgb '#0072B2'
  set label '' at screen 0.12772,0.93787 point pt 7 ps size lc rgb '#0072B2'
  set label 'e8:rule=published (q)' at screen 0.13883,0.93787 left noenhanced
  set arrow from screen 0.28848,0.93787 to screen 0.30404,0.93787 nohead lw 1.2 dt 1 lc rgb '#000000'
  set label '' at screen 0.29626,0.93787 point pt 7 ps size lc rgb '#000000'
  set label 'ece8:center=mean (bits)' at screen 0.30737,0.93787 left noenhanced
  set arrow from screen 0.47012,0.93787 to screen 0.48567,0.93787 nohead lw 1.2 dt 1 lc rgb '#8C6D1F'
  set label '' at screen 0.47789,0.93787 point pt 11 ps size lc rgb '#8C6D1F'
  set label 'kivi (b)' at screen 0.48901,0.93787 left noenhanced
  set arrow from screen 0.55358,0.93787 to screen 0.56914,0.93787 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.56136,0.93787 point pt 11 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,profile=34408ac596523fe2 (bits)' at screen 0.57247,0.93787 left noenhanced
  set arrow from screen 0.16741,0.91146 to screen 0.18297,0.91146 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.17519,0.91146 point pt 10 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,profile=93a1d24c39740d16 (bits)' at screen 0.18630,0.91146 left noenhanced
  set arrow from screen 0.50611,0.91146 to screen 0.52167,0.91146 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.51389,0.91146 point pt 15 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,profile=b830871d69fcee01 (bits)' at screen 0.52500,0.91146 left noenhanced
  set arrow from screen 0.23532,0.88506 to screen 0.25088,0.88506 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.24310,0.88506 point pt 14 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=512,profile=34408ac596523fe2 (bits)' at screen 0.25421,0.88506 left noenhanced
  set arrow from screen 0.23532,0.85865 to screen 0.25088,0.85865 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.24310,0.85865 point pt 7 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=512,profile=93a1d24c39740d16 (bits)' at screen 0.25421,0.85865 left noenhanced
  set arrow from screen 0.18050,0.83224 to screen 0.19606,0.83224 nohead lw 1.2 dt 1 lc rgb '#CC0000'
  set label '' at screen 0.18828,0.83224 point pt 6 ps size lc rgb '#CC0000'
  set label 'klt:lattice=tcq,scope=layer,restart=1,page=512,profile=b830871d69fcee01 (bits)' at screen 0.19939,0.83224 left noenhanced
  set arrow from screen 0.72208,0.83224 to screen 0.73763,0.83224 nohead lw 5 dt 1 lc rgb '#80FFB000'
  set label 'Pareto front' at screen 0.74097,0.83224 left noenhanced
  set xlabel 'measured bits per value of the coded values' noenhanced
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.78973; set bmargin at screen 0.46763
  set title 'gemma-3-270m-q4_k_m (manpages-de)' noenhanced offset 0,-0.6
  set label 999 'mean |Δppl|, %' at screen 0.00844,0.62868 center rotate noenhanced
  plot data index 0 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 1 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 1 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 2 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 2 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 2 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 3 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 3 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 3 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 4 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 4 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 4 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 5 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 5 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 5 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 6 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 6 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 6 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 7 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 7 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 7 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 8 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 8 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 8 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 9 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 9 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 9 using 1:2 with points pt 6 ps size lc rgb '#CC0000' notitle, \
      data index 10 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.78973; set bmargin at screen 0.46763
  set title 'gemma-3-270m-q4_k_m (manpages-fr)' noenhanced offset 0,-0.6
  unset label
  unset arrow
  set label 999 'mean |Δppl|, %' at screen 0.34178,0.62868 center rotate noenhanced
  plot data index 11 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 12 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 12 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 12 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 13 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 13 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 13 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 14 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 14 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 14 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 15 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 15 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 15 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 16 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 16 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 16 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 17 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 17 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 17 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 18 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 18 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 18 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 19 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 19 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 19 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 20 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 20 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 20 using 1:2 with points pt 6 ps size lc rgb '#CC0000' notitle, \
      data index 21 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.72644; set rmargin at screen 0.98889
  set tmargin at screen 0.78973; set bmargin at screen 0.46763
  set title 'gemma-3-270m-q4_k_m (manpages-zh)' noenhanced offset 0,-0.6
  set label 999 'mean |Δppl|, %' at screen 0.67511,0.62868 center rotate noenhanced
  plot data index 22 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 23 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 23 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 23 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 24 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 24 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 24 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 25 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 25 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 25 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 26 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 26 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 26 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 27 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 27 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 27 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 28 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 28 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 28 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 29 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 29 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 29 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 30 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 30 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 30 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 31 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 31 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 31 using 1:2 with points pt 6 ps size lc rgb '#CC0000' notitle, \
      data index 32 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.05978; set rmargin at screen 0.32222
  set tmargin at screen 0.38097; set bmargin at screen 0.05886
  set title 'gemma-3-270m-q4_k_m (python-code)' noenhanced offset 0,-0.6
  set label 999 'mean |Δppl|, %' at screen 0.00844,0.21991 center rotate noenhanced
  plot data index 33 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 34 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 34 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 34 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 35 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 35 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 35 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 36 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 36 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 36 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 37 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 37 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 37 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 38 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 38 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 38 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 39 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 39 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 39 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 40 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 40 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 40 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 41 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 41 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 41 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 42 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 42 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 42 using 1:2 with points pt 6 ps size lc rgb '#CC0000' notitle, \
      data index 43 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  set lmargin at screen 0.39311; set rmargin at screen 0.65556
  set tmargin at screen 0.38097; set bmargin at screen 0.05886
  set title 'gemma-3-270m-q4_k_m (wiki.test)' noenhanced offset 0,-0.6
  set label 999 'mean |Δppl|, %' at screen 0.34178,0.21991 center rotate noenhanced
  plot data index 44 using 1:2 with steps lw 5 lc rgb '#80FFB000' notitle, \
      data index 45 using 1:2 with lines lw 1.2 lc rgb '#0072B2' notitle, \
      data index 45 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#0072B2' notitle, \
      data index 45 using 1:2 with points pt 7 ps size lc rgb '#0072B2' notitle, \
      data index 46 using 1:2 with lines lw 1.2 lc rgb '#000000' notitle, \
      data index 46 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#000000' notitle, \
      data index 46 using 1:2 with points pt 7 ps size lc rgb '#000000' notitle, \
      data index 47 using 1:2 with lines lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 47 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#8C6D1F' notitle, \
      data index 47 using 1:2 with points pt 11 ps size lc rgb '#8C6D1F' notitle, \
      data index 48 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 48 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 48 using 1:2 with points pt 11 ps size lc rgb '#CC0000' notitle, \
      data index 49 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 49 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 49 using 1:2 with points pt 10 ps size lc rgb '#CC0000' notitle, \
      data index 50 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 50 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 50 using 1:2 with points pt 15 ps size lc rgb '#CC0000' notitle, \
      data index 51 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 51 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 51 using 1:2 with points pt 14 ps size lc rgb '#CC0000' notitle, \
      data index 52 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 52 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 52 using 1:2 with points pt 7 ps size lc rgb '#CC0000' notitle, \
      data index 53 using 1:2 with lines lw 1.2 lc rgb '#CC0000' notitle, \
      data index 53 using 1:($3 > 0.0733396 ? $3 : 0.0733396):(0):($4 - ($3 > 0.0733396 ? $3 : 0.0733396)) with vectors heads size graph 0.005,90 lw 1.2 lc rgb '#CC0000' notitle, \
      data index 53 using 1:2 with points pt 6 ps size lc rgb '#CC0000' notitle, \
      data index 54 using 1:2:3:4 with labels center font ',16' tc rgb variable noenhanced notitle
  unset multiplot
  unset output
}
